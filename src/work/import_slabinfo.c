/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_slabinfo - the caches of a report, and on request their objects.
 *
 * A report lists stores (merged caches have one row), so each cache is made
 * alone. The lab's own policy gives it an order, which may differ from the
 * report's; that is said, not forced, since to try other orders is what one
 * imports for.
 *
 * Filling makes as many objects as the report has room for and gives back, evenly
 * spread, those that were free there: so slabs are as full as they were.
 *
 * A report counts pages and does not say how large they are; its slabs do, as
 * their objects have to fit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "formats/memreport.h"
#include "formats/slabtop.h"
#include "op/op.h"
#include "work/import_priv.h"

#define PAGES_MOST (1ULL << 43 >> PAGE_SHIFT)	/* half of the largest lab */
#define STOP_EVERY 4096u	/* ops between two looks whether to go on */

struct totals {
	uint64_t caches, objects, total_objects, slab_kb, active_bytes;
	uint64_t made, pages;		/* pages: of the lab's size */
	uint64_t page_kb;		/* of the machine's pages */
};

#define PAGE_KB (PAGE_SIZE >> 10)
#define PAGE_KB_MOST 64

/* The smallest pages that this slab's objects fit into; 0: it does not tell. */
static uint64_t page_kb_of_row(const struct slabinfo_row *r)
{
	uint64_t bytes, kb = PAGE_KB;

	if (!r->objperslab || !r->pagesperslab || __builtin_mul_overflow(r->objperslab, r->objsize, &bytes))
		return 0;
	while (kb <= PAGE_KB_MOST && (bytes >> 10) + (bytes % 1024 != 0) > r->pagesperslab * kb)
		kb *= 2;
	return kb <= PAGE_KB_MOST ? kb : 0;
}

/* The largest that most rows need: one that is damaged decides nothing. */
static uint64_t page_kb_of(const struct slabinfo *s)
{
	uint64_t kb = PAGE_KB;

	for (uint64_t more = 2 * PAGE_KB; more <= PAGE_KB_MOST; more *= 2) {
		uint32_t need = 0, tell = 0;

		for (uint32_t i = 0; i < s->nr; i++) {
			uint64_t row = page_kb_of_row(&s->row[i]);

			tell += row != 0;
			need += row >= more;
		}
		kb = 2 * need > tell ? more : kb;
	}
	return kb;
}

static struct totals totals_of(const struct slabinfo *s, uint64_t page_kb)
{
	struct totals t = { .caches = s->nr, .page_kb = page_kb };

	for (uint32_t i = 0; i < s->nr; i++) {
		const struct slabinfo_row *r = &s->row[i];
		uint64_t pages;

		t.objects += r->active_objs;
		t.total_objects += r->num_objs;
		if (__builtin_mul_overflow(r->num_slabs, r->pagesperslab, &pages) ||
		    __builtin_mul_overflow(pages, page_kb / PAGE_KB, &pages) || __builtin_add_overflow(t.pages, pages, &t.pages))
			t.pages = UINT64_MAX >> 8;	/* more than any machine has; refused where it matters */
		t.active_bytes += r->active_objs * r->objsize;
	}
	t.slab_kb = t.pages * PAGE_KB;
	return t;
}

/* An untouched lab grows to twice what the slabs take. */
static int make_room(struct import *im, const struct totals *t)
{
	struct shape s = im->lab->hdr->shape;
	uint64_t need = 2 * t->pages;
	int ret;

	if (im->fill && t->pages > PAGES_MOST)
		return fail(ERANGE, "its slabs take %llu pages; a lab holds at most 16 TiB",
			    (unsigned long long)t->pages);
	if (!im->fill || s.pages >= need || !im->reshape || !im->lab->untouched_shape ||
	    im->lab->hdr->done_something || s.zones != 1)
		return 0;
	while (s.pages < need)
		s.pages *= 2;
	s.zone[0].blocks = (uint32_t)(s.pages / BLOCK_PAGES);
	s.zone[0].managed = s.pages;
	ret = im->reshape(im->arg, &s, &im->lab);
	if (!ret)
		import_note(im, "the lab now has %lluM, twice what the slabs take",
			    (unsigned long long)(s.pages >> (20 - PAGE_SHIFT)));
	return ret;
}

/* ---- caches ---- */

struct made {			/* by row: the cache, and whether we made it */
	uint32_t cache;
	bool ours;
};

static void unmake(struct lab *lab, struct made *m, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct op op = { .kind = OP_CACHE_DESTROY, .cache = m[i].cache };
		struct op_result r;

		if (m[i].ours)
			op_run(lab, &op, &r);
	}
}

static int make_one(struct lab *lab, const struct slabinfo_row *r, struct made *m)
{
	char name[LAB_NAME];
	struct cache_request rq = {
		.name = paste_cache_name(r->name, name), .size = r->objsize, .merge = MERGE_OFF,
	};
	int ret;

	m->cache = op_cache_find(lab, name);
	if (m->cache)
		return 0;
	ret = op_cache_create(lab, &rq, &m->cache);
	m->ours = !ret;
	return ret ? fail_in(ret, "line %u: cache %s: ", r->line, r->name) : 0;
}

/* A kernel lists the newest cache first: made from the last row up, they stand in the report's order. */
static int make_all(struct import *im, const struct slabinfo *s, struct made *m, struct totals *t)
{
	for (uint32_t i = s->nr; i-- > 0;) {
		int ret = make_one(im->lab, &s->row[i], &m[i]);

		if (ret) {
			char why[256];

			strncpy(why, fail_why(), sizeof(why) - 1);
			why[sizeof(why) - 1] = 0;
			unmake(im->lab, m, s->nr);
			return fail(-ret, "%s", why);
		}
		t->made += m[i].ours;
	}
	return 0;
}

/* ---- objects ---- */

static int alloc_all(struct import *im, const struct slabinfo_row *r, uint32_t cache, uint64_t *off, uint64_t *got)
{
	struct op op = { .kind = OP_CACHE_ALLOC, .cache = cache, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result res;

	for (*got = 0; *got < r->num_objs; ++*got) {
		int ret = op_play(im->lab, &op, &res);

		if (ret)
			return fail_in(ret, "line %u: cache %s: object %llu of %llu: ", r->line, r->name,
				       (unsigned long long)*got + 1, (unsigned long long)r->num_objs);
		off[*got] = res.off;
		if (*got % STOP_EVERY == STOP_EVERY - 1 && im->stopped && im->stopped(im->arg)) {
			++*got;
			return fail(EINTR, "stopped while filling cache %s", r->name);
		}
	}
	return 0;
}

/* Is object i of n one of the f that go, spread evenly? */
static bool goes(uint64_t i, uint64_t f, uint64_t n)
{
	return (uint64_t)((unsigned __int128)(i + 1) * f / n) > (uint64_t)((unsigned __int128)i * f / n);
}

static int free_spread(struct lab *lab, const struct slabinfo_row *r, uint32_t cache, uint64_t *off, uint64_t got)
{
	uint64_t f = r->num_objs - r->active_objs;

	for (uint64_t i = 0; i < got; i++) {
		struct op op = { .kind = OP_CACHE_FREE, .cache = cache, .owner = cache, .off = off[i] };
		struct op_result res;
		int ret;

		if (!goes(i, f, r->num_objs))
			continue;
		ret = op_play(lab, &op, &res);
		if (ret)
			return ret;
		off[i] = 0;
	}
	return 0;
}

static int keep(struct lab *lab, uint32_t cache, const uint64_t *off, uint64_t got)
{
	struct handle *h = import_handle(lab);

	for (uint64_t i = 0; h && i < got; i++) {
		struct member m = { .off = off[i], .cache = cache, .kind = MEMBER_OBJECT };

		if (off[i] && !handle_add(lab, h, &m))
			h = NULL;
	}
	return h ? 0 : fail(ENOMEM, "no side memory for the handle imported");
}

/* What was allocated before a failure is kept, so that the user can free it. */
static int fill_one(struct import *im, const struct slabinfo_row *r, uint32_t cache)
{
	uint64_t *off, got;
	int ret, kept;
	char why[256] = "";

	if (!r->num_objs)
		return 0;
	off = r->num_objs > SIZE_MAX / sizeof(*off) ? NULL : malloc(r->num_objs * sizeof(*off));
	if (!off)
		return fail(ENOMEM, "line %u: no memory for a list of %llu objects", r->line,
			    (unsigned long long)r->num_objs);
	ret = alloc_all(im, r, cache, off, &got);
	if (!ret)
		ret = free_spread(im->lab, r, cache, off, got);
	if (ret)
		strncpy(why, fail_why(), sizeof(why) - 1);
	kept = got ? keep(im->lab, cache, off, got) : 0;
	free(off);
	return ret ? fail(-ret, "%s", why) : kept;
}

static int fill_all(struct import *im, const struct slabinfo *s, const struct made *m)
{
	int ret = 0;

	lab_hold(im->lab);
	for (uint32_t i = 0; i < s->nr && !ret; i++)
		ret = fill_one(im, &s->row[i], m[i].cache);
	lab_release(im->lab);
	return ret;
}

/* ---- the answer ---- */

/* In tenths of a per cent, cut off as slabtop does: 100 is said of a cache that is full, and of no other. */
static double use_pct(const struct slabinfo_row *r)
{
	return r->num_objs ? (double)(uint64_t)((unsigned __int128)r->active_objs * 1000 / r->num_objs) / 10 : 0.0;
}

static json_t *row_json(const struct slabinfo_row *r, const struct made *m, uint64_t page_kb)
{
	uint64_t missing, fallback = slabinfo_fallback(r, &missing);
	json_t *o = json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:b}",
			 "name", r->name, "objects", (json_int_t)r->active_objs,
			 "total_objects", (json_int_t)r->num_objs, "object_size", (json_int_t)r->objsize,
			 "objs_per_slab", (json_int_t)r->objperslab, "pages_per_slab", (json_int_t)r->pagesperslab,
			 "slabs", (json_int_t)r->num_slabs,
			 "slab_kb", (json_int_t)(r->num_slabs * r->pagesperslab * page_kb),
			 "use_pct", use_pct(r), "made", (int)m->ours);

	if (o && missing) {
		json_object_set_new(o, "missing_objects", json_integer((json_int_t)missing));
		json_object_set_new(o, "fallback_slabs", json_integer((json_int_t)fallback));
	}
	return o;
}

static void answer(const struct import *im, const struct slabinfo *s, const struct made *m, const struct totals *t,
		   json_t *data)
{
	json_t *caches = json_array();

	for (uint32_t i = 0; i < s->nr; i++) {
		json_t *row = row_json(&s->row[i], &m[i], t->page_kb);

		if (row)	/* a name that is no UTF-8 has no row */
			json_array_append_new(caches, row);
	}
	json_object_set_new(data, "caches", caches);
	json_object_set_new(data, "totals", json_pack("{s:I,s:I,s:I,s:I,s:I}",
		"caches", (json_int_t)t->caches, "objects", (json_int_t)t->objects,
		"total_objects", (json_int_t)t->total_objects, "slab_kb", (json_int_t)t->slab_kb,
		"active_bytes", (json_int_t)t->active_bytes));
	json_object_set_new(data, "made", json_integer((json_int_t)t->made));
	json_object_set_new(data, "filled", json_boolean(im->fill));
	import_put_lines(data, "skipped", &s->skipped);
	import_put_lines(data, "repaired", &s->repaired);
}

/* The rows are freed. */
static int import_rows(struct import *im, struct slabinfo *s, uint64_t page_kb, json_t *data)
{
	struct totals t = totals_of(s, page_kb);
	struct made *m = calloc(s->nr, sizeof(*m));
	int ret = m ? make_room(im, &t) : fail(ENOMEM, "no memory for %u caches", s->nr);

	if (!ret)
		ret = make_all(im, s, m, &t);
	if (!ret && im->fill)
		ret = fill_all(im, s, m);
	if (!ret)
		answer(im, s, m, &t, data);
	free(m);
	slabinfo_free(s);
	return ret;
}

int import_slabinfo(struct import *im, const struct paste *text, json_t *data)
{
	struct memreport m;
	struct slabinfo s;
	uint64_t page_kb;
	int ret = slabinfo_parse(text, &s);

	if (ret)
		return ret;
	page_kb = page_kb_of(&s);
	if (s.tables > 1)
		import_note(im, "%u tables; the last one, from line %u on, counts", s.tables, s.row[0].line);
	if (!memreport_parse(text, &m)) {	/* a SysRq-m in front of it */
		if (m.lists)
			json_object_set_new(data, "freelists", memreport_lists(&m));
		memreport_free(&m);
	}
	if (page_kb != PAGE_KB) {
		import_note(im, "its pages are of %llu kB, as its slabs hold more than fits smaller ones; the lab's are of %lu kB",
			    (unsigned long long)page_kb, PAGE_KB);
		json_object_set_new(data, "page_kb", json_integer((json_int_t)page_kb));
	}
	return import_rows(im, &s, page_kb, data);
}

int import_slabtop(struct import *im, const struct paste *text, json_t *data)
{
	struct slabinfo s;
	int ret = slabtop_parse(text, &s);

	return ret ? ret : import_rows(im, &s, PAGE_KB, data);
}

int import_crash_kmem(struct import *im, const struct paste *text, json_t *data)
{
	struct slabinfo s;
	int ret = crash_kmem_parse(text, &s);

	return ret ? ret : import_rows(im, &s, PAGE_KB, data);
}
