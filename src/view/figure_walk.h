/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure_walk - how the families of paths are walked.
 *
 * A family goes down with walk_down("zone.N0.Normal."), asks at each leaf
 * whether it is wanted, reads the figure only then and hands it over:
 *
 *	if (walk_down(w, "lab.", &mark)) {
 *		if (walk_leaf(w, "ops"))
 *			walk_int(w, lab->hdr->ops);
 *		walk_up(w, mark);
 *	}
 *
 * What is wanted is a path, a glob, or every name (to find near ones).
 * Subtrees end at once where the literal beginning of the wish differs, and a
 * leaf is first held against its literal end, so that `cache.q*.size` costs
 * little more than the sizes.
 */
#ifndef VIEW_FIGURE_WALK_H
#define VIEW_FIGURE_WALK_H

#include "view/figure.h"

#define FIGURE_PATH_MAX 384

struct figure_walk {
	struct lab *lab;
	/* the wish */
	enum { WALK_PATH, WALK_GLOB, WALK_NAMES } wish;
	const char *pattern;
	size_t head, tail;	/* GLOB: letters before the first and behind the last `*` */
	size_t length;		/* of the pattern */
	/* the way */
	char path[FIGURE_PATH_MAX];
	size_t depth;		/* letters of path that are gone down */
	bool counting;		/* counters are on */
	bool met_stopped;	/* a counter was wanted while they are off */
	unsigned int rank;	/* GLOB: of two values for one path the higher rank stays */
	bool found;
	int error;
	/* path and value of a leaf that is wanted (NAMES: v is NULL) */
	void (*give)(struct figure_walk *w, const char *path, const struct figure_value *v);
	void *arg;
};

/* Append a part that ends in a dot; false (and nothing appended) when nothing below is wanted. */
bool walk_down(struct figure_walk *w, const char *part, size_t *mark);
void walk_up(struct figure_walk *w, size_t mark);

/* Is this leaf wanted? Then walk_int() or one of its sisters must follow. */
bool walk_leaf(struct figure_walk *w, const char *name);
/* The same for what is known only while counters are on. */
bool walk_counter(struct figure_walk *w, const char *name);
/* The leaf just wanted turns out to be a counter: are counters off? */
bool walk_is_stopped(struct figure_walk *w);

void walk_int(struct figure_walk *w, int64_t n);
void walk_real(struct figure_walk *w, int64_t thousandths);
void walk_text(struct figure_walk *w, const char *text);	/* a whole number is given as one */

/* Of 0 .. nr-1: those that can follow here as NAME<i>: one for a path, all for a glob. */
struct walk_range { unsigned int from, to; };
struct walk_range walk_numbers(const struct figure_walk *w, const char *name, unsigned int nr);
/* CPUs: a glob lists those that are online. */
bool walk_lists_cpu(const struct figure_walk *w, unsigned int cpu);

/* event NAME, NAME.cpuK and (ordered) NAME.order.K; count gets -1 for "all". */
typedef uint64_t walk_count(struct figure_walk *w, const void *arg, int cpu, int order);
void walk_event(struct figure_walk *w, const char *name, bool ordered, walk_count *count, const void *arg);

/* ---- the families ---- */

void figure_lab_walk(struct figure_walk *w);
void figure_policy_walk(struct figure_walk *w);
void figure_zone_walk(struct figure_walk *w);	/* zone.… and frag.… */
/* Which type took from which, below that part: "extfrag.unmovable.movable"; zone -1: all zones together. */
void figure_extfrag_walk(struct figure_walk *w, const char *part, int zone);
void figure_pcp_walk(struct figure_walk *w);
void figure_event_walk(struct figure_walk *w);
void figure_cache_walk(struct figure_walk *w);

#endif
