/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting policies: the field is written, then what has to follow is done, all
 * in one stop. When a consequence cannot be had (no memory for a new store),
 * the old value comes back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "op/lab_make.h"
#include "op/op.h"
#include "policy/near.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "slab/slabq.h"
#include "slab/store.h"

/* "cache.NAME.PART": the longest cache name that fits, as names may hold dots. */
static uint32_t split_cache_path(struct lab *lab, const char *path, const char **part)
{
	char name[CACHE_NAME + 8];

	if (strncmp(path, "cache.", 6) || strlen(path + 6) >= sizeof(name))
		return 0;
	strcpy(name, path + 6);
	for (char *dot; (dot = strrchr(name, '.')); ) {
		uint32_t cache;

		*dot = 0;
		cache = cache_find(lab, name);
		if (cache) {
			*part = path + 6 + (dot - name) + 1;
			return cache;
		}
	}
	return 0;
}

static int unknown(const char *name)
{
	char near[160];

	policy_near(name, near, sizeof(near));
	return fail(ENOENT, "%s is no policy%s%s%s", name, near[0] ? " (near: " : " (see policy)", near, near[0] ? ")" : "");
}

static const char *joined(const struct near *n, char *buf, size_t size)
{
	char names[NEAR_NAMES * NEAR_LENGTH];

	near_join(n, names, sizeof(names));
	snprintf(buf, size, "%s%s%s", names[0] ? "near: " : "", names, names[0] ? "; " : "");
	return buf;
}

/* The cache's name reaches to the last dot: one that is not there has no better end. */
static int no_cache(struct lab *lab, const char *path)
{
	const char *dot = strrchr(path, '.');
	char name[CACHE_NAME], names[NEAR_NAMES * NEAR_LENGTH + 16];
	uint32_t cursor = 0, id;
	struct near n;

	snprintf(name, sizeof(name), "%.*s", dot > path + 6 ? (int)(dot - path - 6) : 0, path + 6);
	near_begin(&n, name);
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		near_offer(&n, cache_name(lab, id));
	return fail(ENOENT, "%s: there is no cache \"%s\" (%scaches all lists them)", path, name,
		    joined(&n, names, sizeof(names)));
}

static int no_part(const char *path, const char *part)
{
	char names[NEAR_NAMES * NEAR_LENGTH + 16];
	struct near n;

	near_begin(&n, part);
	for (unsigned int i = 0; i < policy_nr; i++)
		if (policy_table[i].scope == SCOPE_CACHE)
			near_offer(&n, policy_part(&policy_table[i]));
	return fail(ENOENT, "%s: \"%s\" is no policy of a cache (%ssee policy)", path, part,
		    joined(&n, names, sizeof(names)));
}

static int find(struct lab *lab, const char *name, const struct policy_row **row, uint32_t *cache)
{
	const char *part;

	*cache = 0;
	if (strncmp(name, "cache.", 6)) {
		*row = policy_find(name);
		return *row ? 0 : unknown(name);
	}
	*cache = split_cache_path(lab, name, &part);
	if (!*cache)
		return no_cache(lab, name);
	*row = policy_find_part_of(part, op_cache_engine(lab, *cache));
	return *row ? 0 : no_part(name, part);
}

/* A debug store has no chains: like the kernel's attribute, it takes only 0. */
static int check_debug_store(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value)
{
	const struct store *s;

	if (!cache || row->store_field != SF_CPU_PARTIAL)
		return 0;
	s = lab_store(lab, lab_cache(lab, cache)->store);
	if (!s->debug || !strcmp(value, "0") || !strcmp(value, "auto") || !strcmp(value, "off"))
		return 0;
	return fail(EINVAL, "cache.%s.cpu_partial: a store with debug flags has no CPU partial lists, only 0 is possible",
		    lab_cache(lab, cache)->name);
}

static int follow(struct lab *lab, const struct policy_row *row, uint32_t cache)
{
	switch (row->home) {
	case HOME_PAGE:
		page_policy_changed(lab, row->page_change);
		return 0;
	case HOME_HEADER:
		lab_variants_update(lab);
		return 0;
	default:
		if (cache)
			return cache_policy_changed(lab, cache, row->store_field);
		/* rows without a field of a store only tune them */
		return slab_policy_changed(lab, row->store_field ? row->store_field : SF_PARTIAL_ADD);
	}
}

/* Everything a policy can be, so that a refused change leaves no trace. */
struct kept {
	struct page_policy page;
	struct slab_policy slab;
	struct store_policy override;
	uint32_t mask;
};

static void keep(struct lab *lab, uint32_t cache, struct kept *k)
{
	k->page = *lab_page_policy(lab);
	k->slab = *lab_slab_policy(lab);
	if (cache) {
		k->override = *cache_override(lab, cache);
		k->mask = *cache_override_mask(lab, cache);
	}
}

static void put_back(struct lab *lab, uint32_t cache, const struct kept *k)
{
	*lab_page_policy(lab) = k->page;
	*lab_slab_policy(lab) = k->slab;
	if (cache) {
		*cache_override(lab, cache) = k->override;
		*cache_override_mask(lab, cache) = k->mask;
	}
}

/* An exchange of 16 bytes is needed for the kernel's own fast path. */
static int check_fastpath(struct lab *lab, const struct policy_row *row, const char *value)
{
	if (row->store_field != SF_FASTPATH || strcmp(value, "cmpxchg") || lab_slab_policy(lab)->cas16)
		return 0;
	return fail(EINVAL, "%s cmpxchg needs slab.cas16, which is off in this lab", row->name);
}

/* Two sizes that somebody chose and that do not go together; what follows by itself gives way. */
static int check_sizes(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value)
{
	struct store_policy p = lab_slab_policy(lab)->store;

	if (cache)
		cache_policy_now(lab, cache, &p);
	if (row->store_field & (SF_SLABQ_LIMIT | SF_SLABQ_BATCHCOUNT) && p.slabq_limit >= 0 && p.slabq_batchcount > p.slabq_limit)
		return fail(EINVAL, "%s %s: slabq.batchcount %d is more than slabq.limit %d (an array's batch is 1 .. its limit; one of them "
			    "may be auto)", row->name, value, p.slabq_batchcount, p.slabq_limit);
	if (row->store_field & (SF_SLABQ_SHARED | SF_SLABQ_BATCHCOUNT) && p.slabq_shared >= 0 && p.slabq_batchcount >= 0 &&
	    (int64_t)p.slabq_shared * p.slabq_batchcount > SLABQ_MAX_LIMIT)
		return fail(EINVAL, "%s %s: a shared array of slabq.shared %d batches of slabq.batchcount %d is longer than %u objects",
			    row->name, value, p.slabq_shared, p.slabq_batchcount, SLABQ_MAX_LIMIT);
	if (row->store_field & (SF_SLQB_HIWATER | SF_SLQB_FREEBATCH) && p.slqb_hiwater >= 0 && p.slqb_freebatch > p.slqb_hiwater + 1)
		return fail(EINVAL, "%s %s: slqb.freebatch %d is more than slqb.hiwater %d + 1 (one of them may be auto)", row->name, value,
			    p.slqb_freebatch, p.slqb_hiwater);
	return 0;
}

static int set_row(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value)
{
	bool counted = lab->hdr->counters;
	struct kept kept;
	int ret = check_debug_store(lab, row, cache, value);

	if (!ret)
		ret = check_fastpath(lab, row, value);
	if (ret)
		return ret;
	keep(lab, cache, &kept);
	ret = policy_store(lab, row, cache, value);
	if (!ret)
		ret = check_sizes(lab, row, cache, value);
	if (ret) {
		put_back(lab, cache, &kept);
		return ret;
	}
	if (counted != lab->hdr->counters)
		stores_counting(lab, lab->hdr->counters);
	ret = follow(lab, row, cache);
	lab_variants_update(lab);	/* some values have each request looked at */
	if (ret) {
		char why[400];

		snprintf(why, sizeof(why), "%s", fail_why());
		put_back(lab, cache, &kept);
		follow(lab, row, cache);	/* back to stores that were there a moment ago */
		return fail(-ret, "%s", why);
	}
	return 0;
}

int op_set(struct lab *lab, const char *name, const char *value)
{
	const struct policy_row *row;
	uint32_t cache;
	int ret = find(lab, name, &row, &cache);

	if (ret)
		return ret;
	if (row->scope == SCOPE_SHAPE)
		return fail(EPERM, "%s is fixed when a lab is made: give it with --set %s=%s or to a new lab", name, name, value);
	if (cache && row->scope != SCOPE_CACHE)
		return fail(EINVAL, "%s holds for the whole lab: set %s %s", row->name, row->name, value);
	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	ret = set_row(lab, row, cache, value);
	if (!ret) {
		lab->hdr->ops++;	/* nothing was taken yet: a replay may still size the lab */
		lab->hdr->time_ns += 1000;
	}
	lab_release(lab);
	return ret;
}

int op_unset(struct lab *lab, const char *name)
{
	const struct policy_row *row;
	uint32_t cache;
	int ret = find(lab, name, &row, &cache);

	return ret ? ret : op_set(lab, name, cache ? "auto" : preset_value(preset_of(lab), row));
}

/* ---- a preset: many rows, then what has to follow, once ---- */

struct preset_change {
	const struct policy_row *row;
	char was[POLICY_TEXT_MAX];
};

/*
 * Some values are only possible beside others (a lower bound under an upper
 * one): what is refused is tried again behind all the rest.
 */
static int store_preset(struct lab *lab, const struct preset *preset, struct preset_change *changes, unsigned int *nr)
{
	bool again = false;

	for (unsigned int i = 0; i < policy_nr || (again && i < 2 * policy_nr); i++) {
		const struct policy_row *row = &policy_table[i % policy_nr];
		int ret;

		if (row->scope == SCOPE_SHAPE || !preset_differs(preset, lab, row, changes[*nr].was))
			continue;
		ret = policy_store(lab, row, 0, preset_value(preset, row));
		if (!ret)
			changes[(*nr)++].row = row;
		else if (i < policy_nr)
			again = true;
		else
			return ret;
	}
	return 0;
}

/* Each cache moves once, to where all of the changes together lead it. */
static int follow_preset(struct lab *lab, const struct preset_change *changes, unsigned int nr)
{
	uint32_t slabs = 0;

	for (unsigned int i = 0; i < nr; i++) {
		const struct policy_row *row = changes[i].row;

		if (row->home == HOME_PAGE || row->home == HOME_HEADER)
			follow(lab, row, 0);
		else
			slabs |= row->store_field ? row->store_field : SF_PARTIAL_ADD;
	}
	return slabs ? slab_policy_changed(lab, slabs) : 0;
}

static int set_preset(struct lab *lab, const struct preset *preset)
{
	struct preset_change changes[POLICY_MOST];
	bool counted = lab->hdr->counters;
	unsigned int nr = 0;
	char why[400];
	int ret = store_preset(lab, preset, changes, &nr);

	if (!ret && counted != lab->hdr->counters)
		stores_counting(lab, lab->hdr->counters);
	if (!ret)
		ret = follow_preset(lab, changes, nr);
	if (!ret) {
		lab->hdr->preset = (uint8_t)preset_number(preset);
		return 0;
	}
	snprintf(why, sizeof(why), "%s", fail_why());
	for (unsigned int i = nr; i-- > 0; )	/* each is possible beside those before it */
		policy_store(lab, changes[i].row, 0, changes[i].was);
	if (counted != lab->hdr->counters)
		stores_counting(lab, counted);
	follow_preset(lab, changes, nr);	/* back to stores that were there a moment ago */
	return fail(-ret, "%s", why);
}

int op_preset(struct lab *lab, const struct preset *preset)
{
	int ret;

	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	ret = set_preset(lab, preset);
	if (!ret) {
		lab->hdr->ops++;
		lab->hdr->time_ns += 1000;
	}
	lab_release(lab);
	return ret;
}

static int take_overrides(struct lab *lab, struct lab *from)
{
	uint32_t cursor = 0, id;

	while ((id = cache_next(from, &cursor))) {
		uint32_t mask = *cache_override_mask(from, id), own = cache_find(lab, cache_name(from, id));
		int ret;

		if (!mask || !own)
			continue;
		*cache_override(lab, own) = *cache_override(from, id);
		*cache_override_mask(lab, own) = mask;
		ret = cache_policy_changed(lab, own, mask);
		if (ret)
			return ret;
	}
	return 0;
}

/* Those that can be; why the last one could not. */
static int take_values(struct lab *lab, struct lab *from)
{
	char now[POLICY_TEXT_MAX], want[POLICY_TEXT_MAX];
	int refused = 0;

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];
		int ret = 0;

		if (row->scope == SCOPE_SHAPE)
			continue;
		policy_print(lab, row, 0, now, sizeof(now));
		policy_print(from, row, 0, want, sizeof(want));
		if (strcmp(now, want))
			ret = op_set(lab, row->name, want);
		refused = ret ? ret : refused;
	}
	return refused;
}

int op_take_policies(struct lab *lab, struct lab *from)
{
	int ret = take_values(lab, from);

	if (ret)
		ret = take_values(lab, from);	/* as store_preset() */
	if (ret)
		return ret;
	lab_stop(lab);
	lab->hdr->preset = from->hdr->preset;
	ret = take_overrides(lab, from);
	lab_release(lab);
	return ret;
}
