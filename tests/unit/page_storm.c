/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random requests under every policy, and CPUs against each other; all invariants hold throughout. */
#include "page_lab.h"

#include "base/rand.h"
#include "cpu/drain.h"
#include "page/area.h"
#include "page/kswapd.h"
#include "page/lru.h"

#define OPS 100000
#define CHECKS 50
#define MOST 2000
#define ENTRIES 3000	/* a player's filler */

struct player {
	uint64_t rand;
	unsigned int nr;
	pfn_t pfns[MOST];
	uint8_t orders[MOST];
	unsigned int nr_entries;
	uint32_t entries[ENTRIES];
};

static const uint32_t gfps[] = {
	GFP_KERNEL, GFP_ATOMIC, GFP_NOWAIT, GFP_HIGHUSER_MOVABLE, GFP_KERNEL | GFP_BIT_RECLAIMABLE,
	GFP_KERNEL | GFP_DMA, GFP_KERNEL | GFP_DMA32, GFP_KERNEL | GFP_BIT_THISNODE, GFP_KERNEL | GFP_BIT_MEMALLOC,
};

static void keep(struct player *p, pfn_t pfn, unsigned int order)
{
	p->pfns[p->nr] = pfn;
	p->orders[p->nr++] = (uint8_t)order;
}

static unsigned int random_order(struct player *p)
{
	uint64_t r = rand_below(&p->rand, 100);

	return r < 60 ? 0 : r < 85 ? 1 + (unsigned int)rand_below(&p->rand, 3) : (unsigned int)rand_below(&p->rand, 11);
}

static void request(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	uint32_t gfp = gfps[rand_below(&p->rand, ARRAY_SIZE(gfps))];
	unsigned int order = random_order(p);
	int node = (int)rand_below(&p->rand, cpu->lab->nr_nodes + 1) - 1;
	pfn_t pfn = ops->alloc_pages(cpu, order, gfp, node);

	if (pfn != PFN_NONE)
		keep(p, pfn, order);
}

static void request_many(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	pfn_t out[40];
	unsigned int n = ops->alloc_bulk(cpu, gfps[rand_below(&p->rand, 5)], -1, 1 + (unsigned int)rand_below(&p->rand, 40), out);

	for (unsigned int i = 0; i < n; i++)
		keep(p, out[i], 0);
}

static void give_one(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	unsigned int k = (unsigned int)rand_below(&p->rand, p->nr);

	ops->free_pages(cpu, p->pfns[k], p->orders[k]);
	p->pfns[k] = p->pfns[--p->nr];
	p->orders[k] = p->orders[p->nr];
}

/* The single pages among the last 40, as a list; the others one by one. */
static void give_many(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	pfn_t list[40];
	unsigned int n = 0;

	for (unsigned int i = 0; i < 40 && p->nr; i++) {
		p->nr--;
		if (p->orders[p->nr])
			ops->free_pages(cpu, p->pfns[p->nr], p->orders[p->nr]);
		else
			list[n++] = p->pfns[p->nr];
	}
	ops->free_list(cpu, n, list);
}

/* Pages of a filler: more of them, some used, some given up. */
static void fill_some(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	for (unsigned int i = 0; i < 20 && p->nr_entries < ENTRIES; i++) {
		uint32_t nr = lru_entry_get(cpu, true);
		struct lru_entry *e;

		if (nr == UINT32_MAX)
			return;		/* a tiny lab has few */
		e = lru_entry(cpu->lab, nr);
		e->gfp = GFP_HIGHUSER_MOVABLE;
		e->node = (int8_t)((int)rand_below(&p->rand, cpu->lab->nr_nodes + 1) - 1);
		e->kind = (uint8_t)rand_below(&p->rand, LRU_KINDS);
		e->dirty = !rand_below(&p->rand, 8);
		if (ops->lru_fill(cpu, nr))
			p->entries[p->nr_entries++] = nr;
		else
			lru_entry_put(cpu, nr, true);
	}
}

static void touch_some(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	bool refault;

	for (unsigned int i = 0; i < 20 && p->nr_entries; i++)
		ops->lru_touch(cpu, p->entries[rand_below(&p->rand, p->nr_entries)], &refault);
}

static void drop_some(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	for (unsigned int i = 0; i < 15 && p->nr_entries; i++) {
		unsigned int k = (unsigned int)rand_below(&p->rand, p->nr_entries);

		ops->lru_drop(cpu, p->entries[k]);
		p->entries[k] = p->entries[--p->nr_entries];
	}
}

static void step(struct cpu *cpu, const struct page_ops *ops, struct player *p)
{
	uint64_t r = rand_below(&p->rand, 1000), s = rand_below(&p->rand, 300);

	if (s < 6)
		fill_some(cpu, ops, p);
	else if (s < 10)
		touch_some(cpu, ops, p);
	else if (s < 12)
		drop_some(cpu, ops, p);
	else if (s == 12)
		rand_below(&p->rand, 4) ? ops->reclaim(cpu, cpu->node, 32) : ops->compact(cpu, cpu->node);
	if (p->nr + 40 > MOST || (r < 480 && p->nr))
		give_one(cpu, ops, p);
	else if (r < 960)
		request(cpu, ops, p);
	else if (r < 975)
		request_many(cpu, ops, p);
	else if (r < 990)
		give_many(cpu, ops, p);
	else if (r < 995)
		ops->tick(cpu);
	else
		ops->drain(cpu);
}

static void turn_a_policy(struct lab *lab, uint64_t *rand)
{
	struct page_policy *p = page_policy(lab);
	enum page_change what = PAGE_CHANGE_NONE;

	switch (rand_below(rand, 32)) {
	case 29: p->stat_drift ^= 1; what = PAGE_CHANGE_DRIFT; break;
	case 30: p->compact_fast_search ^= 1; break;
	case 31: p->fair_drift_bug ^= 1; break;
	case 27: p->fair = (uint8_t)rand_below(rand, FAIR_LOWCOST + 1); what = PAGE_CHANGE_SIZES; break;
	case 28: p->fair_second_pass ^= 1; break;
	case 11: p->pcp_model = (uint8_t)rand_below(rand, PCP_MODEL_6_18 + 1); what = PAGE_CHANGE_MODEL; break;
	case 26: p->fallback_rule = (uint8_t)rand_below(rand, 4); break;
	case 12: p->highatomic = (uint8_t)rand_below(rand, 4); what = PAGE_CHANGE_HIGHATOMIC; break;
	case 13: p->lru_scope ^= 1; what = PAGE_CHANGE_LRU; break;
	case 14: p->swap ^= 1; break;
	case 15: p->era = (uint8_t)rand_below(rand, 7); break;
	case 16: p->direct ^= 1; break;
	case 17: p->kswapd ^= 1; break;
	case 18: p->compact_direct ^= 1; break;
	case 19: p->compact_max_priority = (uint8_t)rand_below(rand, 3); break;
	case 20: p->compact_defer ^= 1; what = PAGE_CHANGE_DEFER; break;
	case 21: p->reclaim_batch = 1 + (uint16_t)rand_below(rand, 512); break;
	case 22: p->oom = (uint8_t)rand_below(rand, 3); break;
	case 23: p->boost_factor = rand_below(rand, 2) ? 15000 : 0; break;
	case 24: p->drain ^= 1; break;
	case 25: p->balance ^= 1; break;
	case 9: p->coalesce ^= 1; what = PAGE_CHANGE_COALESCE; break;
	case 10: p->lazy_rule ^= 1; break;
	case 0: p->fallback ^= 1; break;
	case 1: p->free_to_tail ^= 1; break;
	case 2: p->split_keep ^= 1; break;
	case 3: p->mobility ^= 1; what = PAGE_CHANGE_MOBILITY; break;
	case 4: p->pcp_enabled ^= 1; what = PAGE_CHANGE_LISTS; break;
	case 5: p->pcp_max_order = (uint8_t)rand_below(rand, 4); what = PAGE_CHANGE_LISTS; break;
	case 6: p->pcp_batch = 1 + (int64_t)rand_below(rand, 100); what = PAGE_CHANGE_SIZES; break;
	case 7: p->order_check = (uint8_t)rand_below(rand, 3); what = PAGE_CHANGE_SIZES; break;
	default: p->pcp_high = (int64_t)rand_below(rand, 500); what = PAGE_CHANGE_SIZES; break;
	}
	page_policy_changed(lab, what);
}

static void all_comes_back(struct lab *lab, struct player *players, unsigned int nr)
{
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];

	ops->work(lab);
	for (unsigned int i = 0; i < nr; i++)
		while (players[i].nr_entries)
			ops->lru_drop(lab->cpus[i], players[i].entries[--players[i].nr_entries]);
	assert_int_equal(reclaim_head(lab)->resident + reclaim_head(lab)->evicted, 0);
	for (unsigned int i = 0; i < nr; i++)
		while (players[i].nr)
			give_one(lab->cpus[i], ops, &players[i]);
	for (unsigned int i = 0; i < nr; i++)
		ops->drain(lab->cpus[i]);
	page_lab_is_sound(lab);
	page_policy(lab)->coalesce = COALESCE_EAGER;
	page_policy_changed(lab, PAGE_CHANGE_COALESCE);
	page_policy(lab)->highatomic = HIGHATOMIC_OFF;
	page_policy_changed(lab, PAGE_CHANGE_HIGHATOMIC);
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		assert_int_equal(z->free_pages, z->managed);
		if (!z->unreserved)	/* else pageblocks that nobody freed since stand unmerged */
			assert_int_equal(z->area[TOP_ORDER].nr_free, z->managed >> TOP_ORDER);
	}
	/* a page that was moved is freed, and was taken from the lists without a request */
	assert_int_equal(event(lab, EV_pgalloc) + event(lab, EV_pgmigrate_success), event(lab, EV_pgfree));
}

static void storm(const char *shape, uint64_t seed)
{
	struct lab *lab = page_lab(shape);
	struct player *players = calloc(lab->nr_cpus, sizeof(*players));
	uint64_t rand = seed;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		players[i].rand = seed + i;
	for (unsigned int i = 0; i < OPS; i++) {
		unsigned int c = (unsigned int)rand_below(&rand, lab->nr_cpus);

		step(lab->cpus[c], &page_ops[1 + i % 2], &players[c]);
		if (reclaim_head(lab)->work)
			page_ops[1 + i % 2].work(lab);
		if (i % 500 == 0)
			turn_a_policy(lab, &rand);
		if (i % 1000 == 999) {
			page_ops[1].timers(lab, lab->hdr->time_ns, lab->hdr->time_ns + 700000000);
			lab->hdr->time_ns += 700000000;
		}
		if (i % (OPS / CHECKS) == 0)
			page_lab_is_sound(lab);
	}
	all_comes_back(lab, players, lab->nr_cpus);
	page_lab_drop(lab);
	free(players);
}

static void random_requests_keep_every_invariant(void **state)
{
	(void)state;
	storm("mem=64M,cpus=4", 1);
	storm("mem=64M,cpus=3,pageblock_order=3", 2);
	storm("mem=64M,cpus=2,pageblock_order=10", 3);
	storm("zones=DMA:16M:3840p+DMA32:32M+Normal:64M:16000p,cpus=4", 4);
	storm("mem=128M,cpus=4,nodes=2", 5);
	storm("mem=4M,cpus=2", 6);
}

/* ---- in parallel ---- */

struct crowd {
	const struct page_ops *ops;
	struct player *players;
};

static void play(struct cpu *cpu, void *arg)
{
	struct crowd *crowd = arg;

	for (unsigned int i = 0; i < OPS / 2; i++) {
		cpu_enter(cpu);
		step(cpu, crowd->ops, &crowd->players[cpu->id]);
		cpu_leave(cpu);
	}
}

static void cpus_do_not_disturb_each_other(void **state)
{
	struct lab *lab = page_lab("mem=64M,cpus=4,nodes=2");
	struct player *players = calloc(4, sizeof(*players));
	struct crowd crowd = { &page_ops[VARIANT_COUNTED], players };

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		players[i].rand = 99 + i;
	lab->work = page_work_in_parallel;
	assert_int_equal(cpus_run(lab, 4, play, &crowd), 0);
	page_lab_is_sound(lab);
	all_comes_back(lab, players, 4);
	page_lab_drop(lab);
	free(players);
}

/* CPU 0 empties the others' lists all the while; they notice and go past them. */
static void play_or_drain(struct cpu *cpu, void *arg)
{
	struct crowd *crowd = arg;

	if (cpu->id) {
		play(cpu, arg);
		return;
	}
	for (unsigned int i = 0; i < 3000; i++) {
		struct cpu *owner = cpu->lab->cpus[1 + i % 3];

		cpu_enter(cpu);
		if (cpu_drain_begin(owner)) {
			crowd->ops->drain_held(owner);
			cpu_drain_end(owner);
		}
		cpu_leave(cpu);
	}
}

static void lists_can_be_drained_from_elsewhere(void **state)
{
	struct lab *lab = page_lab("mem=64M,cpus=4");
	struct player *players = calloc(4, sizeof(*players));
	struct crowd crowd = { &page_ops[VARIANT_COUNTED], players };

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		players[i].rand = 7 + i;
	assert_int_equal(cpus_run(lab, 4, play_or_drain, &crowd), 0);
	page_lab_is_sound(lab);
	for (unsigned int i = 0; i < 4; i++)
		while (players[i].nr)
			give_one(lab->cpus[i], crowd.ops, &players[i]);
	page_lab_drop(lab);
	free(players);
}

/* The checker finds what was harmed and names it by its label. */
static void is_found(struct lab *lab, const char *label)
{
	assert_int_not_equal(page_check(lab), 0);
	if (strncmp(fail_why(), label, strlen(label)))
		fail_msg("damage that is %s was reported as %s", label, fail_why());
}

#define HARM(label, place, value) do {			\
	__typeof__(place) good = (place);		\
	(place) = (value);				\
	is_found(lab, label);				\
	(place) = good;					\
	page_lab_is_sound(lab);				\
} while (0)

static void damage_is_found(void **state)
{
	struct lab *lab = page_lab("mem=64M,cpus=1");
	pfn_t pfn = take(lab, 0, GFP_KERNEL), block = take(lab, 5, GFP_KERNEL);
	struct pcp *pcp = &lab->cpus[0]->zone_cpu->pcp;
	struct zone *z = lab->zones;

	(void)state;
	HARM("B1", z->free_pages, z->free_pages + 1);
	HARM("B1", z->area[10].nr_free, 0);
	HARM("B1", z->area[10].list[MT_MOVABLE].nr, 1);
	HARM("B2", lab->pages[block + 3].role, PAGE_BUDDY);
	HARM("B2", lab->pages[block].order, 6);
	HARM("B2", lab->blocks[3].mtype, MT_RECLAIMABLE);
	HARM("B4", lab->pages[pfn].role, PAGE_NOTHING);
	HARM("B5", lab->blocks[3].prev, 0);
	HARM("B6", z->reserved_highatomic, 512);
	HARM("B7", lab->blocks[3].type, MT_RECLAIMABLE);
	HARM("B7", lab->blocks[0].type, BLOCK_MIXED);
	HARM("D1", lab->pages[pfn].store, 7);
	HARM("D2", lab->pages[block + 3].store, 7);
	HARM("P1", pcp->count, pcp->count + 1);
	HARM("P2", lab->pages[pfn + 1].order, 1);
	HARM("P4", lab->pages[pfn + 2].prev, 0);
	HARM("P4", pcp->lists[0].tail, 0);
	page_policy(lab)->stat_drift = 1;
	page_policy_changed(lab, PAGE_CHANGE_DRIFT);
	HARM("V1", z->free_seen, z->free_seen + 1);
	HARM("V2", lab->cpus[0]->zone_cpu->free_diff, 126);
	page_lab_drop(lab);
}

/* 256 GiB: what was not touched is not looked at. */
static void a_large_lab_is_cheap(void **state)
{
	struct lab *lab = page_lab("mem=256G,cpus=4");
	FILE *statm = fopen("/proc/self/statm", "r");
	unsigned long size = 0, resident = 0;

	(void)state;
	assert_int_not_equal(take(lab, 0, GFP_KERNEL), PFN_NONE);
	page_lab_is_sound(lab);
	if (statm && fscanf(statm, "%lu %lu", &size, &resident) == 2)
		assert_true(resident < 64UL << 20 >> PAGE_SHIFT);
	if (statm)
		fclose(statm);
	page_lab_drop(lab);
}

/* In 16 TiB the last page's number would mean "none": it is not managed. */
static void the_largest_lab_lacks_its_last_page(void **state)
{
	struct lab *lab;

	(void)state;
	if (CPU_MARKS_ARE_LOCKS)
		skip();		/* ThreadSanitizer leaves no 16 TiB of addresses */
	lab = page_lab("zones=DMA32:16777212M+Normal:4M,cpus=1");
	assert_int_equal(lab->zones[1].managed, 1023);
	assert_non_null(strstr(free_lists(lab, 1), "0:[4294967294] 1:[4294967292] 2:[4294967288]"));
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_requests_keep_every_invariant),
		cmocka_unit_test(cpus_do_not_disturb_each_other),
		cmocka_unit_test(lists_can_be_drained_from_elsewhere),
		cmocka_unit_test(damage_is_found),
		cmocka_unit_test(a_large_lab_is_cheap),
		cmocka_unit_test(the_largest_lab_lacks_its_last_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
