/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queued engine's stores, in a stop: parts made and unmade, arrays resized, drained, walked, checked. */
#include "slab/slabq.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "lab/heap.h"
#include "slab/list.h"
#include "slab/store.h"

void slabq_doom(const struct lab *lab, struct slabq_doomed *doomed, struct page *slab)
{
	pfn_t pfn = page_pfn(lab, slab);

	slab->next = PFN_NONE;
	*(doomed->last == PFN_NONE ? &doomed->first : &lab_page(lab, doomed->last)->next) = pfn;
	doomed->last = pfn;
}

/* ---- sizes ---- */

static uint32_t limit_of_size(uint32_t size)
{
	if (size > 131072)
		return 1;
	if (size > PAGE_SIZE)
		return 8;
	if (size > 1024)
		return 24;
	return size > 256 ? 54 : 120;
}

/* Checks take long, and a batch of them is done with the lock held. */
static uint32_t limit_auto(const struct store *s)
{
	uint32_t limit = limit_of_size(s->g.size);

	return s->debug && limit > SLABQ_DEBUG_LIMIT ? SLABQ_DEBUG_LIMIT : limit;
}

static uint32_t cpus_of_node(const struct lab *lab, unsigned int node)
{
	uint32_t nr = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		nr += lab->cpus[i]->node == node && lab->cpus[i]->part->online;
	return nr;
}

static uint32_t free_limit(const struct lab *lab, const struct store *s, unsigned int node)
{
	return (1 + cpus_of_node(lab, node)) * s->slabq.batchcount + s->g.objs;
}

/* ---- pieces of side memory ---- */

static size_t array_bytes(uint64_t cap)
{
	return sizeof(struct array_cache) + cap * sizeof(uint64_t);
}

static uint64_t array_make(struct lab *lab, uint32_t limit, uint32_t batchcount)
{
	uint64_t off = heap_alloc(lab, array_bytes(limit));
	struct array_cache *ac = lab_ptr(lab, off);

	if (off)
		*ac = (struct array_cache){ .limit = limit, .batchcount = batchcount, .cap = limit };
	return off;
}

static void array_drop(struct lab *lab, uint64_t off)
{
	if (off)
		heap_free(lab, off, array_bytes(((struct array_cache *)lab_ptr(lab, off))->cap));
}

#define ALIEN_BYTES (sizeof(struct alien_cache) + SLABQ_ALIEN_LIMIT * sizeof(uint64_t))

static uint64_t alien_make(struct lab *lab, uint32_t limit)
{
	uint64_t off = heap_alloc(lab, ALIEN_BYTES);
	struct alien_cache *alien = lab_ptr(lab, off);

	if (!off)
		return 0;
	memset(alien, 0, ALIEN_BYTES);
	alien->lock.rank = RANK_ALIEN;
	alien->ac.limit = limit > 1 ? SLABQ_ALIEN_LIMIT : limit;
	alien->ac.cap = SLABQ_ALIEN_LIMIT;
	return off;
}

static size_t node_bytes(const struct lab *lab)
{
	return sizeof(struct slabq_node) + lab->nr_nodes * sizeof(uint64_t);
}

/* ---- making ---- */

static bool make_aliens(struct lab *lab, struct store *s, unsigned int node)
{
	struct slabq_node *q = slabq_node(lab, s, node);

	for (unsigned int other = 0; other < lab->nr_nodes; other++) {
		if (other == node || q->alien[other])
			continue;
		q->alien[other] = alien_make(lab, s->slabq.limit);
		if (!q->alien[other])
			return false;
	}
	q->aliens = lab->nr_nodes > 1;
	return true;
}

static bool make_node(struct lab *lab, struct store *s, unsigned int node)
{
	uint64_t off = heap_alloc(lab, node_bytes(lab));
	uint64_t every = (uint64_t)lab_slab_policy(lab)->slabq_reap_node_ms * 1000000, now = lab_now(lab);
	struct slabq_node *q = lab_ptr(lab, off);

	if (!off)
		return false;
	memset(q, 0, node_bytes(lab));
	store_node(lab, s, node)->own = off;
	slab_list_init(&q->free);
	q->free_limit = free_limit(lab, s, node);
	q->next_reap_ns = every ? now / every * every + every : now;
	if (s->slabq.shared_factor) {
		q->shared = array_make(lab, s->slabq.shared_factor * s->slabq.batchcount, 0);
		if (!q->shared)
			return false;
	}
	return !lab_slab_policy(lab)->slabq_alien || make_aliens(lab, s, node);
}

static void slabq_unmake(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		array_drop(lab, front_part(lab->cpus[i], s)->own);
		front_part(lab->cpus[i], s)->own = 0;
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct slabq_node *q = slabq_node(lab, s, n);

		if (!store_node(lab, s, n)->own)
			continue;
		array_drop(lab, q->shared);
		for (unsigned int other = 0; other < lab->nr_nodes; other++)
			heap_free(lab, q->alien[other], ALIEN_BYTES);
		heap_free(lab, store_node(lab, s, n)->own, node_bytes(lab));
		store_node(lab, s, n)->own = 0;
	}
}

/* With the sizes that follow from the object's; policies come with the first cache (tune). */
static int slabq_make(struct lab *lab, struct store *s)
{
	bool made = true;

	s->slabq.limit = limit_auto(s);
	s->slabq.batchcount = (s->slabq.limit + 1) / 2;
	s->slabq.shared_factor = s->g.size <= PAGE_SIZE && lab->nr_cpus > 1 ? 8 : 0;
	for (unsigned int i = 0; i < lab->nr_cpus && made; i++) {
		struct slub_cpu *c = front_part(lab->cpus[i], s);

		c->own = array_make(lab, s->slabq.limit, s->slabq.batchcount);
		c->number = PART_QUEUED;
		made = c->own != 0;
	}
	for (unsigned int n = 0; n < lab->nr_nodes && made; n++)
		made = make_node(lab, s, n);
	if (made)
		return 0;
	slabq_unmake(lab, s);
	return fail(ENOMEM, "the lab's side memory has no room for the arrays of a cache");
}

/* ---- other sizes ---- */

extern void slabq_flush_shared_bare(struct cpu *cpu, struct store *s, unsigned int node);
extern void slabq_flush_shared_counted(struct cpu *cpu, struct store *s, unsigned int node);
extern void slabq_flush_shared_told(struct cpu *cpu, struct store *s, unsigned int node);

static void (*const flush_shared[VARIANT_NR])(struct cpu *, struct store *, unsigned int) = {
	slabq_flush_shared_bare, slabq_flush_shared_counted, slabq_flush_shared_told,
};

/* All new arrays, or none: by CPU, then by node (0: no shared array wanted). */
static bool make_arrays(struct lab *lab, uint64_t *made, uint32_t limit, uint32_t batch, uint32_t shared)
{
	unsigned int i, n;

	for (i = 0; i < lab->nr_cpus; i++)
		if (!(made[i] = array_make(lab, limit, batch)))
			return false;
	for (n = 0; n < lab->nr_nodes && shared; n++)
		if (!(made[i + n] = array_make(lab, shared, 0)))
			return false;
	return true;
}

/* The order is the kernel's: CPU arrays under the old free_limit; then, node by node, the new one and the shared array. */
int slabq_resize(struct lab *lab, struct store *s, uint32_t limit, uint32_t batch, uint32_t factor)
{
	uint64_t made[MAX_CPUS + MAX_NODES] = { 0 };

	if (!limit || limit > SLABQ_MAX_LIMIT || !batch || batch > limit || (uint64_t)factor * batch > SLABQ_MAX_LIMIT)
		return fail(EINVAL, "arrays of %u, batches of %u and a shared array of %u batches: the limit is 1 .. %u, a batch 1 .. "
			    "the limit, and the shared array has room for %u objects at most", limit, batch, factor,
			    SLABQ_MAX_LIMIT, SLABQ_MAX_LIMIT);
	if (!make_arrays(lab, made, limit, batch, factor * batch)) {
		for (size_t i = 0; i < ARRAY_SIZE(made); i++)
			array_drop(lab, made[i]);
		return fail(ENOMEM, "the lab's side memory has no room for arrays of %u", limit);
	}
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct slub_cpu *c = front_part(lab->cpus[i], s);

		store_ops[s->ops][lab->cpus[i]->variant]->flush_cpu(lab->cpus[i], s);
		array_drop(lab, c->own);
		c->own = made[i];
	}
	s->slabq.limit = limit;
	s->slabq.batchcount = batch;
	s->slabq.shared_factor = factor;
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct slabq_node *q = slabq_node(lab, s, n);

		q->free_limit = free_limit(lab, s, n);
		flush_shared[lab->cpus[0]->variant](lab->cpus[0], s, n);
		array_drop(lab, q->shared);
		q->shared = made[lab->nr_cpus + n];
	}
	return 0;
}

static int set_aliens(struct lab *lab, struct store *s, bool on)
{
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		if (on && !make_aliens(lab, s, n))
			return fail(ENOMEM, "the lab's side memory has no room for alien arrays");
	if (!on) {
		store_ops[s->ops][lab->cpus[0]->variant]->flush_nodes(lab->cpus[0], s);
		for (unsigned int n = 0; n < lab->nr_nodes; n++)
			slabq_node(lab, s, n)->aliens = 0;
	}
	return 0;
}

static int slabq_tune(struct lab *lab, struct store *s, const struct store_policy *p)
{
	bool alien = lab_slab_policy(lab)->slabq_alien && lab->nr_nodes > 1;
	uint32_t limit = p->slabq_limit < 0 ? limit_auto(s) : (uint32_t)p->slabq_limit;
	uint32_t batch = p->slabq_batchcount < 0 ? (limit + 1) / 2 : (uint32_t)p->slabq_batchcount;
	uint32_t factor = p->slabq_shared >= 0 ? (uint32_t)p->slabq_shared : s->g.size <= PAGE_SIZE && lab->nr_cpus > 1 ? 8 : 0;
	int ret = 0;

	/* a value that is right for others goes as far as this store's other sizes let it */
	batch = batch > limit ? limit : batch;
	factor = (uint64_t)factor * batch > SLABQ_MAX_LIMIT ? SLABQ_MAX_LIMIT / batch : factor;
	s->colouring = p->slabq_colour;
	if (alien != (slabq_node(lab, s, 0)->aliens != 0))
		ret = set_aliens(lab, s, alien);
	if (!ret && (limit != s->slabq.limit || batch != s->slabq.batchcount || factor != s->slabq.shared_factor))
		ret = slabq_resize(lab, s, limit, batch, factor);
	return ret;
}

/*
 * A node keeps free slabs by its CPUs. When one goes its array has been
 * emptied; the last takes along what the node's other arrays hold. Then every
 * free slab of the node goes, as in the kernel.
 */
static void slabq_cpus_changed(struct lab *lab, struct store *s, struct cpu *cpu)
{
	const struct store_ops *ops = store_ops[s->ops][cpu->variant];

	if (s->state != STORE_ACTIVE)
		return;
	slabq_node(lab, s, cpu->node)->free_limit = free_limit(lab, s, cpu->node);
	if (cpu->part->online)
		return;
	if (!cpus_of_node(lab, cpu->node))
		ops->flush_nodes(cpu, s);
	ops->discard_empty(cpu, s, cpu->node);
}

static void slabq_drain(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		slabq_cpu(lab->cpus[i], s)->limit = 0;
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		slabq_node(lab, s, n)->free_limit = 0;
}

static bool slabq_has_cpu_part(const struct cpu *cpu, const struct store *s)
{
	return slabq_cpu(cpu, s)->avail != 0;
}

/* ---- walks ---- */

static uint32_t slabq_walk_slab(struct lab *lab, const struct store *s, pfn_t pfn,
				bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	const struct page *slab = lab_page(lab, pfn);
	struct slab_counts c = slab_counts(slab);

	(void)s;
	for (uint32_t i = c.inuse; i < c.objects && slab->freelist; i++)
		if (fn && !fn(slabq_index(lab, slab)[i], pfn, arg))
			return i - c.inuse + 1;
	return c.objects - c.inuse;
}

static void walk_array(const struct queue_walk *w, const struct array_cache *ac, struct queue q)
{
	q.nr = ac->avail;
	q.limit = ac->limit;
	q.batch = ac->batchcount;
	q.touched = ac->touched;
	w->queue(&q, w->arg);
	for (uint32_t i = 0; i < ac->avail; i++)
		w->object(ac->entry[i], w->arg);
}

static void slabq_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		walk_array(w, slabq_cpu(lab->cpus[i], s), (struct queue){
			.kind = "array", .cpu = (int)i, .node = (int)lab->cpus[i]->node, .peer = -1 });
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct slabq_node *q = slabq_node(lab, s, n);

		if (q->shared)
			walk_array(w, slabq_shared(lab, q), (struct queue){ .kind = "shared", .cpu = -1, .node = (int)n, .peer = -1 });
		for (unsigned int other = 0; other < lab->nr_nodes; other++) {
			const struct alien_cache *alien = slabq_alien(lab, q, other);

			if (alien)
				walk_array(w, &alien->ac, (struct queue){
					.kind = "alien", .cpu = -1, .node = (int)n, .peer = (int)other });
		}
	}
}

/* ---- check ---- */

static int check_index(struct lab *lab, struct store *s, struct audit *a, const struct page *slab)
{
	struct slab_counts c = slab_counts(slab);
	pfn_t pfn = page_pfn(lab, slab);
	uint64_t first = slab_object(lab, s, pfn, 0), end = pfn_off(lab, pfn) + (PAGE_SIZE << s->g.order);
	int ret = 0;

	if (slab->start + (uint64_t)c.objects * s->g.size > PAGE_SIZE << s->g.order ||
	    (slab->start && (slab->start % s->g.colour_off || slab->start / s->g.colour_off >= s->g.colours)))
		return audit_broken(a, "Q1", "slab S%u begins at offset %u", slab->slab_nr, slab->start);
	if (!slab->freelist && s->g.management == SLABQ_IN_OBJECT && c.inuse == c.objects)
		return 0;
	if (s->g.management == SLABQ_OFF_SLAB ? slab->freelist - lab->arena_off > lab->arena_bytes - s->g.index_bytes ||
						slab_of(lab, slab->freelist) == slab :
	    slab->freelist < first || slab->freelist + s->g.index_bytes > end)
		return audit_broken(a, "Q2", "slab S%u keeps its free indexes at 0x%llx", slab->slab_nr,
				    (unsigned long long)slab->freelist);
	for (uint32_t i = c.inuse; i < c.objects && !ret; i++) {
		uint8_t number = slabq_index(lab, slab)[i];

		if (number >= c.objects)
			return audit_broken(a, "Q2", "slab S%u: index %u names object %u", slab->slab_nr, i, number);
		ret = audit_free(a, "Q2", slab_object(lab, s, pfn, number));
	}
	return ret;
}

/* One list: each slab is this store's, of this node, and as full as the list says. */
static int check_list(struct lab *lab, struct store *s, struct audit *a, unsigned int node, const struct slab_list *l,
		      const char *name, uint64_t counted, uint64_t *free_objects)
{
	pfn_t prev = PFN_NONE;
	uint64_t len = 0;

	for (pfn_t pfn = l->head; pfn != PFN_NONE; prev = pfn, pfn = lab_page(lab, pfn)->next, len++) {
		const struct page *slab = pfn < lab->hdr->shape.pages ? lab_page(lab, pfn) : NULL;
		struct slab_counts c;
		int ret;

		if (!slab || slab->role != PAGE_SLAB || slab->store != s->number || slab->head != pfn || slab->node != node ||
		    slab->prev != prev || len > counted)
			return audit_broken(a, "Q1", "node %u: the list of %s slabs leads to page 0x%x", node, name, pfn);
		c = slab_counts(slab);
		if (c.objects != s->g.objs || c.inuse > c.objects ||
		    *name != (c.inuse == c.objects ? 'f' : c.inuse ? 'p' : 'e'))
			return audit_broken(a, "Q1", "slab S%u with %u of %u out of it is on the list of %s slabs", slab->slab_nr,
					    c.inuse, c.objects, name);
		*free_objects += c.objects - c.inuse;
		ret = check_index(lab, s, a, slab);
		if (ret)
			return ret;
	}
	if (len != counted || l->tail != prev)
		return audit_broken(a, "Q3", "node %u: %llu %s slabs are counted, the list has %llu", node,
				    (unsigned long long)counted, name, (unsigned long long)len);
	return 0;
}

/* An array as it may be: node >= 0, of objects of that node. */
static int check_array(struct lab *lab, struct store *s, struct audit *a, uint64_t off, const char *what, int node,
		       uint32_t limit, uint32_t batch)
{
	const struct array_cache *ac = lab_ptr(lab, off);
	int ret = 0;

	if (!audit_piece(lab, off, sizeof(*ac)) || !audit_piece(lab, off, array_bytes(ac->cap)) || ac->cap > SLABQ_MAX_LIMIT ||
	    ac->avail > ac->cap || ac->limit > ac->cap || (ac->limit && ac->avail > ac->limit) || ac->touched > 1 ||
	    (s->state == STORE_ACTIVE && (ac->limit != limit || ac->batchcount != batch)) || ac->batchcount > ac->cap)
		return audit_broken(a, "Q4", "%s has impossible sizes", what);
	for (uint32_t i = 0; i < ac->avail && !ret; i++) {
		ret = audit_free(a, "Q4", ac->entry[i]);
		if (!ret && slab_of(lab, ac->entry[i])->node != node)
			ret = audit_broken(a, "Q5", "%s holds an object of node %u", what, slab_of(lab, ac->entry[i])->node);
	}
	return ret;
}

static int check_node_arrays(struct lab *lab, struct store *s, struct audit *a, unsigned int node)
{
	struct slabq_node *q = slabq_node(lab, s, node);
	int ret = 0;

	if (!q->shared != !s->slabq.shared_factor)
		return audit_broken(a, "Q4", "node %u %s a shared array", node, q->shared ? "has" : "lacks");
	if (q->shared)
		ret = check_array(lab, s, a, q->shared, "a shared array", (int)node,
				  s->slabq.shared_factor * s->slabq.batchcount, 0);
	for (unsigned int other = 0; other < lab->nr_nodes && !ret; other++) {
		const struct alien_cache *alien = lab_ptr(lab, q->alien[other]);

		if (!q->alien[other])
			continue;
		if (!audit_piece(lab, q->alien[other], ALIEN_BYTES) || !lock_is_idle(&alien->lock, RANK_ALIEN) ||
		    alien->ac.cap != SLABQ_ALIEN_LIMIT || other == node || (!q->aliens && alien->ac.avail))
			return audit_broken(a, "Q4", "node %u: its array for node %u is damaged", node, other);
		ret = check_array(lab, s, a, q->alien[other] + offsetof(struct alien_cache, ac), "an alien array", (int)other,
				  alien->ac.limit, 0);
	}
	return ret;
}

static int check_node(struct lab *lab, struct store *s, struct audit *a, unsigned int node)
{
	const struct slub_node *n = store_node(lab, s, node);
	const struct slabq_node *q = slabq_node(lab, s, node);
	uint64_t free_objects = 0;
	int ret;

	if (!audit_piece(lab, n->own, node_bytes(lab)))
		return audit_broken(a, "Q3", "node %u has no part of it", node);
	if (q->colour_next && q->colour_next >= s->g.colours)
		return audit_broken(a, "Q6", "node %u: colour %u of %u", node, q->colour_next, s->g.colours);
	if (q->aliens > 1 || q->free_touched > 1)
		return audit_broken(a, "Q3", "node %u: its part is damaged", node);
	ret = check_list(lab, s, a, node, &n->full, "full", n->nr_full, &free_objects);
	if (!ret)
		ret = check_list(lab, s, a, node, &n->partial, "partial", n->nr_partial, &free_objects);
	if (!ret)
		ret = check_list(lab, s, a, node, &q->free, "empty", q->free_slabs, &free_objects);
	if (ret)
		return ret;
	if (free_objects != q->free_objects || n->nr_slabs != n->nr_full + n->nr_partial + q->free_slabs)
		return audit_broken(a, "Q3", "node %u: %llu free objects are counted, %llu are in its slabs", node,
				    (unsigned long long)q->free_objects, (unsigned long long)free_objects);
	return check_node_arrays(lab, s, a, node);
}

static int slabq_check(struct lab *lab, struct store *s, struct audit *a)
{
	struct geometry g;

	if (slabq_geometry(&s->wish, &g) || memcmp(&g, &s->g, sizeof(g)))
		return audit_broken(a, "S3", "its geometry is not that of what was asked for");
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		int ret = check_node(lab, s, a, n);

		if (ret)
			return ret;
	}
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct slub_cpu *c = front_part(lab->cpus[i], s);
		int ret;

		if (c->freelist || c->slab != PFN_NONE || c->number != PART_QUEUED)
			return audit_broken(a, "S4", "CPU %u: there is something before its queue", i);
		ret = check_array(lab, s, a, c->own, "a CPU's array", (int)lab->cpus[i]->node, s->slabq.limit,
				  s->slabq.batchcount);
		if (ret)
			return ret;
	}
	return 0;
}

static int array_piece(struct lab *lab, struct heap_audit *a, uint64_t off)
{
	return off ? heap_audit_piece(a, "an array of a cache", off, array_bytes(((struct array_cache *)lab_ptr(lab, off))->cap)) : 0;
}

static int slabq_pieces(struct lab *lab, const struct store *s, struct heap_audit *a)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++)
		ret = array_piece(lab, a, front_part(lab->cpus[i], s)->own);
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++) {
		const struct slabq_node *q = slabq_node(lab, s, n);

		ret = heap_audit_piece(a, "a node's part of a cache", store_node(lab, s, n)->own, node_bytes(lab));
		if (!ret)
			ret = array_piece(lab, a, q->shared);
		for (unsigned int other = 0; other < lab->nr_nodes && !ret; other++)
			ret = heap_audit_piece(a, "an alien array", q->alien[other], ALIEN_BYTES);
	}
	return ret;
}

static void slabq_figures(struct lab *lab, const struct store *s, struct store_figures *f)
{
	f->limit = s->slabq.limit;
	f->batchcount = s->slabq.batchcount;
	f->shared_factor = s->slabq.shared_factor;
	f->shared_limit = s->slabq.shared_factor * s->slabq.batchcount;
	f->active_high = __atomic_load_n(&s->slabq.high, __ATOMIC_RELAXED);
	f->freeable_high = __atomic_load_n(&s->slabq.freeable, __ATOMIC_RELAXED);
	f->management = slabq_management_words[s->g.management];
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct slabq_node *q = slabq_node(lab, s, n);
		const struct array_cache *shared = slabq_shared(lab, q);
		const struct alien_cache *alien = slabq_alien(lab, q, n ? 0 : lab->nr_nodes - 1);

		f->free_objects += __atomic_load_n(&q->free_objects, __ATOMIC_RELAXED);
		f->free_slabs += __atomic_load_n(&q->free_slabs, __ATOMIC_RELAXED);
		f->shared_avail += shared ? __atomic_load_n(&shared->avail, __ATOMIC_RELAXED) : 0;
		if (!n)
			f->free_limit = q->free_limit;
		if (alien)
			f->alien_limit = alien->ac.limit;
	}
}

const struct engine slabq_engine = {
	.name = "slab",
	.route = ROUTE_ARRAY,
	.hit_alloc = EV_allochit,
	.hit_free = EV_freehit,
	.geometry = slabq_geometry,
	.make = slabq_make,
	.unmake = slabq_unmake,
	.tune = slabq_tune,
	.drain = slabq_drain,
	.cpus_changed = slabq_cpus_changed,
	.has_cpu_part = slabq_has_cpu_part,
	.walk_slab = slabq_walk_slab,
	.walk_queues = slabq_walk_queues,
	.check = slabq_check,
	.pieces = slabq_pieces,
	.figures = slabq_figures,
};
