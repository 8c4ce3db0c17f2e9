/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panes - every pane, one line each, in the order of Tab and of the number keys. */
#ifndef TUI_PANES_H
#define TUI_PANES_H

#include "tui/pane.h"

#define PANES(PANE) \
	PANE(zones)  \
	PANE(map)    \
	PANE(caches) \
	PANE(cache)  \
	PANE(events) \
	PANE(why)    \
	PANE(twin)

#define PANE_DECLARE(name) extern const struct pane pane_##name;
PANES(PANE_DECLARE)

#define PANE_ENUM(name) PANE_##name,
enum pane_id { PANES(PANE_ENUM) PANE_NR };

extern const struct pane *const pane_table[PANE_NR];

#endif
