/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story - the steps of the last told ops, kept in the CPU's part of the region.
 *
 * Idea. A told op begins a record (struct story_op) and then appends steps:
 * events as they are counted, and notes, which are not. Records and steps lie
 * in two rings, so that some ops back can still be explained; a record's steps
 * are whole as long as no newer op has written over them. Of one op STORY_MAX
 * steps are kept, the first ones and the last, which say how it came out; its
 * count goes on, so a reader knows how many between them are missing. Readers:
 * cpu/read.h.
 *
 * Ownership. Whoever plays the CPU.
 */
#ifndef CPU_STORY_H
#define CPU_STORY_H

#include "cpu/cpu.h"
#include "base/clock.h"
#include "event/note.h"
#include "event/stacks.h"
#include "event/trace.h"

/* The lab's clock for a trace: where threads play, it goes on while they do. */
static inline uint64_t story_ns(const struct cpu *cpu)
{
	const struct lab *lab = cpu->lab;

	if (cpu->player == PLAYED_BY_CONTROL || cpu->held || lab->hdr->shape.clock_real)
		return lab_now(lab);
	return lab_now(lab) + host_ns() - (lab->parallel_ns ? lab->parallel_ns : lab->born_ns);
}

/* The kernel's tracepoint of a whole allocation (at its end) or free (at its beginning). */
void story_trace_op(struct cpu *cpu, const struct story_op *o, bool ended);

static inline struct story_op *story_now(struct cpu *cpu)
{
	return &cpu->part->story_op[(cpu->part->story_ops - 1) % STORY_OPS];
}

/* A told op begins: what it is and asks for. `op` is its number. */
static inline void story_begin(struct cpu *cpu, const struct story_op *what)
{
	struct cpu_part *part = cpu->part;
	struct story_op *o;

	part->story_ops++;
	o = story_now(cpu);
	*o = *what;
	o->first = part->story_steps;
	o->steps = 0;
	if (unlikely(cpu->trace))
		story_trace_op(cpu, o, false);
}

/* What it came to. */
static inline void story_end(struct cpu *cpu, int error, uint64_t off, uint64_t got, uint32_t cache)
{
	struct story_op *o = story_now(cpu);

	o->error = error;
	if (off)
		o->off = off;
	o->got = got;
	if (cache)
		o->cache = cache;
	if (unlikely(cpu->trace))
		story_trace_op(cpu, o, true);
}

static inline struct step *story_step(struct cpu *cpu)
{
	struct cpu_part *part = cpu->teller->part;
	struct story_op *o;

	if (!part->story_ops)
		return NULL;
	o = story_now(cpu->teller);
	if (o->steps < STORY_MAX)
		part->story_steps++;
	return &part->story[(o->first + story_place(o->steps++)) % STORY_STEPS];
}

/* where: of a page event the zone's index, of a slab event the store's number. */
static inline void story_add(struct cpu *cpu, uint32_t where, uint32_t event, uint64_t a, uint64_t b, uint64_t c)
{
	struct step *step = story_step(cpu);

	if (unlikely(cpu->stacks))
		stacks_note(cpu->stacks, event);
	if (unlikely(cpu->trace))
		trace_put(cpu->trace, story_ns(cpu), event, where, a, (const uint32_t[5]){ (uint32_t)b, (uint32_t)c });
	if (step)
		*step = (struct step){ a, { (uint32_t)b, (uint32_t)c }, (uint16_t)event, (uint16_t)where };
}

static inline void story_note(struct cpu *cpu, uint32_t where, uint32_t note, const uint64_t v[NOTE_FIELDS_MAX])
{
	struct step *to = story_step(cpu), step = { .a = v[0], .event = (uint16_t)note, .where = (uint16_t)where };

	for (unsigned int i = 1; i < NOTE_FIELDS_MAX; i++)
		step.b[i - 1] = v[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)v[i];
	if (to)
		*to = step;
	if (unlikely(cpu->trace))
		trace_put(cpu->trace, story_ns(cpu), note, where, step.a, step.b);
}

/* In files that are compiled per variant: fields of the event just told that only a trace has room for. */
#define tell_more(cpu, event, from, ...)                                                        \
	do {                                                                                    \
		if (TELLING && unlikely((cpu)->trace)) {                                        \
			const uint32_t more[] = { __VA_ARGS__ };                                \
			trace_more((cpu)->trace, (event), (from), more, ARRAY_SIZE(more));      \
		}                                                                               \
	} while (0)

/* In files that are compiled per variant: a note, whose fields are only looked at where stories are told. */
#define tell(cpu, where, note, ...)                                                             \
	do {                                                                                    \
		if (TELLING)                                                                    \
			story_note((cpu), (where), (note), (const uint64_t[NOTE_FIELDS_MAX]){ __VA_ARGS__ }); \
	} while (0)

#endif
