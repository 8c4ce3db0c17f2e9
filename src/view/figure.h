/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure - one namespace of paths for get, assert, watch and JSON.
 *
 * A path names a number or a text: zone.N0.Normal.free_pages, cache.foo.slabs,
 * event.buddy_split.order.3, slub.max_order. Policies are paths too.
 *
 * Idea. Each family of paths (figure_zone.c, figure_cache.c, …) has one
 * function that walks all of its paths. Reading one path, matching a glob and
 * finding near names are the same walk with another wish, cut short wherever
 * no path below could fulfil it (figure_walk.h). So what `get *` lists is
 * exactly what can be read.
 *
 * Figures may be read while CPUs run; they are exact when those are stopped.
 */
#ifndef VIEW_FIGURE_H
#define VIEW_FIGURE_H

#include <jansson.h>

#include "lab/lab.h"

#define FIGURE_TEXT_MAX 512

struct figure_value {
	enum { FIGURE_INT, FIGURE_REAL, FIGURE_TEXT } type;
	int64_t i;
	double d;		/* REAL: as the kernel prints it, three digits */
	char text[FIGURE_TEXT_MAX];	/* always filled: what `get` prints */
};

/* -ENOENT with near names, or -ENODATA "counters are off". */
int figure_read(struct lab *lab, const char *path, struct figure_value *v);

/*
 * Every path that a glob matches (`*` matches any run, dots included), sorted
 * by bytes. A pattern without `*` is read directly. -ENOENT if nothing
 * matches; -ENODATA if only counters do and they are off. What fn returns,
 * when it is not 0, ends the walk and is returned.
 */
int figure_glob(struct lab *lab, const char *pattern,
		int (*fn)(const char *path, const struct figure_value *v, void *arg), void *arg);

/* The NAME of cache.NAME.store, a figure that every cache has once; false: longer than buf. */
bool figure_cache_name(const char *path, char *buf, size_t size);

/* Compare as numbers where both are, else as texts. op: "==", "!=", "<", … ; returns 1, 0 or -EINVAL. */
int figure_compare(const struct figure_value *a, const char *op, const struct figure_value *b);

/* An integer, a real or a string. */
json_t *figure_json(const struct figure_value *v);

/* A value as somebody typed it: 12, 4K, -3, 0x10, 0.375 are numbers, all else is text. */
void figure_from_text(struct figure_value *v, const char *text);

/*
 * Figures that live outside the engine (replay.…) register a source: `list`
 * calls emit for each of its paths (for globs), `read` answers one.
 */
struct figure_source {
	const char *prefix;	/* "replay." */
	int (*read)(struct lab *lab, const char *path, struct figure_value *v);
	void (*list)(struct lab *lab, void (*emit)(const char *path, void *arg), void *arg);
};
void figure_source_add(const struct figure_source *s);

#endif
