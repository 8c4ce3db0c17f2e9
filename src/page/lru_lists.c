/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and entries of lru.h: what needs no telling. */
#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "page/lru.h"

void lru_link(struct lab *lab, pfn_t pfn, bool tail)
{
	struct zone *z = page_zone(lab, pfn);
	unsigned int id = lru_list_of(lru_flags(&lab->pages[pfn]));
	struct lru_list *l = &lruvec_of(lab, z)->list[id];
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);
	struct page *page = &lab->pages[pfn];

	page->next = l->nr && !tail ? l->head : PFN_NONE;
	page->prev = l->nr && tail ? l->tail : PFN_NONE;
	if (l->nr && tail)
		lab->pages[l->tail].next = pfn;
	else if (l->nr)
		lab->pages[l->head].prev = pfn;
	if (tail || !l->nr)
		l->tail = pfn;
	if (!tail || !l->nr)
		l->head = pfn;
	poke(l->nr, l->nr + 1);
	poke(rz->nr[id], rz->nr[id] + 1);
}

void lru_unlink(struct lab *lab, pfn_t pfn)
{
	struct zone *z = page_zone(lab, pfn);
	unsigned int id = lru_list_of(lru_flags(&lab->pages[pfn]));
	struct lru_list *l = &lruvec_of(lab, z)->list[id];
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);
	struct page *page = &lab->pages[pfn];

	if (page->prev != PFN_NONE)
		lab->pages[page->prev].next = page->next;
	else
		l->head = page->next;
	if (page->next != PFN_NONE)
		lab->pages[page->next].prev = page->prev;
	else
		l->tail = page->prev;
	poke(l->nr, l->nr - 1);
	poke(rz->nr[id], rz->nr[id] - 1);
}

uint64_t lru_size(const struct lab *lab, unsigned int node, unsigned int high, enum lru_list_id list)
{
	uint64_t pages = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == node && lab->zones[i].kind <= high)
			pages += peek(reclaim_zone(lab, i)->nr[list]);
	return pages;
}

uint64_t zone_reclaimable(const struct lab *lab, const struct zone *z)
{
	const struct reclaim_zone *rz = reclaim_zone(lab, z->index);
	uint64_t pages = peek(rz->nr[LRU_INACTIVE_FILE]) + peek(rz->nr[LRU_ACTIVE_FILE]);

	if (page_policy(lab)->swap)
		pages += peek(rz->nr[LRU_INACTIVE_ANON]) + peek(rz->nr[LRU_ACTIVE_ANON]);
	return pages;
}

void lru_dirty_add(struct lab *lab, pfn_t pfn, int64_t n)
{
	struct zone *z = page_zone(lab, pfn);
	struct reclaim_node *rn = reclaim_node(lab, z->node);
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);

	poke(rn->dirty, rn->dirty + (uint64_t)n);
	poke(rz->dirty, rz->dirty + (uint64_t)n);
}

/* ---- entries ---- */

static uint32_t entries_most(const struct lab *lab)
{
	uint64_t most = lab->hdr->bytes[SEC_LRU_ENTRY] / sizeof(struct lru_entry);

	return most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1;
}

uint32_t lru_entry_get(struct cpu *cpu, bool counting)
{
	struct reclaim_head *h = reclaim_head(cpu->lab);
	uint32_t nr = UINT32_MAX;

	lock_take(cpu, &h->entries_lock, counting);
	if (h->free) {
		nr = h->free - 1;
		h->free = lru_entry(cpu->lab, nr)->next;
	} else if (h->entries < entries_most(cpu->lab)) {
		nr = h->entries;
		poke(h->entries, nr + 1);
	}
	if (nr != UINT32_MAX) {
		*lru_entry(cpu->lab, nr) = (struct lru_entry){ .pfn = PFN_NONE, .state = ENTRY_EVICTED };
		poke(h->evicted, h->evicted + 1);
	}
	lock_give(cpu, &h->entries_lock);
	return nr;
}

void lru_entry_put(struct cpu *cpu, uint32_t nr, bool counting)
{
	struct reclaim_head *h = reclaim_head(cpu->lab);

	lock_take(cpu, &h->entries_lock, counting);
	*lru_entry(cpu->lab, nr) = (struct lru_entry){ .pfn = PFN_NONE, .next = h->free };
	h->free = nr + 1;
	poke(h->evicted, h->evicted - 1);
	lock_give(cpu, &h->entries_lock);
}

int lru_entry_find(struct lab *lab, uint64_t off, uint32_t *nr)
{
	uint64_t at = off - lab->hdr->offset[SEC_LRU_ENTRY], i = at / sizeof(struct lru_entry);

	if (off < lab->hdr->offset[SEC_LRU_ENTRY] || at % sizeof(struct lru_entry) ||
	    i >= peek(reclaim_head(lab)->entries) || peek(lru_entry(lab, (uint32_t)i)->state) == ENTRY_FREE)
		return fail(EINVAL, "this is no page of a filler (lru add makes some)");
	*nr = (uint32_t)i;
	return 0;
}

/* ---- in a stop ---- */

/* Take from the lists of one kind the page with the oldest touch. */
static pfn_t oldest_tail(struct lab *lab, struct lruvec *vecs[], unsigned int nr, unsigned int id, struct lruvec **from)
{
	pfn_t oldest = PFN_NONE;

	for (unsigned int i = 0; i < nr; i++) {
		const struct lru_list *l = &vecs[i]->list[id];

		if (!l->nr || (oldest != PFN_NONE && lab->pages[oldest].counters <= lab->pages[l->tail].counters))
			continue;
		oldest = l->tail;
		*from = vecs[i];
	}
	return oldest;
}

static void move_lists(struct lab *lab, struct lruvec *vecs[], unsigned int nr)
{
	for (unsigned int id = 0; id < LRU_LISTS; id++) {
		struct lruvec *from = NULL;
		pfn_t pfn;

		while ((pfn = oldest_tail(lab, vecs, nr, id, &from)) != PFN_NONE) {
			struct lru_list *l = &from->list[id];

			l->tail = lab->pages[pfn].prev;
			l->nr--;
			if (l->nr)
				lab->pages[l->tail].next = PFN_NONE;
			reclaim_zone(lab, page_zone(lab, pfn)->index)->nr[id]--;
			lru_link(lab, pfn, false);
		}
	}
}

/* Lists that the present scope does not use are emptied into those it uses; once done there is nothing to do. */
void lru_scope_update(struct lab *lab)
{
	struct lruvec *vecs[ZONE_KINDS];

	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		unsigned int nr = 0;

		if (page_policy(lab)->lru_scope == LRU_SCOPE_ZONE)
			vecs[nr++] = &reclaim_node(lab, n)->vec;
		for (unsigned int i = 0; i < lab->nr_zones && page_policy(lab)->lru_scope == LRU_SCOPE_NODE; i++)
			if (lab->zones[i].node == n)
				vecs[nr++] = &reclaim_zone(lab, i)->vec;
		move_lists(lab, vecs, nr);
	}
}

void lru_init(struct lab *lab)
{
	reclaim_head(lab)->entries_lock.rank = RANK_ENTRIES;
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		reclaim_node(lab, n)->lock.rank = RANK_LRU;
}

/* ---- the check ---- */

static int wrong(const char *label, uint64_t at, const char *what)
{
	return fail(EUCLEAN, "%s: LRU, page or entry %llu: %s", label, (unsigned long long)at, what);
}

static int check_page(const struct lab *lab, pfn_t pfn, unsigned int id, pfn_t prev, uint64_t *of_zone)
{
	const struct page *page = &lab->pages[pfn];
	const struct lru_entry *e;

	if (pfn >= lab->hdr->shape.pages)
		return wrong("R1", pfn, "a link leads out of the lab");
	if ((page_get_kind(page) & 0xffff) != page_kind(PAGE_LRU, 0, 0) || lru_list_of(lru_flags(page)) != id ||
	    page->store || lru_flags(page) & LRU_ORPHAN)
		return wrong("R2", pfn, "a page on a list does not say so");
	if (page->prev != prev)
		return wrong("R1", pfn, "a page on a list does not name the one before it");
	if (page->slab_nr >= reclaim_head(lab)->entries)
		return wrong("R2", pfn, "a page names no entry");
	e = lru_entry(lab, page->slab_nr);
	if (e->state != ENTRY_RESIDENT || e->pfn != pfn || (e->kind == LRU_KIND_FILE) != !!(lru_flags(page) & LRU_FILE))
		return wrong("R2", pfn, "a page's entry does not name it");
	of_zone[page_zone(lab, pfn)->index * LRU_LISTS + id]++;
	return 0;
}

/* node < 0: any zone may be met; else only that node's, or only this one zone's. */
static int check_vec(const struct lab *lab, const struct lruvec *vec, unsigned int node, int zone, uint64_t *of_zone)
{
	for (unsigned int id = 0; id < LRU_LISTS; id++) {
		const struct lru_list *l = &vec->list[id];
		pfn_t prev = PFN_NONE, pfn = l->head;

		if (l->nr > lab->hdr->shape.pages)
			return wrong("R1", l->nr, "a list is longer than the lab");
		for (uint64_t i = 0; i < l->nr; i++, prev = pfn, pfn = lab->pages[pfn].next) {
			int ret = check_page(lab, pfn, id, prev, of_zone);

			if (ret)
				return ret;
			if (page_node(lab, pfn) != node || (zone >= 0 && page_zone(lab, pfn)->index != zone))
				return wrong("R3", pfn, "a page is on the lists of another node or zone");
		}
		if (l->nr && (l->tail != prev || lab->pages[prev].next != PFN_NONE))
			return wrong("R1", l->tail, "the tail of a list is not its last page");
	}
	return 0;
}

static int check_entries(const struct lab *lab)
{
	const struct reclaim_head *h = reclaim_head(lab);
	uint64_t nr[3] = { 0 }, free = 0;

	if (h->entries > entries_most(lab))
		return wrong("R4", h->entries, "more entries are in use than there are");
	for (uint32_t i = 0; i < h->entries; i++) {
		const struct lru_entry *e = lru_entry(lab, i);

		if (e->state > ENTRY_EVICTED || e->kind >= LRU_KINDS || e->dirty > 1 || e->node >= (int)lab->nr_nodes)
			return wrong("R4", i, "an entry makes no sense");
		if (e->state == ENTRY_RESIDENT && (e->pfn >= lab->hdr->shape.pages || lab->pages[e->pfn].slab_nr != i ||
						   lab->pages[e->pfn].role != PAGE_LRU))
			return wrong("R4", i, "a resident entry's page is not its own");
		nr[e->state]++;
	}
	for (uint32_t at = h->free; at; at = lru_entry(lab, at - 1)->next) {
		if (at > h->entries || lru_entry(lab, at - 1)->state != ENTRY_FREE || ++free > nr[ENTRY_FREE])
			return wrong("R4", at - 1, "the list of free entries leads astray");
	}
	if (free != nr[ENTRY_FREE] || nr[ENTRY_RESIDENT] != h->resident || nr[ENTRY_EVICTED] != h->evicted)
		return wrong("R4", h->resident, "the counts of entries do not agree");
	return 0;
}

static int check_idle(const struct lab *lab)
{
	const struct reclaim_head *h = reclaim_head(lab);

	if (!lock_is_idle(&h->entries_lock, RANK_ENTRIES) || h->draining || h->oom)
		return wrong("R5", 0, "somebody holds the entries, drains, or decides on memory that ran out");
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct reclaim_node *rn = reclaim_node(lab, n);

		if (!lock_is_idle(&rn->lock, RANK_LRU) || rn->isolated[0] || rn->isolated[1])
			return wrong("R5", n, "a node's lists are locked or pages are isolated");
		if (rn->kswapd.state > KSWAPD_RUNNING || rn->kswapd.order > MAX_PAGE_ORDER || rn->kswapd.high >= ZONE_KINDS ||
		    rn->kswapd.run_order > MAX_PAGE_ORDER || rn->kswapd.run_high >= ZONE_KINDS ||
		    rn->kswapd.run_want > MAX_PAGE_ORDER || rn->kswapd.priority < 0 || rn->kswapd.priority > 12 ||
		    rn->kswapd.boosting > 1 || rn->kcompactd.wanted > MAX_PAGE_ORDER + 1 || rn->kcompactd.high >= ZONE_KINDS)
			return wrong("R5", n, "what its kswapd is to do makes no sense");
	}
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct reclaim_zone *rz = reclaim_zone(lab, i);

		if (rz->isolated[0] || rz->isolated[1] || rz->has_skips > 1 || rz->shift > 6 || rz->order_failed > MAX_PAGE_ORDER + 2 ||
		    rz->active > 1)
			return wrong("R5", i, "compaction of a zone is under way or makes no sense");
		for (unsigned int m = 0; m < 3; m++) {
			pfn_t at = m < 2 ? rz->migrate_at[m] : rz->free_at;

			if (at && (at - 1 < lab->zones[i].start || at - 1 > zone_managed_end(&lab->zones[i])))
				return wrong("R5", i, "a scanner of compaction stands outside its zone");
		}
	}
	return 0;
}

int lru_check(struct lab *lab)
{
	static _Thread_local uint64_t of_zone[MAX_ZONES * LRU_LISTS];
	int ret = check_idle(lab);

	memset(of_zone, 0, sizeof(of_zone));
	if (!ret)
		ret = check_entries(lab);
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++)
		ret = check_vec(lab, &reclaim_node(lab, n)->vec, n, -1, of_zone);
	for (unsigned int i = 0; i < lab->nr_zones && !ret; i++)
		ret = check_vec(lab, &reclaim_zone(lab, i)->vec, lab->zones[i].node, (int)i, of_zone);
	for (unsigned int i = 0; i < lab->nr_zones && !ret; i++)
		for (unsigned int id = 0; id < LRU_LISTS && !ret; id++)
			if (of_zone[i * LRU_LISTS + id] != reclaim_zone(lab, i)->nr[id])
				ret = wrong("R3", i, "a zone's count of pages on a list is wrong");
	return ret;
}
