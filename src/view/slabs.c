/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabs - where every slab of a cache's store is: on a node's partial list,
 * with a CPU, or on no list.
 *
 * The order is that of the kernel's walk: nodes (partial list from the head,
 * which is taken next), CPUs (their slab; their chain from the slab taken
 * next), unlisted. `inuse` counts objects really out.
 *
 * Units. Objects; slab numbers count the slabs that the store ever got.
 */
#include "view/bar.h"
#include "base/units.h"
#include "view/flow.h"
#include "view/list.h"
#include "view/live_cache.h"
#include "view/storeline.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "policy/policy.h"

/* Fields of slabs that not every lab or engine has: the node; what left the slab, for queues too, and its colour. */
enum { WITH_NODE = 1, WITH_ACTIVE = 2 };

/* Of which lab, and what of its slabs is shown. */
struct showing {
	struct lab *lab;
	unsigned int with;
};

static json_t *slab_object(const struct slab_line *s, const struct showing *w)
{
	json_t *o = json_object();

	look_set(o, "slab", s->number);
	look_set(o, "inuse", s->out);
	look_set(o, "objects", s->objects);
	if (w->with & WITH_NODE)
		look_set(o, "node", s->node);
	if (w->with & WITH_ACTIVE) {
		look_set(o, "active", s->field_inuse);
		look_set(o, "start", s->start);
	}
	owners_fill(w->lab, s->pfn, o);
	return o;
}

static json_t *slab_array(const struct slab_line *s, uint32_t nr, const struct showing *w)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < nr; i++)
		json_array_append_new(a, slab_object(&s[i], w));
	return a;
}

/* The other two lists of engine slab, and its counts. */
static void slabq_node_fill(const struct node_lines *n, const struct showing *w, json_t *o)
{
	json_object_set_new(o, "full", slab_array(n->full, n->full_nr, w));
	json_object_set_new(o, "free", slab_array(n->free, n->free_nr, w));
	look_set(o, "free_slabs", n->free_slabs);
	look_set(o, "free_objects", n->free_objects);
	look_set(o, "free_limit", n->free_limit);
	look_set(o, "colour_next", n->colour_next);
	look_set(o, "free_touched", n->free_touched);
}

/* Queues of free objects before the slabs; entries as slab.object, oldest first unless it says newest_first. */
static json_t *queues_array(const struct store_model *m)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < m->queues_nr; i++) {
		const struct queue_line *q = &m->queues[i];
		json_t *o = json_object(), *entries = json_array();
		char text[48];

		look_set_text(o, "kind", q->kind);
		if (q->cpu >= 0)
			look_set(o, "cpu", (uint64_t)q->cpu);
		if (q->node >= 0)
			look_set(o, "node", (uint64_t)q->node);
		if (q->peer >= 0)
			look_set(o, "of_node", (uint64_t)q->peer);
		look_set(o, "avail", q->nr);
		look_set(o, "limit", q->limit);
		look_set(o, "batchcount", q->batch);
		look_set(o, "touched", q->touched);
		if (q->newest_first)
			json_object_set_new(o, "newest_first", json_true());
		for (uint32_t e = q->first; e < q->first + q->nr && e < m->queued_nr; e++) {
			snprintf(text, sizeof(text), "%llu.%u", (unsigned long long)m->queued[e].slab, m->queued[e].index);
			json_array_append_new(entries, json_string(text));
		}
		json_object_set_new(o, "entries", entries);
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *nodes_array(const struct store_model *m, const struct showing *w)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < m->nr_nodes; i++) {
		const struct node_lines *n = &m->nodes[i];
		json_t *o = json_object();

		look_set(o, "node", n->node);
		look_set(o, "nr_partial", n->nr_partial);
		look_set(o, "nr_slabs", n->nr_slabs);
		look_set(o, "total_objects", n->total_objects);
		json_object_set_new(o, "partial", slab_array(n->partial, n->partial_nr, w));
		if (n->full)
			slabq_node_fill(n, w, o);
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *cpus_array(const struct store_model *m, const struct showing *w)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		const struct cpu_lines *c = &m->cpus[i];
		json_t *o = json_object();

		look_set(o, "cpu", c->cpu);
		json_object_set_new(o, "slab", c->has_slab ? slab_object(&c->slab, w)
							   : json_null());
		look_set(o, "cpu_free", c->cpu_free);
		look_set(o, "slab_free", c->slab_free);
		look_set(o, "slab_inuse", c->slab_inuse);
		json_object_set_new(o, "partial", slab_array(c->partial, c->partial_nr, w));
		look_set(o, "partial_slabs", c->partial_slabs);
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *store_part(struct lab *lab, uint32_t cache, const struct store_model *m)
{
	const struct policy_row *row = policy_find("slub.partial_add");
	const struct store_figures *s = &m->figures;
	const struct showing shows = { lab, (lab->nr_nodes > 1 ? WITH_NODE : 0) |
							(s->queued && !s->slub_lists ? WITH_ACTIVE : 0) }, *w = &shows;
	json_t *o = json_object();
	char text[128] = "";

	look_set_text(o, "cache", cache_name(lab, cache));
	look_set(o, "store", s->serial);
	look_set_text(o, "engine", s->engine);
	look_set(o, "objs_per_slab", s->objs);
	json_object_set_new(o, "nodes", nodes_array(m, w));
	json_object_set_new(o, "cpus", cpus_array(m, w));
	json_object_set_new(o, "unlisted", slab_array(m->unlisted, m->unlisted_nr, w));
	look_set(o, "object_size", s->object_size);
	look_set(o, "size", s->size);
	look_set(o, "order", s->order);
	waiting_fill(s, o);
	if (s->queued || m->queues_nr)
		json_object_set_new(o, "queues", queues_array(m));
	if (row && s->slub_lists) {
		policy_print(lab, row, cache, text, sizeof(text));
		look_set_text(o, "partial_add", text);
	}
	json_object_set_new(o, "draining", stores_draining(lab, cache));
	return o;
}

json_t *store_slabs(struct lab *lab, uint32_t cache, uint32_t store)
{
	struct store_model *m = store_model_take(lab, store);
	json_t *o;

	if (!m)
		return NULL;
	o = store_part(lab, cache, m);
	store_model_free(m);
	return o;
}

static json_t *cache_model(struct lab *lab, uint32_t cache)
{
	struct cache_figures c;

	return cache_figures(lab, cache, &c) ? NULL : store_slabs(lab, cache, c.store);
}

static json_t *slabs_model(struct lab *lab, const struct view_args *args)
{
	uint32_t cache;

	if (!args->name) {
		fail(EINVAL, "which cache? ('caches all' lists them)");
		return NULL;
	}
	if (look_begin(lab, args, "slabs", 1))
		return NULL;
	cache = cache_find(lab, args->name);
	if (cache == CACHE_NONE) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	return look_end(lab, cache_model(lab, cache));
}

/* ---- text ---- */

#define LIST_SHOWN 40	/* slabs of one list that text draws */
#define LIST_CELLS 8

static void slab_word(struct flow *f, const json_t *s, const struct view_args *args)
{
	uint64_t objects = look_get(s, "objects"), inuse = look_get(s, "inuse");
	char bar[BAR_MAX], owners[128];

	flow_means(f, meaning_of_use(inuse, objects));
	flow_word(f, "S%llu%s%llu/%llu", (unsigned long long)look_get(s, "slab"),
		  bar_fill(bar, inuse, objects, objects < LIST_CELLS ? (unsigned int)objects : LIST_CELLS,
			   args->utf8),
		  (unsigned long long)inuse, (unsigned long long)objects);
	if (*owners_words(s, owners, sizeof(owners)))
		flow_word(f, "(%s)", owners);
}

static void slab_words(struct flow *f, const json_t *list, const struct view_args *args)
{
	size_t nr = json_array_size(list), i;

	for (i = 0; i < nr && i < LIST_SHOWN; i++)
		slab_word(f, json_array_get(list, i), args);
	if (nr > i)
		flow_word(f, "and %zu more", nr - i);
}

static void title_text(const json_t *m, const struct view_args *args, FILE *to)
{
	struct flow f;

	flow_begin(&f, args, to, "%s%s%s  ", colour_on(args->colour, MEANS_TITLE), look_get_text(m, "cache"),
		   colour_off(args->colour));
	f.between = args->utf8 ? " · " : ", ";
	flow_word(&f, "store #%llu", (unsigned long long)look_get(m, "store"));
	flow_word(&f, "%s", look_get_text(m, "engine"));
	flow_word(&f, "%llu bytes in %llu", (unsigned long long)look_get(m, "object_size"),
		  (unsigned long long)look_get(m, "size"));
	flow_word(&f, "order %llu", (unsigned long long)look_get(m, "order"));
	flow_word(&f, "%llu per slab", (unsigned long long)look_get(m, "objs_per_slab"));
	if (json_object_get(m, "partial_add"))
		flow_word(&f, "partial_add %s", look_get_text(m, "partial_add"));
	flow_end(&f);
}

const char *slabs_next_goes(const char *partial_add)
{
	static const struct { const char *value, *words; } table[] = {
		{ "deactivate", "a slab that a CPU gives up goes to the head (tail if others freed into it), any other to the tail" },
		{ "head", "the next slab goes to the head" },
		{ "tail", "the next slab goes to the tail" },
		{ "half", "a slab more than half in use goes to the tail, else where deactivate puts it" },
		{ "quarter", "a slab more than a quarter in use goes to the tail, else where deactivate puts it" },
		{ "emptier_head", "a slab at most a quarter in use goes to the head, else to the tail" },
		{ "half_only", "a slab more than half in use goes to the tail, else to the head" },
		{ "fuller_head", "a slab more than half in use goes to the head, else to the tail" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(table[i].value, partial_add))
			return table[i].words;
	return "the next slab's end depends on how full it is";
}

static void node_text(const json_t *n, const struct view_args *args, FILE *to)
{
	const json_t *partial = json_object_get(n, "partial");
	uint64_t slabs = look_get(n, "nr_slabs");
	struct flow f;

	flow_begin(&f, args, to, " node%-3llu ", (unsigned long long)look_get(n, "node"));
	flow_word(&f, "%llu slab%s, %llu partial", (unsigned long long)slabs, plural(slabs),
		  (unsigned long long)look_get(n, "nr_partial"));
	if (json_array_size(partial)) {
		flow_word(&f, args->utf8 ? "  head ⇒" : "  head =>");
		slab_words(&f, partial, args);
		flow_word(&f, args->utf8 ? "⇐ tail" : "<= tail");
	}
	flow_end(&f);
}

static void list_text(const json_t *n, const char *name, const struct view_args *args, FILE *to)
{
	const json_t *list = json_object_get(n, name);
	struct flow f;

	if (!json_array_size(list))
		return;
	flow_begin(&f, args, to, "  %-7s ", name);
	slab_words(&f, list, args);
	flow_end(&f);
}

#define ENTRIES_SHOWN 12

/* A queue and whose it is; what is taken next stands first. */
static void queue_text(const json_t *q, const struct view_args *args, FILE *to)
{
	const json_t *entries = json_object_get(q, "entries"), *cpu = json_object_get(q, "cpu");
	const json_t *of = json_object_get(q, "of_node");
	bool newest_first = json_is_true(json_object_get(q, "newest_first"));
	size_t nr = json_array_size(entries);
	struct flow f;

	if (!nr && !look_get(q, "touched"))
		return;
	if (!json_object_get(q, "node"))
		flow_begin(&f, args, to, "  out    ");
	else
		flow_begin(&f, args, to, cpu ? " cpu%-4llu " : " node%-3llu ",
			   (unsigned long long)(cpu ? look_get(q, "cpu") : look_get(q, "node")));
	flow_word(&f, "%s", look_get_text(q, "kind"));
	if (of)
		flow_word(&f, "for node %llu", (unsigned long long)look_get(q, "of_node"));
	if (look_get(q, "limit"))
		flow_word(&f, "%zu of %llu", nr, (unsigned long long)look_get(q, "limit"));
	else
		flow_word(&f, "%zu", nr);
	if (look_get(q, "touched"))
		flow_word(&f, "used lately");
	if (nr)
		flow_word(&f, args->utf8 ? "  next ⇒" : "  next =>");
	for (size_t i = 0; i < nr && i < ENTRIES_SHOWN; i++)
		flow_word(&f, "S%s", json_string_value(json_array_get(entries, newest_first ? i : nr - 1 - i)));
	if (nr > ENTRIES_SHOWN)
		flow_word(&f, "and %zu more", nr - ENTRIES_SHOWN);
	flow_end(&f);
}

static void cpu_text(const json_t *c, const struct view_args *args, FILE *to)
{
	const json_t *slab = json_object_get(c, "slab"), *chain = json_object_get(c, "partial");
	uint64_t objects = look_get(slab, "objects");
	char bar[BAR_MAX], owners[128];
	struct flow f;

	if (!json_is_object(slab) && !json_array_size(chain))
		return;
	flow_begin(&f, args, to, " cpu%-4llu ", (unsigned long long)look_get(c, "cpu"));
	if (json_is_object(slab)) {
		flow_means(&f, meaning_of_use(look_get(slab, "inuse"), objects));
		flow_word(&f, "S%llu%s%llu/%llu", (unsigned long long)look_get(slab, "slab"),
			  bar_fill(bar, look_get(slab, "inuse"), objects,
				   objects < 16 ? (unsigned int)objects : 16, args->utf8),
			  (unsigned long long)look_get(slab, "inuse"), (unsigned long long)objects);
		if (*owners_words(slab, owners, sizeof(owners)))
			flow_word(&f, "(%s)", owners);
		flow_word(&f, "free: %llu on the CPU, %llu in the slab",
			  (unsigned long long)look_get(c, "cpu_free"),
			  (unsigned long long)look_get(c, "slab_free"));
	} else {
		flow_word(&f, "no slab");
	}
	if (json_array_size(chain)) {
		flow_word(&f, "  partial (%llu):", (unsigned long long)look_get(c, "partial_slabs"));
		slab_words(&f, chain, args);
	}
	flow_end(&f);
}

/* "S0-S7": runs of slabs with consecutive numbers. */
static void runs_words(struct flow *f, const json_t *list)
{
	size_t nr = json_array_size(list), i = 0;

	for (unsigned int shown = 0; i < nr && shown < LIST_SHOWN; shown++) {
		uint64_t first = look_get(json_array_get(list, i), "slab"), last = first;

		while (++i < nr && look_get(json_array_get(list, i), "slab") == last + 1)
			last++;
		if (last == first)
			flow_word(f, "S%llu", (unsigned long long)first);
		else
			flow_word(f, "S%llu-S%llu", (unsigned long long)first, (unsigned long long)last);
	}
	if (i < nr)
		flow_word(f, "and %zu more", nr - i);
}

/* Slabs on no list are full, but for an engine's special cases, which are drawn one by one. */
static void unlisted_text(const json_t *list, const struct view_args *args, FILE *to)
{
	json_t *full = json_array(), *other = json_array(), *s;
	struct flow f;
	size_t i;

	json_array_foreach(list, i, s)
		json_array_append(look_get(s, "inuse") == look_get(s, "objects") ? full : other, s);
	if (json_array_size(full)) {
		flow_begin(&f, args, to, " no list ");
		flow_word(&f, "%zu full:", json_array_size(full));
		runs_words(&f, full);
		flow_end(&f);
	}
	if (json_array_size(other)) {
		flow_begin(&f, args, to, " no list ");
		slab_words(&f, other, args);
		flow_end(&f);
	}
	json_decref(full);
	json_decref(other);
}

static void draining_text(const json_t *list, const struct view_args *args, FILE *to)
{
	char words[128];
	json_t *s;
	size_t i;

	json_array_foreach(list, i, s)
		fprintf(to, " %sdraining%s store #%llu: %s\n", colour_on(args->colour, MEANS_DRAINING),
			colour_off(args->colour), (unsigned long long)look_get(s, "store"),
			store_words(s, words, sizeof(words)));
}

static void slabs_text(const json_t *model, const struct view_args *args, FILE *to)
{
	struct flow f;
	json_t *o;
	size_t i;

	title_text(model, args, to);
	json_array_foreach(json_object_get(model, "nodes"), i, o) {
		node_text(o, args, to);
		list_text(o, "full", args, to);
		list_text(o, "free", args, to);
	}
	if (json_object_get(model, "partial_add")) {
		flow_begin(&f, args, to, " list    ");
		flow_sentence(&f, MEANS_PLAIN, slabs_next_goes(look_get_text(model, "partial_add")));
		flow_end(&f);
	}
	json_array_foreach(json_object_get(model, "queues"), i, o)
		queue_text(o, args, to);
	waiting_text(model, " ", to);
	json_array_foreach(json_object_get(model, "cpus"), i, o)
		cpu_text(o, args, to);
	unlisted_text(json_object_get(model, "unlisted"), args, to);
	draining_text(json_object_get(model, "draining"), args, to);
}

const struct view view_slabs = {
	.name = "slabs",
	.summary = "where every slab of a cache is: partial lists, CPUs, no list",
	.usage = "CACHE",
	.model = slabs_model,
	.text = slabs_text,
};
