/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of /sys/kernel/slab/NAME/ATTR, attribute by attribute.
 *
 * Free objects of CPU slabs and chains count as in use here, as in the
 * kernel; the lab's own truth is cache.NAME.objects. (slab-observables.md 2)
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "slab/read.h"
#include "slab/slabq.h"
#include "slab/slqb.h"

struct text {
	char *buf;
	size_t size, n;
};

static void __printf_like(2, 3) put(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->n < t->size ? t->buf + t->n : NULL, t->n < t->size ? t->size - t->n : 0, fmt, ap);
	va_end(ap);
}

struct view {
	struct lab *lab;
	const struct store *s;
	struct store_figures f;
	uint32_t cache;
};

/* Total, and each node that has any. */
static void put_by_node(struct text *t, const struct view *v, uint64_t (*count)(const struct view *, unsigned int))
{
	uint64_t total = 0;

	for (unsigned int n = 0; n < v->lab->nr_nodes; n++)
		total += count(v, n);
	put(t, "%llu", (unsigned long long)total);
	for (unsigned int n = 0; n < v->lab->nr_nodes; n++)
		if (count(v, n))
			put(t, " N%u=%llu", n, (unsigned long long)count(v, n));
}

static struct slub_node *node_of(const struct view *v, unsigned int n)
{
	return store_node(v->lab, v->s, n);
}

static uint64_t nr_slabs(const struct view *v, unsigned int n)
{
	return node_of(v, n)->nr_slabs;
}

static uint64_t nr_total(const struct view *v, unsigned int n)
{
	return node_of(v, n)->total_objects;
}

static uint64_t nr_partial(const struct view *v, unsigned int n)
{
	return node_of(v, n)->nr_partial;
}

static void partial_sums(const struct view *v, unsigned int n, uint64_t *inuse, uint64_t *unused)
{
	*inuse = *unused = 0;
	for (pfn_t pfn = node_of(v, n)->partial.head; pfn != PFN_NONE; pfn = lab_page(v->lab, pfn)->next) {
		struct slab_counts c = slab_counts(lab_page(v->lab, pfn));

		*inuse += c.inuse;
		*unused += c.objects - c.inuse;
	}
}

/* Free objects on the partial slabs of the lists of a node. */
static uint64_t slqb_free(const struct view *v, unsigned int n)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < v->lab->nr_cpus + v->lab->nr_nodes; i++) {
		const struct slqb_list *l = slqb_list(v->lab, v->s, i);

		for (pfn_t pfn = l->partial.head; pfn != PFN_NONE; pfn = lab_page(v->lab, pfn)->next) {
			struct slab_counts c = slab_counts(lab_page(v->lab, pfn));

			nr += lab_page(v->lab, pfn)->node == n ? c.objects - c.inuse : 0;
		}
	}
	return nr;
}

/* What the engine itself counts as free: objects in queues are in use for it. */
static uint64_t nr_objects(const struct view *v, unsigned int n)
{
	uint64_t inuse, unused;

	if (v->s->engine == ENGINE_SLQB)
		return nr_total(v, n) - slqb_free(v, n);
	if (v->s->engine == ENGINE_SLAB)
		return nr_total(v, n) - slabq_node(v->lab, v->s, n)->free_objects;
	partial_sums(v, n, &inuse, &unused);
	return nr_total(v, n) - unused;
}

static uint64_t nr_objects_partial(const struct view *v, unsigned int n)
{
	uint64_t inuse, unused;

	partial_sums(v, n, &inuse, &unused);
	return inuse;
}

static const struct slub_cpu *part_of(const struct view *v, unsigned int cpu)
{
	return store_cpu(v->lab->cpus[cpu], v->s);
}

static uint32_t chain_of(const struct view *v, unsigned int cpu)
{
	const struct slub_cpu *c = part_of(v, cpu);

	return c->partial == PFN_NONE ? 0 : lab_page(v->lab, c->partial)->chain_slabs;
}

/* The CPU slab on its node, and the whole chain on the node of its first slab; a CPU without a slab is skipped. */
static uint64_t nr_cpu_slabs(const struct view *v, unsigned int n)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < v->lab->nr_cpus; i++) {
		const struct slub_cpu *c = part_of(v, i);

		if (c->slab == PFN_NONE)
			continue;
		nr += lab_page(v->lab, c->slab)->node == n;
		if (c->partial != PFN_NONE && lab_page(v->lab, c->partial)->node == n)
			nr += chain_of(v, i);
	}
	return nr;
}

/* Where slabs are counted, an estimate: half of each. Else what was free in them when they came. */
static uint64_t chain_objects(const struct view *v, unsigned int cpu)
{
	const struct slub_cpu *c = part_of(v, cpu);

	if (v->s->cpu_partial_unit == UNIT_SLABS)
		return (uint64_t)chain_of(v, cpu) * v->f.objs / 2;
	return c->partial == PFN_NONE ? 0 : lab_page(v->lab, c->partial)->chain_objs;
}

/* objects(slabs) */
static void put_cpu_partial(struct text *t, const struct view *v)
{
	uint64_t slabs = 0, objects = 0;

	for (unsigned int i = 0; i < v->lab->nr_cpus; i++) {
		slabs += chain_of(v, i);
		objects += chain_objects(v, i);
	}
	if (v->s->cpu_partial_unit == UNIT_SLABS)
		objects = slabs * v->f.objs / 2;
	put(t, "%llu(%llu)", (unsigned long long)objects, (unsigned long long)slabs);
	for (unsigned int i = 0; i < v->lab->nr_cpus; i++)
		if (chain_of(v, i))
			put(t, " C%u=%llu(%u)", i, (unsigned long long)chain_objects(v, i), chain_of(v, i));
}

static void put_counter(struct text *t, const struct view *v, enum event_id ev)
{
	put(t, "%llu", (unsigned long long)cache_event(v->lab, v->cache, -1, ev));
	for (unsigned int i = 0; i < v->lab->nr_cpus; i++) {
		uint64_t nr = cache_event(v->lab, v->cache, (int)i, ev);

		if (nr)
			put(t, " C%u=%llu", i, (unsigned long long)nr);
	}
}

static void put_flag(struct text *t, const struct view *v, uint32_t flag)
{
	put(t, "%d", (v->f.flags & flag) != 0);
}

/* X(attribute, how it is written) */
#define ATTRS(X)                                                              \
	X(slab_size, put(t, "%u", v->f.size))                                 \
	X(align, put(t, "%u", v->f.align))                                    \
	X(object_size, put(t, "%u", v->f.object_size))                        \
	X(objs_per_slab, put(t, "%u", v->f.objs))                             \
	X(order, put(t, "%u", v->f.order))                                    \
	X(min_partial, put(t, "%u", v->f.min_partial))                        \
	X(cpu_partial, put(t, "%u", v->f.cpu_partial))                        \
	X(ctor, put(t, "%s", v->f.ctor ? "lab_ctor" : ""))                    \
	X(aliases, put(t, "%d", v->f.aliases))                                \
	X(partial, put_by_node(t, v, nr_partial))                             \
	X(cpu_slabs, put_by_node(t, v, nr_cpu_slabs))                         \
	X(objects, put_by_node(t, v, nr_objects))                             \
	X(objects_partial, put_by_node(t, v, nr_objects_partial))             \
	X(total_objects, put_by_node(t, v, nr_total))                         \
	X(slabs, put_by_node(t, v, nr_slabs))                                 \
	X(slabs_cpu_partial, put_cpu_partial(t, v))                           \
	X(reclaim_account, put_flag(t, v, CF_RECLAIM))                        \
	X(hwcache_align, put_flag(t, v, CF_HWCACHE))                          \
	X(cache_dma, put_flag(t, v, CF_DMA))                                  \
	X(usersize, put(t, "%u", v->f.usersize))                              \
	X(destroy_by_rcu, put_flag(t, v, CF_RCU))                             \
	X(sanity_checks, put_flag(t, v, CF_CONSIST))                          \
	X(trace, put_flag(t, v, CF_TRACE))                                    \
	X(red_zone, put_flag(t, v, CF_REDZONE))                               \
	X(poison, put_flag(t, v, CF_POISON))                                  \
	X(store_user, put_flag(t, v, CF_USER))                                \
	X(failslab, put_flag(t, v, CF_FAILSLAB))                              \
	X(skip_kfence, put(t, "0"))                                           \
	X(remote_node_defrag_ratio, put(t, "%u", v->f.defrag_ratio))          \
	X(defrag_ratio, put(t, "%u", v->f.defrag_ratio))                      \
	X(reserved, put(t, "0"))                                              \
	X(shrink, (void)0)                                                   \
	X(validate, (void)0)

#define ATTR_FN(name, how) static void attr_##name(struct text *t, const struct view *v) { (void)t; (void)v; how; }
ATTRS(ATTR_FN)

#define ATTR_ROW(name, how) { #name, attr_##name },
static const struct { const char *name; void (*put)(struct text *t, const struct view *v); } attrs[] = { ATTRS(ATTR_ROW) };

#define ATTR_NAME(name, how) #name,
#define COUNTER_NAME(name, by, f1, f2, f3, text) #name,
const char *const sysfs_attrs[] = {
	ATTRS(ATTR_NAME)
	"alloc_fastpath", "alloc_slowpath", "free_fastpath", "free_slowpath", "free_frozen",
	"free_add_partial", "free_remove_partial", "alloc_from_partial", "alloc_slab", "alloc_refill",
	"alloc_node_mismatch", "free_slab", "cpuslab_flush", "deactivate_full", "deactivate_empty",
	"deactivate_to_head", "deactivate_to_tail", "deactivate_remote_frees", "deactivate_bypass",
	"order_fallback", "cmpxchg_double_cpu_fail", "cmpxchg_double_fail", "cpu_partial_alloc",
	"cpu_partial_free", "cpu_partial_node", "cpu_partial_drain",
	/* of engine sheaves */
	"sheaf_capacity", "alloc_cpu_sheaf", "free_cpu_sheaf", "free_rcu_sheaf", "free_rcu_sheaf_fail", "sheaf_flush", "sheaf_refill", "sheaf_alloc", "sheaf_free",
	"barn_get", "barn_get_fail", "barn_put", "barn_put_fail", "sheaf_prefill_fast", "sheaf_prefill_slow", "sheaf_prefill_oversize",
	"sheaf_return_fast", "sheaf_return_slow",
	/* of engine slqb */
	"alloc", "alloc_slab_fill", "alloc_slab_new", "free", "free_remote", "flush_free_list", "flush_free_list_objects",
	"flush_free_list_remote", "flush_slab_partial", "flush_slab_free", "flush_rfree_list", "flush_rfree_list_objects",
	"claim_remote_list", "claim_remote_list_objects",
	NULL,
};

/* Files that only kernels from, and to, some era have; SLUB's, the queued engines have none. */
static const struct { const char *name; uint8_t from, to; } attr_eras[] = {
	{ "cpu_partial", ERA_3_2, ERA_6_18 }, { "slabs_cpu_partial", ERA_3_2, ERA_6_18 }, { "usersize", ERA_6_1, ERA_6_18 },
	{ "skip_kfence", ERA_6_1, ERA_6_18 }, { "remote_node_defrag_ratio", ERA_2_6_29, ERA_6_18 },
	{ "defrag_ratio", ERA_2_6_24, ERA_2_6_24 }, { "reserved", ERA_3_1, ERA_3_2 },
	{ "alloc_node_mismatch", ERA_3_1, ERA_6_18 }, { "deactivate_bypass", ERA_3_1, ERA_6_18 },
	{ "cmpxchg_double_cpu_fail", ERA_3_1, ERA_6_18 }, { "cmpxchg_double_fail", ERA_3_1, ERA_6_18 },
	{ "cpu_partial_alloc", ERA_3_2, ERA_6_18 }, { "cpu_partial_free", ERA_3_2, ERA_6_18 },
	{ "cpu_partial_node", ERA_4_2, ERA_6_18 }, { "cpu_partial_drain", ERA_4_2, ERA_6_18 },
};

static bool era_has(const struct store *s, const char *attr)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_eras) && has_slub(s); i++)
		if (!strcmp(attr_eras[i].name, attr) && (s->era < attr_eras[i].from || s->era > attr_eras[i].to))
			return false;
	return true;
}

bool cache_has_attr(struct lab *lab, uint32_t cache, const char *attr)
{
	return era_has(lab_store(lab, lab_cache(lab, cache)->store), attr);
}

/* Does a store of this engine have the counter as a file? */
static bool has_counter(enum engine_id engine, int ev)
{
	if (ev >= EV_SLAB_FIRST && ev < EV_SLAB_FIRST + EV_SYSFS_NR)
		return engine == ENGINE_SLUB || engine == ENGINE_SHEAVES;
	if (ev >= EV_alloc_cpu_sheaf && ev <= EV_sheaf_return_slow)
		return engine == ENGINE_SHEAVES;
	return ev >= EV_alloc && ev <= EV_claim_remote_list_objects && engine == ENGINE_SLQB;
}

/* SLQB's files name every CPU, also those that counted nothing. */
static void put_every_cpu(struct text *t, const struct view *v, enum event_id ev)
{
	put(t, "%llu", (unsigned long long)cache_event(v->lab, v->cache, -1, ev));
	for (unsigned int i = 0; i < v->lab->nr_cpus; i++)
		put(t, " C%u=%llu", i, (unsigned long long)cache_event(v->lab, v->cache, (int)i, ev));
}

int cache_sysfs(struct lab *lab, uint32_t cache, const char *attr, char *buf, size_t size)
{
	struct view v = { .lab = lab, .s = lab_store(lab, lab_cache(lab, cache)->store), .cache = cache };
	struct text t = { buf, size, 0 };
	int ev;

	buf[0] = 0;
	if (!era_has(v.s, attr))
		return fail(ENOENT, "sysfs has no attribute \"%s\" for a cache in its slab.era", attr);
	store_figures(lab, v.s->number, &v.f);
	for (size_t i = 0; i < ARRAY_SIZE(attrs); i++)
		if (!strcmp(attrs[i].name, attr)) {
			attrs[i].put(&t, &v);
			return 0;
		}
	if (v.s->engine == ENGINE_SHEAVES && !strcmp(attr, "sheaf_capacity")) {
		put(&t, "%u", v.f.sheaf_capacity);
		return 0;
	}
	ev = event_find(attr);
	if (!has_counter(v.s->engine, ev))
		return fail(ENOENT, "sysfs has no attribute \"%s\" for a cache", attr);
	(v.s->engine == ENGINE_SLQB ? put_every_cpu : put_counter)(&t, &v, (enum event_id)ev);
	return 0;
}
