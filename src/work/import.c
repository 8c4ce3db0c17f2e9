/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "formats/buddyinfo.h"
#include "formats/counters.h"
#include "formats/memreport.h"
#include "formats/perfkmem.h"
#include "formats/slabtop.h"
#include "formats/slubdbg.h"
#include "work/import_priv.h"

struct kind {
	const char *name;
	uint32_t (*recognise)(const struct paste *text);	/* lines that speak for it */
	int (*run)(struct import *im, const struct paste *text, json_t *data);
};

/* X(name, who recognises it, who does it) */
#define KINDS(X)                                                     \
	X("buddyinfo",    buddyinfo_recognise,    import_buddyinfo)   \
	X("slabinfo",     slabinfo_recognise,     import_slabinfo)    \
	X("slabtop",      slabtop_recognise,      import_slabtop)     \
	X("crash",        crash_kmem_recognise,   import_crash_kmem)  \
	X("slubdbg",      slubdbg_recognise,      import_slubdbg)     \
	X("zoneinfo",     zoneinfo_recognise,     import_memreport)   \
	X("pagetypeinfo", pagetypeinfo_recognise, import_memreport)   \
	X("allocfail",    allocfail_recognise,    import_memreport)   \
	X("vmstat",       vmstat_recognise,       import_vmstat)      \
	X("meminfo",      meminfo_recognise,      import_meminfo)     \
	X("perfkmem",     perfkmem_recognise,     import_perfkmem)

#define KIND(name, recognise, run) { name, recognise, run },
#define KIND_NAME(name, recognise, run) name,
static const struct kind kinds[] = { KINDS(KIND) };
const char *const import_kinds[] = { "auto", KINDS(KIND_NAME) NULL };

static char *kinds_text(char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = 0;
	for (unsigned int i = 0; import_kinds[i] && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", import_kinds[i]);
	return buf;
}

static const struct kind *kind_find(const char *name)
{
	char list[256];

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	fail(EINVAL, "import does not know \"%s\" (%s)", name, kinds_text(list, sizeof(list)));
	return NULL;
}

/* The kind that most lines speak for, how many there are; NULL if none does. */
static const struct kind *kind_guess(const struct paste *text, uint32_t *most)
{
	const struct kind *best = NULL;

	*most = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint32_t lines = kinds[i].recognise(text);

		if (lines > *most) {
			*most = lines;
			best = &kinds[i];
		}
	}
	return best;
}

static const struct kind *kind_of(const char *name, const struct paste *text, uint32_t *most)
{
	const struct kind *kind;

	if (!strcmp(name, "auto"))
		return kind_guess(text, most);
	kind = kind_find(name);
	*most = kind ? kind->recognise(text) : 0;
	return kind;
}

/*
 * The kind, and the text as it is or with the lines joined that a mailer broke,
 * whichever more lines of a report are in; a logger's prefix before each line but
 * the broken ones leaves no doubt. NULL: none. What reads across lines sees the
 * text as it is, else.
 */
static const struct kind *read_as(const char *name, const struct paste **text, const struct paste *joined)
{
	uint32_t most, more = 0;
	const struct kind *kind = kind_of(name, *text, &most);
	const struct kind *other = joined->unfolded ? kind_of(name, joined, &more) : NULL;
	char list[256];

	if (other && (other->recognise == allocfail_recognise ? joined->bare && more > most : joined->bare || more > most)) {
		kind = other;
		*text = joined;
	}
	if (!kind)
		fail(ENOENT, "none of its %u lines is of a report that import knows (%s)", (*text)->nr,
		     kinds_text(list, sizeof(list)));
	return kind;
}

static void note_mended(struct import *im, const struct paste *text, json_t *data)
{
	if (text->unfolded) {
		json_object_set_new(data, "unfolded", json_integer(text->unfolded));
		import_note(im, "%u lines that a mailer seems to have broken were joined", text->unfolded);
	}
	if (text->quoted) {
		json_object_set_new(data, "unquoted", json_integer(text->quoted));
		import_note(im, "quote marks were taken off %u lines, the first is line %u", text->quoted,
			    text->first_quoted);
	}
}

static int run_text(struct import *im, const char *name, const struct paste *text, json_t **data)
{
	const struct kind *kind;
	struct paste joined;
	int ret = paste_unfold(text, &joined);

	if (ret)
		return ret;
	kind = read_as(name, &text, &joined);
	if (!kind) {
		paste_free(&joined);
		return -ENOENT;
	}
	*data = json_pack("{s:s}", "kind", kind->name);
	ret = kind->run(im, text, *data);
	if (ret) {
		json_decref(*data);
		*data = NULL;
	} else {
		note_mended(im, text, *data);
	}
	paste_free(&joined);
	return ret;
}

int import_run(struct import *im, const char *kind, const char *path, json_t **data)
{
	struct paste text;
	int ret;

	im->note[0] = 0;
	*data = NULL;
	if (strcmp(kind, "auto") && !kind_find(kind))
		return -EINVAL;
	ret = paste_read(path, &text);
	if (ret)
		return ret;
	ret = run_text(im, kind, &text, data);
	paste_free(&text);
	return ret ? fail_in(ret, "%s: ", path) : 0;
}

/* ---- shared ---- */

struct handle *import_handle(struct lab *lab)
{
	struct handle *h = handle_find(lab, "imported");

	return h && h->live ? h : handle_new(lab, "imported", NULL);
}

void import_put_lines(json_t *data, const char *key, const struct line_list *l)
{
	json_t *lines;

	if (!l->nr)
		return;
	lines = json_array();
	for (uint32_t i = 0; i < l->nr; i++)
		json_array_append_new(lines, json_integer(l->line[i]));
	json_object_set_new(data, key, lines);
}

void import_note(struct import *im, const char *fmt, ...)
{
	size_t at = strlen(im->note);
	va_list ap;

	if (at && at + 2 < sizeof(im->note))
		at += (size_t)snprintf(im->note + at, sizeof(im->note) - at, "; ");
	va_start(ap, fmt);
	if (at < sizeof(im->note))
		vsnprintf(im->note + at, sizeof(im->note) - at, fmt, ap);
	va_end(ap);
}
