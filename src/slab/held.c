/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Held sheaves of stores, walked, counted and checked in a stop. (Idea: prefill.h) */
#include "slab/prefill.h"

#include <errno.h>

#include "base/fail.h"
#include "lab/heap.h"
#include "slab/audit.h"
#include "slab/sheaves.h"

void store_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w)
{
	engines[s->engine]->walk_queues(lab, s, w);
	for (uint64_t at = s->held; at; at = sheaf_at(lab, at)->next) {
		const struct sheaf *sheaf = sheaf_at(lab, at);
		struct queue q = { .kind = "prefilled", .cpu = -1, .node = -1, .peer = -1, .nr = sheaf->size, .limit = sheaf->capacity };

		w->queue(&q, w->arg);
		for (uint32_t i = 0; i < sheaf->size; i++)
			w->object(sheaf->object[i], w->arg);
	}
}

bool sheaf_is_held(const struct lab *lab, uint64_t sheaf)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		for (uint64_t at = lab_store(lab, i)->held; at; at = sheaf_at(lab, at)->next)
			if (at == sheaf)
				return true;
	return false;
}

int held_place(const struct lab *lab, uint64_t at, struct held_place *p)
{
	const struct sheaf *sheaf;

	if (!sheaf_is_held(lab, at))
		return fail(ENOENT, "this is no sheaf that was handed out");
	sheaf = sheaf_at(lab, at);
	*p = (struct held_place){ sheaf->cache, sheaf->size, sheaf->capacity, lab_store(lab, sheaf->store)->serial };
	return 0;
}

uint32_t held_by_cache(const struct lab *lab, uint32_t cache)
{
	uint32_t nr = 0;

	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		for (uint64_t at = lab_store(lab, i)->held; at; at = sheaf_at(lab, at)->next)
			nr += sheaf_at(lab, at)->cache == cache;
	return nr;
}

/* In a stop, where there are any: figures say how many. */
void held_figures(const struct lab *lab, const struct store *s, struct store_figures *f)
{
	for (uint64_t at = s->held; at; at = sheaf_at(lab, at)->next) {
		f->held_sheaves++;
		f->held_objects += sheaf_at(lab, at)->size;
	}
	f->queued_objects += f->held_objects;
}

static int check_held(struct lab *lab, struct audit *a, const struct sheaf *sheaf, uint64_t prev)
{
	const struct cache *c = lab_cache(lab, sheaf->cache);
	int ret = 0;

	if (sheaf->capacity > PREFILL_MAX || !audit_piece(lab, lab_off(lab, sheaf), sheaf_bytes(sheaf->capacity)) ||
	    sheaf->size > sheaf->capacity || sheaf->store != a->s->number || sheaf->prev != prev)
		return audit_broken(a, "H4", "a sheaf that was handed out is damaged");
	if (sheaf->cache >= slab_state(lab)->nr_caches || c->state != CACHE_LIVE || !store_had_cache(lab, a->s, c->id))
		return audit_broken(a, "H4", "a sheaf was handed out to no cache of it");
	for (uint32_t i = 0; i < sheaf->size && !ret; i++)
		ret = audit_free(a, "H4", sheaf->object[i]);
	return ret;
}

int held_check(struct lab *lab, struct audit *a)
{
	uint64_t at = a->s->held, prev = 0, most = lab->hdr->heap_top / sizeof(struct sheaf);
	int ret = 0;

	if (!lock_is_idle(&a->s->held_lock, RANK_QUEUE))
		return audit_broken(a, "H4", "the lock of the sheaves that it handed out is taken");
	for (; at && !ret; prev = at, at = sheaf_at(lab, at)->next, a->waiting++) {
		if (!audit_piece(lab, at, sizeof(struct sheaf)) || !most--)
			return audit_broken(a, "H4", "the list of the sheaves that it handed out is damaged");
		ret = check_held(lab, a, sheaf_at(lab, at), prev);
	}
	if (!ret && a->waiting != a->s->waiting)
		return audit_broken(a, "R3", "%u sheaves wait for a grace period or were handed out, %u are counted", a->waiting,
				    a->s->waiting);
	return ret;
}

int held_pieces(struct lab *lab, const struct store *s, struct heap_audit *a)
{
	int ret = 0;

	for (uint64_t at = s->held; at && !ret; at = ret ? 0 : sheaf_at(lab, at)->next)
		ret = heap_audit_piece(a, "a sheaf handed out", at, sheaf_bytes(sheaf_at(lab, at)->capacity));
	return ret;
}
