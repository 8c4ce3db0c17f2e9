/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * placement - 128 000 random operations, and what a real kernel had after them.
 *
 * Idea. A kernel (Linux 6.1 with SLUB statistics, and two builds of it that put
 * every slab at the head or at the tail of a partial list) ran a population of
 * 256-byte objects up to 8000, down to 4000, then 120 000 operations around
 * that. Random numbers are fixed, so slab counts are equal to the last one.
 *
 * Units. The mean slab count is over the second half of the operations, in
 * hundredths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/fail.h"
#include "op/op.h"
#include "slab/read.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

#define PEAK 8000u
#define TARGET 4000u
#define SPREAD 50u
#define OPS 120000u

struct row {
	const char *placement;
	bool cpu_partial_off;		/* cpu_partial set to 0 */
	unsigned int seed;
	unsigned int partial_down;	/* slabs on the node list after the way down; 501 slabs there and at the peak */
	unsigned int objects, slabs, partial, mean;	/* at the end */
};

static const struct row rows[] = {
	{ "deactivate", false, 1, 497, 4004, 331, 217, 34576 },
	{ "deactivate", false, 2, 490, 3970, 335, 236, 34703 },
	{ "deactivate", false, 4, 490, 3958, 336, 228, 34622 },
	{ "deactivate", false, 5, 490, 3978, 335, 231, 34414 },
	{ "deactivate", true,  2, 497, 3970, 358, 309, 36962 },
	{ "deactivate", true,  3, 497, 4030, 359, 307, 37491 },
	{ "deactivate", true,  5, 497, 3978, 352, 297, 36825 },
	{ "head", false, 1, 497, 4004, 255, 18, 25485 },
	{ "head", false, 2, 490, 3970, 255, 18, 25455 },
	{ "head", false, 4, 490, 3958, 254, 32, 25502 },
	{ "head", false, 5, 490, 3978, 254, 16, 25546 },
	{ "head", true,  2, 497, 3970, 255, 27, 25371 },
	{ "head", true,  3, 497, 4030, 254, 20, 25379 },
	{ "head", true,  5, 497, 3978, 255, 21, 25406 },
	{ "tail", false, 1, 497, 4004, 331, 217, 34576 },
	{ "tail", false, 2, 490, 3970, 335, 236, 34703 },
	{ "tail", true,  2, 497, 3970, 358, 309, 36962 },
	{ "tail", true,  5, 497, 3978, 352, 297, 36825 },
};

struct population {
	struct lab *lab;
	uint32_t cache;
	uint64_t x;			/* random state, as the kernel's module had it */
	uint64_t object[PEAK + SPREAD + 1];
	unsigned int nr;
};

static unsigned int draw(struct population *p, unsigned int below)
{
	p->x = p->x * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)((p->x >> 33) % below);
}

static void allocate(struct population *p)
{
	struct op op = { .kind = OP_CACHE_ALLOC, .cache = p->cache, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r = { 0 };

	op.cpu = (uint16_t)draw(p, 2);
	if (op_play(p->lab, &op, &r))
		fail_msg("allocation failed: %s", fail_why());
	p->object[p->nr++] = r.off;
}

static void release(struct population *p)
{
	struct op op = { .kind = OP_CACHE_FREE, .cache = p->cache, .node = -1 };
	struct op_result r = { 0 };
	unsigned int i = draw(p, p->nr);

	op.off = p->object[i];
	p->object[i] = p->object[--p->nr];
	op.cpu = (uint16_t)draw(p, 2);
	if (op_play(p->lab, &op, &r))
		fail_msg("free failed: %s", fail_why());
}

static struct store_figures figures(const struct population *p)
{
	struct cache_figures c;
	struct store_figures s;

	assert_int_equal(cache_figures(p->lab, p->cache, &c), 0);
	assert_int_equal(store_figures(p->lab, c.store, &s), 0);
	return s;
}

/* Operations around the target; returns the mean slab count of the second half. */
static unsigned int churn(struct population *p)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < OPS; i++) {
		if (p->nr <= TARGET - SPREAD || (p->nr < TARGET + SPREAD && draw(p, 2) == 1))
			allocate(p);
		else
			release(p);
		if (i >= OPS / 2)
			sum += figures(p).slabs;
	}
	return (unsigned int)(sum * 100 / (OPS / 2));
}

static void make_population(struct population *p, const struct row *row)
{
	struct cache_request rq = { .name = "A", .size = 256, .merge = MERGE_OFF };

	p->lab = test_lab("mem=1G,cpus=2");
	assert_int_equal(op_set(p->lab, "slub.partial_add", row->placement), 0);
	assert_int_equal(op_cache_create(p->lab, &rq, &p->cache), 0);
	if (row->cpu_partial_off)
		assert_int_equal(op_set(p->lab, "cache.A.cpu_partial", "0"), 0);
	p->x = row->seed;
	p->nr = 0;
}

static void slab_counts_are_the_kernels(void **state)
{
	const struct row *row = *state;
	static struct population p;
	unsigned int mean;

	make_population(&p, row);
	lab_hold(p.lab);
	while (p.nr < PEAK)
		allocate(&p);
	assert_int_equal(figures(&p).slabs, 501);
	while (p.nr > TARGET)
		release(&p);
	assert_int_equal(figures(&p).slabs, 501);
	assert_int_equal(figures(&p).partial, row->partial_down);
	mean = churn(&p);
	assert_int_equal(p.nr, row->objects);
	assert_int_equal(figures(&p).slabs, row->slabs);
	assert_int_equal(figures(&p).partial, row->partial);
	assert_int_equal(mean, row->mean);
	while (p.nr)
		release(&p);
	lab_release(p.lab);
	assert_int_equal(lab_check(p.lab), 0);
	lab_drop(p.lab);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(*rows)];
	static char names[sizeof(rows) / sizeof(*rows)][64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(names[i], sizeof(names[i]), "slab_counts_are_the_kernels: %s%s, seed %u", rows[i].placement,
			 rows[i].cpu_partial_off ? " without CPU partial lists" : "", rows[i].seed);
		tests[i] = (struct CMUnitTest){ .name = names[i], .test_func = slab_counts_are_the_kernels,
						.initial_state = (void *)&rows[i] };
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
