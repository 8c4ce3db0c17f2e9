/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table - the rows.
 *
 * In the order of the manual: lab and measuring, pages, slabs. A row offers
 * only values that some code obeys. Defaults are those of Linux 6.1.
 */
#include "policy/custom.h"

#define FIELD(type, member) \
	.field = offsetof(type, member), .bytes = (uint8_t)sizeof(((type *)0)->member)
#define IN_HEADER(member) .home = HOME_HEADER, FIELD(struct header, member)
#define IN_PAGE(member) .home = HOME_PAGE, FIELD(struct page_policy, member)
#define IN_SLAB(member) .home = HOME_SLAB, FIELD(struct slab_policy, member)
#define IN_STORE(member) .home = HOME_STORE, FIELD(struct store_policy, member)
#define CUSTOM(name) .type = POLICY_CUSTOM, .parse = name##_parse, .print = name##_print
#define WORDS(list) .type = POLICY_ENUM, .words = list, .min = 0, .max = (int)ARRAY_SIZE(list) - 2

#define BY_RULE(field_value, rule) .unset = (field_value), .by_rule = rule##_rule

#define NOW .effect = EFFECT_NOW, .effect_text
#define NEXT_USE .effect = EFFECT_NEXT_USE, .effect_text
#define SIZES .effect = EFFECT_SIZES, .page_change = PAGE_CHANGE_SIZES, .effect_text
#define DRAIN .effect = EFFECT_DRAIN, .page_change = PAGE_CHANGE_LISTS, .effect_text
#define QUEUE_LENGTH(least, most) .type = POLICY_AUTO_INT, .auto_value = QUEUE_AUTO, .min = (least), .max = (most), .def = "auto"
#define RESTORE .effect = EFFECT_RESTORE, .effect_text = \
	"at once, by a new store for each cache concerned; objects that are out stay where they are"
#define SHAPE .scope = SCOPE_SHAPE, .effect = EFFECT_SHAPE, .effect_text = \
	"when a lab is made: give it with --set, --boot or in the shape"

#define LINUX_6_1 "Linux 6.1"
#define LABS_OWN "the lab's own"

static const char *const story_words[] = { "auto", "on", "off", NULL };
static const char *const coalesce_words[] = { "eager", "lazy", NULL };
static const char *const lazy_rule_words[] = { "delay2", "watermark", NULL };
static const char *const pcp_model_words[] = { "none", "akpm16", "hotcold", "hotcold1", "types", "5.14", "6.1", "6.7", "6.18", NULL };
static const char *const fair_words[] = { "off", "batch", "lowcost", NULL };
static const char *const fair_pass_words[] = { "slowpath", "retry", NULL };
static const char *const split_words[] = { "low", "high", NULL };
static const char *const watermark_words[] = { "scale", "quarter", "triple", NULL };
static const char *const order_check_words[] = { "size", "halving", "freelist", NULL };
static const char *const order_fallback_words[] = { "noretry", "nowait", "nokswapd", "nopage", "freecount", "minorder", "none", NULL };
static const char *const era_words[] = { "2.5.9", "2.6.29", "3.2", "3.16", "4.2", "6.1", "6.18", NULL };
static const char *const fallback_rule_words[] = { "2.6.24", "4.0", "6.1", "6.15", NULL };
static const char *const highatomic_words[] = { "off", "reserve-block", "6.1", "6.7", NULL };
static const char *const lru_scope_words[] = { "node", "zone", NULL };
static const char *const slab_by_words[] = { "priority", "scanned", NULL };
static const char *const balance_words[] = { "any", "all", NULL };
static const char *const oom_words[] = { "fail", "evict", "stop", NULL };
static const char *const compact_priority_words[] = { "async", "sync_light", "sync_full", NULL };
static const char *const merge_words[] = { "auto", "on", "off", NULL };
static const char *const engine_words[] = { "slub", "slab", "slqb", "sheaves", NULL };
static const char *const bulk_form_words[] = { "fallback", "v4.3", "v4.4", "v5.18", "sheaves", NULL };
static const char *const fastpath_words[] = { "owner", "cmpxchg", NULL };
static const char *const discard_words[] = { "ge", "gt", "lt", NULL };
static const char *const unit_words[] = { "slabs", "objects", NULL };
static const char *const slab_era_words[] = { "2.6.24", "2.6.29", "3.1", "3.2", "4.2", "6.1", "6.8", "6.18", NULL };
static const char *const wrong_cache_words[] = { "free", "refuse", NULL };

static int64_t max_order_rule(const struct lab *lab, const struct store_policy *p)
{
	return slub_max_order_auto(lab, p);
}

static int64_t slabq_max_order_rule(const struct lab *lab, const struct store_policy *p)
{
	return slabq_max_order_auto(lab, p);
}

static int64_t max_class_rule(const struct lab *lab, const struct store_policy *p)
{
	return kmalloc_max_class_auto(lab, p);
}

const struct policy_row policy_table[] = {

/* ---- lab and measuring ---- */
{
	.name = "page.era", IN_PAGE(era), WORDS(era_words), .def = "6.1",
	SIZES = "watermarks are computed anew; all else at the next slow path",
	.source = "the kernels of these names",
	.text = "Rules of the page layer that no other policy names: what the slow path tries in which order and how often, who may go how far below a mark, where new anon pages begin, and what a zone Movable keeps free.",
	.detail = "To 4.2 a request of any order above 0 compacts before it reclaims, and the CPU's page lists are drained after it; "
		  "one of order 3 or less goes round as long as reclaim frees something, a larger one with __GFP_RETRY_MAYFAIL until as much was freed; "
		  "who cannot wait may go to three quarters of the min mark, later only with __GFP_HIGH, to three eighths; "
		  "anon pages begin active. To 2.6.29 all CPUs' page lists are drained after each reclaim for a large block, and only then. "
		  "6.18: __GFP_HIGH, to 6.2 __GFP_ATOMIC, takes a single page at the min mark without its boost; "
		  "zone Movable has no share in zone.min_free_kbytes, its min is a 1024th of it, 32 .. 128 pages (since 6.7); "
		  "vmstat and zoneinfo have the lines of 6.18.",
}, {
	.name = "lab.pageblock_order", IN_HEADER(shape.pageblock_order), SHAPE,
	.type = POLICY_INT, .min = 3, .max = MAX_PAGE_ORDER, .def = "9",
	.source = "Linux 6.1 on x86-64, where a pageblock is a huge page",
	.text = "Order of a pageblock: the run of pages that carries one migratetype.",
}, {
	.name = "lab.undo_mem", IN_HEADER(undo_mem), CUSTOM(undo_mem), .def = "1G", .range = "0 .. bytes",
	NEXT_USE = "next checkpoint; 0: no undo",
	.source = LABS_OWN,
	.text = "Memory of the host that the checkpoints for `undo` may take. The oldest go first.",
}, {
	.name = "event.counters", IN_HEADER(counters), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next operation of each CPU",
	.source = "Linux counts pages always and slab steps only where it is built with SLUB_STATS",
	.text = "Count events and locks. Off, the allocators run bare: lists and free pages stay exact, event and lock figures are errors.",
}, {
	.name = "event.story", IN_HEADER(story), WORDS(story_words), .def = "auto",
	NEXT_USE = "next operation of each CPU",
	.source = LABS_OWN,
	.text = "Which operations tell their steps to `why`: auto is those of commands, on is all, off is none.",
},

/* ---- pages: buddy lists ---- */
{
	.name = "buddy.coalesce", IN_PAGE(coalesce), WORDS(coalesce_words), .def = "eager",
	.page_change = PAGE_CHANGE_COALESCE, NOW = "at once; to eager merges every delayed block that is due",
	.source = "eager: Linux; lazy: System V (Lee and Barkley, 1988-1989), proposed for Linux in 2002",
	.text = "When freed buddies merge: at once, or only as fast as the demand for their order falls.",
}, {
	.name = "buddy.lazy_rule", IN_PAGE(lazy_rule), WORDS(lazy_rule_words), .def = "delay2",
	NEXT_USE = "next free",
	.source = "delay2: Lee and Barkley 1989, by slack; watermark: their form of 1988",
	.text = "How lazy coalescing tells that an order is in steady use.",
	.detail = "delay2: of the order's blocks so many more are in use than are delayed: two, then a freed block is kept; "
		  "one, then it merges; none, then one delayed block merges too. "
		  "watermark: the part of the order's blocks that is free is up to buddy.lazy_theta_low, "
		  "up to buddy.lazy_theta_high, or above.",
}, {
	.name = "buddy.lazy_theta_high", IN_PAGE(lazy_theta_high), CUSTOM(theta), .min = 0, .max = 50, .def = "35",
	.range = "0 .. 50, at least buddy.lazy_theta_low", NEXT_USE = "next free",
	.source = "the papers leave it open between 0 and 50",
	.text = "Per cent of an order's blocks that may be free before delayed blocks merge too (lazy_rule watermark).",
}, {
	.name = "buddy.lazy_theta_low", IN_PAGE(lazy_theta_low), CUSTOM(theta), .min = 0, .max = 50, .def = "20",
	.range = "0 .. 50, at most buddy.lazy_theta_high", NEXT_USE = "next free",
	.source = "the papers leave it open between 0 and 50",
	.text = "Per cent of an order's blocks that may be free before freed blocks merge (lazy_rule watermark).",
}, {
	.name = "buddy.fallback", IN_PAGE(fallback), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next refill or buddy allocation",
	.source = "Linux since 2.6.24 always falls back; off is an experiment",
	.text = "May a request take a block of another migratetype when its own lists are empty?",
}, {
	.name = "buddy.fallback_rule", IN_PAGE(fallback_rule), WORDS(fallback_rule_words), .def = "6.1",
	NEXT_USE = "next fallback",
	.source = "2.6.24: to 3.19; 4.0: to 4.11; 6.1: 4.12 to 6.14; 6.15: since then",
	.text = "How much a request takes over from another migratetype.",
	.detail = "2.6.24: an unmovable request splits a small victim in place; half a pageblock must be free for it to change sides. "
		  "4.0: unmovable and reclaimable requests take all that is free in the pageblock. "
		  "6.1: pages of like kind count with the free ones, movable requests take the smallest victim, and the zone's marks are raised. "
		  "6.15: free pages do not leave their pageblock's type: the pageblock is claimed, or one block is taken; "
		  "what a CPU held goes back by the type that its pageblock has then, and free pageblocks that merge become of one type (since 6.10).",
}, {
	.name = "buddy.highatomic", IN_PAGE(highatomic), WORDS(highatomic_words), .def = "6.1",
	.page_change = PAGE_CHANGE_HIGHATOMIC, NOW = "blocks set aside are given up at once, else next reserve",
	.source = "reserve-block: to 4.3; 6.1: since 4.4; 6.7: since 6.7",
	.text = "Pageblocks kept for urgent requests of high order.",
	.detail = "off: none. reserve-block: the first one or two of a zone, for whoever is left with nothing. "
		  "6.1: those that served such a request, up to a hundredth of the zone and one more. "
		  "6.7: a hundredth in whole pageblocks, none in small zones.",
}, {
	.name = "buddy.free_to_tail", IN_PAGE(free_to_tail), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next free; lists keep their order",
	.source = "Linux since 2.6.35",
	.text = "Put a freed block at the tail of its list when the block above it looks about to become whole, so that it is handed out last.",
}, {
	.name = "buddy.split_keep", IN_PAGE(split_keep), WORDS(split_words), .def = "low",
	NEXT_USE = "next split",
	.source = "low: Linux since 2.6; high: Linux 2.5.9",
	.text = "Which half of a block that is cut goes on to the request; the other half stays free.",
}, {
	.name = "buddy.mobility", IN_PAGE(mobility), .type = POLICY_BOOL, .def = "on",
	.page_change = PAGE_CHANGE_MOBILITY, NEXT_USE = "next allocation",
	.source = "Linux since 2.6.24, which switches it off by itself on very small machines",
	.text = "Group pages by migratetype. Off, every request counts as Unmovable.",
},

/* ---- pages: per-CPU lists ---- */
{
	.name = "pcp.enabled", IN_PAGE(pcp_enabled), .type = POLICY_BOOL, .def = "on",
	DRAIN = "off drains all lists and sends every request to the buddy lists",
	.source = "Linux since 2.5 has the lists; off is an experiment",
	.text = "Keep short lists of free pages for each CPU in front of every zone.",
}, {
	.name = "pcp.model", IN_PAGE(pcp_model), WORDS(pcp_model_words), .def = "6.1",
	.page_change = PAGE_CHANGE_MODEL, .effect = EFFECT_DRAIN,
	.effect_text = "all lists are drained, then sized anew",
	.source = "Linux of that version; akpm16: a patch of spring 2002; hotcold: 2.5.45 to 2.6.24; hotcold1: 2.6.25 to 2.6.31; types: 2.6.32 to 5.13",
	.text = "How many page lists a CPU has for a zone, which end of them is used when, and how much is fetched or given back at once.",
	.detail = "none: no lists, as pcp.enabled off. akpm16: one list, 16 pages either way, 32 held. "
		  "hotcold: a hot and a cold list, refilled at a low mark. hotcold1: one list, hot at the head, cold at the tail. "
		  "types: a list for each migratetype. 5.14: orders 0 to 3 as well, and huge pages. "
		  "6.1: huge pages by type, and a process that gives up its memory empties the lists. "
		  "6.7: the limit tunes itself and refills grow. 6.18: likewise, by a count of frees.",
}, {
	.name = "pcp.batch", IN_PAGE(pcp_batch), .type = POLICY_AUTO_INT, .auto_value = AUTO64,
	.min = 1, .max = 4096, .def = "auto",
	SIZES = "next refill or bulk free",
	.source = "Linux 6.1: a quarter of managed/1024 pages, made a power of two less one",
	.text = "Pages moved by one refill of a CPU's list, and the least moved by one bulk free.",
}, {
	.name = "pcp.batch_cap", IN_PAGE(pcp_batch_cap), .type = POLICY_AUTO_INT, .auto_value = AUTO64,
	.min = 1, .max = 4096, .def = "auto",
	SIZES = "batch and high are computed anew",
	.source = "Linux 6.1: 256 pages (1 MiB); older kernels 128",
	.text = "Most pages from which an automatic pcp.batch is computed; auto is 256, in older models 128 or 64.",
}, {
	.name = "pcp.high", IN_PAGE(pcp_high), CUSTOM(pcp_high),
	.range = "auto or 0 .. half of the largest zone's managed pages", .def = "auto",
	SIZES = "next free; raising at once, lowering drains as pages are freed",
	.source = "Linux 5.14 to 6.6: the low watermark shared by the node's CPUs, at least four batches",
	.text = "Pages a CPU may hold of one zone before a free gives some back to the buddy lists.",
}, {
	.name = "pcp.high_fraction", IN_PAGE(pcp_high_fraction), CUSTOM(high_fraction),
	.min = 8, .max = 1 << 30, .range = "0, or 8 .. 1073741824", .def = "0",
	SIZES = "high is computed anew",
	.param = "vm.percpu_pagelist_high_fraction",
	.source = "Linux 5.14 and later",
	.text = "Not 0: an automatic pcp.high shares this fraction of the zone among the CPUs instead of the low watermark.",
}, {
	.name = "pcp.scale_max", IN_PAGE(pcp_scale_max), .type = POLICY_INT, .min = 0, .max = 6, .def = "5",
	NEXT_USE = "next free",
	.source = "Linux 6.7, and 6.1 from 6.1.104 on (there fixed at 5)",
	.text = "How often a series of frees may double the pages that one bulk free gives back.",
}, {
	.name = "pcp.max_order", IN_PAGE(pcp_max_order), .type = POLICY_INT, .min = 0, .max = 3, .def = "3",
	DRAIN = "lowering drains the lists above",
	.source = "Linux since 5.14; 0 before",
	.text = "Largest order of blocks, huge pages aside, that the CPUs' lists hold.",
}, {
	.name = "pcp.thp_lists", IN_PAGE(pcp_thp_lists), .type = POLICY_BOOL, .def = "on",
	DRAIN = "off drains the two lists",
	.source = "Linux since 5.14 with transparent huge pages",
	.text = "Keep lists of blocks of a pageblock's order (huge pages) as well.",
},

/* ---- pages: watermarks and the walk of the zones ---- */
{
	.name = "zone.watermark_rule", IN_PAGE(watermark_rule), WORDS(watermark_words), .def = "scale",
	SIZES = "watermarks are computed anew",
	.source = "scale: Linux since 4.6; quarter: 2.6.29 to 4.5; triple: 2.5.9",
	.text = "How low and high follow from min: by zone.watermark_scale_factor, a quarter of min apart, or as two and three times min.",
}, {
	.name = "zone.min_free_kbytes", IN_PAGE(min_free_kbytes), .type = POLICY_AUTO_INT, .auto_value = AUTO64,
	.min = 128, .max = INT32_MAX, .def = "auto",
	SIZES = "watermarks and an automatic pcp.high are computed anew; nobody is woken",
	.param = "vm.min_free_kbytes",
	.source = "Linux: the square root of 16 times the memory in kB, 128 .. 262144",
	.text = "Memory kept free, in kB: the min watermarks of all zones together.",
}, {
	.name = "zone.min_free_thp_adjust", IN_PAGE(thp_adjust), .type = POLICY_BOOL, .def = "off",
	SIZES = "watermarks and an automatic pcp.high are computed anew; nobody is woken",
	.source = "Linux with transparent huge pages does this by itself from 512 MiB on",
	.text = "Raise an automatic zone.min_free_kbytes so that pageblocks of every type can stay apart.",
}, {
	.name = "zone.watermark_scale_factor", IN_PAGE(scale_factor), .type = POLICY_INT,
	.min = 1, .max = 3000, .def = "10",
	SIZES = "watermarks are computed anew",
	.param = "vm.watermark_scale_factor",
	.source = "Linux since 4.6",
	.text = "Distance between the watermarks in ten-thousandths of a zone, at least a quarter of min (watermark_rule scale only).",
}, {
	.name = "zone.watermark_boost_factor", IN_PAGE(boost_factor), .type = POLICY_INT,
	.min = 0, .max = 100000, .def = "15000",
	NEXT_USE = "next mixing; marks that are raised stay so until kswapd ends",
	.param = "vm.watermark_boost_factor",
	.source = "Linux since 5.0",
	.text = "How far, in ten-thousandths of the high mark, the marks of a zone may be raised after types were mixed in it; 0: never.",
}, {
	.name = "zone.watermark_order_check", IN_PAGE(order_check), WORDS(order_check_words), .def = "freelist",
	NEXT_USE = "next check",
	.source = "freelist: Linux since 4.4; halving: 2.6 to 4.3; size: 2.5.9",
	.text = "What a zone must have for a request above order 0: free pages alone, enough free pages in large blocks with the mark halved at each order, or one fitting block.",
}, {
	.name = "zone.lowmem_reserve_ratio", IN_PAGE(reserve_ratio), CUSTOM(reserve_ratio), .max = INT32_MAX,
	.range = "none, or four numbers DMA,DMA32,Normal,Movable (0: no reserve)", .def = "256,256,32,0",
	SIZES = "reserves are computed anew",
	.param = "vm.lowmem_reserve_ratio",
	.source = "Linux 2.6 and later",
	.text = "Protects low zones from requests that a higher zone could serve: the pages of the higher zones divided by this number stay free.",
}, {
	.name = "zone.fair", IN_PAGE(fair), WORDS(fair_words), .def = "off",
	SIZES = "at once; all batches begin anew",
	.source = "batch: Linux 3.12 to 3.16; lowcost: 3.17 to 4.7; off before and after",
	.text = "Let the zones of a node take turns, in proportion to their size, so that their pages age alike: by a counter that every allocation writes, or by a flag.",
}, {
	.name = "zone.fair_second_pass", IN_PAGE(fair_second_pass), WORDS(fair_pass_words), .def = "retry",
	NEXT_USE = "next allocation (zone.fair batch only)",
	.source = "slowpath: Linux 3.12; retry: 3.13 to 3.16",
	.text = "What follows when every zone has given its part: the slow path at once, or full batches and a second walk of all nodes first.",
}, {
	.name = "zone.fair_drift_bug", IN_PAGE(fair_drift_bug), .type = POLICY_BOOL, .def = "off",
	NEXT_USE = "next allocation (zone.fair lowcost with zone.stat_drift only)",
	.source = "on: a release candidate of Linux 3.17",
	.text = "Does a zone's turn end only when its batch is seen at exactly 0? A count that drifts steps over that.",
}, {
	.name = "zone.stat_drift", IN_PAGE(stat_drift), .type = POLICY_BOOL, .def = "off",
	.page_change = PAGE_CHANGE_DRIFT, NOW = "at once; on begins with differences of 0",
	.source = "Linux since 2.6.18 always; the lab counts exactly by default",
	.text = "Keep a zone's count of free pages as kernels do: each CPU adds what it changed only when that is beyond a threshold, so marks are compared with a count that is off by a little.",
	.detail = "The threshold is zone.<zone>.stat_threshold, less while kswapd is awake where the drift could hide a zone below its mark; "
		  "there kswapd, and who asks whether more reclaim would help, count exactly (zone.<zone>.drift_mark). "
		  "Each second every CPU adds its difference. free_pages stays exact, free_seen is what marks are compared with.",
}, {
	.name = "zone.nofragment", IN_PAGE(nofragment), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next fast pass",
	.source = "Linux since 5.0, always on",
	.text = "Prefer the next zone to mixing migratetypes in this one, as long as the next zone is near.",
},

/* ---- reclaim and compaction ---- */
{
	.name = "reclaim.kswapd", IN_PAGE(kswapd), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "off: nobody wakes it, and a running one stops after its round",
	.source = "Linux always; off is an experiment",
	.text = "Free pages in the background, from the low mark up to the high one.",
}, {
	.name = "reclaim.direct", IN_PAGE(direct), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next slow path",
	.source = "Linux always; off is an experiment",
	.text = "Have requests that find nothing take pages away from fillers themselves.",
}, {
	.name = "reclaim.lru_scope", IN_PAGE(lru_scope), WORDS(lru_scope_words), .def = "node",
	.page_change = PAGE_CHANGE_LRU, NOW = "pages go over to the other lists by age",
	.source = "node: Linux since 4.8; zone: before",
	.text = "One set of LRU lists for a node, or one for each zone.",
}, {
	.name = "reclaim.balance", IN_PAGE(balance), WORDS(balance_words), .def = "any",
	NEXT_USE = "kswapd's next look",
	.source = "any: Linux since 4.8; all: before",
	.text = "Must one zone of a node pass its high mark for kswapd to be content, or all?",
}, {
	.name = "reclaim.swap", IN_PAGE(swap), .type = POLICY_BOOL, .def = "off",
	NEXT_USE = "next scan",
	.source = "a machine with swap, or without",
	.text = "May anon pages be taken away too?",
}, {
	.name = "reclaim.swappiness", IN_PAGE(swappiness), .type = POLICY_INT, .min = 0, .max = 200, .def = "60",
	NEXT_USE = "next scan",
	.param = "vm.swappiness",
	.source = "Linux since 2.6; above 100 since 5.8",
	.text = "How willing reclaim is to take anon pages rather than file pages (reclaim.swap on). With page.era up to 4.2 more than 100 counts as 100.",
}, {
	.name = "reclaim.batch", IN_PAGE(reclaim_batch), .type = POLICY_INT, .min = 1, .max = 512, .def = "32",
	NEXT_USE = "next scan",
	.source = "Linux: SWAP_CLUSTER_MAX",
	.text = "Pages that one hold of the LRU lock takes off a list.",
}, {
	.name = "reclaim.priority", IN_PAGE(reclaim_priority), .type = POLICY_INT, .min = 0, .max = 12, .def = "12",
	NEXT_USE = "next run",
	.source = "Linux: DEF_PRIORITY",
	.text = "Where a run begins: 12 looks at 1/4096 of a list first, 0 at all of it.",
}, {
	.name = "reclaim.drain", IN_PAGE(drain), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next slow path",
	.source = "Linux since 2.6.20; off is an experiment",
	.text = "Empty the page lists of all CPUs when reclaim made progress but the request still finds nothing.",
}, {
	.name = "reclaim.oom", IN_PAGE(oom), WORDS(oom_words), .def = "fail",
	NEXT_USE = "next decision",
	.source = LABS_OWN,
	.text = "What stands in for the OOM killer: the request fails, or the zone with the most LRU pages loses all of them, or the request fails and the lab is stopped for inspection.",
	.detail = "stop: a job is held where its memory ran out (job resume, job step go on), a run or a replay ends there; `why` and every view tell of that moment.",
}, {
	.name = "reclaim.slab", IN_PAGE(slab), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next scan",
	.source = "Linux always; off is an experiment",
	.text = "Have reclaim free cached objects too (lru cache), each cache by its size: once a node and priority, after the node's pages.",
}, {
	.name = "reclaim.slab_by", IN_PAGE(slab_by), WORDS(slab_by_words), .def = "priority",
	NEXT_USE = "next scan",
	.source = "priority: Linux since 4.16; scanned: before",
	.text = "How many objects of a cache are looked at: 1/2^priority of them, times 4, over reclaim.slab_cost; or, in place of the power, the share of the LRU pages that were.",
}, {
	.name = "reclaim.slab_cost", IN_PAGE(slab_cost), .type = POLICY_INT, .min = 0, .max = 16, .def = "2",
	NEXT_USE = "next scan",
	.source = "Linux: DEFAULT_SEEKS",
	.text = "What it costs to make a cached object again, in disk seeks: the dearer, the fewer are looked at. 0: half of them at every priority.",
}, {
	.name = "reclaim.slab_batch", IN_PAGE(slab_batch), .type = POLICY_INT, .min = 1, .max = 4096, .def = "1",
	NEXT_USE = "next scan",
	.source = "Linux: SHRINK_BATCH is 128, file systems ask for 1024; 1 leaves nothing over",
	.text = "Cached objects are looked at in whole batches of this size; what is left over is put off and added to a later look.",
}, {
	.name = "reclaim.vfs_cache_pressure", IN_PAGE(cache_pressure), .type = POLICY_INT, .min = 0, .max = 1000, .def = "100",
	NEXT_USE = "next scan",
	.param = "vm.vfs_cache_pressure",
	.source = "Linux since 2.6",
	.text = "Per cent of a cache's cached objects that count as its size. 0: they are never freed, above 100: they go sooner than pages.",
}, {
	.name = "compact.direct", IN_PAGE(compact_direct), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next slow path",
	.source = "Linux since 2.6.35",
	.text = "Have requests for large blocks move pages out of the way.",
}, {
	.name = "compact.background", IN_PAGE(compact_background), .type = POLICY_BOOL, .def = "on",
	NEXT_USE = "next wake-up",
	.source = "Linux since 4.6 (kcompactd)",
	.text = "Compact in the background what kswapd was woken for.",
}, {
	.name = "compact.proactiveness", IN_PAGE(proactiveness), .type = POLICY_INT, .min = 0, .max = 100, .def = "20",
	NEXT_USE = "next 500 ms tick",
	.param = "vm.compaction_proactiveness",
	.source = "Linux since 5.9",
	.text = "How little scatter background compaction bears with nobody asking; 0: any.",
}, {
	.name = "compact.extfrag_threshold", IN_PAGE(extfrag_threshold), .type = POLICY_INT, .min = 0, .max = 1000, .def = "500",
	NEXT_USE = "next check",
	.param = "vm.extfrag_threshold",
	.source = "Linux since 2.6.35",
	.text = "Fragmentation index, in thousandths, up to which a request for a costly order lacks memory rather than order: then it does not compact.",
}, {
	.name = "compact.defer", IN_PAGE(compact_defer), .type = POLICY_BOOL, .def = "on",
	.page_change = PAGE_CHANGE_DEFER, NOW = "off forgets what was put off",
	.source = "Linux always; off is an experiment",
	.text = "After failures let only one request in 2, 4 … 64 compact.",
}, {
	.name = "compact.fast_search", IN_PAGE(compact_fast_search), .type = POLICY_BOOL, .def = "off",
	NEXT_USE = "next run",
	.source = "Linux since 5.1, always on",
	.text = "Ask the free lists where pages to move, and room for them, may be before looking at pageblock after pageblock.",
}, {
	.name = "compact.max_priority", IN_PAGE(compact_max_priority), WORDS(compact_priority_words), .def = "sync_full",
	NEXT_USE = "next attempt",
	.source = "Linux: sync_full; the others are experiments",
	.text = "How hard compaction may try: clean pages of like blocks only, all pages, or past every skip bit.",
},

/* ---- slabs: caches and stores ---- */
{
	.name = "slab.engine", .scope = SCOPE_CACHE, IN_STORE(engine), WORDS(engine_words), .def = "slub",
	.store_field = SF_ENGINE, RESTORE,
	.source = "slub: Linux since 2.6.23; slab: 2.2 to 6.4; slqb: linux-next in 2009; sheaves: 6.18",
	.text = "The allocator that serves a cache: slub, the queued slab, slqb, or sheaves above slub.",
}, {
	.name = "slab.era", .scope = SCOPE_CACHE, IN_STORE(era), WORDS(slab_era_words), .def = "6.1",
	.store_field = SF_ERA, RESTORE,
	.source = "the kernels of these names; 3.2 also stands for 3.16, 6.8 for what came up to 6.17",
	.text = "Rules of slabs that no other policy names: how objects and slabs are laid out, where a slab is put, what is counted, and how things are called.",
	.detail = "2.6.24: slabs of 4 objects and up to order 1, slabs that become partial go to the head. "
		  "To 2.6.29 a used-up slab is given up like any other, a CPU's objects go back one by one, and a node keeps 5 slabs. "
		  "3.1: used-up slabs are forgotten, min_partial grows with the object. 3.2: CPU partial lists, of a few objects. "
		  "4.2: what goes to a CPU's list and from it is counted apart (Linux did so from 3.4 on), and debug checks keep no caches asunder. "
		  "6.1: links in the middle of objects, red zones on their left, kmalloc sizes aligned to themselves, longer CPU lists. "
		  "6.8: slabs may leave half unused, and are not frozen on a CPU's list. "
		  "6.18: kmalloc-96 and -192 are aligned to 32 and 64, and a cache may say where its link lies.",
}, {
	.name = "slab.merge", .scope = SCOPE_CACHE, IN_STORE(merge), .type = POLICY_ENUM, .words = merge_words,
	.min = MERGE_ON, .max = MERGE_OFF, .def = "on", .store_field = SF_MERGE, RESTORE,
	.param = "slab_nomerge",
	.source = "Linux, at boot only",
	.text = "Caches of like size and flags share one store. Switched off, each gets its own; switched on again, they join where the kernel would have joined them.",
}, {
	.name = "slab.counter_reset_on_restore", IN_SLAB(reset_on_restore), .type = POLICY_BOOL, .def = "off",
	NEXT_USE = "next change of a store",
	.source = LABS_OWN,
	.text = "When a cache moves to another store, begin its event counters at 0 instead of carrying them on.",
}, {
	.name = "slab.cpus_for_min_objects", IN_SLAB(cpus_for_min_objects), .type = POLICY_AUTO_INT,
	.auto_value = 0, .min = 1, .max = MAX_CPUS, .def = "auto", .store_field = ~0u, RESTORE,
	.source = "auto: Linux since 5.12, present CPUs, or all CPU ids where only one is present",
	.text = "Number of CPUs from which an automatic slub.min_objects is derived.",
}, {
	.name = "slab.owner_map", .scope = SCOPE_CACHE, IN_STORE(owner_map), .type = POLICY_BOOL, .def = "off",
	.store_field = SF_OWNER_MAP, RESTORE,
	.source = LABS_OWN,
	.text = "Each object's cache is noted when it is taken and given back. So of caches that share a store it is known who holds what, a free by another's name is found, and a merged cache is not destroyed while it has objects out.",
	.detail = "Costs four bytes an object and a write to them in each allocation and free; calls of the C interface take the long way.",
}, {
	.name = "slab.wrong_cache", IN_SLAB(wrong_cache_refuse), WORDS(wrong_cache_words), .def = "free",
	NOW = "next free",
	.source = "free: Linux 6.1; refuse is an experiment",
	.text = "An object freed to a cache it is not of goes back to its own store, or stays allocated.",
}, {
	.name = "slab.cas16", IN_SLAB(cas16), SHAPE, CUSTOM(cas16), .range = "on, off",
	.def = "on", .def_by_host = true,
	.source = "Linux on x86-64 uses the 16-byte exchange",
	.text = "Change a slab's freelist and counters in one 16-byte exchange; off, a lock bit of the slab stands in for it.",
},

{
	.name = "slab.init_on_alloc", IN_SLAB(init_on_alloc), .type = POLICY_BOOL, .def = "off",
	NOW = "next object",
	.param = "init_on_alloc",
	.source = "Linux since 5.3",
	.text = "Zero each object when it is given out. Not those of caches with a constructor, RCU or poison.",
}, {
	.name = "slab.init_on_free", IN_SLAB(init_on_free), .type = POLICY_BOOL, .def = "off", .store_field = ~0u,
	NOW = "next object that comes back; engine slab by a new store, as then no slab keeps its index in an object",
	.param = "init_on_free",
	.source = "Linux since 5.3",
	.text = "Zero each object when it comes back. Not those of caches with a constructor, RCU or poison.",
}, {
	.name = "slab.bulk_form", .scope = SCOPE_CACHE, IN_STORE(bulk_form), WORDS(bulk_form_words), .def = "v5.18",
	.store_field = SF_BULK_FORM, NOW = "next bulk call",
	.source = "fallback: Linux to 4.2; v4.3: that spring's development; v4.4, v5.18: released; sheaves: 6.18",
	.text = "How a bulk call of slub works: one by one, the first form, or with detached freelists.",
	.detail = "fallback: a loop of single calls. v4.3: objects of the CPU's own slab without an exchange, each other one by the slow path. "
		  "v4.4: runs of objects of one slab are linked and given back in one step, looking past three others. "
		  "v5.18: the same, moving entries instead of blanking them, and turning runs round. "
		  "sheaves: as v5.18 for caches without sheaves. Caches with sheaves and the engines slab and slqb have bulk calls of their own, "
		  "but with fallback.",
},

/* ---- slabs: the queued engine ---- */
{
	.name = "slabq.limit", .scope = SCOPE_CACHE, IN_STORE(slabq_limit), QUEUE_LENGTH(1, 1 << 20),
	.store_field = SF_SLABQ_LIMIT, NOW = "at once: arrays are made anew, what they held goes back to the slabs",
	.source = "Linux 6.1, where it is written to /proc/slabinfo; auto is 1 to 120 by object size, at most 32 with debug flags",
	.text = "Engine slab: objects that a CPU's array holds.",
}, {
	.name = "slabq.batchcount", .scope = SCOPE_CACHE, IN_STORE(slabq_batchcount), QUEUE_LENGTH(1, 1 << 20),
	.store_field = SF_SLABQ_BATCHCOUNT, NOW = "at once: arrays are made anew, what they held goes back to the slabs",
	.source = "Linux 6.1, where it is written to /proc/slabinfo; auto is half the limit",
	.text = "Engine slab: objects that one refill takes or one flush gives back; at most slabq.limit.",
}, {
	.name = "slabq.shared", .scope = SCOPE_CACHE, IN_STORE(slabq_shared), QUEUE_LENGTH(0, 1 << 20),
	.store_field = SF_SLABQ_SHARED, NOW = "at once: arrays are made anew, what they held goes back to the slabs",
	.source = "Linux 6.1, where it is written to /proc/slabinfo; auto is 8, or 0 for objects above a page and with one CPU",
	.text = "Engine slab: batches that the array shared by a node's CPUs holds.",
}, {
	.name = "slabq.max_order", .scope = SCOPE_CACHE, IN_STORE(slabq_max_order), .type = POLICY_INT,
	.min = 0, .max = MAX_PAGE_ORDER, .def = "1", .store_field = SF_SLABQ_MAX_ORDER, RESTORE,
	BY_RULE(ORDER_AUTO, slabq_max_order),
	.param = "slab_max_order",
	.source = "Linux 6.1, where it is 0 on machines of 32 MiB and less, as in labs",
	.text = "Engine slab: order at which a slab's waste no longer matters.",
}, {
	.name = "slabq.alien", IN_SLAB(slabq_alien), .type = POLICY_BOOL, .def = "on", .store_field = SF_SLABQ_LIMIT,
	NOW = "at once; off sends what the arrays hold home",
	.param = "noaliencache",
	.source = "Linux 2.6.16 to 6.4",
	.text = "Engine slab: collect freed objects of each other node in an array before they go home. Off, each goes home at once.",
}, {
	.name = "slabq.reap_ms", IN_SLAB(slabq_reap_ms), .type = POLICY_INT, .min = 0, .max = 3600000, .def = "2000",
	NEXT_USE = "next timer; 0: no timer",
	.source = "Linux 6.1",
	.text = "Engine slab: ms between two passes of a CPU's timer, which gives back a fifth of an idle array.",
}, {
	.name = "slabq.reap_node_ms", IN_SLAB(slabq_reap_node_ms), .type = POLICY_INT, .min = 0, .max = 3600000, .def = "4000",
	NEXT_USE = "next timer",
	.source = "Linux 6.1",
	.text = "Engine slab: ms between two passes over a node's shared array and its free slabs.",
}, {
	.name = "slabq.colour", .scope = SCOPE_CACHE, IN_STORE(slabq_colour), .type = POLICY_BOOL, .def = "on",
	.store_field = SF_SLABQ_COLOUR, NOW = "next new slab",
	.source = "Linux 2.2 to 6.4, after Bonwick 1994",
	.text = "Engine slab: begin the slabs of a cache at different offsets, so that their objects spread over a CPU's cache lines.",
},

/* ---- slabs: lists with remote queues; sheaves ---- */
{
	.name = "slqb.hiwater", .scope = SCOPE_CACHE, IN_STORE(slqb_hiwater), QUEUE_LENGTH(0, 1 << 20),
	.store_field = SF_SLQB_HIWATER, NOW = "next free",
	.source = "linux-next of 2009; auto is four batches",
	.text = "Engine slqb: objects that a CPU's list may hold before it gives a batch up.",
}, {
	.name = "slqb.freebatch", .scope = SCOPE_CACHE, IN_STORE(slqb_freebatch), QUEUE_LENGTH(1, 1 << 20),
	.store_field = SF_SLQB_FREEBATCH, NOW = "next free",
	.source = "linux-next of 2009; auto is 4 pages' or up to 256 objects",
	.text = "Engine slqb: objects that a list gives up at once, and that are sent to another list at once; at most slqb.hiwater + 1.",
}, {
	.name = "slqb.min_order", .scope = SCOPE_CACHE, IN_STORE(slqb_min_order), .type = POLICY_INT,
	.min = 0, .max = MAX_PAGE_ORDER, .def = "0", .store_field = SF_SLQB_MIN_ORDER, RESTORE,
	.source = "linux-next of 2009",
	.text = "Engine slqb: lowest order of a slab.",
}, {
	.name = "slqb.min_objects", .scope = SCOPE_CACHE, IN_STORE(slqb_min_objects), .type = POLICY_INT,
	.min = 1, .max = 32767, .def = "1", .store_field = SF_SLQB_MIN_OBJECTS, RESTORE,
	.source = "linux-next of 2009",
	.text = "Engine slqb: objects that a slab should hold at least.",
}, {
	.name = "slqb.colour", .scope = SCOPE_CACHE, IN_STORE(slqb_colour), .type = POLICY_BOOL, .def = "on",
	.store_field = SF_SLQB_COLOUR, NOW = "next new slab",
	.source = "linux-next of 2009",
	.text = "Engine slqb: begin the slabs of a CPU at different offsets.",
}, {
	.name = "slqb.trim_ms", IN_SLAB(slqb_trim_ms), .type = POLICY_INT, .min = 0, .max = 3600000, .def = "3000",
	NEXT_USE = "next timer; 0: no timer",
	.source = "linux-next of 2009",
	.text = "Engine slqb: ms between two passes of a CPU's timer, which gives a batch of its list back and sends on what is others'.",
}, {
	.name = "sheaves.capacity", .scope = SCOPE_CACHE, IN_STORE(sheaf_capacity), .type = POLICY_AUTO_INT,
	.auto_value = QUEUE_AUTO, .min = 0, .max = 65536, .def = "0", .store_field = SF_SHEAF_CAPACITY, RESTORE,
	.source = "Linux 6.18, where whoever makes a cache says it (0: no sheaves); auto is the rule of later kernels",
	.text = "Engine sheaves: objects in a sheaf, of caches that did not say it when they were made (auto: if it is more than they said). With 0 a cache is plain slub; so it is while debug flags are on.",
}, {
	.name = "sheaves.barn_max_full", IN_SLAB(barn_max_full), .type = POLICY_INT, .min = 0, .max = 65536, .def = "10",
	NOW = "next sheaf that would go there",
	.source = "Linux 6.18",
	.text = "Engine sheaves: full sheaves that a node's barn takes.",
}, {
	.name = "sheaves.barn_max_empty", IN_SLAB(barn_max_empty), .type = POLICY_INT, .min = 0, .max = 65536, .def = "10",
	NOW = "next sheaf that would go there",
	.source = "Linux 6.18",
	.text = "Engine sheaves: empty sheaves that a node's barn takes, but for those that a full one is given for.",
},

/* ---- slabs: the unqueued engine ---- */
{
	.name = "slub.debug", .scope = SCOPE_CACHE, IN_SLAB(debug), CUSTOM(debug),
	.parse_cache = debug_letters_parse, .print_cache = debug_letters_print,
	.range = "none, letters of F Z P U T A O, or the kernel's option string; for one cache: letters of F Z P U T A, or none",
	.def = "", .store_field = SF_DEBUG, .effect = EFFECT_RESTORE,
	.effect_text = "at once, by a new store for each cache concerned; T and A in place",
	.param = "slub_debug",
	.source = "Linux 6.1",
	.text = "Debugging of caches: F consistency checks, Z red zones, P poison, U user tracking, T trace, A failslab mark, O none of Z, P, U where slabs would grow. Every engine has its own layout for them (dmesg). `FZ;-,foo,bar*` is FZ for all but foo and bar….",
}, {
	.name = "slub.min_order", .scope = SCOPE_CACHE, IN_STORE(min_order), .type = POLICY_INT,
	.min = 0, .max = MAX_PAGE_ORDER, .def = "0", .store_field = SF_MIN_ORDER, RESTORE,
	.param = "slub_min_order",
	.source = LINUX_6_1,
	.text = "Lowest order that a slab of the usual size may have.",
}, {
	.name = "slub.max_order", .scope = SCOPE_CACHE, IN_STORE(max_order), .type = POLICY_INT,
	.min = 0, .max = MAX_PAGE_ORDER, .def = "3", .store_field = SF_MAX_ORDER, RESTORE,
	BY_RULE(ORDER_AUTO, max_order),
	.param = "slub_max_order",
	.source = "Linux since 2.6.25; in slab.era 2.6.24 it is 1",
	.text = "Highest order that a store asks for before it settles for fewer objects in a slab.",
}, {
	.name = "slub.min_objects", .scope = SCOPE_CACHE, IN_STORE(min_objects), .type = POLICY_INT,
	.min = 0, .max = 32767, .def = "0", .store_field = SF_MIN_OBJECTS, RESTORE,
	.param = "slub_min_objects",
	.source = LINUX_6_1,
	.text = "Objects that a slab should hold at least; 0 derives it from the number of CPUs (slab.era 2.6.24: 4).",
}, {
	.name = "slub.partial_add", .scope = SCOPE_CACHE, IN_STORE(partial_add), CUSTOM(partial_add),
	.range = "deactivate, head, tail, half, quarter, emptier_head, half_only, fuller_head, criterion:N/D:head|tail",
	.def = "deactivate", .store_field = SF_PARTIAL_ADD, NOW = "next slab that joins a list",
	.source = "deactivate: Linux since 3.2; half and quarter: proposals of 2011; the others are experiments",
	.text = "Where a slab joins a node's partial list, whose head is used first.",
	.detail = "deactivate: a slab that a CPU gives up goes to the head (to the tail if others freed into it meanwhile), "
		  "any other to the tail. head, tail: always there. "
		  "half, quarter: to the tail if more than that part of its objects is in use, else where deactivate puts it. "
		  "half_only: more than half in use to the tail, all others to the head. "
		  "fuller_head: more than half in use to the head, all others to the tail. "
		  "emptier_head: at most a quarter in use to the head, all others to the tail. "
		  "criterion:N/D:side: more than N/D in use to that side, all others to the other.",
}, {
	.name = "slub.min_partial", .scope = SCOPE_CACHE, IN_STORE(min_partial), .type = POLICY_AUTO_INT,
	.auto_value = MIN_PARTIAL_AUTO, .min = 0, .max = INT32_MAX, .def = "auto",
	.store_field = SF_MIN_PARTIAL, NOW = "next slab that becomes empty",
	.param = "/min_partial",
	.source = "auto, by slab.era: 5 to 2.6.29, then the logarithm of the object size, since 3.2 half of it, 5 .. 10",
	.text = "Slabs that a node's partial list keeps even when they are empty.",
}, {
	.name = "slub.discard_test", .scope = SCOPE_CACHE, IN_STORE(discard_test), WORDS(discard_words),
	.def = "ge", .store_field = SF_DISCARD_TEST, NOW = "next slab that becomes empty",
	.source = "ge: Linux since 2015; gt: 3.1 to then; lt: before",
	.text = "An empty slab is given back when the list has at least (ge) or more than (gt) slub.min_partial slabs. lt: only a CPU that gives up its slab keeps it when there are fewer; a free that empties a slab gives it back at once.",
}, {
	.name = "slub.cpu_partial", .scope = SCOPE_CACHE, IN_STORE(cpu_partial), CUSTOM(cpu_partial),
	.min = 0, .max = 1 << 30, .range = "auto, off, or 0 .. 1073741824", .def = "auto",
	.store_field = SF_CPU_PARTIAL,
	NOW = "at once, with a flush of all CPUs; to or from off by a new store",
	.param = "/cpu_partial",
	.source = "auto, by slab.era: none to 3.1, 2 to 30 objects by size from 3.2, 6 to 120 since 5.16; off: kernels built without",
	.text = "Free objects that a CPU's own partial list is meant to hold (slub.cpu_partial_unit). off: caches have no such lists.",
}, {
	.name = "slub.cpu_partial_unit", .scope = SCOPE_CACHE, IN_STORE(cpu_partial_unit), WORDS(unit_words), .def = "slabs",
	.store_field = SF_CPU_PARTIAL_UNIT, NOW = "at once, with a flush of all CPUs",
	.source = "slabs: Linux since 5.16; objects: 3.2 to 5.15",
	.text = "How slub.cpu_partial limits a CPU's partial list: by the slabs that hold so many free objects when half full, or by the free objects that slabs had when they joined.",
}, {
	.name = "slub.fastpath", .scope = SCOPE_CACHE, IN_STORE(fastpath), WORDS(fastpath_words), .def = "owner",
	.store_field = SF_FASTPATH, NOW = "at once, in a stop",
	.source = "cmpxchg: Linux since 2.6.38; owner is the lab's own, where a CPU has one player",
	.text = "How a CPU's freelist changes: by plain loads and stores of its only user, or by the kernel's exchange of 16 bytes, freelist and transaction number, which needs slab.cas16.",
}, {
	.name = "slub.freelist_random", .scope = SCOPE_CACHE, IN_STORE(freelist_random), .type = POLICY_BOOL,
	.def = "off", .store_field = SF_FREELIST_RANDOM, RESTORE,
	.source = "on: Linux built with SLAB_FREELIST_RANDOM (since 4.7), as distributions do",
	.text = "The objects of a new slab stand on its freelist in a random order, from a random place of it on, not by address; so the next address cannot be guessed.",
}, {
	.name = "slub.freelist_hardened", .scope = SCOPE_CACHE, IN_STORE(freelist_hardened), .type = POLICY_BOOL,
	.def = "off", .store_field = SF_FREELIST_HARDENED, RESTORE,
	.source = "on: Linux built with SLAB_FREELIST_HARDENED (since 4.14), as distributions do",
	.text = "Links of free objects are coded with a secret of the store and their own place, and an object that is freed twice in a row is found: the kernel halts, the lab reports it and leaves the object where it is.",
}, {
	.name = "slub.remote_node_defrag_ratio", .scope = SCOPE_CACHE, IN_STORE(defrag_ratio), .type = POLICY_INT,
	.min = 0, .max = 100, .def = "100", .store_field = SF_DEFRAG_RATIO, NOW = "next search",
	.param = "/remote_node_defrag_ratio",
	.source = LINUX_6_1,
	.text = "How often, in per cent, a CPU whose node has no partial slab looks at other nodes before it makes a new one.",
	.detail = "It is drawn where CPUs run side by side (of 1024 draws 1000 let look at 100, as in the kernel); "
		  "ops one at a time always look, but at 0.",
}, {
	.name = "slub.order_fallback", .scope = SCOPE_CACHE, IN_STORE(order_fallback), WORDS(order_fallback_words),
	.def = "nokswapd", .store_field = SF_ORDER_FALLBACK, NOW = "next new slab",
	.source = "noretry: 2.6.28 to 4.2; nowait, nokswapd, nopage: tried in February 2009, nokswapd in Linux since 4.4; freecount: a proposal of that month; minorder, none: experiments",
	.text = "What the page layer may do for a slab of the preferred order before the slab settles for the least order.",
	.detail = "noretry: as the caller may, one round, without a warning. nowait: no direct reclaim, compaction or drain. "
		  "nokswapd: nor is kswapd woken, if the caller may reclaim and a lesser order would do. "
		  "nopage: nor is the min mark tried. "
		  "freecount: as noretry while more than an eighth of memory is free, else at once the least order. "
		  "minorder: at once the least order. none: the preferred order as the caller asks, and no second request.",
}, {
	.name = "slub.fallback_nomemalloc", .scope = SCOPE_CACHE, IN_STORE(fallback_nomemalloc), .type = POLICY_BOOL,
	.def = "on", .store_field = SF_FALLBACK_NOMEMALLOC, NOW = "next new slab",
	.source = "on: Linux 6.1; off: before",
	.text = "Does the first request of nokswapd and nopage give up the reserves? Else who may not wait may go below the min mark.",
}, {
	.name = "slub.order_fallback_strict", IN_SLAB(fallback_strict), .type = POLICY_BOOL, .def = "off",
	NOW = "next new slab",
	.source = "on: a proposal of 2009",
	.text = "Count event order_fallback only when a slab really became smaller, not when the same order was asked for again.",
}, {
	.name = "slub.shrink_promote", IN_SLAB(shrink_promote), .type = POLICY_INT, .min = 0, .max = 32, .def = "32",
	NEXT_USE = "next shrink",
	.source = LINUX_6_1,
	.text = "A shrink sorts slabs with up to this many free objects to the front, those with the fewest first.",
}, {
	.name = "failslab.probability", IN_SLAB(fail.probability), .type = POLICY_INT, .min = 0, .max = 100, .def = "0",
	NOW = "next request for an object",
	.param = "failslab",
	.source = "Linux with FAILSLAB",
	.text = "How many of a hundred requests for objects fail, of those that the other values let through; 0 is none.",
}, {
	.name = "failslab.interval", IN_SLAB(fail.interval), .type = POLICY_INT, .min = 1, .max = INT32_MAX, .def = "1",
	NOW = "next request for an object",
	.param = "failslab",
	.source = "Linux with FAILSLAB",
	.text = "Only every so-manieth request may fail.",
}, {
	.name = "failslab.times", IN_SLAB(fail.times), .type = POLICY_INT, .min = -1, .max = INT32_MAX, .def = "1",
	NOW = "next request for an object",
	.param = "failslab",
	.source = "Linux with FAILSLAB",
	.text = "How many failures are left; each takes one. -1 is no end.",
}, {
	.name = "failslab.space", IN_SLAB(fail.space), .type = POLICY_INT, .min = 0, .max = INT64_MAX, .def = "0",
	NOW = "next request for an object",
	.param = "failslab",
	.source = "Linux with FAILSLAB",
	.text = "Bytes of objects that are given out before anything fails; each takes its size off.",
}, {
	.name = "failslab.ignore_wait", IN_SLAB(fail.ignore_wait), .type = POLICY_BOOL, .def = "on",
	NOW = "next request for an object",
	.source = "Linux with FAILSLAB: ignore-gfp-wait",
	.text = "Leave requests alone that may wait for memory (GFP_KERNEL).",
}, {
	.name = "failslab.cache_filter", IN_SLAB(fail.cache_filter), .type = POLICY_BOOL, .def = "off",
	NOW = "next request for an object",
	.source = "Linux with FAILSLAB: cache-filter",
	.text = "Only caches with debug flag A fail.",
}, {
	.name = "kmalloc.max_class", IN_SLAB(kmalloc_max_class), CUSTOM(max_class), .min = 4096, .max = 2 << 20,
	.range = "4096, 8192, ... 2097152: powers of two", .def = "8192", BY_RULE(0, max_class),
	NOW = "at once: larger sizes are whole pages from now on, and classes that lack are made",
	.source = "SLUB since 2.6.30 and the queued engine of 6.1; 4096: 2.6.24 to 2.6.29; 2 MiB: slqb",
	.text = "Largest size that kmalloc serves from a cache. What is above it comes from the page layer.",
}, {
	.name = "fail_page_alloc.probability", IN_PAGE(fail.probability), .type = POLICY_INT, .min = 0, .max = 100, .def = "0",
	.page_change = PAGE_CHANGE_QUICK, NOW = "next request for pages",
	.param = "fail_page_alloc",
	.source = "Linux with FAIL_PAGE_ALLOC",
	.text = "How many of a hundred requests for pages fail, of those that the other values let through; 0 is none.",
}, {
	.name = "fail_page_alloc.interval", IN_PAGE(fail.interval), .type = POLICY_INT, .min = 1, .max = INT32_MAX, .def = "1",
	NOW = "next request for pages",
	.param = "fail_page_alloc",
	.source = "Linux with FAIL_PAGE_ALLOC",
	.text = "Only every so-manieth request may fail.",
}, {
	.name = "fail_page_alloc.times", IN_PAGE(fail.times), .type = POLICY_INT, .min = -1, .max = INT32_MAX, .def = "1",
	NOW = "next request for pages",
	.param = "fail_page_alloc",
	.source = "Linux with FAIL_PAGE_ALLOC",
	.text = "How many failures are left; each takes one. -1 is no end.",
}, {
	.name = "fail_page_alloc.space", IN_PAGE(fail.space), .type = POLICY_INT, .min = 0, .max = INT64_MAX, .def = "0",
	NOW = "next request for pages",
	.param = "fail_page_alloc",
	.source = "Linux with FAIL_PAGE_ALLOC",
	.text = "Pages that are given out before anything fails; each block takes its own off.",
}, {
	.name = "fail_page_alloc.min_order", IN_PAGE(fail.min_order), .type = POLICY_INT, .min = 0, .max = MAX_PAGE_ORDER, .def = "1",
	NOW = "next request for pages",
	.source = "Linux with FAIL_PAGE_ALLOC: min-order",
	.text = "Requests of lower orders do not fail.",
}, {
	.name = "fail_page_alloc.ignore_wait", IN_PAGE(fail.ignore_wait), .type = POLICY_BOOL, .def = "on",
	NOW = "next request for pages",
	.source = "Linux with FAIL_PAGE_ALLOC: ignore-gfp-wait",
	.text = "Leave requests alone that may wait for memory (GFP_KERNEL).",
}, {
	.name = "fail_page_alloc.ignore_highmem", IN_PAGE(fail.ignore_highmem), .type = POLICY_BOOL, .def = "on",
	NOW = "next request for pages",
	.source = "Linux with FAIL_PAGE_ALLOC: ignore-gfp-highmem",
	.text = "Leave requests alone that take memory of any zone, as those of processes do (GFP_HIGHUSER).",
}, {
	.name = "kmalloc.types", IN_SLAB(kmalloc_types), SHAPE, CUSTOM(kmalloc_types),
	.range = "a set of normal, cg, rcl, dma", .def = "normal,cg,rcl,dma",
	.source = "Linux since 5.14, when cg came; rcl came with 4.20",
	.text = "Which families of kmalloc caches there are: ordinary, accounted, reclaimable, DMA. Requests for one that is missing go to normal.",
},
};

const unsigned int policy_nr = ARRAY_SIZE(policy_table);
_Static_assert(ARRAY_SIZE(policy_table) <= POLICY_MOST, "room for every row");
