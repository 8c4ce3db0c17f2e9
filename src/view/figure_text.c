/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/figure_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define ZONE "zone.N<node>.<zone>."
#define FRAG "frag.N<node>.<zone>.order.<order>."
#define PCP "pcp.N<node>.<zone>.cpu<cpu>."
#define CACHE "cache.<cache>."

const struct figure_text figure_texts[] = {
	{ "lab.clock", "What the lab's time is: virtual or real." },
	{ "lab.cpus", "CPUs the lab was made with." },
	{ "lab.mem", "Bytes of memory, all zones together." },
	{ "lab.min_free_kbytes", "KiB that the watermarks are made of: zone.min_free_kbytes, or what came of its auto." },
	{ "lab.name", "Name of the lab." },
	{ "lab.nodes", "Nodes." },
	{ "lab.online", "CPUs that are online now." },
	{ "lab.ops", "Operations done so far." },
	{ "lab.pages", "Pages of memory, all zones together." },
	{ "lab.possible", "CPU numbers there are, online or not." },
	{ "lab.preset", "Kernel whose policies it was made with, or was last given." },
	{ "lab.seed", "Where random choices began." },
	{ "lab.time_ns", "The lab's clock in nanoseconds." },
	{ "lab.zones", "Zones that have memory." },

	{ ZONE "free_pages", "Pages free in the zone's buddy lists. Pages on CPU lists are not among them." },
	{ ZONE "free_seen", "The same as marks are compared with it: less exact with zone.stat_drift." },
	{ ZONE "drift_mark", "Below so many free_seen kswapd counts exactly; 0: never (zone.stat_drift)." },
	{ ZONE "managed", "Pages the page allocator has to give." },
	{ ZONE "nr_alloc_batch", "Pages that the zone may still give in this round (zone.fair)." },
	{ ZONE "present", "Pages of memory in the zone." },
	{ ZONE "spanned", "Pages from its first to its last, holes included." },
	{ ZONE "start_pfn", "Number of its first page." },
	{ ZONE "reserved_highatomic", "Pages in pageblocks set aside for urgent requests of higher order." },
	{ ZONE "stat_threshold", "By how much a CPU's own count of free pages may differ before it is added to the zone's." },
	{ ZONE "watermark.min", "Pages below which only urgent requests are served." },
	{ ZONE "watermark.low", "Pages that usual requests must leave." },
	{ ZONE "watermark.high", "Pages up to which a kernel would reclaim." },
	{ ZONE "watermark.boost", "Pages added to the marks for a while, after migratetypes were mixed." },
	{ ZONE "protection.<zone>", "Pages that must stay free here of a request that could have had that zone." },
	{ ZONE "lru.inactive_file", "File pages that reclaim looks at next." },
	{ ZONE "lru.active_file", "File pages that were used more than once." },
	{ ZONE "lru.inactive_anon", "Anon pages that reclaim looks at next (reclaim.swap on)." },
	{ ZONE "lru.active_anon", "Anon pages that were used more than once." },
	{ ZONE "lru.evicted_age", "How old its pages were on average when reclaim took them away, in pages that fillers of the node got since the last touch." },
	{ ZONE "lru.dirty", "LRU pages that have to be written before they can be taken away." },
	{ ZONE "compact.migrate_pfn", "Page at which the scanner for pages to move goes on; -1: afresh." },
	{ ZONE "compact.free_pfn", "Page at which the scanner for free pages goes on; -1: afresh." },
	{ ZONE "compact.considered", "Requests turned away since compaction last failed." },
	{ ZONE "compact.defer_shift", "One request in 2 to this power is let through." },
	{ ZONE "compact.order_failed", "Orders from this one on are put off." },
	{ ZONE "extfrag.unmovable.<type>", "Unmovable requests that took a block of that type (mm_page_alloc_extfrag)." },
	{ ZONE "extfrag.movable.<type>", "Movable requests that took a block of that type." },
	{ ZONE "extfrag.reclaimable.<type>", "Reclaimable requests that took a block of that type." },
	{ ZONE "order.<order>", "Free blocks of this order in the buddy lists." },
	{ ZONE "lock.acquired", "Times the zone's lock was taken." },
	{ ZONE "lock.contended", "Times another thread held it." },
	{ ZONE "lock.wait_ns", "Nanoseconds of the host that threads waited for it." },
	{ ZONE "event.<event>.cpu<cpu>", "The same on one CPU." },
	{ ZONE "event.<event>.order.<order>", "The same of one order." },
	{ ZONE "event.<event>", "How often this event happened in the zone; slablab-events(7) lists them." },

	{ FRAG "unusable", "Part of the free memory that a request of this order cannot use: 0.000 none of it, 1.000 all." },
	{ FRAG "delayed", "Free blocks of this order that are not to merge yet (buddy.coalesce=lazy)." },
	{ FRAG "global", "Free blocks of this order that merge with their buddies." },
	{ FRAG "used", "Blocks of this order that are held or cut into smaller ones, counted while buddy.coalesce is lazy." },
	{ FRAG "extfrag", "Why a request of this order would fail: towards 0 for want of memory, towards 1 for "
			  "want of large blocks; -1.000 where it would not fail." },

	{ PCP "batch", "Pages that a refill takes at once." },
	{ PCP "alloc_factor", "How often refills have doubled since the last free (pcp.model 6.7 and later)." },
	{ PCP "free_diff", "Pages by which it changed the zone's free_pages and that free_seen lacks (zone.stat_drift)." },
	{ PCP "free_count", "Pages freed since the last allocations, halved by each (pcp.model 6.8 and later)." },
	{ PCP "high_max", "Pages up to which the limit may grow where it tunes itself." },
	{ PCP "high_min", "Pages down to which the limit may shrink where it tunes itself." },
	{ PCP "lock.acquired", "Times this CPU took the zone's lock." },
	{ PCP "lock.contended", "Times it had to wait for it." },
	{ PCP "lock.hold_ns", "Time it held the lock, in ns, from every 16th hold; measured in parallel runs." },
	{ PCP "lock.wait_ns", "Time it waited for the lock, in ns." },
	{ PCP "count", "Pages on this CPU's lists of the zone." },
	{ PCP "free_factor", "How many times the next give-back doubles the batch: it grows while frees follow each other." },
	{ PCP "high", "Pages above which some go back to the buddy lists." },
	{ PCP "list.<n>", "Blocks on one list: number 3 * order + migratetype for orders 0 to 3 (0 unmovable, 1 movable, "
			  "2 reclaimable), and 12 up for the lists of large pages." },

	{ CACHE "event.<event>.cpu<cpu>", "The same on one CPU." },
	{ CACHE "event.<event>", "How often this event happened in the cache's stores; slablab-events(7) lists them." },
	{ CACHE "sysfs.<attribute>", "What the file /sys/kernel/slab/<cache>/<attribute> would say." },
	{ CACHE "N<node>.lock.acquired", "Times the lock of this node's partial list was taken." },
	{ CACHE "N<node>.lock.contended", "Times another thread held it." },
	{ CACHE "cached", "Objects that are out and that nobody uses: reclaim may free them (lru cache)." },
	{ CACHE "objects", "Objects that are out: given and not yet back. What waits on a CPU's freelist is not out." },
	{ CACHE "allocs", "Objects given out under this name." },
	{ CACHE "frees", "Objects that came back under this name." },
	{ CACHE "object_size", "Bytes asked for when the cache was made." },
	{ CACHE "size", "Bytes that an object takes up in its slab." },
	{ CACHE "inuse", "Bytes up to which the object and what must not be overwritten reach." },
	{ CACHE "usersize", "Bytes that may be copied to and from user space." },
	{ CACHE "align", "Bytes that each object's address is a multiple of." },
	{ CACHE "freeptr_offset", "Byte of a free object at which the link to the next one stands." },
	{ CACHE "red_left_pad", "Bytes of red zone before each object." },
	{ CACHE "ctor", "1 if objects are constructed, else 0." },
	{ CACHE "flags", "Flags in force, joined by |." },
	{ CACHE "engine", "What kind of store it has." },
	{ CACHE "store", "Number of its store, as stores lists them; caches with the same number are merged." },
	{ CACHE "aliases", "Other caches that are merged with it." },
	{ CACHE "order", "Order of a slab of its store." },
	{ CACHE "objs_per_slab", "Objects in a slab of that order." },
	{ CACHE "fallback_order", "Order of a slab when memory for the usual one is wanting." },
	{ CACHE "fallback_objs", "Objects in a slab of that order." },
	{ CACHE "slabs", "Slabs its store has." },
	{ CACHE "partial", "Slabs on the partial lists of its nodes." },
	{ CACHE "cpu_slabs", "Slabs that belong to CPUs, as the file cpu_slabs of sysfs counts them." },
	{ CACHE "pages", "Pages those slabs take up." },
	{ CACHE "total_objects", "Objects there is room for in its slabs." },
	{ CACHE "min_partial", "Slabs that a node's partial list keeps though they are empty. Can be set." },
	{ CACHE "cpu_partial", "Free objects that a CPU's partial list may hold, roughly. Can be set." },
	{ CACHE "cpu_partial_slabs", "Slabs that it may hold: what comes of cpu_partial." },
	{ CACHE "colours", "Different offsets at which its slabs begin; 0 of slub, whose slabs have no colours." },
	{ CACHE "colour_off", "Bytes between two of those offsets." },
	{ CACHE "management", "Engine slab: where the free indexes of a slab lie: in-object, off-slab or on-slab." },
	{ CACHE "index_bytes", "Engine slab: bytes of a slab's free indexes." },
	{ CACHE "limit", "Engine slab: objects that a CPU's array holds; 0 of other engines. Can be set." },
	{ CACHE "batchcount", "Engine slab: objects that a refill or a flush moves. Can be set." },
	{ CACHE "shared", "Engine slab: batches that a node's shared array holds. Can be set." },
	{ CACHE "shared_limit", "Engine slab: objects that it holds: what comes of shared and batchcount." },
	{ CACHE "shared_avail", "Engine slab: objects in the shared arrays of all nodes." },
	{ CACHE "alien_limit", "Engine slab: objects that an array of another node's objects holds; 0 with one node." },
	{ CACHE "free_limit", "Engine slab: free objects in node 0's slabs above which empty slabs are given back." },
	{ CACHE "free_objects", "Engine slab: free objects in slabs; those in arrays count as in use there." },
	{ CACHE "free_slabs", "Engine slab: slabs that are empty." },
	{ CACHE "active_high", "Engine slab: most objects that ever were out of their slabs, in arrays or in use." },
	{ CACHE "hiwater", "Engine slqb: objects that a CPU's list may hold; 0 of other engines. Can be set." },
	{ CACHE "freebatch", "Engine slqb: objects that a list gives up or is sent at once. Can be set." },
	{ CACHE "sheaf_capacity", "Engine sheaves: objects in a sheaf; 0: it has none, or another engine." },
	{ CACHE "sheaf_objects", "Engine sheaves: objects in sheaves, which count as in use in sysfs." },
	{ CACHE "rcu_objects", "Objects of its present store freed to the end of a grace period (kfree --rcu) that it has not come to; of draining stores: stores." },
	{ CACHE "rcu_sheaves", "Engine sheaves: sheaves of such objects that wait for it." },
	{ CACHE "prefilled_sheaves", "Sheaves that kmem_cache prefill handed out." },
	{ CACHE "prefilled_objects", "Objects in them, which are free." },
	{ CACHE "barn_full", "Engine sheaves: full sheaves in the barns of all nodes." },
	{ CACHE "barn_empty", "Engine sheaves: empty sheaves in the barns of all nodes." },
	{ CACHE "remote_node_defrag_ratio", "Of a hundred requests, how many may look at other nodes' partial lists "
					    "before a new slab is made. Can be set." },

	{ "event.mm_page_alloc_extfrag.<type>.<type>", "How often a request of the first type took a block of the second." },
	{ "event.<event>.cpu<cpu>", "The same on one CPU." },
	{ "event.<event>.order.<order>", "The same of one order, of events that are counted by order." },
	{ "event.<event>", "How often this event happened in the lab; slablab-events(7) lists them." },

	{ "replay.cpus", "CPUs of the trace." },
	{ "replay.lines", "Lines of the file." },
	{ "replay.events.all", "Events read: lines of kmem events, a record written twice once." },
	{ "replay.events.<event>", "The same of one event." },
	{ "replay.skipped", "Lines of events that do not matter here." },
	{ "replay.not_understood", "Lines that could not be read." },
	{ "replay.lost", "Events that the tracer says it lost." },
	{ "replay.repaired", "Lines freed of quote marks, log prefixes or quoted-printable." },
	{ "replay.joined", "Lines that were the rest of the line before, as mail programs wrap them." },
	{ "replay.gfp_unknown", "Records with a gfp word that is not known; it was left out." },
	{ "replay.folded", "Records that the tracer wrote twice; they count once." },
	{ "replay.tie_moves", "Lines moved before others of the same time stamp, because the file's order cannot be true: "
			      "something is given out there before it is free." },
	{ "replay.null_frees", "Frees of no address: kfree(NULL), which does nothing." },
	{ "replay.failed_allocs", "Allocations that failed in the traced kernel." },
	{ "replay.order_mismatch", "Pages freed with another order than they were allocated with." },
	{ "replay.batched_alone", "mm_page_free_batched lines without the mm_page_free that belongs to them; they count as frees." },
	{ "replay.class_differs", "kmallocs that the lab served from a cache of another size than the traced kernel." },
	{ "replay.lab_failed", "Allocations that the lab could not serve." },
	{ "replay.named_keys", "Caches told apart by call site and size that a free gave a name; the others are called unnamed-SIZE." },
	{ "replay.objects.allocs", "Objects allocated in the trace." },
	{ "replay.objects.bytes_req", "Bytes asked for by them." },
	{ "replay.objects.bytes_alloc", "Bytes given for them by the traced kernel." },
	{ "replay.objects.matched_frees", "Frees of objects that the trace saw allocated." },
	{ "replay.objects.remote_frees", "Those of them on another CPU than the allocation." },
	{ "replay.objects.unmatched_frees", "Frees of objects allocated before the trace began; nothing is run for them." },
	{ "replay.objects.reused", "Allocations at an address that was not freed: the free was lost, and is made up." },
	{ "replay.objects.live", "Objects that were not freed when the trace ended." },
	{ "replay.objects.peak", "Most objects that lived at once." },
	{ "replay.objects.interrupt_allocs", "Objects allocated in interrupts, where the trace tells." },
	{ "replay.ops.objects", "Operations on objects that were to be run." },
	{ "replay.ops.pages", "Operations on pages that were to be run." },
	{ "replay.ops.run", "Operations that were run." },
	{ "replay.live.<cache>", "Objects of this cache that were not freed when the trace ended." },
	{ "replay.traced_size.<cache>", "Bytes that the traced kernel gave for one object of this cache." },
	{ "replay.unmatched.<cache>", "Frees of this cache's objects that are older than the trace." },
	{ "replay.pages.order.<order>.allocs", "Blocks of this order allocated in the trace." },
	{ "replay.pages.order.<order>.frees", "Blocks of this order freed in the trace." },
	{ "replay.pages.order.<order>.matched", "Frees of blocks that the trace saw allocated." },
	{ "replay.pages.order.<order>.unmatched", "Frees of blocks allocated before the trace began." },
	{ "replay.pages.order.<order>.reused", "Blocks given out again without a free." },
	{ "replay.pages.order.<order>.live", "Blocks that were not freed when the trace ended." },
	{ "replay.pages.order.<order>.slab_allocs", "Blocks that the traced kernel took for slabs." },
	{ "replay.pages.order.<order>.slab_frees", "Blocks of slabs that it gave back." },
	{ "replay.pages.order.<order>.large_allocs", "Blocks that it took for kmallocs too large for slabs." },
	{ "replay.pages.order.<order>.large_frees", "Those that it gave back." },
	{ "replay.pages.order.<order>.ops", "Operations on blocks of this order that were to be run." },
	{ "replay.pages.order.<order>.run_allocs", "Those of them that allocate." },
	{ "replay.pages.allocs", "Blocks allocated in the trace, of all orders." },
	{ "replay.pages.frees", "Blocks freed in the trace, of all orders." },
	{ "replay.pages.matched", "Frees of blocks that the trace saw allocated." },
	{ "replay.pages.unmatched", "Frees of blocks allocated before the trace began." },
	{ "replay.pages.reused", "Blocks given out again without a free." },
	{ "replay.pages.live", "Pages that were not freed when the trace ended." },
	{ "replay.refills", "Times the traced kernel refilled a CPU's page list." },
	{ "replay.refill_pages.order.<order>", "Blocks of this order taken by those refills." },
	{ "replay.zone_locked.order.<order>", "Blocks that left its buddy lists under the zone lock." },
	{ "replay.drain_pages.order.<order>", "Blocks that went from CPU lists back to its buddy lists." },
	{ "replay.fallbacks.order.<order>", "Requests of this order that took a block of another migratetype." },
	{ "replay.lab_large_allocs.order.<order>", "Blocks that this lab took for kmallocs too large for slabs." },
	{ "run.ops", "Ops of the workload that runs in the lab, or of the last one that did." },
	{ "run.allocs", "Allocations among them." },
	{ "run.frees", "Frees among them." },
	{ "run.failed", "Allocations that the lab could not serve." },
	{ "run.live", "Objects and blocks that it holds, or held at its end." },
	{ "run.cpus", "CPUs that it runs on." },
	{ "run.seed", "Seed of what it draws." },
	{ "run.ns", "Host time that it ran for, without the time that it was held." },
	{ "run.cpu_ns", "Host CPU time of the threads that played it." },
	{ "run.ns_per_op", "The same, over its ops." },
	{ "run.ops_per_s", "Ops in a second of host time, all CPUs together." },
	{ NULL, NULL }
};

static bool stands_for_number(const char *name, size_t len)
{
	static const char *const numbers[] = { "node", "cpu", "order", "n" };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (strlen(numbers[i]) == len && !memcmp(numbers[i], name, len))
			return true;
	return false;
}

static bool stands_for_word(const char *name, size_t len)
{
	return len == strlen("zone") && !memcmp(name, "zone", len);
}

static bool fits(const char *form, const char *path);

/* A placeholder takes as little as it must; what follows it decides. */
static bool fits_placeholder(const char *form, const char *path)
{
	size_t len = strcspn(form + 1, ">");
	bool number = stands_for_number(form + 1, len), word = stands_for_word(form + 1, len);

	for (; *path; path++) {
		if ((number && !isdigit((unsigned char)*path)) || (word && *path == '.'))
			return false;
		if (fits(form + len + 2, path + 1))
			return true;
	}
	return false;
}

static bool fits(const char *form, const char *path)
{
	for (; *form && *form != '<'; form++, path++)
		if (*form != *path)
			return false;
	return *form ? fits_placeholder(form, path) : !*path;
}

const struct figure_text *figure_text_find(const char *path)
{
	for (const struct figure_text *t = figure_texts; t->form; t++)
		if (!strcmp(t->form, path) || fits(t->form, path))
			return t;
	return NULL;
}
