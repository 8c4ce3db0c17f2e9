/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps in plain words, one sentence each, with the figures met: those of pages and of the lab. */
#include "view/words.h"

#include "base/units.h"
#include "view/look.h"

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

/* Blocks, and the buddy lists. */
static bool block_event_words(struct words *w)
{
	switch (w->s->event) {
	case EV_mm_page_alloc:
		return say(w, "Block 0x%llx of order %llu is handed out, as %s.", f(w, 0), f(w, 1), type(f(w, 2)));
	case EV_mm_page_free:
		return say(w, "Block 0x%llx of order %llu comes back.", f(w, 0), f(w, 1));
	case EV_mm_page_alloc_zone_locked:
		return say(w, "Block 0x%llx of order %llu leaves the buddy lists of %s%s.", f(w, 0), f(w, 1), w->zone,
			   f(w, 2) ? ", for the CPU's list" : "");
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
	default:
		return false;
	}
}

static bool page_event_words(struct words *w)
{
	switch (w->s->event) {
	case EV_mm_page_pcpu_drain:
		return say(w, "Block 0x%llx of order %llu has left the CPU's list, coldest first.", f(w, 0), f(w, 1));
	case EV_lazy_flush:
		return say(w, "No block is large enough: %llu pages of delayed blocks below order %llu are merged first.", f(w, 0),
			   f(w, 1));
	case EV_fair_skip:
		return say(w, "%s has given its part of this round: it is passed over.", w->zone);
	case EV_fair_reset:
		return say(w, "A new round begins: the zones have full batches again.");
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
		return block_event_words(w);
	}
}

static bool block_note_words(struct words *w)
{
	switch (w->s->event) {
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
	case NOTE_pcp_put:
		return say(w, "It is put on the CPU's list for order %u %s: the lists hold %llu pages now (limit %llu).",
			   pcp_list_order((unsigned int)f(w, 0)), pcp_list_type((unsigned int)f(w, 0)), f(w, 1), f(w, 2));
	case NOTE_pcp_drain_size:
		return drain_size_words(w);
	default:
		return block_note_words(w);
	}
}

/* ---- the lab ---- */

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
	case EV_fail_page_alloc_hits:
		return say(w, "Fault injection (fail_page_alloc.*) lets this request for a block of order %llu fail, before any zone is asked.", f(w, 0));
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

	if (event_is_of_zone(s->event))
		why_zone(lab, s->where, w.zone, sizeof(w.zone));
	said = s->event < EV_PAGE_NR ? page_event_words(&w) : s->event < EV_SLAB_END ? slab_event_words(&w) :
	       s->event < EV_NR ? lab_event_words(&w) : event_is_of_zone(s->event) ? page_note_words(&w) : slab_note_words(&w);
	if (!said)
		said = slow_words(&w);
	if (!said)
		say(&w, "%s", step_is_note(s) ? note_table[s->event - EV_NR].text : event_table[s->event].text);
	return said;
}
