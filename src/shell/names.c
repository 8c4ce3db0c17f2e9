/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/names.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/units.h"
#include "op/op.h"
#include "policy/near.h"
#include "view/figure.h"
#include "view/look.h"

#define CACHE_PREFIX "cache."
#define CACHE_SUFFIX ".object_size"

struct search {
	struct lab *lab;
	struct near near;
};

/* Offer the NAME of a path cache.NAME.object_size; cache.NAME.sysfs.object_size has the form, too. */
static int offer_cache(const char *path, const struct figure_value *v, void *arg)
{
	struct search *s = arg;
	char name[NEAR_LENGTH];
	size_t len = strlen(path) - strlen(CACHE_PREFIX) - strlen(CACHE_SUFFIX);

	(void)v;
	if (len >= sizeof(name))
		return 0;
	memcpy(name, path + strlen(CACHE_PREFIX), len);
	name[len] = 0;
	if (op_cache_find(s->lab, name))
		near_offer(&s->near, name);
	return 0;
}

uint32_t name_cache(struct lab *lab, const char *name)
{
	uint32_t id = op_cache_find(lab, name);
	char near_names[NEAR_NAMES * NEAR_LENGTH];
	struct search s = { .lab = lab };

	if (id)
		return id;
	near_begin(&s.near, name);
	figure_glob(lab, CACHE_PREFIX "*" CACHE_SUFFIX, offer_cache, &s);
	near_join(&s.near, near_names, sizeof(near_names));
	fail(ENOENT, "there is no cache \"%s\"%s%s%s", name, near_names[0] ? " (near: " : "", near_names,
	     near_names[0] ? ")" : "");
	return 0;
}

int name_cpu(const struct lab *lab, const char *word, unsigned int *cpu)
{
	uint64_t n;

	if (parse_u64(word, &n))
		return fail(EINVAL, "\"%s\" is no CPU (0 .. %u)", word, lab->nr_cpus - 1);
	if (n >= lab->nr_cpus)
		return fail(ERANGE, "there is no CPU %s (this lab has 0 .. %u)", word, lab->nr_cpus - 1);
	*cpu = (unsigned int)n;
	return 0;
}

bool cpu_is_online(const struct lab *lab, unsigned int cpu)
{
	return look_online(lab, cpu);
}

int name_node(const struct lab *lab, const char *word, unsigned int *node)
{
	uint64_t n;

	if (parse_u64(word + (word[0] == 'N'), &n))
		return fail(EINVAL, "\"%s\" is no node (0 .. %u)", word, lab->nr_nodes - 1);
	if (n >= lab->nr_nodes)
		return fail(ERANGE, "there is no node %s (this lab has 0 .. %u)", word, lab->nr_nodes - 1);
	*node = (unsigned int)n;
	return 0;
}
