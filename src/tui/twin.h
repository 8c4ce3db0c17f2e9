/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin - the model of the pane Twin: figures of two labs. */
#ifndef TUI_TWIN_H
#define TUI_TWIN_H

#include "view/live_cache.h"
#include "view/live_policy.h"

#define TWIN_POLICIES 16

struct twin {
	bool there;			/* two labs are */
	char name[2][64];
	uint64_t ops[2];
	struct live_zones zones[2];
	struct live_caches caches[2];
	struct {
		const char *name;
		char value[2][64];
	} policy[TWIN_POLICIES];	/* those that differ */
	unsigned int nr_policies;
};

#endif
