/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow path in plain words: what was tried, and at the end what each zone lacked and who would have got in. */
#include "base/units.h"
#include "view/words.h"

/* As enum compact_result and enum compact_priority have them. */
static const char *const results[] = {
	"skipped: too little is free, or it would not help", "put off: it failed here lately", "not at its end",
	"through the whole zone, without success", "through the rest of the zone, without success", "disturbed", "successful",
};
static const char *const modes[] = { "fully synchronous", "lightly synchronous", "asynchronous" };

#define NAME(table, i) ((i) < ARRAY_SIZE(table) ? (table)[i] : "?")

static bool terms_words(struct words *w)
{
	char boost[48] = "", rights[80] = "", reserved[64] = "", kept[64] = "", size[48] = "";

	if (f(w, 1))
		snprintf(boost, sizeof(boost), " (boosted by %llu)", f(w, 1));
	if (f(w, 2) != f(w, 0))
		snprintf(rights, sizeof(rights), ", of which this request heeds %llu", f(w, 2));
	if (f(w, 3))
		snprintf(kept, sizeof(kept), " + %llu kept from requests that could go higher", f(w, 3));
	if (f(w, 4))
		snprintf(reserved, sizeof(reserved), " + %llu set aside (HighAtomic)", f(w, 4));
	if (f(w, 5))
		snprintf(size, sizeof(size), " + %llu of its own size", f(w, 5));
	return say(w, "That is a mark of %llu%s%s%s%s%s.", f(w, 0), boost, rights, kept, reserved, size);
}

/* "none", "order 2". */
static const char *largest(ull order_1, char *buf, size_t size)
{
	if (order_1)
		snprintf(buf, size, "order %llu", order_1 - 1);
	else
		snprintf(buf, size, "none");
	return buf;
}

static bool left_words(struct words *w)
{
	char block[24], drain[120] = "", reclaim[80] = "";
	ull need = f(w, 4), free = f(w, 0);

	if (f(w, 1))
		snprintf(drain, sizeof(drain), " %llu more lie on CPUs' lists: a drain would%s bring it above the mark.", f(w, 1),
			 free + f(w, 1) > need ? "" : " not");
	if (f(w, 2))
		snprintf(reclaim, sizeof(reclaim), " %llu could still be reclaimed.", f(w, 2));
	return say(w, "At the end %s has %llu pages free (more than %llu needed), largest block for this request: %s.%s%s", w->zone, free,
		   need, largest(f(w, 3), block, sizeof(block)), drain, reclaim);
}

static const char *gets_in(const struct words *w, ull need)
{
	return f(w, 3) > need && f(w, 4) > f(w, 5) ? "enough" : f(w, 4) > f(w, 5) ? "too few" : "no such block";
}

static bool rights_words(struct words *w)
{
	return say(w, "With GFP_KERNEL more than %llu would have to be free (%s), with __GFP_HIGH %llu (%s), with GFP_ATOMIC %llu (%s); "
		   "__GFP_MEMALLOC heeds no mark (%s).", f(w, 0), gets_in(w, f(w, 0)), f(w, 1), gets_in(w, f(w, 1)), f(w, 2),
		   gets_in(w, f(w, 2)), f(w, 4) > f(w, 5) ? "enough" : "no such block");
}

static bool lab_words(struct words *w)
{
	switch (w->s->event) {
	case EV_slowpath:
		return say(w, "No zone is above its low mark: the slow path begins.");
	case EV_slowpath_retry:
		return say(w, "There is hope: once more from the waking of kswapd on.");
	case EV_kswapd_wake_request:
		return say(w, "kswapd of node %llu is to know that order %llu is wanted.", f(w, 0), f(w, 1));
	case EV_kswapd_wake_done:
		return say(w, "It slept and is woken: it runs after this request.");
	case EV_mm_vmscan_direct_reclaim_begin:
		return say(w, "The request reclaims for itself, 32 pages or more.");
	case EV_pgscan_direct_throttle:
		return say(w, "So little is free that kswapd goes first.");
	case EV_drain_all:
		return say(w, "The page lists of all CPUs are emptied: %llu page%s.", f(w, 0), plural(f(w, 0)));
	case EV_mm_compaction_suitable:
		return say(w, "Compaction of zone %llu for order %llu: %s.", f(w, 0), f(w, 1),
			   f(w, 2) == 2 ? "it makes sense" : NAME(results, f(w, 2)));
	case EV_mm_compaction_deferred:
		return say(w, "Compaction of zone %llu is put off: it failed here lately.", f(w, 0));
	case EV_mm_compaction_migratepages:
		return say(w, "Compaction moved %llu page%s.", f(w, 0), plural(f(w, 0)));
	case EV_mm_compaction_end:
		return say(w, "Its scanners stand at 0x%llx and 0x%llx: %s.", f(w, 0), f(w, 1), NAME(results, f(w, 2)));
	case EV_reclaim_retry_zone:
		return say(w, "%s", f(w, 2) ? "If all that can be reclaimed were, a zone would do: on with it."
					      : "Even if all that can be reclaimed were, no zone would do.");
	case EV_compact_retry:
		return say(w, "%s", f(w, 2) ? "Compaction may try once more." : "More compaction would not help.");
	case EV_oom_kill:
		return say(w, "Memory has run out: a kernel would kill a process here.");
	default:
		return false;
	}
}

static bool zone_event_words(struct words *w)
{
	switch (w->s->event) {
	case EV_watermark_boost:
		return say(w, "Types are mixed: the marks of %s are raised by %llu until kswapd has freed as much.", w->zone, f(w, 0));
	case EV_highatomic_reserve:
		return say(w, "The pageblock of 0x%llx is set aside for urgent requests of high order.", f(w, 0));
	case EV_highatomic_unreserve:
		return say(w, "The pageblock of 0x%llx is no longer set aside: %llu free pages more.", f(w, 0), f(w, 2));
	default:
		return false;
	}
}

bool slow_words(struct words *w)
{
	switch (w->s->event) {
	case NOTE_mark_terms:
		return terms_words(w);
	case NOTE_free_drift:
		return say(w, "That count is off: really %llu are free. Each CPU adds what it changed only beyond %llu pages (zone.stat_drift).",
			   f(w, 1), f(w, 2));
	case NOTE_zone_left:
		return left_words(w);
	case NOTE_zone_rights:
		return rights_words(w);
	case NOTE_compacted:
		return say(w, "Compaction for order %llu, %s: %s.", f(w, 0), NAME(modes, f(w, 1)), NAME(results, f(w, 2)));
	case NOTE_shrunk:
		return say(w, "Shrinkers were to look at %llu cached objects and freed %llu: %llu page%s of slabs that became empty.",
			   f(w, 0), f(w, 1), f(w, 2), plural(f(w, 2)));
	case NOTE_reclaimed:
		return f(w, 0) ? say(w, "Reclaim took %llu page%s away.", f(w, 0), plural(f(w, 0))) :
		       f(w, 2) ? say(w, "Reclaim took nothing away: enough is free, compaction can do the rest.") :
				 say(w, "Reclaim found nothing to take away.");
	case NOTE_gave_up:
		return say(w, "The last hope was %s.", f(w, 0) < STEP_NR ? slow_step_words[f(w, 0)] : "?");
	default:
		return w->s->event < EV_PAGE_NR ? zone_event_words(w) : lab_words(w);
	}
}
