/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_events - a window that slides over the trace.
 *
 * A record becomes an event of fixed size; its texts are turned into numbers
 * at once, since they are gone with the next record. The window is as long as
 * the questions about what comes later need: which lines share a time, and
 * what the same CPU's next line is (a kmalloc behind a block of pages tells
 * that the block was its own).
 *
 * Here too: the same record written twice is dropped, and what only one CPU's
 * neighbouring lines tell (refills) is counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "work/replay_priv.h"

#define FOLD_NS 2000

int window_init(struct window *w)
{
	w->ring = malloc(WINDOW * sizeof(*w->ring));
	return w->ring ? 0 : fail(ENOMEM, "no memory for a window of %u events", WINDOW);
}

void window_fini(struct window *w)
{
	free(w->ring);
	free(w->last);
	w->ring = NULL;
	w->last = NULL;
	w->cpus = 0;
}

/* Before the trace is read again. */
void window_clear(struct window *w)
{
	w->head = w->tail = w->endless = 0;
	w->eof = w->stuck = false;
	if (w->cpus)
		memset(w->last, 0, w->cpus * sizeof(*w->last));
}

static int last_grow(struct window *w, uint32_t cpu)
{
	uint32_t cpus = w->cpus ? w->cpus : 16;
	struct last *last;

	while (cpus <= cpu)
		cpus *= 2;
	last = realloc(w->last, cpus * sizeof(*last));
	if (!last)
		return fail(ENOMEM, "no memory for %u CPUs", cpus);
	memset(last + w->cpus, 0, (cpus - w->cpus) * sizeof(*last));
	w->last = last;
	w->cpus = cpus;
	return 0;
}

static uint32_t bytes_u32(uint64_t bytes)
{
	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static uint8_t interrupt_letter(const struct trace_record *rec)
{
	char c = rec->flags.len > 2 ? rec->flags.s[2] : 0;

	return c == 'h' || c == 's' || c == 'H' || c == 'z' || c == 'Z' ? (uint8_t)c : 0;
}

static void decode_plain(struct event *ev, const struct trace_record *rec)
{
	*ev = (struct event){
		.addr = event_is_object(&(struct event){ .kind = rec->event }) ? rec->ptr : rec->pfn,
		.time_ns = rec->time_ns, .line = rec->line, .gfp = rec->gfp, .node = rec->node,
		.cpu = (uint16_t)rec->cpu, .kind = rec->event, .order = rec->order, .mtype = rec->mtype,
		.flags = (uint8_t)((rec->has & TRACE_HAS_TIME ? EVENT_TIMED : 0) |
				   (rec->accounted ? EVENT_ACCOUNTED : 0) |
				   (rec->percpu_refill ? EVENT_REFILL : 0)),
		.context = interrupt_letter(rec),
	};
}

static void decode_pages(struct event *ev, const struct trace_record *rec)
{
	const uint32_t first_try = GFP_BIT_NOWARN | GFP_BIT_NORETRY;

	if (trace_is_failed(rec))
		ev->flags |= EVENT_FAILED;
	if ((rec->gfp & first_try) == first_try)
		ev->flags |= EVENT_SLAB;
	if (rec->order >= 2)
		ev->flags |= EVENT_ASKS;
}

static void decode_extfrag(struct event *ev, const struct trace_record *rec)
{
	ev->bytes_req = (uint32_t)rec->fallback_order << 16 | (uint32_t)rec->fallback_mtype << 8 |
			rec->pageblock_order;
	ev->bytes_alloc = (uint32_t)rec->fragmenting << 1 | rec->change_ownership;
}

/* Texts become numbers. -ENOMEM only. */
static int decode(struct window *w, struct event *ev, const struct trace_record *rec)
{
	decode_plain(ev, rec);
	switch (rec->event) {
	case TRACE_KMALLOC:
	case TRACE_KMEM_CACHE_ALLOC:
		ev->bytes_req = bytes_u32(rec->bytes_req);
		ev->bytes_alloc = bytes_u32(rec->bytes_alloc);
		if (trace_is_failed(rec))
			ev->flags |= EVENT_FAILED;
		ev->site = sites_of(w->sites, rec);
		spots_prefetch(w->objects, ev->addr);
		return ev->site ? 0 : fail(ENOMEM, "no memory for the names in the trace");
	case TRACE_KFREE:
	case TRACE_KMEM_CACHE_FREE:
		spots_prefetch(w->objects, ev->addr);
		ev->text = text_hash(rec->call_site.s, rec->call_site.len);
		if (rec->event == TRACE_KFREE)
			return 0;
		if (!rec->name.len)
			return 0;
		ev->name = names_of(w->sites, rec->name.s, rec->name.len);
		return ev->name ? 0 : fail(ENOMEM, "no memory for the names in the trace");
	case TRACE_PAGE_ALLOC:
		decode_pages(ev, rec);
		break;
	case TRACE_EXTFRAG:
		decode_extfrag(ev, rec);
		break;
	}
	if (rec->event <= TRACE_PAGE_BATCHED)
		spots_prefetch(w->pages, ev->addr);
	return 0;
}

/* The same record as this CPU's line before? (An older kernel wrote some twice.) */
static bool is_double(const struct event *ev, const struct event *before)
{
	uint64_t apart = ev->time_ns > before->time_ns ? ev->time_ns - before->time_ns
						       : before->time_ns - ev->time_ns;

	if (ev->kind != before->kind || ev->addr != before->addr || apart > FOLD_NS)
		return false;
	if (!(ev->flags & before->flags & EVENT_TIMED) || (ev->kind == TRACE_KFREE && !ev->addr))
		return false;
	return ev->text == before->text && ev->gfp == before->gfp && ev->site == before->site &&
	       ev->name == before->name && ev->node == before->node && ev->order == before->order &&
	       ev->bytes_req == before->bytes_req && ev->bytes_alloc == before->bytes_alloc &&
	       ev->mtype == before->mtype && ev->flags == before->flags;
}

/*
 * Had another CPU to do with the address between this CPU's two lines? Then
 * the second is no double: the object went and came back.
 */
static bool came_back(const struct window *w, const struct event *ev)
{
	for (uint64_t n = w->tail; n && w->tail - n + 1 < WINDOW; n--) {
		const struct event *e = window_at(w, n - 1);

		if (e->cpu == ev->cpu)
			return false;
		if (e->addr == ev->addr && e->kind <= TRACE_PAGE_BATCHED && event_is_object(e) == event_is_object(ev))
			return true;
	}
	return false;
}

/* A refill is a run of neighbouring lines of one CPU, equal in order and type. */
static void count_refill(struct counts *c, const struct event *ev, const struct last *last)
{
	bool goes_on = last->any && last->ev.kind == TRACE_ZONE_LOCKED && last->ev.flags & EVENT_REFILL &&
		       last->ev.order == ev->order && last->ev.mtype == ev->mtype;

	c->locked[ev->order]++;
	if (!(ev->flags & EVENT_REFILL))
		return;
	c->refill_pages[ev->order]++;
	c->refills += !goes_on;
}

/* The line before asked whether its pages are those of a large kmalloc. */
static void answer(struct window *w, struct last *last, const struct event *ev)
{
	struct event *asked = window_at(w, last->asks - 1);

	last->asks = 0;
	if (ev && ev->kind == TRACE_KMALLOC && ev->bytes_alloc == PAGE_SIZE << asked->order)
		asked->flags |= EVENT_LARGE;
	asked->flags &= (uint8_t)~EVENT_ASKS;
}

int window_read(struct window *w)
{
	struct trace_record rec;
	struct event *ev = window_at(w, w->tail);
	struct last *last;
	int ret = trace_next(w->reader, &rec);

	if (ret <= 0) {
		w->eof = true;
		return ret;
	}
	if (unlikely(rec.cpu >= MAX_CPUS))
		return fail(EINVAL, "line %llu: CPU %u; a lab has at most %d", (unsigned long long)rec.line,
			    rec.cpu, MAX_CPUS);
	if (unlikely(rec.cpu >= w->cpus)) {
		ret = last_grow(w, rec.cpu);
		if (ret)
			return ret;
	}
	ret = decode(w, ev, &rec);
	if (ret)
		return ret;
	last = &w->last[rec.cpu];
	/* what the line before asks is answered by a double of it as little as by itself */
	if (last->any && is_double(ev, &last->ev) && !came_back(w, ev)) {
		w->counts->folded++;
		w->counts->folded_frees += event_is_object(ev) && event_is_free(ev);
		return 1;
	}
	if (unlikely(last->asks))
		answer(w, last, ev);
	if (ev->kind == TRACE_ZONE_LOCKED)
		count_refill(w->counts, ev, last);
	last->ev = *ev;
	last->any = true;
	if (unlikely(ev->flags & EVENT_ASKS))
		last->asks = w->tail + 1;
	w->tail++;
	return 1;
}

int window_answer(struct window *w, uint64_t number)
{
	struct event *ev = window_at(w, number);

	while (ev->flags & EVENT_ASKS && !w->eof && w->tail - w->head < WINDOW) {
		int ret = window_read(w);

		if (ret < 0)
			return ret;
	}
	if (ev->flags & EVENT_ASKS)	/* the trace, or the window, ends before its CPU speaks again */
		answer(w, &w->last[ev->cpu], NULL);
	return 0;
}

/* Read until event `number` is in the window: 1, or 0 when the trace has no such event. */
static int window_reach(struct window *w, uint64_t number)
{
	while (w->tail <= number) {
		int ret = w->eof ? 0 : window_read(w);

		if (ret <= 0)
			return ret;
	}
	return 1;
}

int window_group(struct window *w, uint32_t *nr, bool *one_cpu)
{
	const struct event *first, *ev;
	uint32_t n = 1;
	int ret = window_reach(w, w->head);

	*nr = 0;
	*one_cpu = true;
	if (ret <= 0)
		return ret;
	first = window_at(w, w->head);
	for (; first->flags & EVENT_TIMED && n < TIE_MAX; n++) {
		ret = window_reach(w, w->head + n);
		if (ret < 0)
			return ret;
		ev = window_at(w, w->head + n);
		if (!ret || ev->time_ns != first->time_ns || !(ev->flags & EVENT_TIMED))
			break;
		if (ev->cpu != first->cpu)
			*one_cpu = false;
	}
	*nr = n;
	/* a clock that stands still for longer than the window is no clock: file order */
	if (n == TIE_MAX || (w->stuck && w->endless == first->time_ns)) {
		w->stuck = true;
		w->endless = first->time_ns;
		*one_cpu = true;
	}
	return 0;
}
