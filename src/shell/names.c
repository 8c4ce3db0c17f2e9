/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/names.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/units.h"
#include "op/op.h"
#include "policy/near.h"
#include "shell/parse.h"
#include "view/figure.h"
#include "view/look.h"

static int offer_cache(const char *path, const struct figure_value *v, void *near)
{
	char name[NEAR_LENGTH];

	(void)v;
	if (figure_cache_name(path, name, sizeof(name)))
		near_offer(near, name);
	return 0;
}

uint32_t name_cache(struct lab *lab, const char *name)
{
	uint32_t id = op_cache_find(lab, name);
	char near_names[NEAR_NAMES * NEAR_LENGTH];
	struct near near;

	if (id)
		return id;
	near_begin(&near, name);
	figure_glob(lab, "cache.*.store", offer_cache, &near);
	near_join(&near, near_names, sizeof(near_names));
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

int name_proper(const char *name, const char *kind, size_t size)
{
	if (is_name(name) && strlen(name) < size)
		return 0;
	return fail(EINVAL, "\"%s\" is no name for a %s (a letter, then letters, digits, _ . -, below %zu)", name, kind, size);
}
