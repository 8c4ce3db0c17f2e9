/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores with debug flags: no CPU slab, no chain; one object at a time, under
 * the node's list lock. Full slabs are listed only with user tracking.
 * (slab-debug.md section 3)
 */
#include "slab/slub.h"

#include "slab/checked.h"
#include "slab/list.h"
#include "slab/pages.h"

static void add_full(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab)
{
	if (!(s->g.flags & CF_USER))
		return;
	slab_list_add_head(cpu->lab, &n->full, slab);
	n->nr_full++;
}

static void remove_full(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab)
{
	if (!(s->g.flags & CF_USER))
		return;
	slab_list_del(cpu->lab, &n->full, slab);
	n->nr_full--;
}

/*
 * The first object of a slab whose lists nobody else can change now; 0 if
 * checks found it broken: the slab is out of use then. *was_last: it has none left.
 */
static uint64_t take_one(struct cpu *cpu, struct store *s, struct page *slab, bool *was_last)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab, .alloc = true };
	uint32_t had = s->g.flags & CF_CONSIST ? debug_free_count(cpu->lab, s, slab) : 0;
	struct slab_counts counts = slab_counts(slab);
	uint64_t object = slab->freelist;
	bool good;

	counts.inuse++;
	__atomic_store_n(&slab->freelist, object_next(cpu->base, s, object), __ATOMIC_RELAXED);
	*was_last = !slab->freelist;	/* damage may have cost it others */
	__atomic_store_n(&slab->counters, counts_pack(counts), __ATOMIC_RELAXED);
	good = debug_take(&ck, object);
	tell_checks(cpu, s, &ck);
	if (good)
		return object;
	slab->chain_objs += had;	/* whatever was free in it is lost */
	*was_last = true;
	emit_slab(cpu, s, EV_debug_slab_disabled, slab->slab_nr, had, 0);
	return 0;
}

static uint64_t alloc_from_node(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	uint64_t object = 0;
	bool was_last;

	tell(cpu, s->number, NOTE_node_had, node, slub_nr_partial(n));
	if (!__atomic_load_n(&n->nr_partial, __ATOMIC_RELAXED))
		return 0;
	lock_take(cpu, &n->lock, COUNTING);
	for (pfn_t pfn = n->partial.head, next; pfn != PFN_NONE && !object; pfn = next) {
		struct page *slab = lab_page(cpu->lab, pfn);

		next = slab->next;
		object = take_one(cpu, s, slab, &was_last);
		if (object)
			tell(cpu, s->number, NOTE_slab_had, slab->slab_nr, slab_counts(slab).objects - slab_counts(slab).inuse + 1,
			     slab_counts(slab).objects, n->nr_partial - was_last);
		if (was_last) {
			slub_remove_partial(cpu, n, slab);
			if (object)
				add_full(cpu, s, n, slab);
		}
	}
	lock_give(cpu, &n->lock);
	return object;
}

static uint64_t alloc_from_partial(struct cpu *cpu, struct store *s, int node)
{
	uint64_t object = alloc_from_node(cpu, s, node < 0 ? cpu->node : (unsigned int)node);
	bool drawn;

	if (object || node >= 0 || cpu->lab->nr_nodes == 1 || !slub_asks_others(cpu, s, &drawn))
		return object;
	for (unsigned int i = 1; i < cpu->lab->nr_nodes && !object; i++) {
		unsigned int other = slub_nth_node(cpu->node, i);

		if (slub_nr_partial(store_node(cpu->lab, s, other)) > s->min_partial)
			object = alloc_from_node(cpu, s, other);
	}
	return object;
}

static uint64_t alloc_from_new(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct slub_node *n;
	struct page *slab;
	uint64_t object;
	bool was_last;

	slab = slub_new_slab(cpu, s, gfp, node);
	if (!slab)
		return 0;
	emit_slab(cpu, s, EV_alloc_slab, slab->slab_nr, slab->order, 0);
	n = store_node(cpu->lab, s, slab->node);
	lock_take(cpu, &n->lock, COUNTING);
	object = take_one(cpu, s, slab, &was_last);
	if (!was_last)
		slub_add_partial(cpu, s, n, slab, false);
	else if (object)
		add_full(cpu, s, n, slab);
	lock_give(cpu, &n->lock);
	return object;
}

uint64_t slub_debug_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	uint64_t object = alloc_from_partial(cpu, s, node);

	if (!object)
		object = alloc_from_new(cpu, s, gfp, node);
	if (object)
		debug_track_alloc(cpu, s, object);
	return object;
}

/* Checks let it go: the run stands in front of the slab's freelist. */
static void put_run(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail, unsigned int cnt)
{
	struct slab_counts counts = slab_counts(slab);

	counts.inuse -= cnt;
	object_set_next(cpu->base, s, tail, slab->freelist);
	__atomic_store_n(&slab->freelist, head, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack(counts), __ATOMIC_RELAXED);
}

static void refuse(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab, uint64_t head,
		   unsigned int cnt, bool was_full)
{
	if (!was_full && !slab->freelist) {	/* checks found no link of it good */
		slub_remove_partial(cpu, n, slab);
		add_full(cpu, s, n, slab);
	}
	lock_give(cpu, &n->lock);
	tell_refused(cpu, s, slab, head, cnt);
}

/*
 * The end of a run is marked before anything is looked at, as in 6.1: so a
 * second free cuts the freelist behind its object, and what was behind is lost
 * until a walk finds the count wrong. Only inside the slab: what a link beyond
 * it would overwrite there is not this slab's to lose.
 */
static void mark_end(struct cpu *cpu, struct store *s, struct page *slab, uint64_t tail)
{
	uint64_t start = pfn_off(cpu->lab, page_pfn(cpu->lab, slab)), at = tail + s->g.freeptr;

	if (at >= start && at + WORD <= start + (PAGE_SIZE << slab->order))
		object_set_next(cpu->base, s, tail, 0);
}

void slub_debug_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		     unsigned int cnt)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	unsigned int asked = cnt;
	bool checks = s->g.flags & CF_CONSIST, was_full, discard, good;
	struct slab_counts counts;
	uint32_t had;

	lock_take(cpu, &n->lock, COUNTING);
	if (unlikely(s->secret && !checks && slab->freelist == tail)) {	/* who checks says more of it */
		lock_give(cpu, &n->lock);
		slub_refuse_twice(cpu, s, slab, head, tail, cnt);
		return;
	}
	was_full = !slab->freelist;	/* before checks cut it */
	had = checks ? debug_free_count(cpu->lab, s, slab) : 0;
	mark_end(cpu, s, slab, tail);
	good = debug_give(&ck, head, tail, &cnt);
	tell_checks(cpu, s, &ck);
	if (checks)
		slab->chain_objs += had - debug_free_count(cpu->lab, s, slab);
	if (!good) {
		refuse(cpu, s, n, slab, head, asked, was_full);
		return;
	}
	put_run(cpu, s, slab, head, tail, cnt);
	counts = slab_counts(slab);
	discard = !counts.inuse && slub_is_surplus_freed(s, n);
	tell(cpu, s->number, NOTE_freed_into, slab->slab_nr, counts.inuse, counts.objects, false, was_full, cnt);
	if (TELLING && !counts.inuse)
		slub_tell_surplus(cpu, s, n, slab, discard);
	if (was_full)
		remove_full(cpu, s, n, slab);
	if (discard && !was_full) {
		slub_remove_partial(cpu, n, slab);
		emit_slab(cpu, s, EV_free_remove_partial, slab->slab_nr, slab->node, 0);
	}
	if (!discard && was_full) {
		slub_add_partial(cpu, s, n, slab, true);
		emit_slab(cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
	}
	lock_give(cpu, &n->lock);
	if (discard) {
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	}
}
