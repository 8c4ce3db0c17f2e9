/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheaves handed out, refilled, taken back. (Idea: prefill.h) */
#include "slab/prefill.h"

#include "base/gfp.h"
#include "slab/bulk.h"
#include "slab/emit.h"
#include "slab/lifetime.h"
#include "slab/owner.h"
#include "slab/sheaves.h"
#include "slab/slub_fast.h"
#include "slab/store.h"

/* ---- who holds what ---- */

static void hold(struct cpu *cpu, struct store *s, uint64_t at)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);

	lock_take(cpu, &s->held_lock, false);
	sheaf->prev = 0;
	sheaf->next = s->held;
	if (s->held)
		sheaf_at(cpu->lab, s->held)->prev = at;
	s->held = at;
	lock_give(cpu, &s->held_lock);
	__atomic_add_fetch(&s->waiting, 1, __ATOMIC_RELAXED);
}

/* It is the store's own again, which lives on until let_live(). */
static void unhold(struct cpu *cpu, struct store *s, uint64_t at)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);

	lock_take(cpu, &s->held_lock, false);
	if (sheaf->prev)
		sheaf_at(cpu->lab, sheaf->prev)->next = sheaf->next;
	else
		s->held = sheaf->next;
	if (sheaf->next)
		sheaf_at(cpu->lab, sheaf->next)->prev = sheaf->prev;
	lock_give(cpu, &s->held_lock);
	sheaf->next = sheaf->prev = 0;
	sheaf->cache = 0;
}

static void let_go(struct cpu *cpu, struct store *s)
{
	__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELEASE);
	store_note_death(cpu->lab, s);
}

/* ---- objects that nobody takes by name ---- */

/* Hits count for the name of the part; these objects are not out. */
static void uncount(struct cpu *cpu, const struct slub_cpu *part, uint64_t allocs, uint64_t frees)
{
	bump(cpu->cache_cpu[part->name].allocs, allocs - part->alloc_fastpath);
	bump(cpu->cache_cpu[part->name].frees, frees - part->free_fastpath);
	if (unlikely(cpu->refused)) {	/* checks of a debug store kept some: they are out for ever */
		bump(cpu->cache_cpu[part->name].allocs, cpu->refused);
		cpu->refused = 0;
	}
}

/* Past all sheaves. */
static const struct store_ops *below(const struct store *s)
{
	return store_ops[has_slub(s) ? ENGINE_SLUB : s->ops][THIS_VARIANT];
}

static void give_objects(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec)
{
	const struct store_ops *ops = store_ops[s->ops][THIS_VARIANT];
	const struct slub_cpu *part = front_part(cpu, s);
	uint64_t allocs = part->alloc_fastpath, frees = part->free_fastpath;

	if (has_slub(s))
		bulk_free_to_slabs(cpu, n, vec);
	else if (ops->free_bulk)
		ops->free_bulk(cpu, s, n, vec);
	else
		for (size_t i = 0; i < n; i++)	/* each is checked */
			ops->free(cpu, s, slab_of(cpu->lab, vec[i]), vec[i], vec[i], 1);
	uncount(cpu, part, allocs, frees);
}

/* Reclaim under way may free objects meanwhile, which are out no longer: only allocations are taken off. */
static bool fill(struct cpu *cpu, struct store *s, struct sheaf *sheaf, uint32_t gfp)
{
	const struct slub_cpu *part = front_part(cpu, s);
	uint64_t allocs = part->alloc_fastpath;
	size_t want = sheaf->capacity - sheaf->size, got;

	if (!want)
		return true;
	got = bulk_alloc_by(below(s), cpu, s, gfp, want, sheaf->object + sheaf->size);
	uncount(cpu, part, allocs, part->free_fastpath);
	if (got < want) {
		give_objects(cpu, s, got, sheaf->object + sheaf->size);
		return false;
	}
	if (sheaf->capacity == store_sheaf_capacity(s))
		emit_slab_n(cpu, s, EV_sheaf_refill, want, want, 0, 0);
	poke(sheaf->size, sheaf->capacity);
	return true;
}

static void flush(struct cpu *cpu, struct store *s, struct sheaf *sheaf)
{
	uint32_t n = sheaf->size;

	if (!n)
		return;
	emit_slab_n(cpu, s, EV_sheaf_flush, n, n, 0, 0);
	poke(sheaf->size, 0);
	give_objects(cpu, s, n, sheaf->object);
}

/* ---- prefill ---- */

static uint64_t oversize(struct cpu *cpu, struct store *s, uint32_t gfp, uint32_t n)
{
	uint64_t at = sheaf_new(cpu->lab, s, n);

	emit_slab(cpu, s, EV_sheaf_prefill_oversize, n, 0, 0);
	if (at && !fill(cpu, s, sheaf_at(cpu->lab, at), gfp)) {
		sheaf_drop(cpu->lab, at);
		return 0;
	}
	return at;
}

/* One of the store's own. */
static uint64_t own(struct cpu *cpu, struct store *s, uint32_t gfp, uint32_t n)
{
	uint64_t at = store_ops[s->ops][THIS_VARIANT]->sheaf_get(cpu, s);

	if (!at || sheaf_at(cpu->lab, at)->size >= n || fill(cpu, s, sheaf_at(cpu->lab, at), gfp))
		return at;
	flush(cpu, s, sheaf_at(cpu->lab, at));
	emit_slab(cpu, s, EV_sheaf_free, s->sheaf.capacity, 0, 0);
	sheaf_drop(cpu->lab, at);
	return 0;
}

uint64_t slab_sheaf_prefill(struct cpu *cpu, struct cache *c, uint32_t gfp, uint32_t n)
{
	struct store *s = lab_store(cpu->lab, c->store);
	uint64_t at = n > store_sheaf_capacity(s) ? oversize(cpu, s, gfp, n) : own(cpu, s, gfp, n);

	if (!at)
		return 0;
	sheaf_at(cpu->lab, at)->cache = (uint16_t)c->id;
	hold(cpu, s, at);
	return at;
}

/* ---- what is done with it ---- */

uint64_t slab_sheaf_alloc(struct cpu *cpu, uint64_t at, uint32_t gfp)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);
	struct store *s = lab_store(cpu->lab, sheaf->store);
	uint64_t object;

	if (!sheaf->size)
		return 0;
	object = sheaf->object[sheaf->size - 1];
	poke(sheaf->size, sheaf->size - 1);
	if (unlikely(s->owner_map))
		owner_take(cpu->lab, s, object, sheaf->cache);
	if (unlikely(cpu->lab->lifetimes))
		lifetime_begin(cpu->lab, s, object);
	slab_count_allocs(cpu, front_part(cpu, s), sheaf->cache, 1, 0);
	if (unlikely(gfp & GFP_BIT_ZERO))
		__builtin_memset(cpu->base + object, 0, lab_cache(cpu->lab, sheaf->cache)->object_size);
	else if (unlikely(s->init_on_alloc | s->init_on_free))
		object_init(cpu, s, object);
	return object;
}

/* A sheaf is oversize by its capacity, or as its store has none of its own. */
void slab_sheaf_return(struct cpu *cpu, uint64_t at, uint32_t gfp)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, at);
	struct store *s = lab_store(cpu->lab, sheaf->store);

	unhold(cpu, s, at);
	if (sheaf->capacity == store_sheaf_capacity(s)) {
		store_ops[s->ops][THIS_VARIANT]->sheaf_put(cpu, s, at, gfp);
	} else {
		flush(cpu, s, sheaf);
		sheaf_drop(cpu->lab, at);
	}
	let_go(cpu, s);
}

bool slab_sheaf_refill(struct cpu *cpu, uint64_t *at, uint32_t gfp, uint32_t n)
{
	struct sheaf *sheaf = sheaf_at(cpu->lab, *at);
	struct cache *c = lab_cache(cpu->lab, sheaf->cache);
	uint64_t other;

	if (sheaf->store == c->store && sheaf->size >= n)
		return true;
	if (sheaf->store == c->store && sheaf->capacity >= n)
		return fill(cpu, lab_store(cpu->lab, sheaf->store), sheaf, gfp);
	other = slab_sheaf_prefill(cpu, c, gfp, n);
	if (!other)
		return false;
	slab_sheaf_return(cpu, *at, gfp);
	*at = other;
	return true;
}
