/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees after a grace period: begun, and done. (Idea: deferred.h) */
#include "slab/deferred.h"

#include "base/finding.h"
#include "lab/heap.h"
#include "slab/bulk.h"
#include "slab/emit.h"
#include "slab/grace.h"
#include "slab/lifetime.h"
#include "slab/owner.h"
#include "slab/pages.h"
#include "slab/sheaves.h"
#include "slab/slub_fast.h"
#include "slab/store.h"

/* ---- begun ---- */

/* Room for one more in the newest block, or a new one. 0: no side memory. */
static struct deferred_block *room(struct cpu *cpu)
{
	struct rcu_list *list = &cpu->part->rcu[RCU_NEXT].blocks;
	uint64_t piece;

	if (list->last && deferred_block(cpu->lab, list->last)->nr < DEFERRED_BLOCK)
		return deferred_block(cpu->lab, list->last);
	piece = heap_alloc(cpu->lab, sizeof(struct deferred_block));
	if (!piece)
		return NULL;
	rcu_append(cpu->lab, list, piece, piece);
	return deferred_block(cpu->lab, piece);
}

static bool defer(struct cpu *cpu, struct store *s, uint64_t off, uint32_t owner)
{
	struct deferred_block *b = room(cpu);

	if (!b)
		return false;
	b->object[b->nr++] = off | (uint64_t)(uint16_t)owner << 48;
	if (s) {
		emit_slab(cpu, s, EV_free_deferred, off, 0, 0);
		__atomic_add_fetch(&s->deferred, 1, __ATOMIC_RELAXED);
	}
	rcu_note(cpu->lab);
	return true;
}

/* It went into a sheaf: nobody's any more. */
static void give(struct cpu *cpu, struct store *s, uint64_t off, uint32_t owner)
{
	uint32_t *word = s->owner_map ? owner_word_out(cpu->lab, s, off) : NULL;

	if (word)
		owner_give(word);
	if (unlikely(cpu->lab->lifetimes))
		lifetime_end(cpu->lab, owner, lifetime_born(cpu->lab, s, off));
	slab_count_frees(cpu, front_part(cpu, s), owner, 1, 0);
}

/* Whoever took it: as a free would count it. */
static uint32_t owner_of(struct lab *lab, const struct store *s, const struct cache *c, uint64_t off, uint32_t owner)
{
	const uint32_t *word = s->owner_map ? owner_word_out(lab, s, off) : NULL;

	if (word)
		return *word;
	if (owner && (owner == s->count_cache || store_had_cache(lab, s, owner)))
		return owner;
	return c && store_had_cache(lab, s, c->id) ? c->id : s->count_cache;
}

/* ---- done ---- */

static void free_block(struct cpu *cpu, uint64_t piece)
{
	struct deferred_block *b = deferred_block(cpu->lab, piece);

	for (uint64_t i = 0; i < b->nr; i++) {
		uint64_t off = DEFERRED_OFF(b->object[i]);
		uint32_t store = lab_page(cpu->lab, off_pfn(cpu->lab, off))->store;

		if (store)
			__atomic_sub_fetch(&lab_store(cpu->lab, store)->deferred, 1, __ATOMIC_RELAXED);
		slab_free(cpu, NULL, off, DEFERRED_OWNER(b->object[i]));
	}
	heap_free(cpu->lab, piece, sizeof(*b));
}

static uint64_t pop(const struct lab *lab, struct rcu_list *list)
{
	uint64_t piece = list->first;

	if (!piece)
		return 0;
	list->first = *rcu_next(lab, piece);
	if (!list->first)
		list->last = 0;
	*rcu_next(lab, piece) = 0;
	return piece;
}

static void done(struct cpu *cpu, struct rcu_batch *batch)
{
	uint64_t piece;

	while ((piece = pop(cpu->lab, &batch->sheaves))) {
		struct store *s = lab_store(cpu->lab, sheaf_at(cpu->lab, piece)->store);

		store_ops[s->ops][THIS_VARIANT]->sheaf_done(cpu, s, piece);
	}
	while ((piece = pop(cpu->lab, &batch->blocks)))
		free_block(cpu, piece);
}

/* At the beginning of an op: it has nothing in hand yet. */
static void free_over(struct cpu *cpu)
{
	slab_rcu_slabs(cpu);
	done(cpu, &cpu->part->rcu[RCU_OVER]);
}

/* ---- the calls ---- */

uint32_t slab_free_rcu(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner, bool *full)
{
	struct lab *lab = cpu->lab;
	uint32_t findings = 0;
	struct page *page;
	struct store *s;

	*full = false;
	free_over(cpu);
	if (off - lab->arena_off >= lab->arena_bytes)
		return slab_free(cpu, c, off, owner);	/* which knows what to say */
	page = lab_page(lab, off_pfn(lab, off));
	if (!page->store && page->role == PAGE_LARGE && !(off & (PAGE_SIZE - 1))) {
		*full = !defer(cpu, NULL, off, 0);
		return 0;
	}
	s = page->store ? lab_store(lab, page->store) : NULL;
	if (!s || !slab_is_object(lab, s, lab_page(lab, page->head), off))
		return slab_free(cpu, c, off, owner);
	if (c && (c->store != page->store || s->owner_map))
		findings = slab_wrong_cache(cpu, s, c, off);
	if (findings & FINDING_REFUSED)
		return findings;
	owner = owner_of(lab, s, findings ? NULL : c, off, owner);
	if (TELLING)
		slab_tell_store(cpu, s, owner);
	if (store_ops[s->ops][THIS_VARIANT]->free_rcu &&
	    store_ops[s->ops][THIS_VARIANT]->free_rcu(cpu, s, lab_page(lab, page->head), off))
		give(cpu, s, off, owner);
	else
		*full = !defer(cpu, s, off, owner);
	return findings;
}

void slab_rcu_all(struct cpu *cpu)
{
	struct rcu_batch *rcu = cpu->part->rcu;
	const struct story_op what = { .op = cpu->lab->hdr->ops, .kind = TOLD_GRACE, .node = -1, .is_call = true };

	rcu_move(cpu->lab, &rcu[RCU_OVER], &rcu[RCU_WAITING]);
	rcu_move(cpu->lab, &rcu[RCU_OVER], &rcu[RCU_NEXT]);
	if (!rcu[RCU_OVER].sheaves.first && !rcu[RCU_OVER].blocks.first)
		return;
	if (TELLING)
		story_begin(cpu, &what);
	done(cpu, &rcu[RCU_OVER]);
	if (TELLING)
		story_end(cpu, 0, 0, 0, 0);
}
