/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op/debug.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "page/read.h"
#include "slab/debug.h"
#include "slab/engine.h"
#include "slab/store.h"

static void note_op(struct lab *lab)
{
	lab->hdr->ops++;
	lab->hdr->time_ns += 1000;
	lab->hdr->done_something = 1;
}

/* ---- bytes ---- */

static int check_range(const struct lab *lab, uint64_t off, size_t n)
{
	if (off - lab->arena_off >= lab->arena_bytes || n > lab->arena_bytes - (off - lab->arena_off))
		return fail(ERANGE, "%zu bytes there reach beyond the lab's memory", n);
	return 0;
}

static bool overlaps(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
	return a < b + b_bytes && b < a + a_bytes;
}

/* May these bytes of one slot be written? `object` is the slot's. */
static int may_poke_slot(struct lab *lab, const struct store *s, uint64_t object, uint64_t off, uint64_t n)
{
	struct object_place p;

	if (s->engine == ENGINE_SLAB || object_place(lab, object, &p) || p.where == OBJECT_OUT)
		return 0;		/* engine slab has no links */
	if (!overlaps(off, n, object + s->g.freeptr, WORD))
		return 0;
	if (s->engine == ENGINE_SLQB)
		return fail(EPERM, "these bytes hold the link of a free object of %s, which engine slqb does not check: such a kernel "
			    "would follow it into nowhere", s->name);
	if (s->g.flags & CF_CONSIST)
		return 0;
	return fail(EPERM, "these bytes hold the link of a free object of %s, whose store checks nothing: a kernel would "
		    "follow it into nowhere (set cache.%s.debug F, then allocations notice)", s->name, s->name);
}

/* Engine slab's free indexes: in a free object, or behind the objects. */
static int may_poke_index(const struct store *s, const struct page *slab, uint64_t off, uint64_t n)
{
	if (s->engine != ENGINE_SLAB || !slab->freelist || !overlaps(off, n, slab->freelist, s->g.index_bytes))
		return 0;
	return fail(EPERM, "these bytes hold the numbers of the free objects of slab S%u of %s, which nothing checks: such a kernel would "
		    "hand out what is none", slab->slab_nr, s->name);
}

static int may_poke_slab(struct lab *lab, const struct page *slab, uint64_t off, uint64_t n)
{
	const struct store *s = lab_store(lab, slab->store);
	uint64_t start = pfn_off(lab, page_pfn(lab, slab)) + slab->start;	/* of the first slot */
	uint32_t objects = slab_counts(slab).objects;
	int ret = may_poke_index(s, slab, off, n);

	for (uint64_t i = off > start ? (off - start) / s->g.size : 0; !ret && start + i * s->g.size < off + n && i < objects; i++)
		ret = may_poke_slot(lab, s, slab_object(lab, s, page_pfn(lab, slab), (uint32_t)i), off, n);
	return ret;
}

static int may_poke(struct lab *lab, uint64_t off, size_t n)
{
	for (uint64_t at = off; at < off + n; at = (at | (PAGE_SIZE - 1)) + 1) {
		const struct page *page = lab_page(lab, off_pfn(lab, at));
		uint64_t end = (at | (PAGE_SIZE - 1)) + 1;
		int ret = 0;

		if (page->store)
			ret = may_poke_slab(lab, lab_page(lab, page->head), at, (end < off + n ? end : off + n) - at);
		else if (page->role == PAGE_BUDDY || page->role == PAGE_ON_PCP)
			ret = fail(EPERM, "page 0x%x is free: nobody holds what would be written there", off_pfn(lab, at));
		if (ret)
			return ret;
	}
	return 0;
}

/* May a broken link cost a slab objects? */
static bool loses_links(const struct store *s)
{
	return s->debug && has_slub(s);
}

int op_poke(struct lab *lab, uint64_t off, const uint8_t *bytes, size_t n)
{
	int ret = check_range(lab, off, n);
	struct page *slab = NULL;
	uint32_t had = 0;

	if (ret)
		return ret;
	lab_stop(lab);
	ret = may_poke(lab, off, n);
	if (!ret && lab_page(lab, off_pfn(lab, off))->store)
		slab = lab_page(lab, lab_page(lab, off_pfn(lab, off))->head);
	if (slab && loses_links(lab_store(lab, slab->store)))
		had = debug_free_count(lab, lab_store(lab, slab->store), slab);
	if (!ret) {
		note_op(lab);
		memcpy(lab->base + off, bytes, n);
	}
	if (slab && loses_links(lab_store(lab, slab->store)))	/* a broken link loses what was behind it */
		slab->chain_objs += had - debug_free_count(lab, lab_store(lab, slab->store), slab);
	lab_resume(lab);
	return ret;
}

uint64_t op_cached_object(const struct lab *lab, uint64_t entry)
{
	struct cached_place p;

	return cached_place(lab, entry, &p) ? 0 : p.off;
}

uint64_t op_object_bytes(struct lab *lab, uint64_t off)
{
	const struct page *page = lab_page(lab, off_pfn(lab, off));

	return page->store ? lab_store(lab, page->store)->object_size : 0;
}

int op_peek(struct lab *lab, uint64_t off, uint8_t *bytes, size_t n)
{
	int ret = check_range(lab, off, n);

	if (ret)
		return ret;
	lab_stop(lab);
	memcpy(bytes, lab->base + off, n);
	lab_resume(lab);
	return 0;
}

/* ---- frees that are wrong ---- */

void op_note_freed(struct lab *lab, uint64_t handle, uint32_t index, uint64_t off)
{
	struct debug_state *d = debug_state(lab);

	d->freed[d->freed_nr++ % DEBUG_FREED] = (struct debug_freed){ handle, off, index };
}

uint64_t op_freed(struct lab *lab, uint64_t handle, uint32_t index)
{
	const struct debug_state *d = debug_state(lab);

	for (uint64_t n = d->freed_nr; n > 0 && d->freed_nr - n < DEBUG_FREED; n--) {
		const struct debug_freed *f = &d->freed[(n - 1) % DEBUG_FREED];

		if (f->handle == handle && f->index == index)
			return f->off;
	}
	return 0;
}

/* Does its slab's own freelist begin with it, or the freelist of the CPU that has the slab? */
static bool is_first_free(struct lab *lab, const struct store *s, uint64_t off)
{
	const struct page *slab = slab_of(lab, off);

	if (slab->freelist == off)
		return true;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (store_cpu(lab->cpus[i], s)->freelist == off)
			return true;
	return false;
}

static int may_force(struct lab *lab, uint64_t off)
{
	const struct page *page;
	const struct store *s;
	struct object_place p;

	if (off - lab->arena_off >= lab->arena_bytes)
		return 0;		/* a free says itself that this is no object */
	page = lab_page(lab, off_pfn(lab, off));
	if (!page->store)
		return 0;
	s = lab_store(lab, page->store);
	if (s->g.flags & CF_CONSIST || (s->debug && s->engine == ENGINE_SLAB) || (!object_place(lab, off, &p) && p.at_start && p.where == OBJECT_OUT))
		return 0;
	if (s->secret && is_first_free(lab, s, off))
		return 0;		/* a hardened store notices this one */
	return fail(EPERM, "%s has no consistency checks: a kernel would not notice, and its freelist would be broken; "
		    "not done (set cache.%s.debug F, and it is reported)", s->name, s->name);
}

int op_free_forced(struct lab *lab, const struct op *op, struct op_result *r)
{
	int ret;

	lab_stop(lab);
	ret = may_force(lab, op->off);
	if (!ret)
		ret = op_run(lab, op, r);
	lab_resume(lab);
	return ret;
}

/* ---- validation ---- */

static void validate(struct cpu *cpu, struct store *s, struct op_validated *v)
{
	store_flush_all(cpu, s);
	*v = (struct op_validated){ .store = s->serial, .draining = s->state == STORE_DRAINING };
	v->errors = debug_validate(cpu, s, &v->slabs, &v->objects);
	if (cpu->variant != VARIANT_BARE)
		cpu->stat[s->number].ev[EV_debug_errors - EV_SLAB_FIRST] += v->errors;
}

/*
 * Linux 6.1 refuses caches without debug flags. SLUB before it walked their
 * listed slabs, too: counts and freelists are all that can be wrong there.
 */
static bool has_validation(const struct store *s)
{
	return s->debug || (has_slub(s) && s->era < ERA_6_1);
}

int op_cache_validate(struct lab *lab, unsigned int cpu, uint32_t cache, struct op_validated *v, unsigned int max,
		      unsigned int *nr)
{
	const struct cache *c = lab_cache(lab, cache);
	uint32_t cursor = 0, store;

	*nr = 0;
	lab_stop(lab);
	note_op(lab);
	if (has_validation(lab_store(lab, c->store)))
		validate(lab->cpus[cpu], lab_store(lab, c->store), &v[(*nr)++]);
	while ((store = store_next(lab, &cursor)) && *nr < max)
		if (store != c->store && has_validation(lab_store(lab, store)) && store_had_cache(lab, lab_store(lab, store), cache))
			validate(lab->cpus[cpu], lab_store(lab, store), &v[(*nr)++]);
	lab_resume(lab);
	if (!*nr)
		return fail(EINVAL, "%s has no debug flags, so there is nothing to check its objects by (set cache.%s.debug FZPU)",
			    c->name, c->name);
	return 0;
}

void op_dmesg_clear(struct lab *lab)
{
	lab_stop(lab);
	note_op(lab);
	debug_reports_forget(lab);
	page_failures_forget(lab);
	lab_resume(lab);
}
