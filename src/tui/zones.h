/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zones - the model of the pane Zones: figures now, and block counts before the last op. */
#ifndef TUI_ZONES_H
#define TUI_ZONES_H

#include "view/live.h"

#define ZONES_KEPT 64

struct zones {
	struct live_zones now;
	uint64_t before[ZONES_KEPT][NR_PAGE_ORDERS];	/* blocks */
	unsigned int kept;
	uint64_t op;		/* the one that `before` is before */
	unsigned int first, shown;	/* zones on the screen */
};

#endif
