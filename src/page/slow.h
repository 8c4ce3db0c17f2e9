/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slow - what is done for a request that no zone can serve above its low mark.
 *
 * The order of attempts is Linux 6.1's (reclaim.md section 1): wake kswapd,
 * down to the min mark, compact a little, take what rights there are, reclaim,
 * drain, compact more, judge whether to go round again, and at last decide
 * that memory has run out. Kernels before 4.8 (page.era) compact before they
 * reclaim for every order above 0, drain after it, and go round for a small
 * block as long as anything is freed.
 *
 * An op waits for nobody: where a kernel would sleep until others free memory
 * (__GFP_NOFAIL), a request that is alone fails once all there is was tried,
 * others yield the host's CPU a number of times first.
 *
 * Out of line: nothing here may cost a request that finds its page.
 */
#ifndef PAGE_SLOW_H
#define PAGE_SLOW_H

#include "event/variant.h"
#include "page/request.h"

#ifdef VARIANT
/* The block, or PFN_NONE; then the CPU's part tells which attempt was the last hope (struct told_failure). */
pfn_t V(alloc_slow)(struct cpu *cpu, const struct request *rq) __attribute__((cold, noinline));

/* Empty the page lists of all CPUs; false: somebody else is at it. Pages moved are counted. */
bool V(drain_all_pages)(struct cpu *cpu) __attribute__((cold, noinline));
#endif

#endif
