/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quick ways do what the long ones do: the same pages in the same places,
 * the same counts. Fault injection that never fails anything keeps a lab's
 * requests on the long way; a lab whose requests are told takes it for blocks.
 */
#include "page_lab.h"

#define LIVE 900
#define OPS 3000

enum { QUICK, LONG, TOLD, LABS };

struct held {
	pfn_t pfn;
	unsigned int order;
};

struct way {
	struct lab *lab;
	const struct page_ops *ops;
	struct held held[LIVE];
};

static uint32_t roll(uint32_t *dice)
{
	*dice = *dice * 1664525 + 1013904223;
	return *dice >> 8;
}

static void begin(struct way *w, unsigned int which, enum pcp_model model, bool lazy, bool lists)
{
	struct page_policy *p;

	*w = (struct way){ .lab = page_lab("zones=DMA:16M+Normal:48M,cpus=2"), .ops = &page_ops[which == TOLD ? VARIANT_TOLD : VARIANT_COUNTED] };
	p = page_policy(w->lab);
	p->pcp_model = (uint8_t)model;
	p->coalesce = lazy ? COALESCE_LAZY : COALESCE_EAGER;
	p->pcp_enabled = lists;
	p->fail.probability = which == LONG ? 100 : 0;
	p->fail.times = 0;
	page_policy_changed(w->lab, PAGE_CHANGE_MODEL);
	page_policy_changed(w->lab, PAGE_CHANGE_COALESCE);
}

/* One request or free, of which the dice decide everything. */
static void turn(struct way *w, uint32_t dice)
{
	static const unsigned int orders[] = { 0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 4, 4, 5, 5, 6, 9 };
	static const uint32_t gfps[] = { GFP_KERNEL, GFP_KERNEL | GFP_BIT_MOVABLE | GFP_BIT_HIGHMEM, GFP_KERNEL | GFP_BIT_RECLAIMABLE,
					 GFP_BIT_DMA | GFP_KERNEL };
	struct cpu *cpu = w->lab->cpus[dice >> 4 & 1];
	struct held *h = &w->held[roll(&dice) % LIVE];

	if (h->pfn) {
		w->ops->free_pages(cpu, h->pfn - 1, h->order);
		h->pfn = 0;
		return;
	}
	h->order = orders[roll(&dice) % ARRAY_SIZE(orders)];
	h->pfn = w->ops->alloc_pages(cpu, h->order, gfps[roll(&dice) % ARRAY_SIZE(gfps)], -1) + 1;
}

static void equal_counts(struct lab *a, struct lab *b, const char *what)
{
	for (unsigned int z = 0; z < a->nr_zones; z++)
		for (int cpu = 0; cpu < 2; cpu++)
			for (unsigned int ev = 0; ev < EV_PAGE_NR; ev++)
				for (int order = -1; order < NR_PAGE_ORDERS; order++) {
					uint64_t x = zone_event(a, z, cpu, (enum event_id)ev, order);
					uint64_t y = zone_event(b, z, cpu, (enum event_id)ev, order);

					if (x != y)
						fail_msg("%s: zone %u, CPU %d: %s of order %d: %lu and %lu", what, z, cpu,
							 event_table[ev].name, order, x, y);
				}
}

static void equal_labs(const struct way *a, const struct way *b, const char *what)
{
	assert_memory_equal(a->held, b->held, sizeof(a->held));
	assert_memory_equal(a->lab->pages, b->lab->pages, a->lab->hdr->shape.pages * sizeof(struct page));
	for (unsigned int z = 0; z < a->lab->nr_zones; z++) {
		const struct zone *x = &a->lab->zones[z], *y = &b->lab->zones[z];

		assert_memory_equal(x->area, y->area, sizeof(x->area));
		assert_int_equal(x->free_pages, y->free_pages);
		assert_int_equal(x->lock.acquired, y->lock.acquired);
		for (unsigned int cpu = 0; cpu < 2; cpu++) {
			struct pcp p = zone_cpu_of(a->lab, cpu, z)->pcp, q = zone_cpu_of(b->lab, cpu, z)->pcp;

			p.quick_allocs = p.quick_frees = p.quick_blocks = 0;
			q.quick_allocs = q.quick_frees = q.quick_blocks = 0;
			assert_memory_equal(&p, &q, sizeof(p));
		}
	}
	equal_counts(a->lab, b->lab, what);
}

static void compare(enum pcp_model model, bool lazy, bool lists)
{
	static struct way ways[LABS];
	uint32_t dice = 7 + (uint32_t)model;
	char what[64];

	snprintf(what, sizeof(what), "model %d, lazy %d, lists %d", model, lazy, lists);
	for (unsigned int i = 0; i < LABS; i++)
		begin(&ways[i], i, model, lazy, lists);
	for (unsigned int i = 0; i < OPS; i++) {
		uint32_t one = roll(&dice);

		for (unsigned int w = 0; w < LABS; w++)
			turn(&ways[w], one);
	}
	assert_int_not_equal(zone_cpu_of(ways[QUICK].lab, 0, 1)->pcp.quick_blocks, 0);
	assert_int_equal(zone_cpu_of(ways[LONG].lab, 0, 1)->pcp.quick_blocks, 0);
	assert_int_equal(zone_cpu_of(ways[LONG].lab, 0, 1)->pcp.quick_allocs, 0);
	equal_labs(&ways[QUICK], &ways[TOLD], what);
	equal_labs(&ways[QUICK], &ways[LONG], what);
	for (unsigned int i = 0; i < LABS; i++)
		page_lab_drop(ways[i].lab);
}

static void quick_is_as_long(void **state)
{
	(void)state;
	for (unsigned int model = PCP_MODEL_NONE; model <= PCP_MODEL_6_18; model++)
		for (unsigned int i = 0; i < 4; i++)
			compare((enum pcp_model)model, i & 1, i & 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick_is_as_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
