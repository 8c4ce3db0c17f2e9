/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmalloc's caches: names and alignments by era, made with the lab and when kmalloc.max_class is raised. */
#include "slab/kmalloc.h"

#include <errno.h>
#include <stdio.h>

#include "base/fail.h"

const uint8_t kmalloc_small[128] = {
	3, 4, 5, 5, 6, 6, 6, 6, 1, 1, 1, 1, 7, 7, 7, 7, 2, 2, 2, 2, 2, 2, 2, 2,
	[24 ... 31] = 8, [32 ... 63] = 9, [64 ... 127] = 10,
};

const uint32_t kmalloc_class_size[KMALLOC_CLASSES] = {
	0, 96, 192, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288,
	1048576, 2097152,
};

/* Nothing special to 5.3; powers of two to their size since; since 6.11 all to the power of two in their size. */
uint32_t kmalloc_align(enum slab_era era, uint32_t size)
{
	if (era < ERA_6_1)
		return WORD;
	return is_pow2(size) || era >= ERA_6_18 ? size & -size : WORD;
}

uint32_t kmalloc_max_class_auto(const struct lab *lab, const struct store_policy *p)
{
	(void)lab;
	return p->engine == ENGINE_SLQB ? 2 << 20 : 8192;
}

static uint32_t max_class(struct lab *lab)
{
	const struct slab_policy *p = lab_slab_policy(lab);

	return p->kmalloc_max_class ? p->kmalloc_max_class : kmalloc_max_class_auto(lab, &p->store);
}

/* Kernels of before 3.10 called the queued engine's size-N; those of before 4.20 had no k for 1024. */
static void name_of(struct lab *lab, enum kmalloc_type type, uint32_t bytes, char *name, size_t size)
{
	static const char *const prefix[] = { "kmalloc-", "kmalloc-cg-", "kmalloc-rcl-", "dma-kmalloc-" };
	const struct store_policy *p = &lab_slab_policy(lab)->store;
	const char *before = prefix[type], *unit = "", *behind = "";

	if (p->engine == ENGINE_SLAB && p->era < ERA_4_2 && (type == KMALLOC_NORMAL || type == KMALLOC_DMA)) {
		before = "size-";
		behind = type == KMALLOC_DMA ? "(DMA)" : "";
	} else if (type == KMALLOC_DMA && p->era < ERA_3_1) {
		before = "kmalloc_dma-";
	}
	if (p->era >= ERA_6_1 && bytes >= 1024) {
		unit = bytes >= 1 << 20 ? "M" : "k";
		bytes /= bytes >= 1 << 20 ? 1 << 20 : 1024;
	}
	snprintf(name, size, "%s%u%s%s", before, bytes, unit, behind);
}

static int make(struct lab *lab, enum kmalloc_type type, unsigned int class)
{
	static const uint32_t flags[] = { 0, CF_ACCOUNT, CF_RECLAIM, CF_DMA };
	uint32_t size = kmalloc_class_size[class];
	char name[CACHE_NAME];
	struct cache_request rq = { .name = name, .size = size, .flags = flags[type], .usersize = size };
	int ret;

	name_of(lab, type, size, name, sizeof(name));
	if (cache_find(lab, name))
		return fail(EEXIST, "kmalloc.max_class asks for a cache %s, and one of that name exists (destroy it first)", name);
	ret = cache_make(lab, &rq, true, true, &slab_state(lab)->kmalloc[type][class]);
	return ret ? fail_in(ret, "no cache %s: ", name) : 0;
}

/* Has the lab such a class? Below the queued engine's smallest one it has none, nor 96 for SLQB on lines of 64 bytes. */
static bool has_class(struct lab *lab, unsigned int class)
{
	enum engine_id engine = lab_slab_policy(lab)->store.engine;
	uint32_t size = kmalloc_class_size[class];

	return !(engine == ENGINE_SLAB && size < 32) && !(engine == ENGINE_SLQB && size == 96);
}

static bool has_type(struct lab *lab, enum kmalloc_type type)
{
	return type == KMALLOC_NORMAL || lab_slab_policy(lab)->kmalloc_types & 1u << type;
}

/* The next larger class that has a cache. */
static unsigned int stand_in(struct lab *lab, unsigned int class)
{
	uint32_t size = kmalloc_class_size[class];

	do
		class = kmalloc_class(++size);
	while (!has_class(lab, class));
	return class;
}

/* Kinds that the lab does not have are served by the normal ones, classes by the next larger one. */
static int make_class(struct lab *lab, unsigned int class)
{
	struct slab_state *st = slab_state(lab);
	int ret = 0;

	for (enum kmalloc_type type = 0; type < KMALLOC_TYPES && !ret; type++)
		if (has_type(lab, type))
			ret = make(lab, type, class);
		else
			st->kmalloc[type][class] = st->kmalloc[KMALLOC_NORMAL][class];
	return ret;
}

int kmalloc_in_line(struct lab *lab)
{
	struct slab_state *st = slab_state(lab);
	uint32_t most = max_class(lab);
	int ret = 0;

	for (unsigned int class = 1; class < KMALLOC_CLASSES && !ret; class++)
		if (!st->kmalloc[KMALLOC_NORMAL][class] && kmalloc_class_size[class] <= most && has_class(lab, class))
			ret = make_class(lab, class);
	if (ret)
		return ret;
	for (unsigned int class = 1; class < KMALLOC_CLASSES; class++)
		for (enum kmalloc_type type = 0; type < KMALLOC_TYPES && kmalloc_class_size[class] <= most; type++)
			if (!st->kmalloc[type][class])
				st->kmalloc[type][class] = st->kmalloc[type][stand_in(lab, class)];
	st->kmalloc_max = most;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		kmalloc_attach(lab, lab->cpus[i]);
	return 0;
}

void kmalloc_attach(struct lab *lab, struct cpu *cpu)
{
	const struct slab_state *st = slab_state(lab);

	for (unsigned int class = 0; class < KMALLOC_CLASSES; class++) {
		uint32_t cache = kmalloc_class_size[class] <= st->kmalloc_max ? st->kmalloc[KMALLOC_NORMAL][class] : 0;

		cpu->kmalloc[class] = cpu->slub + (cache ? lab_cache(lab, cache)->store : 0);
	}
}
