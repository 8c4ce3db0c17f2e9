/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/prompt.h"

#include <string.h>

#include "op/op.h"
#include "policy/preset.h"
#include "shell/colour.h"
#include "view/figure.h"

#define CACHES_ASKED 500	/* a lab with more would make every prompt late */

static bool differs(struct lab *lab, const struct policy_row *row)
{
	char value[POLICY_TEXT_MAX];

	if (row->scope == SCOPE_SHAPE)	/* the lab's shape, which `lab info` tells, is no preset's matter */
		return false;
	return preset_differs(preset_of(lab), lab, row, value);
}

struct search {
	struct lab *lab;
	unsigned int asked;
};

/* cache.NAME.store: has NAME policies of its own? Ends the walk with 1 if so. */
static int has_own(const char *path, const struct figure_value *v, void *arg)
{
	struct search *s = arg;
	char name[FIGURE_TEXT_MAX];
	uint32_t cache;

	(void)v;
	if (++s->asked > CACHES_ASKED)
		return 2;
	cache = figure_cache_name(path, name, sizeof(name)) ? op_cache_find(s->lab, name) : 0;
	for (unsigned int i = 0; cache && i < policy_nr; i++)
		if (policy_table[i].scope == SCOPE_CACHE && policy_is_overridden(s->lab, &policy_table[i], cache))
			return 1;
	return 0;
}

static bool caches_differ(struct lab *lab)
{
	static uint64_t crowded;	/* birth of the lab that has too many */
	struct search s = { .lab = lab };
	int ret;

	if (crowded == lab->born_ns)
		return false;
	ret = figure_glob(lab, "cache.*.store", has_own, &s);
	if (ret == 2)
		crowded = lab->born_ns;
	return ret == 1;
}

bool policies_differ(struct lab *lab)
{

	for (unsigned int i = 0; i < policy_nr; i++)
		if (differs(lab, &policy_table[i]))
			return true;
	return caches_differ(lab);
}

/* "main", or all that a command goes to: "main=B". */
static char *labs_text(const struct shell *sh, const struct lab *current, char *buf, size_t size)
{
	size_t at = 0;

	if (!sh->twins.nr)
		snprintf(buf, size, "%s", current->name);
	for (unsigned int i = 0; i < sh->twins.nr && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? "=" : "", sh->twins.name[i]);
	return buf;
}

char *prompt_text(struct shell *sh, bool more, bool colour, char *buf, size_t size)
{
	struct lab_slot *slot = labs_current(&sh->labs);
	char cpu[24] = "", labs[64];
	bool mark = policies_differ(slot->lab);
	size_t width;

	if (slot->cpu)
		snprintf(cpu, sizeof(cpu), " cpu%u", slot->cpu);
	labs_text(sh, slot->lab, labs, sizeof(labs));
	width = strlen(labs) + strlen(cpu) + mark;
	if (more)
		snprintf(buf, size, "%.*s> ", (int)width,
			 "........................................................................................");
	else if (!colour)
		snprintf(buf, size, "%s%s%s> ", labs, cpu, mark ? "*" : "");
	else
		snprintf(buf, size, "\001%s\002%s\001%s\002%s\001%s\002%s\001%s\002> ", colour_on(true, MEANS_NAME),
			 labs, colour_off(true), cpu, colour_on(true, MEANS_CHANGED), mark ? "*" : "",
			 colour_off(true));
	return buf;
}
