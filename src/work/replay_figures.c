/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_figures - what came out, each figure by its path.
 *
 * `get replay.*`, `assert`, JSON and the text all walk this one list.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "work/replay_priv.h"

struct out {
	void (*fn)(const struct replay_figure *f, void *arg);
	void *arg;
};

#define PARTS(...) ((const char *const[REPLAY_PARTS]){ __VA_ARGS__ })

static void put(const struct out *o, const char *const part[REPLAY_PARTS], uint64_t value)
{
	struct replay_figure f = { .value = value };

	while (f.parts < REPLAY_PARTS && part[f.parts]) {
		f.part[f.parts] = part[f.parts];
		f.parts++;
	}
	o->fn(&f, o->arg);
}

static void put_text(const struct replay *r, const struct out *o)
{
	const struct trace_stats *t = &r->text;

	put(o, PARTS("cpus"), r->cpus);
	put(o, PARTS("lines"), t->lines);
	put(o, PARTS("skipped"), t->skipped);
	put(o, PARTS("not_understood"), t->not_understood);
	put(o, PARTS("lost"), t->lost);
	put(o, PARTS("repaired"), t->quoted + t->decoded + t->prefixed);
	put(o, PARTS("joined"), t->joined);
	put(o, PARTS("gfp_unknown"), t->gfp_unknown);
	for (unsigned int i = 0; i < TRACE_EVENT_NR; i++)
		put(o, PARTS("events", trace_event_name(i)), t->events[i]);
	put(o, PARTS("events", "all"), r->events);
}

static uint64_t named_keys(const struct sites *s)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i <= s->nr; i++)
		n += s->site[i].kind == SITE_CACHE && s->site[i].name;
	return n;
}

static void put_objects(const struct replay *r, const struct out *o)
{
	const struct counts *c = &r->book.counts;

	put(o, PARTS("folded"), c->folded);
	put(o, PARTS("tie_moves"), c->tie_moves);
	put(o, PARTS("null_frees"), c->null_frees);
	put(o, PARTS("failed_allocs"), c->failed_allocs);
	put(o, PARTS("order_mismatch"), c->order_mismatch);
	put(o, PARTS("batched_alone"), c->batched_alone);
	put(o, PARTS("objects", "allocs"), c->allocs);
	put(o, PARTS("objects", "bytes_req"), c->bytes_req);
	put(o, PARTS("objects", "bytes_alloc"), c->bytes_alloc);
	put(o, PARTS("objects", "matched_frees"), c->matched);
	put(o, PARTS("objects", "remote_frees"), c->remote);
	put(o, PARTS("objects", "unmatched_frees"), c->unmatched);
	put(o, PARTS("objects", "reused"), c->reused);
	put(o, PARTS("objects", "live"), c->live);
	put(o, PARTS("objects", "peak"), c->peak);
	put(o, PARTS("objects", "interrupt_allocs"), c->interrupt_allocs);
	put(o, PARTS("named_keys"), named_keys(&r->book.sites));
	put(o, PARTS("ops", "objects"), c->object_ops);
	put(o, PARTS("ops", "pages"), c->page_ops);
	put(o, PARTS("ops", "run"), r->run.steps);
	put(o, PARTS("lab_failed"), r->run.lab_failed);
	put(o, PARTS("class_differs"), r->run.class_differs);
}

/* Each name once, with what lives under it, in order of first appearance. */
static void put_live(const struct sites *s, const struct out *o, uint64_t *live)
{
	for (uint32_t i = 1; i <= s->nr; i++)
		live[site_name(&s->site[i])] += s->site[i].allocs - s->site[i].matched - s->site[i].reused;
	for (uint32_t i = 1; i <= s->nr; i++) {
		uint32_t name = site_name(&s->site[i]);

		if (live[name] == UINT64_MAX)
			continue;
		put(o, PARTS("live", s->name[name].text), live[name]);
		live[name] = UINT64_MAX;
	}
}

/* Bytes that the traced kernel gave for one object of each cache. */
static void put_sizes(const struct sites *s, const struct out *o, uint64_t *bytes)
{
	for (uint32_t i = 1; i <= s->nr; i++) {
		const struct site *site = &s->site[i];

		if (site->kind != SITE_LARGE && site->bytes_alloc > bytes[site_name(site)])
			bytes[site_name(site)] = site->bytes_alloc;
	}
	for (uint32_t i = 1; i <= s->names; i++)
		if (bytes[i])
			put(o, PARTS("traced_size", s->name[i].text), bytes[i]);
}

static void put_names(const struct replay *r, const struct out *o)
{
	const struct sites *s = &r->book.sites;
	uint64_t *live = calloc(s->names + 1, sizeof(*live)), *bytes = calloc(s->names + 1, sizeof(*bytes));

	if (live && bytes) {
		put_live(s, o, live);
		put_sizes(s, o, bytes);
	}
	free(live);
	free(bytes);
	for (uint32_t i = 1; i <= s->names; i++)
		if (s->name[i].unmatched)
			put(o, PARTS("unmatched", s->name[i].text), s->name[i].unmatched);
}

/* Rows of arrays by order: those of a lab, more if the trace has more. */
static unsigned int orders_of(const struct counts *c)
{
	unsigned int n = NR_PAGE_ORDERS;

	for (unsigned int i = n; i < REPLAY_ORDERS; i++)
		if (c->order[i].allocs || c->order[i].frees || c->locked[i] || c->drain_pages[i] || c->fallbacks[i])
			n = i + 1;
	return n;
}

static void put_order(const struct out *o, const char *at, const struct page_count *p)
{
	put(o, PARTS("pages", "order", at, "allocs"), p->allocs);
	put(o, PARTS("pages", "order", at, "frees"), p->frees);
	put(o, PARTS("pages", "order", at, "matched"), p->matched);
	put(o, PARTS("pages", "order", at, "unmatched"), p->unmatched);
	put(o, PARTS("pages", "order", at, "reused"), p->reused);
	put(o, PARTS("pages", "order", at, "live"), p->live);
	put(o, PARTS("pages", "order", at, "slab_allocs"), p->slab_allocs);
	put(o, PARTS("pages", "order", at, "slab_frees"), p->slab_frees);
	put(o, PARTS("pages", "order", at, "large_allocs"), p->large_allocs);
	put(o, PARTS("pages", "order", at, "large_frees"), p->large_frees);
	put(o, PARTS("pages", "order", at, "ops"), p->ops);
	put(o, PARTS("pages", "order", at, "run_allocs"), p->run_allocs);
}

static void put_pages(const struct replay *r, const struct out *o)
{
	const struct counts *c = &r->book.counts;
	unsigned int orders = orders_of(c);
	struct page_count all = { 0 };
	uint64_t live = 0;

	for (unsigned int i = 0; i < orders; i++) {
		char at[12];

		snprintf(at, sizeof(at), "%u", i);
		put_order(o, at, &c->order[i]);
		all.allocs += c->order[i].allocs;
		all.frees += c->order[i].frees;
		all.matched += c->order[i].matched;
		all.unmatched += c->order[i].unmatched;
		all.reused += c->order[i].reused;
		live += c->order[i].live << i;
	}
	put(o, PARTS("pages", "allocs"), all.allocs);
	put(o, PARTS("pages", "frees"), all.frees);
	put(o, PARTS("pages", "matched"), all.matched);
	put(o, PARTS("pages", "unmatched"), all.unmatched);
	put(o, PARTS("pages", "reused"), all.reused);
	put(o, PARTS("pages", "live"), live);
}

static void put_by_order(const struct out *o, const char *what, const uint64_t *v, unsigned int orders)
{
	for (unsigned int i = 0; i < orders; i++) {
		char at[12];

		snprintf(at, sizeof(at), "%u", i);
		put(o, PARTS(what, "order", at), v[i]);
	}
}

static void put_observations(const struct replay *r, const struct out *o)
{
	const struct counts *c = &r->book.counts;
	unsigned int orders = orders_of(c);

	put(o, PARTS("refills"), c->refills);
	put_by_order(o, "refill_pages", c->refill_pages, orders);
	put_by_order(o, "zone_locked", c->locked, orders);
	put_by_order(o, "drain_pages", c->drain_pages, orders);
	put_by_order(o, "fallbacks", c->fallbacks, orders);
	put_by_order(o, "lab_large_allocs", r->run.large_allocs, orders);
}

void replay_figures(const struct replay *r, void (*fn)(const struct replay_figure *f, void *arg), void *arg)
{
	const struct out o = { fn, arg };

	put_text(r, &o);
	put_objects(r, &o);
	put_names(r, &o);
	put_pages(r, &o);
	put_observations(r, &o);
}

/* ---- one figure ---- */

struct wanted {
	const char *path;
	bool found;
	uint64_t value;
};

static bool path_is(const char *path, const struct replay_figure *f)
{
	for (unsigned int i = 0; i < f->parts; i++) {
		size_t len = strlen(f->part[i]);

		if (i && *path++ != '.')
			return false;
		if (strncmp(path, f->part[i], len))
			return false;
		path += len;
	}
	return !*path;
}

static void compare(const struct replay_figure *f, void *arg)
{
	struct wanted *w = arg;

	if (w->found || !path_is(w->path, f))
		return;
	w->found = true;
	w->value = f->value;
}

bool replay_figure_read(const struct replay *r, const char *path, uint64_t *value)
{
	struct wanted w = { .path = path };

	replay_figures(r, compare, &w);
	*value = w.value;
	return w.found;
}

/* ---- what must hold ---- */

static int broken(const char *label, const char *what, uint64_t left, uint64_t right)
{
	return fail(EUCLEAN, "%s: %s: %llu, not %llu", label, what, (unsigned long long)left,
		    (unsigned long long)right);
}

static int check_orders(const struct counts *c)
{
	for (unsigned int i = 0; i < REPLAY_ORDERS; i++) {
		const struct page_count *p = &c->order[i];

		if (p->allocs != p->matched + p->reused + p->live)
			return broken("R3", "page allocations", p->allocs, p->matched + p->reused + p->live);
		if (p->frees != p->matched + p->unmatched)
			return broken("R3", "page frees", p->frees, p->matched + p->unmatched);
	}
	return 0;
}

int replay_check(const struct replay *r)
{
	const struct counts *c = &r->book.counts;
	uint64_t frees = r->text.events[TRACE_KFREE] + r->text.events[TRACE_KMEM_CACHE_FREE] - c->folded_frees;
	uint64_t ops = r->options.pages == REPLAY_PAGES_ALL ? 0 : c->allocs + c->matched + c->reused;

	if (c->allocs != c->matched + c->reused + c->live)
		return broken("R1", "object allocations", c->allocs, c->matched + c->reused + c->live);
	if (frees != c->matched + c->unmatched + c->null_frees)
		return broken("R2", "object frees", frees, c->matched + c->unmatched + c->null_frees);
	if (c->object_ops != ops)
		return broken("R4", "object ops", c->object_ops, ops);
	return check_orders(c);
}
