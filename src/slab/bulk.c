/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bulk calls, in the forms that kernels had. Policy slab.bulk_form:
 *
 *   fallback  one by one, as if there were no such call
 *   v4.3      objects of the CPU's own slab without an exchange, others singly
 *   v4.4      detached freelists, entries used up are blanked
 *   v5.18     detached freelists, entries used up are moved to the end (to 6.6)
 *   sheaves   as v5.18, for caches that have none
 *
 * A detached freelist is a run of objects of one slab, linked through the
 * objects themselves, which needs no synchronisation as the caller owns them;
 * one exchange then gives a whole run back. The array is worked from its end;
 * entries of other slabs are skipped, at most three in a row of looking.
 * Engines with queues of their own take the array as it is, first entry first.
 * (slab-bulk.md section 1)
 */
#include "slab/bulk.h"

#include "base/bits.h"
#include "base/finding.h"
#include "cpu/latency.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/lifetime.h"
#include "slab/owner.h"
#include "slab/slub.h"
#include "slab/slub_fast.h"

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

/* ---- runs ---- */

/* A hardened store: the entry is the object that was linked just before. It is in the run once, and came back once. */
static __attribute__((noinline)) void refuse_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object)
{
	slub_refuse_twice(cpu, s, slab, object, object, 1);
	bump(cpu->cache_cpu[s->count_cache].frees, 1);	/* which slab_free_refused() takes back */
}

/*
 * Collect one run of `slab` from the end of vec[0..n); what is left is in
 * front. The free hook of 6.1 turns a run round, so it lies on the freelist in
 * the order in which it was collected.
 */
static inline __attribute__((always_inline)) size_t link_run(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec,
							     struct run *run, uint64_t secret)
{
	uint8_t *const base = cpu->base;
	const uint32_t freeptr = s->g.freeptr;
	size_t same = n - 1;
	unsigned int look = BULK_LOOK_AHEAD, cnt;
	uint64_t tail = vec[same];

	for (; !secret && same && same_page(vec[same - 1], tail); same--) {	/* while nothing is skipped nothing moves */
		link_write(base, tail + freeptr, 0, vec[same - 1]);
		tail = vec[same - 1];
	}
	cnt = (unsigned int)(n - same);
	for (size_t i = same; i-- > 0; ) {
		uint64_t object = vec[i];

		if (!same_page(object, tail) && object_slab(cpu->lab, object) != run->slab) {
			if (!--look)
				break;
			continue;
		}
		if (unlikely(secret && object == tail)) {
			refuse_twice(cpu, s, run->slab, object);
		} else {
			link_write(base, tail + freeptr, secret, object);
			tail = object;
			cnt++;
		}
		same--;
		vec[i] = vec[same];
		vec[same] = object;
	}
	*run = (struct run){ run->slab, vec[n - 1], tail, cnt };
	return same;
}

static size_t build_run(struct cpu *cpu, struct page *slab, size_t n, uint64_t *vec, struct run *run)
{
	struct store *s = lab_store(cpu->lab, slab->store);

	run->slab = slab;
	return s->secret ? link_run(cpu, s, n, vec, run, s->secret) : link_run(cpu, s, n, vec, run, 0);
}

/* The same as 4.4 had it: entries are blanked, the last one collected comes first. */
static size_t build_run_blanking(struct cpu *cpu, struct page *slab, size_t n, uint64_t *vec, struct run *run)
{
	struct store *s = lab_store(cpu->lab, slab->store);
	const uint64_t secret = s->secret;
	const uint32_t freeptr = s->g.freeptr;
	unsigned int look = BULK_LOOK_AHEAD;
	size_t first_skipped = 0;

	*run = (struct run){ slab, vec[n - 1], vec[n - 1], 1 };
	for (size_t i = n - 1; i-- > 0; ) {
		uint64_t object = vec[i];

		if (!object)
			continue;
		if (object_slab(cpu->lab, object) == run->slab) {
			if (unlikely(secret && object == run->head)) {
				refuse_twice(cpu, s, slab, object);
			} else {
				link_write(cpu->base, object + freeptr, secret, run->head);
				run->head = object;
				run->cnt++;
			}
			vec[i] = 0;
			continue;
		}
		if (!--look)
			break;
		if (!first_skipped)
			first_skipped = i + 1;
	}
	return first_skipped;
}

/* The length of runs, by powers of two. */
static enum event_id event_of_length(unsigned int cnt)
{
	unsigned int power = ilog2(cnt);

	return EV_bulk_run_1 + (power < EV_bulk_run_64 - EV_bulk_run_1 ? power : EV_bulk_run_64 - EV_bulk_run_1);
}

void bulk_count_run(struct cpu *cpu, const struct store *s, unsigned int cnt, bool own)
{
	uint64_t *ev = cpu->stat[s->number].ev;

	bump(ev[EV_bulk_free_runs - EV_SLAB_FIRST], 1);
	bump(ev[EV_bulk_free_runs_fast - EV_SLAB_FIRST], own);
	bump(ev[event_of_length(cnt) - EV_SLAB_FIRST], 1);
	bump(ev[EV_bulk_cas_saved - EV_SLAB_FIRST], cnt - 1);
	bump(ev[EV_bulk_free_objs - EV_SLAB_FIRST], cnt);
}

static void count_length(struct cpu *cpu, struct store *s, uint64_t *ev, const struct run *run)
{
	emit_slab_in(ev, cpu, s, event_of_length(run->cnt), run->slab->slab_nr, run->cnt, 0);
	if (run->cnt > 1)
		emit_slab_in_n(ev, cpu, s, EV_bulk_cas_saved, run->cnt - 1, run->cnt - 1, 0, 0);
}

/* c, if named, is the slab's cache, now or formerly. */
static uint32_t free_run(struct cpu *cpu, struct cache *c, const struct run *run)
{
	struct store *s = lab_store(cpu->lab, run->slab->store);
	uint32_t name = c ? c->id : s->count_cache;
	uint64_t *ev = slab_events(cpu, s);

	bump(cpu->cache_cpu[name].frees, run->cnt);
	emit_slab_in(ev, cpu, s, EV_bulk_free_runs, run->slab->slab_nr, run->cnt, 0);
	if (COUNTING)
		count_length(cpu, s, ev, run);
	if (front_part(cpu, s)->key == run->slab->key) {
		cpu->cache_cpu[front_part(cpu, s)->name].frees -= slub_run_hits(s, run->cnt);	/* counted there, too */
		emit_slab_in(ev, cpu, s, EV_bulk_free_runs_fast, run->slab->slab_nr, run->cnt, 0);
	}
	emit_slab_in_n(ev, cpu, s, EV_bulk_free_objs, run->cnt, run->cnt, 0, 0);
	store_ops[s->ops][THIS_VARIANT]->free(cpu, s, run->slab, run->head, run->tail, run->cnt);
	return slab_free_refused(cpu, name);
}

void bulk_free_to_slabs(struct cpu *cpu, size_t n, uint64_t *vec)
{
	while (n) {
		struct page *slab = object_slab(cpu->lab, vec[n - 1]);
		struct run run;

		n = build_run(cpu, slab, n, vec, &run);
		store_ops[ENGINE_SLUB][THIS_VARIANT]->free(cpu, lab_store(cpu->lab, slab->store), slab, run.head, run.tail,
							   run.cnt);
	}
}

static bool is_of_cache(const struct lab *lab, const struct cache *c, const struct page *slab)
{
	return !c || slab->store == c->store ||
	       store_had_cache(lab, lab_store(lab, slab->store), c->id);
}

static uint32_t free_runs(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec, bool blanking)
{
	uint32_t findings = 0;

	while (n) {
		struct page *slab;
		struct run run;

		if (!vec[n - 1]) {
			n--;
			continue;
		}
		slab = object_slab(cpu->lab, vec[n - 1]);
		/* no slab, or not this cache's: by the single path, which knows what to say */
		if (!slab || !has_slub(lab_store(cpu->lab, slab->store)) || !is_of_cache(cpu->lab, c, slab)) {
			findings |= slab_free(cpu, c, vec[--n], 0);
			continue;
		}
		n = (blanking ? build_run_blanking : build_run)(cpu, slab, n, vec, &run);
		findings |= free_run(cpu, c, &run);
	}
	return findings;
}

/* ---- other forms ---- */

static uint32_t free_singly(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	uint32_t findings = 0;

	for (size_t i = 0; i < n; i++) {
		struct page *slab = object_slab(cpu->lab, vec[i]);

		if (slab)
			emit_slab(cpu, lab_store(cpu->lab, slab->store), EV_bulk_free_objs, 1, 0, 0);
		findings |= slab_free(cpu, c, vec[i], 0);
	}
	return findings;
}

static bool is_of_store(const struct lab *lab, uint64_t off, uint32_t store)
{
	return off - lab->arena_off < lab->arena_bytes && lab_page(lab, off_pfn(lab, off))->store == store;
}

/* Objects of a queued engine, stretch by stretch of one store. Others stay, moved to the front; how many they are. */
static size_t free_queued(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec, uint32_t *findings)
{
	size_t kept = 0;

	for (size_t i = 0, j; i < n; i = j) {
		const struct page *slab = object_slab(cpu->lab, vec[i]);
		struct store *s = slab ? lab_store(cpu->lab, slab->store) : NULL;
		uint32_t store = slab ? slab->store : 0;
		uint64_t hits;

		j = i + 1;
		if (c && store != c->store) {
			*findings |= slab_free(cpu, c, vec[i], 0);
		} else if (!s || !store_ops[s->ops][THIS_VARIANT]->free_bulk || (!c && has_slub(s))) {
			vec[kept++] = vec[i];
		} else {
			while (j < n && (same_page(vec[j], vec[j - 1]) || is_of_store(cpu->lab, vec[j], store)))
				j++;
			hits = front_part(cpu, s)->free_fastpath;
			emit_slab_n(cpu, s, EV_bulk_free_objs, j - i, j - i, 0, 0);
			store_ops[s->ops][THIS_VARIANT]->free_bulk(cpu, s, j - i, vec + i);
			slab_count_frees(cpu, front_part(cpu, s), c ? c->id : s->count_cache, j - i,
					 front_part(cpu, s)->free_fastpath - hits);
		}
	}
	return kept;
}

/* ---- owner maps ---- */

/*
 * What maps have to say of these objects before they go in runs: each is given
 * back by who took it. Others' objects go singly, which says so, and those of
 * stores whose checks may refuse a run. How many are left, moved to the front.
 */
static size_t free_owned(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec, uint32_t *findings)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct page *slab = object_slab(cpu->lab, vec[i]);
		struct store *s = slab ? lab_store(cpu->lab, slab->store) : NULL;
		uint32_t *word = s && s->owner_map ? owner_word_out(cpu->lab, s, vec[i]) : NULL;

		if (word && (s->debug || (c && *word != c->id))) {
			*findings |= slab_free(cpu, c, vec[i], 0);
			continue;
		}
		if (word && !c) {
			bump(cpu->cache_cpu[*word].frees, 1);
			cpu->cache_cpu[s->count_cache].frees--;	/* for which the run will count */
		}
		if (word)
			owner_give(word);
		vec[kept++] = vec[i];
	}
	return kept;
}

/* Before they go in runs. Those of other stores than the cache's go singly, and are counted there. */
static void end_lifetimes(struct cpu *cpu, const struct cache *c, size_t n, const uint64_t *vec)
{
	for (size_t i = 0; i < n; i++) {
		const struct page *slab = object_slab(cpu->lab, vec[i]);
		const struct store *s = slab ? lab_store(cpu->lab, slab->store) : NULL;

		if (s && (!c || s->number == c->store))
			lifetime_end(cpu->lab, c ? c->id : s->count_cache, lifetime_born(cpu->lab, s, vec[i]));
	}
}

/* ---- the calls ---- */

static enum bulk_form form_of(struct cpu *cpu, const struct store *s)
{
	const struct slab_policy *policy = lab_section(cpu->lab, SEC_SLAB_POLICY);

	return s ? s->bulk_form : policy->store.bulk_form;
}

static void wipe_all(struct cpu *cpu, size_t n, const uint64_t *vec)
{
	for (size_t i = 0; i < n; i++) {
		const struct page *slab = object_slab(cpu->lab, vec[i]);
		const struct store *s = slab ? lab_store(cpu->lab, slab->store) : NULL;

		if (s && s->init_on_free)
			object_wipe(cpu, s, vec[i]);
	}
}

uint32_t bulk_free_rest(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	struct store *s = c ? lab_store(cpu->lab, c->store) : NULL;
	enum bulk_form form = form_of(cpu, s);
	uint32_t findings = 0;

	/* 4.3 looks at each object, pushes those of the CPU's slab, and has a slow free for any other: as a single free does */
	if (form == BULK_FALLBACK || form == BULK_4_3)
		return free_singly(cpu, c, n, vec);
	if (unlikely(slab_state(cpu->lab)->owner_maps))
		n = free_owned(cpu, c, n, vec, &findings);
	if (unlikely(cpu->lab->lifetimes))
		end_lifetimes(cpu, c, n, vec);
	if (unlikely(((const struct slab_policy *)lab_section(cpu->lab, SEC_SLAB_POLICY))->init_on_free))
		wipe_all(cpu, n, vec);
	if (!s || front_part(cpu, s)->number == PART_QUEUED)
		n = free_queued(cpu, c, n, vec, &findings);
	return findings | free_runs(cpu, c, n, vec, form == BULK_4_4);
}

uint32_t slab_free_bulk(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	if (!n)
		return 0;
	if (c)
		emit_slab(cpu, lab_store(cpu->lab, c->store), EV_bulk_free_calls, n, 0, 0);
	return bulk_free_rest(cpu, c, n, vec);
}

static size_t alloc_singly(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec)
{
	for (size_t i = 0; i < n; i++) {
		vec[i] = slab_cache_alloc(cpu, c, gfp, -1);
		if (!vec[i])
			return i;
	}
	return n;
}

size_t bulk_alloc_by(const struct store_ops *ops, struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	if (likely(ops->alloc_bulk))
		return ops->alloc_bulk(cpu, s, gfp, n, vec);
	for (size_t i = 0; i < n; i++) {
		vec[i] = ops->alloc(cpu, s, gfp, -1);
		if (!vec[i])
			return i;
	}
	return n;
}

size_t slab_alloc_bulk(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct store *s = lab_store(cpu->lab, c->store);
	const struct slub_cpu *part = front_part(cpu, s);
	uint64_t hits = part->alloc_fastpath;
	size_t got;

	if (!n)
		return 0;
	if (slab_should_fail(cpu, c, gfp)) {
		cpu->path |= WENT_NOWHERE;
		emit_lab(cpu, EV_failslab_hits, c->id, c->object_size, 0);
		return 0;
	}
	emit_slab(cpu, s, EV_bulk_alloc_calls, n, 0, 0);
	if (unlikely(s->bulk_form == BULK_FALLBACK)) {
		got = alloc_singly(cpu, c, gfp, n, vec);
	} else {
		got = bulk_alloc_by(store_ops[s->ops][THIS_VARIANT], cpu, s, gfp, n, vec);
		slab_count_allocs(cpu, part, c->id, got, part->alloc_fastpath - hits);	/* hits were counted there, too */
		for (size_t i = 0; i < got && unlikely(s->init_on_alloc | s->init_on_free); i++)
			object_init(cpu, s, vec[i]);
	}
	for (size_t i = 0; unlikely(s->owner_map) && i < got; i++)
		owner_take(cpu->lab, s, vec[i], c->id);
	for (size_t i = 0; unlikely(cpu->lab->lifetimes) && i < got; i++)
		lifetime_begin(cpu->lab, s, vec[i]);
	if (likely(got == n)) {
		emit_slab_n(cpu, s, EV_bulk_alloc_objs, n, n, 0, 0);
		return n;
	}
	slab_free_bulk(cpu, c, got, vec);	/* all or nothing */
	return 0;
}
