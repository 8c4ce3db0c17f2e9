/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload - made-up users of memory: where ops come from when nobody types them.
 *
 * Idea. A workload is asked, CPU by CPU, for the next op, and told what came
 * of it; it never touches the lab. So the same workload runs stepped and in
 * parallel, can be held between any two ops, and repeats itself: all that it
 * draws, it draws from its CPU's own random numbers.
 *
 * What it allocates goes into slots, a table per CPU. A workload says which
 * slot an op is about (w->at); that the slot is filled or emptied is the
 * runner's (run.h), and what the slots hold at the end is what is left.
 *
 * Adding one: a file with a `const struct workload workload_NAME`, and a line
 * in WORKLOADS below. Its keys appear in `run`, in help and in completion.
 *
 * Ownership. A CPU's part belongs to whoever plays that CPU in the run; what
 * lies in struct run is set before the first op and only read after it.
 */
#ifndef WORK_WORKLOAD_H
#define WORK_WORKLOAD_H

#include "base/rand.h"
#include "lab/handle.h"
#include "op/op.h"

#define WORKLOADS(W)  \
	W(churn)      \
	W(pagefault)  \
	W(pingpong)

#define WORK_KEYS_MAX 8
#define WORK_CACHES_MAX 64

struct run;

/* A KEY=VALUE of a workload. Values are numbers with K, M, G. */
struct work_key {
	const char *name;
	uint64_t def, min, max;
	const char *text;
};

/* One CPU of a run. */
struct work_cpu {
	struct run *run;
	unsigned int id;		/* of the lab */
	unsigned int nr;		/* among the run's CPUs, from 0 */
	uint64_t rand;
	struct member *slot;		/* what this CPU's ops allocated; off 0: empty */
	uint32_t at;			/* the slot that the op under way is about */
	struct work_cpu *from;		/* whose slot it is, when it frees; the runner presets it to this CPU */
	void *own;			/* the workload's, by prepare_cpu() */

	/* the runner's; figures that others read while it runs */
	uint64_t slots;
	uint64_t ops, allocs, frees, failed;
	uint64_t cpu_ns;		/* of a host CPU used so far */
	int error;
	char why[320];
} __cacheline_aligned;

struct workload {
	const char *name;
	const char *summary;
	struct work_key keys[WORK_KEYS_MAX];	/* up to the first without name */

	/* Before the first op: make caches, check the keys. -errno with a sentence. */
	int (*prepare)(struct run *run);
	/* Its part of one CPU: w->slot by run_slots(), w->own by run_alloc(). */
	int (*prepare_cpu)(struct run *run, struct work_cpu *w);
	/* The next op of this CPU (op->cpu is filled in), and w->at. false: it has nothing to do now. */
	bool (*next)(struct work_cpu *w, struct op *op);
	/* What came of it: the slot is filled (or not) already. May be NULL. */
	void (*done)(struct work_cpu *w, const struct op *op, bool failed);
};

extern const struct workload *const workload_table[];
extern const unsigned int workload_nr;
extern const char *const workload_names[];	/* the same order, NULL-terminated */

/* The row of a key by its name; NULL with a sentence that names those there are. */
const struct work_key *workload_key(const struct workload *w, const char *name, size_t len);
unsigned int workload_keys(const struct workload *w);

/* ---- for workloads ---- */

struct run_caches {
	uint32_t id[WORK_CACHES_MAX];
	unsigned int nr;
};

/* Value of a key in this run. */
uint64_t run_key(const struct run *run, const char *name);
unsigned int run_cpus(const struct run *run);
struct work_cpu *run_cpu(struct run *run, unsigned int nr);
struct run_caches *run_caches(struct run *run);

/* Zeroed host memory that lives as long as the run; NULL with a sentence. */
void *run_alloc(struct run *run, size_t bytes);
int run_slots(struct run *run, struct work_cpu *w, uint64_t n);

/*
 * The cache of that name, made if the lab has none; the run uses it from now
 * on. -EEXIST when one is there whose objects have another size.
 */
int run_cache(struct run *run, const char *name, uint32_t bytes);

#endif
