/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls for pages do on their short ways what the long one
 * does: the same pages, the same lists, the same counts. A lab whose requests
 * are told knows no short way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slablab.h"

#include <cmocka.h>

#define LIVE 1500
#define TURNS 2500
#define MOST 80

struct side {
	slablab *lab;
	slablab_cpu *cpu;
	void *live[LIVE];
	char *first;		/* page that it was given: others are told by their distance */
};

static uint32_t roll(uint32_t *dice)
{
	*dice = *dice * 1664525 + 1013904223;
	return *dice >> 8;
}

static void begin(struct side *s, const char *model, int told)
{
	s->lab = slablab_new("zones=DMA:16M+Normal:48M,cpus=2", NULL);
	assert_int_equal(slablab_set(s->lab, "pcp.model", model, NULL), 0);
	assert_int_equal(slablab_run(s->lab, told ? "trace on" : "trace off", NULL), 0);
	s->cpu = slablab_bind(s->lab, 0);
	s->first = slablab_alloc_pages(s->cpu, 0, NULL);
}

static unsigned int take(struct side *s, unsigned int nr, unsigned int want, uint32_t dice)
{
	static const char *const gfps[] = { NULL, NULL, "GFP_HIGHUSER_MOVABLE", "GFP_KERNEL|__GFP_RECLAIMABLE", "GFP_DMA" };
	void *p;

	if (nr + want > LIVE)
		return nr;
	if (dice & 1)
		return nr + (unsigned int)slablab_alloc_pages_bulk(s->cpu, want, s->live + nr);
	for (unsigned int i = 0; i < want / 4 + 1; i++) {
		p = slablab_alloc_pages(s->cpu, 0, gfps[(dice >> 1) % 5]);
		if (p)
			s->live[nr++] = p;
	}
	return nr;
}

/* Some of them, from anywhere; once in a while one of them twice, or none. */
static unsigned int give(struct side *s, unsigned int nr, unsigned int want, uint32_t dice)
{
	void *going[MOST + 2];
	unsigned int n = want < nr ? want : nr;

	for (unsigned int i = 0; i < n; i++) {
		unsigned int at = dice & 2 ? nr - 1 : roll(&dice) % nr;

		going[i] = s->live[at];
		s->live[at] = s->live[--nr];
	}
	if (n && dice % 7 == 0) {
		going[n] = NULL;
		going[n + 1] = going[n / 2];
		n += 2;
	}
	if (dice & 1)
		slablab_free_pages_bulk(s->cpu, n, going);
	for (unsigned int i = 0; i < n && !(dice & 1); i++)
		slablab_free_pages(s->cpu, going[i], 0);
	return nr;
}

static unsigned int turn(struct side *s, unsigned int nr, uint32_t dice)
{
	unsigned int want = roll(&dice) % MOST + 1;

	return roll(&dice) % LIVE < nr ? give(s, nr, want, roll(&dice)) : take(s, nr, want, roll(&dice));
}

static void same_pages(const struct side *a, const struct side *b, unsigned int nr, const char *model)
{
	for (unsigned int i = 0; i < nr; i++)
		if ((char *)a->live[i] - a->first != (char *)b->live[i] - b->first)
			fail_msg("pcp.model %s: the %u-th page is another one", model, i);
}

static void same_figures(const struct side *a, const struct side *b, const char *model)
{
	static const char *const figures[] = {
		"event.mm_page_alloc", "event.mm_page_free", "event.mm_page_free_batched", "event.pgalloc", "event.pgfree",
		"event.zonelist_scan", "event.zone_visit", "event.wmark_check", "event.numa_hit", "event.numa_local",
		"event.pcp_refill", "event.pcp_bulk_free", "event.mm_page_pcpu_drain", "event.pcp_bypass", "event.bad_free",
		"zone.N0.Normal.free_pages", "zone.N0.DMA.free_pages", "pcp.N0.Normal.cpu0.count", "pcp.N0.Normal.cpu0.free_count",
	};
	char x[64], y[64];

	for (unsigned int i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (slablab_get(a->lab, figures[i], x, sizeof(x)) < 0 || slablab_get(b->lab, figures[i], y, sizeof(y)) < 0)
			fail_msg("%s: no such figure", figures[i]);
		if (strcmp(x, y))
			fail_msg("pcp.model %s: %s is %s on the short ways, %s on the long one", model, figures[i], x, y);
	}
}

static void short_is_as_long(void **state)
{
	static const char *const models[] = { "none", "akpm16", "hotcold", "hotcold1", "types", "5.14", "6.1", "6.7", "6.18" };
	static struct side a, b;

	(void)state;
	for (unsigned int m = 0; m < sizeof(models) / sizeof(models[0]); m++) {
		uint32_t dice = 11 + m;
		unsigned int nr = 0;

		begin(&a, models[m], 0);
		begin(&b, models[m], 1);
		for (unsigned int i = 0; i < TURNS; i++) {
			uint32_t one = roll(&dice);
			unsigned int has = turn(&a, nr, one);

			assert_int_equal(turn(&b, nr, one), has);
			nr = has;
			same_pages(&a, &b, nr, models[m]);
		}
		same_figures(&a, &b, models[m]);
		for (struct side *s = &a; s; s = s == &a ? &b : NULL) {
			assert_int_equal(slablab_run(s->lab, "lab check", NULL), 0);
			slablab_unbind(s->cpu);
			slablab_drop(s->lab);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_is_as_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
