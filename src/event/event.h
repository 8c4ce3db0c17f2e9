/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event - what happened inside, declared once.
 *
 * Idea. An allocator step is told outward as an event: a number and up to
 * three fields. Counters, the story of the last op (`why`), the trace ring,
 * JSON keys, figures (`event.NAME`) and slablab-events(7) are all read off
 * the list below. Where the kernel has a name for a count, it is that name.
 *
 * An event of room PAGE is counted for the zone and CPU it happened in, one
 * of room SLAB for the store and CPU, one of room LAB for the CPU; sums are
 * made when somebody reads. ORDERED events are counted by order.
 *
 * Units. Counters count occurrences, but for those whose text says pages.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "base/types.h"

/* X(name, counted by order?, three fields, what just happened) */
#define PAGE_EVENTS(X)                                                                              \
	X(mm_page_alloc,            ORDERED, PFN,   ORDER, MTYPE, "a block was handed to whoever asked")        \
	X(mm_page_free,             ORDERED, PFN,   ORDER, NONE,  "a block came back")                          \
	X(mm_page_alloc_zone_locked,ORDERED, PFN,   ORDER, REFILL,"a block left the buddy lists under the zone lock") \
	X(mm_page_pcpu_drain,       ORDERED, PFN,   ORDER, MTYPE, "a block went from a CPU's list to the buddy lists") \
	X(buddy_split,              ORDERED, PFN,   ORDER, MTYPE, "a block was cut; this half stays free")       \
	X(buddy_merge,              ORDERED, PFN,   ORDER, NONE,  "two free buddies became one block of this order") \
	X(buddy_to_tail,            ORDERED, PFN,   ORDER, NONE,  "a freed block went to the tail: its pair is about to merge") \
	X(buddy_local_free,         ORDERED, PFN,   ORDER, MTYPE, "a freed block was kept as it is: its order is in steady use") \
	X(buddy_global_free,        ORDERED, PFN,   ORDER, MTYPE, "a block became free for its buddy to merge with") \
	X(buddy_merge_avoided,      ORDERED, PFN,   ORDER, NONE,  "two free buddies were left apart that would have made a block of this order") \
	X(stat_fold,                PLAIN,   PAGES, NONE,  NONE,  "a CPU's difference was added to the zone's count of free pages") \
	X(compact_capture,          PLAIN,   PFN,   ORDER, NONE,  "a block that came together went straight to the request that compacts") \
	X(compact_search,           PLAIN,   PFN,   BLOCKS,NONE,  "the free lists led compaction to a pageblock (compact.fast_search)") \
	X(lru_age_sum,              PLAIN,   PFN,   AGE,   NONE,  "ages of pages that reclaim took away, in allocations since their last touch, summed") \
	X(lru_aged,                 PLAIN,   PFN,   AGE,   NONE,  "pages of which that is the sum")             \
	X(lru_age_inversion,        PLAIN,   PFN,   AGE,   NONE,  "one was taken away though another zone of the node held an older one") \
	X(mm_page_free_batched,     PLAIN,   PFN,   NONE,  NONE,  "a page of a list free entered the CPU's list") \
	X(mm_page_alloc_extfrag,    PLAIN,   PFN,   ORDER, MTYPE, "a request took a block of another migratetype") \
	X(block_claim,              PLAIN,   PFN,   MTYPE, PAGES, "a pageblock changed to the wanted type")     \
	X(block_mixed_steal,        PLAIN,   PFN,   MTYPE, PAGES, "free pages of a pageblock moved, its type stayed") \
	X(lazy_flush,               PLAIN,   PAGES, ORDER, NONE,  "delayed blocks of lower orders were merged, counted in pages") \
	X(watermark_boost,          PLAIN,   PAGES, NONE,  NONE,  "types were mixed: the marks of the zone are raised, now by so many pages") \
	X(highatomic_reserve,       PLAIN,   PFN,   NONE,  NONE,  "a pageblock was set aside for urgent requests of high order") \
	X(highatomic_unreserve,     PLAIN,   PFN,   MTYPE, PAGES, "a pageblock set aside was given up")         \
	X(pgactivate,               PLAIN,   PAGES, NONE,  NONE,  "a page used again moved to the active list")  \
	X(pgdeactivate,             PLAIN,   PAGES, NONE,  NONE,  "an active page became inactive")              \
	X(pgrefill,                 PLAIN,   PAGES, NONE,  NONE,  "an active page was looked at by reclaim")     \
	X(pgscan_kswapd,            PLAIN,   PAGES, NONE,  NONE,  "kswapd looked at an inactive page")           \
	X(pgscan_direct,            PLAIN,   PAGES, NONE,  NONE,  "direct reclaim looked at an inactive page")   \
	X(pgscan_anon,              PLAIN,   PAGES, NONE,  NONE,  "reclaim looked at an inactive anon page")     \
	X(pgscan_file,              PLAIN,   PAGES, NONE,  NONE,  "reclaim looked at an inactive file page")     \
	X(pgsteal_kswapd,           PLAIN,   PAGES, NONE,  NONE,  "kswapd took a page away from its filler")     \
	X(pgsteal_direct,           PLAIN,   PAGES, NONE,  NONE,  "direct reclaim took a page away from its filler") \
	X(pgsteal_anon,             PLAIN,   PAGES, NONE,  NONE,  "an anon page was taken away")                 \
	X(pgsteal_file,             PLAIN,   PAGES, NONE,  NONE,  "a file page was taken away")                  \
	X(workingset_refault_anon,  PLAIN,   PAGES, NONE,  NONE,  "an anon page that had been taken away was needed again") \
	X(workingset_refault_file,  PLAIN,   PAGES, NONE,  NONE,  "a file page that had been taken away was needed again") \
	X(pgmigrate_success,        PLAIN,   PAGES, NONE,  NONE,  "compaction moved a page")                     \
	X(pgmigrate_fail,           PLAIN,   PAGES, NONE,  NONE,  "compaction found no place for a page")        \
	X(compact_migrate_scanned,  PLAIN,   PFN,   PAGES, NONE,  "pages looked at for moving")                  \
	X(compact_free_scanned,     PLAIN,   PFN,   PAGES, NONE,  "pages looked at as places to move to")        \
	X(compact_isolated,         PLAIN,   PFN,   PAGES, NONE,  "pages taken aside by either scanner")         \
	X(compact_daemon_migrate_scanned, PLAIN, PAGES, NONE, NONE, "those of them that background compaction looked at") \
	X(compact_daemon_free_scanned, PLAIN, PAGES, NONE, NONE,  "likewise, as places to move to")              \
	X(pcp_refill,               PLAIN,   LIST,  BLOCKS,NONE,  "one hold of the zone lock filled a CPU's list") \
	X(pcp_bulk_free,            PLAIN,   LIST,  PAGES, NONE,  "one hold of the zone lock emptied a part of a CPU's lists") \
	X(pcp_bypass,               PLAIN,   ORDER, REASON,NONE,  "a request went past the CPU's lists")          \
	X(wmark_check,              PLAIN,   ORDER, MARK,  PAGES, "a watermark was asked")                       \
	X(wmark_fail,               PLAIN,   ORDER, MARK,  PAGES, "a zone was below the mark asked for")         \
	X(fair_skip,                PLAIN,   ZONE,  NONE,  NONE,  "a zone was passed over: it has given its part of this round") \
	X(fair_reset,               PLAIN,   ZONE,  NONE,  NONE,  "the zones had all given their part: a new round begins") \
	X(zone_visit,               PLAIN,   ZONE,  NONE,  NONE,  "a zone was looked at by a walk of the zonelist") \
	X(zonelist_scan,            PLAIN,   ZONE,  NONE,  NONE,  "a walk of the zonelist began here")           \
	X(nofragment_retry,         PLAIN,   ZONE,  NONE,  NONE,  "the walk began again, willing to mix types")  \
	X(pgalloc,                  PLAIN,   PAGES, NONE,  NONE,  "pages given out of this zone, counted in pages") \
	X(pgfree,                   PLAIN,   PAGES, NONE,  NONE,  "pages given back to this zone, counted in pages") \
	X(numa_hit,                 PLAIN,   NODE,  NONE,  NONE,  "a block came from the node wanted")           \
	X(numa_miss,                PLAIN,   NODE,  NONE,  NONE,  "a block came from here though another node was wanted") \
	X(numa_foreign,             PLAIN,   NODE,  NONE,  NONE,  "a block wanted from here came from elsewhere") \
	X(numa_local,               PLAIN,   NODE,  NONE,  NONE,  "a block came from the CPU's own node")        \
	X(numa_other,               PLAIN,   NODE,  NONE,  NONE,  "a block came from another node than the CPU's")

/* The first 26 stand in the order of sysfs (Linux 6.1); the rest are the lab's own. */
#define SLAB_EVENTS(X)                                                                              \
	X(alloc_fastpath,           PLAIN, OBJ,   NONE, NONE, "an object came from the CPU's freelist")         \
	X(alloc_slowpath,           PLAIN, STORE, NONE, NONE, "the CPU's freelist had nothing to give")        \
	X(free_fastpath,            PLAIN, OBJ,   NONE, NONE, "an object went to the freelist of its CPU slab") \
	X(free_slowpath,            PLAIN, OBJ,   SLAB, NONE, "an object went back to a slab that is not this CPU's") \
	X(free_frozen,              PLAIN, SLAB,  NONE, NONE, "that slab is some CPU's already")                \
	X(free_add_partial,         PLAIN, SLAB,  NODE, NONE, "a slab joined a node's partial list")           \
	X(free_remove_partial,      PLAIN, SLAB,  NODE, NONE, "an emptied slab left a node's partial list")    \
	X(alloc_from_partial,       PLAIN, SLAB,  NODE, NONE, "a node's partial list gave the CPU a slab")     \
	X(alloc_slab,               PLAIN, SLAB,  ORDER,NONE, "a new slab was made of pages")                  \
	X(alloc_refill,             PLAIN, SLAB,  OBJS, NONE, "objects freed into the slab meanwhile were taken over") \
	X(alloc_node_mismatch,      PLAIN, SLAB,  NODE, NONE, "the CPU slab lies on another node than asked")  \
	X(free_slab,                PLAIN, SLAB,  NONE, NONE, "an empty slab was given back to the page layer") \
	X(cpuslab_flush,            PLAIN, SLAB,  NONE, NONE, "a CPU gave up its slab")                        \
	X(deactivate_full,          PLAIN, SLAB,  NONE, NONE, "the slab given up had nothing free")            \
	X(deactivate_empty,         PLAIN, SLAB,  NONE, NONE, "the slab given up was empty and is not kept")   \
	X(deactivate_to_head,       PLAIN, SLAB,  NODE, NONE, "the slab given up went to the head of the partial list") \
	X(deactivate_to_tail,       PLAIN, SLAB,  NODE, NONE, "the slab given up went to the tail of the partial list") \
	X(deactivate_remote_frees,  PLAIN, SLAB,  OBJS, NONE, "the slab given up held objects freed by others") \
	X(deactivate_bypass,        PLAIN, SLAB,  NONE, NONE, "an exhausted CPU slab was forgotten: it is full") \
	X(order_fallback,           PLAIN, SLAB,  ORDER,NONE, "the slab had to be made of a smaller order")    \
	X(cmpxchg_double_cpu_fail,  PLAIN, STORE, NONE, NONE, "a CPU-local exchange was tried again")          \
	X(cmpxchg_double_fail,      PLAIN, SLAB,  NONE, NONE, "an exchange on a slab lost a race")             \
	X(cpu_partial_alloc,        PLAIN, SLAB,  NONE, NONE, "the CPU's own partial list gave it a slab")     \
	X(cpu_partial_free,         PLAIN, SLAB,  SLABS,NONE, "a full slab got its first free object and joined this CPU's partial list") \
	X(cpu_partial_node,         PLAIN, SLAB,  NODE, NONE, "a slab moved from a node's list to the CPU's partial list") \
	X(cpu_partial_drain,        PLAIN, SLABS, NONE, NONE, "the CPU's partial list was at its limit and went to the nodes") \
	X(placed_head,              PLAIN, SLAB,  INUSE,NONE, "a slab was put at the head of a node's partial list") \
	X(placed_tail,              PLAIN, SLAB,  INUSE,NONE, "a slab was put at the tail of a node's partial list") \
	X(slab_cas,                 PLAIN, SLAB,  NONE, NONE, "a slab's freelist and counters were exchanged") \
	X(slab_lock_taken,          PLAIN, SLAB,  NONE, NONE, "a slab's lock bit stood in for the 16-byte exchange") \
	X(bulk_alloc_calls,         PLAIN, OBJS,  NONE, NONE, "a bulk allocation began")                       \
	X(bulk_alloc_objs,          PLAIN, OBJS,  NONE, NONE, "objects given out by bulk allocations")         \
	X(bulk_alloc_slow,          PLAIN, OBJ,   NONE, NONE, "one of them came by the slow path")             \
	X(bulk_free_calls,          PLAIN, OBJS,  NONE, NONE, "a bulk free began")                             \
	X(bulk_free_objs,           PLAIN, OBJS,  NONE, NONE, "objects given back by bulk frees")              \
	X(bulk_free_runs,           PLAIN, SLAB,  OBJS, NONE, "a run of objects of one slab was freed in one step") \
	X(bulk_free_runs_fast,      PLAIN, SLAB,  OBJS, NONE, "that slab was this CPU's own")                  \
	X(bulk_cas_saved,           PLAIN, OBJS,  NONE, NONE, "compare-exchanges that as many single calls would have needed") \
	X(bulk_run_1,               PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of one object")         \
	X(bulk_run_2,               PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 2 or 3 objects")     \
	X(bulk_run_4,               PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 4 to 7 objects")     \
	X(bulk_run_8,               PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 8 to 15 objects")    \
	X(bulk_run_16,              PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 16 to 31 objects")   \
	X(bulk_run_32,              PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 32 to 63 objects")   \
	X(bulk_run_64,              PLAIN, SLAB,  OBJS, NONE, "a bulk free made a run of 64 objects or more") \
	X(order_first_try,          PLAIN, SLAB,  ORDER,NONE, "pages for a slab of the preferred order were asked for, gently") \
	X(order_first_try_ok,       PLAIN, SLAB,  ORDER,NONE, "and that was granted")                        \
	X(slab_discard,             PLAIN, SLAB,  NONE, NONE, "an empty slab was dropped by a shrink, a destroy or a drain") \
	X(debug_errors,             PLAIN, SLAB,  COUNT,NONE, "checks of a debug store found damage; each finding is a report") \
	X(debug_slab_disabled,      PLAIN, SLAB,  OBJS, NONE, "a slab with a damaged free object was taken out of use") \
	X(debug_object_dropped,     PLAIN, OBJ,   SLAB, NONE, "a damaged free object was left out for good, and another one tried") \
	X(debug_free_refused,       PLAIN, OBJ,   SLAB, NONE, "a free was found wrong by checks and not done") \
	/* engine slab: as the statistics of its slabinfo, and some more */ \
	X(allochit,                 PLAIN, OBJ,   NONE, NONE, "an object came from the CPU's array")           \
	X(allocmiss,                PLAIN, LIMIT, NONE, NONE, "the CPU's array was empty and had to be refilled") \
	X(freehit,                  PLAIN, OBJ,   NONE, NONE, "an object went into the CPU's array")           \
	X(freemiss,                 PLAIN, LIMIT, NONE, NONE, "the CPU's array was full and had to be flushed") \
	X(listallocs,               PLAIN, SLAB,  OBJS, NONE, "objects moved from a slab into a CPU's array")  \
	X(listfrees,                PLAIN, NODE,  OBJS, NONE, "objects went back to their slabs")              \
	X(shared_get,               PLAIN, NODE,  OBJS, NONE, "objects moved from a node's shared array into a CPU's") \
	X(shared_put,               PLAIN, NODE,  OBJS, NONE, "objects moved from a CPU's array into its node's shared one") \
	X(grown,                    PLAIN, SLAB,  ORDER,NONE, "the cache grew by a slab")                      \
	X(reaped,                   PLAIN, SLAB,  NONE, NONE, "the timer gave a free slab back")               \
	X(nodeallocs,               PLAIN, OBJ,   NODE, NONE, "an object came from a node's slabs, past all arrays") \
	X(remotefrees,              PLAIN, OBJ,   NODE, NONE, "an object of another node was freed")           \
	X(alienoverflow,            PLAIN, NODE,  OBJS, NONE, "the array of another node's objects was full and went home") \
	/* engine sheaves: as Linux 6.18 names them */ \
	X(alloc_cpu_sheaf,          PLAIN, OBJ,   NONE, NONE, "an object came from a CPU's sheaf")            \
	X(free_cpu_sheaf,           PLAIN, OBJ,   NONE, NONE, "an object went into a CPU's sheaf")            \
	X(free_rcu_sheaf,           PLAIN, OBJ,   NONE, NONE, "an object went into a CPU's sheaf for frees after a grace period") \
	X(free_rcu_sheaf_fail,      PLAIN, OBJ,   NONE, NONE, "there was no such sheaf, nor memory for one")  \
	X(sheaf_flush,              PLAIN, OBJS,  NONE, NONE, "objects of a sheaf went back to their slabs")  \
	X(sheaf_refill,             PLAIN, OBJS,  NONE, NONE, "objects of slabs filled a sheaf")              \
	X(sheaf_alloc,              PLAIN, LIMIT, NONE, NONE, "a sheaf was made")                             \
	X(sheaf_free,               PLAIN, LIMIT, NONE, NONE, "a sheaf was given up")                         \
	X(barn_get,                 PLAIN, NODE,  OBJS, NONE, "a node's barn gave a full sheaf for an empty one") \
	X(barn_get_fail,            PLAIN, NODE,  NONE, NONE, "a node's barn had no full sheaf")              \
	X(barn_put,                 PLAIN, NODE,  OBJS, NONE, "a full sheaf went into a node's barn")         \
	X(barn_put_fail,            PLAIN, NODE,  NONE, NONE, "a node's barn had no room for a full sheaf")   \
	X(sheaf_prefill_fast,       PLAIN, OBJS,  NONE, NONE, "a CPU's spare sheaf was handed out")           \
	X(sheaf_prefill_slow,       PLAIN, OBJS,  NONE, NONE, "a CPU had no spare sheaf to hand out: the barn was asked") \
	X(sheaf_prefill_oversize,   PLAIN, OBJS,  NONE, NONE, "a sheaf larger than the cache's own was made and handed out") \
	X(sheaf_return_fast,        PLAIN, OBJS,  NONE, NONE, "a sheaf came back and became the CPU's spare one") \
	X(sheaf_return_slow,        PLAIN, OBJS,  NONE, NONE, "a sheaf came back to a CPU that has a spare one")  \
	/* every engine: frees after a grace period that no sheaf took */ \
	X(free_deferred,            PLAIN, OBJ,   NONE, NONE, "an object began to wait for a grace period")   \
	/* engine slqb: as its statistics of 2009 */ \
	X(alloc,                    PLAIN, OBJ,   NONE, NONE, "an object was given out")                      \
	X(alloc_slab_fill,          PLAIN, SLAB,  NONE, NONE, "an object came from a slab, the CPU's list being empty") \
	X(alloc_slab_new,           PLAIN, SLAB,  ORDER,NONE, "a new slab was made of pages for a list")     \
	X(free,                     PLAIN, OBJ,   NONE, NONE, "an object came back")                          \
	X(free_remote,              PLAIN, OBJ,   NODE, NONE, "an object of another node came back")          \
	X(flush_free_list,          PLAIN, CPU,   OBJS, NONE, "a list was too long and gave some of its objects up") \
	X(flush_free_list_objects,  PLAIN, OBJS,  NONE, NONE, "objects that lists gave up")                   \
	X(flush_free_list_remote,   PLAIN, OBJ,   NONE, NONE, "an object given up was of another list's slab") \
	X(flush_slab_partial,       PLAIN, SLAB,  NONE, NONE, "a full slab got an object back and joined its list's partial ones") \
	X(flush_slab_free,          PLAIN, SLAB,  NONE, NONE, "a slab got its last object back and was given back") \
	X(flush_rfree_list,         PLAIN, CPU,   OBJS, NONE, "objects of another list's slabs were sent to it") \
	X(flush_rfree_list_objects, PLAIN, OBJS,  NONE, NONE, "objects sent so")                              \
	X(claim_remote_list,        PLAIN, CPU,   OBJS, NONE, "a list took over what others had sent it")    \
	X(claim_remote_list_objects,PLAIN, OBJS,  NONE, NONE, "objects taken over so")

#define LAB_EVENTS(X)                                                                               \
	X(bad_free,                 PLAIN, OBJ,   NONE, NONE, "an address was freed that is no object or block") \
	X(free_wrong_cache,         PLAIN, OBJ,   STORE,NONE, "an object was freed to a cache it is not of")   \
	X(kmalloc_large,            PLAIN, BYTES, ORDER,NONE, "a kmalloc too large for a slab took whole pages") \
	X(fail_page_alloc_hits,     PLAIN, ORDER,GFP,  NONE, "fault injection let a request for pages fail") \
	X(failslab_hits,            PLAIN, CACHE, BYTES,NONE, "fault injection let a request for an object fail") \
	X(alloc_fail,               PLAIN, ORDER, GFP,  NONE, "no zone could serve a request")                 \
	X(slowpath,                 PLAIN, ORDER,GFP,  NONE, "no zone was above its low mark: the slow path begins") \
	X(slowpath_retry,           PLAIN, ORDER,COUNT,NONE, "the slow path goes round again")              \
	X(kswapd_wake_request,      PLAIN, NODE, ORDER,GFP,  "a request wanted kswapd to be awake")         \
	X(kswapd_wake_done,         PLAIN, NODE, ORDER,GFP,  "kswapd was asleep and had reason to wake")    \
	X(kswapd_low_wmark_hit_quickly, PLAIN, NODE, NONE, NONE, "it was woken within 100 ms of its sleep") \
	X(kswapd_high_wmark_hit_quickly, PLAIN, NODE, NONE, NONE, "100 ms after its sleep there was work again") \
	X(pageoutrun,               PLAIN, NODE, NONE, NONE, "kswapd began a run")                          \
	X(mm_vmscan_kswapd_wake,    PLAIN, NODE, ORDER,NONE, "kswapd woke up")                              \
	X(mm_vmscan_kswapd_sleep,   PLAIN, NODE, NONE, NONE, "kswapd went to sleep")                        \
	X(mm_vmscan_direct_reclaim_begin, PLAIN, ORDER, GFP, NONE, "a request reclaims for itself")         \
	X(mm_vmscan_direct_reclaim_end, PLAIN, PAGES, NONE, NONE, "so many pages came of it")               \
	X(mm_vmscan_lru_shrink_inactive, PLAIN, PAGES, FREED, PRIORITY, "a batch of inactive pages was looked at") \
	X(mm_vmscan_lru_shrink_active, PLAIN, PAGES, FREED, PRIORITY, "a batch of active pages became inactive") \
	X(allocstall_dma,           PLAIN, NONE, NONE, NONE, "a request for zone DMA had to reclaim")       \
	X(allocstall_dma32,         PLAIN, NONE, NONE, NONE, "a request for zone DMA32 had to reclaim")     \
	X(allocstall_normal,        PLAIN, NONE, NONE, NONE, "a request for zone Normal had to reclaim")    \
	X(allocstall_movable,       PLAIN, NONE, NONE, NONE, "a request for zone Movable had to reclaim")   \
	X(pgskip_dma,               PLAIN, PFN,  NONE, NONE, "reclaim passed over a page of zone DMA: it would not help") \
	X(pgskip_dma32,             PLAIN, PFN,  NONE, NONE, "the same, of zone DMA32")                     \
	X(pgskip_normal,            PLAIN, PFN,  NONE, NONE, "the same, of zone Normal")                    \
	X(pgskip_movable,           PLAIN, PFN,  NONE, NONE, "the same, of zone Movable")                   \
	X(pgscan_direct_throttle,   PLAIN, NODE, NONE, NONE, "so little was free that kswapd had to go first") \
	X(drain_all,                PLAIN, PAGES,NONE, NONE, "the page lists of all CPUs were emptied for a request") \
	X(drain_all_pages_moved,    PLAIN, PAGES,NONE, NONE, "pages that went to the buddy lists by that")  \
	X(oom_kill,                 PLAIN, ORDER,GFP,  NONE, "memory had run out: the kernel would have killed a process") \
	X(reclaim_retry_zone,       PLAIN, ORDER,COUNT,AGAIN,"would more reclaim help?")                    \
	X(mm_compaction_begin,      PLAIN, PFN,  FREEPFN,MODE,"compaction of a zone began: where its scanners stand") \
	X(mm_compaction_end,        PLAIN, PFN,  FREEPFN,RESULT,"compaction of a zone ended")               \
	X(mm_compaction_isolate_migratepages, PLAIN, PFN, PAGES, TAKEN, "pages to move were looked for from here on") \
	X(mm_compaction_isolate_freepages, PLAIN, PFN, PAGES, TAKEN, "free pages were looked for from here on") \
	X(mm_compaction_migratepages, PLAIN, PAGES, FAILED, NONE, "pages were moved")                       \
	X(mm_compaction_suitable,   PLAIN, ZONE, ORDER,RESULT,"does compaction of this zone make sense?")   \
	X(mm_compaction_deferred,   PLAIN, ZONE, ORDER,NONE, "compaction failed here lately: not this time") \
	X(compact_retry,            PLAIN, ORDER,RESULT,AGAIN,"would more compaction help?")                \
	X(compact_stall,            PLAIN, ORDER,NONE, NONE, "a request compacted for itself")              \
	X(compact_success,          PLAIN, ORDER,NONE, NONE, "and got its block")                           \
	X(compact_fail,             PLAIN, ORDER,NONE, NONE, "and got none")                                \
	X(compact_daemon_wake,      PLAIN, NODE, ORDER,NONE, "background compaction woke up")               \
	X(slab_alloc_fail,          PLAIN, STORE, GFP,  NONE, "no slab could be made for a request")        \
	X(slabs_scanned,            PLAIN, OBJS, NONE, NONE, "cached objects that reclaim looked at")       \
	X(mm_shrink_slab_start,     PLAIN, CACHE, OBJS, PRIORITY, "reclaim looks at so many cached objects") \
	X(mm_shrink_slab_end,       PLAIN, CACHE, OBJS, FREED, "it looked at so many and freed some of them") \
	X(drop_slab,                PLAIN, NONE, NONE, NONE, "all cached objects were to go (reclaim slab)") \
	X(drop_pagecache,           PLAIN, NONE, NONE, NONE, "all clean file pages were to go (reclaim pagecache)")

#define EVENT_ENUM(name, by, f1, f2, f3, text) EV_##name,
enum event_id {
	PAGE_EVENTS(EVENT_ENUM)
	EV_PAGE_NR,
	EV_SLAB_FIRST = EV_PAGE_NR,
	EV_SLAB_BEFORE_FIRST = EV_SLAB_FIRST - 1,
	SLAB_EVENTS(EVENT_ENUM)
	EV_SLAB_END,
	EV_LAB_FIRST = EV_SLAB_END,
	EV_LAB_BEFORE_FIRST = EV_LAB_FIRST - 1,
	LAB_EVENTS(EVENT_ENUM)
	EV_NR,
};
#define EV_SLAB_NR (EV_SLAB_END - EV_SLAB_FIRST)
#define EV_LAB_NR (EV_NR - EV_LAB_FIRST)
#define EV_ORDERED_NR (EV_buddy_merge_avoided + 1)	/* the ordered ones stand first */
#define EV_SYSFS_NR 26				/* slab events that sysfs shows */

/* Fields: X(name, JSON key, printf form) */
#define EVENT_FIELDS(X)                  \
	X(NONE,   "",        "")         \
	X(PFN,    "pfn",     "0x%llx")   \
	X(ORDER,  "order",   "%llu")     \
	X(MTYPE,  "migratetype", "%llu") \
	X(REFILL, "percpu_refill", "%llu") \
	X(PAGES,  "pages",   "%llu")     \
	X(BLOCKS, "blocks",  "%llu")     \
	X(LIST,   "list",    "%llu")     \
	X(REASON, "reason",  "%llu")     \
	X(MARK,   "mark",    "%llu")     \
	X(ZONE,   "zone",    "%llu")     \
	X(NODE,   "node",    "%llu")     \
	X(STORE,  "store",   "%llu")     \
	X(SLAB,   "slab",    "%llu")     \
	X(SLABS,  "slabs",   "%llu")     \
	X(OBJ,    "object",  "0x%llx")   \
	X(OBJS,   "objects", "%llu")     \
	X(INUSE,  "inuse",   "%llu")     \
	X(BYTES,  "bytes",   "%llu")     \
	X(GFP,    "gfp",     "0x%llx")   \
	/* of notes (event/note.h) only */ \
	X(FREED, "reclaimed", "%llu") \
	X(PRIORITY, "priority", "%llu") \
	X(AGAIN, "again", "%llu") \
	X(FREEPFN, "free_pfn", "0x%llx") \
	X(MODE, "mode", "%llu") \
	X(RESULT, "result", "%llu") \
	X(TAKEN, "taken", "%llu") \
	X(AGE, "age", "%llu") \
	X(SEEN, "seen", "%llu") \
	X(FAILED, "failed", "%llu") \
	X(STEP, "step", "%llu") \
	X(WAY, "order_fallback", "%llu") \
	X(PLACE, "from_place", "%llu") \
	X(BOOST, "boost", "%llu") \
	X(HEEDED, "heeded", "%llu") \
	X(RESERVED, "reserved_highatomic", "%llu") \
	X(SIZE, "size_less_one", "%llu") \
	X(RECLAIMABLE, "reclaimable", "%llu") \
	X(NEEDHIGH, "need_high", "%llu") \
	X(NEEDATOMIC, "need_atomic", "%llu") \
	X(KIND, "zone_kind", "%llu") \
	X(MARKNAME, "mark", "%llu") \
	X(NEED, "need", "%llu") \
	X(FREE, "free", "%llu") \
	X(PROTECTED, "protection", "%llu") \
	X(FAULT, "fault", "%llu") \
	X(RIGHTS, "rights", "%llu") \
	X(COUNT, "count", "%llu") \
	X(HIGH, "high", "%llu") \
	X(BATCH, "batch", "%llu") \
	X(FOUND, "found_order", "%llu") \
	X(KEEP, "keep", "%llu") \
	X(VICTIM, "taken_from", "%llu") \
	X(WHOLE, "whole_block", "%llu") \
	X(ALIKE, "alike", "%llu") \
	X(HALF, "half", "%llu") \
	X(TAIL, "tail", "%llu") \
	X(READY, "ready", "%llu") \
	X(FACTOR, "factor", "%llu") \
	X(CACHE, "cache", "%llu") \
	X(SHARERS, "caches", "%llu") \
	X(CPU, "cpu", "%llu") \
	X(LIMIT, "limit", "%llu") \
	X(KEPT, "min_partial", "%llu") \
	X(LEAST, "least_order", "%llu") \
	X(TRY, "try", "%llu") \
	X(MOST, "max_order", "%llu") \
	X(FROZEN, "was_frozen", "%llu") \
	X(WASFULL, "was_full", "%llu") \
	X(CNT, "freed", "%llu") \
	X(CHAINED, "on_chain", "%llu") \
	X(DRAINED, "drained", "%llu") \
	X(GONE, "discard", "%llu") \
	X(TEST, "discard_test", "%llu") \
	X(UNIT, "in_objects", "%llu") \
	X(VALUE, "value", "%llu") \
	X(SITE, "site_tail", "%llu") \
	X(GIVEN, "given_back", "%llu") \
	X(REMOTE, "freed_by_others", "%llu") \
	X(INUSEBLOCKS, "in_use", "%llu") \
	X(DELAYED, "delayed", "%llu") \
	X(PACE, "pace", "%llu")

#define FIELD_ENUM(name, key, fmt) FIELD_##name,
enum event_field { EVENT_FIELDS(FIELD_ENUM) FIELD_NR };

enum event_room { ROOM_PAGE, ROOM_SLAB, ROOM_LAB };

struct event_row {
	const char *name;
	enum event_room room;
	bool ordered;
	enum event_field fields[3];
	const char *text;
};

extern const struct event_row event_table[EV_NR];
struct event_field_row {
	const char *key, *format;
};

extern const struct event_field_row event_fields[FIELD_NR];

/* The event of this name, -1 if there is none. */
int event_find(const char *name);

#endif
