/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit - telling a slab event, in a file that is compiled per variant. */
#ifndef SLAB_EMIT_H
#define SLAB_EMIT_H

#include "cpu/story.h"
#include "event/variant.h"
#include "page/emit.h"
#include "page/relaxed.h"
#include "slab/slab.h"

/* What a store's events are counted in on this CPU: looked up once where several follow. */
static inline uint64_t *slab_events(const struct cpu *cpu, const struct store *s)
{
	return cpu->stat[s->number].ev;
}

/* `event` is an enum of SLAB_EVENTS; ev: slab_events() of the CPU and the store. */
#define emit_slab_in_n(ev, cpu, s, event, n, a, b, c)                                 \
	do {                                                                          \
		if (COUNTING)                                                         \
			bump((ev)[(event) - EV_SLAB_FIRST], (n));                     \
		if (TELLING)                                                          \
			story_add((cpu), (s)->number, (event), (uint64_t)(a), (uint64_t)(b), (uint64_t)(c)); \
	} while (0)
#define emit_slab_in(ev, cpu, s, event, a, b, c) emit_slab_in_n(ev, cpu, s, event, 1, a, b, c)
#define emit_slab_n(cpu, s, event, n, a, b, c) emit_slab_in_n(slab_events(cpu, s), cpu, s, event, n, a, b, c)
#define emit_slab(cpu, s, event, a, b, c) emit_slab_n(cpu, s, event, 1, a, b, c)

#endif
