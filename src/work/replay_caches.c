/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_caches - the lab's caches for the sites of a trace.
 *
 * The name on a free line is that of the store into which the kernel had merged
 * the cache. So a trace's caches are stores already: each is made alone
 * (merge=off), for what it was asked, and the lab finds its own size and order.
 *
 * From a pipe names are not known when a cache is first used: there each site
 * has a cache of its own, and the names found late are given at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/paste.h"
#include "work/replay_priv.h"

static int cache_make(struct lab *lab, const char *name, uint32_t bytes, bool accounted, uint32_t *cache)
{
	struct cache_request rq = {
		.name = name, .size = bytes ? bytes : 8, .flags = accounted ? CF_ACCOUNT : 0,
		.merge = MERGE_OFF,
	};
	int ret;

	*cache = op_cache_find(lab, name);
	if (*cache)		/* an import or a replay before this one made it */
		return 0;
	ret = op_cache_create(lab, &rq, cache);
	return ret ? fail_in(ret, "cache %s of the trace: ", name) : 0;
}

/* What all sites of a name together ask of their cache. */
struct want {
	uint32_t bytes, cache;
	bool seen, accounted, made;
};

static void wants_join(const struct sites *s, struct want *want)
{
	for (uint32_t i = 1; i <= s->nr; i++) {
		const struct site *site = &s->site[i];
		struct want *w = &want[site_name(site)];

		if (site->bytes_req > w->bytes)
			w->bytes = site->bytes_req;
		w->accounted = site->accounted && (w->accounted || !w->seen);
		w->seen = true;
	}
}

static int want_make(struct sites *s, struct lab *lab, uint32_t i, struct want *w)
{
	const struct site *site = &s->site[i];
	char buf[LAB_NAME];
	const char *name = paste_cache_name(s->name[site_name(site)].text, buf);
	int ret = 0;

	if (!w->made && site->kind == SITE_CACHE)
		ret = cache_make(lab, name, w->bytes, w->accounted, &w->cache);
	else if (!w->made && site->kind == SITE_KMALLOC)
		w->cache = op_cache_find(lab, name);
	w->made = true;
	s->target[i].cache = w->cache;
	return ret;
}

/* Names are known: one cache for all sites of a name, in order of first use. */
int caches_make(struct sites *s, struct lab *lab)
{
	struct want *want = calloc(s->names + 1, sizeof(*want));
	int ret = 0;

	if (!want)
		return fail(ENOMEM, "no memory for the names in the trace");
	wants_join(s, want);
	for (uint32_t i = 1; i <= s->nr && !ret; i++)
		ret = want_make(s, lab, i, &want[site_name(&s->site[i])]);
	free(want);
	return ret;
}

/*
 * Names may come later: a cache of its own, under a name that is not taken. A
 * trace with more sites than that is no kernel's; the rest share by size.
 */
#define OWN_CACHES 1000u

int cache_make_for(struct sites *s, struct lab *lab, uint32_t number)
{
	const struct site *site = &s->site[number];
	struct target *t = &s->target[number];
	char buf[LAB_NAME], own[LAB_NAME + 16];
	const char *name = paste_cache_name(s->name[site_name(site)].text, buf);

	t->made = true;
	if (site->kind != SITE_CACHE) {
		t->cache = site->kind == SITE_KMALLOC ? op_cache_find(lab, name) : 0;
		return 0;
	}
	snprintf(own, sizeof(own), "%s", name);
	for (unsigned int i = 2; s->nr < OWN_CACHES && op_cache_find(lab, own); i++)
		snprintf(own, sizeof(own), "%s.%u", name, i);
	return cache_make(lab, own, site->bytes_req, site->accounted, &t->cache);
}

/* The first site of a name gives its cache that name; further ones count: dentry, dentry.2 … */
static int rename_one(struct lab *lab, const char *traced, uint32_t cache)
{
	char name[LAB_NAME], own[LAB_NAME + 16];
	uint32_t holder;

	snprintf(own, sizeof(own), "%s", paste_cache_name(traced, name));
	for (unsigned int n = 2; (holder = op_cache_find(lab, own)) && holder != cache; n++)
		snprintf(own, sizeof(own), "%s.%u", name, n);
	return holder == cache ? 0 : op_cache_rename(lab, cache, own);
}

int caches_rename(struct sites *s, struct lab *lab)
{
	for (uint32_t i = 1; i <= s->nr && s->nr < OWN_CACHES; i++) {
		const struct site *site = &s->site[i];
		int ret;

		if (site->kind != SITE_CACHE || !site->name || !s->target[i].cache)
			continue;
		ret = rename_one(lab, s->name[site->name].text, s->target[i].cache);
		if (ret)
			return ret;
	}
	return 0;
}
