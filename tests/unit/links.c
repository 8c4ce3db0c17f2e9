/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of free objects, coded and plain, and the random order in which a new slab's objects stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "op/op.h"
#include "slab/slab.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

static uint32_t cache_of(struct lab *lab, uint64_t size)
{
	struct cache_request rq = { .name = "t", .size = size, .merge = MERGE_OFF };
	uint32_t id;

	assert_int_equal(op_cache_create(lab, &rq, &id), 0);
	return id;
}

static struct op_result run(struct lab *lab, struct op op)
{
	struct op_result r;

	if (op_run(lab, &op, &r))
		fail_msg("op %d: %s", op.kind, fail_why());
	return r;
}

static uint64_t take(struct lab *lab, uint32_t cache)
{
	return run(lab, (struct op){ .kind = OP_CACHE_ALLOC, .cache = cache, .gfp = GFP_KERNEL, .node = -1 }).off;
}

static void links_are_coded_with_their_place_turned_round(void **state)
{
	const uint64_t secret = 0x1122334455667788, at = 0x00007f0000001030;
	uint8_t word[8];

	(void)state;
	assert_int_equal(link_code(0x00007f0000001100, at, secret), 0x21324c4455196688);
	assert_int_equal(link_code(0, at, secret), 0x2132334455197788);
	assert_int_equal(link_code(0x21324c4455196688, at, secret), 0x00007f0000001100);
	link_write(word, 0, secret, 0x1234);
	assert_int_equal(link_read(word, 0, secret), 0x1234);
	assert_int_equal(link_read(word, 0, 0), 0x1234 ^ secret);
}

static uint64_t link_word(struct lab *lab, uint32_t cache, uint64_t object)
{
	return *(uint64_t *)(lab->base + object + lab_store(lab, lab_cache(lab, cache)->store)->g.freeptr);
}

static void a_hardened_store_shows_no_address(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1");
	uint32_t cache = cache_of(lab, 256);
	const struct store *s;
	uint64_t a, b;

	(void)state;
	assert_int_equal(op_set(lab, "cache.t.freelist_hardened", "on"), 0);
	s = lab_store(lab, lab_cache(lab, cache)->store);
	assert_int_not_equal(s->secret, 0);
	a = take(lab, cache);
	b = take(lab, cache);
	run(lab, (struct op){ .kind = OP_CACHE_FREE, .cache = cache, .off = b });
	run(lab, (struct op){ .kind = OP_CACHE_FREE, .cache = cache, .off = a });
	assert_int_equal(link_word(lab, cache, a), link_code(b, a + s->g.freeptr, s->secret));
	assert_int_not_equal(link_word(lab, cache, a), b);
	assert_int_equal(op_set(lab, "cache.t.freelist_hardened", "off"), 0);
	a = take(lab, cache);
	b = take(lab, cache);
	run(lab, (struct op){ .kind = OP_CACHE_FREE, .cache = cache, .off = b });
	run(lab, (struct op){ .kind = OP_CACHE_FREE, .cache = cache, .off = a });
	assert_int_equal(link_word(lab, cache, a), b);
	lab_drop(lab);
}

/* The numbers of a slab's objects in the order in which they come, from the slab's start on. */
static void order_of(struct lab *lab, uint32_t cache, uint32_t n, uint32_t order[])
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t object = take(lab, cache);

		order[i] = object_index(lab, lab_store(lab, lab_cache(lab, cache)->store), slab_of(lab, object), object);
	}
}

static void slabs_of_a_store_share_one_order_begun_anywhere(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1,seed=3");
	uint32_t cache = cache_of(lab, 256), slab[16], begun = 0, turn = 0;
	const uint16_t *sequence;
	const struct store *s;

	(void)state;
	assert_int_equal(op_set(lab, "slub.max_order", "0"), 0);
	assert_int_equal(op_set(lab, "slub.freelist_random", "on"), 0);
	s = lab_store(lab, lab_cache(lab, cache)->store);
	assert_int_equal(s->g.objs, 16);
	sequence = lab_ptr(lab, s->sequence);
	for (uint32_t i = 1; i < 16; i++)
		turn += sequence[i] < sequence[i - 1];
	assert_true(turn > 2);		/* no order of addresses */
	for (unsigned int n = 0; n < 40; n++) {
		uint32_t from = 0;

		order_of(lab, cache, 16, slab);
		while (sequence[from] != slab[0])
			from++;
		begun |= 1u << from;
		for (uint32_t i = 0; i < 16; i++)
			assert_int_equal(slab[i], sequence[(from + i) % 16]);
	}
	assert_true(__builtin_popcount(begun) > 8);
	assert_int_equal(lab_check(lab), 0);
	lab_drop(lab);
}

/* A slab of the least order has fewer objects: numbers that it does not have are passed over. */
static void a_smaller_slab_keeps_the_order_of_those_it_has(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1");
	uint32_t cache = cache_of(lab, 512), slab[8], from = 0, at;
	const uint16_t *sequence;
	const struct store *s;

	(void)state;
	assert_int_equal(op_set(lab, "slub.freelist_random", "on"), 0);
	assert_int_equal(op_set(lab, "slub.min_objects", "32"), 0);
	assert_int_equal(op_set(lab, "slub.order_fallback", "minorder"), 0);
	s = lab_store(lab, lab_cache(lab, cache)->store);
	assert_int_equal(s->g.objs, 32);
	assert_int_equal(s->g.min_objs, 8);
	sequence = lab_ptr(lab, s->sequence);
	order_of(lab, cache, 8, slab);
	while (sequence[from] != slab[0])
		from++;
	at = from;
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(slab[i], sequence[at]);
		do
			at = (at + 1) % 32;
		while (sequence[at] >= 8);
	}
	lab_drop(lab);
}

/* One object in a slab has no order, and none is kept. */
static void one_object_has_no_order(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=1");
	uint32_t cache = cache_of(lab, 32768);

	(void)state;
	assert_int_equal(op_set(lab, "cache.t.freelist_random", "on"), 0);
	assert_int_equal(lab_store(lab, lab_cache(lab, cache)->store)->g.objs, 1);
	assert_int_equal(lab_store(lab, lab_cache(lab, cache)->store)->sequence, 0);
	assert_int_not_equal(take(lab, cache), 0);
	lab_drop(lab);
}

/* The same entry twice in a row of a bulk free: in every form that links runs one of them is refused. */
static void a_run_does_not_take_an_object_twice(void **state)
{
	static const char *const forms[] = { "v4.4", "v5.18", "fallback", "v4.3" };
	struct lab *lab = test_lab("mem=16M,cpus=2");
	uint32_t cache = cache_of(lab, 256);

	(void)state;
	assert_int_equal(op_set(lab, "cache.t.freelist_hardened", "on"), 0);
	for (unsigned int f = 0; f < 4; f++) {
		uint64_t vec[5], out = cache_objects(lab, cache);
		struct op_result r;

		assert_int_equal(op_set(lab, "cache.t.bulk_form", forms[f]), 0);
		for (unsigned int i = 0; i < 4; i++)
			vec[i] = take(lab, cache);
		vec[2] = vec[4] = vec[3];	/* one is there three times in a row, and one stays out */
		r = run(lab, (struct op){ .kind = OP_CACHE_FREE_BULK, .cpu = f % 2, .cache = cache, .n = 5, .vec = vec });
		assert_true(r.findings & FINDING_DEBUG);
		assert_int_equal(cache_objects(lab, cache), out + 1);
		assert_int_equal(lab_check(lab), 0);
	}
	assert_int_equal(debug_errors(lab, DEBUG_set_freepointer), 8);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_coded_with_their_place_turned_round),
		cmocka_unit_test(a_hardened_store_shows_no_address),
		cmocka_unit_test(slabs_of_a_store_share_one_order_begun_anywhere),
		cmocka_unit_test(a_smaller_slab_keeps_the_order_of_those_it_has),
		cmocka_unit_test(one_object_has_no_order),
		cmocka_unit_test(a_run_does_not_take_an_object_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
