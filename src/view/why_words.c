/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps in plain words: one sentence each, with the figures met. */
#include "view/why.h"

#include <stdarg.h>

#include "base/units.h"
#include "slab/read.h"
#include "view/look.h"

typedef unsigned long long ull;

struct words {
	struct lab *lab;
	const struct step *s;
	char *buf;
	char zone[32];
};

static bool __printf_like(2, 3) say(struct words *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->buf, WHY_TEXT, fmt, ap);
	va_end(ap);
	return true;
}

static ull f(const struct words *w, unsigned int i)
{
	return step_field(w->s, i);
}

void why_zone(struct lab *lab, unsigned int zone, char *buf, size_t size)
{
	struct zone_figures z;

	if (zone >= lab->nr_zones) {
		snprintf(buf, size, "no zone");
		return;
	}
	zone_figures(lab, zone, false, &z);
	if (lab->nr_nodes > 1)
		snprintf(buf, size, "N%u %s", z.node, zone_kind_names[z.kind]);
	else
		snprintf(buf, size, "%s", zone_kind_names[z.kind]);
}

static const char *mark_name(ull mark)
{
	static const char *const names[] = { "min", "low", "high" };

	return mark < ARRAY_SIZE(names) ? names[mark] : "?";
}

static const char *type(ull t)
{
	return mtype_name((unsigned int)t);
}

/* ---- pages ---- */

static bool mark_words(struct words *w)
{
	char kept[80] = "", size[48] = "";

	if (f(w, 3))
		snprintf(kept, sizeof(kept), ", %llu kept from requests that could go higher", f(w, 3));
	if (f(w, 5))
		snprintf(size, sizeof(size), ", and the block's own size");
	switch (f(w, 4)) {
	case MARK_TOO_FEW:
		return say(w, "%s is passed over: %llu pages are free, and more than %llu have to be (the %s mark%s%s).",
			   w->zone, f(w, 2), f(w, 1), mark_name(f(w, 0)), kept, size);
	case MARK_NO_BLOCK:
		return say(w, "%s is passed over: %llu pages are free, which is more than the %llu needed, but too few of them lie together for order %llu.",
			   w->zone, f(w, 2), f(w, 1), f(w, 5));
	default:
		return say(w, "%s may serve: %llu pages are free, more than the %llu that have to be (the %s mark%s%s).",
			   w->zone, f(w, 2), f(w, 1), mark_name(f(w, 0)), kept, size);
	}
}

static bool again_words(struct words *w)
{
	ull rights = f(w, 1);

	return say(w, "The zones are walked again, down to the %s mark%s%s%s.", mark_name(f(w, 0)),
		   rights & RIGHT_ALL ? " and below it: the request may use all there is" : "",
		   rights & RIGHT_HALF ? ", half of which this request may use" : "",
		   rights & RIGHT_NO_WAIT ? "; it cannot wait" : "");
}

static bool bypass_words(struct words *w)
{
	switch (f(w, 1)) {
	case BYPASS_LOCK:
		return say(w, "The CPU's page lists are in use just now: past them.");
	case BYPASS_DISABLED:
		return say(w, "CPU page lists are off: straight to the buddy lists of %s.", w->zone);
	default:
		return say(w, "CPU page lists hold no blocks of order %llu: straight to the buddy lists of %s.", f(w, 0),
			   w->zone);
	}
}

static bool pcp_list_words(struct words *w)
{
	unsigned int list = (unsigned int)f(w, 0);

	if (!f(w, 1))
		return say(w, "The CPU's list for order %u %s in %s is empty (its lists hold %llu pages in all).",
			   pcp_list_order(list), pcp_list_type(list), w->zone, f(w, 2));
	return say(w, "The CPU's list for order %u %s in %s has %llu block%s: the first, freed last, is taken.",
		   pcp_list_order(list), pcp_list_type(list), w->zone, f(w, 1), plural(f(w, 1)));
}

static bool found_words(struct words *w)
{
	ull found = f(w, 1), order = f(w, 2);
	char empty[48];

	if (found == order + 1)
		snprintf(empty, sizeof(empty), "order %llu is empty", order);
	else
		snprintf(empty, sizeof(empty), "orders %llu to %llu are empty", order, found - 1);
	return say(w, "Buddy lists of %s, %s: %s; order %llu has the block 0x%llx, which is cut.", w->zone,
		   type(f(w, 3)), empty, found, f(w, 0));
}

static bool fallback_none_words(struct words *w)
{
	switch (f(w, 2)) {
	case FALLBACK_OFF:
		return say(w, "Blocks of other types are not taken.");
	case FALLBACK_WHOLE:
		return say(w, "No whole pageblock of another type is free, and less than that would mix types.");
	default:
		return say(w, "No other type has a block of order %llu or more to give.", f(w, 0));
	}
}

static bool choice_words(struct words *w)
{
	return say(w, "%s has none, so %s gives its %s block of order %llu, 0x%llx%s.", type(f(w, 3)), type(f(w, 2)),
		   f(w, 4) ? "largest" : "smallest", f(w, 1), f(w, 0),
		   f(w, 4) ? ", and what is free beside it goes along" : "");
}

static bool drain_size_words(struct words *w)
{
	return say(w, "The CPU's lists now hold %llu pages, at or above the limit of %llu: %llu go back.", f(w, 1),
		   f(w, 2), f(w, 0));
}

static bool page_event_words(struct words *w)
{
	switch (w->s->event) {
	case EV_mm_page_alloc:
		return say(w, "Block 0x%llx of order %llu is handed out, as %s.", f(w, 0), f(w, 1), type(f(w, 2)));
	case EV_mm_page_free:
		return say(w, "Block 0x%llx of order %llu comes back.", f(w, 0), f(w, 1));
	case EV_mm_page_alloc_zone_locked:
		return say(w, "Block 0x%llx of order %llu leaves the buddy lists of %s%s.", f(w, 0), f(w, 1), w->zone,
			   f(w, 2) ? ", for the CPU's list" : "");
	case EV_mm_page_pcpu_drain:
		return say(w, "Block 0x%llx of order %llu has left the CPU's list, coldest first.", f(w, 0), f(w, 1));
	case EV_buddy_split:
		return say(w, "The half 0x%llx of order %llu stays free (%s).", f(w, 0), f(w, 1), type(f(w, 2)));
	case EV_buddy_merge:
		return say(w, "Its buddy is free too: together they are block 0x%llx of order %llu.", f(w, 0), f(w, 1));
	case EV_buddy_local_free:
		return say(w, "Block 0x%llx of order %llu stays as it is, in front of its list: it is the next to be handed out.",
			   f(w, 0), f(w, 1));
	case EV_buddy_global_free:
		return say(w, "Block 0x%llx goes to the tail of the list for order %llu, free for its buddy to merge with.",
			   f(w, 0), f(w, 1));
	case EV_buddy_merge_avoided:
		return say(w, "Its buddy is free too; together they would be block 0x%llx of order %llu.",
			   f(w, 0) & ~((1ULL << f(w, 1)) - 1), f(w, 1));
	case EV_lazy_flush:
		return say(w, "No block is large enough: %llu pages of delayed blocks below order %llu are merged first.", f(w, 0),
			   f(w, 1));
	case EV_fair_skip:
		return say(w, "%s has given its part of this round: it is passed over.", w->zone);
	case EV_fair_reset:
		return say(w, "A new round begins: the zones have full batches again.");
	case EV_buddy_to_tail:
		return say(w, "Block 0x%llx of order %llu is about to find a larger whole: it shall be used last.", f(w, 0),
			   f(w, 1));
	case EV_mm_page_alloc_extfrag:
		return say(w, "Block 0x%llx of another type now serves order %llu %s.", f(w, 0), f(w, 1), type(f(w, 2)));
	case EV_block_claim:
		return say(w, "The pageblock of 0x%llx becomes %s, with its %llu free pages.", f(w, 0), type(f(w, 1)),
			   f(w, 2));
	case EV_block_mixed_steal:
		return say(w, "The %llu free pages in the pageblock of 0x%llx go over to %s; the pageblock keeps its type.",
			   f(w, 2), f(w, 0), type(f(w, 1)));
	case EV_pcp_refill:
		return say(w, "One hold of the zone lock put %llu block%s on the CPU's list for order %u %s.", f(w, 1),
			   plural(f(w, 1)), pcp_list_order((unsigned int)f(w, 0)), pcp_list_type((unsigned int)f(w, 0)));
	case EV_pcp_bulk_free:
		return say(w, "One hold of the zone lock took %llu page%s back to the buddy lists of %s.", f(w, 1),
			   plural(f(w, 1)), w->zone);
	case EV_pcp_bypass:
		return bypass_words(w);
	case EV_nofragment_retry:
		return say(w, "No near zone could serve without mixing types: the walk begins again, willing to mix.");
	case EV_zonelist_scan:
		return say(w, "Zones are tried from %s on.", w->zone);
	case EV_numa_miss:
		return say(w, "The block came from node %llu though another was wanted.", f(w, 0));
	default:
		return false;
	}
}

static bool page_note_words(struct words *w)
{
	char gfp[GFP_TEXT_MAX];

	switch (w->s->event) {
	case NOTE_request:
		gfp_print((uint32_t)f(w, 1), gfp, sizeof(gfp));
		return say(w, "A block of order %llu (%llu page%s) is asked for: %s, so %s; zones up to %s, node %llu first.",
			   f(w, 0), 1ULL << f(w, 0), plural(1ULL << f(w, 0)), gfp, type(f(w, 2)),
			   zone_kind_names[f(w, 3) % ZONE_KINDS], f(w, 5));
	case NOTE_mark_seen:
		return mark_words(w);
	case NOTE_walk_again:
		return again_words(w);
	case NOTE_remote_stop:
		return say(w, "%s is on another node: first the near ones once more, willing to mix types.", w->zone);
	case NOTE_pcp_list:
		return pcp_list_words(w);
	case NOTE_pcp_wants:
		return say(w, "So a batch of %llu block%s of order %llu is to be fetched at once.", f(w, 1), plural(f(w, 1)),
			   f(w, 3));
	case NOTE_block_found:
		return found_words(w);
	case NOTE_none_free:
		return say(w, "Buddy lists of %s, %s: order %llu and all above are empty.", w->zone, type(f(w, 1)), f(w, 0));
	case NOTE_fallback_none:
		return fallback_none_words(w);
	case NOTE_fallback_choice:
		return choice_words(w);
	case NOTE_steal_share:
		return say(w, "Of the pageblock %llu pages are free and %llu count as like-minded; %llu make the block %s.",
			   f(w, 0), f(w, 1), f(w, 2), type(f(w, 3)));
	case NOTE_buddy_put:
		return say(w, "Block 0x%llx goes to the %s of the list for order %llu %s in %s.", f(w, 0),
			   f(w, 3) ? "tail" : "head", f(w, 1), type(f(w, 2)), w->zone);
	case NOTE_lazy_free:
		return say(w, "Of order %llu %llu blocks are in use or cut and %llu are delayed: %s.", f(w, 1), f(w, 2), f(w, 3),
			   f(w, 4) == PACE_LAZY ? "the order is in steady use, nothing merges" :
			   f(w, 4) == PACE_RECLAIMING ? "demand falls, this block may merge" :
							"demand falls fast, this block and a delayed one may merge");
	case NOTE_lazy_due:
		return say(w, "The oldest delayed block of order %llu, 0x%llx, is due as well.", f(w, 1), f(w, 0));
	case NOTE_pcp_put:
		return say(w, "It is put on the CPU's list for order %u %s: the lists hold %llu pages now (limit %llu).",
			   pcp_list_order((unsigned int)f(w, 0)), pcp_list_type((unsigned int)f(w, 0)), f(w, 1), f(w, 2));
	case NOTE_pcp_drain_size:
		return drain_size_words(w);
	default:
		return false;
	}
}

/* ---- slabs ---- */

static bool slab_event_words(struct words *w)
{
	ull slab = f(w, 0), n = f(w, 1);

	switch (w->s->event) {
	case EV_alloc_fastpath:
		return say(w, "Its first object is taken.");
	case EV_alloc_slowpath:
		return say(w, "The CPU's freelist of store #%llu is empty: the slow path.", slab);
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
	case EV_alloc_from_partial:
		return say(w, "The first slab of node %llu's partial list, S%llu, becomes the CPU's.", n, slab);
	case EV_alloc_slab:
		return say(w, "A new slab, S%llu of order %llu, is made of them.", slab, n);
	case EV_alloc_refill:
		return say(w, "Others freed %llu object%s into S%llu meanwhile: the CPU takes them over.", n, plural(n), slab);
	case EV_alloc_node_mismatch:
		return say(w, "S%llu lies on node %llu, which is not the one asked for.", slab, n);
	case EV_free_slab:
		return say(w, "S%llu is given back to the page layer.", slab);
	case EV_cpuslab_flush:
		return say(w, "The CPU has flushed its slab S%llu.", slab);
	case EV_deactivate_full:
		return say(w, "S%llu has nothing free: it waits on no list.", slab);
	case EV_deactivate_empty:
		return say(w, "S%llu is empty and not kept.", slab);
	case EV_deactivate_remote_frees:
		return say(w, "Others freed %llu object%s into S%llu while it was the CPU's.", n, plural(n), slab);
	case EV_deactivate_bypass:
		return say(w, "S%llu is full and let go: full slabs wait on no list.", slab);
	case EV_order_fallback:
		return say(w, "S%llu has to do with order %llu.", slab, n);
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
	case EV_bulk_alloc_calls:
		return say(w, "%llu object%s are asked for in one call.", slab, plural(slab));
	case EV_bulk_free_calls:
		return say(w, "%llu object%s come back in one call.", slab, plural(slab));
	case EV_bulk_free_runs:
		return say(w, "%llu of them, of S%llu, are freed in one step.", n, slab);
	case EV_slab_discard:
		return say(w, "The empty slab S%llu is dropped.", slab);
	case EV_debug_errors:
		return say(w, "Checks of S%llu find %llu fault%s: reported, and mended where that can be done (dmesg).", slab, n,
			   plural(n));
	case EV_debug_slab_disabled:
		return say(w, "S%llu is trusted no more: it leaves its list for good, and %llu free object%s of it with it.", slab, n,
			   plural(n));
	case EV_debug_free_refused:
		return say(w, "The free was wrong and is not done: the object stays as it was.");
	case EV_cmpxchg_double_cpu_fail:
		return say(w, "The exchange on the CPU's freelist failed and is tried again.");
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
	case EV_alloc_cpu_sheaf:
		return say(w, "The newest object of the sheaf is taken.");
	case EV_free_cpu_sheaf:
		return say(w, "The object goes into the sheaf: it will be the next taken.");
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
	return say(w, "S%llu is empty: node %llu's partial list has %llu slab%s and keeps %llu, so it %s.", f(w, 5), f(w, 0),
		   f(w, 1), plural(f(w, 1)), f(w, 2), f(w, 3) ? "goes" : "stays");
}

static bool slab_note_words(struct words *w)
{
	switch (w->s->event) {
	case NOTE_cache_store:
		return store_words(w);
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
	case NOTE_shared_had:
		return say(w, "Node %llu's shared array has %llu of %llu objects.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_sheaf_had:
		return say(w, "cpu%llu's main sheaf has %llu of %llu objects.", f(w, 0), f(w, 1), f(w, 2));
	case NOTE_slqb_had:
		return say(w, "cpu%llu's list has %llu object%s; above %llu it gives some up.", f(w, 0), f(w, 1), plural(f(w, 1)),
			   f(w, 2));
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
	case NOTE_chain_filled:
		return say(w, "%llu slab%s more went to the CPU's partial list.", f(w, 0), plural(f(w, 0)));
	case NOTE_node_passed:
		return say(w, "Node %llu is passed over: it has %llu partial slab%s and keeps %llu for itself.", f(w, 0),
			   f(w, 1), plural(f(w, 1)), f(w, 2));
	case NOTE_nodes_off:
		return say(w, "Other nodes are not asked for partial slabs.");
	case NOTE_pages_asked:
		return say(w, "%s a block of order %llu, for %llu object%s, is asked of the page layer.",
			   f(w, 3) == 2 ? "That failed; now" : "A new slab is needed:", f(w, 0), f(w, 1), plural(f(w, 1)));
	case NOTE_freed_into:
		return freed_words(w);
	case NOTE_frozen_by:
		return say(w, "S%llu %s cpu%llu.", f(w, 0), f(w, 2) ? "waits on the partial list of" : "is the slab of", f(w, 1));
	case NOTE_chain_limit:
		return say(w, "cpu%llu's partial list has %llu slab%s, its limit is %llu: %s.", f(w, 3), f(w, 0), plural(f(w, 0)),
			   f(w, 1), f(w, 2) ? "all of them make room" : "there is room");
	case NOTE_surplus:
		return surplus_words(w);
	case NOTE_placing:
		return say(w, "S%llu (%llu of %llu in use) is to join a node's partial list, which has %llu slab%s.", f(w, 0),
			   f(w, 1), f(w, 2), f(w, 5), plural(f(w, 5)));
	case NOTE_flushing:
		return say(w, "cpu%llu is flushed.", f(w, 0));
	case NOTE_given_up:
		return say(w, "The CPU gives up S%llu with %llu free object%s in hand: %llu of %llu stay in use.", f(w, 0),
			   f(w, 1), plural(f(w, 1)), f(w, 2), f(w, 3));
	default:
		return false;
	}
}

static bool lab_event_words(struct words *w)
{
	char gfp[GFP_TEXT_MAX];

	switch (w->s->event) {
	case EV_bad_free:
		return say(w, "The address is no object and no block: nothing is freed.");
	case EV_free_wrong_cache:
		return say(w, "The object is of store #%llu, not of the cache named.", f(w, 1));
	case EV_kmalloc_large:
		return say(w, "%llu bytes are too large for a slab: they are whole pages of order %llu.", f(w, 0), f(w, 1));
	case EV_alloc_fail:
		gfp_print((uint32_t)f(w, 1), gfp, sizeof(gfp));
		return say(w, "No zone can serve order %llu for %s: the request fails.", f(w, 0), gfp);
	case EV_slab_alloc_fail:
		return say(w, "No slab can be made for store #%llu: the request fails.", f(w, 0));
	case EV_failslab_hits:
		return say(w, "Fault injection (failslab.*) lets this request for %llu bytes fail, before anything is tried.", f(w, 1));
	default:
		return false;
	}
}

bool why_words(struct lab *lab, const struct step *s, char buf[WHY_TEXT])
{
	struct words w = { lab, s, buf, "" };
	bool said;

	if (step_is_of_zone(s))
		why_zone(lab, s->where, w.zone, sizeof(w.zone));
	said = s->event < EV_PAGE_NR ? page_event_words(&w) : s->event < EV_SLAB_END ? slab_event_words(&w) :
	       s->event < EV_NR ? lab_event_words(&w) : step_is_of_zone(s) ? page_note_words(&w) : slab_note_words(&w);
	if (!said)
		said = why_slow_words(s, w.zone, buf);
	if (!said)
		say(&w, "%s", step_is_note(s) ? note_table[s->event - EV_NR].text : event_table[s->event].text);
	return said;
}
