/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/preset.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "policy/near.h"

/* The file's bytes as they are, and a NUL. */
#define PRESET_FILE(id, file)                                               \
	__asm__(".pushsection .rodata\n"                                    \
		"preset_text_" #id ":\n"                                    \
		".incbin \"scripts/presets/" file ".lab\"\n"                \
		".byte 0\n"                                                 \
		".popsection\n");                                           \
	extern const char preset_text_##id[]

PRESET_FILE(linux_2_5_9, "linux-2.5.9");
PRESET_FILE(linux_2_6_29, "linux-2.6.29");
PRESET_FILE(linux_3_2, "linux-3.2");
PRESET_FILE(linux_3_16, "linux-3.16");
PRESET_FILE(linux_4_2, "linux-4.2");
PRESET_FILE(linux_6_1, "linux-6.1");
PRESET_FILE(linux_6_18, "linux-6.18");
PRESET_FILE(sysv_lazy_buddy, "sysv-lazy-buddy");

struct value {
	const struct policy_row *row;
	const char *value, *source;
};

struct preset {
	const char *file;	/* the text above */
	char *name, *summary;	/* cut out of it, as are the values */
	struct value *values;
	unsigned int nr;
};

/* A saved lab names its preset by the place here: new ones go to the end. */
static struct preset presets[PRESETS] = {
	{ .file = preset_text_linux_2_5_9 },
	{ .file = preset_text_linux_2_6_29 },
	{ .file = preset_text_linux_3_2 },
	{ .file = preset_text_linux_3_16 },
	{ .file = preset_text_linux_4_2 },
	[PRESET_DEFAULT] = { .file = preset_text_linux_6_1 },
	{ .file = preset_text_linux_6_18 },
	{ .file = preset_text_sysv_lazy_buddy },
};

/* ---- reading the files ---- */

/* They are the program's own: what cannot be read was never right. */
static void __attribute__((noreturn)) broken(const struct preset *p, const char *what)
{
	fprintf(stderr, "slablab: preset %s: %s\n", p->name, what);
	abort();
}

static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");

	*at = word + strcspn(word, " \t");
	if (**at)
		*(*at)++ = 0;
	return word;
}

/* set NAME VALUE  # from where */
static void read_line(struct preset *p, char *line)
{
	char *hash = strchr(line, '#'), *at = line;
	struct value v = { 0 };

	if (!hash || hash[1] != ' ' || strcmp(next_word(&at), "set"))
		broken(p, "a line is not `set NAME VALUE # from where`");
	*hash = 0;
	v.row = policy_find(next_word(&at));
	v.value = next_word(&at);
	v.source = hash + 2;
	if (!v.row || !*v.value)
		broken(p, "a line sets no policy");
	p->values[p->nr++] = v;
}

/* The first line is "# NAME: SUMMARY"; other remarks are for who reads the file. */
static void read_file(struct preset *p)
{
	char *text = strdup(p->file), *line, *rest = text;

	p->values = calloc(policy_nr, sizeof(*p->values));
	if (!text || !p->values)
		abort();
	p->name = strsep(&rest, "\n") + 2;
	p->summary = strchr(p->name, ':');
	*p->summary = 0;
	p->summary += 2;
	while ((line = strsep(&rest, "\n")))
		if (*line && *line != '#')
			read_line(p, line);
}

static void read_all(void)
{
	for (unsigned int i = 0; i < PRESETS; i++)
		read_file(&presets[i]);
}

static void be_read(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_all);
}

/* ---- asking ---- */

const struct preset *preset_at(unsigned int number)
{
	be_read();
	return &presets[number];
}

const struct preset *preset_of(const struct lab *lab)
{
	return preset_at(lab->hdr->preset);
}

const struct preset *preset_find(const char *name)
{
	char all[256] = "", near_names[128];
	struct near n;

	be_read();
	near_begin(&n, name);
	for (unsigned int i = 0; i < PRESETS; i++) {
		if (!strcmp(presets[i].name, name))
			return &presets[i];
		near_offer(&n, presets[i].name);
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "", presets[i].name);
	}
	near_join(&n, near_names, sizeof(near_names));
	if (near_names[0])
		fail(ENOENT, "there is no preset \"%s\" (near: %s)", name, near_names);
	else
		fail(ENOENT, "there is no preset \"%s\" (presets: %s)", name, all);
	return NULL;
}

unsigned int preset_number(const struct preset *p)
{
	return (unsigned int)(p - presets);
}

const char *preset_name(const struct preset *p)
{
	return p->name;
}

const char *preset_summary(const struct preset *p)
{
	return p->summary;
}

static const struct value *value_of(const struct preset *p, const struct policy_row *row)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (p->values[i].row == row)
			return &p->values[i];
	return NULL;
}

const char *preset_value(const struct preset *p, const struct policy_row *row)
{
	const struct value *v = value_of(p, row);

	return v ? v->value : row->def;
}

const char *preset_source(const struct preset *p, const struct policy_row *row)
{
	const struct value *v = value_of(p, row);

	return v ? v->source : row->source ? row->source : "";
}

bool preset_differs(const struct preset *p, struct lab *lab, const struct policy_row *row, char *now)
{
	const struct value *v = value_of(p, row);

	policy_print(lab, row, 0, now, POLICY_TEXT_MAX);
	if (!v && policy_is_unset(lab, row))
		return false;
	/* a default that only some hosts can do differs nowhere */
	return strcmp(now, v ? v->value : row->def) && (v || !row->def_by_host);
}
