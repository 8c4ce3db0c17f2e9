/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_slubdbg - reports of SLUB in a kernel's log, taken apart. They say
 * nothing that a lab could be brought to; what they say is the answer.
 */
#include <errno.h>

#include "formats/slubdbg.h"
#include "work/import_priv.h"

/* Any bytes as a JSON string: what is no UTF-8 becomes '?'. */
static json_t *text(const char *s)
{
	json_t *t = json_string(s);
	char plain[SLUBDBG_TEXT];
	size_t n = 0;

	if (t)
		return t;
	for (; s[n] && n + 1 < sizeof(plain); n++)
		plain[n] = (unsigned char)s[n] < 0x80 ? s[n] : '?';
	plain[n] = 0;
	return json_string(plain);
}

static void set(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
}

/* Addresses have no place in JSON's integers of some readers: as text. */
static void set_address(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_sprintf("0x%llx", (unsigned long long)n));
}

static json_t *track_json(const struct slubdbg_track *t)
{
	json_t *o = json_object();

	json_object_set_new(o, "place", text(t->place));
	set(o, "age", t->age);
	set(o, "cpu", t->cpu);
	set(o, "pid", t->pid);
	return o;
}

static json_t *report_json(const struct slubdbg_report *r)
{
	json_t *o = json_object(), *fixes = json_array();

	set(o, "line", r->line);
	json_object_set_new(o, "cache", text(r->cache));
	json_object_set_new(o, "state", text(r->state));
	json_object_set_new(o, "message", text(r->message));
	if (r->has_range) {
		set_address(o, "first", r->first);
		set_address(o, "last", r->last);
		set(o, "bytes", r->last - r->first + 1);
		set(o, "found", r->found);
		set(o, "expected", r->expected);
	}
	if (r->has_offset)
		set(o, "offset", r->offset);
	if (r->has_slab) {
		json_t *s = json_object();

		set_address(s, "at", r->slab);
		set(s, "objects", r->objects);
		set(s, "used", r->used);
		set_address(s, "fp", r->slab_fp);
		set_address(s, "flags", r->flags);
		json_object_set_new(o, "slab", s);
	}
	if (r->has_object) {
		json_t *s = json_object();

		set_address(s, "at", r->object);
		set(s, "offset", r->object_offset);
		set_address(s, "fp", r->object_fp);
		if (r->has_range && r->first >= r->object)
			set(s, "bad_byte", r->first - r->object);
		json_object_set_new(o, "object", s);
	}
	if (r->alloc.there)
		json_object_set_new(o, "alloc", track_json(&r->alloc));
	if (r->freed.there)
		json_object_set_new(o, "free", track_json(&r->freed));
	if (r->dumped_bytes)
		set(o, "dumped_bytes", r->dumped_bytes);
	for (uint32_t i = 0; i < r->fixes && i < ARRAY_SIZE(r->fix); i++)
		json_array_append_new(fixes, text(r->fix[i]));
	json_object_set_new(o, "fixes", fixes);
	return o;
}

static json_t *shortage_json(const struct slubdbg_shortage *s)
{
	json_t *o = json_object(), *nodes = json_array();

	set(o, "line", s->line);
	json_object_set_new(o, "cache", text(s->cache));
	json_object_set_new(o, "node", json_integer(s->node));
	set_address(o, "gfp", s->gfp);
	set(o, "object_size", s->object_size);
	set(o, "size", s->buffer_size);
	set(o, "order", s->order);
	set(o, "min_order", s->min_order);
	for (uint32_t i = 0; i < s->nr_nodes; i++) {
		json_t *n = json_object();

		set(n, "node", s->nodes[i].node);
		set(n, "slabs", s->nodes[i].slabs);
		set(n, "total_objects", s->nodes[i].objs);
		set(n, "free_objects", s->nodes[i].free);
		set(n, "fallback_slabs", slubdbg_fallback(s, &s->nodes[i]));
		json_array_append_new(nodes, n);
	}
	json_object_set_new(o, "nodes", nodes);
	return o;
}

int import_slubdbg(struct import *im, const struct paste *pasted, json_t *data)
{
	json_t *reports, *shortages;
	struct slubdbg d;
	int ret = slubdbg_parse(pasted, &d);

	(void)im;
	if (ret)
		return ret;
	reports = json_array();
	shortages = json_array();
	for (uint32_t i = 0; i < d.reports; i++)
		json_array_append_new(reports, report_json(&d.report[i]));
	for (uint32_t i = 0; i < d.shortages; i++)
		json_array_append_new(shortages, shortage_json(&d.shortage[i]));
	json_object_set_new(data, "reports", reports);
	json_object_set_new(data, "shortages", shortages);
	slubdbg_free(&d);
	return 0;
}
