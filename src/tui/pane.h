/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane - one picture of a lab: a model taken from it, and a painter.
 *
 * Idea. A pane is a file src/tui/NAME.c with one `const struct pane
 * pane_NAME`, and a line in panes.h; nothing else. take() reads the lab into
 * the pane's own state (its model: plain figures by view/live.h, or a view's
 * JSON model); draw() paints that state into an area and reads no lab. So a
 * pane is tested without a terminal: fill the state, draw into a grid, look at
 * cells. Tab, number keys, zoom, help, layout and the bottom line come from
 * the table.
 *
 * How to add one
 *   1. struct thing { … } is the state; it starts all zero.
 *   2. take(scene, state): take the model of scene->lab. It runs on the
 *      shell's thread, up to ten times a second, and may meet running CPUs:
 *      read running figures, or stop for at most 300 us (unless
 *      !scene->running: then nothing moves).
 *   3. draw(scene, state, area): paint. Row 0 of the area is the pane's own;
 *      the title line above it is drawn by the layout from title().
 *   4. keys[]: {key, as help shows it, what it does}; key() is called for
 *      every key that the screen does not use itself, when the pane has the
 *      focus. What changes a lab goes through scene_run(), as a command.
 *   5. a line PANE(thing) in panes.h and a slot in layout.c.
 *
 * Ownership. State is the screen's, freed after fini().
 */
#ifndef TUI_PANE_H
#define TUI_PANE_H

#include <jansson.h>

#include "shell/shell.h"
#include "tui/grid.h"
#include "tui/keys.h"

/* What the last told op touched, for accents in all panes. */
struct touch {
	uint64_t op;			/* its number; 0: none */
	bool told;
	unsigned int cpu;
	char zone[24];			/* "N0 Normal", "" none */
	uint32_t orders[8];		/* by migratetype: bit per order whose list it changed */
	bool pcp;			/* the page list of `cpu` */
	bool lock;			/* the zone's lock */
	uint32_t pfn[16];		/* blocks */
	uint8_t pfn_order[16];
	unsigned int nr_pfn;
	char cache[128];		/* it was for, "" none */
	uint64_t store;			/* serial, 0 none */
	uint64_t slab[16];
	unsigned int nr_slab;
	int step;			/* story's step that is picked, -1: all of them */
};

/* What all panes see. */
struct scene {
	struct shell *sh;
	struct lab *lab;		/* the one that is shown: the current one, or a moment of its past */
	struct touch touch;
	json_t *why;			/* the view `why` of the last op; NULL none */
	bool mono;			/* no colours: letters and attributes say everything */
	bool running;			/* ops rush by; else the picture is of one moment */
	bool paused;			/* what ran is held */
	char progress[160];		/* of a workload, "" none */
	uint64_t past;			/* commands back that are shown; 0: the present */
	uint64_t now_ns;		/* host clock of this frame */
	char cache[128];		/* the cache that is opened, "" none */
	char filter[64];		/* typed behind `/`, "" none */
	uint32_t pfn;			/* page that the map's cursor is on, PFN_NONE none */
	char wish[512];			/* a command that a pane wants run: scene_run() */
	int want_pane;			/* a pane that wants to be shown: scene_show(), -1 none */
};

struct pane_key {
	int key;			/* 0: only told of */
	const char *label, *text;	/* "Enter", "open the cache" */
	const char *hint;		/* a word for the bottom line; NULL: not there */
};

struct pane {
	const char *name, *summary;
	size_t state_bytes;
	void (*take)(struct scene *s, void *state);
	void (*draw)(const struct scene *s, void *state, const struct area *a);
	/* Behind the name on the title line; may be NULL. */
	void (*title)(const struct scene *s, const void *state, char *buf, size_t size);
	bool (*key)(struct scene *s, void *state, int key);	/* true: taken; may be NULL */
	bool (*mouse)(struct scene *s, void *state, const struct mouse *m);	/* x, y in the area; may be NULL */
	int (*rows)(const struct scene *s, const void *state);	/* rows that it would fill; NULL: any number */
	void (*fini)(void *state);				/* may be NULL */
	const struct pane_key *keys;				/* ends with a row without label; may be NULL */
};

/* Have this command run when the key is done with, as if it were typed. */
void scene_run(struct scene *s, const char *fmt, ...) __printf_like(2, 3);
/* Show the pane of that name. */
void scene_show(struct scene *s, const char *pane);

/* Does the filter let this name through: it is part of it, or a pattern that fits? */
bool scene_lists(const struct scene *s, const char *name);

/* Was this touched? (blocks: any part of pfn .. pfn + n - 1) */
bool touch_has_order(const struct touch *t, const char *zone, unsigned int mtype, unsigned int order);
bool touch_has_pages(const struct touch *t, uint64_t pfn, uint64_t n);
bool touch_has_slab(const struct touch *t, uint64_t store, uint64_t slab);
/* Read it off a model of the view `why`; step -1: of all its steps. */
void touch_of_why(struct touch *t, const json_t *why, int step);

#endif
