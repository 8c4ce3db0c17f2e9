/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/names.h"

#include <errno.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/units.h"
#include "cpu/cpu.h"
#include "policy/near.h"
#include "slab/read.h"

uint32_t name_cache(struct lab *lab, const char *name)
{
	uint32_t id = cache_find(lab, name), cursor = 0;
	char near_names[NEAR_NAMES * NEAR_LENGTH];
	struct near n;

	if (id)
		return id;
	near_begin(&n, name);
	while ((id = cache_next(lab, &cursor)))
		near_offer(&n, cache_name(lab, id));
	near_join(&n, near_names, sizeof(near_names));
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
	return lab->cpus[cpu]->part->online;
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
