/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/look.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "lab/handle.h"
#include "slab/read.h"

int look_begin(struct lab *lab, const struct view_args *args, const char *view, unsigned int words)
{
	unsigned int nr = 0;

	while (args && args->words && args->words[nr])
		nr++;
	if (nr > words)
		return fail(EINVAL, "\"%s\" is one word too many (see 'help %s')", args->words[words], view);
	lab_stop(lab);
	return 0;
}

uint64_t look_due_merges(struct lab *lab)
{
	struct zone_figures z;
	uint64_t merges = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		merges += z.due_merges;
	}
	return merges;
}

bool look_online(const struct lab *lab, unsigned int cpu)
{
	return lab_cpu_online(lab, cpu);
}

json_t *look_end(struct lab *lab, json_t *model)
{
	lab_resume(lab);
	return model;
}

void look_note_stopped(const struct lab *lab, const struct view_args *args)
{
	static const struct lab *said;

	if (look_counting(lab)) {
		if (said == lab)
			said = NULL;
		return;
	}
	if (said == lab || (args && args->quiet))
		return;
	said = lab;
	fprintf(stderr, "slablab: note: counters are off; event counts are those of the moment they were switched off\n");
}

json_t *look_int(uint64_t n)
{
	return json_integer((json_int_t)n);
}

void look_set(json_t *object, const char *key, uint64_t n)
{
	json_object_set_new(object, key, look_int(n));
}

void look_set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_string(text));
}

uint64_t look_get(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

const char *look_get_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int kind_find(const char *name)
{
	for (int k = 0; k < ZONE_KINDS; k++)
		if (!strcmp(zone_kind_names[k], name))
			return k;
	return -1;
}

/* "N12" followed by `end` or the end of the text: where to go on, NULL if it is not that. */
static const char *node_parse(const char *word, int *node)
{
	char *end;
	unsigned long n;

	if (word[0] != 'N' || word[1] < '0' || word[1] > '9')
		return NULL;
	n = strtoul(word + 1, &end, 10);
	if (n >= MAX_NODES || (*end && *end != '.'))
		return NULL;
	*node = (int)n;
	return end;
}

bool zone_chosen(const struct zone_choice *choice, const struct zone_figures *z)
{
	return (choice->node < 0 || (unsigned int)choice->node == z->node) &&
	       (choice->kind < 0 || (unsigned int)choice->kind == z->kind);
}

static bool zone_fits_any(struct lab *lab, const struct zone_choice *choice)
{
	struct zone_figures z;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		if (zone_chosen(choice, &z))
			return true;
	}
	return false;
}

bool zone_choose(struct lab *lab, const char *word, struct zone_choice *choice)
{
	const char *rest;

	choice->node = choice->kind = -1;
	if (!word)
		return true;
	rest = node_parse(word, &choice->node);
	if (!rest)
		rest = word;
	else if (*rest == '.')
		rest++;
	if (*rest) {
		choice->kind = kind_find(rest);
		if (choice->kind < 0)
			return false;
	}
	return zone_fits_any(lab, choice);
}

char *zone_names(struct lab *lab, char *buf, size_t size)
{
	struct zone_figures z;
	size_t at = 0;

	buf[0] = 0;
	for (unsigned int i = 0; i < lab->nr_zones && at < size; i++) {
		zone_figures(lab, i, false, &z);
		at += (size_t)snprintf(buf + at, size - at, "%sN%u.%s", i ? ", " : "", z.node,
				       zone_kind_names[z.kind]);
	}
	return buf;
}

int cpu_choose(const struct lab *lab, const char *word)
{
	char *end;
	unsigned long n;

	if (!strncmp(word, "cpu", 3))
		word += 3;
	if (*word < '0' || *word > '9')
		return -1;
	n = strtoul(word, &end, 10);
	return *end || n >= lab->nr_cpus ? -1 : (int)n;
}

/* Lists 0..11: three types of orders 0..3; 12 and 13: order 9, the second for Movable. */
#define ORDINARY_LISTS 12
#define HUGE_ORDER 9

unsigned int pcp_list_order(unsigned int list)
{
	return list < ORDINARY_LISTS ? list / 3 : HUGE_ORDER;
}

const char *pcp_list_type(unsigned int list)
{
	if (list < ORDINARY_LISTS)
		return mtype_name(list % 3);
	return list > ORDINARY_LISTS ? mtype_name(MT_MOVABLE) : "Unmovable or Reclaimable";
}

const char *look_role(enum page_role role)
{
	static const char *const names[] = {
		[PAGE_NOTHING] = "inside a block", [PAGE_BUDDY] = "free", [PAGE_ON_PCP] = "on a CPU's list",
		[PAGE_ALLOCATED] = "allocated", [PAGE_LARGE] = "large kmalloc", [PAGE_SLAB] = "slab",
		[PAGE_RESERVED] = "reserved", [PAGE_DELAYED] = "free, delayed",
		[PAGE_LRU] = "on an LRU list", [PAGE_ISOLATED] = "isolated",
	};

	return (unsigned int)role < ARRAY_SIZE(names) && names[role] ? names[role] : "unknown";
}

bool member_is_object(const struct lab *lab, const struct member *m, uint64_t *off)
{
	struct cached_place p;

	*off = 0;
	if (m->off && m->kind == MEMBER_OBJECT)
		*off = m->off;
	else if (m->off && m->kind == MEMBER_CACHED && !cached_place(lab, m->off, &p))
		*off = p.off;
	return *off != 0;
}

json_t *zone_object(const struct zone_figures *z)
{
	json_t *o = json_object();

	look_set(o, "node", z->node);
	look_set_text(o, "zone", zone_kind_names[z->kind]);
	return o;
}

json_t *order_array(const uint64_t counts[NR_PAGE_ORDERS])
{
	json_t *a = json_array();

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		json_array_append_new(a, look_int(counts[o]));
	return a;
}
