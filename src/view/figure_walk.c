/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/figure_walk.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cpu/read.h"
#include "view/look.h"

/* `*` matches any run, also an empty one. */
static bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern == *text) {
			if (!*text)
				return true;
			pattern++;
			text++;
		} else if (star && *retry) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
}

/* Do the letters from..to of the path agree with the literal beginning of the wish? */
static bool agrees(const struct figure_walk *w, size_t from, size_t to)
{
	size_t known = w->wish == WALK_PATH ? w->length : w->head;

	if (w->wish == WALK_NAMES)
		return true;
	if (w->wish == WALK_PATH && to > known)
		return false;
	if (to > known)
		to = known;
	return from >= to || !memcmp(w->path + from, w->pattern + from, to - from);
}

bool walk_down(struct figure_walk *w, const char *part, size_t *mark)
{
	size_t len = strlen(part), old = w->depth;

	if (old + len >= FIGURE_PATH_MAX)
		return false;
	memcpy(w->path + old, part, len + 1);
	if (!agrees(w, old, old + len))
		return false;
	*mark = old;
	w->depth = old + len;
	return true;
}

void walk_up(struct figure_walk *w, size_t mark)
{
	w->depth = mark;
}

/* Cheap no for most leaves: the literal end of a glob, as far as the leaf's own letters reach. */
static bool ends_right(const struct figure_walk *w, const char *name, size_t len)
{
	size_t n = w->tail < len ? w->tail : len;

	return !memcmp(w->pattern + w->length - n, name + len - n, n);
}

static bool wanted(struct figure_walk *w, const char *name)
{
	size_t len = strlen(name);

	if (w->depth + len >= FIGURE_PATH_MAX)
		return false;
	if (w->wish == WALK_PATH && (w->found || w->depth + len != w->length))
		return false;
	if (w->wish == WALK_GLOB && !ends_right(w, name, len))
		return false;
	memcpy(w->path + w->depth, name, len + 1);
	if (!agrees(w, w->depth, w->depth + len))
		return false;
	return w->wish != WALK_GLOB || glob_matches(w->pattern, w->path);
}

bool walk_leaf(struct figure_walk *w, const char *name)
{
	if (!wanted(w, name))
		return false;
	if (w->wish == WALK_NAMES) {
		w->give(w, w->path, NULL);
		return false;
	}
	return true;
}

bool walk_is_stopped(struct figure_walk *w)
{
	w->met_stopped |= !w->counting;
	return !w->counting;
}

bool walk_counter(struct figure_walk *w, const char *name)
{
	return walk_leaf(w, name) && !walk_is_stopped(w);
}

static void give(struct figure_walk *w, const struct figure_value *v)
{
	w->found = true;
	w->give(w, w->path, v);
}

void walk_int(struct figure_walk *w, int64_t n)
{
	struct figure_value v;

	v.type = FIGURE_INT;
	v.i = n;
	v.d = (double)n;
	snprintf(v.text, sizeof(v.text), "%lld", (long long)n);
	give(w, &v);
}

void walk_real(struct figure_walk *w, int64_t thousandths)
{
	long long size = thousandths < 0 ? -thousandths : thousandths;
	struct figure_value v;

	v.type = FIGURE_REAL;
	v.i = 0;
	v.d = (double)thousandths / 1000;
	snprintf(v.text, sizeof(v.text), "%s%lld.%03lld", thousandths < 0 ? "-" : "", size / 1000,
		 size % 1000);
	give(w, &v);
}

void walk_text(struct figure_walk *w, const char *text)
{
	struct figure_value v;
	const char *digits = text + (text[0] == '-');
	size_t len = strlen(digits);

	if (len && len < 19 && strspn(digits, "0123456789") == len && (digits[0] != '0' || len == 1)) {
		long long n = 0;

		sscanf(text, "%lld", &n);
		walk_int(w, n);
		return;
	}
	v.type = FIGURE_TEXT;
	v.i = 0;
	v.d = 0;
	snprintf(v.text, sizeof(v.text), "%s", text);
	give(w, &v);
}

struct walk_range walk_numbers(const struct figure_walk *w, const char *name, unsigned int nr)
{
	struct walk_range all = { 0, nr }, none = { 0, 0 };
	size_t len = strlen(name);
	unsigned int n = 0;
	const char *c;

	if (w->wish != WALK_PATH)
		return all;
	c = w->pattern + w->depth;
	if (w->depth > w->length || strncmp(c, name, len) || !isdigit((unsigned char)c[len]))
		return none;
	for (c += len; isdigit((unsigned char)*c) && n < nr; c++)
		n = n * 10 + (unsigned int)(*c - '0');
	return n < nr ? (struct walk_range){ n, n + 1 } : none;
}

bool walk_lists_cpu(const struct figure_walk *w, unsigned int cpu)
{
	return w->wish == WALK_PATH || lab_cpu_online(w->lab, cpu);
}

/* ---- events ---- */

/* Every numbered leaf ends in a digit: a glob that ends otherwise needs none of them. */
static bool may_end_in_digit(const struct figure_walk *w)
{
	return w->wish != WALK_GLOB || !w->tail || isdigit((unsigned char)w->pattern[w->length - 1]);
}

static void event_cpus(struct figure_walk *w, walk_count *count, const void *arg)
{
	struct walk_range r = walk_numbers(w, "cpu", w->lab->nr_cpus);
	char leaf[24];

	for (unsigned int cpu = r.from; cpu < r.to; cpu++) {
		if (!walk_lists_cpu(w, cpu))
			continue;
		snprintf(leaf, sizeof(leaf), "cpu%u", cpu);
		if (walk_counter(w, leaf))
			walk_int(w, (int64_t)count(w, arg, (int)cpu, -1));
	}
}

static void event_orders(struct figure_walk *w, walk_count *count, const void *arg)
{
	char leaf[16];
	size_t mark;

	if (!walk_down(w, "order.", &mark))
		return;
	for (int order = 0; order < NR_PAGE_ORDERS; order++) {
		snprintf(leaf, sizeof(leaf), "%d", order);
		if (walk_counter(w, leaf))
			walk_int(w, (int64_t)count(w, arg, -1, order));
	}
	walk_up(w, mark);
}

void walk_event(struct figure_walk *w, const char *name, bool ordered, walk_count *count, const void *arg)
{
	char part[64];
	size_t mark;

	if (walk_counter(w, name))
		walk_int(w, (int64_t)count(w, arg, -1, -1));
	if (w->wish == WALK_NAMES || !may_end_in_digit(w))
		return;
	snprintf(part, sizeof(part), "%s.", name);
	if (!walk_down(w, part, &mark))
		return;
	event_cpus(w, count, arg);
	if (ordered)
		event_orders(w, count, arg);
	walk_up(w, mark);
}
