/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every byte of a debug store's slot must be, and what is done when it is
 * not. Order of checks, words and repairs as in Linux 6.1 (slab-debug.md 4, 5).
 *
 * Nothing here follows a link that does not lead to an object of its slab.
 */
#include "slab/checks.h"

#include <stdio.h>
#include <string.h>

#include "page/relaxed.h"
#include "page/zone.h"
#include "slab/list.h"
#include "slab/store.h"

/* ---- links ---- */

static uint64_t start_of(const struct lab *lab, const struct page *slab)
{
	return pfn_off(lab, page_pfn(lab, slab));
}

/* As it stands: who freed the object first may be linking it just now. */
static uint64_t link_of(const struct check *ck, uint64_t object)
{
	uint64_t at = object + ck->s->g.freeptr, word = peek(*(const uint64_t *)(ck->cpu->base + at));

	return ck->s->secret ? link_code(word, at, ck->s->secret) : word;
}

static void set_link(const struct check *ck, uint64_t object, uint64_t to)
{
	object_set_next(ck->cpu->base, ck->s, object, to);
}

static bool link_is_good(const struct check *ck, uint64_t to)
{
	return !to || slab_is_object(ck->cpu->lab, ck->s, ck->slab, to);
}

uint32_t debug_free_count(const struct lab *lab, const struct store *s, const struct page *slab)
{
	uint32_t n = 0, most = slab_counts(slab).objects;

	for (uint64_t o = slab->freelist; o && n < most && slab_is_object(lab, s, slab, o); n++)
		o = object_next(lab->base, s, o);
	return n;
}

static void set_counts(struct page *slab, uint32_t inuse)
{
	struct slab_counts c = slab_counts(slab);

	c.inuse = inuse;
	__atomic_store_n(&slab->counters, counts_pack(c), __ATOMIC_RELAXED);
}

/* ---- reports ---- */

/* A zone's number in the flags of a page of x86-64. */
static uint32_t zone_bits(const struct lab *lab, pfn_t pfn)
{
	static const uint8_t of_kind[] = { [ZONE_DMA] = 0, [ZONE_DMA32] = 1, [ZONE_NORMAL] = 2, [ZONE_HIGHMEM] = 2, [ZONE_MOVABLE] = 3 };
	unsigned int kind = page_zone(lab, pfn)->kind;

	return kind < ARRAY_SIZE(of_kind) ? of_kind[kind] : 0;
}

struct debug_report *debug_begin(struct check *ck, enum debug_message message)
{
	const struct lab *lab = ck->cpu->lab;
	struct debug_report *r;

	lock_take(ck->cpu, &debug_state(lab)->lock, false);
	r = debug_report_new(ck->cpu, ck->s, message);
	ck->errors++;
	ck->report = r->serial;
	if (ck->slab) {
		r->slab = page_pfn(lab, ck->slab);
		r->slab_nr = ck->slab->slab_nr;
		r->order = ck->slab->order;
		r->objects = slab_counts(ck->slab).objects;
		r->used = slab_counts(ck->slab).inuse;
		r->slab_fp = peek(ck->slab->freelist);	/* behind queues, other CPUs put objects there meanwhile */
		r->node = ck->slab->node;
		r->zone_bits = zone_bits(lab, r->slab);
	}
	return r;
}

void debug_end(struct check *ck)
{
	lock_give(ck->cpu, &debug_state(ck->cpu->lab)->lock);
}

void debug_part(const struct check *ck, struct debug_report *r, enum report_part part, uint64_t at, uint64_t bytes)
{
	uint64_t most = bytes < PAGE_SIZE ? bytes : PAGE_SIZE;

	if (!bytes || r->nr_parts == REPORT_PARTS || r->data_bytes + most > REPORT_DATA)
		return;
	r->part[r->nr_parts].part = (uint8_t)part;
	r->part[r->nr_parts].at = at;
	r->part[r->nr_parts].bytes = (uint32_t)most;
	for (uint64_t i = 0; i < most; i++)	/* as they stand, see link_of() */
		r->data[r->data_bytes++] = peek(ck->cpu->base[at + i]);
	r->nr_parts++;
}

/* What the kernel prints of an object: tracks, link, and the bytes around and in it as they were found. */
static void add_object(const struct check *ck, struct debug_report *r, uint64_t object)
{
	const struct store *s = ck->s;
	const struct lab *lab = ck->cpu->lab;
	uint32_t slot = s->g.size - object_at(&s->g);

	r->has_object = true;
	r->object = object;
	r->object_fp = link_of(ck, object);
	if (debug_has_tracks(s)) {
		r->alloc = debug_track_copy(lab, debug_track_of(lab, s, object, false));
		r->freed = debug_track_copy(lab, debug_track_of(lab, s, object, true));
	}
	if (object_at(&s->g))
		debug_part(ck, r, PART_REDZONE, object - s->g.red_left_pad, s->g.red_left_pad);
	else if (object > start_of(lab, ck->slab) + 16)
		debug_part(ck, r, PART_BYTES_B4, object - 16, 16);
	debug_part(ck, r, PART_OBJECT, object, s->object_size);
	if (s->g.flags & CF_REDZONE)
		debug_part(ck, r, PART_REDZONE, object + s->object_size, s->g.inuse - s->object_size);
	debug_part(ck, r, PART_PADDING, object + debug_used_end(s), slot - debug_used_end(s));
}

void debug_object_error(struct check *ck, enum debug_message message, uint64_t object)
{
	struct debug_report *r = debug_begin(ck, message);

	add_object(ck, r, object);
	debug_end(ck);
}

void debug_slab_error(struct check *ck, enum debug_message message, uint64_t a, uint64_t b)
{
	struct debug_report *r = debug_begin(ck, message);

	r->arg[0] = a;
	r->arg[1] = b;
	debug_end(ck);
}

void debug_fixed(struct check *ck, enum debug_fix fix, enum debug_message word, uint64_t first, uint64_t last, uint8_t value)
{
	struct debug_state *d = debug_state(ck->cpu->lab);
	struct debug_report *r = &d->report[ck->report % DEBUG_REPORTS];

	lock_take(ck->cpu, &d->lock, false);
	if (r->serial == ck->report && r->nr_fixes < ARRAY_SIZE(r->fix)) {
		r->fix[r->nr_fixes].fix = (uint8_t)fix;
		r->fix[r->nr_fixes].word = (uint8_t)word;
		r->fix[r->nr_fixes].value = value;
		r->fix[r->nr_fixes].first = first;
		r->fix[r->nr_fixes++].last = last;
	}
	lock_give(ck->cpu, &d->lock);
}

/* ---- bytes ---- */

bool debug_differs(const uint8_t *at, uint64_t bytes, uint8_t value, uint64_t *first, uint64_t *last)
{
	uint64_t i = 0, n = bytes;

	while (i < n && at[i] == value)
		i++;
	if (i == n)
		return false;
	while (at[n - 1] == value)
		n--;
	*first = i;
	*last = n - 1;
	return true;
}

/* True when they are right; else they are reported and made right. */
static bool check_bytes(struct check *ck, enum debug_message message, uint64_t object, uint64_t at, uint64_t bytes, uint8_t value)
{
	uint8_t *mem = ck->cpu->base + at;
	struct debug_report *r;
	uint64_t first, last;

	if (likely(!debug_differs(mem, bytes, value, &first, &last)))
		return true;
	r = debug_begin(ck, message);
	r->has_range = true;
	r->first = at + first;
	r->last = at + last;
	r->found = mem[first];
	r->expected = value;
	add_object(ck, r, object);
	debug_end(ck);
	memset(mem + first, value, last - first + 1);
	debug_fixed(ck, FIX_restored, message, at + first, at + last, value);
	return false;
}

/* What lies behind the last slot of a slab. */
static void check_tail(struct check *ck)
{
	const struct lab *lab = ck->cpu->lab;
	uint64_t start = start_of(lab, ck->slab), length = PAGE_SIZE << ck->slab->order;
	uint64_t left = length % ck->s->g.size, at = start + length - left, first, last;
	struct debug_report *r;

	if (!(ck->s->g.flags & CF_POISON) || !left || !debug_differs(ck->cpu->base + at, left, POISON_UNUSED, &first, &last))
		return;
	r = debug_begin(ck, DEBUG_slab_padding);
	r->arg[0] = at + first;
	r->arg[1] = at + last;
	r->arg[2] = at + first - start;
	debug_part(ck, r, PART_PADDING, at, left);
	debug_end(ck);
	memset(ck->cpu->base + at + first, POISON_UNUSED, last - first + 1);
	debug_fixed(ck, FIX_restored, DEBUG_slab_padding, at + first, at + last, POISON_UNUSED);
}

bool debug_check_object(struct check *ck, uint64_t object, uint8_t red)
{
	const struct store *s = ck->s;
	const struct geometry *g = &s->g;
	uint32_t slot = g->size - object_at(g);

	if (g->flags & CF_REDZONE) {
		if (!check_bytes(ck, DEBUG_left_redzone, object, object - g->red_left_pad, g->red_left_pad, red) ||
		    !check_bytes(ck, DEBUG_right_redzone, object, object + s->object_size, g->inuse - s->object_size, red))
			return false;
	} else if (g->flags & CF_POISON && s->object_size < g->inuse) {
		check_bytes(ck, DEBUG_alignment, object, object + s->object_size, g->inuse - s->object_size, POISON_UNUSED);
	}
	if (g->flags & CF_POISON) {
		if (red == RED_FREE && debug_poisons(s) &&
		    (!check_bytes(ck, DEBUG_poison, object, object, s->object_size - 1, POISON_BODY) ||
		     !check_bytes(ck, DEBUG_end_poison, object, object + s->object_size - 1, 1, POISON_LAST)))
			return false;
		check_bytes(ck, DEBUG_object_padding, object, object + debug_used_end(s), slot - debug_used_end(s), POISON_UNUSED);
	}
	if (!has_slub(s) || (!debug_outside_link(g) && red == RED_OUT))
		return true;		/* it leads from list to list, or its place is the holder's */
	if (!link_is_good(ck, link_of(ck, object))) {
		debug_object_error(ck, DEBUG_freepointer, object);
		set_link(ck, object, 0);
		return false;
	}
	return true;
}

static bool is_bad(const struct page *slab)
{
	return peek(slab->flags) & SLAB_BAD_BIT;
}

/* The rest of what the kernel asks of a slab (is it one, are its counts possible) cannot be otherwise here. */
bool debug_check_slab(struct check *ck)
{
	if (is_bad(ck->slab)) {
		debug_slab_error(ck, DEBUG_disabled, 0, 0);
		return false;
	}
	check_tail(ck);
	return true;
}

/*
 * Is the object on its slab's freelist? (0: only walk.) On the way links are
 * checked, and the in-use count is compared with what the list holds.
 */
static bool on_freelist(struct check *ck, uint64_t search)
{
	struct slab_counts c = slab_counts(ck->slab);
	uint64_t object = 0;
	uint32_t nr = 0;

	for (uint64_t fp = ck->slab->freelist; fp && nr <= c.objects; nr++) {
		if (fp == search)
			return true;
		if (!link_is_good(ck, fp) && object) {
			debug_object_error(ck, DEBUG_freechain, object);
			set_link(ck, object, 0);
			break;
		}
		if (!link_is_good(ck, fp)) {
			debug_slab_error(ck, DEBUG_freepointer, 0, 0);
			__atomic_store_n(&ck->slab->freelist, 0, __ATOMIC_RELAXED);
			set_counts(ck->slab, c.objects);
			debug_fixed(ck, FIX_cleared, 0, 0, 0, 0);
			return false;
		}
		object = fp;
		fp = link_of(ck, object);
	}
	if (nr <= c.objects && c.inuse != c.objects - nr) {
		debug_slab_error(ck, DEBUG_wrong_count, c.inuse, c.objects - nr);
		set_counts(ck->slab, c.objects - nr);
		debug_fixed(ck, FIX_adjusted, 0, 0, 0, 0);
	}
	return !search;
}

/* ---- objects prepared ---- */

void debug_prepare(const struct cpu *cpu, const struct store *s, uint64_t object, uint8_t red)
{
	uint8_t *p = cpu->base + object;

	if (s->g.flags & CF_REDZONE)
		memset(p - s->g.red_left_pad, red, s->g.red_left_pad);
	if (debug_poisons(s)) {
		memset(p, POISON_BODY, s->object_size - 1);
		p[s->object_size - 1] = POISON_LAST;
	}
	if (s->g.flags & CF_REDZONE)
		memset(p + s->object_size, red, s->g.inuse - s->object_size);
}

void debug_init_slab(struct cpu *cpu, struct store *s, struct page *slab, uint32_t objects)
{
	pfn_t pfn = page_pfn(cpu->lab, slab);

	__atomic_fetch_and(&slab->flags, (uint8_t)~SLAB_BAD_BIT, __ATOMIC_RELAXED);
	slab->chain_objs = 0;
	if (s->engine == ENGINE_SLAB) {
		slabq_init_slab(cpu, s, slab);
		return;
	}
	if (s->g.flags & CF_POISON)
		memset(page_memory(cpu->lab, pfn), POISON_UNUSED, PAGE_SIZE << slab->order);
	for (uint32_t i = 0; i < objects; i++) {
		uint64_t object = slab_object(cpu->lab, s, pfn, i);

		debug_prepare(cpu, s, object, RED_FREE);
		if (s->g.flags & CF_USER)
			memset(debug_track_of(cpu->lab, s, object, false), 0, 2 * sizeof(struct debug_track));
	}
}

void debug_set_size(const struct lab *lab, const struct store *s, uint64_t object, uint64_t bytes)
{
	if (debug_has_size(s))
		*debug_size_of(lab, s, object) = (uint32_t)bytes;
}

void debug_set_track(struct cpu *cpu, struct store *s, uint64_t object, bool freed)
{
	struct debug_track *t = debug_track_of(cpu->lab, s, object, freed);
	uint32_t place, stack;

	debug_here(cpu, &place, &stack);
	*t = (struct debug_track){ .place = place, .stack = stack, .cpu = cpu->id, .pid = debug_pid(cpu),
				   .when = debug_tick(cpu->lab) };
}

void debug_track_alloc(struct cpu *cpu, struct store *s, uint64_t object)
{
	if (s->g.flags & CF_USER)
		debug_set_track(cpu, s, object, false);
}

void debug_trace(struct check *ck, enum debug_message message, uint64_t object)
{
	uint32_t errors = ck->errors;
	struct debug_report *r;

	if (!(ck->s->g.flags & CF_TRACE))
		return;
	r = debug_begin(ck, message);
	ck->errors = errors;		/* no finding */
	r->arg[0] = object;
	r->arg[1] = r->used;
	r->arg[2] = r->slab_fp;
	if (message == DEBUG_trace_free)
		debug_part(ck, r, PART_OBJECT, object, ck->s->object_size);
	debug_end(ck);
}

/* ---- allocation and free ---- */

static bool may_take(struct check *ck, uint64_t object)
{
	if (!debug_check_slab(ck))
		return false;
	if (!slab_is_object(ck->cpu->lab, ck->s, ck->slab, object)) {
		debug_object_error(ck, DEBUG_freelist_link, object);
		return false;
	}
	return debug_check_object(ck, object, RED_FREE);
}

/* What was free in it is lost: a slab of which one object is broken is trusted in nothing. */
static void take_out_of_use(struct check *ck)
{
	debug_fixed(ck, FIX_all_used, 0, 0, 0, 0);
	__atomic_store_n(&ck->slab->freelist, 0, __ATOMIC_RELAXED);
	set_counts(ck->slab, slab_counts(ck->slab).objects);
	__atomic_fetch_or(&ck->slab->flags, SLAB_BAD_BIT, __ATOMIC_RELAXED);
}

bool debug_take(struct check *ck, uint64_t object)
{
	if (ck->s->g.flags & CF_CONSIST && !may_take(ck, object)) {
		take_out_of_use(ck);
		return false;
	}
	debug_trace(ck, DEBUG_trace_alloc, object);
	debug_set_size(ck->cpu->lab, ck->s, object, ck->s->object_size);
	debug_prepare(ck->cpu, ck->s, object, RED_OUT);
	return true;
}

static bool may_give(struct check *ck, uint64_t object)
{
	if (!slab_is_object(ck->cpu->lab, ck->s, ck->slab, object)) {
		debug_slab_error(ck, DEBUG_invalid_object, object, 0);
		return false;
	}
	if (on_freelist(ck, object)) {
		debug_object_error(ck, DEBUG_already_free, object);
		return false;
	}
	return debug_check_object(ck, object, RED_OUT);
}

void debug_given(struct check *ck, uint64_t object)
{
	if (ck->s->g.flags & CF_USER)
		debug_set_track(ck->cpu, ck->s, object, true);
	debug_trace(ck, DEBUG_trace_free, object);
	debug_prepare(ck->cpu, ck->s, object, RED_FREE);
}

/* One object of a run. */
static bool give_one(struct check *ck, uint64_t object)
{
	if (ck->s->g.flags & CF_CONSIST && !may_give(ck, object))
		return false;
	debug_given(ck, object);
	return true;
}

bool debug_give(struct check *ck, uint64_t head, uint64_t tail, unsigned int *cnt)
{
	unsigned int nr = 0;
	uint64_t object = head;
	bool good = false;

	if (ck->s->g.flags & CF_CONSIST && !debug_check_slab(ck))
		goto out;
	if (slab_counts(ck->slab).inuse < *cnt) {
		debug_slab_error(ck, DEBUG_too_many, slab_counts(ck->slab).inuse, *cnt);
		goto out;
	}
	while (nr < *cnt) {
		if (!give_one(ck, object))
			goto out;
		nr++;
		if (object == tail)
			break;
		object = link_of(ck, object);
	}
	good = true;
	if (nr != *cnt) {
		debug_slab_error(ck, DEBUG_bulk_count, *cnt, nr);
		*cnt = nr;
	}
out:
	if (!good)
		debug_fixed(ck, FIX_not_freed, 0, object, 0, 0);
	return good;
}

uint32_t debug_check_empty(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	uint32_t objects = slab_counts(slab).objects;

	if (s->engine == ENGINE_SLAB) {
		slabq_check_empty(&ck);
		return ck.errors;
	}
	if (!(s->g.flags & CF_CONSIST))
		return 0;
	check_tail(&ck);
	for (uint32_t i = 0; i < objects; i++)
		debug_check_object(&ck, slab_object(cpu->lab, s, page_pfn(cpu->lab, slab), i), RED_FREE);
	return ck.errors;
}

/* ---- validation ---- */

void debug_mark_free(const struct check *ck, uint8_t *map, uint32_t objects)
{
	uint64_t first = slab_object(ck->cpu->lab, ck->s, page_pfn(ck->cpu->lab, ck->slab), 0);
	uint32_t n = 0;

	memset(map, 0, (objects + 7u) / 8);
	for (uint64_t o = ck->slab->freelist; o && n < objects && link_is_good(ck, o); o = link_of(ck, o), n++) {
		uint64_t i = (o - first) / ck->s->g.size;

		map[i / 8] |= (uint8_t)(1u << i % 8);
	}
}

static void validate_slab(struct check *ck, uint64_t *looked)
{
	static __thread uint8_t map[(MAX_OBJS_PER_SLAB + 8) / 8];
	uint32_t objects = slab_counts(ck->slab).objects, had = debug_free_count(ck->cpu->lab, ck->s, ck->slab);

	if (!debug_check_slab(ck))
		return;
	if (on_freelist(ck, 0)) {
		debug_mark_free(ck, map, objects);
		for (uint32_t i = 0; i < objects; i++, ++*looked)
			if (!debug_check_object(ck, slab_object(ck->cpu->lab, ck->s, page_pfn(ck->cpu->lab, ck->slab), i),
					  map[i / 8] & 1u << i % 8 ? RED_FREE : RED_OUT))
				break;
	}
	ck->slab->chain_objs += had - debug_free_count(ck->cpu->lab, ck->s, ck->slab);	/* lost to a cut list */
}

static uint64_t validate_list(struct check *ck, pfn_t pfn, uint64_t *looked)
{
	uint64_t nr = 0;

	for (; pfn != PFN_NONE; nr++) {
		ck->slab = lab_page(ck->cpu->lab, pfn);
		pfn = ck->slab->next;
		validate_slab(ck, looked);
	}
	ck->slab = NULL;
	return nr;
}

struct validation {
	struct check ck;
	uint64_t *slabs, *objects;
};

static int validate_queued(pfn_t pfn, uint32_t objects, void *arg)
{
	struct validation *v = arg;

	(void)objects;
	v->ck.slab = lab_page(v->ck.cpu->lab, pfn);
	++*v->slabs;
	(v->ck.s->engine == ENGINE_SLAB ? slabq_validate_slab : slqb_validate_slab)(&v->ck, v->objects);
	return 0;
}

uint32_t debug_validate(struct cpu *cpu, struct store *s, uint64_t *slabs, uint64_t *objects)
{
	struct validation v = { .ck = { .cpu = cpu, .s = s }, .slabs = slabs, .objects = objects };
	struct check ck = { .cpu = cpu, .s = s };

	*slabs = *objects = 0;
	if (!has_slub(s)) {
		store_each_slab(cpu->lab, s, validate_queued, &v);
		return v.ck.errors;
	}
	for (unsigned int i = 0; i < cpu->lab->nr_nodes; i++) {
		struct slub_node *n = store_node(cpu->lab, s, i);
		uint64_t partial = validate_list(&ck, n->partial.head, objects), full;

		*slabs += partial;
		if (partial != n->nr_partial)
			debug_slab_error(&ck, DEBUG_wrong_partial, partial, n->nr_partial);
		if (!(s->g.flags & CF_USER))
			continue;
		full = validate_list(&ck, n->full.head, objects);
		*slabs += full;
		if (partial + full != n->nr_slabs)
			debug_slab_error(&ck, DEBUG_wrong_slabs, partial + full, n->nr_slabs);
	}
	return ck.errors;
}

/* ---- from elsewhere ---- */

void debug_wrong_cache(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object, const char *given,
		       const char *owner)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	struct debug_report *r = debug_begin(&ck, DEBUG_wrong_cache);

	snprintf(r->other, sizeof(r->other), "%s", owner);
	snprintf(r->cache, sizeof(r->cache), "%s", given);
	r->object = object;
	if (debug_has_tracks(s) && slab_is_object(cpu->lab, s, slab, object))
		r->alloc = debug_track_copy(cpu->lab, debug_track_of(cpu->lab, s, object, false));
	if (s->debug && s->engine == ENGINE_SLAB && slab_is_object(cpu->lab, s, slab, object))
		r->words[0] = slabq_words(cpu->lab, s, object);
	debug_end(&ck);
}

void debug_freed_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	struct debug_report *r = debug_begin(&ck, DEBUG_set_freepointer);

	r->has_object = true;
	r->object = object;
	r->object_fp = slab_is_object(cpu->lab, s, slab, object) ? link_of(&ck, object) : 0;
	debug_end(&ck);
	debug_fixed(&ck, FIX_not_freed, 0, object, 0, 0);
}
