/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * emit - how the page layer says what has just happened.
 *
 * For files compiled once a variant: nothing in bare, counters in counted,
 * counters and a step of the story in told. Counters are those of the zone and
 * of the CPU that plays; a, b, c are the event's fields (event/event.h).
 */
#ifndef PAGE_EMIT_H
#define PAGE_EMIT_H

#include "cpu/story.h"
#include "event/variant.h"
#include "page/zone.h"

/* Index of the zone whose part this is. */
static inline uint32_t zone_of_part(const struct cpu *cpu, const struct zone_cpu *zc)
{
	return (uint32_t)(zc - cpu->zone_cpu);
}

static inline void emit_page_n(struct cpu *cpu, struct zone_cpu *zc, enum event_id ev, uint64_t n,
			       uint64_t a, uint64_t b, uint64_t c)
{
	if (COUNTING)
		bump(zc->ev[ev], n);
	if (TELLING)
		story_add(cpu, zone_of_part(cpu, zc), ev, a, b, c);
}

static inline void emit_page(struct cpu *cpu, struct zone_cpu *zc, enum event_id ev, uint64_t a, uint64_t b,
			     uint64_t c)
{
	emit_page_n(cpu, zc, ev, 1, a, b, c);
}

static inline void emit_page_order(struct cpu *cpu, struct zone_cpu *zc, enum event_id ev, unsigned int order,
				   uint64_t a, uint64_t b, uint64_t c)
{
	if (COUNTING)
		bump(zc->by_order[ev][order], 1);
	if (TELLING)
		story_add(cpu, zone_of_part(cpu, zc), ev, a, b, c);
}

/* Of no zone: counted for the CPU alone. */
#define emit_lab_n(cpu, event, n, a, b, c)                                            \
	do {                                                                          \
		if (COUNTING)                                                         \
			bump((cpu)->part->lab_events[(event) - EV_LAB_FIRST], (n));   \
		if (TELLING)                                                          \
			story_add((cpu), 0, (event), (uint64_t)(a), (uint64_t)(b), (uint64_t)(c)); \
	} while (0)
#define emit_lab(cpu, event, a, b, c) emit_lab_n(cpu, event, 1, a, b, c)

#endif
