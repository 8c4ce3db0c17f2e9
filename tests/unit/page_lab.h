/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_lab - a lab of pages alone, for tests of the page layer.
 *
 * Like lab_new(), but without caches, so that every page is where the test
 * put it. All CPUs are held by the test, which may play any of them.
 */
#ifndef TESTS_PAGE_LAB_H
#define TESTS_PAGE_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "page/ops.h"
#include "page/zone.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static inline struct lab *page_lab(const char *text)
{
	uint64_t bytes[SEC_NR] = { 0 };
	struct shape shape;
	struct lab *lab;

	shape_default(&shape);
	if (shape_parse(&shape, text))
		fail_msg("shape %s: %s", text, fail_why());
	page_section_bytes(&shape, bytes);
	bytes[SEC_CPU] = sizeof(struct cpu_part) * shape.possible;
	assert_int_equal(lab_map(&shape, bytes, &lab), 0);
	assert_int_equal(cpus_make(lab), 0);
	cpus_fresh(lab);
	lab->hdr->counters = 1;
	page_policy_default(page_policy(lab));
	page_init(lab);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		page_attach(lab, lab->cpus[i]);
	return lab;
}

/* Everything must be as it should, or the sentence says what is not. */
static inline void page_lab_is_sound(struct lab *lab)
{
	if (page_check(lab))
		fail_msg("%s", fail_why());
}

static inline void page_lab_drop(struct lab *lab)
{
	page_lab_is_sound(lab);
	cpus_drop(lab);
	lab_unmap(lab);
}

static inline pfn_t take(struct lab *lab, unsigned int order, uint32_t gfp)
{
	return page_ops[VARIANT_COUNTED].alloc_pages(lab->cpus[0], order, gfp, -1);
}

static inline void give(struct lab *lab, pfn_t pfn, unsigned int order)
{
	page_ops[VARIANT_COUNTED].free_pages(lab->cpus[0], pfn, order);
}

static inline uint64_t event(struct lab *lab, enum event_id ev)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		sum += zone_event(lab, i, -1, ev, -1);
	return sum;
}

/* Pages of one free list from its head, as text: "1 3". */
struct list_text {
	char text[512];
};

static inline bool list_text_add(pfn_t pfn, void *arg)
{
	struct list_text *l = arg;
	size_t len = strlen(l->text);

	snprintf(l->text + len, sizeof(l->text) - len, "%s%u", len ? " " : "", pfn);
	return true;
}

/* Free lists of a zone, all types, as the specification writes them: "0:[1 3] 3:[8]". */
static inline const char *free_lists(struct lab *lab, unsigned int zone)
{
	static char text[1024];

	text[0] = 0;
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		struct list_text l = { "" };
		size_t len = strlen(text);

		for (unsigned int t = 0; t < MT_NR; t++)
			free_list_walk(lab, zone, o, t, list_text_add, &l);
		if (l.text[0])
			snprintf(text + len, sizeof(text) - len, "%s%u:[%s]", len ? " " : "", o, l.text);
	}
	return text;
}

static inline void set_sizes(struct lab *lab)
{
	page_policy_changed(lab, PAGE_CHANGE_SIZES);
}

static inline void set_lists(struct lab *lab)
{
	page_policy_changed(lab, PAGE_CHANGE_LISTS);
}

#endif
