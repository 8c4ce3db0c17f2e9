/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * works - the sets of calls, and the clock around them.
 */
#include "bench.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "slablab.h"

#define BARRIER(p) __asm__ volatile("" : : "r"(p) : "memory")

/*
 * Run CODE until a chunk is long enough to time; print the lower quartile of the
 * chunks: what else the host does makes some of them longer, never shorter.
 */
#define TIMED(work, param, per, CODE) do {                                        \
	double ns_[CHUNKS];                                                        \
	uint64_t rounds_ = 256, took_ = 0;                                         \
	for (int c_ = -1; c_ < CHUNKS;) {                                          \
		uint64_t began_ = now_ns();                                        \
		for (uint64_t i_ = 0; i_ < rounds_; i_++)                          \
			CODE                                                       \
		took_ = now_ns() - began_;                                         \
		if (c_ < 0 && took_ < CHUNK_NS / 3) {                              \
			rounds_ *= 2;                                              \
			continue;                                                  \
		}                                                                  \
		if (c_ >= 0)                                                       \
			ns_[c_] = (double)took_ / ((double)rounds_ * (double)(per)); \
		else                                                               \
			rounds_ = (uint64_t)((double)rounds_ * CHUNK_NS / (double)took_) + 1; \
		c_++;                                                              \
	}                                                                          \
	printf("%s\t%lu\t%.4f\n", work, (unsigned long)(param), lower_quartile(ns_, CHUNKS)); \
} while (0)

static void pin(int host_cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(host_cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static double resident_bytes(void)
{
	unsigned long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%lu %lu", &size, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* ---- objects that a work remembers; memory of theirs that no contender sees ---- */

#define MIX_OBJECTS 100000u
#define AGE_MOST (1u << 20)
#define AGE_BYTES (64u << 20)
#define AGE_PHASES 3

struct slot {
	void *p;
	size_t size;
	uint64_t sum;
};

static struct slot *slots(size_t n)
{
	struct slot *s = mmap(NULL, n * sizeof(*s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return s == MAP_FAILED ? abort(), NULL : s;
}

static inline uint64_t roll(uint64_t *dice)
{
	*dice ^= *dice >> 12;
	*dice ^= *dice << 25;
	*dice ^= *dice >> 27;
	return *dice * 0x2545f4914f6cdd1du;
}

/* Each octave as likely as any other. */
static size_t age_size(unsigned int phase, uint64_t dice)
{
	static const double from[AGE_PHASES] = { 16, 64, 256 }, times[AGE_PHASES] = { 16, 16, 8 };

	return (size_t)(from[phase] * pow(times[phase], (double)(dice >> 52) / 4096));
}

/* ---- a ring between two threads ---- */

#define RING_SLOTS 1024u
#define RING_BATCH 64u

static struct {
	_Alignas(64) uint64_t head;
	_Alignas(64) uint64_t tail;
	_Alignas(64) bool end;
	bool ready;
	_Alignas(64) void *slot[RING_SLOTS];
} ring;

/* Two host CPUs are needed. */
static bool ring_begin(void)
{
	memset(&ring, 0, sizeof(ring));
	return sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

static void ring_wait(void)
{
	while (!__atomic_load_n(&ring.ready, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void ring_end(void)
{
	__atomic_store_n(&ring.end, true, __ATOMIC_RELEASE);
}

static inline void ring_give(void *const p[RING_BATCH])
{
	while (ring.head + RING_BATCH - __atomic_load_n(&ring.tail, __ATOMIC_ACQUIRE) > RING_SLOTS)
		__asm__ volatile("" : : : "memory");
	for (unsigned int i = 0; i < RING_BATCH; i++) {
		*(uint64_t *)p[i] = ring.head;
		ring.slot[(ring.head + i) % RING_SLOTS] = p[i];
	}
	__atomic_store_n(&ring.head, ring.head + RING_BATCH, __ATOMIC_RELEASE);
}

/* NULL at the end. What was taken before is done with. */
static inline void *ring_take(uint64_t *sum)
{
	static uint64_t seen;
	uint64_t tail = ring.tail;
	void *p;

	if (!ring.ready) {
		seen = 0;
		__atomic_store_n(&ring.ready, true, __ATOMIC_RELEASE);
	}
	while (tail == seen) {
		seen = __atomic_load_n(&ring.head, __ATOMIC_ACQUIRE);
		if (tail == seen && __atomic_load_n(&ring.end, __ATOMIC_ACQUIRE))
			return NULL;
	}
	p = ring.slot[tail % RING_SLOTS];
	*sum += *(uint64_t *)p;
	__atomic_store_n(&ring.tail, tail + 1, __ATOMIC_RELEASE);
	return p;
}

/* ---- slablab: one thread is CPU 0 of a lab ---- */

static slablab *lab;
static __thread slablab_cpu *cpu;
static slablab_cache *cache;

#define SET(name) lab_##name
#define SET_THREAD(i) cpu = slablab_bind(lab, i);
#define SET_THREAD_END slablab_unbind(cpu);
#define CACHE_ALLOC slablab_cache_alloc(cpu, cache)
#define CACHE_FREE(p) slablab_cache_free(cpu, cache, p)
#define BULK_ALLOC(n, p) slablab_cache_alloc_bulk(cpu, cache, n, p)
#define BULK_FREE(n, p) slablab_cache_free_bulk(cpu, cache, n, p)
#define OBJ_ALLOC slablab_kmalloc(cpu, size)
#define OBJ_FREE(p) slablab_kfree(cpu, p)
#define PAGE_ALLOC(order) slablab_alloc_pages_mask(cpu, order, 0)
#define PAGE_FREE(p, order) slablab_free_pages(cpu, p, order)
#define PAGES_BULK(n, p) slablab_alloc_pages_bulk(cpu, n, p)
#define TRIM slablab_trim(lab)
#define PAGES_BULK_FREE(n, p) slablab_free_pages_bulk(cpu, n, p)
#include "contender.h"

/* Rows of policies under which slablab is a contender, by name. */
static const struct {
	const char *name, *set[4];
} flavours[] = {
	{ "slablab", { NULL } },
	{ "cmpxchg", { "slub.fastpath", "cmpxchg" } },
	{ "lazy", { "buddy.coalesce", "lazy" } },
	{ "slab", { "slab.engine", "slab" } },
	{ "slqb", { "slab.engine", "slqb" } },
	{ "sheaves", { "slab.engine", "sheaves", "sheaves.capacity", "auto" } },
};

static int run_slablab(unsigned int flavour, bool age)
{
	const char *const *set = flavours[flavour].set, *why = "";

	lab = slablab_new("mem=4G,cpus=2", &why);
	for (unsigned int i = 0; i < 4 && set[i] && lab; i += 2)
		if (slablab_set(lab, set[i], set[i + 1], &why))
			return fprintf(stderr, "bench: %s\n", why), 1;
	cpu = lab ? slablab_bind(lab, 0) : NULL;
	cache = cpu ? slablab_cache_create(lab, "bench", LOOP_BYTES, 0, "nomerge", &why) : NULL;
	if (!cache)
		return fprintf(stderr, "bench: no lab: %s\n", why), 1;
	age ? lab_age() : lab_works();
	slablab_unbind(cpu);
	slablab_drop(lab);
	return 0;
}

/* ---- a bare list: what cannot be undercut; nothing is told apart but the size ---- */

struct node {
	struct node *next;
};
static struct node *free_objects;

/* Fresh memory, never given back. */
static __attribute__((noinline)) void *list_refill(size_t size)
{
	static char *at, *end;
	char *p;

	if ((size_t)(end - at) < size) {
		at = aligned_alloc(4096, 16u << 20);
		end = at + (16u << 20);
	}
	p = at;
	at += size;
	return p;
}

static inline void *list_take(struct node **head, size_t size)
{
	struct node *n = *head;

	if (__builtin_expect(!n, 0))
		return list_refill(size);
	*head = n->next;
	return n;
}

static inline void list_put(struct node **head, void *p)
{
	struct node *n = p;

	n->next = *head;
	*head = n;
}

static inline void list_take_all(unsigned int n, void **p)
{
	for (unsigned int i = 0; i < n; i++)
		p[i] = list_take(&free_objects, LOOP_BYTES);
}

static inline void list_put_all(unsigned int n, void **p)
{
	for (unsigned int i = 0; i < n; i++)
		list_put(&free_objects, p[i]);
}

/*
 * Pages: what tells them apart lies beside them, 64 bytes each, so the list goes
 * through that and addresses are computed; nobody touches the pages.
 */
struct descriptor {
	struct descriptor *next;
	uint64_t rest[7];
};
#define LIST_PAGES 4096
static struct descriptor descriptors[LIST_PAGES], *free_pages, *free_blocks;
static char *list_memory;

static __attribute__((noinline)) struct descriptor *pages_refill(unsigned int order)
{
	static size_t used;

	if (!list_memory)
		list_memory = aligned_alloc(4096, LIST_PAGES * 4096);
	used += (size_t)1 << order;
	if (!list_memory || used > LIST_PAGES)
		abort();
	return &descriptors[used - ((size_t)1 << order)];
}

static inline void *pages_take(struct descriptor **head, unsigned int order)
{
	struct descriptor *d = *head;

	if (__builtin_expect(!d, 0))
		d = pages_refill(order);
	else
		*head = d->next;
	return list_memory + (size_t)(d - descriptors) * 4096;
}

static inline void pages_put(struct descriptor **head, void *p)
{
	struct descriptor *d = &descriptors[(size_t)((char *)p - list_memory) / 4096];

	d->next = *head;
	*head = d;
}

#define ONE_SIZE
#define SET(name) list_##name
#define OBJ_ALLOC list_take(&free_objects, size)
#define OBJ_FREE(p) list_put(&free_objects, p)
#define BULK_ALLOC(n, p) list_take_all(n, p)
#define BULK_FREE(n, p) list_put_all(n, p)
#define PAGE_ALLOC(order) pages_take((order) ? &free_blocks : &free_pages, order)
#define PAGE_FREE(p, order) pages_put((order) ? &free_blocks : &free_pages, p)
#include "contender.h"

/* ---- malloc, and a free that is told the size: of a preloaded library that has them ---- */

static void *(*sized_malloc)(size_t size);
static void (*sized_free)(void *p, size_t size);

#define SET(name) sized_##name
#define OBJ_ALLOC sized_malloc(size)
#define OBJ_FREE(p) sized_free(p, size)
#define PAGE_ALLOC(order) aligned_alloc(4096, (size_t)4096 << (order))
#define PAGE_FREE(p, order) sized_free(p, (size_t)4096 << (order))
#include "contender.h"

static int run_sized(bool age)
{
	*(void **)&sized_malloc = dlsym(RTLD_DEFAULT, "tc_malloc");
	*(void **)&sized_free = dlsym(RTLD_DEFAULT, "tc_free_sized");
	if (!sized_malloc || !sized_free)
		return fprintf(stderr, "bench: no tc_free_sized in the preloaded library\n"), 1;
	age ? sized_age() : sized_works();
	return 0;
}

/* ---- what a lab keeps about its memory ---- */

/* Every page of a lab taken, none written: what is resident then is metadata. In percent. */
static int run_metadata(void)
{
	double before = resident_bytes();
	const char *why = "";

	lab = slablab_new("mem=1G,cpus=2", &why);
	cpu = lab ? slablab_bind(lab, 0) : NULL;
	if (!cpu)
		return fprintf(stderr, "bench: no lab: %s\n", why), 1;
	while (slablab_alloc_pages_mask(cpu, 0, 0))
		;
	printf("metadata\t0\t%.4f\n", (resident_bytes() - before) / (double)(1u << 30) * 100);
	return 0;
}

/* ---- malloc: of the C library or of whatever was preloaded ---- */

#define SET(name) malloc_##name
#define OBJ_ALLOC malloc(size)
#define OBJ_FREE(p) free(p)
#define PAGE_ALLOC(order) aligned_alloc(4096, (size_t)4096 << (order))
#define PAGE_FREE(p, order) free(p)
#include "contender.h"

/* ---- rte_mempool ---- */

#ifdef WITH_MEMPOOL
#include "mempool.h"

#define NO_MIX
#define SET(name) mempool_##name
#define SET_THREAD(i) rte_thread_register();
#define SET_THREAD_END rte_thread_unregister();
#define OBJ_ALLOC pool_take(size)
#define OBJ_FREE(p) pool_put(p, size)
#define BULK_ALLOC(n, p) rte_mempool_get_bulk(pools[pool_power(LOOP_BYTES)], p, n)
#define BULK_FREE(n, p) rte_mempool_put_bulk(pools[pool_power(LOOP_BYTES)], p, n)
#define PAGE_ALLOC(order) pool_take((size_t)4096 << (order))
#define PAGE_FREE(p, order) pool_put(p, (size_t)4096 << (order))
#define PAGES_BULK(n, p) rte_mempool_get_bulk(pools[12], p, n)
#define PAGES_BULK_FREE(n, p) rte_mempool_put_bulk(pools[12], p, n)
#include "contender.h"

static int run_mempool(void)
{
	if (!pools_begin())
		return fprintf(stderr, "bench: no rte_mempool: the environment of DPDK did not begin\n"), 1;
	mempool_works();
	return 0;
}
#else
static int run_mempool(void)
{
	return fprintf(stderr, "bench: built without rte_mempool\n"), 1;
}
#endif

int works_run(const char *name, bool age)
{
	if (!strcmp(name, "mempool"))
		return run_mempool();
	for (unsigned int i = 0; i < sizeof(flavours) / sizeof(*flavours); i++)
		if (!strcmp(name, flavours[i].name))
			return run_slablab(i, age);
	pin(0);
	if (!strcmp(name, "sized"))
		return run_sized(age);
	if (!strcmp(name, "metadata"))
		return run_metadata();
	if (!strcmp(name, "list"))
		list_works();
	else
		age ? malloc_age() : malloc_works();
	return 0;
}
