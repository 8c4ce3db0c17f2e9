/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bulk calls in the form of Linux 5.18 to 6.6.
 *
 * Freeing builds detached freelists: runs of objects of one slab, linked
 * through the objects themselves, which needs no synchronisation as the
 * caller owns them; one exchange then gives a whole run back. The array is
 * worked from its end; entries of other slabs are skipped, at most three in a
 * row of looking, and stay in front. (slab-bulk.md section 1)
 */
#include "slab/bulk.h"

#include "base/finding.h"
#include "slab/emit.h"
#include "slab/slub_fast.h"

#define LOOK_AHEAD 3

struct run {
	struct page *slab;
	uint64_t head, tail;
	unsigned int cnt;
};

static struct page *object_slab(const struct lab *lab, uint64_t off)
{
	struct page *page;

	if (off - lab->arena_off >= lab->arena_bytes)
		return NULL;
	page = lab_page(lab, off_pfn(lab, off));
	return page->store ? lab_page(lab, page->head) : NULL;
}

/*
 * Collect one run of `slab` from the end of vec[0..n); what is left is in
 * front. The free hook of 6.1 turns a run round, so it lies on the freelist in
 * the order in which it was collected.
 */
static size_t build_run(struct cpu *cpu, struct page *slab, size_t n, uint64_t *vec, struct run *run)
{
	const struct geometry *g = &lab_store(cpu->lab, slab->store)->g;
	size_t same = n - 1;
	unsigned int look = LOOK_AHEAD;

	*run = (struct run){ slab, vec[same], vec[same], 1 };
	for (size_t i = same; i-- > 0; ) {
		uint64_t object = vec[i];

		if (object_slab(cpu->lab, object) != run->slab) {
			if (!--look)
				break;
			continue;
		}
		*object_link(cpu->base, g, run->tail) = object;
		run->tail = object;
		run->cnt++;
		same--;
		vec[i] = vec[same];
		vec[same] = object;
	}
	return same;
}

/* c, if named, is the slab's cache, now or formerly. */
static uint32_t free_run(struct cpu *cpu, struct cache *c, const struct run *run)
{
	struct store *s = lab_store(cpu->lab, run->slab->store);
	uint32_t name = c ? c->id : s->count_cache;

	cpu->cache_cpu[name].frees += run->cnt;
	emit_slab(cpu, s, EV_bulk_free_runs, run->slab->slab_nr, run->cnt, 0);
	if (front_part(cpu, s)->key == run->slab->key) {
		cpu->cache_cpu[front_part(cpu, s)->name].frees--;	/* a fast run counts one object there */
		emit_slab(cpu, s, EV_bulk_free_runs_fast, run->slab->slab_nr, run->cnt, 0);
	}
	emit_slab_n(cpu, s, EV_bulk_free_objs, run->cnt, run->cnt, 0, 0);
	store_ops[s->engine][THIS_VARIANT]->free(cpu, s, run->slab, run->head, run->tail, run->cnt);
	return slab_free_refused(cpu, name);
}

static bool is_of_cache(const struct lab *lab, const struct cache *c, const struct page *slab)
{
	return !c || slab->store == c->store ||
	       store_had_cache(lab, lab_store(lab, slab->store), c->id);
}

uint32_t slab_free_bulk(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	struct store *s = c ? lab_store(cpu->lab, c->store) : NULL;
	uint32_t findings = 0;

	if (!n)
		return 0;
	if (s)
		emit_slab(cpu, s, EV_bulk_free_calls, n, 0, 0);
	while (n) {
		struct page *slab = object_slab(cpu->lab, vec[n - 1]);
		struct run run;

		/* no slab, or not this cache's: by the single path, which knows what to say */
		if (!slab || !is_of_cache(cpu->lab, c, slab)) {
			findings |= slab_free(cpu, c, vec[--n], 0);
			continue;
		}
		n = build_run(cpu, slab, n, vec, &run);
		findings |= free_run(cpu, c, &run);
	}
	return findings;
}

size_t slab_alloc_bulk(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct store *s = lab_store(cpu->lab, c->store);
	size_t got;

	if (!n)
		return 0;
	emit_slab(cpu, s, EV_bulk_alloc_calls, n, 0, 0);
	got = store_ops[s->engine][THIS_VARIANT]->alloc_bulk(cpu, s, gfp, n, vec);
	cpu->cache_cpu[c->id].allocs += got;
	if (likely(got == n)) {
		emit_slab_n(cpu, s, EV_bulk_alloc_objs, n, n, 0, 0);
		return n;
	}
	slab_free_bulk(cpu, c, got, vec);	/* all or nothing */
	return 0;
}
