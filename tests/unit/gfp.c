/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfp flags: what kernels print is read, written back, and refused where it means nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>

#include "base/fail.h"
#include "base/gfp.h"
#include "base/types.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static uint32_t parsed(const char *text)
{
	uint32_t gfp = 0xdead;

	if (gfp_parse(text, strlen(text), &gfp))
		fail_msg("%s: %s", text, fail_why());
	return gfp;
}

static void assert_refused(const char *text, const char *named)
{
	uint32_t gfp = 0xdead;

	assert_int_equal(gfp_parse(text, strlen(text), &gfp), -EINVAL);
	assert_int_equal(gfp, 0xdead);  /* left alone */
	if (!strstr(fail_why(), named))
		fail_msg("'%s' does not name %s", fail_why(), named);
}

static void texts_of_a_6_1_kernel_come_back_as_they_were(void **state)
{
	static const char *const texts[] = {
		"GFP_KERNEL", "GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO", "GFP_HIGHUSER|__GFP_ACCOUNT",
		"GFP_KERNEL_ACCOUNT|__GFP_NOWARN|__GFP_NOMEMALLOC", "GFP_NOFS|__GFP_ZERO",
		"GFP_NOWAIT|__GFP_HIGHMEM|__GFP_NOWARN|__GFP_MOVABLE",
		"GFP_KERNEL|__GFP_NOWARN|__GFP_NORETRY|__GFP_RECLAIMABLE",
		"__GFP_IO|__GFP_FS|__GFP_NOWARN|__GFP_NORETRY|__GFP_COMP|__GFP_NOMEMALLOC|__GFP_RECLAIMABLE",
		"GFP_NOWAIT|__GFP_NOWARN|__GFP_ACCOUNT", "GFP_ATOMIC|__GFP_NOWARN|__GFP_NORETRY",
		"GFP_USER|__GFP_ZERO", "GFP_KERNEL|__GFP_NOFAIL", "GFP_NOIO", "GFP_DMA", "none",
		"GFP_TRANSHUGE_LIGHT", "GFP_TRANSHUGE", "GFP_KERNEL|0x80000000",
	};
	char buf[GFP_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(gfp_print(parsed(texts[i]), buf, sizeof(buf)), strlen(texts[i]));
		assert_string_equal(buf, texts[i]);
	}
}

static void every_mask_can_be_written_and_read(void **state)
{
	char buf[GFP_TEXT_MAX];
	uint32_t gfp, bits = 1;

	(void)state;
	assert_true(gfp_print(~0u, buf, sizeof(buf)) < sizeof(buf));
	for (int i = 0; i < 20000; i++) {
		bits = bits * 1664525 + 1013904223;
		size_t n = gfp_print(bits, buf, sizeof(buf));

		assert_true(gfp_read(buf, n, &gfp));
		assert_int_equal(gfp, bits);
	}
	assert_true(gfp_print(GFP_KERNEL, buf, 4) >= 4);        /* cut, and it says so */
	assert_string_equal(buf, "GFP");
}

static void old_spellings_mean_todays_bits(void **state)
{
	(void)state;
	assert_int_equal(parsed("GFP_KERNEL|GFP_ZERO"), parsed("GFP_KERNEL|__GFP_ZERO"));
	assert_int_equal(parsed("GFP_KERNEL|GFP_REPEAT"), GFP_KERNEL | GFP_BIT_RETRY_MAYFAIL);
	assert_int_equal(parsed("GFP_WAIT"), GFP_BIT_RECLAIM);
	assert_int_equal(parsed("__GFP_WAIT|__GFP_IO|__GFP_FS"), GFP_KERNEL);
	assert_int_equal(parsed("GFP_COLD|GFP_NOTRACK"), GFP_BIT_COLD);
	assert_int_equal(parsed("GFP_ATOMIC"), GFP_BIT_HIGH | GFP_BIT_ATOMIC | GFP_BIT_KSWAPD_RECLAIM);
	assert_int_equal(parsed("__GFP_ATOMIC"), GFP_BIT_ATOMIC);
	assert_int_equal(parsed("___GFP_HARDWALL"), GFP_BIT_HARDWALL);
}

static void numbers_of_any_base_are_bits(void **state)
{
	(void)state;
	assert_int_equal(parsed("0xcc0"), GFP_KERNEL);
	assert_int_equal(parsed("3264"), GFP_KERNEL);
	assert_int_equal(parsed("06300"), GFP_KERNEL);
	assert_int_equal(parsed("GFP_KERNEL|0x100"), GFP_KERNEL | GFP_BIT_ZERO);
	assert_int_equal(parsed("0"), 0);
}

static void what_means_nothing_is_refused_by_name(void **state)
{
	(void)state;
	assert_refused("GFP_KERNL", "GFP_KERNL");
	assert_refused("GFP_KERNEL|__GFP_SPEED", "__GFP_SPEED");
	assert_refused("GFP_KERNEL|", "''");
	assert_refused("", "''");
	assert_refused("0x100000000", "0x100000000");
	assert_refused("08", "08");
	assert_refused("kernel", "kernel");
	assert_refused("__GFP_MOVABLE|__GFP_RECLAIMABLE", "exclude");
}

static void the_reader_of_kernel_text_takes_what_it_knows(void **state)
{
	static const char with_nul[] = "none\0abc";
	uint32_t gfp;

	(void)state;
	assert_false(gfp_read("GFP_KERNEL|__GFP_FUTURE", 23, &gfp));
	assert_int_equal(gfp, GFP_KERNEL);
	assert_false(gfp_read(with_nul, sizeof(with_nul) - 1, &gfp));
	assert_int_equal(gfp, 0);
}

static void bits_ask_for_a_migratetype(void **state)
{
	(void)state;
	assert_int_equal(gfp_mtype(GFP_KERNEL), MT_UNMOVABLE);
	assert_int_equal(gfp_mtype(GFP_HIGHUSER_MOVABLE), MT_MOVABLE);
	assert_int_equal(gfp_mtype(GFP_BIT_RECLAIMABLE), MT_RECLAIMABLE);
	assert_int_equal(gfp_mtype(GFP_BIT_RECLAIMABLE | GFP_BIT_MOVABLE), MT_UNMOVABLE);
	for (int type = MT_UNMOVABLE; type <= MT_RECLAIMABLE; type++) {
		assert_int_equal(gfp_mtype(gfp_of_mtype(type)), type);
		assert_int_equal(mtype_parse(mtype_name(type), strlen(mtype_name(type))), type);
	}
	assert_int_equal(mtype_parse("HIGHATOMIC", 10), MT_HIGHATOMIC);
	assert_int_equal(mtype_parse("2", 1), MT_RECLAIMABLE);
	assert_int_equal(mtype_parse("5", 1), -EINVAL);
	assert_int_equal(mtype_parse("", 0), -EINVAL);
}

/* The modes stand beside the same names in reports of those kernels. */
static void numbers_of_older_kernels_find_their_bits(void **state)
{
	(void)state;
	assert_int_equal(gfp_from_kernel(0xd0, 3, 10), GFP_KERNEL);
	assert_int_equal(gfp_from_kernel(0x24000c0, 4, 4), GFP_KERNEL);
	assert_int_equal(gfp_from_kernel(0x2080020, 4, 9), GFP_ATOMIC);
	assert_int_equal(gfp_from_kernel(0x14080c0, 4, 15), GFP_KERNEL | GFP_BIT_ZERO);
	assert_int_equal(gfp_from_kernel(0x480020, 4, 19), GFP_ATOMIC);
	assert_int_equal(gfp_from_kernel(0x6040c0, 4, 19), GFP_KERNEL | GFP_BIT_COMP);
	assert_int_equal(gfp_from_kernel(0x50cc0, 5, 4), GFP_KERNEL | GFP_BIT_NORETRY | GFP_BIT_COMP);
	assert_int_equal(gfp_from_kernel(0xdc0, 6, 13), GFP_KERNEL | GFP_BIT_ZERO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_a_6_1_kernel_come_back_as_they_were),
		cmocka_unit_test(every_mask_can_be_written_and_read),
		cmocka_unit_test(old_spellings_mean_todays_bits),
		cmocka_unit_test(numbers_of_any_base_are_bits),
		cmocka_unit_test(what_means_nothing_is_refused_by_name),
		cmocka_unit_test(the_reader_of_kernel_text_takes_what_it_knows),
		cmocka_unit_test(bits_ask_for_a_migratetype),
		cmocka_unit_test(numbers_of_older_kernels_find_their_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
