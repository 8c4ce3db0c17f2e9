/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work/replay_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "work/replay_priv.h"

const char *const replay_observed[] = {
	"mm_page_alloc.order", "mm_page_alloc_zone_locked.order", "mm_page_pcpu_drain.order",
	"mm_page_alloc_extfrag", "pcp_refill", NULL,
};

/* ---- the model ---- */

static json_t *child(json_t *at, const char *key, bool array)
{
	json_t *o = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);

	if (o)
		return o;
	o = array ? json_array() : json_object();
	if (json_is_array(at))
		json_array_append_new(at, o);
	else
		json_object_set_new_nocheck(at, key, o);
	return o;
}

static void put_figure(const struct replay_figure *f, void *arg)
{
	json_t *at = arg, *value = json_integer((json_int_t)f->value);
	const char *last = f->part[f->parts - 1];

	for (unsigned int i = 0; i + 1 < f->parts; i++)
		at = child(at, f->part[i], !strcmp(f->part[i], "order"));
	if (json_is_array(at))
		json_array_append_new(at, value);
	else
		json_object_set_new_nocheck(at, last, value);
}

/* Bytes of a file may be anything: what is no UTF-8 becomes '?'. */
static json_t *text_json(const char *text)
{
	json_t *s = json_string(text);
	char copy[TRACE_SHOWN_LEN + 1];

	if (s)
		return s;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *p = copy; *p; p++)
		if (*p & 0x80)
			*p = '?';
	return json_string(copy);
}

static json_t *shown_lines(const struct trace_stats *t)
{
	json_t *lines = json_array();

	for (unsigned int i = 0; i < t->nr_shown; i++)
		json_array_append_new(lines, json_pack("{s:I,s:o}", "line", (json_int_t)t->shown[i].line, "text",
						       text_json(t->shown[i].text)));
	return lines;
}

static void put_facts(const struct replay *r, json_t *m)
{
	static const char *const pages[] = { "other", "all", "off" };

	json_object_set_new(m, "options", json_pack("{s:s,s:s,s:s}", "pages", pages[r->options.pages], "mode",
		r->options.parallel ? "parallel" : "stepped", "ties", r->options.ties_file ? "file" : "repair"));
	json_object_set_new(m, "lines_not_understood", shown_lines(&r->text));
	if (r->run.lab_failed)
		json_object_set_new(m, "first_failure", json_pack("{s:I,s:o}", "line",
			(json_int_t)r->run.lab_failed_line, "why", text_json(r->run.lab_failed_why)));
	json_object_set_new(m, "read_ns", json_integer((json_int_t)r->run.read_ns));
	json_object_set_new(m, "run_ns", json_integer((json_int_t)r->run.run_ns));
}

json_t *replay_model(const struct replay *r)
{
	json_t *m = json_object();

	replay_figures(r, put_figure, m);
	put_facts(r, m);
	return m;
}

/* ---- the text ---- */

static long long num(const json_t *m, const char *a, const char *b)
{
	const json_t *o = json_object_get(m, a);

	return json_integer_value(b ? json_object_get(o, b) : o);
}

static long long by_order(const json_t *m, const char *what, size_t order)
{
	return json_integer_value(json_array_get(json_object_get(json_object_get(m, what), "order"), order));
}

static long long page_num(const json_t *m, size_t order, const char *key)
{
	const json_t *orders = json_object_get(json_object_get(m, "pages"), "order");

	return json_integer_value(json_object_get(json_array_get(orders, order), key));
}

static void text_speed(const json_t *m, FILE *to)
{
	long long events = num(m, "events", "all"), ns = num(m, "read_ns", NULL) + num(m, "run_ns", NULL);
	char took[32];

	fprintf(to, "%lld events of %lld CPU%s read and replayed in %s", events, num(m, "cpus", NULL),
		plural((uint64_t)num(m, "cpus", NULL)), format_ns((uint64_t)ns, took, sizeof(took)));
	if (ns)
		fprintf(to, " (%.1f million a second)", (double)events * 1e3 / (double)ns);
	fputc('\n', to);
	if (json_is_string(json_object_get(m, "shape")))
		fprintf(to, "lab: %s\n", json_string_value(json_object_get(m, "shape")));
}

static void text_ops(const json_t *m, FILE *to)
{
	fprintf(to, "  ops run            %10lld   objects %lld, pages %lld\n", num(m, "ops", "run"),
		num(m, "ops", "objects"), num(m, "ops", "pages"));
	fprintf(to, "  objects            %10lld   given back %lld (%lld from another CPU), still live %lld, most at once %lld\n",
		num(m, "objects", "allocs"), num(m, "objects", "matched_frees"), num(m, "objects", "remote_frees"),
		num(m, "objects", "live"), num(m, "objects", "peak"));
	fprintf(to, "  frees not run      %10lld   of objects, %lld of pages: allocated before the trace began\n",
		num(m, "objects", "unmatched_frees"), num(m, "pages", "unmatched"));
	fprintf(to, "  frees of NULL      %10lld\n", num(m, "null_frees", NULL));
	if (num(m, "objects", "allocs"))
		fprintf(to, "  asked and given    %10lld / %lld bytes (%.1f%% used)\n", num(m, "objects", "bytes_req"),
			num(m, "objects", "bytes_alloc"), 100.0 * (double)num(m, "objects", "bytes_req") /
			(double)num(m, "objects", "bytes_alloc"));
}

/* What did not go as written; nothing where there is nothing to tell. */
static void text_oddities(const json_t *m, FILE *to)
{
	static const struct { const char *a, *b, *text; } rows[] = {
		{ "objects", "interrupt_allocs", "objects allocated in interrupts" },
		{ "tie_moves", NULL, "lines moved before others of the same time, whose order in the file cannot be true" },
		{ "folded", NULL, "records written twice" },
		{ "objects", "reused", "addresses given out again without a free" },
		{ "pages", "reused", "pages given out again without a free" },
		{ "failed_allocs", NULL, "allocations that failed in the traced kernel" },
		{ "order_mismatch", NULL, "pages freed with another order than allocated" },
		{ "class_differs", NULL, "kmallocs served by another class than in the trace" },
		{ "lost", NULL, "events lost by the tracer" },
		{ "skipped", NULL, "lines of other events" },
		{ "repaired", NULL, "lines freed of quote marks, prefixes or quoted-printable" },
		{ "not_understood", NULL, "lines not understood" },
		{ "lab_failed", NULL, "allocations that the lab could not serve" },
	};
	const json_t *line, *fail = json_object_get(m, "first_failure");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (num(m, rows[i].a, rows[i].b))
			fprintf(to, "  %-18s %10lld   %s\n", "", num(m, rows[i].a, rows[i].b), rows[i].text);
	json_array_foreach(json_object_get(m, "lines_not_understood"), i, line)
		fprintf(to, "    line %lld: %s\n", num(line, "line", NULL),
			json_string_value(json_object_get(line, "text")));
	if (fail)
		fprintf(to, "    first at line %lld: %s\n", num(fail, "line", NULL),
			json_string_value(json_object_get(fail, "why")));
}

static int by_memory(const void *a, const void *b)
{
	long long x = num(*(json_t *const *)a, "memory_bytes", NULL), y = num(*(json_t *const *)b, "memory_bytes", NULL);

	return x < y ? 1 : x > y ? -1 : strcmp(json_string_value(json_object_get(*(json_t *const *)a, "name")),
						json_string_value(json_object_get(*(json_t *const *)b, "name")));
}

#define CACHES_SHOWN 30

static void text_cache(const json_t *m, const json_t *c, FILE *to)
{
	long long objects = num(c, "objects", NULL), total = num(c, "total_objects", NULL);
	const char *name = json_string_value(json_object_get(c, "name"));
	char memory[16], traced[24] = "-";

	if (num(m, "traced_size", name))
		snprintf(traced, sizeof(traced), "%lld", num(m, "traced_size", name));
	fprintf(to, "  %-26s %9lld %9lld %7lld %6lld %6lld %8s %7s %6.1f%%\n", name, objects, total,
		num(c, "slabs", NULL), num(c, "order", NULL), num(c, "size", NULL), traced,
		format_bytes((uint64_t)num(c, "memory_bytes", NULL), memory, sizeof(memory)),
		total ? 100.0 * (double)objects / (double)total : 0.0);
}

/* Of a lab that held caches before, those that the trace has nothing to do with are left out. */
static size_t keep_touched(const json_t **c, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (json_is_true(json_object_get(c[i], "touched")))
			c[kept++] = c[i];
	return kept;
}

/* Why a cache without objects has slabs. */
static void text_idle(const json_t **c, size_t nr, FILE *to)
{
	long long slabs = 0;

	for (size_t i = 0; i < nr; i++)
		if (!num(c[i], "objects", NULL))
			slabs += num(c[i], "slabs", NULL);
	if (slabs)
		fprintf(to, "  %lld slab%s of caches without objects: CPUs and partial lists keep them (slabs NAME shows where,\n"
			    "  kmem_cache shrink NAME gives them back)\n", slabs, plural((uint64_t)slabs));
}

static void text_caches(const json_t *m, FILE *to)
{
	const json_t *caches = json_object_get(m, "caches");
	size_t nr = json_array_size(caches), shown = 0;
	const json_t **c = calloc(nr + 1, sizeof(*c));

	if (!nr || !c) {
		free(c);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		c[i] = json_array_get(caches, i);
	nr = keep_touched(c, nr);
	qsort(c, nr, sizeof(*c), by_memory);
	fprintf(to, "\n  %-26s %9s %9s %7s %6s %6s %8s %7s %7s\n", "cache", "objects", "capacity", "slabs", "order",
		"size B", "traced B", "memory", "used");
	for (; shown < nr && shown < CACHES_SHOWN; shown++)
		text_cache(m, c[shown], to);
	if (shown < nr)
		fprintf(to, "  … and %zu smaller ones (caches lists all)\n", nr - shown);
	text_idle(c, nr, to);
	free(c);
}

static void text_frag_row(const json_t *zone, const char *when, const char *what, FILE *to)
{
	const json_t *v = json_object_get(zone, what), *n;
	size_t o;

	fprintf(to, "  %-17s", when);
	json_array_foreach(v, o, n) {
		if (json_is_integer(n))
			fprintf(to, " %6lld", (long long)json_integer_value(n));
		else
			fprintf(to, " %6.3f", json_real_value(n));
	}
	fputc('\n', to);
}

static void text_frag(const json_t *m, FILE *to)
{
	const json_t *frag = json_object_get(m, "frag"), *before = json_object_get(frag, "before"), *zone;
	const json_t *after = json_object_get(frag, "after");
	size_t i;

	json_array_foreach(after, i, zone) {
		const json_t *was = json_array_get(before, i);

		fprintf(to, "\n  N%lld %s: free blocks, and the part of free memory that an order cannot use\n  %-17s",
			num(zone, "node", NULL), json_string_value(json_object_get(zone, "zone")), "order");
		for (size_t o = 0; o < json_array_size(json_object_get(zone, "free")); o++)
			fprintf(to, " %6zu", o);
		fputc('\n', to);
		text_frag_row(was, "free before", "free", to);
		text_frag_row(zone, "free after", "free", to);
		text_frag_row(was, "unusable before", "unusable", to);
		text_frag_row(zone, "unusable after", "unusable", to);
	}
}

static bool any_pages(const json_t *m, size_t order)
{
	return page_num(m, order, "slab_allocs") || by_order(m, "refill_pages", order) ||
	       by_order(m, "drain_pages", order) || by_order(m, "zone_locked", order) ||
	       by_order(m, "fallbacks", order);
}

/* The traced kernel's own page traffic beside the lab's. */
static void text_observed(const json_t *m, FILE *to)
{
	const json_t *lab = json_object_get(m, "lab_did");
	size_t orders = json_array_size(json_object_get(json_object_get(m, "pages"), "order"));

	fprintf(to, "\n  page traffic: blocks in the trace%s\n  %-5s %20s %20s %20s\n",
		json_is_object(lab) ? " / in this lab" : " (the lab's counters are off)", "order", "for slabs",
		"from buddy lists", "drained to them");
	for (size_t o = 0; o < orders; o++) {
		long long slab = by_order(lab, "mm_page_alloc", o) - page_num(m, o, "run_allocs") -
				 by_order(m, "lab_large_allocs", o);

		if (!any_pages(m, o) && slab <= 0 && !by_order(lab, "mm_page_alloc_zone_locked", o))
			continue;
		if (!json_is_object(lab)) {
			fprintf(to, "  %-5zu %20lld %20lld %20lld\n", o, page_num(m, o, "slab_allocs"),
				by_order(m, "zone_locked", o), by_order(m, "drain_pages", o));
			continue;
		}
		fprintf(to, "  %-5zu %9lld /%9lld %9lld /%9lld %9lld /%9lld\n", o, page_num(m, o, "slab_allocs"), slab,
			by_order(m, "zone_locked", o), by_order(lab, "mm_page_alloc_zone_locked", o),
			by_order(m, "drain_pages", o), by_order(lab, "mm_page_pcpu_drain", o));
	}
	if (!json_is_object(lab))
		return;
	fprintf(to, "  CPU page lists refilled %lld / %lld times, blocks of another migratetype taken %lld / %lld\n", num(m, "refills", NULL), num(lab, "pcp_refill", NULL),
		num(m, "events", "mm_page_alloc_extfrag"), num(lab, "mm_page_alloc_extfrag", NULL));
}

void replay_text(const json_t *m, FILE *to)
{
	text_speed(m, to);
	text_ops(m, to);
	text_oddities(m, to);
	text_caches(m, to);
	text_frag(m, to);
	text_observed(m, to);
}
