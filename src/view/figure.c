/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/figure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "base/units.h"
#include "policy/near.h"
#include "view/figure_walk.h"

/* ---- sources outside the engine ---- */

#define MAX_SOURCES 8
static const struct figure_source *sources[MAX_SOURCES];
static unsigned int nr_sources;

void figure_source_add(const struct figure_source *s)
{
	for (unsigned int i = 0; i < nr_sources; i++)
		if (sources[i] == s)
			return;
	if (nr_sources < MAX_SOURCES)
		sources[nr_sources++] = s;
}

static const struct figure_source *source_of(const char *path)
{
	for (unsigned int i = 0; i < nr_sources; i++)
		if (!strncmp(path, sources[i]->prefix, strlen(sources[i]->prefix)))
			return sources[i];
	return NULL;
}

struct emit_at {
	struct figure_walk *w;
	const struct figure_source *source;
};

static void emit(const char *path, void *arg)
{
	struct emit_at *at = arg;
	struct figure_value v;

	if (walk_leaf(at->w, path) && !at->source->read(at->w->lab, path, &v))
		at->w->give(at->w, path, &v);
}

static void source_walk(struct figure_walk *w)
{
	for (unsigned int i = 0; i < nr_sources; i++) {
		struct emit_at at = { w, sources[i] };
		size_t mark;

		if (!walk_down(w, sources[i]->prefix, &mark))
			continue;
		walk_up(w, mark);	/* its paths come whole */
		sources[i]->list(w->lab, emit, &at);
	}
}

/* ---- one walk ---- */

static void walk_begin(struct figure_walk *w, struct lab *lab, const char *pattern)
{
	const char *star = strchr(pattern, '*');

	memset(w, 0, sizeof(*w));
	w->lab = lab;
	w->pattern = pattern;
	w->length = strlen(pattern);
	w->counting = lab->hdr->counters;
	if (star) {
		w->wish = WALK_GLOB;
		w->head = (size_t)(star - pattern);
		w->tail = strlen(strrchr(pattern, '*') + 1);
	}
}

static void walk_engine(struct figure_walk *w)
{
	static void (*const families[])(struct figure_walk *w) = {
		figure_cache_walk, figure_event_walk, figure_lab_walk,
		figure_pcp_walk, figure_policy_walk, figure_zone_walk,
	};

	for (size_t i = 0; i < ARRAY_SIZE(families) && !(w->found && w->wish == WALK_PATH); i++)
		families[i](w);
}

/* ---- one path ---- */

static void take_value(struct figure_walk *w, const char *path, const struct figure_value *v)
{
	(void)path;
	memcpy(w->arg, v, offsetof(struct figure_value, text) + strlen(v->text) + 1);
}

struct neighbours {
	struct near near;
	size_t first;		/* letters of the path's first part, dot included */
	bool kin;		/* there are paths that begin so */
};

static void take_name(struct figure_walk *w, const char *path, const struct figure_value *v)
{
	struct neighbours *n = w->arg;

	(void)v;
	near_offer(&n->near, path);
	n->kin |= n->first && !strncmp(path, w->pattern, n->first);
}

static int no_such(struct lab *lab, const char *path)
{
	const char *dot = strchr(path, '.');
	struct neighbours n = { .first = dot ? (size_t)(dot - path) + 1 : 0 };
	char names[3 * NEAR_LENGTH];
	struct figure_walk w;

	near_begin(&n.near, path);
	walk_begin(&w, lab, path);
	w.wish = WALK_NAMES;
	w.give = take_name;
	w.arg = &n;
	walk_engine(&w);
	source_walk(&w);
	near_join(&n.near, names, sizeof(names));
	if (names[0])
		return fail(ENOENT, "no figure or policy is called %.200s (near: %s)", path, names);
	if (n.kin)
		return fail(ENOENT, "no figure or policy is called %.200s (get '%.*s*' lists what there is)", path,
			    (int)n.first, path);
	return fail(ENOENT, "no figure or policy is called %.200s", path);
}

static int stopped(const char *path)
{
	return fail(ENODATA, "%.200s: counters are off (set event.counters on)", path);
}

int figure_read(struct lab *lab, const char *path, struct figure_value *v)
{
	const struct figure_source *source = source_of(path);
	struct figure_walk w;

	if (source)
		return source->read(lab, path, v);
	walk_begin(&w, lab, path);
	w.wish = WALK_PATH;
	w.give = take_value;
	w.arg = v;
	lab_stop(lab);		/* some of them walk lists */
	if (w.length < FIGURE_PATH_MAX)
		walk_engine(&w);
	lab_resume(lab);
	if (w.found)
		return 0;
	return w.met_stopped ? stopped(path) : no_such(lab, path);
}

/* ---- globs ---- */

/* A value in few bytes: its text is kept only where the number does not say it. */
struct found {
	size_t path, text;	/* offsets in `letters` */
	int type;
	unsigned int rank;
	int64_t i;
	double d;
};

struct list {
	struct found *found;
	size_t nr, cap;
	char *letters;
	size_t used, room;
};

static bool keep_text(struct list *l, const char *text, size_t *at)
{
	size_t len = strlen(text) + 1;

	if (l->used + len > l->room) {
		size_t room = 2 * (l->used + len);
		char *more = realloc(l->letters, room);

		if (!more)
			return false;
		l->letters = more;
		l->room = room;
	}
	*at = l->used;
	memcpy(l->letters + l->used, text, len);
	l->used += len;
	return true;
}

static bool make_room(struct list *l)
{
	size_t cap = l->cap ? 2 * l->cap : 256;
	struct found *more;

	if (l->nr < l->cap)
		return true;
	more = realloc(l->found, cap * sizeof(*more));
	if (!more)
		return false;
	l->found = more;
	l->cap = cap;
	return true;
}

static void keep(struct figure_walk *w, const char *path, const struct figure_value *v)
{
	struct list *l = w->arg;
	struct found *f;

	if (w->error)
		return;
	if (!make_room(l)) {
		w->error = ENOMEM;
		return;
	}
	f = &l->found[l->nr];
	f->type = v->type;
	f->i = v->i;
	f->d = v->d;
	f->rank = w->rank;
	if (!keep_text(l, path, &f->path) || (v->type != FIGURE_INT && !keep_text(l, v->text, &f->text))) {
		w->error = ENOMEM;
		return;
	}
	l->nr++;
}

/* By bytes; of two values for one path, that of the longer cache name stands first. */
static int by_path(const void *a, const void *b, void *arg)
{
	const struct found *x = a, *y = b;
	const char *letters = arg;
	int order = strcmp(letters + x->path, letters + y->path);

	return order ? order : (int)y->rank - (int)x->rank;
}

static void unpack(const struct list *l, const struct found *f, struct figure_value *v)
{
	v->type = f->type;
	v->i = f->i;
	v->d = f->d;
	if (f->type == FIGURE_INT)
		snprintf(v->text, sizeof(v->text), "%lld", (long long)f->i);
	else
		snprintf(v->text, sizeof(v->text), "%s", l->letters + f->text);
}

static int hand_out(struct list *l, int (*fn)(const char *path, const struct figure_value *v, void *arg),
		    void *arg)
{
	const char *last = "";
	struct figure_value v;

	if (l->nr)
		qsort_r(l->found, l->nr, sizeof(*l->found), by_path, l->letters);
	for (size_t i = 0; i < l->nr; i++) {
		const char *path = l->letters + l->found[i].path;
		int ret;

		if (!strcmp(path, last))
			continue;
		last = path;
		unpack(l, &l->found[i], &v);
		ret = fn(path, &v, arg);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_one(struct lab *lab, const char *path,
		    int (*fn)(const char *path, const struct figure_value *v, void *arg), void *arg)
{
	struct figure_value v;
	int ret = figure_read(lab, path, &v);

	return ret ? ret : fn(path, &v, arg);
}

int figure_glob(struct lab *lab, const char *pattern,
		int (*fn)(const char *path, const struct figure_value *v, void *arg), void *arg)
{
	struct list list = { 0 };
	struct figure_walk w;
	int ret;

	if (!strchr(pattern, '*'))
		return read_one(lab, pattern, fn, arg);
	walk_begin(&w, lab, pattern);
	w.give = keep;
	w.arg = &list;
	lab_stop(lab);
	walk_engine(&w);
	source_walk(&w);
	lab_resume(lab);
	if (w.error)
		ret = fail(w.error, "the host has no memory for so many figures");
	else if (list.nr)
		ret = hand_out(&list, fn, arg);
	else if (w.met_stopped)
		ret = stopped(pattern);
	else
		ret = fail(ENOENT, "no figure or policy matches %.200s", pattern);
	free(list.found);
	free(list.letters);
	return ret;
}

/* ---- values ---- */

json_t *figure_json(const struct figure_value *v)
{
	return v->type == FIGURE_INT ? json_integer(v->i) :
	       v->type == FIGURE_REAL ? json_real(v->d) : json_string(v->text);
}

/* A number with a point: all of the text. */
static bool real_text(const char *text, double *d)
{
	char *end;

	if (strspn(text, "+-.0123456789eE") != strlen(text) || !strpbrk(text, "0123456789"))
		return false;
	*d = strtod(text, &end);
	return end != text && !*end;
}

void figure_from_text(struct figure_value *v, const char *text)
{
	v->type = FIGURE_TEXT;
	v->i = 0;
	v->d = 0;
	snprintf(v->text, sizeof(v->text), "%s", text);
	if (!parse_i64(text, &v->i)) {
		v->type = FIGURE_INT;
		v->d = (double)v->i;
	} else if (real_text(text, &v->d)) {
		v->type = FIGURE_REAL;
	}
}

static bool is_text(const struct figure_value *v)
{
	return v->type == FIGURE_TEXT;
}

static int compare(const struct figure_value *a, const struct figure_value *b)
{
	if (is_text(a) || is_text(b)) {
		int order = strcmp(a->text, b->text);

		return (order > 0) - (order < 0);
	}
	if (a->type == FIGURE_INT && b->type == FIGURE_INT)
		return (a->i > b->i) - (a->i < b->i);
	return (a->d > b->d) - (a->d < b->d);
}

int figure_compare(const struct figure_value *a, const char *op, const struct figure_value *b)
{
	static const struct { const char *op; bool less, equal, more; } ops[] = {
		{ "==", false, true, false }, { "!=", true, false, true },
		{ "<", true, false, false }, { "<=", true, true, false },
		{ ">", false, false, true }, { ">=", false, true, true },
	};
	int order = compare(a, b);

	if ((is_text(a) || is_text(b)) && (op[0] == '<' || op[0] == '>'))
		return fail(EINVAL, "\"%s\" is a text, which is neither less nor more than anything (== and != compare texts)",
				    is_text(a) ? a->text : b->text);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strcmp(op, ops[i].op))
			return order < 0 ? ops[i].less : order > 0 ? ops[i].more : ops[i].equal;
	return fail(EINVAL, "\"%s\" compares nothing (==, !=, <, <=, >, >=)", op);
}
