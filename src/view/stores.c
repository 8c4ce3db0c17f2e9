/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stores - who owns slab pages: the stores that serve caches, and those that
 * drain, with what still pins them.
 *
 * Units. age in ops since the store was made; memory in bytes.
 */
#include "view/flow.h"
#include "base/units.h"
#include "view/list.h"
#include "view/pin.h"
#include "view/storeline.h"
#include "view/table.h"

#include <string.h>

struct of_store {
	uint32_t store;
};

static bool member_of_store(struct lab *lab, const struct member *m, void *arg)
{
	const struct of_store *of = arg;
	struct page_place p;
	uint64_t off;

	if (m->kind == MEMBER_SHEAF) {
		struct held_place held;
		struct store_figures s;

		return !held_place(lab, m->off, &held) && !store_figures(lab, of->store, &s) && s.serial == held.store_serial;
	}
	return member_is_object(lab, m, &off) &&
	       !page_place(lab, (pfn_t)((off - lab->arena_off) >> PAGE_SHIFT), &p) &&
	       p.role == PAGE_SLAB && p.store == of->store;
}

static json_t *stores_model(struct lab *lab, const struct view_args *args)
{
	json_t *active, *draining;
	uint32_t cursor = 0, store;

	if (look_begin(lab, args, "stores", 0))
		return NULL;
	active = json_array();
	draining = json_array();
	while ((store = store_next(lab, &cursor))) {
		json_t *o = store_object(lab, store);
		bool drains = !strcmp(look_get_text(o, "state"), "draining");
		struct of_store of = { store };

		if (drains)
			pins_fill(lab, o, member_of_store, &of);
		json_array_append_new(drains ? draining : active, o);
	}
	return look_end(lab, json_pack("{s:o,s:o}", "active", active, "draining", draining));
}

/* "a, b, c and 4 more" */
static const char *names_join(const json_t *names, char *buf, size_t size)
{
	size_t nr = json_array_size(names), at = 0, i;

	buf[0] = 0;
	for (i = 0; i < nr && i < 3 && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "",
				       json_string_value(json_array_get(names, i)));
	if (nr > i && at < size)
		snprintf(buf + at, size - at, " and %zu more", nr - i);
	return buf;
}

/* Without a slab, of caches that came with the lab: text only counts these. */
static bool is_idle(const json_t *s)
{
	return !look_get(s, "slabs") && json_is_true(json_object_get(s, "starts_up"));
}

static void active_text(const json_t *stores, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = {
		"store", "age ops", "size B", "order", "slabs", "objects", "of", "memory B",
	};
	struct table t = { 0 };
	size_t i, idle = 0;
	char buf[512];
	json_t *s;

	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	table_column(&t, TABLE_LEFT, "caches");
	json_array_foreach(stores, i, s) {
		if (is_idle(s)) {
			idle++;
			continue;
		}
		table_cell(&t, "#%llu", (unsigned long long)look_get(s, "store"));
		table_count(&t, look_get(s, "age_ops"));
		table_cell(&t, "%llu", (unsigned long long)look_get(s, "size"));
		table_cell(&t, "%llu", (unsigned long long)look_get(s, "order"));
		table_count(&t, look_get(s, "slabs"));
		table_count(&t, look_get(s, "objects"));
		table_count(&t, look_get(s, "total_objects"));
		table_bytes(&t, look_get(s, "pages") * PAGE_SIZE);
		table_cell(&t, "%s", names_join(json_object_get(s, "caches"), buf, sizeof(buf)));
	}
	table_print(&t, args, to);
	json_array_foreach(stores, i, s) {
		snprintf(buf, sizeof(buf), "#%llu: ", (unsigned long long)look_get(s, "store"));
		waiting_text(s, buf, to);
	}
	if (idle)
		fprintf(to, "%zu more stand empty; they are of caches that came with the lab\n", idle);
}

static void draining_text(const json_t *stores, const struct view_args *args, FILE *to)
{
	char words[128], line[512];
	json_t *s, *p;
	size_t i, k;

	json_array_foreach(stores, i, s) {
		const json_t *pins = json_object_get(s, "pinned_by");
		uint64_t held = look_get(s, "held_members"), pages = look_get(s, "pages");
		struct flow f;

		flow_begin(&f, args, to, "%s", "");
		flow_unbroken_off_screen(&f, args);
		f.indent = 2;
		flow_means(&f, MEANS_DRAINING);
		flow_word(&f, "draining");
		snprintf(line, sizeof(line), "#%llu of %s, %llu ops old: %s, %llu page%s pinned", (unsigned long long)look_get(s, "store"),
			 look_get_text(s, "name"), (unsigned long long)look_get(s, "age_ops"), store_words(s, words, sizeof(words)),
			 (unsigned long long)pages, plural(pages));
		flow_sentence(&f, MEANS_PLAIN, line);
		flow_end(&f);
		waiting_text(s, "  ", to);
		if (!held)
			continue;
		flow_begin(&f, args, to, "  pinned by ");
		json_array_foreach(pins, k, p) {
			if (k == 16)
				break;
			flow_word(&f, "%s[%llu]", look_get_text(p, "handle"),
				  (unsigned long long)look_get(p, "index"));
		}
		if (held > k)
			flow_word(&f, "and %llu more", (unsigned long long)(held - k));
		flow_end(&f);
	}
}

static void stores_text(const json_t *model, const struct view_args *args, FILE *to)
{
	active_text(json_object_get(model, "active"), args, to);
	draining_text(json_object_get(model, "draining"), args, to);
}

const struct view view_stores = {
	.name = "stores",
	.summary = "who owns slab pages: stores in use and stores that drain, with what pins them",
	.usage = "",
	.model = stores_model,
	.text = stores_text,
};
