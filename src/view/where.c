/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * where - the place of an object, a page or an address.
 *
 * Of a handle: one entry for each live member. Of a place: one entry that
 * says what the page is part of, on which list and how far from its head, and
 * which handle's member holds it. A bare number is a page frame where the lab
 * has such a page, else an address; pfn:N and addr:N say which.
 *
 * Units. address is the offset in the arena in bytes; pfn counts pages;
 * position counts from a list's head, 0 first.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/report.h"
#include "view/table.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/units.h"
#include "lab/handle.h"
#include "slab/read.h"

static const char *zone_name_of(struct lab *lab, unsigned int zone)
{
	struct zone_figures z;

	zone_figures(lab, zone, false, &z);
	return zone_kind_names[z.kind];
}

static pfn_t pfn_of(const struct lab *lab, uint64_t off)
{
	return (pfn_t)((off - lab->arena_off) >> PAGE_SHIFT);
}

/* The block of pages that an offset lies in. */
static void page_fill(struct lab *lab, uint64_t off, json_t *o)
{
	struct page_place p;

	if (page_place(lab, pfn_of(lab, off), &p))
		return;
	look_set(o, "pfn", p.head);
	look_set(o, "order", p.order);
	look_set(o, "node", p.node);
	look_set_text(o, "zone", zone_name_of(lab, p.zone));
	look_set_text(o, "type", mtype_name(p.block_type));
}

/* The slab that an object lies in, and on which list that is. */
static void slab_fill(const struct object_place *p, json_t *o)
{
	static const char *const lists[] = {
		[SLAB_UNLISTED] = "none", [SLAB_OF_CPU] = "cpu", [SLAB_ON_CHAIN] = "chain",
		[SLAB_ON_NODE] = "partial", [SLAB_ON_FULL] = "full", [SLAB_ON_FREE] = "free",
	};

	look_set(o, "slab", p->slab);
	look_set(o, "node", p->node);
	look_set(o, "store", p->store_serial);
	look_set(o, "pfn", p->slab_pfn);
	look_set(o, "objects", p->objects);
	look_set_text(o, "list", lists[p->list]);
	if (p->list == SLAB_OF_CPU || p->list == SLAB_ON_CHAIN)
		look_set(o, "list_cpu", p->list_cpu);
	if (p->list >= SLAB_ON_CHAIN)
		look_set(o, "list_position", p->list_position);
}

/* A filler's page; where it is depends on what reclaim and compaction did. */
static void lru_fill(struct lab *lab, const struct member *m, json_t *o)
{
	struct lru_place p;

	if (lru_place(lab, m->off, &p))
		return;
	look_set_text(o, "filler", p.file ? "file" : "anon");
	look_set_text(o, "state", p.resident ? "resident" : "evicted");
	json_object_set_new(o, "dirty", json_boolean(p.dirty));
	if (!p.resident) {
		json_object_set_new(o, "address", json_null());
		return;
	}
	look_set_text(o, "lru", p.active ? "active" : "inactive");
	json_object_set_new(o, "referenced", json_boolean(p.referenced));
	look_set(o, "born", p.born);
	look_set(o, "touched", p.touched);
	page_fill(lab, lab->arena_off + ((uint64_t)p.pfn << PAGE_SHIFT), o);
	look_set(o, "address", (uint64_t)p.pfn << PAGE_SHIFT);
}

/* Whether reclaim may free it; true if it did. */
static bool cached_fill(struct lab *lab, const struct member *m, json_t *o)
{
	struct cached_place p;

	if (cached_place(lab, m->off, &p))
		return true;
	look_set_text(o, "cached", !p.off ? "shrunk" : p.referenced ? "referenced" : "yes");
	if (p.off)
		return false;
	if (p.cache != CACHE_NONE)
		look_set_text(o, "cache", cache_name(lab, p.cache));
	json_object_set_new(o, "address", json_null());
	return true;
}

/* A prefilled sheaf lies in side memory, on no page of the arena. */
static void sheaf_fill(struct lab *lab, const struct member *m, json_t *o)
{
	struct held_place p;

	if (held_place(lab, m->off, &p))
		return;
	look_set_text(o, "state", "prefilled sheaf");
	look_set_text(o, "cache", cache_name(lab, p.cache));
	look_set(o, "store", p.store_serial);
	look_set(o, "sheaf_objects", p.objects);
	look_set(o, "sheaf_capacity", p.capacity);
	json_object_set_new(o, "address", json_null());
}

/* With letter U. */
static void user_fill(struct lab *lab, uint64_t off, const struct object_place *p, json_t *o)
{
	uint64_t user = debug_last_user(lab, off, p->where == OBJECT_OUT);

	if (user)
		look_set_text(o, "last_user", debug_text(lab, user));
}

static json_t *member_object(struct lab *lab, const char *handle, uint32_t index, const struct member *m)
{
	json_t *o = json_object();
	struct object_place p;
	uint64_t off = 0;

	look_set(o, "index", index);
	if (handle)
		look_set_text(o, "handle", handle);
	if (m->kind == MEMBER_LRU) {
		lru_fill(lab, m, o);
		return o;
	}
	if (m->kind == MEMBER_SHEAF) {
		sheaf_fill(lab, m, o);
		return o;
	}
	if (m->kind == MEMBER_CACHED && cached_fill(lab, m, o))
		return o;
	if (member_is_object(lab, m, &off) && !object_place(lab, off, &p)) {
		slab_fill(&p, o);
		look_set(o, "object", p.index);
		user_fill(lab, off, &p, o);
		if (m->cache != CACHE_NONE)
			look_set_text(o, "cache", cache_name(lab, m->cache));
	} else {
		off = m->off;
		page_fill(lab, off, o);
	}
	look_set(o, "address", off - lab->arena_off);
	return o;
}

static json_t *members_array(struct lab *lab, const char *handle, const struct member *members,
			     const uint32_t *indexes, unsigned int n)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < n; i++)
		if (members[i].off)
			json_array_append_new(list, member_object(lab, handle, indexes ? indexes[i] : i,
								  &members[i]));
	return list;
}

json_t *view_where_members(struct lab *lab, const char *handle, const struct member *members,
			   const uint32_t *indexes, unsigned int n)
{
	if (look_begin(lab, NULL, "where", 1))
		return NULL;
	return look_end(lab, members_array(lab, handle, members, indexes, n));
}

/* ---- of a place ---- */

/* "pfn:0x1a8", "addr:4096" or a bare number, as an offset of the region. */
static int place_parse(const struct lab *lab, const char *word, uint64_t *off, bool *is_pfn)
{
	uint64_t n, pages = lab->arena_bytes >> PAGE_SHIFT;
	bool pfn = !strncmp(word, "pfn:", 4), addr = !strncmp(word, "addr:", 5);
	int ret = parse_u64(word + (pfn ? 4 : addr ? 5 : 0), &n);

	/* as dmesg prints them: the direct map, and the page array */
	if (!ret && !pfn && n >= KERNEL_MAP && n - KERNEL_MAP < lab->arena_bytes) {
		addr = true;
		n -= KERNEL_MAP;
	} else if (!ret && !addr && n >= KERNEL_PAGES && (n - KERNEL_PAGES) / 64 < pages && !(n % 64)) {
		pfn = true;
		n = (n - KERNEL_PAGES) / 64;
	}
	if (ret)
		return fail(EINVAL, "\"%s\" is neither a handle nor a place (pfn:N, addr:N or a number)",
			    word);
	*is_pfn = pfn || (!addr && n < pages);
	if (n >= (*is_pfn ? pages : lab->arena_bytes))
		return fail(EINVAL, "%s lies outside the lab (%llu pages, %llu bytes)", word,
			    (unsigned long long)pages, (unsigned long long)lab->arena_bytes);
	*off = lab->arena_off + (*is_pfn ? n << PAGE_SHIFT : n);
	return 0;
}

static void free_page_fill(const struct page_place *p, json_t *o)
{
	if (p->role == PAGE_ON_PCP) {
		look_set(o, "list_cpu", p->cpu);
		look_set_text(o, "list_type", pcp_list_type(p->list));
	}
	if (p->role == PAGE_ON_PCP || p->role == PAGE_BUDDY || p->role == PAGE_DELAYED)
		look_set(o, "list_position", p->position);
}

/* Whose it is, with slab.owner_map. */
static void owner_fill(struct lab *lab, uint64_t off, json_t *o)
{
	uint32_t cache;
	bool is_out;

	if (object_owner(lab, off, &cache, &is_out))
		look_set_text(o, is_out ? "owner" : "last_owner", cache_name(lab, cache));
}

/* The object that an address lies in: out, or free and on whose list. */
static void object_fill(const struct object_place *p, json_t *o)
{
	static const char *const states[] = {
		[OBJECT_OUT] = "out", [OBJECT_ON_CPU] = "free on a CPU", [OBJECT_ON_SLAB] = "free in its slab",
	};

	look_set(o, "object", p->index);
	look_set_text(o, "state", states[p->where]);
	if (p->where == OBJECT_ON_CPU)
		look_set(o, "cpu", p->cpu);
	if (p->where != OBJECT_OUT)
		look_set(o, "position", p->position);
}

/* Is this member the object or block that lies there? */
static bool is_member_at(struct lab *lab, const struct member *m, const struct page_place *page,
			 const struct object_place *object)
{
	struct object_place p;
	struct lru_place filled;
	uint64_t off = m->off;
	pfn_t pfn;

	if (m->kind == MEMBER_LRU)
		return !lru_place(lab, m->off, &filled) && filled.resident && filled.pfn == page->head;
	if (m->kind == MEMBER_SHEAF)
		return false;
	if (m->kind == MEMBER_CACHED && !member_is_object(lab, m, &off))
		return false;
	pfn = pfn_of(lab, off);
	if (pfn < page->head || pfn - page->head >= 1u << page->order)
		return false;
	if (!object)
		return true;
	return member_is_object(lab, m, &off) && !object_place(lab, off, &p) && p.index == object->index;
}

static void holder_fill(struct lab *lab, const struct page_place *page,
			const struct object_place *object, json_t *o)
{
	uint64_t cursor = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor))) {
		const struct member *m = handle_members(lab, h);

		for (uint32_t i = 0; i < h->nr && h->live; i++)
			if (m[i].off && is_member_at(lab, &m[i], page, object)) {
				look_set_text(o, "handle", h->name);
				look_set(o, "index", i);
				return;
			}
	}
}

static json_t *place_object(struct lab *lab, uint64_t off, bool is_pfn)
{
	json_t *o = json_object();
	struct object_place object;
	struct page_place page;
	bool in_slab;

	if (page_place(lab, pfn_of(lab, off), &page))
		return o;
	in_slab = page.role == PAGE_SLAB && !object_place(lab, off, &object);
	look_set(o, "address", off - lab->arena_off);
	look_set_text(o, "role", look_role(page.role));
	page_fill(lab, off, o);
	free_page_fill(&page, o);
	if (in_slab)
		slab_fill(&object, o);
	look_set(o, "pfn", pfn_of(lab, off));
	look_set(o, "head", page.head);
	if (in_slab && !is_pfn) {
		object_fill(&object, o);
		owner_fill(lab, off, o);
		user_fill(lab, off, &object, o);
	}
	if ((in_slab && !is_pfn && object.where == OBJECT_OUT) || page.role == PAGE_ALLOCATED ||
	    page.role == PAGE_LARGE || page.role == PAGE_LRU)
		holder_fill(lab, &page, in_slab ? &object : NULL, o);
	return o;
}

static json_t *where_model(struct lab *lab, const struct view_args *args)
{
	struct handle *h;
	json_t *list;
	bool is_pfn = false;
	uint64_t off = 0;

	if (!args->name) {
		fail(EINVAL, "which handle, pfn or address?");
		return NULL;
	}
	if (look_begin(lab, args, "where", 1))
		return NULL;
	h = handle_find(lab, args->name);
	if (h && !h->live) {
		fail(ENOENT, "every member of %s was freed", h->name);
		return look_end(lab, NULL);
	}
	if (h)
		return look_end(lab, members_array(lab, h->name, handle_members(lab, h), NULL, h->nr));
	if (place_parse(lab, args->name, &off, &is_pfn))
		return look_end(lab, NULL);
	list = json_array();
	json_array_append_new(list, place_object(lab, off, is_pfn));
	return look_end(lab, list);
}

/* ---- text ---- */

/* "partial list of node 0, place 2" */
static void list_cell(struct table *t, const json_t *o)
{
	const char *list = look_get_text(o, "list"), *type = look_get_text(o, "list_type");
	unsigned long long cpu = look_get(o, "list_cpu"), place = look_get(o, "list_position");

	if (*look_get_text(o, "lru"))
		table_cell(t, "%s %s list", look_get_text(o, "lru"), look_get_text(o, "filler"));
	else if (!strcmp(list, "cpu"))
		table_cell(t, "cpu%llu's slab", cpu);
	else if (!strcmp(list, "chain"))
		table_cell(t, "cpu%llu's partial list, place %llu", cpu, place);
	else if (!strcmp(list, "partial"))
		table_cell(t, "node %llu's partial list, place %llu",
			   (unsigned long long)look_get(o, "node"), place);
	else if (!strcmp(list, "none"))
		table_cell(t, "no list");
	else if (*type)
		table_cell(t, "cpu%llu's list of order %llu %s, place %llu", cpu,
			   (unsigned long long)look_get(o, "order"), type, place);
	else if (json_object_get(o, "list_position"))
		table_cell(t, "buddy list of order %llu, place %llu",
			   (unsigned long long)look_get(o, "order"), place);
	else
		table_cell(t, "%s", "");
}

static void name_cell(struct table *t, const json_t *o)
{
	if (json_object_get(o, "handle"))
		table_cell(t, "%s[%llu]", look_get_text(o, "handle"), (unsigned long long)look_get(o, "index"));
	else if (json_object_get(o, "index"))
		table_cell(t, "[%llu]", (unsigned long long)look_get(o, "index"));
	else
		table_cell(t, "%s", "");
}

/* "S3 object 5 of 16 (foo #7)" or "order 2 Movable" */
static void what_cell(struct table *t, const json_t *o)
{
	unsigned long long slab = look_get(o, "slab"), object = look_get(o, "object");

	if (!strcmp(look_get_text(o, "cached"), "shrunk")) {
		table_cell(t, "freed by a shrinker");
		return;
	}
	if (!strcmp(look_get_text(o, "state"), "evicted")) {
		table_cell(t, "%s page", look_get_text(o, "filler"));
		return;
	}
	if (json_object_get(o, "sheaf_capacity")) {
		table_cell(t, "%llu of %llu objects of #%llu", (unsigned long long)look_get(o, "sheaf_objects"),
			   (unsigned long long)look_get(o, "sheaf_capacity"), (unsigned long long)look_get(o, "store"));
		return;
	}
	if (!json_object_get(o, "slab")) {
		table_means(t, meaning_of_type(look_get_text(o, "type")));
		table_cell(t, "order %llu %s", (unsigned long long)look_get(o, "order"), look_get_text(o, "type"));
	} else if (json_object_get(o, "object")) {
		const char *user = look_get_text(o, "last_user");

		table_cell(t, "S%llu of #%llu, object %llu of %llu%s%s", slab,
			   (unsigned long long)look_get(o, "store"), object,
			   (unsigned long long)look_get(o, "objects"), *user ? ", last used by " : "", user);
	} else {
		table_cell(t, "S%llu of #%llu", slab, (unsigned long long)look_get(o, "store"));
	}
}

static void state_cell(struct table *t, const json_t *o)
{
	const char *state = look_get_text(o, "state"), *role = look_get_text(o, "role");
	const char *cache = look_get_text(o, "cache"), *cached = look_get_text(o, "cached");

	if (!strcmp(state, "free on a CPU"))
		table_cell(t, "free on cpu%llu, place %llu", (unsigned long long)look_get(o, "cpu"),
			   (unsigned long long)look_get(o, "position"));
	else if (json_object_get(o, "position"))
		table_cell(t, "%s, place %llu", state, (unsigned long long)look_get(o, "position"));
	else if (*look_get_text(o, "owner"))
		table_cell(t, "%s of %s", state, look_get_text(o, "owner"));
	else if (*cached)
		table_cell(t, "%s%s%s", *cache ? cache : "of no cache any more", strcmp(cached, "shrunk") ? ", cached" : "",
			   strcmp(cached, "referenced") ? "" : ", referenced");
	else
		table_cell(t, "%s", *state ? state : *role ? role : *cache ? cache : json_object_get(o, "slab") ? "slab" : "pages");
}

static void where_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "member", "is", "what", "page", "address", "node", "list" };
	struct table t = { 0 };
	size_t i;
	json_t *o;

	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, i >= 3 && i <= 5 ? TABLE_RIGHT : TABLE_LEFT, "%s", titles[i]);
	json_array_foreach(model, i, o) {
		name_cell(&t, o);
		state_cell(&t, o);
		what_cell(&t, o);
		if (json_is_null(json_object_get(o, "address"))) {
			for (unsigned int c = 0; c < 4; c++)
				table_cell(&t, "%s", c < 3 ? "-" : "");
			continue;
		}
		table_cell(&t, "0x%llx", (unsigned long long)look_get(o, "pfn"));
		table_cell(&t, "0x%llx", (unsigned long long)look_get(o, "address"));
		table_cell(&t, "%llu", (unsigned long long)look_get(o, "node"));
		list_cell(&t, o);
	}
	table_print(&t, args, to);
}

const struct view view_where = {
	.name = "where",
	.summary = "the place of a handle's members, of a page or of an address",
	.usage = "HANDLE|PFN|ADDRESS",
	.model = where_model,
	.text = where_text,
};
