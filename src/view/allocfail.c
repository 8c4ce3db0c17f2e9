/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allocfail - the last request for pages that came to nothing, as a kernel reports it.
 *
 * Order, flags, Mem-Info by node and zone, free blocks by zone; then what no
 * kernel tells: which attempt was the last hope. Counts of pages are those of
 * now, so it is asked for right after the failure.
 *
 * Units. kB where the kernel's line says so, else pages.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/report.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "event/note.h"

#define KB 4	/* of a page */

static json_t *zone_report(struct lab *lab, unsigned int zone)
{
	struct zone_figures z;
	struct lru_figures f;
	json_t *o, *orders = json_array(), *types = json_array(), *reserve = json_array();
	uint64_t pcp = 0, local = 0;

	zone_figures(lab, zone, true, &z);
	lru_zone_figures(lab, zone, &f);
	for (unsigned int c = 0; c < lab->nr_cpus; c++) {
		struct pcp_figures p;

		pcp_figures(lab, zone, c, &p);
		pcp += p.count;
		if (c == lab->hdr->last_cpu)
			local = p.count;
	}
	o = zone_object(&z);
	look_set(o, "free_kB", z.free * KB);
	look_set(o, "boost_kB", z.boost * KB);
	look_set(o, "min_kB", (z.min + z.boost) * KB);
	look_set(o, "low_kB", (z.low + z.boost) * KB);
	look_set(o, "high_kB", (z.high + z.boost) * KB);
	look_set(o, "reserved_highatomic_kB", z.reserved_highatomic * KB);
	look_set(o, "inactive_anon_kB", f.list[0] * KB);
	look_set(o, "active_anon_kB", f.list[1] * KB);
	look_set(o, "inactive_file_kB", f.list[2] * KB);
	look_set(o, "active_file_kB", f.list[3] * KB);
	look_set(o, "writepending_kB", f.dirty * KB);
	look_set(o, "present_kB", z.present * KB);
	look_set(o, "managed_kB", z.managed * KB);
	look_set(o, "free_pcp_kB", pcp * KB);
	look_set(o, "local_pcp_kB", local * KB);
	for (unsigned int k = 0; k < ZONE_KINDS; k++)
		if (shape_shows_kind(&lab->hdr->shape, k))
			json_array_append_new(reserve, look_int((uint64_t)z.protection[k]));
	for (unsigned int order = 0; order < NR_PAGE_ORDERS; order++) {
		char letters[MT_NR + 1];
		size_t at = 0;

		for (unsigned int t = 0; t < MT_NR; t++)
			if (z.free_by_type[order][t])
				letters[at++] = "UMEHI"[t];
		letters[at] = 0;
		json_array_append_new(orders, look_int(z.nr_free[order]));
		json_array_append_new(types, json_string(letters));
	}
	json_object_set_new(o, "lowmem_reserve", reserve);
	json_object_set_new(o, "free", orders);
	json_object_set_new(o, "types", types);
	return o;
}

static json_t *node_report(struct lab *lab, unsigned int node)
{
	static const char *const keys[4] = { "inactive_anon_kB", "active_anon_kB", "inactive_file_kB", "active_file_kB" };
	uint64_t list[4] = { 0 }, dirty = 0;
	struct worker_figures w;
	json_t *o = json_object();

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;
		struct lru_figures f;

		zone_figures(lab, i, false, &z);
		lru_zone_figures(lab, i, &f);
		for (unsigned int id = 0; id < 4 && z.node == node; id++)
			list[id] += f.list[id];
		dirty += z.node == node ? f.dirty : 0;
	}
	node_worker_figures(lab, node, &w);
	look_set(o, "node", node);
	for (unsigned int id = 0; id < 4; id++)
		look_set(o, keys[id], list[id] * KB);
	look_set(o, "dirty_kB", dirty * KB);
	json_object_set_new(o, "all_unreclaimable", json_boolean(w.hopeless));
	return o;
}

static void slabs_fill(struct lab *lab, json_t *o)
{
	uint64_t reclaimable = 0, unreclaimable = 0;

	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		uint64_t r, u;

		node_slab_pages(lab, n, &r, &u);
		reclaimable += r;
		unreclaimable += u;
	}
	look_set(o, "slab_reclaimable", reclaimable);
	look_set(o, "slab_unreclaimable", unreclaimable);
}

static json_t *headline(const struct told_failure *f)
{
	json_t *o = json_object();
	char gfp[GFP_TEXT_MAX];

	gfp_print(f->gfp, gfp, sizeof(gfp));
	look_set(o, "order", f->order);
	look_set(o, "mode", f->gfp);
	look_set_text(o, "gfp", gfp);
	look_set_text(o, "type", mtype_name(f->type));
	look_set(o, "op", f->op);
	look_set(o, "time_ns", f->time_ns);
	look_set_text(o, "last_hope", slow_step_words[f->step % STEP_NR]);
	return o;
}

static json_t *report(struct lab *lab, const struct told_failure *f)
{
	json_t *o = headline(f), *zones = json_array(), *nodes = json_array();

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		json_array_append_new(nodes, node_report(lab, n));
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;

		zone_figures(lab, i, false, &z);
		if ((unsigned int)z.kind <= f->high)
			json_array_append_new(zones, zone_report(lab, i));
	}
	slabs_fill(lab, o);
	json_object_set_new(o, "nodes", nodes);
	json_object_set_new(o, "zones", zones);
	return o;
}

static json_t *allocfail_model(struct lab *lab, const struct view_args *args)
{
	struct told_failure f;

	if (look_begin(lab, args, "allocfail", 0))
		return NULL;
	if (!page_last_failure(lab, &f)) {
		fail(ENOENT, "no request for pages has failed in this lab");
		return look_end(lab, NULL);
	}
	return look_end(lab, report(lab, &f));
}

json_t *view_failure(struct lab *lab)
{
	struct told_failure f;

	look_begin(lab, NULL, "allocfail", 1);
	return look_end(lab, page_last_failure(lab, &f) && !(f.gfp & GFP_BIT_NOWARN) ? report(lab, &f) : NULL);
}

json_t *view_failures(struct lab *lab, uint64_t *ever)
{
	struct told_failure f[FAILURES_KEPT];
	unsigned int nr = page_failures(lab, f, ever);
	json_t *list = json_array();

	for (unsigned int i = 0; i < nr; i++)
		json_array_append_new(list, headline(&f[i]));
	return list;
}

/* ---- text ---- */

static ull pages_of(const json_t *list, const char *key)
{
	ull sum = 0;
	json_t *o;
	size_t i;

	json_array_foreach(list, i, o)
		sum += look_get(o, key);
	return sum / KB;
}

static void mem_info(const json_t *m, FILE *to)
{
	const json_t *zones = json_object_get(m, "zones"), *nodes = json_object_get(m, "nodes");

	fprintf(to, "Mem-Info:\nactive_anon:%llu inactive_anon:%llu isolated_anon:0\n active_file:%llu inactive_file:%llu isolated_file:0\n",
		pages_of(nodes, "active_anon_kB"), pages_of(nodes, "inactive_anon_kB"), pages_of(nodes, "active_file_kB"),
		pages_of(nodes, "inactive_file_kB"));
	fprintf(to, " unevictable:0 dirty:%llu writeback:0\n slab_reclaimable:%llu slab_unreclaimable:%llu\n",
		pages_of(nodes, "dirty_kB"), (ull)look_get(m, "slab_reclaimable"), (ull)look_get(m, "slab_unreclaimable"));
	fprintf(to, " mapped:0 shmem:0 pagetables:0\n sec_pagetables:0 bounce:0\n kernel_misc_reclaimable:0\n"
		    " free:%llu free_pcp:%llu free_cma:0\n", pages_of(zones, "free_kB"), pages_of(zones, "free_pcp_kB"));
}

static void node_line(const json_t *n, FILE *to)
{
	fprintf(to, "Node %llu active_anon:%llukB inactive_anon:%llukB active_file:%llukB inactive_file:%llukB unevictable:0kB "
		    "isolated(anon):0kB isolated(file):0kB mapped:0kB dirty:%llukB writeback:0kB shmem:0kB "
		    "all_unreclaimable? %s\n", (ull)look_get(n, "node"), (ull)look_get(n, "active_anon_kB"),
		(ull)look_get(n, "inactive_anon_kB"), (ull)look_get(n, "active_file_kB"), (ull)look_get(n, "inactive_file_kB"),
		(ull)look_get(n, "dirty_kB"), json_is_true(json_object_get(n, "all_unreclaimable")) ? "yes" : "no");
}

static void zone_line(const json_t *z, FILE *to)
{
	static const char *const keys[] = { "free", "boost", "min", "low", "high" };
	const json_t *reserve = json_object_get(z, "lowmem_reserve"), *r;
	char key[32];
	size_t i;

	fprintf(to, "Node %llu %s", (ull)look_get(z, "node"), look_get_text(z, "zone"));
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		snprintf(key, sizeof(key), "%s_kB", keys[i]);
		fprintf(to, " %s:%llukB", keys[i], (ull)look_get(z, key));
	}
	fprintf(to, " reserved_highatomic:%lluKB active_anon:%llukB inactive_anon:%llukB active_file:%llukB inactive_file:%llukB "
		    "unevictable:0kB writepending:%llukB present:%llukB managed:%llukB mlocked:0kB bounce:0kB free_pcp:%llukB "
		    "local_pcp:%llukB free_cma:0kB\nlowmem_reserve[]:", (ull)look_get(z, "reserved_highatomic_kB"),
		(ull)look_get(z, "active_anon_kB"), (ull)look_get(z, "inactive_anon_kB"), (ull)look_get(z, "active_file_kB"),
		(ull)look_get(z, "inactive_file_kB"), (ull)look_get(z, "writepending_kB"), (ull)look_get(z, "present_kB"),
		(ull)look_get(z, "managed_kB"), (ull)look_get(z, "free_pcp_kB"), (ull)look_get(z, "local_pcp_kB"));
	json_array_foreach(reserve, i, r)
		fprintf(to, " %lld", (long long)json_integer_value(r));
	fputc('\n', to);
}

static void blocks_line(const json_t *z, FILE *to)
{
	const json_t *free = json_object_get(z, "free"), *types = json_object_get(z, "types"), *n;
	ull sum = 0;
	size_t order;

	fprintf(to, "Node %llu %s: ", (ull)look_get(z, "node"), look_get_text(z, "zone"));
	json_array_foreach(free, order, n) {
		ull blocks = (ull)json_integer_value(n), kb = (ull)KB << order;

		fprintf(to, "%llu*%llukB ", blocks, kb);
		if (blocks)
			fprintf(to, "(%s) ", json_string_value(json_array_get(types, order)));
		sum += blocks * kb;
	}
	fprintf(to, "= %llukB\n", sum);
}

static void first_line(const json_t *m, FILE *to)
{
	fprintf(to, "slablab: page allocation failure: order:%llu, mode:0x%llx(%s), nodemask=(null)\n", (ull)look_get(m, "order"),
		(ull)look_get(m, "mode"), look_get_text(m, "gfp"));
}

void view_stamp(const json_t *m, FILE *to)
{
	ull us = (ull)look_get(m, "time_ns") / 1000;

	fprintf(to, "[%5llu.%06llu] ", us / 1000000, us % 1000000);
}

void view_failure_line(const json_t *m, FILE *to)
{
	view_stamp(m, to);
	first_line(m, to);
	view_stamp(m, to);
	fprintf(to, "the last hope was %s (op %llu)\n", look_get_text(m, "last_hope"),
		(ull)look_get(m, "op"));
}

void view_failure_text(const json_t *m, FILE *to)
{
	const json_t *zones = json_object_get(m, "zones"), *nodes = json_object_get(m, "nodes"), *o;
	size_t i;

	first_line(m, to);
	mem_info(m, to);
	json_array_foreach(nodes, i, o)
		node_line(o, to);
	json_array_foreach(zones, i, o)
		zone_line(o, to);
	json_array_foreach(zones, i, o)
		blocks_line(o, to);
	fprintf(to, "%llu total pagecache pages\n", pages_of(nodes, "active_file_kB") + pages_of(nodes, "inactive_file_kB"));
	fprintf(to, "the last hope was %s (op %llu); 'why' tells each step\n", look_get_text(m, "last_hope"), (ull)look_get(m, "op"));
}

static void allocfail_text(const json_t *m, const struct view_args *args, FILE *to)
{
	(void)args;
	view_failure_text(m, to);
}

const struct view view_allocfail = {
	.name = "allocfail",
	.summary = "the last failed request for pages, as a kernel reports it",
	.usage = "",
	.model = allocfail_model,
	.text = allocfail_text,
};
