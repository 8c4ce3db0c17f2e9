/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list - every view, one line each, in the order that help shows them. */
#ifndef VIEW_LIST_H
#define VIEW_LIST_H

#include "view/view.h"

#define VIEWS(X)                                                          \
	X(buddyinfo) X(pagetypeinfo) X(zoneinfo) X(slabinfo) X(vmstat)    \
	X(meminfo) X(caches) X(stores) X(slabs) X(freelist) X(pcp)        \
	X(frag) X(lru) X(allocfail) X(stat) X(handles) X(where) X(why)                        \
	X(dmesg) X(alloc_traces) X(free_traces) X(latency) X(lifetime) X(pin) X(sizes) \
	X(fair)

#define VIEW_DECLARE(name) extern const struct view view_##name;
VIEWS(VIEW_DECLARE)

#endif
