/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fail_page - requests for pages that fail on purpose, as the kernel's
 * fail_page_alloc: asked before any zone is, so nothing is counted, reclaimed
 * or woken for them.
 *
 * While it is on no request goes the quick way (quick_update()), which thus
 * asks nothing. Its state is in the policy; several CPUs may ask at once.
 */
#ifndef PAGE_FAIL_PAGE_H
#define PAGE_FAIL_PAGE_H

#include "cpu/cpu.h"
#include "page/zone.h"

bool page_decide_to_fail(struct lab *lab, unsigned int order, uint32_t gfp);

static inline bool page_should_fail(const struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	return unlikely(page_policy(cpu->lab)->fail.probability) && page_decide_to_fail(cpu->lab, order, gfp);
}

#endif
