/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sheaves as Linux 6.18 has them: allocation, freeing, bulk, flush. Read top to
 * bottom. Stores are made and checked in sheaves_store.c.
 */
#include "slab/sheaves.h"

#include "base/gfp.h"
#include "slab/bulk.h"
#include "slab/deferred.h"
#include "slab/emit.h"
#include "slab/queue_fast.h"
#include "slab/slub.h"
#include "slab/store.h"

#define PORTION 32		/* objects that a flush of a main sheaf moves at once */

/* SLUB below, in this variant. */
#define below slub_ops
extern const struct store_ops below;

/* ---- sheaves and barns ---- */

static uint64_t new_sheaf(struct cpu *cpu, struct store *s)
{
	uint64_t sheaf = sheaf_new(cpu->lab, s, s->sheaf.capacity);

	if (sheaf)
		emit_slab(cpu, s, EV_sheaf_alloc, s->sheaf.capacity, 0, 0);
	return sheaf;
}

static void drop_sheaf(struct cpu *cpu, struct store *s, uint64_t sheaf)
{
	emit_slab(cpu, s, EV_sheaf_free, s->sheaf.capacity, 0, 0);
	sheaf_drop(cpu->lab, sheaf);
}

/* First and length are looked at without the lock, too. */
static void list_push(struct lab *lab, struct sheaf_list *l, uint64_t sheaf)
{
	sheaf_at(lab, sheaf)->next = l->second = l->first;
	poke(l->first, sheaf);
	poke(l->nr, l->nr + 1);
}

/* Its link, as it was, is for list_popped(), when the lock is given back. */
static uint64_t list_pop(struct lab *lab, struct sheaf_list *l)
{
	uint64_t sheaf = l->first;

	if (!sheaf)
		return 0;
	poke(l->nr, l->nr - 1);
	poke(l->first, !l->nr ? 0 : l->second ? l->second : sheaf_at(lab, sheaf)->next);
	l->second = 0;
	return sheaf;
}

static uint64_t list_popped(struct lab *lab, uint64_t sheaf)
{
	if (sheaf)
		sheaf_at(lab, sheaf)->next = 0;
	return sheaf;
}

static struct barn *own_barn(const struct cpu *cpu, const struct store *s)
{
	return sheaf_barn(cpu->lab, s, cpu->node);
}

/* Before its lock is taken: the barn's lines and the sheaf that is first on one of its lists. */
static void fetch_barn(const struct cpu *cpu, const struct store *s, const struct barn *barn, const struct sheaf_list *l)
{
	uint64_t first;

	fetch_own(&barn->lock);
	fetch_own(&barn->empty);
	first = peek(l->first);
	if (first)
		fetch_entries((const uint64_t *)sheaf_at(cpu->lab, first), sheaf_bytes(s->sheaf.capacity) / sizeof(uint64_t));
}

/* An empty sheaf for a full one: the exchange of an allocation. 0: the barn has none that is full. */
static uint64_t barn_full_for(struct cpu *cpu, struct store *s, uint64_t empty)
{
	struct barn *barn = own_barn(cpu, s);
	uint64_t full;

	fetch_barn(cpu, s, barn, &barn->full);
	if (!peek(barn->full.nr))
		return 0;
	lock_take(cpu, &barn->lock, COUNTING);
	full = list_pop(cpu->lab, &barn->full);
	if (full)
		list_push(cpu->lab, &barn->empty, empty);
	lock_give(cpu, &barn->lock);
	return list_popped(cpu->lab, full);
}

static uint64_t barn_empty(struct cpu *cpu, struct store *s)
{
	struct barn *barn = own_barn(cpu, s);
	uint64_t empty;

	if (!peek(barn->empty.nr))
		return 0;
	lock_take(cpu, &barn->lock, COUNTING);
	empty = list_pop(cpu->lab, &barn->empty);
	lock_give(cpu, &barn->lock);
	return list_popped(cpu->lab, empty);
}

static const struct slab_policy *limits(const struct cpu *cpu)
{
	return lab_section(cpu->lab, SEC_SLAB_POLICY);
}

/* A full sheaf for an empty one: the exchange of a free. *is_full: the barn takes no more. */
static uint64_t barn_empty_for(struct cpu *cpu, struct store *s, uint64_t full, bool *is_full)
{
	struct barn *barn = own_barn(cpu, s);
	uint64_t empty = 0;

	fetch_barn(cpu, s, barn, &barn->empty);
	lock_take(cpu, &barn->lock, COUNTING);
	*is_full = barn->full.nr >= limits(cpu)->barn_max_full;
	if (!*is_full)
		empty = list_pop(cpu->lab, &barn->empty);
	if (empty)
		list_push(cpu->lab, &barn->full, full);
	lock_give(cpu, &barn->lock);
	return list_popped(cpu->lab, empty);
}

/* A full sheaf to the barn that was asked before whether it takes one. */
static void barn_put_full(struct cpu *cpu, struct barn *barn, uint64_t sheaf)
{
	lock_take(cpu, &barn->lock, COUNTING);
	list_push(cpu->lab, &barn->full, sheaf);
	lock_give(cpu, &barn->lock);
}

/* An empty one, if the barn has not enough of them. (Who takes a full one for it asks nothing.) */
static void barn_put_empty(struct cpu *cpu, struct store *s, struct barn *barn, uint64_t sheaf)
{
	bool taken;

	lock_take(cpu, &barn->lock, COUNTING);
	taken = barn->empty.nr < limits(cpu)->barn_max_empty;
	if (taken)
		list_push(cpu->lab, &barn->empty, sheaf);
	lock_give(cpu, &barn->lock);
	if (!taken)
		drop_sheaf(cpu, s, sheaf);
}

/* ---- allocation ---- */

/* Main is empty: the spare one, or a full one of the barn, becomes main. False: neither has anything. */
static bool next_full(struct cpu *cpu, struct store *s, struct sheaf_cpu *c)
{
	uint64_t full;

	if (turn_to_take(cpu, front_part(cpu, s)))
		return true;
	full = barn_full_for(cpu, s, c->main);
	if (!full) {
		emit_slab(cpu, s, EV_barn_get_fail, cpu->node, 0, 0);
		return false;
	}
	emit_slab(cpu, s, EV_barn_get, cpu->node, s->sheaf.capacity, 0);
	c->main = full;
	return true;
}

/*
 * Main was empty when it was decided to fill another. Reclaim on the way to
 * the pages may have freed objects into it, or have brought a spare one.
 */
static void keep_full(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, uint64_t full)
{
	if (!sheaf_at(cpu->lab, c->main)->size) {
		barn_put_empty(cpu, s, own_barn(cpu, s), c->main);
		c->main = full;
	} else if (!c->spare) {
		c->spare = full;
	} else {
		barn_put_full(cpu, own_barn(cpu, s), full);
	}
}

/* All of it from slabs. False: as it was. */
static bool fill_sheaf(struct cpu *cpu, struct store *s, struct sheaf *sheaf, uint32_t gfp)
{
	uint32_t want = sheaf->capacity - sheaf->size;
	size_t got = want ? below.alloc_bulk(cpu, s, gfp, want, sheaf->object + sheaf->size) : 0;

	if (got < want) {
		bulk_free_to_slabs(cpu, got, sheaf->object + sheaf->size);
		return false;
	}
	if (want)
		emit_slab_n(cpu, s, EV_sheaf_refill, want, want, 0, 0);
	poke(sheaf->size, sheaf->capacity);
	return true;
}

/* An empty sheaf, filled from slabs, becomes main; the old main, empty, goes to the barn. */
static bool refill_main(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, uint32_t gfp)
{
	uint64_t fresh = c->spare;

	c->spare = 0;
	if (!fresh)
		fresh = barn_empty(cpu, s);
	if (!fresh)
		fresh = new_sheaf(cpu, s);
	if (!fresh)
		return false;
	if (!fill_sheaf(cpu, s, sheaf_at(cpu->lab, fresh), gfp)) {
		drop_sheaf(cpu, s, fresh);
		return false;
	}
	keep_full(cpu, s, c, fresh);
	return true;
}

static __attribute__((noinline)) bool refill(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, uint32_t gfp)
{
	if (next_full(cpu, s, c))
		return true;
	return gfp & GFP_BIT_DIRECT_RECLAIM && refill_main(cpu, s, c, gfp);
}

static uint64_t sheaves_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct sheaf_cpu *c;
	struct sheaf *main;
	uint64_t object;

	if (unlikely(node >= 0))
		return below.alloc(cpu, s, gfp, node);
	object = sheaf_take(cpu, front_part(cpu, s));
	if (likely(object))
		return object;
	c = sheaf_cpu(cpu, s);
	if (!refill(cpu, s, c, gfp))
		return below.alloc(cpu, s, gfp, node);
	main = sheaf_at(cpu->lab, c->main);
	object = main->object[--main->size];
	hit_alloc(cpu, front_part(cpu, s), EV_alloc_cpu_sheaf, object);
	return object;
}

/* Whole blocks from the end of main sheaves; what they lack comes from slabs, without filling one. */
static size_t sheaves_alloc_bulk(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);
	size_t got = 0;

	while (got < n) {
		struct sheaf *main = sheaf_at(cpu->lab, c->main);
		size_t take = main->size < n - got ? main->size : n - got;

		if (!take) {
			if (!next_full(cpu, s, c))
				return got + below.alloc_bulk(cpu, s, gfp, n - got, vec + got);
			continue;
		}
		main->size -= (uint32_t)take;
		__builtin_memcpy(vec + got, main->object + main->size, take * sizeof(uint64_t));
		emit_slab_n(cpu, s, EV_alloc_cpu_sheaf, take, vec[got], 0, 0);
		got += take;
	}
	return n;
}

/* ---- flush ---- */

/* All objects of a sheaf back to their slabs at once. */
static void empty_sheaf(struct cpu *cpu, struct store *s, uint64_t at)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);

	if (!sheaf->size)
		return;
	emit_slab_n(cpu, s, EV_sheaf_flush, sheaf->size, sheaf->size, 0, 0);
	bulk_free_to_slabs(cpu, sheaf->size, sheaf->object);
	sheaf->size = 0;
}

/* The main sheaf, portion by portion from its end: who is its CPU's owner does not hold it for long. */
static void empty_main(struct cpu *cpu, struct store *s, struct sheaf_cpu *c)
{
	struct sheaf *main = sheaf_at(cpu->lab, c->main);
	uint64_t portion[PORTION];

	while (main->size) {
		uint32_t n = main->size < PORTION ? main->size : PORTION;

		main->size -= n;
		__builtin_memcpy(portion, main->object + main->size, n * sizeof(uint64_t));
		emit_slab_n(cpu, s, EV_sheaf_flush, n, n, 0, 0);
		bulk_free_to_slabs(cpu, n, portion);
	}
}

/* ---- freeing ---- */

/* Room in main without a new sheaf. False: there is none; *barn_full says why. */
static bool next_room(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, bool *barn_full)
{
	uint64_t empty;

	*barn_full = false;
	if (!c->spare) {
		empty = barn_empty(cpu, s);
		if (!empty)
			return false;
		c->spare = c->main;
		c->main = empty;
		return true;
	}
	if (turn_to_put(cpu, front_part(cpu, s)))
		return true;
	empty = barn_empty_for(cpu, s, c->main, barn_full);
	if (!empty)
		return false;
	emit_slab(cpu, s, EV_barn_put, cpu->node, s->sheaf.capacity, 0);
	c->main = empty;
	return true;
}

/* Main and spare are full, or there is no spare; the barn cannot help. */
static void make_room(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, bool barn_full)
{
	uint64_t fresh = barn_full ? 0 : new_sheaf(cpu, s);

	if (fresh && !c->spare) {
		c->spare = c->main;
		c->main = fresh;
		return;
	}
	if (fresh) {
		barn_put_full(cpu, own_barn(cpu, s), c->main);
		emit_slab(cpu, s, EV_barn_put, cpu->node, s->sheaf.capacity, 0);
		c->main = fresh;
		return;
	}
	emit_slab(cpu, s, EV_barn_put_fail, cpu->node, 0, 0);
	if (barn_full) {
		empty_sheaf(cpu, s, c->spare);
		turn_sheaves(cpu, front_part(cpu, s));
	} else {
		empty_main(cpu, s, c);
	}
}

static void free_below(struct cpu *cpu, struct store *s, uint64_t object)
{
	below.free(cpu, s, slab_of(cpu->lab, object), object, object, 1);
}

static __attribute__((noinline)) void free_full(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, uint64_t object)
{
	struct sheaf *main;
	bool barn_full;

	if (s->state != STORE_ACTIVE) {
		free_below(cpu, s, object);
		return;
	}
	if (!next_room(cpu, s, c, &barn_full))
		make_room(cpu, s, c, barn_full);
	main = sheaf_at(cpu->lab, c->main);
	main->object[main->size++] = object;
	hit_free(cpu, front_part(cpu, s), EV_free_cpu_sheaf, object);
}

/* A single object. Runs (free) go below: who builds them wants slabs. */
static void sheaves_free_one(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			     unsigned int cnt)
{
	if (unlikely(slab->node != cpu->node))
		free_below(cpu, s, head);
	else if (unlikely(!sheaf_put(cpu, front_part(cpu, s), head)))
		free_full(cpu, s, sheaf_cpu(cpu, s), head);
}

static void sheaves_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			 unsigned int cnt)
{
	below.free(cpu, s, slab, head, tail, cnt);
}

/* Objects of other nodes go to slabs, portion by portion; how many others are left, in front. */
static size_t free_foreign(struct cpu *cpu, size_t n, uint64_t *vec)
{
	uint64_t portion[PORTION];
	size_t nr = 0;

	for (size_t i = 0; i < n; ) {
		if (slab_of(cpu->lab, vec[i])->node == cpu->node) {
			i++;
			continue;
		}
		portion[nr++] = vec[i];
		vec[i] = vec[--n];
		if (nr == PORTION) {
			bulk_free_to_slabs(cpu, nr, portion);
			nr = 0;
		}
	}
	bulk_free_to_slabs(cpu, nr, portion);
	return n;
}

static void sheaves_free_bulk(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);
	bool barn_full;

	if (cpu->lab->nr_nodes > 1)
		n = free_foreign(cpu, n, vec);
	while (n) {
		struct sheaf *main = sheaf_at(cpu->lab, c->main);
		size_t put = s->sheaf.room - main->size < n ? s->sheaf.room - main->size : n;

		if (!put) {
			if (s->state == STORE_ACTIVE && next_room(cpu, s, c, &barn_full))
				continue;
			bulk_free_to_slabs(cpu, n, vec);
			return;
		}
		__builtin_memcpy(main->object + main->size, vec, put * sizeof(uint64_t));
		main->size += (uint32_t)put;
		emit_slab_n(cpu, s, EV_free_cpu_sheaf, put, vec[0], 0, 0);
		vec += put;
		n -= put;
	}
}

/* ---- frees after a grace period ---- */

static uint64_t sheaf_for_rcu(struct cpu *cpu, struct store *s, struct sheaf_cpu *c)
{
	uint64_t sheaf = c->spare;

	if (sheaf && !sheaf_at(cpu->lab, sheaf)->size) {
		c->spare = 0;
		return sheaf;
	}
	sheaf = barn_empty(cpu, s);
	return sheaf ? sheaf : new_sheaf(cpu, s);
}

/* The CPU's sheaf for such frees is detached and waits. */
static void rcu_detach(struct cpu *cpu, struct store *s, struct sheaf_cpu *c, bool flushed)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, c->rcu_free);

	sheaf->node = (uint8_t)cpu->node;
	sheaf->flushed = flushed;
	poke(c->nr_waiting, c->nr_waiting + 1);
	poke(c->waiting_objects, c->waiting_objects + sheaf->size);
	rcu_wait_sheaf(cpu, s, c->rcu_free);
	poke(c->rcu_free, 0);
}

static bool sheaves_free_rcu(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object)
{
	struct sheaf_cpu *c;
	struct sheaf *sheaf;

	if (s->state != STORE_ACTIVE || slab->node != cpu->node)
		return false;
	c = sheaf_cpu(cpu, s);
	if (!c->rcu_free)
		poke(c->rcu_free, sheaf_for_rcu(cpu, s, c));
	if (!c->rcu_free) {
		emit_slab(cpu, s, EV_free_rcu_sheaf_fail, object, 0, 0);
		return false;
	}
	sheaf = sheaf_at(cpu->lab, c->rcu_free);
	sheaf->object[sheaf->size] = object;
	poke(sheaf->size, sheaf->size + 1);
	emit_slab(cpu, s, EV_free_rcu_sheaf, object, 0, 0);
	if (sheaf->size == s->sheaf.capacity)
		rcu_detach(cpu, s, c, false);
	return true;
}

static void wipe_sheaf(struct cpu *cpu, const struct store *s, const struct sheaf *sheaf)
{
	for (uint32_t i = 0; i < sheaf->size && unlikely(s->init_on_free); i++)
		object_wipe(cpu, s, sheaf->object[i]);
}

/* Played as the CPU that detached it. To the barn of the CPU's node then; else to slabs. */
static void sheaves_sheaf_done(struct cpu *cpu, struct store *s, uint64_t at)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);
	struct barn *barn = sheaf_barn(cpu->lab, s, sheaf->node);
	bool flushed = sheaf->flushed || s->state != STORE_ACTIVE;

	poke(c->nr_waiting, c->nr_waiting - 1);
	poke(c->waiting_objects, c->waiting_objects - sheaf->size);
	wipe_sheaf(cpu, s, sheaf);
	sheaf->flushed = 0;
	if (!flushed && peek(barn->full.nr) < limits(cpu)->barn_max_full) {
		emit_slab(cpu, s, EV_barn_put, sheaf->node, sheaf->size, 0);
		barn_put_full(cpu, barn, at);
	} else {
		if (!flushed)
			emit_slab(cpu, s, EV_barn_put_fail, sheaf->node, 0, 0);
		empty_sheaf(cpu, s, at);
		if (flushed)
			drop_sheaf(cpu, s, at);
		else
			barn_put_empty(cpu, s, barn, at);
	}
	__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELEASE);
	store_note_death(cpu->lab, s);
}

/* ---- sheaves handed out ---- */

static uint64_t sheaves_sheaf_get(struct cpu *cpu, struct store *s)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);
	struct barn *barn = own_barn(cpu, s);
	uint64_t sheaf = c->spare;

	if (sheaf) {
		poke(c->spare, 0);
		emit_slab(cpu, s, EV_sheaf_prefill_fast, sheaf_at(cpu->lab, sheaf)->size, 0, 0);
		return sheaf;
	}
	emit_slab(cpu, s, EV_sheaf_prefill_slow, s->sheaf.capacity, 0, 0);
	lock_take(cpu, &barn->lock, COUNTING);
	sheaf = list_pop(cpu->lab, &barn->full);
	if (!sheaf)
		sheaf = list_pop(cpu->lab, &barn->empty);
	lock_give(cpu, &barn->lock);
	list_popped(cpu->lab, sheaf);
	if (sheaf && sheaf_at(cpu->lab, sheaf)->size)
		emit_slab(cpu, s, EV_barn_get, cpu->node, s->sheaf.capacity, 0);
	else
		emit_slab(cpu, s, EV_barn_get_fail, cpu->node, 0, 0);
	return sheaf ? sheaf : new_sheaf(cpu, s);
}

static void sheaves_sheaf_put(struct cpu *cpu, struct store *s, uint64_t at, uint32_t gfp)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);
	struct barn *barn = own_barn(cpu, s);

	if (s->state == STORE_ACTIVE && !c->spare) {
		poke(c->spare, at);
		emit_slab(cpu, s, EV_sheaf_return_fast, sheaf_at(cpu->lab, at)->size, 0, 0);
		return;
	}
	emit_slab(cpu, s, EV_sheaf_return_slow, sheaf_at(cpu->lab, at)->size, 0, 0);
	if (s->state == STORE_ACTIVE && peek(barn->full.nr) < limits(cpu)->barn_max_full &&
	    fill_sheaf(cpu, s, sheaf_at(cpu->lab, at), gfp)) {
		barn_put_full(cpu, barn, at);
		emit_slab(cpu, s, EV_barn_put, cpu->node, s->sheaf.capacity, 0);
		return;
	}
	empty_sheaf(cpu, s, at);
	drop_sheaf(cpu, s, at);
}

/* ---- in a stop ---- */

static void sheaves_flush_cpu(struct cpu *cpu, struct store *s)
{
	struct sheaf_cpu *c = sheaf_cpu(cpu, s);

	if (c->spare) {
		empty_sheaf(cpu, s, c->spare);
		drop_sheaf(cpu, s, c->spare);
		c->spare = 0;
	}
	if (c->rcu_free)
		rcu_detach(cpu, s, c, true);
	empty_main(cpu, s, c);
	below.flush_cpu(cpu, s);
}

/* The barns; what that left with this CPU's SLUB goes too. */
static void sheaves_flush_nodes(struct cpu *cpu, struct store *s)
{
	for (unsigned int node = 0; node < cpu->lab->nr_nodes; node++) {
		struct barn *barn = sheaf_barn(cpu->lab, s, node);
		uint64_t sheaf;

		while ((sheaf = list_pop(cpu->lab, &barn->full))) {
			empty_sheaf(cpu, s, sheaf);
			drop_sheaf(cpu, s, sheaf);
		}
		while ((sheaf = list_pop(cpu->lab, &barn->empty)))
			drop_sheaf(cpu, s, sheaf);
	}
	below.flush_cpu(cpu, s);
}

static void sheaves_discard_empty(struct cpu *cpu, struct store *s, unsigned int node)
{
	below.discard_empty(cpu, s, node);
}

static void sheaves_give_back(struct cpu *cpu, pfn_t first)
{
	below.give_back(cpu, first);
}

#define sheaves_ops V(sheaves_ops)
const struct store_ops sheaves_ops = {
	.name = "sheaves",
	.alloc = sheaves_alloc,
	.free = sheaves_free,
	.free_elsewhere = sheaves_free_one,
	.free_bulk = sheaves_free_bulk,
	.alloc_bulk = sheaves_alloc_bulk,
	.flush_cpu = sheaves_flush_cpu,
	.flush_nodes = sheaves_flush_nodes,
	.discard_empty = sheaves_discard_empty,
	.free_rcu = sheaves_free_rcu,
	.sheaf_done = sheaves_sheaf_done,
	.sheaf_get = sheaves_sheaf_get,
	.sheaf_put = sheaves_sheaf_put,
	.give_back = sheaves_give_back,
};
