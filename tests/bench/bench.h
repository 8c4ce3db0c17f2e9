/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench - allocator works, each contender in a process of its own.
 *
 * Idea. A contender is a set of inlined calls: works.c is compiled with one
 * set for slablab, one for a bare list and two for malloc. Peers (jemalloc and
 * others) are the malloc set with their library preloaded, so that nobody pays
 * for a function pointer. The parent starts every contender once a round, in
 * an order shuffled each round, and takes medians.
 *
 * A contender prints lines `WORK TAB PARAMETER TAB NANOSECONDS`.
 *
 * Units. Nanoseconds for one allocation and its free together.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define LOOP_BYTES 256	/* of an object of the loops */
#define LOOP_MOST 250
#define CHUNKS 7
#define CHUNK_NS 1500000.0

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Of the values, which are sorted in place. */
double median(double *v, unsigned int n);
double lower_quartile(double *v, unsigned int n);

/*
 * A contender's works, or what memory it needs when it ages; `name` chooses the set of calls: one of slablab's
 * flavours, "list", "malloc", "sized" or "metadata".
 */
int works_run(const char *name, bool age);

/* Trace works in this process: the text parsed from memory, and how fast its lines could be found at all. */
int trace_works(const char *path);

/*
 * Frames of the full-screen view: how much ten a second slow a parallel
 * workload, how long they stop it, and how long one of a large lab takes.
 */
int frame_works(void);

/* A trace file of `events` events, the same for the same number. */
int trace_write(const char *path, unsigned long events);

#endif
