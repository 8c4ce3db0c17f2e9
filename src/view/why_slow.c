/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow path in plain words: what was tried, and at the end what each zone lacked and who would have got in. */
#include "view/why.h"

#include <stdarg.h>
#include <stdio.h>

typedef unsigned long long ull;

/* As enum compact_result and enum compact_priority have them. */
static const char *const results[] = {
	"skipped: too little is free, or it would not help", "put off: it failed here lately", "not at its end",
	"through the whole zone, without success", "through the rest of the zone, without success", "disturbed", "successful",
};
static const char *const modes[] = { "fully synchronous", "lightly synchronous", "asynchronous" };

#define NAME(table, i) ((i) < ARRAY_SIZE(table) ? (table)[i] : "?")

static bool __printf_like(2, 3) say(char *buf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, WHY_TEXT, fmt, ap);
	va_end(ap);
	return true;
}

static ull f(const struct step *s, unsigned int i)
{
	return step_field(s, i);
}

static bool terms_words(const struct step *s, char *buf)
{
	char boost[48] = "", rights[80] = "", reserved[64] = "", kept[64] = "", size[48] = "";

	if (f(s, 1))
		snprintf(boost, sizeof(boost), " (boosted by %llu)", f(s, 1));
	if (f(s, 2) != f(s, 0))
		snprintf(rights, sizeof(rights), ", of which this request heeds %llu", f(s, 2));
	if (f(s, 3))
		snprintf(kept, sizeof(kept), " + %llu kept from requests that could go higher", f(s, 3));
	if (f(s, 4))
		snprintf(reserved, sizeof(reserved), " + %llu set aside (HighAtomic)", f(s, 4));
	if (f(s, 5))
		snprintf(size, sizeof(size), " + %llu of its own size", f(s, 5));
	return say(buf, "That is a mark of %llu%s%s%s%s%s.", f(s, 0), boost, rights, kept, reserved, size);
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

static bool left_words(const struct step *s, const char *zone, char *buf)
{
	char block[24], drain[120] = "", reclaim[80] = "";
	ull need = f(s, 4), free = f(s, 0);

	if (f(s, 1))
		snprintf(drain, sizeof(drain), " %llu more lie on CPUs' lists: a drain would%s bring it above the mark.", f(s, 1),
			 free + f(s, 1) > need ? "" : " not");
	if (f(s, 2))
		snprintf(reclaim, sizeof(reclaim), " %llu could still be reclaimed.", f(s, 2));
	return say(buf, "At the end %s has %llu pages free (more than %llu needed), largest block for this request: %s.%s%s", zone, free,
		   need, largest(f(s, 3), block, sizeof(block)), drain, reclaim);
}

static const char *gets_in(const struct step *s, ull need)
{
	return f(s, 3) > need && f(s, 4) > f(s, 5) ? "enough" : f(s, 4) > f(s, 5) ? "too few" : "no such block";
}

static bool rights_words(const struct step *s, char *buf)
{
	return say(buf, "With GFP_KERNEL more than %llu would have to be free (%s), with __GFP_HIGH %llu (%s), with GFP_ATOMIC %llu (%s); "
		   "__GFP_MEMALLOC heeds no mark (%s).", f(s, 0), gets_in(s, f(s, 0)), f(s, 1), gets_in(s, f(s, 1)), f(s, 2),
		   gets_in(s, f(s, 2)), f(s, 4) > f(s, 5) ? "enough" : "no such block");
}

static bool lab_words(const struct step *s, char *buf)
{
	switch (s->event) {
	case EV_slowpath:
		return say(buf, "No zone is above its low mark: the slow path begins.");
	case EV_slowpath_retry:
		return say(buf, "There is hope: once more from the waking of kswapd on.");
	case EV_kswapd_wake_request:
		return say(buf, "kswapd of node %llu is to know that order %llu is wanted.", f(s, 0), f(s, 1));
	case EV_kswapd_wake_done:
		return say(buf, "It slept and is woken: it runs after this request.");
	case EV_mm_vmscan_direct_reclaim_begin:
		return say(buf, "The request reclaims for itself, 32 pages or more.");
	case EV_pgscan_direct_throttle:
		return say(buf, "So little is free that kswapd goes first.");
	case EV_drain_all:
		return say(buf, "The page lists of all CPUs are emptied: %llu pages.", f(s, 0));
	case EV_mm_compaction_suitable:
		return say(buf, "Compaction of zone %llu for order %llu: %s.", f(s, 0), f(s, 1),
			   f(s, 2) == 2 ? "it makes sense" : NAME(results, f(s, 2)));
	case EV_mm_compaction_deferred:
		return say(buf, "Compaction of zone %llu is put off: it failed here lately.", f(s, 0));
	case EV_mm_compaction_migratepages:
		return say(buf, "Compaction moved %llu pages.", f(s, 0));
	case EV_mm_compaction_end:
		return say(buf, "Its scanners stand at 0x%llx and 0x%llx: %s.", f(s, 0), f(s, 1), NAME(results, f(s, 2)));
	case EV_reclaim_retry_zone:
		return say(buf, "%s", f(s, 2) ? "If all that can be reclaimed were, a zone would do: on with it."
					      : "Even if all that can be reclaimed were, no zone would do.");
	case EV_compact_retry:
		return say(buf, "%s", f(s, 2) ? "Compaction may try once more." : "More compaction would not help.");
	case EV_oom_kill:
		return say(buf, "Memory has run out: a kernel would kill a process here.");
	default:
		return false;
	}
}

static bool zone_event_words(const struct step *s, const char *zone, char *buf)
{
	switch (s->event) {
	case EV_watermark_boost:
		return say(buf, "Types are mixed: the marks of %s are raised by %llu until kswapd has freed as much.", zone, f(s, 0));
	case EV_highatomic_reserve:
		return say(buf, "The pageblock of 0x%llx is set aside for urgent requests of high order.", f(s, 0));
	case EV_highatomic_unreserve:
		return say(buf, "The pageblock of 0x%llx is no longer set aside: %llu free pages more.", f(s, 0), f(s, 2));
	default:
		return false;
	}
}

bool why_slow_words(const struct step *s, const char *zone, char buf[WHY_TEXT])
{
	switch (s->event) {
	case NOTE_mark_terms:
		return terms_words(s, buf);
	case NOTE_zone_left:
		return left_words(s, zone, buf);
	case NOTE_zone_rights:
		return rights_words(s, buf);
	case NOTE_compacted:
		return say(buf, "Compaction for order %llu, %s: %s.", f(s, 0), NAME(modes, f(s, 1)), NAME(results, f(s, 2)));
	case NOTE_reclaimed:
		return f(s, 0) ? say(buf, "Reclaim took %llu pages away.", f(s, 0)) : say(buf, "Reclaim found nothing to take away.");
	case NOTE_gave_up:
		return say(buf, "The last hope was %s.", f(s, 0) < STEP_NR ? slow_step_words[f(s, 0)] : "?");
	default:
		return s->event < EV_PAGE_NR ? zone_event_words(s, zone, buf) : lab_words(s, buf);
	}
}
