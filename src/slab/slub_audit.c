/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants of slab.h that are SLUB's: freelists, CPU slabs, chains. */
#include <errno.h>
#include <string.h>

#include "slab/audit.h"
#include "slab/slub.h"
#include "slab/slub_store.h"

#define BROKEN(label, fmt, ...) audit_broken(a, label, fmt, ##__VA_ARGS__)

/* A freelist stays in its slab, begins objects only, and has no ring. Returns its length, or -errno. */
static int64_t check_freelist(struct audit *a, pfn_t slab, uint64_t object)
{
	const struct page *page = lab_page(a->lab, slab);
	uint64_t start = slab_object(a->lab, a->s, slab, 0);
	uint32_t objects = slab_counts(page).objects;
	int64_t n = 0;

	for (; object; object = object_next(a->lab->base, a->s, object), n++) {
		uint64_t index = (object - start) / a->s->g.size;

		if (object < start || index >= objects || (object - start) % a->s->g.size)
			return BROKEN("S5", "slab S%u: a link leads to 0x%llx, which is no object of it",
				      page->slab_nr, (unsigned long long)object);
		if (!audit_mark(a, object))
			return BROKEN("S5", "slab S%u: object %llu is free twice", page->slab_nr, (unsigned long long)index);
	}
	return n;
}

static const struct cpu *owner_of(struct audit *a, pfn_t slab, bool *on_chain)
{
	*on_chain = false;
	for (unsigned int i = 0; i < a->lab->nr_cpus; i++) {
		const struct cpu *cpu = a->lab->cpus[i];
		const struct slub_cpu *c = store_cpu(cpu, a->s);

		if (c->slab == slab)
			return cpu;
		for (pfn_t p = c->partial; p != PFN_NONE; p = lab_page(a->lab, p)->next)
			if (p == slab) {
				*on_chain = true;
				return cpu;
			}
	}
	return NULL;
}

static bool on_list(struct audit *a, const struct slab_list *l, pfn_t slab)
{
	for (pfn_t p = l->head; p != PFN_NONE; p = lab_page(a->lab, p)->next)
		if (p == slab)
			return true;
	return false;
}

static int check_place(struct audit *a, pfn_t pfn, const struct cpu *owner, bool on_chain, struct slab_counts c, uint64_t nr_free)
{
	const struct page *slab = lab_page(a->lab, pfn);
	const struct slub_node *n = store_node(a->lab, a->s, slab->node);

	if (c.frozen != (owner != NULL && (!on_chain || slub_freezes_chain(a->s))))
		return BROKEN("S4", "slab S%u is %s but %s CPU has it", slab->slab_nr,
			      c.frozen ? "frozen" : "not frozen", owner ? "a" : "no");
	if (slab->listed != (!owner && nr_free != 0))
		return BROKEN("S4", "slab S%u is marked as %slisted", slab->slab_nr, slab->listed ? "" : "not ");
	if (owner)
		return 0;
	if (on_list(a, &n->partial, pfn) != (nr_free != 0))
		return BROKEN("S4", "slab S%u has %llu free objects and is %s the partial list of node %u",
			      slab->slab_nr, (unsigned long long)nr_free, nr_free ? "not on" : "on", slab->node);
	return 0;
}

int slub_check_slab(struct audit *a, pfn_t pfn)
{
	const struct page *slab = lab_page(a->lab, pfn);
	struct slab_counts c = slab_counts(slab);
	bool on_chain;
	const struct cpu *owner = owner_of(a, pfn, &on_chain);
	int64_t own, of_cpu = 0;
	uint32_t want = c.objects - c.inuse, lost;

	if (c.objects != (slab->order == a->s->g.order ? a->s->g.objs : a->s->g.min_objs))
		return BROKEN("S3", "slab S%u of order %u has %u objects", slab->slab_nr, slab->order, c.objects);
	if (slab_object(a->lab, a->s, pfn, c.objects) - object_at(&a->s->g) > pfn_off(a->lab, pfn) + (PAGE_SIZE << slab->order) ||
	    object_at(&a->s->g) + a->s->object_size > a->s->g.size)
		return BROKEN("S3", "the objects of slab S%u of order %u reach beyond it", slab->slab_nr, slab->order);
	own = check_freelist(a, pfn, slab->freelist);
	if (own < 0)
		return (int)own;
	if (owner && !on_chain)
		of_cpu = check_freelist(a, pfn, store_cpu(owner, a->s)->freelist);
	if (of_cpu < 0)
		return (int)of_cpu;
	lost = slab_lost(a->s, slab);
	if (lost > c.objects)
		return BROKEN("K2", "slab S%u: %u of %u objects are lost", slab->slab_nr, lost, c.objects);
	if (own != want && (own > want || want - own > lost))
		return BROKEN("S5", "slab S%u: %lld objects on its freelist, its count says %u", slab->slab_nr, (long long)own, want);
	a->free_objects += (uint64_t)(own + of_cpu) + lost;
	return check_place(a, pfn, owner, on_chain, c, (uint64_t)own);
}

static int check_sequence(struct lab *lab, const struct store *s, struct audit *a)
{
	static __thread uint8_t seen[(MAX_OBJS_PER_SLAB + 8) / 8];
	const uint16_t *order = lab_ptr(lab, s->sequence);

	if (!audit_piece(lab, s->sequence, s->g.objs * sizeof(*order)))
		return BROKEN("S12", "its random order lies outside side memory");
	memset(seen, 0, sizeof(seen));
	for (uint32_t i = 0; i < s->g.objs; i++) {
		if (order[i] >= s->g.objs || seen[order[i] / 8] & 1u << order[i] % 8)
			return BROKEN("S12", "place %u of its random order is damaged", i);
		seen[order[i] / 8] |= (uint8_t)(1u << order[i] % 8);
	}
	return 0;
}

int slub_check(struct lab *lab, struct store *s, struct audit *a)
{
	int ret = s->sequence ? check_sequence(lab, s, a) : 0;

	if (ret)
		return ret;
	for (unsigned int i = 0; i < a->lab->nr_cpus; i++) {
		const struct slub_cpu *c = store_cpu(a->lab->cpus[i], a->s);
		uint32_t left = c->partial == PFN_NONE ? 0 : lab_page(a->lab, c->partial)->chain_slabs;

		if (c->freelist && c->slab == PFN_NONE)
			return BROKEN("S4", "CPU %u has a freelist but no slab", i);
		for (pfn_t p = c->partial; p != PFN_NONE; p = lab_page(a->lab, p)->next, left--)
			if (lab_page(a->lab, p)->chain_slabs != left)
				return BROKEN("S8", "CPU %u: a slab of the chain counts %u where %u are left", i,
					      lab_page(a->lab, p)->chain_slabs, left);
		if (left)
			return BROKEN("S8", "CPU %u: the chain is %u shorter than it says", i, left);
	}
	return 0;
}

