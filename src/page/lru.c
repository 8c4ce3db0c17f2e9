/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filling, touching and giving up entries (reclaim.md section 3). Compiled once a variant. */
#include "page/lru.h"

#include "page/alloc.h"
#include "page/emit.h"

static void counts_move(struct cpu *cpu, int64_t resident)
{
	struct reclaim_head *h = reclaim_head(cpu->lab);

	lock_take(cpu, &h->entries_lock, COUNTING);
	poke(h->resident, h->resident + (uint64_t)resident);
	poke(h->evicted, h->evicted - (uint64_t)resident);
	lock_give(cpu, &h->entries_lock);
}

/* Anon pages began their life active before 5.9. */
static uint32_t first_flags(const struct lab *lab, const struct lru_entry *e)
{
	uint32_t flags = e->kind == LRU_KIND_FILE ? LRU_FILE : 0;

	if (!flags && page_policy(lab)->era <= PAGE_ERA_4_2)
		flags |= LRU_ACTIVE;
	return e->dirty ? flags | LRU_DIRTY : flags;
}

bool V(lru_fill)(struct cpu *cpu, uint32_t nr)
{
	struct lab *lab = cpu->lab;
	struct lru_entry *e = lru_entry(lab, nr);
	pfn_t pfn = V(alloc_pages)(cpu, 0, e->gfp, e->node);
	struct reclaim_node *rn;
	struct page *page;

	if (pfn == PFN_NONE)
		return false;
	page = &lab->pages[pfn];
	rn = reclaim_node(lab, page_node(lab, pfn));
	lock_take(cpu, &rn->lock, COUNTING);
	poke(rn->clock, rn->clock + 1);
	page->freelist = page->counters = rn->clock;
	page->slab_nr = nr;
	lru_set(page, PAGE_LRU, first_flags(lab, e));
	lru_link(lab, pfn, false);
	if (e->dirty)
		lru_dirty_add(lab, pfn, 1);
	poke(e->pfn, pfn);
	poke(e->state, ENTRY_RESIDENT);
	lock_give(cpu, &rn->lock);
	counts_move(cpu, 1);
	return true;
}

/* The node's lock of a resident entry's page, which may be evicted or moved until it is held; NULL: evicted. */
static struct reclaim_node *lock_entry(struct cpu *cpu, struct lru_entry *e)
{
	for (;;) {
		pfn_t pfn = __atomic_load_n(&e->pfn, __ATOMIC_ACQUIRE);
		struct reclaim_node *rn;

		if (pfn == PFN_NONE)
			return NULL;
		rn = reclaim_node(cpu->lab, page_node(cpu->lab, pfn));
		lock_take(cpu, &rn->lock, COUNTING);
		if (peek(e->pfn) == pfn)
			return rn;
		lock_give(cpu, &rn->lock);
	}
}

/* Twice used within its stay on the inactive list makes it active. */
static void use_page(struct cpu *cpu, struct reclaim_node *rn, pfn_t pfn)
{
	struct page *page = &cpu->lab->pages[pfn];
	uint8_t flags = lru_flags(page);

	page->counters = rn->clock;
	if (!(flags & LRU_REFERENCED) || flags & LRU_ACTIVE || page->role == PAGE_ISOLATED) {
		lru_set(page, (enum page_role)page->role, flags | LRU_REFERENCED);
		return;
	}
	lru_unlink(cpu->lab, pfn);
	lru_set(page, PAGE_LRU, (flags | LRU_ACTIVE) & ~(uint32_t)LRU_REFERENCED);
	lru_link(cpu->lab, pfn, false);
	emit_page(cpu, zone_cpu(cpu, page_zone(cpu->lab, pfn)), EV_pgactivate, 1, 0, 0);
}

bool V(lru_touch)(struct cpu *cpu, uint32_t nr, bool *refault)
{
	struct lru_entry *e = lru_entry(cpu->lab, nr);
	struct reclaim_node *rn = lock_entry(cpu, e);
	enum event_id ev = e->kind == LRU_KIND_FILE ? EV_workingset_refault_file : EV_workingset_refault_anon;

	*refault = !rn;
	if (rn) {
		use_page(cpu, rn, e->pfn);
		lock_give(cpu, &rn->lock);
		return true;
	}
	if (!V(lru_fill)(cpu, nr))
		return false;
	rn = lock_entry(cpu, e);
	if (!rn)
		return true;	/* taken away again already */
	poke(rn->refaults[e->kind], rn->refaults[e->kind] + 1);
	poke(rn->cost[e->kind], peek(rn->cost[e->kind]) + 1);
	emit_page(cpu, zone_cpu(cpu, page_zone(cpu->lab, e->pfn)), ev, 1, 0, 0);
	lock_give(cpu, &rn->lock);
	return true;
}

void V(lru_drop)(struct cpu *cpu, uint32_t nr)
{
	struct lru_entry *e = lru_entry(cpu->lab, nr);
	struct reclaim_node *rn = lock_entry(cpu, e);
	pfn_t pfn = PFN_NONE;

	if (rn) {
		struct page *page;

		pfn = e->pfn;
		page = &cpu->lab->pages[pfn];
		if (lru_flags(page) & LRU_DIRTY)
			lru_dirty_add(cpu->lab, pfn, -1);
		poke(e->pfn, PFN_NONE);
		poke(e->state, ENTRY_EVICTED);
		if (page->role == PAGE_ISOLATED) {	/* who isolated it frees it */
			lru_set(page, PAGE_ISOLATED, (lru_flags(page) | LRU_ORPHAN) & ~(uint32_t)LRU_DIRTY);
			pfn = PFN_NONE;
		} else {
			lru_unlink(cpu->lab, pfn);
			page_set_kind(page, page_kind(PAGE_ALLOCATED, 0, (enum mtype)page->mtype));
		}
		lock_give(cpu, &rn->lock);
		counts_move(cpu, -1);
	}
	if (pfn != PFN_NONE)
		V(free_pages)(cpu, pfn, 0);
	lru_entry_put(cpu, nr, COUNTING);
}

static uint64_t clean_list(struct cpu *cpu, struct reclaim_node *rn, struct lru_list *l)
{
	pfn_t pfn = l->head;
	uint64_t written = 0;

	for (uint64_t i = 0; i < l->nr; i++, pfn = cpu->lab->pages[pfn].next) {
		struct page *page = &cpu->lab->pages[pfn];
		enum lru_kind kind;

		if (!(lru_flags(page) & LRU_DIRTY))
			continue;
		kind = lru_kind_of(lru_flags(page));
		lru_set(page, PAGE_LRU, lru_flags(page) & ~(uint32_t)LRU_DIRTY);
		lru_entry(cpu->lab, page->slab_nr)->dirty = 0;
		lru_dirty_add(cpu->lab, pfn, -1);
		poke(rn->cost[kind], peek(rn->cost[kind]) + 1);
		written++;
	}
	return written;
}

uint64_t V(lru_write_back)(struct cpu *cpu, unsigned int node)
{
	struct reclaim_node *rn = reclaim_node(cpu->lab, node);
	uint64_t written = 0;

	if (!peek(rn->dirty))
		return 0;
	lock_take(cpu, &rn->lock, COUNTING);
	for (unsigned int id = 0; id < LRU_LISTS; id++) {
		written += clean_list(cpu, rn, &rn->vec.list[id]);
		for (unsigned int i = 0; i < cpu->lab->nr_zones; i++)
			if (cpu->lab->zones[i].node == node)
				written += clean_list(cpu, rn, &reclaim_zone(cpu->lab, i)->vec.list[id]);
	}
	lock_give(cpu, &rn->lock);
	return written;
}
