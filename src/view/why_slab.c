/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of slabs in plain words: what happened, by engine, and what was met on the way. */
#include "view/words.h"

#include "base/units.h"
#include "slab/read.h"

/* ---- what happened ---- */

static bool alloc_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_alloc_fastpath:
		return say(w, "Its first object is taken.");
	case EV_alloc_slowpath:
		if (n)		/* before 3.1 */
			return say(w, "That was the slow path of store #%llu, counted at its end.", slab);
		return say(w, "The CPU's freelist of store #%llu is empty: the slow path.", slab);
	case EV_alloc_from_partial:
		return say(w, "The first slab of node %llu's partial list, S%llu, becomes the CPU's.", n, slab);
	case EV_alloc_slab:
		return say(w, "A new slab, S%llu of order %llu, is made of them.", slab, n);
	case EV_alloc_refill:
		if (!n)
			return say(w, "Nobody freed anything into S%llu meanwhile.", slab);
		return say(w, "Others freed %llu object%s into S%llu meanwhile: the CPU takes them over.", n, plural(n), slab);
	case EV_alloc_node_mismatch:
		return say(w, "S%llu lies on node %llu, which is not the one asked for.", slab, n);
	case EV_order_fallback:
		return say(w, "S%llu has to do with order %llu.", slab, n);
	case EV_cmpxchg_double_cpu_fail:
		return say(w, "The exchange on the CPU's freelist failed and is tried again.");
	default:
		return false;
	}
}

static bool free_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_free_fastpath:
		return say(w, "The object's slab is this CPU's: it goes in front of that freelist.");
	case EV_free_slowpath:
		return say(w, "The object's slab S%llu is not this CPU's: it goes to the slab's own freelist.", n);
	case EV_free_frozen:
		return say(w, "S%llu is some CPU's already, so it stays where it is.", slab);
	case EV_free_add_partial:
		return say(w, "S%llu is on the partial list of node %llu.", slab, n);
	case EV_free_remove_partial:
		return say(w, "S%llu leaves the partial list of node %llu.", slab, n);
	case EV_free_slab:
		return say(w, "S%llu is given back to the page layer.", slab);
	case EV_slab_discard:
		return say(w, "The empty slab S%llu is dropped.", slab);
	default:
		return false;
	}
}

/* Slabs that a CPU gives up, and the lists that they wait on. */
static bool lists_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_cpuslab_flush:
		return say(w, "The CPU has flushed its slab S%llu.", slab);
	case EV_deactivate_full:
		return say(w, "S%llu has nothing free: it waits on no list.", slab);
	case EV_deactivate_empty:
		return say(w, n ? "S%llu is empty." : "S%llu is empty and not kept.", slab);
	case EV_deactivate_remote_frees:
		return say(w, "Others freed %llu object%s into S%llu while it was the CPU's.", n, plural(n), slab);
	case EV_deactivate_bypass:
		return say(w, "S%llu is full and let go: full slabs wait on no list.", slab);
	case EV_cpu_partial_alloc:
		return say(w, "The first slab of that list, S%llu, becomes the CPU's.", slab);
	case EV_cpu_partial_free:
		return say(w, "S%llu was full and has its first free object: it joins this CPU's partial list, which has %llu slab%s now.",
			   slab, n, plural(n));
	case EV_cpu_partial_node:
		return say(w, "S%llu moves from node %llu's list to the CPU's partial list.", slab, n);
	case EV_cpu_partial_drain:
		return say(w, "The CPU's partial list, at its limit of %llu, has gone to the nodes as a whole.", slab);
	case EV_placed_head:
	case EV_placed_tail:
		return say(w, "S%llu goes to the %s of the node's partial list: it will be %s.", slab,
			   w->s->event == EV_placed_head ? "head" : "tail",
			   w->s->event == EV_placed_head ? "the next taken" : "taken last");
	default:
		return false;
	}
}

/* Whole calls, and what debugging finds in them. */
static bool call_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_bulk_alloc_calls:
		return say(w, "%llu object%s are asked for in one call.", slab, plural(slab));
	case EV_bulk_free_calls:
		return say(w, "%llu object%s come back in one call.", slab, plural(slab));
	case EV_bulk_free_runs:
		return say(w, "%llu of them, of S%llu, are freed in one step.", n, slab);
	case EV_debug_errors:
		return say(w, "Checks of S%llu find %llu fault%s: reported, and mended where that can be done (dmesg).", slab, n,
			   plural(n));
	case EV_debug_slab_disabled:
		return say(w, "S%llu is trusted no more: it leaves its list for good, and %llu free object%s of it with it.", slab, n,
			   plural(n));
	case EV_debug_object_dropped:
		return say(w, "An object of S%llu is damaged: nobody gets it any more, and the next one is tried.", n);
	case EV_debug_free_refused:
		return say(w, "The free was wrong and is not done: the object stays as it was.");
	default:
		return false;
	}
}

/* Engine slab. */
static bool array_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_allochit:
		return say(w, "The newest object of the array is taken.");
	case EV_allocmiss:
		return say(w, "The array is empty: a batch is needed.");
	case EV_freehit:
		return say(w, "The object goes into the array: it will be the next taken.");
	case EV_freemiss:
		return say(w, "The array is full: its oldest objects make room.");
	case EV_listallocs:
		return say(w, "%llu object%s of S%llu go%s into the array.", n, plural(n), slab, n == 1 ? "es" : "");
	case EV_listfrees:
		return say(w, "%llu object%s go%s back to their slabs on node %llu.", n, plural(n), n == 1 ? "es" : "", slab);
	case EV_shared_get:
		return say(w, "%llu object%s come from node %llu's shared array.", n, plural(n), slab);
	case EV_shared_put:
		return say(w, "%llu object%s go%s to node %llu's shared array.", n, plural(n), n == 1 ? "es" : "", slab);
	case EV_grown:
		return say(w, "A new slab, S%llu of order %llu, joins its node's lists.", slab, n);
	case EV_nodeallocs:
		return say(w, "The object comes straight from node %llu's slabs, past all arrays.", n);
	case EV_remotefrees:
		return say(w, "The object is of node %llu: it waits in the array for that node.", n);
	case EV_alienoverflow:
		return say(w, "That array, for node %llu, was full with %llu objects: they go home.", slab, n);
	default:
		return false;
	}
}

static bool sheaf_words(struct words *w)
{
	ull slab = f(w, 0);

	switch (w->s->event) {
	case EV_alloc_cpu_sheaf:
		return say(w, "The newest object of the sheaf is taken.");
	case EV_free_cpu_sheaf:
		return say(w, "The object goes into the sheaf: it will be the next taken.");
	case EV_free_rcu_sheaf:
		return say(w, "The object goes into the CPU's sheaf for frees after a grace period, which is detached when it is full.");
	case EV_free_rcu_sheaf_fail:
		return say(w, "There is no sheaf for frees after a grace period, nor memory for one.");
	case EV_sheaf_prefill_fast:
		return say(w, "The CPU's spare sheaf is handed out, with %llu object%s.", slab, plural(slab));
	case EV_sheaf_prefill_slow:
		return say(w, "The CPU has no spare sheaf: the barn is asked.");
	case EV_sheaf_prefill_oversize:
		return say(w, "A sheaf for %llu object%s is made: no sheaf of the cache holds so many.", slab, plural(slab));
	case EV_sheaf_return_fast:
		return say(w, "The sheaf, with %llu object%s, becomes the CPU's spare one.", slab, plural(slab));
	case EV_sheaf_return_slow:
		return say(w, "The sheaf comes back with %llu object%s to a CPU that has a spare one, or to a store that drains.", slab, plural(slab));
	case EV_free_deferred:
		return say(w, "The object stays as it is until every CPU was between two ops; then it is freed.");
	case EV_sheaf_refill:
		return say(w, "A sheaf is filled with %llu objects of slabs.", slab);
	case EV_sheaf_flush:
		return say(w, "%llu object%s of a sheaf go%s back to their slabs.", slab, plural(slab), slab == 1 ? "es" : "");
	case EV_barn_get:
		return say(w, "Node %llu's barn gives a full sheaf for the empty one.", slab);
	case EV_barn_get_fail:
		return say(w, "Node %llu's barn has no full sheaf.", slab);
	case EV_barn_put:
		return say(w, "A full sheaf goes to node %llu's barn, an empty one is used instead.", slab);
	case EV_barn_put_fail:
		return say(w, "Node %llu's barn takes no full sheaf.", slab);
	default:
		return false;
	}
}

static bool slqb_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_alloc:
		return say(w, "An object is given out.");
	case EV_free:
		return say(w, "The object goes in front of the CPU's list, if it is of this node.");
	case EV_alloc_slab_fill:
		return say(w, "The list is empty: one object of slab S%llu is taken.", slab);
	case EV_alloc_slab_new:
		return say(w, "A new slab, S%llu of order %llu, is this list's from now on.", slab, n);
	case EV_flush_free_list:
		return say(w, "The list is too long: its newest %llu object%s leave%s it.", n, plural(n), n == 1 ? "s" : "");
	case EV_flush_rfree_list:
		return say(w, "%llu object%s of another list's slabs are sent to it.", n, plural(n));
	case EV_claim_remote_list:
		return say(w, "%llu object%s that others sent are taken over.", n, plural(n));
	default:
		return false;
	}
}

bool slab_event_words(struct words *w)
{
	return alloc_words(w) || free_words(w) || lists_words(w) || call_words(w) || array_words(w) || sheaf_words(w) ||
	       slqb_words(w);
}

/* ---- what was met ---- */

static bool store_words(struct words *w)
{
	const char *name = f(w, 0) ? cache_name(w->lab, (uint32_t)f(w, 0)) : NULL;

	if (!name || !*name)
		return say(w, "The object is of store #%llu, which no cache uses any more.", f(w, 1));
	if (!f(w, 2))
		return say(w, "The object is of store #%llu, which %s (%llu bytes) has left.", f(w, 1), name, f(w, 3));
	if (f(w, 2) == 1)
		return say(w, "%s (%llu bytes) has store #%llu to itself.", name, f(w, 3), f(w, 1));
	return say(w, "%s (%llu bytes) shares store #%llu with %llu other cache%s.", name, f(w, 3), f(w, 1), f(w, 2) - 1,
		   plural(f(w, 2) - 1));
}

static bool freed_words(struct words *w)
{
	const char *was = f(w, 3) ? "it was some CPU's" : f(w, 4) ? "it was full, on no list" : "it was on its node's partial list";

	return say(w, "S%llu now has %llu of %llu in use; before, %s.", f(w, 0), f(w, 1), f(w, 2), was);
}

static bool surplus_words(struct words *w)
{
	if (f(w, 3) && f(w, 4) == DISCARD_LT && f(w, 1) < f(w, 2))
		return say(w, "S%llu is empty, and its last object came back: it goes, whatever node %llu's partial list has.",
			   f(w, 5), f(w, 0));
	return say(w, "S%llu is empty: node %llu's partial list has %llu slab%s and keeps %llu, so it %s.", f(w, 5), f(w, 0),
		   f(w, 1), plural(f(w, 1)), f(w, 2), f(w, 3) ? "goes" : "stays");
}

/* What the CPU has. */
static bool had_words(struct words *w)
{
	switch (w->s->event) {
	case NOTE_freelist_had:
		return say(w, "The CPU's freelist has %llu object%s, of its slab S%llu.", f(w, 0), plural(f(w, 0)), f(w, 1));
	case NOTE_first_taken:
		return say(w, "S%llu is the CPU's: its first object is taken, %llu stay%s on the CPU's freelist.", f(w, 0), f(w, 1),
			   f(w, 1) == 1 ? "s" : "");
	case NOTE_own_slab:
		return say(w, "Its slab S%llu has %llu of %llu in use.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_no_own_slab:
		return say(w, "cpu%llu has no slab of this store.", f(w, 0));
	case NOTE_chain_had:
		if (!f(w, 1))
			return say(w, "cpu%llu's own partial list is empty.", f(w, 0));
		return say(w, "cpu%llu's own partial list has %llu slab%s.", f(w, 0), f(w, 1), plural(f(w, 1)));
	case NOTE_array_had:
		return say(w, "cpu%llu's array has %llu of %llu objects.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_sheaf_had:
		return say(w, "cpu%llu's main sheaf has %llu of %llu objects.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_slqb_had:
		return say(w, "cpu%llu's list has %llu object%s; above %llu it gives some up.", f(w, 0), f(w, 1), plural(f(w, 1)),
			   f(w, 2));
	case NOTE_frozen_by:
		return say(w, "S%llu %s cpu%llu.", f(w, 0), f(w, 2) ? "waits on the partial list of" : "is the slab of", f(w, 1));
	case NOTE_flushing:
		return say(w, "cpu%llu is flushed.", f(w, 0));
	case NOTE_given_up:
		return say(w, "The CPU gives up S%llu with %llu free object%s in hand: %llu of %llu stay in use.", f(w, 0),
			   f(w, 1), plural(f(w, 1)), f(w, 2), f(w, 3));
	case NOTE_chain_filled:
		return say(w, "%llu slab%s more went to the CPU's partial list.", f(w, 0), plural(f(w, 0)));
	case NOTE_chain_limit:
		return say(w, "cpu%llu's partial list has %llu %s%s, its limit is %llu: %s.", f(w, 3), f(w, 0),
			   f(w, 4) ? "free object" : "slab", plural(f(w, 0)), f(w, 1),
			   !f(w, 2) ? "there is room" : f(w, 4) ? "its slabs make room" : "all of them make room");
	default:
		return false;
	}
}

/* What its node has, and what is asked of it. */
static bool node_words(struct words *w)
{
	switch (w->s->event) {
	case NOTE_shared_had:
		return say(w, "Node %llu's shared array has %llu of %llu objects.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_refill_wants:
		return say(w, "Up to %llu object%s are to come%s.", f(w, 0), plural(f(w, 0)),
			   f(w, 1) ? "" : ", as the array was not used lately");
	case NOTE_list_had:
		return say(w, "S%llu has %llu of %llu objects out of it.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_slab_had:
		return say(w, "S%llu has %llu of %llu free; %llu slab%s stay%s on the list it came from.", f(w, 0), f(w, 1),
			   f(w, 2), f(w, 3), plural(f(w, 3)), f(w, 3) == 1 ? "s" : "");
	case NOTE_node_had:
		if (!f(w, 1))
			return say(w, "Node %llu's partial list is empty.", f(w, 0));
		return say(w, "Node %llu's partial list has %llu slab%s.", f(w, 0), f(w, 1), plural(f(w, 1)));
	case NOTE_node_passed:
		return say(w, "Node %llu is passed over: it has %llu partial slab%s and keeps %llu for itself.", f(w, 0),
			   f(w, 1), plural(f(w, 1)), f(w, 2));
	case NOTE_nodes_drawn:
		return say(w, "Other nodes are not asked for partial slabs: the draw was against it.");
	case NOTE_nodes_off:
		return say(w, "Other nodes are not asked for partial slabs.");
	case NOTE_pages_asked:
		return say(w, "%s a block of order %llu, for %llu object%s, is asked of the page layer.",
			   f(w, 3) == 2 ? "That failed; now" : "A new slab is needed:", f(w, 0), f(w, 1), plural(f(w, 1)));
	case NOTE_shuffled:
		return say(w, "S%llu's %llu objects stand on its freelist in the store's random order, from place %llu of it on.",
			   f(w, 0), f(w, 1), f(w, 2));
	case NOTE_placing:
		return say(w, "S%llu (%llu of %llu in use) is to join a node's partial list, which has %llu slab%s.", f(w, 0),
			   f(w, 1), f(w, 2), f(w, 5), plural(f(w, 5)));
	default:
		return false;
	}
}

bool slab_note_words(struct words *w)
{
	switch (w->s->event) {
	case NOTE_cache_store:
		return store_words(w);
	case NOTE_freed_into:
		return freed_words(w);
	case NOTE_surplus:
		return surplus_words(w);
	default:
		return had_words(w) || node_words(w);
	}
}
