/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * op - what every source asks of a lab.
 *
 * Idea. A shell line, a script, a workload and a replay all become ops: which
 * CPU, what, how much. An op runs to its end on its CPU. Commands run ops one
 * at a time with op_run(), which stops the CPUs, plays one and lets them go; long
 * stepped runs hold a lab stopped once (lab_hold()) and then op_play() many;
 * parallel runs call op_exec() on each CPU's thread.
 *
 * Every change of a lab is an op: policies, flushes, hot-plug too.
 *
 * Units. Objects and blocks are region offsets, 0 = none.
 */
#ifndef OP_OP_H
#define OP_OP_H

#include "base/finding.h"
#include "base/gfp.h"
#include "base/types.h"
#include "base/wish.h"
#include "lab/lab.h"
#include "slab/policy.h"

enum op_kind {
	OP_NONE,
	OP_ALLOC_PAGES,		/* order, gfp, node      → off */
	OP_ALLOC_PAGES_BULK,	/* n, gfp, node, vec     → got, vec filled */
	OP_FREE_PAGES,		/* off, order */
	OP_FREE_PAGES_LIST,	/* n, vec: order-0 pages given back as one list */
	OP_KMALLOC,		/* size, gfp, node       → off, cache (0: large) */
	OP_KFREE,		/* off */
	OP_CACHE_ALLOC,		/* cache, gfp, node      → off */
	OP_CACHE_FREE,		/* cache, off */
	OP_CACHE_ALLOC_BULK,	/* cache, n, gfp, vec    → got (n or 0) */
	OP_CACHE_FREE_BULK,	/* cache (0: any), n, vec */
	OP_CACHE_SHRINK,	/* cache */
	OP_CACHE_DESTROY,	/* cache */
	OP_DRAIN,		/* this CPU's page lists */
	OP_CACHE_REAP,		/* cache, n: enum reap_part, node: alien node due or -1 */
	OP_LRU_ADD,		/* size: LRU_ADD_*, gfp, node → off: an entry of the LRU (page/lru.h), whatever page it has */
	OP_LRU_TOUCH,		/* off: an entry, of either kind → got: 1 if it had to be brought back; off: the object or entry then */
	OP_LRU_DROP,		/* off: an entry */
	OP_RECLAIM,		/* n pages, node (-1: all) → got: freed; order: RECLAIM_*, instead of n */
	OP_COMPACT,		/* node (-1: all)       → got: pages moved */
	OP_LRU_CACHE,		/* off: an object, cache, gfp → off: an entry of cached objects (slab/cached.h) */
	OP_LRU_UNCACHE,		/* off: an entry        → off: its object, 0 if it was shrunk */
	OP_KFREE_RCU,		/* off: after a grace period */
	OP_CACHE_FREE_RCU,	/* cache, off: likewise */
	OP_SHEAF_PREFILL,	/* cache, n, gfp        → off: a sheaf, handed out (slab/prefill.h) */
	OP_SHEAF_ALLOC,		/* off: a sheaf, gfp    → off, cache */
	OP_SHEAF_REFILL,	/* off: a sheaf, count, gfp → off: the sheaf now, got: what it holds */
	OP_SHEAF_RETURN,	/* off: a sheaf, gfp */
	OP_KINDS,
};

enum { LRU_ADD_FILE = 1, LRU_ADD_DIRTY = 2 };
enum { RECLAIM_PAGECACHE = 1, RECLAIM_SLAB = 2 };	/* all that can go, as the bits of drop_caches */

struct op {
	uint8_t kind, order;
	uint16_t cpu;
	union {
		int32_t node;		/* allocations: -1 none asked for */
		uint32_t owner;		/* frees: cache the object was asked under, where a handle knows; else 0 */
		uint32_t count;		/* OP_SHEAF_REFILL */
	};
	uint32_t gfp, cache;
	union {
		uint64_t off, size, n;
	};
	uint64_t *vec;			/* bulk only */
};
_Static_assert(sizeof(struct op) == 32, "an op is 32 bytes");

/* OP_CACHE_REAP: the timer's pass over this CPU's part, with the node's or without. */
enum reap_part { REAP_PART_CPU = 1, REAP_PART_NODE };

struct op_result {
	int error;			/* 0 or -errno; the sentence is in fail_why() */
	uint32_t cache;			/* the named cache an object came from or went to, 0: pages */
	uint64_t off;
	uint64_t got;
	uint64_t shrunk;		/* OP_RECLAIM: cached objects freed */
	uint32_t findings;		/* FINDING_* */
};

/* Stop all CPUs, play this one (told, unless event.story says otherwise), resume. Returns r->error. */
int op_run(struct lab *lab, const struct op *op, struct op_result *r);

/* Hold all CPUs for a stepped run; op_play() then costs no stop. */
void lab_hold(struct lab *lab);
void lab_release(struct lab *lab);
int op_play(struct lab *lab, const struct op *op, struct op_result *r);	/* counted */

/* On the CPU's own thread, in a parallel run: enter, run, leave. */
struct cpu;
int op_exec(struct cpu *cpu, const struct op *op, struct op_result *r);

/* Run fn on each of CPUs 0..n-1 on their own pinned threads (cpus_run). */
int op_parallel(struct lab *lab, unsigned int n, void (*fn)(struct cpu *cpu, unsigned int id, void *arg),
		void *arg);
/* The same on the CPUs of these ids. */
int op_parallel_on(struct lab *lab, const uint16_t *ids, unsigned int n,
		   void (*fn)(struct cpu *cpu, unsigned int id, void *arg), void *arg);
bool op_cpu_is_online(const struct lab *lab, unsigned int cpu);

/*
 * Between two lab_hold() of a long stepped run: let whoever waits for the lab
 * have it. The host's mutex alone would give it back to whoever runs.
 */
void lab_give_way(struct lab *lab);

/* ---- ops whose arguments are words ---- */

int op_cache_create(struct lab *lab, const struct cache_request *rq, uint32_t *cache);

/* The cache of that name, 0 if there is none. */
uint32_t op_cache_find(struct lab *lab, const char *name);

/* Where ops are played one at a time: a sheaf that was handed out, and what it holds. */
uint64_t op_sheaf_objects(const struct lab *lab, uint64_t sheaf, uint64_t *capacity);

/* Bytes of its objects as they were asked for. */
uint32_t op_cache_bytes(const struct lab *lab, uint32_t cache);
/* The engine of its present store, by name. */
const char *op_cache_engine(struct lab *lab, uint32_t cache);

/* Give a cache another name (replay: names found late). */
int op_cache_rename(struct lab *lab, uint32_t cache, const char *name);

/* kmalloc class that serves `bytes` with these flags: cache id, 0 for whole pages. */
uint32_t op_kmalloc_cache(struct lab *lab, uint64_t bytes, uint32_t gfp);

/* Set or unset a policy or an override or a writable figure (cache.NAME.min_partial …). */
int op_set(struct lab *lab, const char *name, const char *value);
int op_unset(struct lab *lab, const char *name);

/*
 * Give every policy that may be set its value in a preset: one op. What is
 * fixed since the lab was made stays, and so do overrides of caches. When a
 * consequence cannot be had, nothing changed.
 */
struct preset;
int op_preset(struct lab *lab, const struct preset *preset);

/* The policies of one lab for another one, overrides of caches that both have included; rows of the shape excepted. */
int op_take_policies(struct lab *lab, struct lab *from);

/* Engine slab: arrays of these sizes, all three at once, as by writing to /proc/slabinfo. -EIO for other engines. */
int op_cache_tune(struct lab *lab, uint32_t cache, uint32_t limit, uint32_t batchcount, uint32_t shared);

/* Move the lab clock (virtual) or wait (real). */
int op_sleep(struct lab *lab, uint64_t ns);

/* Time every op, or stop it and forget; clear begins anew. (cpu/read.h has what came of it.) */
enum op_latency { OP_LATENCY_OFF, OP_LATENCY_ON, OP_LATENCY_CLEAR };
int op_latency(struct lab *lab, enum op_latency what);
/* The same for lifetimes of objects. */
int op_lifetime(struct lab *lab, enum op_latency what);

/* Shrink every cache, drain all page lists, give the memory of free blocks back to the host. */
void op_trim(struct lab *lab);

/* Bring a CPU in or take it out. -EBUSY for the last one or a bound one. */
int op_cpu_online(struct lab *lab, unsigned int cpu, bool online);

/*
 * Bring a fresh zone's free lists to these counts exactly (import buddyinfo):
 * allocates what must not be free. The pages held are appended to vec
 * (malloc'ed; off and order of each). -ENOSPC when the zone is too small.
 */
struct held_block { uint64_t off; uint8_t order; };
int op_arrange_free(struct lab *lab, unsigned int zone, const struct free_wish *wish, struct held_block **held,
		    uint64_t *held_nr);

/* Whole blocks of 4 MiB that a fresh zone of so many managed pages must have for it (its end may serve, too). */
uint64_t op_arrange_blocks(const struct free_wish *wish, unsigned int pageblock_order, uint64_t managed);

/* ---- labs ---- */

struct preset_settings {	/* in force before the first caches are made, weak to strong */
	const struct preset *preset;	/* NULL: linux-6.1 */
	const char *boot;	/* kernel command line or NULL */
	const char *const *set;	/* NAME=VALUE …, NULL-terminated, or NULL */
};
/* A fresh lab with its start-up caches. `warning` (256 bytes) names unknown boot words. */
int lab_new(const struct shape *shape, const struct preset_settings *with, const char *name,
	    struct lab **lab, char warning[256]);
void lab_drop(struct lab *lab);

/* Snapshot: the touched pages, in host memory. Restore is refused (-EBUSY) while CPUs are bound. */
struct snapshot;
int lab_snapshot(struct lab *lab, struct snapshot **snap);
/*
 * The same, sharing with `like` (or NULL) the pages that hold the same. Pages
 * that snapshots of one `charge` hold are counted there once, in bytes.
 */
int lab_snapshot_like(struct lab *lab, const struct snapshot *like, uint64_t *charge, struct snapshot **snap);
int lab_restore(struct lab *lab, const struct snapshot *snap);
void snapshot_free(struct snapshot *snap);
/* Is it of a lab of this very shape? Else restore is refused (-EINVAL), and a lab has to be made from it. */
bool snapshot_fits(const struct snapshot *snap, const struct lab *lab);
int lab_from_snapshot(const struct snapshot *snap, const char *name, struct lab **lab);
int lab_clone(struct lab *lab, const char *name, struct lab **clone);
/* Hash of everything touched: equal for equal histories, whatever the base address. */
uint64_t lab_hash(struct lab *lab);

/*
 * A lab as a file (save.c has the format). Saving writes aside in the same
 * folder, syncs and renames, so the old file is whole until the new one is.
 * Loading trusts no byte: -EINVAL with what is wrong. `look` (or NULL) is
 * called on the lab in a process of its own, before the lab counts as one:
 * whatever it or lab_check() finds, or dies of, is a reason to refuse.
 */
int lab_save(struct lab *lab, const char *path);
int lab_load(const char *path, const char *name, int (*look)(struct lab *lab), struct lab **out);

/* Every invariant of every room; 0, or -EUCLEAN and the sentence names the first broken one. */
int lab_check(struct lab *lab);

#endif
