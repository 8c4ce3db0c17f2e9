/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_book - events become steps, and everything is counted.
 *
 * The book knows what lives at each address. An allocation gets a slot, a
 * number under which the run will keep what the lab gave; its free names that
 * slot. So a step needs no address, and a run no table.
 *
 * Slots are used again: the latest first (they are warm), or, where CPUs run
 * apart from each other, one that was freed long ago, so that nobody has to
 * wait for a slot to become free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "work/replay_priv.h"

#define FIRST_SLOTS 4096u

int book_init(struct book *b)
{
	int ret = sites_init(&b->sites);

	if (!ret)
		ret = spots_init(&b->objects);
	if (!ret)
		ret = spots_init(&b->pages);
	if (ret)
		return ret;
	b->free_slot = malloc(FIRST_SLOTS * sizeof(*b->free_slot));
	b->free_mask = FIRST_SLOTS - 1;
	return b->free_slot ? 0 : fail(ENOMEM, "no memory for the table of slots");
}

void book_fini(struct book *b)
{
	free(b->free_slot);
	b->free_slot = NULL;
	spots_fini(&b->objects);
	spots_fini(&b->pages);
}

/* Before the trace is read again: sites and their names stay. */
void book_clear(struct book *b)
{
	spots_clear(&b->objects);
	spots_clear(&b->pages);
	sites_clear_counts(&b->sites);
	memset(&b->counts, 0, sizeof(b->counts));
	b->free_nr = b->free_head = 0;
}

/* ---- slots ---- */

static uint32_t slot_take(struct book *b)
{
	if (b->free_nr <= b->reuse_after)
		return (uint32_t)b->counts.slots++;
	b->free_nr--;
	if (b->reuse_after)
		return b->free_slot[b->free_head++ & b->free_mask];
	return b->free_slot[(b->free_head + b->free_nr) & b->free_mask];
}

static int slot_give(struct book *b, uint32_t slot)
{
	if (b->free_nr > b->free_mask) {
		uint32_t size = (b->free_mask + 1) * 2;
		uint32_t *free_slot = malloc(size * sizeof(*free_slot));

		if (!free_slot)
			return fail(ENOMEM, "no memory for the table of slots");
		for (uint32_t i = 0; i < b->free_nr; i++)
			free_slot[i] = b->free_slot[(b->free_head + i) & b->free_mask];
		free(b->free_slot);
		b->free_slot = free_slot;
		b->free_head = 0;
		b->free_mask = size - 1;
	}
	b->free_slot[(b->free_head + b->free_nr++) & b->free_mask] = slot;
	return 0;
}

/* ---- steps ---- */

static int step_out(struct book *b, const struct step *st)
{
	if (b->runner)
		return runner_step(b->runner, st);
	if (b->program && !b->program->lost)
		program_add(b->program, b->by_cpu ? st->cpu : 0, st);
	return 0;
}

static int16_t step_node(const struct event *ev)
{
	return ev->node >= 0 && ev->node < MAX_NODES ? (int16_t)ev->node : -1;
}

static int alloc_out(struct book *b, const struct event *ev, struct spot *s, enum step_kind kind)
{
	struct step st = {
		.line = ev->line, .slot = slot_take(b), .site = ev->site, .gfp = ev->gfp,
		.bytes = ev->bytes_req, .cpu = ev->cpu, .node = step_node(ev), .kind = (uint8_t)kind,
		.order = ev->order,
	};

	s->slot = st.slot;
	return step_out(b, &st);
}

/* Free what lives at a spot, on the CPU of this event. */
static int free_out(struct book *b, const struct event *ev, const struct spot *s, enum step_kind kind)
{
	struct step st = {
		.line = ev->line, .slot = s->slot, .site = s->site, .cpu = ev->cpu, .node = -1,
		.kind = (uint8_t)kind, .order = s->order,
	};
	int ret = step_out(b, &st);

	return ret ? ret : slot_give(b, s->slot);
}

/* ---- objects ---- */

static void object_count(struct book *b, const struct event *ev, struct site *site)
{
	struct counts *c = &b->counts;

	c->allocs++;
	c->bytes_req += ev->bytes_req;
	c->bytes_alloc += ev->bytes_alloc;
	c->interrupt_allocs += ev->context != 0;
	if (++c->live > c->peak)
		c->peak = c->live;
	site->allocs++;
	site->accounted &= (ev->flags & EVENT_ACCOUNTED) != 0;
}

static void bytes_live(struct book *b, uint64_t bytes)
{
	b->counts.live_bytes += bytes;
	if (b->counts.live_bytes > b->counts.peak_bytes)
		b->counts.peak_bytes = b->counts.live_bytes;
}

/* Bytes that an object takes while it lives, as sizing counts them. */
static uint64_t object_bytes(const struct book *b, const struct spot *s)
{
	const struct site *site = &b->sites.site[s->site];

	return site->kind == SITE_LARGE ? PAGE_SIZE << s->order : site->bytes_alloc;
}

static int object_end(struct book *b, const struct event *ev, struct spot *s)
{
	b->counts.live--;
	if (s->slot == SLOT_NONE)
		return 0;
	b->counts.object_ops++;
	b->counts.live_bytes -= object_bytes(b, s);
	return free_out(b, ev, s, STEP_FREE);
}

static int object_alloc(struct book *b, const struct event *ev)
{
	struct site *site = &b->sites.site[ev->site];
	struct spot *s;

	if (ev->flags & EVENT_FAILED) {
		b->counts.failed_allocs++;
		return 0;
	}
	s = spots_find(&b->objects, ev->addr);
	if (s) {		/* its free left no line */
		int ret;

		b->counts.reused++;
		b->sites.site[s->site].reused++;
		ret = object_end(b, ev, s);
		if (ret)
			return ret;
	} else {
		s = spots_add(&b->objects, ev->addr);
		if (!s)
			return -ENOMEM;
	}
	object_count(b, ev, site);
	s->seq = b->counts.seq++;
	s->site = ev->site;
	s->cpu = ev->cpu;
	s->order = site->kind == SITE_LARGE ? (uint8_t)get_order(ev->bytes_alloc) : 0;
	s->state = SPOT_LIVE;
	s->slot = SLOT_NONE;
	if (b->mode == REPLAY_PAGES_ALL)
		return 0;
	b->counts.object_ops++;
	bytes_live(b, object_bytes(b, s));
	return alloc_out(b, ev, s, ev->kind == TRACE_KMALLOC ? STEP_KMALLOC : STEP_CACHE_ALLOC);
}

static int object_unmatched(struct book *b, const struct event *ev)
{
	static const char nameless[] = "(kmem_cache_free)", plain[] = "(kfree)";
	uint32_t name = ev->name;

	if (ev->kind == TRACE_KFREE)
		name = names_of(&b->sites, plain, sizeof(plain) - 1);
	else if (!name)
		name = names_of(&b->sites, nameless, sizeof(nameless) - 1);
	if (!name)
		return fail(ENOMEM, "no memory for the names in the trace");
	b->counts.unmatched++;
	b->sites.name[name].unmatched++;
	return 0;
}

static int object_free(struct book *b, const struct event *ev)
{
	struct spot *s;
	struct site *site;
	int ret;

	if (!ev->addr) {
		b->counts.null_frees++;
		return 0;
	}
	s = spots_find(&b->objects, ev->addr);
	if (!s)
		return object_unmatched(b, ev);
	site = &b->sites.site[s->site];
	b->counts.matched++;
	b->counts.remote += s->cpu != ev->cpu;
	site->matched++;
	if (!site->name && ev->name)
		site->name = ev->name;
	ret = object_end(b, ev, s);
	spots_remove(&b->objects, s);
	return ret;
}

/* ---- pages ---- */

static bool pages_are_run(const struct book *b, uint8_t spot_flags)
{
	if (b->mode == REPLAY_PAGES_ALL)
		return true;
	return b->mode == REPLAY_PAGES_OTHER && !(spot_flags & (SPOT_SLAB | SPOT_LARGE));
}

static int pages_end(struct book *b, const struct event *ev, struct spot *s)
{
	struct page_count *o = &b->counts.order[s->order];

	o->live--;
	if (s->slot == SLOT_NONE)
		return 0;
	o->ops++;
	b->counts.page_ops++;
	b->counts.live_bytes -= PAGE_SIZE << s->order;
	return free_out(b, ev, s, STEP_FREE_PAGES);
}

static uint8_t pages_purpose(const struct event *ev)
{
	return ev->flags & EVENT_LARGE ? SPOT_LARGE : ev->flags & EVENT_SLAB ? SPOT_SLAB : 0;
}

static int pages_begin(struct book *b, const struct event *ev, struct spot *s)
{
	struct page_count *o = &b->counts.order[ev->order];
	uint8_t purpose = pages_purpose(ev);

	o->allocs++;
	o->live++;
	o->slab_allocs += purpose == SPOT_SLAB;
	o->large_allocs += purpose == SPOT_LARGE;
	s->flags = purpose | (s->state == SPOT_FREED ? SPOT_AWAITS : 0);
	s->seq = b->counts.seq++;
	s->cpu = ev->cpu;
	s->order = ev->order;
	s->state = SPOT_LIVE;
	s->slot = SLOT_NONE;
	s->site = 0;
	if (!pages_are_run(b, s->flags))
		return 0;
	o->ops++;
	o->run_allocs++;
	b->counts.page_ops++;
	bytes_live(b, PAGE_SIZE << ev->order);
	return alloc_out(b, ev, s, STEP_ALLOC_PAGES);
}

static int pages_alloc(struct book *b, const struct event *ev)
{
	struct spot *s;

	if (ev->flags & EVENT_FAILED) {
		b->counts.failed_allocs++;
		return 0;
	}
	s = spots_find(&b->pages, ev->addr);
	if (!s) {
		s = spots_add(&b->pages, ev->addr);
		if (!s)
			return -ENOMEM;
	} else if (s->state == SPOT_LIVE) {
		int ret;

		b->counts.order[s->order].reused++;
		ret = pages_end(b, ev, s);
		if (ret)
			return ret;
	}
	return pages_begin(b, ev, s);
}

static int pages_matched(struct book *b, const struct event *ev, struct spot *s)
{
	struct page_count *o = &b->counts.order[s->order];

	o->frees++;
	o->matched++;
	o->slab_frees += (s->flags & SPOT_SLAB) != 0;
	o->large_frees += (s->flags & SPOT_LARGE) != 0;
	b->counts.order_mismatch += s->order != ev->order;
	return pages_end(b, ev, s);
}

static void pages_unmatched(struct book *b, const struct event *ev)
{
	b->counts.order[ev->order].frees++;
	b->counts.order[ev->order].unmatched++;
}

/* The page stays in the table until the line that says it went with a list. */
static int pages_free(struct book *b, const struct event *ev)
{
	struct spot *s = spots_find(&b->pages, ev->addr);
	int ret = 0;

	if (s && s->state == SPOT_LIVE)
		ret = pages_matched(b, ev, s);
	else
		pages_unmatched(b, ev);
	if (!s)
		s = spots_add(&b->pages, ev->addr);
	if (!s)
		return -ENOMEM;
	s->state = SPOT_FREED;
	s->flags = 0;
	return ret;
}

/* Second line of a page that was freed in a list; the only one where older kernels wrote no other. */
static int pages_batched(struct book *b, const struct event *ev)
{
	struct spot *s = spots_find(&b->pages, ev->addr);
	int ret = 0;

	if (s && s->state == SPOT_LIVE && s->flags & SPOT_AWAITS && s->seq >= b->group_seq) {
		s->flags &= (uint8_t)~SPOT_AWAITS;	/* a tie: it was freed, then allocated, in this moment */
		return 0;
	}
	if (!s || s->state == SPOT_LIVE) {
		b->counts.batched_alone++;
		if (s)
			ret = pages_matched(b, ev, s);
		else
			pages_unmatched(b, ev);
	}
	if (s)
		spots_remove(&b->pages, s);
	return ret;
}

/* ---- all ---- */

static void observe_fallback(struct counts *c, const struct event *ev)
{
	c->fallbacks[ev->order]++;
	c->claims += ev->bytes_alloc & 1;
}

int book_event(struct book *b, const struct event *ev)
{
	switch (ev->kind) {
	case TRACE_KMALLOC:
	case TRACE_KMEM_CACHE_ALLOC:
		return object_alloc(b, ev);
	case TRACE_KFREE:
	case TRACE_KMEM_CACHE_FREE:
		return object_free(b, ev);
	case TRACE_PAGE_ALLOC:
		return pages_alloc(b, ev);
	case TRACE_PAGE_FREE:
		return pages_free(b, ev);
	case TRACE_PAGE_BATCHED:
		return pages_batched(b, ev);
	case TRACE_PCPU_DRAIN:
		b->counts.drain_pages[ev->order]++;
		return 0;
	case TRACE_EXTFRAG:
		observe_fallback(&b->counts, ev);
		return 0;
	}
	return 0;
}

bool book_lives(const struct book *b, const struct event *ev)
{
	const struct spot *s = spots_find(event_is_object(ev) ? &b->objects : &b->pages, ev->addr);

	return s && s->state == SPOT_LIVE;
}

bool book_contradicts(const struct book *b, const struct event *ev)
{
	if (event_is_alloc(ev))
		return !(ev->flags & EVENT_FAILED) && book_lives(b, ev);
	if (!event_is_free(ev) || (event_is_object(ev) && !ev->addr))
		return false;
	return !book_lives(b, ev);
}
