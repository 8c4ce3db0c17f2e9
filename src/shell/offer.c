/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nothing here changes the lab or its random state; figures are read as `get`
 * reads them.
 */
#include "shell/offer.h"

#include <string.h>

#include "base/gfp.h"
#include "base/units.h"
#include "event/trace.h"
#include "op/named.h"
#include "op/op.h"
#include "policy/preset.h"
#include "view/figure.h"
#include "view/look.h"
#include "work/workload.h"

#define MANY 200		/* candidates that no screen has lines for: they get no hint */
#define MEMBERS_SHOWN 16	/* of a handle; slices stand for the rest */

/* ---- words that are always the same ---- */

void offer_words(const struct offer *o, const char *const *words)
{
	for (; *words; words++)
		candidates_add(o->to, *words, false, "%s", "");
}

void offer_gfp(const struct offer *o)
{
	uint32_t bits;

	for (size_t i = 0; gfp_word(i); i++)
		if (!gfp_parse(gfp_word(i), strlen(gfp_word(i)), &bits))
			candidates_add(o->to, gfp_word(i), false, "0x%x", bits);
}

void offer_cache_flags(const struct offer *o)
{
	for (unsigned int i = 0; i < CF_WORDS; i++)
		candidates_add(o->to, cache_flag_words[i], false, "%s", "");
}

void offer_mtypes(const struct offer *o)
{
	static const char *const types[] = { "unmovable", "movable", "reclaimable", NULL };

	offer_words(o, types);
}

void offer_orders(const struct offer *o)
{
	char order[8], bytes[24];

	for (unsigned int i = 0; i < NR_PAGE_ORDERS; i++) {
		snprintf(order, sizeof(order), "%u", i);
		candidates_add(o->to, order, false, "%u page%s, %s", 1u << i, i ? "s" : "",
			       format_bytes((uint64_t)PAGE_SIZE << i, bytes, sizeof(bytes)));
	}
}

void offer_shape(const struct offer *o)
{
	static const struct { const char *word, *text; } keys[] = {
		{ "mem=", "memory in all" }, { "cpus=", "CPUs" }, { "nodes=", "nodes that memory and CPUs are split among" },
		{ "possible=", "CPU numbers, where there are more than CPUs" }, { "zones=", "NAME:SIZE joined by +" },
		{ "pageblock_order=", "order of a pageblock" }, { "seed=", "where random choices begin" },
		{ "layout=flat", "one zone Normal a node" }, { "layout=x86_64", "DMA, DMA32, Normal" },
		{ "clock=virtual", "time moves with the ops" }, { "clock=real", "time is the host's" },
	};

	for (unsigned int i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		candidates_add(o->to, keys[i].word, true, "%s", keys[i].text);
}

void offer_events(const struct offer *o)
{
	for (unsigned int i = 0; i < EV_NR; i++)
		candidates_add(o->to, event_table[i].name, false, "%s", event_table[i].text);
}

void offer_traced(const struct offer *o)
{
	for (unsigned int e = 0; e < TP_END; e++)
		candidates_add(o->to, trace_name(e), false, "%s", trace_text(e));
}

static bool is_given(const char *key, char *const *words, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strncmp(words[i], key, strlen(key)))
			return true;
	return false;
}

void offer_work_keys(const struct offer *o, const char *workload, char *const *words, unsigned int nr)
{
	char key[64];

	for (unsigned int i = 0; workload && i < workload_nr; i++) {
		const struct workload *w = workload_table[i];

		if (strcmp(w->name, workload))
			continue;
		for (unsigned int k = 0; k < workload_keys(w); k++) {
			snprintf(key, sizeof(key), "%s=", w->keys[k].name);
			if (!is_given(key, words, nr))
				candidates_add(o->to, key, true, "%s (default: %llu)", w->keys[k].text,
					       (unsigned long long)w->keys[k].def);
		}
	}
}

/* ---- of the lab's shape ---- */

void offer_nodes(const struct offer *o)
{
	char node[16];

	for (unsigned int i = 0; o->lab && i < o->lab->nr_nodes; i++) {
		snprintf(node, sizeof(node), "%u", i);
		candidates_add(o->to, node, false, "node %u", i);
	}
}

void offer_cpus(const struct offer *o)
{
	char cpu[16];

	for (unsigned int i = 0; o->lab && i < o->lab->nr_cpus; i++) {
		snprintf(cpu, sizeof(cpu), "%u", i);
		candidates_add(o->to, cpu, false, "CPU of node %u%s", shape_cpu_node(&o->lab->hdr->shape, i),
			       look_online(o->lab, i) ? "" : ", offline");
	}
}

/* zone.N0.Normal.managed → N0.Normal */
static int offer_zone(const char *path, const struct figure_value *v, void *arg)
{
	const struct offer *o = arg;
	char name[64];
	size_t len = strlen(path) - strlen("zone.") - strlen(".managed");

	if (len >= sizeof(name))
		return 0;
	memcpy(name, path + strlen("zone."), len);
	name[len] = 0;
	candidates_add(o->to, name, false, "a zone of %s pages", v->text);
	return 0;
}

void offer_zones(const struct offer *o)
{
	if (o->lab)
		figure_glob(o->lab, "zone.*.managed", offer_zone, (void *)o);
}

void offer_labs(const struct offer *o)
{
	char shape[512];

	for (unsigned int i = 0; i < o->sh->labs.nr; i++) {
		struct lab *lab = o->sh->labs.v[i].lab;

		candidates_add(o->to, lab->name, false, "%s%s", i == o->sh->labs.current ? "current; " : "",
			       shape_print(&lab->hdr->shape, shape, sizeof(shape)));
	}
}

void offer_snapshots(const struct offer *o)
{
	char time[32];

	for (const struct named_snapshot *s = o->lab ? o->lab->snapshots : NULL; s; s = s->next)
		candidates_add(o->to, s->name, false, "the lab at %s, after %llu ops",
			       format_ns(s->time_ns, time, sizeof(time)), (unsigned long long)s->ops);
}

void offer_presets(const struct offer *o)
{
	for (unsigned int i = 0; i < PRESETS; i++)
		candidates_add(o->to, preset_name(preset_at(i)), false, "%s", preset_summary(preset_at(i)));
}

/* ---- caches ---- */

static const char *figure_of_cache(struct lab *lab, const char *cache, const char *what, struct figure_value *v)
{
	char path[FIGURE_TEXT_MAX + 64];

	snprintf(path, sizeof(path), "cache.%s.%s", cache, what);
	return figure_read(lab, path, v) ? "?" : v->text;
}

static void each_cache(const struct offer *o, const char *begins,
		       int (*fn)(const char *path, const struct figure_value *v, void *offer))
{
	char glob[FIGURE_TEXT_MAX];

	if (!o->lab || strchr(begins, '*'))
		return;
	snprintf(glob, sizeof(glob), "cache.%s*.store", begins);
	figure_glob(o->lab, glob, fn, (void *)o);
}

static int offer_cache(const char *path, const struct figure_value *v, void *arg)
{
	const struct offer *o = arg;
	struct figure_value size, used;
	char name[FIGURE_TEXT_MAX];

	(void)v;
	if (!figure_cache_name(path, name, sizeof(name)))
		return 0;
	if (o->to->nr >= MANY)
		candidates_add(o->to, name, false, "%s", "");
	else
		candidates_add(o->to, name, false, "%s bytes, %s objects out",
			       figure_of_cache(o->lab, name, "object_size", &size),
			       figure_of_cache(o->lab, name, "objects", &used));
	return 0;
}

void offer_caches(const struct offer *o)
{
	each_cache(o, o->to->typed, offer_cache);
}

/* ---- handles ---- */

#define LARGE_BLOCK 8		/* beside enum member_kind: an object of no cache */
#define KIND(kind) (1u << (kind))
#define KINDS_ALL (~0u)

unsigned int offer_kinds(const char *const *words)
{
	static const struct { const char *word; unsigned int kinds; } of[] = {
		{ "OBJECTS", KIND(MEMBER_OBJECT) | KIND(LARGE_BLOCK) }, { "CACHE_OBJECTS", KIND(MEMBER_OBJECT) },
		{ "PAGES", KIND(MEMBER_PAGES) }, { "FILLERS", KIND(MEMBER_LRU) }, { "CACHED", KIND(MEMBER_CACHED) },
		{ "SHEAVES", KIND(MEMBER_SHEAF) },
	};
	unsigned int kinds = 0;

	for (; words && *words; words++)
		for (unsigned int i = 0; i < sizeof(of) / sizeof(*of); i++)
			kinds |= strcmp(*words, of[i].word) ? 0 : of[i].kinds;
	return kinds;
}

/* Live, and of one of these kinds. */
static bool is_taken(const struct member *m, unsigned int kinds)
{
	unsigned int kind = m->kind == MEMBER_OBJECT && !m->cache ? LARGE_BLOCK : m->kind;

	return m->off && kinds & KIND(kind);
}

static uint32_t count_taken(const struct offer *o, const struct handle *h, unsigned int kinds)
{
	const struct member *m = handle_members(o->lab, h);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < h->nr; i++)
		nr += is_taken(&m[i], kinds);
	return nr;
}

static void offer_slices(const struct offer *o, struct handle *h, unsigned int kinds)
{
	static const struct { const char *slice, *text; } slices[] = {
		{ "[::2]", "every other" }, { "[::-1]", "all, the last first" }, { "[~50%]", "a random half of what is live" },
	};
	char word[HANDLE_NAME + 24];
	unsigned int shown = 0;

	for (uint32_t i = 0; i < h->nr && shown < MEMBERS_SHOWN; i++) {
		if (!is_taken(&handle_members(o->lab, h)[i], kinds))
			continue;
		snprintf(word, sizeof(word), "%s[%u]", h->name, i);
		candidates_add(o->to, word, false, "live");
		shown++;
	}
	if (count_taken(o, h, kinds) < h->live)
		return;			/* these would name some that are not taken */
	for (unsigned int i = 0; i < sizeof(slices) / sizeof(*slices); i++) {
		snprintf(word, sizeof(word), "%s%s", h->name, slices[i].slice);
		candidates_add(o->to, word, false, "%s", slices[i].text);
	}
}

/* One of them, and several. */
static const char *const kind_words[][2] = {
	[MEMBER_OBJECT] = { "an object", "objects" },
	[MEMBER_PAGES]  = { "a block of order %u", "blocks" },
	[MEMBER_LRU]    = { "a page of a filler", "pages of a filler" },
	[MEMBER_CACHED] = { "a cached object", "cached objects" },
	[MEMBER_SHEAF]  = { "a prefilled sheaf", "prefilled sheaves" },
};

static void offer_handle(const struct offer *o, struct handle *h)
{
	const struct member *m = handle_members(o->lab, h), *first = NULL;
	bool alike = true;

	for (uint32_t i = 0; i < h->nr; i++) {
		if (!m[i].off)
			continue;
		first = first ? first : &m[i];
		alike = alike && m[i].kind == first->kind;
	}
	if (h->nr == 1)
		candidates_add(o->to, h->name, false, kind_words[first->kind][0], first->order);
	else
		candidates_add(o->to, h->name, false, "%u of %u %s live", h->live, h->nr, alike ? kind_words[first->kind][1] : "members");
}

/* As a whole, or, where only some of its members are taken, with a choice among them to come. */
static void offer_name(const struct offer *o, struct handle *h, unsigned int kinds)
{
	uint32_t taken = count_taken(o, h, kinds);
	char word[HANDLE_NAME + 2];

	if (taken == h->live) {
		offer_handle(o, h);
	} else if (taken) {
		snprintf(word, sizeof(word), "%s[", h->name);
		candidates_add(o->to, word, true, "%u of its %u live members", taken, h->live);
	}
}

void offer_handles(const struct offer *o, unsigned int kinds)
{
	const char *bracket = strchr(o->to->typed, '[');
	uint64_t cursor = 0;
	struct handle *h;

	kinds = kinds ? kinds : KINDS_ALL;
	while (o->lab && (h = handle_next(o->lab, &cursor))) {
		if (!h->live)
			continue;
		if (!bracket)
			offer_name(o, h, kinds);
		else if (!strncmp(h->name, o->to->typed, (size_t)(bracket - o->to->typed)) &&
			 !h->name[bracket - o->to->typed])
			offer_slices(o, h, kinds);
	}
}

/* ---- figures and policies ---- */

static int offer_path(const char *path, const struct figure_value *v, void *arg)
{
	const struct offer *o = arg;

	candidates_add_dotted(o->to, path, "%.60s", v->text);
	return 0;
}

/* cache.NAME. */
static int offer_cache_group(const char *path, const struct figure_value *v, void *arg)
{
	const struct offer *o = arg;
	char group[FIGURE_TEXT_MAX];

	(void)v;
	snprintf(group, sizeof(group), "%.*s", (int)(strlen(path) - strlen("store")), path);
	if (strcmp(group, o->to->typed))
		candidates_add(o->to, group, true, "a cache");
	return 0;
}

/* The first parts of paths, without a walk through all that is below them. */
static void offer_families(const struct offer *o)
{
	static const struct { const char *part, *text; } families[] = {
		{ "cache.", "a cache, and its own policies" }, { "event.", "counters of the whole lab" },
		{ "frag.", "fragmentation" }, { "lab.", "the lab" }, { "pcp.", "page lists of CPUs, and their policies" },
		{ "replay.", "the last replay" }, { "run.", "the last workload" }, { "zone.", "zones, and their policies" },
	};
	unsigned int n = sizeof(families) / sizeof(*families);

	for (unsigned int i = 0; i < n; i++)
		candidates_add(o->to, families[i].part, true, "%s", families[i].text);
	for (unsigned int p = 0; p < policy_nr; p++) {
		const char *name = policy_table[p].name;
		unsigned int i = 0;

		while (i < n && strncmp(families[i].part, name, strlen(families[i].part)))
			i++;
		if (i == n)
			candidates_add_dotted(o->to, name, "%s", policy_table[p].text);
	}
}

void offer_paths(const struct offer *o)
{
	const char *typed = o->to->typed, *dot = strchr(typed, '.');
	char glob[FIGURE_TEXT_MAX];

	if (!o->lab || strchr(typed, '*'))
		return;
	if (!dot) {
		offer_families(o);
	} else if (!strncmp(typed, "cache.", strlen("cache.")) && !strchr(dot + 1, '.')) {
		each_cache(o, dot + 1, offer_cache_group);
	} else {
		snprintf(glob, sizeof(glob), "%s*", typed);
		figure_glob(o->lab, glob, offer_path, (void *)o);
	}
}

static void offer_policies_of(const struct offer *o, const char *name, uint32_t cache)
{
	char full[FIGURE_TEXT_MAX + 64], value[POLICY_TEXT_MAX];
	const char *engine = op_cache_engine(o->lab, cache);

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		/* of rows of several engines with one last part, that of this cache's engine */
		if (row->scope != SCOPE_CACHE || policy_find_part_of(policy_part(row), engine) != row)
			continue;
		snprintf(full, sizeof(full), "cache.%s.%s", name, policy_part(row));
		policy_print(o->lab, row, cache, value, sizeof(value));
		candidates_add(o->to, full, false, "%s%s: %s", value,
			       policy_is_overridden(o->lab, row, cache) ? " (its own)" : "", row->text);
	}
}

/* Behind `cache.` the caches; behind one's name its policies. Names may have dots, too. */
static void offer_cache_policies(const struct offer *o)
{
	const char *begins = o->to->typed + strlen("cache."), *dot = strrchr(begins, '.');
	char name[FIGURE_TEXT_MAX];
	uint32_t cache;

	each_cache(o, begins, offer_cache_group);
	if (!dot)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(dot - begins), begins);
	cache = op_cache_find(o->lab, name);
	if (cache)
		offer_policies_of(o, name, cache);
}

void offer_policies(const struct offer *o)
{
	char value[POLICY_TEXT_MAX];

	if (!o->lab)
		return;
	for (unsigned int i = 0; i < policy_nr; i++) {
		policy_print(o->lab, &policy_table[i], 0, value, sizeof(value));
		candidates_add_dotted(o->to, policy_table[i].name, "%s: %s", value, policy_table[i].text);
	}
	if (!strncmp(o->to->typed, "cache.", strlen("cache.")))
		offer_cache_policies(o);
	else
		candidates_add(o->to, "cache.", true, "policies of one cache");
}

static void offer_value(const struct offer *o, const char *word, const char *now, const char *def)
{
	candidates_add(o->to, word, false, "%s%s%s", !strcmp(word, now) ? "now" : "",
		       !strcmp(word, now) && !strcmp(word, def) ? ", " : "", !strcmp(word, def) ? "default" : "");
}

/* A range has no words: what the value is and was, to start from. */
static void offer_numbers(const struct offer *o, const struct policy_row *row, const char *now)
{
	char range[256];

	policy_range(row, range, sizeof(range));
	if (row->type == POLICY_AUTO_INT && strcmp(now, "auto") && strcmp(row->def, "auto"))
		candidates_add(o->to, "auto", false, "values: %s", range);
	if (now[0])
		candidates_add(o->to, now, false, "now%s; values: %s", strcmp(now, row->def) ? "" : ", default", range);
	if (row->def[0] && strcmp(now, row->def))
		candidates_add(o->to, row->def, false, "default");
}

/* A range that is a list, "head, tail, N/M": its plain words can be offered. */
static void offer_plain_words(const struct offer *o, const struct policy_row *row, const char *now)
{
	char range[256], *word, *rest = range;

	policy_range(row, range, sizeof(range));
	if (!strchr(range, ','))
		return;
	while ((word = strsep(&rest, ","))) {
		word += strspn(word, " ");
		if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz_")])
			offer_value(o, word, now, row->def);
	}
}

const struct policy_row *offer_policy_row(struct lab *lab, const char *policy, uint32_t *cache)
{
	char name[FIGURE_TEXT_MAX];
	const char *part = strrchr(policy, '.');

	*cache = 0;
	if (strncmp(policy, "cache.", strlen("cache.")) || !part || part < policy + strlen("cache."))
		return policy_find(policy);
	snprintf(name, sizeof(name), "%.*s", (int)(part - policy - (long)strlen("cache.")), policy + strlen("cache."));
	*cache = op_cache_find(lab, name);
	return *cache ? policy_find_part_of(part + 1, op_cache_engine(lab, *cache)) : NULL;
}

void offer_values(const struct offer *o, const char *policy)
{
	uint32_t cache;
	const struct policy_row *row = o->lab ? offer_policy_row(o->lab, policy, &cache) : NULL;
	char now[POLICY_TEXT_MAX];

	if (!row)
		return;
	policy_print(o->lab, row, cache, now, sizeof(now));
	if (row->type == POLICY_BOOL) {
		offer_value(o, "on", now, row->def);
		offer_value(o, "off", now, row->def);
	} else if (row->type == POLICY_ENUM) {
		for (int64_t i = row->min; i <= row->max; i++)
			offer_value(o, row->words[i], now, row->def);
	} else {
		if (row->type == POLICY_CUSTOM)
			offer_plain_words(o, row, now);
		if (!candidates_has(o->to, now))
			offer_numbers(o, row, now);
	}
	if (cache && row->type != POLICY_AUTO_INT)
		candidates_add(o->to, "auto", false, "what holds for the lab");
}
