/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slablab - a live laboratory for memory allocators, as a library.
 *
 * A lab hosts a page allocator and slab allocators over real memory, with CPUs
 * of its own. A thread binds a CPU of a lab and allocates there; from any
 * thread the lab can be looked at, its policies switched and commands run.
 *
 * Rules
 *   - Addresses are ordinary pointers into the lab's memory, valid while the
 *     lab lives and the object does; a cache pointer until it is destroyed.
 *   - A call for a CPU comes from the thread that bound it. Each call is one
 *     operation. Between calls a bound CPU counts as stopped, so it never
 *     holds up another thread.
 *   - set, get, run, cache_create, cache_destroy and trim may come from any
 *     thread, bound or not.
 *   - Requests are GFP_KERNEL where no flags are given.
 *   - NULL is no memory. Freeing NULL does nothing. A pointer that is no
 *     object and no block is a finding (event bad_free), and nothing is freed.
 *   - int functions give 0 or a negative errno. `why` may be NULL; the
 *     sentence lives until the thread's next call.
 *   - The library prints nothing but what slablab_run() is asked to, and
 *     never exits.
 */
#ifndef SLABLAB_H
#define SLABLAB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lab slablab;			/* a lab */
typedef struct slablab_cpu slablab_cpu;		/* a CPU of a lab, as seen by the thread that plays it */
typedef struct slablab_cache slablab_cache;	/* a named cache */
typedef struct slablab_sheaf slablab_sheaf;	/* objects handed out together, to be allocated from */

/* "mem=1G,cpus=2", NULL for the default. NULL and a sentence on failure. */
slablab *slablab_new(const char *shape, const char **why);
void slablab_drop(slablab *lab);
int slablab_set(slablab *lab, const char *policy, const char *value, const char **why);
/* The length that the value has, cut to `size` with its NUL; or -errno. */
int slablab_get(slablab *lab, const char *path, char *buf, size_t size);
/* Command language; output goes to standard output. */
int slablab_run(slablab *lab, const char *commands, const char **why);

/* The calling thread becomes this CPU, pinned; NULL if it is taken or not there. */
slablab_cpu *slablab_bind(slablab *lab, int cpu);
void slablab_unbind(slablab_cpu *cpu);

void *slablab_kmalloc(slablab_cpu *cpu, size_t bytes);
void slablab_kfree(slablab_cpu *cpu, void *p);

/* flags: words of `kmem_cache create` joined by |, case ignored; NULL: none. */
slablab_cache *slablab_cache_create(slablab *lab, const char *name, size_t size, size_t align, const char *flags,
				    const char **why);
int slablab_cache_destroy(slablab_cache *cache);
void *slablab_cache_alloc(slablab_cpu *cpu, slablab_cache *cache);
void slablab_cache_free(slablab_cpu *cpu, slablab_cache *cache, void *p);
/* All n or none: n or 0. */
size_t slablab_cache_alloc_bulk(slablab_cpu *cpu, slablab_cache *cache, size_t n, void **p);
void slablab_cache_free_bulk(slablab_cpu *cpu, slablab_cache *cache, size_t n, void **p);

/*
 * Free when every CPU was between two calls: until then others may look at the
 * object, and nothing of it is written.
 */
void slablab_kfree_rcu(slablab_cpu *cpu, void *p);

/*
 * A sheaf that holds n objects (1 .. 65536) or more; NULL: no memory. It
 * belongs to its holder, whichever CPU that plays, until it is returned.
 */
slablab_sheaf *slablab_cache_prefill_sheaf(slablab_cpu *cpu, slablab_cache *cache, size_t n);
/* One object of it; NULL: it is empty. Nothing else is asked. */
void *slablab_cache_alloc_from_sheaf(slablab_cpu *cpu, slablab_sheaf *sheaf);
/* To its capacity if it holds less than n; another one where it cannot hold so many. 0 or -ENOMEM, then it is as it was. */
int slablab_cache_refill_sheaf(slablab_cpu *cpu, slablab_sheaf **sheaf, size_t n);
void slablab_cache_return_sheaf(slablab_cpu *cpu, slablab_sheaf *sheaf);
size_t slablab_sheaf_size(const slablab_sheaf *sheaf);	/* objects that it holds */

/* 2^order pages. gfp in kernel spelling (NULL: GFP_KERNEL), or with the bits of Linux 6.1. */
void *slablab_alloc_pages(slablab_cpu *cpu, unsigned order, const char *gfp);
void *slablab_alloc_pages_mask(slablab_cpu *cpu, unsigned order, unsigned gfp_mask);
/* Single pages; how many there were. */
size_t slablab_alloc_pages_bulk(slablab_cpu *cpu, size_t n, void **p);
void slablab_free_pages(slablab_cpu *cpu, void *p, unsigned order);
/* Single pages as one list; the array stays as it is. */
void slablab_free_pages_bulk(slablab_cpu *cpu, size_t n, void **p);

/* Shrink every cache, drain page lists, give free blocks back to the host. */
void slablab_trim(slablab *lab);

#ifdef __cplusplus
}
#endif

#endif
