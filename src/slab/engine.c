/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that choose engine and variant: the one place where the codes meet. */
#include "slab/engine.h"

#include "slab/cached.h"

extern const struct slab_ops front_bare, front_counted, front_told;
extern const struct cpu_calls entry_bare[ROUTE_NR], entry_counted[ROUTE_NR], entry_told[ROUTE_NR];
extern const struct cpu_calls careful_bare, careful_counted, careful_told;

#define ENGINE_ROW(name)                                                                             \
	extern const struct store_ops name##_ops_bare, name##_ops_counted, name##_ops_told;

ENGINE_ROW(slub)
ENGINE_ROW(slabq)
ENGINE_ROW(slqb)
ENGINE_ROW(sheaves)
ENGINE_ROW(slabq_debug)
ENGINE_ROW(slqb_debug)

const struct store_ops *const store_ops[OPS_NR][VARIANT_NR] = {
	[ENGINE_SLUB] = { &slub_ops_bare, &slub_ops_counted, &slub_ops_told },
	[ENGINE_SLAB] = { &slabq_ops_bare, &slabq_ops_counted, &slabq_ops_told },
	[ENGINE_SLQB] = { &slqb_ops_bare, &slqb_ops_counted, &slqb_ops_told },
	[ENGINE_SHEAVES] = { &sheaves_ops_bare, &sheaves_ops_counted, &sheaves_ops_told },
	[OPS_SLAB_DEBUG] = { &slabq_debug_ops_bare, &slabq_debug_ops_counted, &slabq_debug_ops_told },
	[OPS_SLQB_DEBUG] = { &slqb_debug_ops_bare, &slqb_debug_ops_counted, &slqb_debug_ops_told },
};

uint8_t store_ops_of(const struct wish *w, bool debug)
{
	switch (w->engine) {
	case ENGINE_SLAB:
		return debug ? OPS_SLAB_DEBUG : ENGINE_SLAB;
	case ENGINE_SLQB:
		return debug ? OPS_SLQB_DEBUG : ENGINE_SLQB;
	case ENGINE_SHEAVES:
		return w->sheaf_capacity ? ENGINE_SHEAVES : ENGINE_SLUB;
	default:
		return w->engine;
	}
}

const struct engine *const engines[ENGINE_NR] = {
	[ENGINE_SLUB] = &slub_engine,
	[ENGINE_SLAB] = &slabq_engine,
	[ENGINE_SLQB] = &slqb_engine,
	[ENGINE_SHEAVES] = &sheaves_engine,
};

const struct slab_ops *const slab_ops[VARIANT_NR] = { &front_bare, &front_counted, &front_told };
const struct cpu_calls *const cpu_calls[VARIANT_NR] = { entry_bare, entry_counted, entry_told };
const struct cpu_calls *const cpu_careful_calls[VARIANT_NR] = { &careful_bare, &careful_counted, &careful_told };

#define DECLARE(v) void cached_shrink_##v(struct cpu *cpu, struct shrink *s);
DECLARE(bare)
DECLARE(counted)
DECLARE(told)
const struct shrinker cached_shrinker = { { cached_shrink_bare, cached_shrink_counted, cached_shrink_told } };
