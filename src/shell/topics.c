/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/topics.h"

#include <string.h>

#include "base/types.h"

const struct topic topics[] = {
{ "arena", "memory, address",
  "The memory of a lab: real pages of this process, handed out by the lab's own page allocator. An address, wherever "
  "slablab prints one, is the offset in the arena, so that it is the same in every run.",
  "where, lab info" },
{ "array cache", "array, shared array, alien array",
  "Engine slab: a stack of free objects before the slabs. Each CPU has one, the CPUs of a node share one, and one for each "
  "other node collects what is to go home. An empty one is refilled, a full one flushed, by a batch under one lock. What "
  "lies in arrays counts as in use in slabinfo.",
  "slabs, slabinfo, kmem_cache tune, kmem_cache reap" },
{ "block", "repeat, for, { }, braces",
  "repeat N { COMMANDS } runs a block N times; for NAME in WORD... { COMMANDS } once a word, which stands there as $NAME. "
  "Blocks may go over several lines and lie in each other; ; stands between commands of one line. In a block as "
  "anywhere, NAME = names what is allocated, and an error says in which round it was.",
  "time repeat 10 { kmalloc 64 }, source, verbose" },
{ "buddy", "buddy system, split, merge",
  "The page allocator under everything. Free memory lies in blocks of 2^order pages, each at a multiple of its size. A "
  "request takes the smallest free block that is large enough and cuts it in halves; a block that comes back joins its "
  "buddy, the other half, if that is free too. Events buddy_split and buddy_merge count both.",
  "buddyinfo, freelist, alloc_pages, why" },
{ "bulk", "",
  "Many objects or pages in one call. Allocating in bulk saves a call each; freeing in bulk sorts the objects into runs "
  "of one slab and gives each run back in one step. Objects come all or none; pages as many as there are.",
  "kmem_cache alloc_bulk, kmem_cache free_bulk, alloc_pages_bulk" },
{ "cache", "named cache",
  "A name, an object size and flags: what a kernel's code asks kmem_cache_create for. A cache owns no memory; it points "
  "at a store. kmalloc picks among caches of fixed sizes.",
  "caches, kmem_cache create, slabinfo" },
{ "cache flags", "flags, HWCACHE, RCU, ACCOUNT, POISON, REDZONE, USER, CONSIST, NOMERGE, FAILSLAB, SPREAD, NOLEAK, TRACE",
  "What kmem_cache create is told beside the size, joined by |. HWCACHE aligns objects to cache lines; RECLAIM, DMA, "
  "DMA32 and ACCOUNT say which pages or whose account, and caches that differ in them do not merge; RCU frees slabs "
  "late, and keeps the free pointer behind the object. REDZONE, POISON, USER, CONSIST, TRACE and FAILSLAB are debugging "
  "(letters Z P U F T A of slub.debug); with them, and with NOMERGE, NOLEAK or RCU, a cache stays alone. SPREAD means "
  "nothing to SLUB.",
  "kmem_cache create, caches, get cache.NAME.flags" },
{ "colour", "",
  "Engines slab and slqb: slabs begin at offsets that change from slab to slab, as far as what is left over in a slab "
  "allows, so that objects of one number do not all fall into the same lines of a CPU's caches.",
  "slabs, get cache.NAME.colours" },
{ "cpu partial list", "chain, cpu chain, per-cpu partial list",
  "Slabs with free objects that wait at one CPU, before they go to their node. A slab that was full joins the list of "
  "the CPU that first frees into it. At its limit (slub.cpu_partial) the whole list goes to the nodes. sysfs calls it "
  "the CPU's partial list; its slabs are frozen.",
  "slabs, freelist, where, why" },
{ "cpu slab", "frozen, fast path",
  "The slab from which a CPU takes objects now. Its free objects are on a private freelist that only this CPU touches: "
  "that is the fast path. A slab that is some CPU's, or on its partial list, is frozen: whoever frees into it moves it "
  "nowhere.",
  "slabs, freelist, why" },
{ "debugging", "slub_debug, red zone, poison, track, report, wrong act",
  "A cache with debug letters (set cache.NAME.debug FZPU) knows what every byte of an object's slot must be: red zones "
  "around it, poison while it is free, tracks of who took and freed it. Checks find what poke, a second free or a free of "
  "a wrong address broke, report it as a kernel's log would, and mend it as the kernel does. Each engine has its own "
  "layout and words: slqb has no red zone on the left and leaves out damaged objects, slab has red words and notes who "
  "called last, sheaves is slub then. Without letters nothing is noticed, as in a kernel.",
  "set cache.NAME.debug FZPU, poke, kfree, dmesg, kmem_cache validate, alloc_traces, fail" },
{ "engine", "",
  "The allocator that a store is run by. slub: a CPU owns a slab and hands out its objects. slab: arrays of objects before "
  "the slabs, for each CPU and shared. slqb: a list and slabs for each CPU, queues between them. sheaves: arrays above "
  "slub that are exchanged whole. set slab.engine for all caches, set cache.NAME.engine for one, objects being out or not.",
  "slabs, caches -v, stores, policy slab.engine" },
{ "event", "counter",
  "A step of the allocators that is counted, by the kernel's name where it has one. event.NAME is the sum over the lab; "
  "cache.NAME.event.EVENT that of a cache. help EVENT tells of one.",
  "stat, get, why" },
{ "fallback", "steal, claim",
  "When no block of the wanted migratetype is free, a block of another type is taken, the largest first, so that it "
  "happens seldom; if enough of its pageblock is free, the whole pageblock changes its type. Events "
  "mm_page_alloc_extfrag, block_claim and block_mixed_steal.",
  "pagetypeinfo, why, stat" },
{ "figure", "path",
  "A number of the lab with a dotted path, such as zone.N0.Normal.free_pages or cache.foo.objects. get prints, assert "
  "compares; a path may hold * and ?.",
  "get, assert" },
{ "fragmentation", "",
  "Free memory that is of no use to a request, because too little of it lies together. Outside, in the buddy lists: the "
  "fragmentation index of an order is near 0 when memory lacks and near 1 when it is scattered. Inside, in slabs: free "
  "objects that pin whole slabs.",
  "frag, buddyinfo, pagetypeinfo, slabs" },
{ "freelist", "free list",
  "Free objects of a slab, or free blocks of one order and type, linked through themselves. The order on the list is "
  "the order in which they are handed out.",
  "freelist, where" },
{ "gfp", "gfp flags",
  "What a request may do and wants, in the kernel's spelling: GFP_KERNEL may wait, GFP_ATOMIC may not and may go further "
  "below the watermarks, __GFP_MOVABLE and __GFP_RECLAIMABLE name the migratetype, __GFP_DMA and its like the zone. "
  "Joined by |.",
  "alloc_pages, kmalloc, kmem_cache alloc" },
{ "handle", "slice, member",
  "A name for what a command allocated: a = kmalloc 64 x10. Members keep their index for ever: a[3], a[2:5], a[::2], "
  "a[-1]; a[~50%] chooses half of what is live. Without a name, the handle is _1, _2 and so on.",
  "where, why, free" },
{ "json", "",
  "With --json, before the commands or behind one, each command prints one line: command, lab, ok, and data or error. "
  "Its keys are the last parts of figures' names; text views are painted from the same data, so they cannot disagree.",
  "get, slabs, where; slablab(1)" },
{ "kmalloc", "kmalloc class",
  "Memory by size alone. Up to kmalloc.max_class, 8192 bytes, the request is rounded up to a class (8, 16, 32, 64, 96, "
  "128, 192, 256 and so on by powers of two) and comes from that class's cache; more takes whole pages.",
  "kmalloc, kfree, caches" },
{ "lab", "",
  "One machine to experiment on: its memory, zones, CPUs, caches and policies, all in one region. There may be several; "
  "@NAME before a command runs it there.",
  "lab new, lab list, lab use, lab info, lab check" },
{ "merging", "merge, alias, un-merging",
  "Caches of like size and flags may share one store, as kernels do to save memory (slab.merge). The flip side: objects "
  "of different users lie side by side. Switched off, each cache gets a store of its own, while objects are live; the "
  "shared store drains.",
  "caches, stores, policy" },
{ "migratetype", "mobility, movable, unmovable, reclaimable",
  "What a block is used for: Unmovable, Movable, Reclaimable, and HighAtomic for urgent requests. Each has its own "
  "buddy lists, so that what cannot move stays together and large blocks come about again elsewhere.",
  "pagetypeinfo, alloc_pages, freelist" },
{ "node", "NUMA",
  "Memory near some CPUs. Requests try the CPU's own node first, then others by distance. Each store keeps a partial "
  "list per node.",
  "zoneinfo, lab new, slabs" },
{ "op", "operation",
  "One thing done to a lab: an allocation, a free, a drain, a change of policy. It runs on one CPU to its end. All "
  "commands that change a lab run ops, and the same ops in the same order give the same lab.",
  "why, lab info, lab hash" },
{ "order", "",
  "The size of a block of pages as a power of two: order 0 is one page (4 KiB), order 3 eight pages, order 10, the "
  "largest, 1024 pages (4 MiB). Slabs too are blocks of some order.",
  "buddyinfo, alloc_pages, slabs" },
{ "page", "pfn",
  "4 KiB of memory. Its number is its page frame number, pfn; pfn 0 is the first page of the arena.",
  "where, alloc_pages" },
{ "pageblock", "",
  "The unit that has a migratetype: usually 512 or 1024 pages. All free blocks of a pageblock stand on the lists of its type, but for "
  "what was stolen in part.",
  "pagetypeinfo, frag" },
{ "partial list", "node partial list, partial",
  "Slabs of a node that have free objects and are no CPU's. A CPU without objects takes the first; where a slab joins "
  "(head: used next, tail: left to empty) is policy slub.partial_add. A node keeps slub.min_partial slabs even if they "
  "are empty.",
  "slabs, freelist, stat, why" },
{ "pcp", "cpu page list, per-cpu page list",
  "Short lists of free pages that each CPU keeps in front of each zone, by order (0 to 3, and 9) and migratetype. An "
  "empty list is refilled with a batch under one hold of the zone lock; above high, a batch or more goes back.",
  "pcp, drain, zoneinfo, why" },
{ "policy", "switch",
  "A rule of the allocators that can be changed, mostly while objects are live: set NAME VALUE. Many can be overridden "
  "for one cache, as cache.NAME.PART. help POLICY tells of one.",
  "policy, set, unset" },
{ "prefix", "on, @, @LAB, xN, before a command",
  "Before a command stand, in this order: NAME = (a handle), @LAB (another lab than the current one), on CPU (or on all: "
  "each CPU in turn). Behind it may stand xN, which repeats an allocation under one handle and has to be the last word; "
  "--json; | and a host's command; > or >> and a file.",
  "a = @main on 1 kmalloc 64 x3; cpu; lab use" },
{ "remote queue", "rlist",
  "Engine slqb, of 2009: each CPU has a list of free objects and slabs of its own. A list above slqb.hiwater gives slqb.freebatch "
  "of its newest back: to their slabs, or, of other lists' slabs, batch by batch to those lists' remote queues, which are "
  "taken over when the list there is empty.",
  "slabs, stat, kmem_cache reap" },
{ "sheaf", "barn",
  "Engine sheaves: an array of objects before slub. A CPU has a main one and perhaps a spare; both empty, or both full, a "
  "whole sheaf is exchanged at the node's barn, which keeps up to sheaves.barn_max_full full ones. A cache has sheaves if "
  "its capacity is not 0.",
  "slabs, kmem_cache create, stat" },
{ "slab", "S0",
  "A block of pages cut into objects of one size. S0, S1 and so on are the slabs of a store in the order in which it "
  "made them. A slab is one CPU's, on a CPU's partial list, on its node's partial list, or full and on no list.",
  "slabs, freelist, where" },
{ "store", "",
  "What owns slabs: an allocator of its own, of one object size and geometry, numbered #1, #2 and so on. Caches point at stores; two "
  "that point at one are merged. When a policy changes a cache's geometry, the cache gets a new store and the old one "
  "drains: it dies when its last object is freed.",
  "stores, caches" },
{ "story", "steps",
  "The steps of an op as `why` tells them, with the figures met on the way. Those of the last operations of each CPU are "
  "kept. Policy event.story chooses which are told: auto those of commands, on all, off none.",
  "why" },
{ "variant", "bare, counted, told",
  "The hot code is compiled three times: bare (counts nothing), counted (the default), told (counts and tells each "
  "step). Commands run told, replays counted; event.counters off makes all of it bare.",
  "policy, stat, why" },
{ "watermark", "min, low, high",
  "How much of a zone must stay free: min, low and high, from zone.min_free_kbytes. Usual requests stop at low, and if "
  "that fails everywhere at min; urgent ones may use a part of what is below. A request that could have used a higher "
  "zone leaves a further reserve here (zone.lowmem_reserve_ratio).",
  "zoneinfo, get, why" },
{ "zone", "",
  "A range of pages with buddy lists of its own: DMA, DMA32, Normal, HighMem or Movable, on some node. A request names "
  "the highest zone that will do, and tries that and the ones below.",
  "zoneinfo, buddyinfo, lab new" },
{ "zonelist", "",
  "The order in which zones are tried: of the nearest node first, the highest first. Event zonelist_scan counts walks "
  "along it, zone_visit the zones looked at.",
  "zoneinfo, why" },
{ 0 }
};

/* Is `name` one of the names in the list? */
static bool is_among(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ",")) {
		p += strspn(p, ", ");
		if (strcspn(p, ",") == len && !strncasecmp(p, name, len))
			return true;
	}
	return false;
}

const struct topic *topic_find(const char *name)
{
	for (const struct topic *t = topics; t->name; t++)
		if (!strcasecmp(t->name, name))
			return t;
	for (const struct topic *t = topics; t->name; t++)
		if (*name && is_among(t->others, name))
			return t;
	return NULL;
}
