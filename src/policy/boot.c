/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boot - a kernel command line as policies and shape.
 *
 * Words are read as the kernel reads them: blanks separate, quotes hold
 * blanks together, `-` and `_` are one letter in a name, `--` ends the
 * kernel's part. The lab is made between the two calls, so each walks the
 * line once and leaves the other's words alone.
 */
#include "policy/policy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "base/units.h"
#include "policy/custom.h"

#define WORD_MAX 512

struct word {
	char text[WORD_MAX];	/* NAME, then NUL */
	const char *value;	/* behind the =, NULL without one */
	bool cut;		/* longer than anything we know */
};

/* The next word of the line; false at its end. */
static bool next_word(const char **line, struct word *w)
{
	const char *c = *line;
	bool quoted = false;
	size_t n = 0;

	while (isspace((unsigned char)*c))
		c++;
	if (!*c)
		return false;
	w->value = NULL;
	w->cut = false;
	for (; *c && (quoted || !isspace((unsigned char)*c)); c++) {
		char put = *c;

		if (put == '"') {
			quoted = !quoted;
			continue;
		}
		if (!w->value && put == '=') {
			put = 0;
			w->value = w->text + n + 1;
		} else if (!w->value && put == '-') {
			put = '_';
		}
		if (n < WORD_MAX - 1)
			w->text[n++] = put;
		else
			w->cut = true;
	}
	w->text[n] = 0;
	if (w->value > w->text + n)
		w->value = w->text + n;
	*line = c;
	return strcmp(w->text, "__") || w->value;
}

/* ---- shape ---- */

struct shape_words {
	uint64_t cpus, possible, mem;	/* 0: not given */
};

static int shape_number(const struct word *w, uint64_t min, uint64_t max, uint64_t *n)
{
	int ret;

	if (!w->value || !*w->value)
		return fail(EINVAL, "boot parameter %s needs a value (%s=N)", w->text, w->text);
	ret = parse_u64(w->value, n);
	if (ret)
		return fail_in(ret, "boot parameter %s: ", w->text);
	if (*n < min || *n > max)
		return fail(ERANGE, "boot parameter %s=%s is out of range: %llu .. %llu", w->text, w->value,
			    (unsigned long long)min, (unsigned long long)max);
	return 0;
}

/* 1 if the word is of the shape, 0 if it is another's. */
static int shape_word(const struct word *w, struct shape_words *s)
{
	uint64_t n = 0;
	int ret;

	if (!strcmp(w->text, "nr_cpus") || !strcmp(w->text, "maxcpus")) {
		/* maxcpus=0 brings up no CPU but the first. */
		ret = shape_number(w, w->text[0] == 'n', MAX_CPUS, &n);
		n = max_u64(n, 1);
		s->cpus = s->cpus ? min_u64(s->cpus, n) : n;
	} else if (!strcmp(w->text, "possible_cpus")) {
		ret = shape_number(w, 1, MAX_CPUS, &s->possible);
	} else if (!strcmp(w->text, "mem")) {
		ret = shape_number(w, 4 << 20, 1ULL << 44, &s->mem);
	} else {
		return 0;
	}
	return ret ? ret : 1;
}

/* Were the zones laid out this way, rather than named one by one? */
static bool laid_out(const struct shape *shape, const char *layout)
{
	struct shape same = *shape;
	char text[96];

	snprintf(text, sizeof(text), "mem=%llu,layout=%s", (unsigned long long)shape->pages << PAGE_SHIFT,
		 layout);
	return !shape_parse(&same, text) && same.zones == shape->zones &&
	       !memcmp(same.zone, shape->zone, same.zones * sizeof(same.zone[0]));
}

static int take_mem(struct shape *shape, uint64_t mem)
{
	static const char *const layouts[] = { "flat", "x86_64" };
	char text[96];

	for (unsigned int i = 0; i < ARRAY_SIZE(layouts); i++) {
		int ret;

		if (!laid_out(shape, layouts[i]))
			continue;
		snprintf(text, sizeof(text), "mem=%llu,layout=%s", (unsigned long long)mem, layouts[i]);
		ret = shape_parse(shape, text);
		return ret ? fail_in(ret, "boot parameter mem: ") : 0;
	}
	return 0;	/* zones= said it */
}

static int take_cpus(struct shape *shape, const struct shape_words *w)
{
	uint32_t cpus = shape->cpus, possible = shape->possible;

	if (w->cpus && !shape->has_cpus)
		cpus = (uint32_t)w->cpus;
	if (w->possible && !shape->has_possible) {
		possible = (uint32_t)w->possible;
		if (!shape->has_cpus)
			cpus = (uint32_t)min_u64(cpus, possible);
	} else if (!shape->has_possible) {
		possible = cpus;
	} else if (!shape->has_cpus) {
		cpus = (uint32_t)min_u64(cpus, possible);
	}
	if (possible < cpus)
		return fail(EINVAL, "boot parameter possible_cpus=%u is less than cpus=%u", possible, cpus);
	shape->has_cpus |= w->cpus != 0;
	shape->has_possible |= w->possible != 0;
	shape->given |= w->cpus || w->possible;
	shape->cpus = cpus;
	shape->possible = possible;
	return 0;
}

int boot_shape(const char *line, struct shape *shape)
{
	struct shape_words words = { 0 };
	struct shape s = *shape;
	struct word w;
	int ret;

	while (next_word(&line, &w)) {
		ret = w.cut ? 0 : shape_word(&w, &words);
		if (ret < 0)
			return ret;
	}
	ret = take_cpus(&s, &words);
	if (!ret && words.mem && !s.has_mem)
		ret = take_mem(&s, words.mem);
	if (!ret)
		*shape = s;
	return ret;
}

/* ---- policies ---- */

static const struct { const char *word, *policy, *value; } boot_words[] = {
	{ "slab_nomerge", "slab.merge", "off" },
	{ "slub_nomerge", "slab.merge", "off" },
	{ "slab_merge", "slab.merge", "on" },
	{ "slub_merge", "slab.merge", "on" },
	{ "slub_min_order", "slub.min_order", NULL },
	{ "slub_max_order", "slub.max_order", NULL },
	{ "slub_min_objects", "slub.min_objects", NULL },
	{ "slab_max_order", "slabq.max_order", NULL },
	{ "noaliencache", "slabq.alien", "off" },
	{ "init_on_alloc", "slab.init_on_alloc", NULL },
	{ "init_on_free", "slab.init_on_free", NULL },
};

/* Since 6.8 what was slub_NAME is also slab_NAME, and slab_max_order is no longer the queued engine's. */
static const char *word_of_era(struct lab *lab, const char *word)
{
	static const char *const words[][2] = {
		{ "slab_min_order", "slub_min_order" }, { "slab_max_order", "slub_max_order" },
		{ "slab_min_objects", "slub_min_objects" }, { "slab_debug", "slub_debug" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(words) && lab_slab_policy(lab)->store.era >= ERA_6_8; i++)
		if (!strcmp(word, words[i][0]))
			return words[i][1];
	return word;
}

static void warn(char warning[256], const char *name)
{
	size_t n = strlen(warning);

	if (n >= 3 && !strcmp(warning + n - 3, "..."))	/* full already */
		return;
	if (snprintf(warning + n, 250 - n, "%s%s", n ? ", " : "", name) >= (int)(250 - n))
		strcpy(warning + n, n ? ", ..." : "...");
}

/* The kernel takes the letters it knows and reports the others; no value asks for F, Z, P and U. */
static int boot_debug(struct lab *lab, const char *value, char warning[256])
{
	char unknown[32] = "", text[64];
	int ret = debug_store(lab_slab_policy(lab), value && *value ? value : "FZPU", unknown);

	if (ret)
		return ret;
	if (unknown[0]) {
		snprintf(text, sizeof(text), "slub_debug letter %s", unknown);
		warn(warning, text);
	}
	return 0;
}

static int store_word(struct lab *lab, const struct policy_row *row, const struct word *w, const char *value)
{
	char cut[16];
	uint64_t n;
	int ret;

	if (!value || !*value)
		return fail(EINVAL, "boot parameter %s needs a value (%s=N)", w->text, w->text);
	if (row->home == HOME_STORE && row->max == MAX_PAGE_ORDER && row->type == POLICY_INT &&
	    !parse_u64(value, &n) && n > MAX_PAGE_ORDER) {
		snprintf(cut, sizeof(cut), "%d", MAX_PAGE_ORDER);
		value = cut;
	}
	ret = policy_store(lab, row, 0, value);
	return ret ? fail_in(ret, "boot parameter %s: ", w->text) : 0;
}

/* "vm.NAME" of "vm.NAME", "sysctl.vm.NAME" and "sysctl.vm/NAME"; else NULL. */
static const struct policy_row *sysctl_row(const char *name)
{
	char path[WORD_MAX];

	if (!strncmp(name, "sysctl.", 7))
		name += 7;
	if (strncmp(name, "vm.", 3) && strncmp(name, "vm/", 3))
		return NULL;
	snprintf(path, sizeof(path), "vm.%s", name + 3);
	return policy_find_param(path);
}

/* failslab= and fail_page_alloc= INTERVAL,PROBABILITY,SPACE,TIMES */
static int boot_fail(struct lab *lab, const struct word *w)
{
	static const char *const rows[] = { "interval", "probability", "space", "times" };
	char name[64], values[WORD_MAX], *save, *value;
	unsigned int i = 0;

	snprintf(values, sizeof(values), "%s", w->value ? w->value : "");
	for (value = strtok_r(values, ",", &save); value && i < ARRAY_SIZE(rows); value = strtok_r(NULL, ",", &save)) {
		int ret;

		snprintf(name, sizeof(name), "%.32s.%s", w->text, rows[i++]);
		ret = policy_store(lab, policy_find(name), 0, value);
		if (ret)
			return fail_in(ret, "boot parameter %s: ", w->text);
	}
	if (value || i < ARRAY_SIZE(rows))
		return fail(EINVAL, "boot parameter %s needs four numbers: INTERVAL,PROBABILITY,SPACE,TIMES", w->text);
	return 0;
}

static int policy_word(struct lab *lab, const struct word *w, char warning[256])
{
	const struct policy_row *row = sysctl_row(w->text);
	struct shape_words ignored;
	const char *word = word_of_era(lab, w->text);

	if (row)
		return store_word(lab, row, w, w->value);
	if (!strcmp(w->text, "failslab") || !strcmp(w->text, "fail_page_alloc"))
		return boot_fail(lab, w);
	if (!strcmp(word, "slub_debug"))
		return boot_debug(lab, w->value, warning);
	for (unsigned int i = 0; i < ARRAY_SIZE(boot_words); i++)
		if (!strcmp(word, boot_words[i].word))
			return store_word(lab, policy_find(boot_words[i].policy), w,
					  boot_words[i].value ? boot_words[i].value : w->value);
	memset(&ignored, 0, sizeof(ignored));
	if (!shape_word(w, &ignored))
		warn(warning, w->text[0] ? w->text : "=");
	return 0;
}

int boot_policies(struct lab *lab, const char *line, char warning[256])
{
	struct word w;

	warning[0] = 0;
	while (next_word(&line, &w)) {
		int ret;

		if (w.cut) {
			w.text[40] = 0;
			warn(warning, w.text);
			continue;
		}
		ret = policy_word(lab, &w, warning);
		if (ret)
			return ret;
	}
	return 0;
}
