/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which policy decided a step, and what other values would have brought about.
 *
 * Only what follows from the step's own figures is said; where that depends on
 * more, nothing is.
 */
#include "view/why.h"

#include <string.h>

#include "base/units.h"
#include "policy/policy.h"

#define VALUE(c, ...) snprintf((c)->value, sizeof((c)->value), __VA_ARGS__)
#define OTHERWISE(c, ...) snprintf((c)->otherwise, sizeof((c)->otherwise), __VA_ARGS__)

static bool decided(struct choice *c, const char *policy)
{
	c->policy = policy;
	return true;
}

/* ---- slabs ---- */

static bool placing(const struct step *s, struct choice *c)
{
	enum partial_add value = (enum partial_add)step_field(s, 3);
	bool tail = partial_add_is_tail(value, step_field(s, 4), step_field(s, 1), step_field(s, 2));
	size_t used = 0;

	VALUE(c, "%s", value < PARTIAL_CRITERION ? partial_add_words[value] : "criterion");
	for (unsigned int v = 0; v < PARTIAL_CRITERION && value != PARTIAL_CRITERION; v++) {
		if (partial_add_is_tail((enum partial_add)v, step_field(s, 4), step_field(s, 1), step_field(s, 2)) == tail)
			continue;
		used += (size_t)snprintf(c->otherwise + used, sizeof(c->otherwise) - used, "%s%s", used ? ", " : "",
				 partial_add_words[v]);
	}
	if (used)
		snprintf(c->otherwise + used, sizeof(c->otherwise) - used, " would have chosen the %s", tail ? "head" : "tail");
	return decided(c, "slub.partial_add");
}

static bool chain_limit(const struct step *s, struct choice *c)
{
	ull had = step_field(s, 0), limit = step_field(s, 1), objects = step_field(s, 4);

	VALUE(c, "%llu %s%s", limit, objects ? "object" : "slab", plural(limit));
	if (step_field(s, 2))
		OTHERWISE(c, "a limit %s %llu would have kept them on the CPU", objects ? "of at least" : "above", had);
	else if (had)
		OTHERWISE(c, "a limit of %llu or less would have sent the list to the nodes first", objects ? had - 1 : had);
	else
		OTHERWISE(c, "off would have put the slab on its node's partial list");
	return decided(c, "slub.cpu_partial");
}

static bool chain_filled(const struct step *s, struct choice *c)
{
	ull more = step_field(s, 0), limit = step_field(s, 1), objects = step_field(s, 3);

	if (step_field(s, 2)) {
		VALUE(c, "%llu object%s, %llu were free", limit, plural(limit), objects);
		OTHERWISE(c, objects > limit / 2 ? "a limit of %llu or more would have taken further slabs if there were any" :
			  "the list had no more; a lower limit can take fewer", 2 * objects);
		return decided(c, "slub.cpu_partial");
	}
	VALUE(c, "%llu slab%s", limit, plural(limit));
	if (more > limit / 2)
		OTHERWISE(c, "a limit of %llu or more would have taken further slabs if there were any", 2 * more);
	else
		OTHERWISE(c, "the list had no more; a lower limit can take fewer");
	return decided(c, "slub.cpu_partial");
}

static bool surplus(const struct step *s, struct choice *c)
{
	ull slabs = step_field(s, 1), test = step_field(s, 4), beyond = test == DISCARD_GT;

	if (test == DISCARD_LT && step_field(s, 3) && slabs < step_field(s, 2)) {
		VALUE(c, "lt");
		OTHERWISE(c, "ge or gt would have kept the slab");
		return decided(c, "slub.discard_test");
	}
	VALUE(c, "%llu, discard_test %s", (ull)step_field(s, 2), test == DISCARD_LT ? "lt" : beyond ? "gt" : "ge");
	if (step_field(s, 3))
		OTHERWISE(c, "%llu or more would have kept the slab", beyond ? slabs : slabs + 1);
	else if (!beyond || slabs)
		OTHERWISE(c, "%llu or less would have given it back", beyond ? slabs - 1 : slabs);
	return decided(c, "slub.min_partial");
}

/* The least order is asked for, after the preferred one or at once. */
static bool asked_again(const struct step *s, struct choice *c)
{
	const struct policy_row *row = policy_find("slub.order_fallback");
	ull way = step_field(s, 5);

	if (way > (ull)row->max)
		return false;
	VALUE(c, "%s", row->words[way]);
	OTHERWISE(c, "%s", step_field(s, 3) == 3 ? "noretry would have asked for the preferred order first" :
		  way == ORDER_NORETRY ? "nokswapd would have left off reclaim and the waking of kswapd" :
		  "noretry would have tried reclaim, compaction and a drain first; none would have had the request fail here");
	return decided(c, row->name);
}

static bool pages_asked(const struct step *s, struct choice *c)
{
	ull order = step_field(s, 0), least = step_field(s, 2);

	if (step_field(s, 3) != 1)
		return asked_again(s, c);
	VALUE(c, "%llu", (ull)step_field(s, 4));
	if (order > least)
		OTHERWISE(c, "%llu would have asked for order %llu at once", least, least);
	else
		OTHERWISE(c, "no lower value would ask for less: order %llu is the least that holds an object", least);
	return decided(c, "slub.max_order");
}

static bool shared(const struct step *s, struct choice *c)
{
	if (step_field(s, 2) < 2)
		return false;
	VALUE(c, "on");
	OTHERWISE(c, "off would give each of these caches a store of its own");
	return decided(c, "slab.merge");
}

/* ---- pages ---- */

static bool mark(const struct step *s, struct choice *c)
{
	ull need = step_field(s, 1), free = step_field(s, 2), kept = step_field(s, 3), size = (1ULL << step_field(s, 5)) - 1;

	if (step_field(s, 4) != MARK_TOO_FEW)
		return false;
	if (kept && free > need - kept) {
		VALUE(c, "%llu pages kept", kept);
		OTHERWISE(c, "a larger ratio keeps less; 0 would have let the request in");
		return decided(c, "zone.lowmem_reserve_ratio");
	}
	VALUE(c, "a mark of %llu pages", need - kept - size);
	if (free > kept + size)
		OTHERWISE(c, "a lower one, with a mark below %llu pages, would have let the request in", free - kept - size);
	else
		OTHERWISE(c, "no value would have helped: more than %llu pages are needed without any mark", kept + size);
	return decided(c, "zone.min_free_kbytes");
}

static bool split(const struct step *s, struct choice *c)
{
	ull pfn = step_field(s, 0), rest = (1ULL << step_field(s, 1)) - (1ULL << step_field(s, 2));
	bool high = step_field(s, 4) != SPLIT_KEEP_LOW;

	VALUE(c, "%s", high ? "high" : "low");
	OTHERWISE(c, "%s would have kept the %s end, 0x%llx", high ? "low" : "high", high ? "lower" : "upper",
		  high ? pfn : pfn + rest);
	return decided(c, "buddy.split_keep");
}

static bool batch(const struct step *s, struct choice *c)
{
	VALUE(c, "%llu", (ull)step_field(s, 2));
	if (step_field(s, 1) > 1)
		OTHERWISE(c, "1 would have fetched one block alone, and taken the zone lock for each");
	else
		OTHERWISE(c, "a larger one would have fetched several under one hold of the zone lock");
	return decided(c, "pcp.batch");
}

static bool drain(const struct step *s, struct choice *c)
{
	ull count = step_field(s, 1), high = step_field(s, 2);

	if (!high)
		return false;	/* not the limit: a process gives its memory up */
	VALUE(c, "%llu", high);
	OTHERWISE(c, "above %llu they would have stayed with the CPU", count);
	return decided(c, "pcp.high");
}

static bool no_fallback(const struct step *s, struct choice *c)
{
	if (step_field(s, 2) == FALLBACK_OFF) {
		VALUE(c, "off");
		OTHERWISE(c, "on would have looked for a block of another type");
		return decided(c, "buddy.fallback");
	}
	if (step_field(s, 2) != FALLBACK_WHOLE)
		return false;
	VALUE(c, "on");
	OTHERWISE(c, "off would have taken less than a pageblock here");
	return decided(c, "zone.nofragment");
}

static bool took_fallback(struct choice *c)
{
	VALUE(c, "on");
	OTHERWISE(c, "off would have left the request without a block here");
	return decided(c, "buddy.fallback");
}

static bool bypass(const struct step *s, struct choice *c)
{
	ull order = step_field(s, 0);

	if (step_field(s, 1) == BYPASS_DISABLED) {
		VALUE(c, "off");
		OTHERWISE(c, "on would have gone by the CPU's list first");
		return decided(c, "pcp.enabled");
	}
	if (step_field(s, 1) != BYPASS_ORDER || order > 3)
		return false;
	VALUE(c, "below %llu", order);
	OTHERWISE(c, "%llu or more would have gone by the CPU's list first", order);
	return decided(c, "pcp.max_order");
}

static bool to_tail(const struct step *s, struct choice *c)
{
	if (!step_field(s, 3))
		return false;
	VALUE(c, "on");
	OTHERWISE(c, "off would have put it at the head");
	return decided(c, "buddy.free_to_tail");
}

/* What an eager free would have done is known of the buddy alone. */
static bool stayed(const struct step *s, struct choice *c)
{
	if (step_field(s, 4) != PACE_LAZY)
		return false;
	VALUE(c, "lazy");
	OTHERWISE(c, "eager would have merged it with its buddy, were that free");
	return decided(c, "buddy.coalesce");
}

static bool in_turns(struct choice *c)
{
	VALUE(c, "batch or lowcost");
	OTHERWISE(c, "off would have tried this zone, as the first that may serve");
	return decided(c, "zone.fair");
}

static bool nofragment(struct choice *c)
{
	VALUE(c, "on");
	OTHERWISE(c, "off would have been willing to mix at once");
	return decided(c, "zone.nofragment");
}

static bool ratio(struct choice *c)
{
	VALUE(c, "0");
	OTHERWISE(c, "above 0 would have looked at other nodes before making a slab");
	return decided(c, "slub.remote_node_defrag_ratio");
}

static bool lost_draw(struct choice *c)
{
	VALUE(c, "1 to 100");
	OTHERWISE(c, "more would have made it likelier that other nodes are looked at, though even 100 fails 23 times in 1024");
	return decided(c, "slub.remote_node_defrag_ratio");
}

static bool passed(const struct step *s, struct choice *c)
{
	ull slabs = step_field(s, 1);

	VALUE(c, "%llu", (ull)step_field(s, 2));
	if (slabs)
		OTHERWISE(c, "%llu or less would have taken a slab from there", slabs - 1);
	else
		OTHERWISE(c, "no value would have helped: the list is empty");
	return decided(c, "slub.min_partial");
}

bool why_choice(const struct step *s, struct choice *c)
{
	memset(c, 0, sizeof(*c));
	switch (s->event) {
	case NOTE_placing:		return placing(s, c);
	case NOTE_chain_limit:		return chain_limit(s, c);
	case NOTE_chain_filled:		return chain_filled(s, c);
	case NOTE_surplus:		return surplus(s, c);
	case NOTE_pages_asked:		return pages_asked(s, c);
	case NOTE_cache_store:		return shared(s, c);
	case NOTE_nodes_off:		return ratio(c);
	case NOTE_nodes_drawn:		return lost_draw(c);
	case NOTE_node_passed:		return passed(s, c);
	case NOTE_mark_seen:		return mark(s, c);
	case NOTE_block_found:		return split(s, c);
	case NOTE_pcp_wants:		return batch(s, c);
	case NOTE_pcp_drain_size:	return drain(s, c);
	case NOTE_fallback_none:	return no_fallback(s, c);
	case NOTE_fallback_choice:	return took_fallback(c);
	case NOTE_buddy_put:		return to_tail(s, c);
	case NOTE_lazy_free:		return stayed(s, c);
	case EV_fair_skip:		return in_turns(c);
	case NOTE_remote_stop:
	case EV_nofragment_retry:	return nofragment(c);
	case EV_pcp_bypass:		return bypass(s, c);
	default:			return false;
	}
}
