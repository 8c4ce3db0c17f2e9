/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and dropping labs; which variant a lab's CPUs run. */
#include "op/lab_make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "cpu/latency.h"
#include "event/stacks.h"
#include "event/trace.h"
#include "op/named.h"
#include "op/op.h"
#include "page/kswapd.h"
#include "page/zone.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "slab/cached.h"
#include "slab/engine.h"
#include "slab/grace.h"
#include "slab/owner.h"
#include "slab/slab.h"
#include "slab/store.h"

#define HEAP_BYTES (64ULL << 30)	/* address space only: committed by touch */

/* Each in one piece: the CPU's thread may be about to call one of them, or be so with an old one. */
static void set_calls(struct cpu *cpu, const struct cpu_calls *from)
{
	typedef uintptr_t __attribute__((may_alias)) word;

	if (!memcmp(&cpu->calls, from, sizeof(*from)))
		return;
	for (size_t i = 0; i < sizeof(*from) / sizeof(word); i++)
		__atomic_store_n((word *)&cpu->calls + i, ((const word *)from)[i], __ATOMIC_RELAXED);
	if (cpu->player != PLAYED_BY_CONTROL)
		__atomic_or_fetch(&cpu->marks.stop, STOP_STALE, __ATOMIC_SEQ_CST);
}

/* The short ways, unless each request has to be looked at. */
static const struct cpu_calls *calls_for(struct lab *lab, enum variant v)
{
	const struct slab_policy *p = lab_slab_policy(lab);

	if (p->fail.probability || p->init_on_alloc || p->init_on_free || owner_maps(lab) || lab->lifetimes ||
	    (lab->nr_cpus && lab->cpus[0]->latency))
		return cpu_careful_calls[v];
	return &cpu_calls[v][stores_usual_route(lab)];
}

void lab_variants_update(struct lab *lab)
{
	bool tracing = lab->trace && lab->trace->on, stacks = !stacks_idle(lab->stacks);
	enum variant v = !lab->hdr->counters ? VARIANT_BARE :
			 lab->hdr->story == STORY_ON || tracing || stacks ? VARIANT_TOLD : VARIANT_COUNTED;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		lab->cpus[i]->variant = (uint8_t)v;
		lab->cpus[i]->trace = tracing ? &lab->trace->ring[i] : NULL;
		lab->cpus[i]->stacks = stacks ? lab->stacks : NULL;
		set_calls(lab->cpus[i], calls_for(lab, v));
	}
}

static void attach_cpus(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cpu *cpu = lab->cpus[i];

		cpu->arena = lab->arena;
		cpu->arena_bytes = lab->arena_bytes;
		page_attach(lab, cpu);
		slab_attach(lab, cpu);
		cpu->guess = cpu->slub;
	}
	lab->work = page_work_in_parallel;
	lab->shrinker = &cached_shrinker;
	lab_variants_update(lab);
}

int lab_mapped(const struct shape *shape, uint64_t bytes[SEC_NR], const char *name, struct lab **out)
{
	struct lab *lab;
	int ret = lab_map(shape, bytes, &lab);

	if (ret)
		return ret;
	snprintf(lab->name, sizeof(lab->name), "%s", name);
	ret = cpus_make(lab);
	if (ret) {
		lab_unmap(lab);
		return ret;
	}
	*out = lab;
	return 0;
}

void lab_wake(struct lab *lab)
{
	lab_attach(lab);
	attach_cpus(lab);
}

/* ---- settings in force before the first cache is made ---- */

/* NAME=VALUE: the row and the value; -EINVAL when there is no such policy. */
static int split_setting(const char *setting, const struct policy_row **row, const char **value)
{
	const char *eq = strchr(setting, '=');
	char name[128], near[128];

	if (!eq || (size_t)(eq - setting) >= sizeof(name))
		return fail(EINVAL, "\"%s\" is not NAME=VALUE", setting);
	memcpy(name, setting, (size_t)(eq - setting));
	name[eq - setting] = 0;
	*row = policy_find(name);
	if (!*row) {
		policy_near(name, near, sizeof(near));
		return fail(EINVAL, "no policy is called %s%s%s%s", name, near[0] ? " (near: " : "", near, near[0] ? ")" : "");
	}
	*value = eq + 1;
	return 0;
}

/* Rows of the preset that lie in the shape, or all others. What the words of the shape say goes before it. */
static int preset_settings(struct lab *lab, struct shape *shape, const struct preset *preset)
{
	int ret = 0;

	for (unsigned int i = 0; i < policy_nr && !ret; i++) {
		const struct policy_row *row = &policy_table[i];
		const char *value = preset_value(preset, row);

		if (value == row->def || policy_is_of_shape(row) != !lab)
			continue;
		ret = lab ? policy_store(lab, row, 0, value) : policy_store_shape(shape, row, value);
	}
	return ret;
}

static int shape_settings(struct shape *shape, const struct preset_settings *with)
{
	int ret = with->preset ? preset_settings(NULL, shape, with->preset) : 0;

	if (!ret && with->boot)
		ret = boot_shape(with->boot, shape);

	for (const char *const *s = with->set; s && *s && !ret; s++) {
		const struct policy_row *row;
		const char *value;

		ret = split_setting(*s, &row, &value);
		if (!ret && policy_is_of_shape(row))
			ret = policy_store_shape(shape, row, value);
	}
	return ret;
}

static int lab_settings(struct lab *lab, const struct preset_settings *with, char warning[256])
{
	int ret = with->preset ? preset_settings(lab, NULL, with->preset) : 0;

	if (!ret && with->boot)
		ret = boot_policies(lab, with->boot, warning);

	for (const char *const *s = with->set; s && *s && !ret; s++) {
		const struct policy_row *row;
		const char *value;

		ret = split_setting(*s, &row, &value);
		if (!ret && !policy_is_of_shape(row))
			ret = policy_store(lab, row, 0, value);
	}
	return ret;
}

static int furnish(struct lab *lab, const struct preset_settings *with, char warning[256])
{
	int ret;

	attach_cpus(lab);
	policy_defaults(lab);
	lab->hdr->preset = with->preset ? (uint8_t)preset_number(with->preset) : PRESET_DEFAULT;
	ret = lab_settings(lab, with, warning);
	if (ret)
		return ret;
	cpus_fresh(lab);
	page_init(lab);
	ret = slab_init(lab);
	if (ret)
		return ret;
	attach_cpus(lab);	/* kmalloc caches exist now */
	return 0;
}

void lab_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR])
{
	memset(bytes, 0, SEC_NR * sizeof(*bytes));
	bytes[SEC_CPU] = sizeof(struct cpu_part) * shape->possible;
	bytes[SEC_HEAP] = HEAP_BYTES;
	page_section_bytes(shape, bytes);
	slab_section_bytes(shape, bytes);
}

int lab_new(const struct shape *asked, const struct preset_settings *with, const char *name, struct lab **out,
	    char warning[256])
{
	static const struct preset_settings none;
	struct shape shape = *asked;
	uint64_t bytes[SEC_NR];
	char unheard[256];
	struct lab *lab;
	int ret;

	if (!with)
		with = &none;
	if (!warning)
		warning = unheard;
	warning[0] = 0;
	ret = shape_settings(&shape, with);
	if (ret)
		return ret;
	lab_section_bytes(&shape, bytes);
	ret = lab_mapped(&shape, bytes, name, &lab);
	if (ret)
		return ret;
	ret = furnish(lab, with, warning);
	if (ret) {
		lab_drop(lab);
		return ret;
	}
	lab->untouched_shape = !asked->given;
	*out = lab;
	return 0;
}

void lab_drop(struct lab *lab)
{
	named_drop_all(lab);
	trace_free(lab->trace);
	lifetimes_off(lab);
	stacks_free(lab->stacks);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		grace_drop(lab->cpus[i]);
	cpus_drop(lab);
	lab_unmap(lab);
}
