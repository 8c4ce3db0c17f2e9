/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checked - what checks found, for counters and the story, in files that are compiled per variant. */
#ifndef SLAB_CHECKED_H
#define SLAB_CHECKED_H

#include "slab/debug.h"
#include "slab/emit.h"

static inline void tell_checks(struct cpu *cpu, struct store *s, const struct check *ck)
{
	if (likely(!ck->errors))
		return;
	emit_slab_n(cpu, s, EV_debug_errors, ck->errors, ck->slab->slab_nr, ck->errors, 0);
}

/* Checks let so many objects, from this one on, not be freed. */
static inline void tell_refused(struct cpu *cpu, struct store *s, const struct page *slab, uint64_t object, unsigned int cnt)
{
	cpu->refused += cnt;
	emit_slab(cpu, s, EV_debug_free_refused, object, slab->slab_nr, 0);
}

#endif
