/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_counters - vmstat, meminfo and perf kmem: numbers of a machine that a
 * lab cannot be brought to. They are told, checked against each other.
 */
#include <string.h>

#include "formats/counters.h"
#include "formats/perfkmem.h"
#include "work/import_priv.h"

/* ---- vmstat, meminfo ---- */

static const struct counter *find(const struct counters *c, const char *name)
{
	for (uint32_t i = 0; i < c->nr; i++)
		if (!strcmp(c->v[i].name, name))
			return &c->v[i];
	return NULL;
}

/* A counter that comes twice: the last one counts, as of tables. */
static json_t *values_json(struct import *im, const struct counters *c)
{
	json_t *values = json_object();
	uint32_t again = 0, nameless = 0;

	for (uint32_t i = 0; i < c->nr; i++) {
		again += json_object_get(values, c->v[i].name) != NULL;
		if (!c->v[i].name[0])
			nameless = c->v[i].line;
		json_object_set_new(values, c->v[i].name, json_integer((json_int_t)c->v[i].value));
	}
	if (again)
		import_note(im, "%u counters come more than once; the last value counts", again);
	if (nameless)
		import_note(im, "line %u: a counter without a name", nameless);
	return values;
}

static void answer(struct import *im, struct counters *c, json_t *data)
{
	json_object_set_new(data, "counters", values_json(im, c));
	import_put_lines(data, "skipped", &c->skipped);
}

int import_vmstat(struct import *im, const struct paste *text, json_t *data)
{
	struct counters c;
	int ret = vmstat_parse(text, &c);

	if (ret)
		return ret;
	answer(im, &c, data);
	counters_free(&c);
	return 0;
}

/* Two figures that a kernel takes from the same counters. */
static void note_slab(struct import *im, const struct counters *c)
{
	const struct counter *all = find(c, "Slab"), *some = find(c, "SReclaimable"), *rest = find(c, "SUnreclaim");
	uint64_t sum;

	if (all && some && rest && !__builtin_add_overflow(some->value, rest->value, &sum) && sum != all->value)
		import_note(im, "line %u: Slab is %llu kB, SReclaimable and SUnreclaim are %llu kB together", all->line,
			    (unsigned long long)all->value, (unsigned long long)sum);
}

int import_meminfo(struct import *im, const struct paste *text, json_t *data)
{
	struct counters c;
	int ret = meminfo_parse(text, &c);

	if (ret)
		return ret;
	answer(im, &c, data);
	note_slab(im, &c);
	counters_free(&c);
	return 0;
}

/* ---- perf kmem ---- */

static double waste_of(uint64_t allocated, uint64_t requested)
{
	return allocated ? 100.0 - 100.0 * (double)requested / (double)allocated : 0.0;
}

/* Each column follows from the sums and the hits; perf cuts what it divides. */
static bool adds_up(const struct perfkmem_row *r)
{
	double off = r->waste_pct - waste_of(r->allocated, r->requested);

	return (!r->hits || (r->allocated / r->hits == r->allocated_each && r->requested / r->hits == r->requested_each)) &&
	       off > -0.0011 && off < 0.0011;
}

static json_t *sites_json(struct import *im, const struct perfkmem *p)
{
	json_t *sites = json_array();

	for (uint32_t i = 0; i < p->rows; i++) {
		const struct perfkmem_row *r = &p->row[i];
		json_t *name = json_string(r->site);
		json_t *o = json_pack("{s:I,s:I,s:I,s:I,s:I,s:f}", "alloc_bytes", (json_int_t)r->allocated, "alloc_each",
				      (json_int_t)r->allocated_each, "req_bytes", (json_int_t)r->requested, "req_each",
				      (json_int_t)r->requested_each, "hits", (json_int_t)r->hits, "frag_pct", r->waste_pct);

		json_object_set_new(o, "site", name ? name : json_string("?"));
		if (r->has_pingpong)
			json_object_set_new(o, "pingpong", json_integer((json_int_t)r->pingpong));
		json_array_append_new(sites, o);
		if (!adds_up(r))
			import_note(im, "line %u: the columns of %s do not follow from each other", r->line, name ? r->site : "it");
	}
	return sites;
}

/* The summary, of the rows where the paste has none; these are then the largest, not all. */
static json_t *perf_totals(struct import *im, const struct perfkmem *p)
{
	uint64_t requested = p->requested, allocated = p->allocated, waste;

	if (!p->has_requested || !p->has_allocated) {
		requested = allocated = 0;
		for (uint32_t i = 0; i < p->rows; i++) {
			requested += p->row[i].requested;
			allocated += p->row[i].allocated;
		}
	}
	waste = p->has_waste ? p->waste : allocated - requested;
	if (waste != allocated - requested)
		import_note(im, "the summary says that %llu bytes are lost; its sums differ by %lld", (unsigned long long)waste,
			    (long long)(allocated - requested));
	return json_pack("{s:b,s:I,s:I,s:I,s:f}", "of_rows", !p->has_requested || !p->has_allocated, "requested_bytes",
			 (json_int_t)requested, "allocated_bytes", (json_int_t)allocated, "waste_bytes", (json_int_t)waste,
			 "frag_pct", p->has_pct ? p->waste_pct : waste_of(allocated, requested));
}

int import_perfkmem(struct import *im, const struct paste *text, json_t *data)
{
	struct perfkmem p;
	int ret = perfkmem_parse(text, &p);

	if (ret)
		return ret;
	json_object_set_new(data, "sites", sites_json(im, &p));
	json_object_set_new(data, "totals", perf_totals(im, &p));
	import_put_lines(data, "skipped", &p.skipped);
	perfkmem_free(&p);
	return 0;
}
