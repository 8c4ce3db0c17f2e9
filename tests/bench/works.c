/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * works - the sets of calls, and the clock around them.
 */
#include "bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slablab.h"

#define BARRIER(p) __asm__ volatile("" : : "r"(p) : "memory")

/* Run CODE until a chunk is long enough to time; print the median of the chunks. */
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
	printf("%s\t%lu\t%.4f\n", work, (unsigned long)(param), median(ns_, CHUNKS)); \
} while (0)

/* ---- slablab: one thread is CPU 0 of a lab ---- */

static slablab_cpu *cpu;
static slablab_cache *cache;

#define SET(name) lab_##name
#define CACHE_ALLOC slablab_cache_alloc(cpu, cache)
#define CACHE_FREE(p) slablab_cache_free(cpu, cache, p)
#define OBJ_ALLOC slablab_kmalloc(cpu, size)
#define OBJ_FREE(p) slablab_kfree(cpu, p)
#define PAGE_ALLOC slablab_alloc_pages_mask(cpu, 0, 0)
#define PAGE_FREE(p) slablab_free_pages(cpu, p, 0)
#include "contender.h"

/* Caches and kmalloc of one engine (NULL: as the lab has it). */
static int run_slablab(const char *engine)
{
	const char *why = "";
	slablab *lab = slablab_new("mem=1G,cpus=2", &why);

	if (lab && engine && (slablab_set(lab, "slab.engine", engine, &why) || slablab_set(lab, "sheaves.capacity", "auto", &why)))
		return fprintf(stderr, "bench: %s\n", why), 1;
	cpu = lab ? slablab_bind(lab, 0) : NULL;
	cache = cpu ? slablab_cache_create(lab, "bench", LOOP_BYTES, 0, "", &why) : NULL;
	if (!cache)
		return fprintf(stderr, "bench: no lab: %s\n", why), 1;
	lab_works();
	slablab_unbind(cpu);
	slablab_drop(lab);
	return 0;
}

/* ---- a bare list: what cannot be undercut; nothing is told apart but the size ---- */

struct node {
	struct node *next;
};
static struct node *free_objects, *free_pages;

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

#define SET(name) list_##name
#define OBJ_ALLOC list_take(&free_objects, size)
#define OBJ_FREE(p) list_put(&free_objects, p)
#define PAGE_ALLOC list_take(&free_pages, 4096)
#define PAGE_FREE(p) list_put(&free_pages, p)
#include "contender.h"

/* ---- malloc, and a free that is told the size: of a preloaded library that has them ---- */

static void *(*sized_malloc)(size_t size);
static void (*sized_free)(void *p, size_t size);

#define SET(name) sized_##name
#define OBJ_ALLOC sized_malloc(size)
#define OBJ_FREE(p) sized_free(p, size)
#define PAGE_ALLOC aligned_alloc(4096, 4096)
#define PAGE_FREE(p) sized_free(p, 4096)
#include "contender.h"

static int run_sized(void)
{
	*(void **)&sized_malloc = dlsym(RTLD_DEFAULT, "tc_malloc");
	*(void **)&sized_free = dlsym(RTLD_DEFAULT, "tc_free_sized");
	if (!sized_malloc || !sized_free)
		return fprintf(stderr, "bench: no tc_free_sized in the preloaded library\n"), 1;
	sized_works();
	return 0;
}

/* ---- what a lab keeps about its memory ---- */

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

/* Every page of a lab taken, none written: what is resident then is metadata. In percent. */
static int run_metadata(void)
{
	double before = resident_bytes();
	const char *why = "";
	slablab *lab = slablab_new("mem=1G,cpus=2", &why);

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
#define PAGE_ALLOC aligned_alloc(4096, 4096)
#define PAGE_FREE(p) free(p)
#include "contender.h"

int works_run(const char *name)
{
	if (!strcmp(name, "slablab"))
		return run_slablab(NULL);
	if (!strcmp(name, "slab") || !strcmp(name, "slqb") || !strcmp(name, "sheaves"))
		return run_slablab(name);
	if (!strcmp(name, "sized"))
		return run_sized();
	if (!strcmp(name, "metadata"))
		return run_metadata();
	if (!strcmp(name, "list"))
		list_works();
	else
		malloc_works();
	return 0;
}
