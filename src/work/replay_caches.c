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
#include <string.h>

#include "base/fail.h"
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

/* What all sites of one name together ask of their cache. */
static void cache_wish(const struct sites *s, const struct site *first, const char *name, uint32_t *bytes,
		       bool *accounted)
{
	char buf[TRACE_SHOWN_LEN];

	*bytes = first->bytes_req;
	*accounted = first->accounted;
	for (const struct site *site = first + 1; site <= &s->site[s->nr]; site++) {
		if (site->kind != SITE_CACHE || site->name != first->name ||
		    strcmp(site_name(s, site, buf), name))
			continue;
		if (site->bytes_req > *bytes)
			*bytes = site->bytes_req;
		*accounted &= site->accounted;
	}
}

/* Names are known: one cache for all sites of a name, in order of first use. */
int caches_make(struct sites *s, struct lab *lab)
{
	for (uint32_t i = 1; i <= s->nr; i++) {
		struct site *site = &s->site[i];
		char buf[TRACE_SHOWN_LEN];
		const char *name = site_name(s, site, buf);
		uint32_t bytes;
		bool accounted;
		int ret;

		if (site->kind != SITE_CACHE) {
			site->cache = site->kind == SITE_KMALLOC ? op_cache_find(lab, name) : 0;
			continue;
		}
		cache_wish(s, site, name, &bytes, &accounted);
		ret = cache_make(lab, name, bytes, accounted, &site->cache);
		if (ret)
			return ret;
	}
	return 0;
}

/* Names may come later: a cache of its own, under a name that is not taken. */
int cache_make_for(struct sites *s, struct lab *lab, struct site *site)
{
	char buf[TRACE_SHOWN_LEN], own[TRACE_SHOWN_LEN + 16];
	const char *name = site_name(s, site, buf);

	site->made = true;
	if (site->kind != SITE_CACHE) {
		site->cache = site->kind == SITE_KMALLOC ? op_cache_find(lab, name) : 0;
		return 0;
	}
	snprintf(own, sizeof(own), "%s", name);
	for (unsigned int i = 2; op_cache_find(lab, own); i++)
		snprintf(own, sizeof(own), "%s.%u", name, i);
	return cache_make(lab, own, site->bytes_req, site->accounted, &site->cache);
}

/* The first site of a name gives its cache that name; further ones count: dentry, dentry.2 … */
int caches_rename(struct sites *s, struct lab *lab)
{
	for (uint32_t i = 1; i <= s->nr; i++) {
		const struct site *site = &s->site[i];
		char buf[TRACE_SHOWN_LEN], own[TRACE_SHOWN_LEN + 16];
		const char *name = site_name(s, site, buf);
		uint32_t holder;
		int ret;

		if (site->kind != SITE_CACHE || !site->name || !site->cache)
			continue;
		snprintf(own, sizeof(own), "%s", name);
		for (unsigned int n = 2; (holder = op_cache_find(lab, own)) && holder != site->cache; n++)
			snprintf(own, sizeof(own), "%s.%u", name, n);
		if (holder == site->cache)
			continue;
		ret = op_cache_rename(lab, site->cache, own);
		if (ret)
			return ret;
	}
	return 0;
}
