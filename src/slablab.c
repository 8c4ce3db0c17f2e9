/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface over the engine: thin by intent. Calls of a CPU go through
 * the table of its variant, everything else through ops, figures and the
 * command language.
 */
#include "slablab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/gfp.h"
#include "cpu/cpu.h"
#include "op/op.h"
#include "shell/shell.h"
#include "slab/engine.h"
#include "slab/entry_sheaf.h"
#include "slab/sheaves.h"
#include "view/figure.h"

/* A cache pointer does not say whose it is: the region it lies in does. */
static pthread_mutex_t labs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known {
	struct lab *lab;
	struct known *next;
} *known_labs;

static bool lab_known(struct lab *lab)
{
	struct known *e = malloc(sizeof(*e));

	if (!e)
		return false;
	e->lab = lab;
	pthread_mutex_lock(&labs_lock);
	e->next = known_labs;
	known_labs = e;
	pthread_mutex_unlock(&labs_lock);
	return true;
}

static void lab_forget(const struct lab *lab)
{
	pthread_mutex_lock(&labs_lock);
	for (struct known **e = &known_labs; *e; e = &(*e)->next)
		if ((*e)->lab == lab) {
			struct known *gone = *e;

			*e = gone->next;
			free(gone);
			break;
		}
	pthread_mutex_unlock(&labs_lock);
}

static struct lab *lab_of(const void *p)
{
	struct lab *lab = NULL;

	pthread_mutex_lock(&labs_lock);
	for (struct known *e = known_labs; e && !lab; e = e->next)
		if ((uintptr_t)p - (uintptr_t)e->lab->base < e->lab->hdr->region_bytes)
			lab = e->lab;
	pthread_mutex_unlock(&labs_lock);
	return lab;
}

static struct cpu *cpu_of(slablab_cpu *cpu)
{
	return (struct cpu *)cpu;
}

static struct cache *cache_of(slablab_cache *cache)
{
	return (struct cache *)cache;
}

static int say(int ret, const char **why)
{
	if (ret && why)
		*why = fail_why();
	return ret;
}

slablab *slablab_new(const char *text, const char **why)
{
	struct shape shape;
	struct lab *lab;

	shape_default(&shape);
	if (say(text ? shape_parse(&shape, text) : 0, why) || say(lab_new(&shape, NULL, "main", &lab, NULL), why))
		return NULL;
	if (!lab_known(lab)) {
		lab_drop(lab);
		say(fail(ENOMEM, "the host has no memory for a lab"), why);
		return NULL;
	}
	return lab;
}

void slablab_drop(slablab *lab)
{
	if (!lab)
		return;
	lab_forget(lab);
	lab_drop(lab);
}

int slablab_set(slablab *lab, const char *policy, const char *value, const char **why)
{
	return say(op_set(lab, policy, value), why);
}

int slablab_get(slablab *lab, const char *path, char *buf, size_t size)
{
	struct figure_value v;
	int ret = figure_read(lab, path, &v);

	return ret ? ret : snprintf(buf, size, "%s", v.text);
}

int slablab_run(slablab *lab, const char *commands, const char **why)
{
	return say(shell_run_in(lab, commands), why);
}

slablab_cpu *slablab_bind(slablab *lab, int id)
{
	struct cpu *cpu;

	return id < 0 || cpu_bind(lab, (unsigned int)id, &cpu) ? NULL : (slablab_cpu *)cpu;
}

void slablab_unbind(slablab_cpu *cpu)
{
	if (cpu)
		cpu_unbind(cpu_of(cpu));
}

/* The call in the CPU's variant, read in one piece: a policy that is being set may change it just now. */
#define CALL(cpu, name) __atomic_load_n(&cpu_of(cpu)->calls.name, __ATOMIC_RELAXED)

/* ---- objects ---- */

void *slablab_kmalloc(slablab_cpu *cpu, size_t bytes)
{
	return CALL(cpu, kmalloc)(cpu_of(cpu), bytes);
}

void slablab_kfree(slablab_cpu *cpu, void *p)
{
	CALL(cpu, kfree)(cpu_of(cpu), p);
}

void *slablab_cache_alloc(slablab_cpu *cpu, slablab_cache *cache)
{
	return CALL(cpu, cache_alloc)(cpu_of(cpu), cache_of(cache));
}

void slablab_cache_free(slablab_cpu *cpu, slablab_cache *cache, void *p)
{
	CALL(cpu, cache_free)(cpu_of(cpu), cache_of(cache), p);
}

size_t slablab_cache_alloc_bulk(slablab_cpu *cpu, slablab_cache *cache, size_t n, void **p)
{
	return CALL(cpu, cache_alloc_bulk)(cpu_of(cpu), cache_of(cache), n, p);
}

void slablab_cache_free_bulk(slablab_cpu *cpu, slablab_cache *cache, size_t n, void **p)
{
	CALL(cpu, cache_free_bulk)(cpu_of(cpu), cache_of(cache), n, p);
}

void slablab_kfree_rcu(slablab_cpu *cpu, void *p)
{
	entry_kfree_rcu(cpu_of(cpu), p);
}

/* ---- sheaves handed out ---- */

slablab_sheaf *slablab_cache_prefill_sheaf(slablab_cpu *cpu, slablab_cache *cache, size_t n)
{
	return (slablab_sheaf *)entry_prefill(cpu_of(cpu), cache_of(cache), n);
}

void *slablab_cache_alloc_from_sheaf(slablab_cpu *cpu, slablab_sheaf *sheaf)
{
	return entry_alloc_from(cpu_of(cpu), (struct sheaf *)sheaf);
}

int slablab_cache_refill_sheaf(slablab_cpu *cpu, slablab_sheaf **sheaf, size_t n)
{
	struct sheaf *of = (struct sheaf *)*sheaf;
	int ret = entry_refill(cpu_of(cpu), &of, n);

	*sheaf = (slablab_sheaf *)of;
	return ret;
}

void slablab_cache_return_sheaf(slablab_cpu *cpu, slablab_sheaf *sheaf)
{
	if (sheaf)
		entry_return(cpu_of(cpu), (struct sheaf *)sheaf);
}

size_t slablab_sheaf_size(const slablab_sheaf *sheaf)
{
	return ((const struct sheaf *)sheaf)->size;
}

/* ---- caches ---- */

slablab_cache *slablab_cache_create(slablab *lab, const char *name, size_t size, size_t align, const char *flags,
				    const char **why)
{
	struct cache_request rq = { .name = name, .size = size, .align = align };
	uint32_t id;

	if (say(cache_flags_parse(flags ? flags : "", &rq.flags), why) || say(op_cache_create(lab, &rq, &id), why))
		return NULL;
	return (slablab_cache *)lab_cache(lab, id);
}

int slablab_cache_destroy(slablab_cache *cache)
{
	struct lab *lab = lab_of(cache);
	struct op op = { .kind = OP_CACHE_DESTROY };
	struct op_result r;

	if (!lab)
		return fail(EINVAL, "this is no cache of a lab of this process");
	op.cache = cache_of(cache)->id;
	return op_run(lab, &op, &r);
}

/* ---- pages ---- */

void *slablab_alloc_pages_mask(slablab_cpu *cpu, unsigned order, unsigned gfp_mask)
{
	return CALL(cpu, alloc_pages)(cpu_of(cpu), order, gfp_mask);
}

void *slablab_alloc_pages(slablab_cpu *cpu, unsigned order, const char *gfp)
{
	uint32_t mask = GFP_KERNEL;

	if (gfp && gfp_parse(gfp, strlen(gfp), &mask))
		return NULL;
	return slablab_alloc_pages_mask(cpu, order, mask);
}

size_t slablab_alloc_pages_bulk(slablab_cpu *cpu, size_t n, void **p)
{
	return CALL(cpu, alloc_pages_bulk)(cpu_of(cpu), n, p);
}

void slablab_free_pages(slablab_cpu *cpu, void *p, unsigned order)
{
	CALL(cpu, free_pages)(cpu_of(cpu), p, order);
}

void slablab_free_pages_bulk(slablab_cpu *cpu, size_t n, void **p)
{
	CALL(cpu, free_pages_bulk)(cpu_of(cpu), n, p);
}

void slablab_trim(slablab *lab)
{
	op_trim(lab);
}
