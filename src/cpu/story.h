/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story - the steps of the last told op, kept in the CPU's part of the region.
 *
 * The first STORY_MAX steps are kept; story_nr goes on counting, so a reader
 * knows what is missing. Cleared when a told op begins.
 */
#ifndef CPU_STORY_H
#define CPU_STORY_H

#include "cpu/cpu.h"

static inline void story_begin(struct cpu *cpu, uint64_t op)
{
	cpu->part->story_nr = 0;
	cpu->part->story_op = op;
}

static inline void story_add(struct cpu *cpu, uint32_t event, uint64_t a, uint64_t b, uint64_t c)
{
	struct cpu_part *part = cpu->part;

	if (part->story_nr < STORY_MAX)
		part->story[part->story_nr] = (struct step){ event, (uint32_t)c, a, b };
	part->story_nr++;
}

#endif
