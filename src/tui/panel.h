/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panel - every policy with its value, its default and where that comes from,
 * changed in place: a change is the command `set`, in force at once.
 */
#ifndef TUI_PANEL_H
#define TUI_PANEL_H

#include "tui/pane.h"
#include "view/live_policy.h"

struct panel {
	struct live_policy *v;
	unsigned int nr;
	unsigned int *shown, nr_shown;	/* places in v */
	char picked[80];		/* by name */
	int first, rows;
	bool changed_only, of_cache;	/* of_cache: the opened cache's, else the lab's */
	char filter[64];
	bool edits;			/* the picked one's value is to be typed: `set` begins the line */
};

void panel_take(struct panel *p, struct scene *s);
void panel_draw(struct panel *p, const struct scene *s, const struct area *a);
/* False: the panel is to be closed. */
bool panel_key(struct panel *p, struct scene *s, int key);
bool panel_mouse(struct panel *p, struct scene *s, const struct mouse *m);
/* "slub.max_order", or "cache.foo.max_order". */
char *panel_name(const struct panel *p, const struct scene *s, char *buf, size_t size);
void panel_free(struct panel *p);

#endif
