/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caches - the model of the pane Caches: rows, their order, rates. */
#ifndef TUI_CACHES_H
#define TUI_CACHES_H

#include "view/live_cache.h"

enum caches_column {
	COL_NAME, COL_OBJECTS, COL_TOTAL, COL_USE, COL_SLABS, COL_ORDER, COL_PARTIAL, COL_WASTE, COL_RATE, COL_STORE,
	COL_NR,
};

struct caches_rate {
	uint32_t id;
	uint64_t ops;		/* allocations and frees so far */
	double per_s;		/* of the last half second */
};

struct caches {
	struct live_caches now;
	unsigned int *order;	/* places in `now` of the rows shown, in their order */
	unsigned int shown, order_room;
	struct caches_rate *rate;	/* by place in `now` */
	unsigned int rates;
	uint64_t then_ns;
	enum caches_column by;
	bool begun, upwards, sorted;	/* sorted: the order stands until something asks for another */
	uint64_t sorted_op;
	bool chosen;		/* by the user; else it follows the last op */
	uint64_t followed;	/* op */
	char picked[CACHE_NAME];	/* by name, for places change */
	char filter[64];	/* that the rows were chosen by */
	int first, rows, name_w;	/* of the list, on the screen */
	const struct lab *lab;
};

#endif
