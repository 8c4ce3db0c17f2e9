/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each model of the CPUs' lists makes of a zone's size (pages.md 4.1; history-pages.md 5.1). */
#include "page/pcp_model.h"

#include "base/bits.h"

#define AKPM_BATCH 16
#define AKPM_HIGH 32

static uint64_t batch_cap(const struct page_policy *p)
{
	if (p->pcp_batch_cap != AUTO64)
		return (uint64_t)p->pcp_batch_cap;
	return p->pcp_model >= PCP_MODEL_5_14 ? 256 : p->pcp_model >= PCP_MODEL_HOTCOLD1 ? 128 : 64;
}

/* Before it is made a power of two less one, and at least 1. */
static uint64_t raw_batch(const struct page_policy *p, uint64_t managed)
{
	return max_u64(min_u64(managed / 1024, batch_cap(p)) / 4, 1);
}

uint32_t pcp_model_batch(const struct page_policy *p, uint64_t managed)
{
	uint64_t b = raw_batch(p, managed);

	if (p->pcp_batch != AUTO64)
		return (uint32_t)p->pcp_batch;
	if (p->pcp_model == PCP_MODEL_AKPM16)
		return AKPM_BATCH;
	if (p->pcp_model == PCP_MODEL_HOTCOLD)
		return (uint32_t)b;
	return (uint32_t)max_u64((1ULL << ilog2(b + b / 2)) - 1, 1);
}

/* Of models with a fixed rule; in small zones of theirs pages pass straight through. */
static uint32_t old_high(const struct page_policy *p, uint64_t managed, uint32_t batch)
{
	uint64_t b = raw_batch(p, managed);

	if (p->pcp_model == PCP_MODEL_AKPM16)
		return AKPM_HIGH;
	if (p->pcp_batch == AUTO64 && p->pcp_model != PCP_MODEL_HOTCOLD && (1ULL << ilog2(b + b / 2)) == 1)
		return 0;
	return 6 * batch;
}

uint32_t pcp_model_high(const struct page_policy *p, uint64_t managed, uint32_t batch, uint64_t low_mark, unsigned int cpus)
{
	uint64_t share = p->pcp_high_fraction ? managed / (uint64_t)p->pcp_high_fraction : low_mark;

	if (p->pcp_high != AUTO64)
		return (uint32_t)p->pcp_high;
	if (p->pcp_model < PCP_MODEL_5_14 && !p->pcp_high_fraction)
		return old_high(p, managed, batch);
	/* to 5.13 each CPU had the whole fraction */
	if (p->pcp_model < PCP_MODEL_5_14)
		return (uint32_t)min_u64(max_u64(share, batch), INT32_MAX);
	return (uint32_t)min_u64(max_u64(share / cpus, 4ULL * batch), INT32_MAX);
}

uint32_t pcp_model_high_max(const struct page_policy *p, uint64_t managed, uint32_t high, unsigned int cpus)
{
	if (p->pcp_model < PCP_MODEL_6_7 || p->pcp_high_fraction || p->pcp_high != AUTO64)
		return high;
	return (uint32_t)min_u64(max_u64(managed / 8 / cpus, high), INT32_MAX);
}

uint16_t pcp_model_orders(const struct page_policy *p)
{
	uint16_t low = (uint16_t)((2U << p->pcp_max_order) - 1);

	if (!p->pcp_enabled || p->pcp_model == PCP_MODEL_NONE)
		return 0;
	if (p->pcp_model < PCP_MODEL_5_14)
		return 1;
	return (uint16_t)(low | (p->pcp_thp_lists ? 1U << PCP_HUGE_ORDER : 0));
}
