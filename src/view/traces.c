/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traces - who holds the objects of a cache: tracks put together by place and
 * stack, as the kernel's alloc_traces and free_traces print them.
 *
 * Units. Ages in ticks of a millisecond of the lab clock.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "slab/read.h"

/* "0-2,5" of the bits that are set. */
static void list_text(const uint64_t *bits, unsigned int nr, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = 0;
	for (unsigned int i = 0; i < nr && at < size; i++) {
		unsigned int from = i;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		while (i + 1 < nr && bits[(i + 1) / 64] >> (i + 1) % 64 & 1)
			i++;
		at += (size_t)snprintf(buf + at, size - at, from == i ? "%s%u" : "%s%u-%u", at ? "," : "", from, i);
	}
}

static unsigned int online(const struct lab *lab)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		n += look_online(lab, i);
	return n;
}

static json_t *site_object(struct lab *lab, const struct debug_site *s)
{
	const char *place = debug_text(lab, s->place);
	json_t *o = json_object();
	char list[256];

	look_set(o, "count", s->count);
	json_object_set_new(o, "place", *place ? json_string(place) : json_null());
	look_set(o, "waste", s->waste);
	look_set(o, "age_sum", s->sum_age);
	look_set(o, "age_min", s->min_age);
	look_set(o, "age_avg", s->sum_age / s->count);
	look_set(o, "age_max", s->max_age);
	look_set(o, "pid_min", s->min_pid);
	look_set(o, "pid_max", s->max_pid);
	list_text(s->cpus, lab->nr_cpus, list, sizeof(list));
	if (online(lab) > 1)
		look_set_text(o, "cpus", list);
	list_text(&s->nodes, lab->nr_nodes, list, sizeof(list));
	if (lab->nr_nodes > 1)
		look_set_text(o, "nodes", list);
	json_object_set_new(o, "stack", view_frames(debug_text(lab, s->stack)));
	return o;
}

static json_t *traces_model(struct lab *lab, const struct view_args *args, const char *view, bool freed)
{
	struct debug_site *sites = NULL;
	struct cache_figures c;
	json_t *list;
	uint32_t cache, nr = 0;

	if (!args->name) {
		fail(EINVAL, "of which cache?");
		return NULL;
	}
	if (look_begin(lab, args, view, 1))
		return NULL;
	cache = cache_find(lab, args->name);
	if (cache == CACHE_NONE || cache_figures(lab, cache, &c)) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	if (debug_sites(lab, c.store, freed, &sites, &nr))
		return look_end(lab, NULL);
	list = json_array();
	for (uint32_t i = 0; i < nr; i++)
		json_array_append_new(list, site_object(lab, &sites[i]));
	free(sites);
	return look_end(lab, json_pack("{s:s,s:o}", "cache", args->name, "sites", list));
}

static void site_text(const json_t *s, FILE *to)
{
	const char *place = look_get_text(s, "place"), *cpus = look_get_text(s, "cpus"), *nodes = look_get_text(s, "nodes");
	unsigned long long count = look_get(s, "count"), waste = look_get(s, "waste");
	unsigned long long min = look_get(s, "age_min"), pid = look_get(s, "pid_min"), to_pid = look_get(s, "pid_max");
	const json_t *stack = json_object_get(s, "stack");
	json_t *f;
	size_t i;

	fprintf(to, "%7llu %s", count, *place ? place : "<not-available>");
	if (waste)
		fprintf(to, " waste=%llu/%llu", count * waste, waste);
	if (look_get(s, "age_sum") != min)
		fprintf(to, " age=%llu/%llu/%llu", min, (unsigned long long)look_get(s, "age_avg"),
			(unsigned long long)look_get(s, "age_max"));
	else
		fprintf(to, " age=%llu", min);
	fprintf(to, pid == to_pid ? " pid=%llu" : " pid=%llu-%llu", pid, to_pid);
	if (*cpus)
		fprintf(to, " cpus=%s", cpus);
	if (*nodes)
		fprintf(to, " nodes=%s", nodes);
	fputc('\n', to);
	json_array_foreach(stack, i, f)
		fprintf(to, "        %s\n", json_string_value(f));
	if (json_array_size(stack))
		fputc('\n', to);
}

static void traces_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *sites = json_object_get(model, "sites");
	json_t *s;
	size_t i;

	(void)args;
	if (!json_array_size(sites))
		fputs("No data\n", to);
	json_array_foreach(sites, i, s)
		site_text(s, to);
}

static json_t *alloc_model(struct lab *lab, const struct view_args *args)
{
	return traces_model(lab, args, "alloc_traces", false);
}

static json_t *free_model(struct lab *lab, const struct view_args *args)
{
	return traces_model(lab, args, "free_traces", true);
}

const struct view view_alloc_traces = {
	.name = "alloc_traces",
	.summary = "who allocated the objects that are out, most first",
	.usage = "CACHE",
	.model = alloc_model,
	.text = traces_text,
};

const struct view view_free_traces = {
	.name = "free_traces",
	.summary = "who freed the objects that are out the last time, most first",
	.usage = "CACHE",
	.model = free_model,
	.text = traces_text,
};
