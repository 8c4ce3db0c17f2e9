/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"

/* ---- names ---- */

#define NAME_ROW(name, text) { #name, text },
static const struct { const char *name, *text; } points[] = { TRACEPOINTS(NAME_ROW) };

const char *trace_name(unsigned int event)
{
	if (event < EV_NR)
		return event_table[event].name;
	if (event < NOTE_END)
		return note_table[event - EV_NR].name;
	return event < TP_END ? points[event - NOTE_END].name : NULL;
}

const char *trace_text(unsigned int event)
{
	if (event < EV_NR)
		return event_table[event].text;
	if (event < NOTE_END)
		return note_table[event - EV_NR].text;
	return event < TP_END ? points[event - NOTE_END].text : NULL;
}

bool trace_glob(const char *glob, const char *name)
{
	for (; *glob; glob++, name++) {
		if (*glob == '*') {
			for (; *name; name++)
				if (trace_glob(glob + 1, name))
					return true;
			return trace_glob(glob + 1, name);
		}
		if (*glob != *name)
			return false;
	}
	return !*name;
}

static bool is_note(unsigned int event)
{
	return event >= EV_NR && event < NOTE_END;
}

bool trace_is_kernels(unsigned int event)
{
	return event > TP_BEFORE_FIRST || event == EV_mm_page_alloc || event == EV_mm_page_free ||
	       event == EV_mm_page_free_batched || event == EV_mm_page_alloc_zone_locked ||
	       event == EV_mm_page_pcpu_drain || event == EV_mm_page_alloc_extfrag;
}

static bool want_glob(const char *glob, uint8_t *wanted)
{
	bool kmem = !strncmp(glob, "kmem:", 5), found = false;

	for (unsigned int e = 0; e < TP_END; e++)
		if ((!kmem || trace_is_kernels(e)) && trace_glob(kmem ? glob + 5 : glob, trace_name(e))) {
			wanted[e / 8] |= (uint8_t)(1 << e % 8);
			found = true;
		}
	return found;
}

int trace_filter(char *const *globs, unsigned int nr, uint8_t wanted[(TP_END + 7) / 8])
{
	memset(wanted, 0, (TP_END + 7) / 8);
	for (unsigned int i = 0; i < nr; i++)
		if (!want_glob(globs[i], wanted))
			return fail(ENOENT, "no event is called \"%s\" (help events lists them; * stands for any letters)",
				    globs[i]);
	for (unsigned int e = 0; !nr && e < TP_END; e++)
		if (!is_note(e))
			wanted[e / 8] |= (uint8_t)(1 << e % 8);
	return 0;
}

/* ---- making ---- */

struct trace *trace_make(unsigned int nr, uint64_t size)
{
	struct trace *t = aligned_alloc(CACHE_LINE, (sizeof(*t) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);

	if (!t)
		goto none;
	memset(t, 0, sizeof(*t));
	t->size = size;
	t->ring = aligned_alloc(CACHE_LINE, nr * sizeof(*t->ring));
	if (!t->ring)
		goto none;
	for (; t->nr < nr; t->nr++) {
		struct trace_ring *r = &t->ring[t->nr];

		*r = (struct trace_ring){ .trace = t, .cpu = t->nr };
		r->v = mmap(NULL, size * sizeof(*r->v), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (r->v == MAP_FAILED)
			goto none;
	}
	return t;
none:
	trace_free(t);
	fail(ENOMEM, "the host has no memory for rings of %llu entries for %u CPUs", (unsigned long long)size, nr);
	return NULL;
}

static void drop_gone(struct trace *t)
{
	while (t->gone) {
		struct trace_gone *next = t->gone->next;

		free(t->gone);
		t->gone = next;
	}
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (unsigned int i = 0; i < t->nr; i++)
		munmap(t->ring[i].v, t->size * sizeof(*t->ring[i].v));
	drop_gone(t);
	free(t->ring);
	free(t);
}

void trace_clear(struct trace *t)
{
	for (unsigned int i = 0; i < t->nr; i++)
		t->ring[i].cleared = t->ring[i].written;
	drop_gone(t);
}

int trace_gone_add(struct trace *t, uint32_t cache, const char *name, uint32_t bytes)
{
	struct trace_gone *g = malloc(sizeof(*g));

	if (!g)
		return fail(ENOMEM, "the host has no memory for a name");
	*g = (struct trace_gone){ .seq = t->seq, .cache = cache, .bytes = bytes, .next = t->gone };
	snprintf(g->name, sizeof(g->name), "%s", name);
	t->gone = g;
	return 0;
}

const struct trace_gone *trace_gone_find(const struct trace *t, uint32_t cache, uint64_t seq)
{
	const struct trace_gone *found = NULL;

	for (const struct trace_gone *g = t->gone; g && g->seq > seq; g = g->next)
		if (g->cache == cache)
			found = g;	/* the first one after it, and so the last one met */
	return found;
}

/* ---- writing ---- */

void trace_put(struct trace_ring *r, uint64_t ns, unsigned int event, unsigned int where, uint64_t a,
	       const uint32_t b[5])
{
	struct trace_entry *e;

	if (!trace_wants(r->trace->wanted, event))
		return;
	e = &r->v[r->written++ & (r->trace->size - 1)];
	e->seq = __atomic_fetch_add(&r->trace->seq, 1, __ATOMIC_RELAXED);
	e->ns = ns;
	e->a = a;
	memcpy(e->b, b, sizeof(e->b));
	e->event = (uint16_t)event;
	e->where = (uint16_t)where;
}

void trace_more(struct trace_ring *r, unsigned int event, unsigned int from, const uint32_t *more, unsigned int nr)
{
	struct trace_entry *e = &r->v[(r->written - 1) & (r->trace->size - 1)];

	if (r->written == r->cleared || e->event != event || !trace_wants(r->trace->wanted, event))
		return;
	memcpy(e->b + from, more, nr * sizeof(*more));
}

/* ---- reading ---- */

uint64_t trace_lost(const struct trace *t, const struct trace_ring *r)
{
	return r->written - r->cleared - trace_kept(t, r);
}

const struct trace_entry *traced_next(const struct trace *t, uint64_t *at, unsigned int *cpu)
{
	const struct trace_entry *best = NULL;

	for (unsigned int i = 0; i < t->nr; i++) {
		const struct trace_ring *r = &t->ring[i];
		uint64_t kept = trace_kept(t, r);
		const struct trace_entry *e = &r->v[(r->written - kept + at[i]) & (t->size - 1)];

		if (at[i] < kept && (!best || e->seq < best->seq)) {
			best = e;
			*cpu = i;
		}
	}
	if (best)
		at[*cpu]++;
	return best;
}

const struct trace_entry *traced_last(const struct trace *t, uint64_t *at, unsigned int *cpu)
{
	const struct trace_entry *best = NULL;

	for (unsigned int i = 0; i < t->nr; i++) {
		const struct trace_ring *r = &t->ring[i];
		const struct trace_entry *e = &r->v[(r->written - 1 - at[i]) & (t->size - 1)];

		if (at[i] < trace_kept(t, r) && (!best || e->seq > best->seq)) {
			best = e;
			*cpu = i;
		}
	}
	if (best)
		at[*cpu]++;
	return best;
}
