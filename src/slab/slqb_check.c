/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of SLQB's debug stores: SLUB's layout but for the red zone on the
 * left, object by object. A slab is not withdrawn for the sake of one object,
 * and links are not followed: they lead from list to list.
 */
#include "slab/checks.h"

/* Of no use any more: neither out nor free. */
static void drop(struct check *ck, uint64_t object)
{
	debug_fixed(ck, FIX_dropped, 0, object, 0, 0);
	__atomic_add_fetch(&ck->slab->chain_objs, 1, __ATOMIC_RELAXED);
}

bool slqb_debug_take(struct check *ck, uint64_t object)
{
	if (ck->s->g.flags & CF_CONSIST && !(debug_check_slab(ck) && debug_check_object(ck, object, RED_FREE))) {
		drop(ck, object);
		return false;
	}
	debug_trace(ck, DEBUG_trace_alloc, object);
	debug_prepare(ck->cpu, ck->s, object, RED_OUT);
	debug_set_out(ck->cpu->lab, object);
	return true;
}

/* Where it is found good it is free from now on, for whoever else would free it. */
static bool may_give(struct check *ck, uint64_t object)
{
	const struct lab *lab = ck->cpu->lab;

	if (!debug_check_slab(ck))
		return false;
	if (!slab_is_object(lab, ck->s, ck->slab, object)) {
		debug_slab_error(ck, DEBUG_invalid_object, object, 0);
		return false;
	}
	if (!debug_clear_out(lab, object)) {
		debug_object_error(ck, DEBUG_already_free, object);
		return false;
	}
	if (debug_check_object(ck, object, RED_OUT))
		return true;
	debug_set_out(lab, object);
	return false;
}

bool slqb_debug_give(struct check *ck, uint64_t object)
{
	if (!(ck->s->g.flags & CF_CONSIST)) {
		debug_clear_out(ck->cpu->lab, object);
	} else if (!may_give(ck, object)) {
		debug_fixed(ck, FIX_not_freed, 0, object, 0, 0);
		return false;
	}
	debug_given(ck, object);
	return true;
}

/* Queues were flushed: what is free is on its slab's freelist, and what was dropped is nowhere. */
void slqb_validate_slab(struct check *ck, uint64_t *looked)
{
	static __thread uint8_t map[(MAX_OBJS_PER_SLAB + 8) / 8];
	const struct lab *lab = ck->cpu->lab;
	uint32_t objects = slab_counts(ck->slab).objects;

	if (!debug_check_slab(ck))
		return;
	debug_mark_free(ck, map, objects);
	for (uint32_t i = 0; i < objects; i++) {
		uint64_t object = slab_object(lab, ck->s, page_pfn(lab, ck->slab), i);
		bool is_free = map[i / 8] & 1u << i % 8;

		if (!is_free && !debug_is_out(lab, object))
			continue;
		++*looked;
		debug_check_object(ck, object, is_free ? RED_FREE : RED_OUT);
	}
}
