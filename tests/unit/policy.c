/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row table: every value in, every value out, and kernel command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>

#include "base/fail.h"
#include "op/op.h"
#include "policy/near.h"
#include "policy/policy.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static struct lab *lab;

static int make_lab(void **state)
{
	struct shape shape;
	char warning[256];

	(void)state;
	shape_default(&shape);
	return lab_new(&shape, NULL, "main", &lab, warning);
}

static int drop_lab(void **state)
{
	(void)state;
	lab_drop(lab);
	return 0;
}

static const struct policy_row *row(const char *name)
{
	const struct policy_row *r = policy_find(name);

	if (!r)
		fail_msg("%s is not in the table", name);
	return r;
}

static void assert_value(const char *name, uint32_t cache, const char *want)
{
	char text[POLICY_TEXT_MAX];

	policy_print(lab, row(name), cache, text, sizeof(text));
	if (strcmp(text, want))
		fail_msg("%s is \"%s\", not \"%s\"", name, text, want);
}

static void store(const char *name, const char *value)
{
	if (policy_store(lab, row(name), 0, value))
		fail_msg("%s %s: %s", name, value, fail_why());
}

/* The error names policy and range, and nothing was stored. */
static void assert_refused(const char *name, int err, const char *value)
{
	char before[POLICY_TEXT_MAX];

	policy_print(lab, row(name), 0, before, sizeof(before));
	if (policy_store(lab, row(name), 0, value) != -err)
		fail_msg("%s \"%s\" was not refused with %d", name, value, err);
	if (!strstr(fail_why(), name))
		fail_msg("the sentence \"%s\" does not name %s", fail_why(), name);
	assert_value(name, 0, before);
}

/* ---- the table ---- */

static void every_row_is_complete_and_its_name_its_own(void **state)
{
	char range[256];

	(void)state;
	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *r = &policy_table[i];

		assert_non_null(strchr(r->name, '.'));
		if (!r->text || !r->source || !r->effect_text || !r->def ||
		    !(r->bytes || r->type == POLICY_CUSTOM))
			fail_msg("%s lacks a column", r->name);
		assert_true(policy_range(r, range, sizeof(range))[0]);
		assert_ptr_equal(policy_find(r->name), r);
		if (r->scope == SCOPE_CACHE) {
			assert_true(r->store_field);
			/* engines have parts of one name: without an engine it is the first's */
			assert_string_equal(policy_part(policy_find_part(policy_part(r))), policy_part(r));
		}
	}
}

static void a_fresh_lab_has_every_default(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < policy_nr; i++)
		if (!policy_table[i].def_by_host)
			assert_value(policy_table[i].name, 0, policy_table[i].def);
}

static void every_default_may_be_set_again(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < policy_nr; i++)
		if (!policy_is_of_shape(&policy_table[i]) && !policy_table[i].def_by_host)
			store(policy_table[i].name, policy_table[i].def);
}

/* The layers' own defaults, used where there is no table, are the table's. */
static void the_layers_agree_with_the_table(void **state)
{
	(void)state;
	page_policy_default(lab_page_policy(lab));
	slab_policy_default(lab_slab_policy(lab));
	a_fresh_lab_has_every_default(NULL);
	policy_defaults(lab);
}

/* ---- values ---- */

static void numbers_are_held_to_their_range(void **state)
{
	(void)state;
	store("slub.max_order", "10");
	assert_value("slub.max_order", 0, "10");
	assert_refused("slub.max_order", ERANGE, "11");
	assert_refused("slub.max_order", ERANGE, "-1");
	assert_refused("slub.max_order", EINVAL, "three");
	assert_refused("slub.max_order", EINVAL, "");
	assert_refused("slub.max_order", EINVAL, "auto");
	assert_non_null(strstr(fail_why(), "0 .. 10"));
	store("slub.max_order", "3");
	assert_refused("zone.min_free_kbytes", ERANGE, "127");
	assert_refused("pcp.high_fraction", ERANGE, "7");
	store("pcp.high_fraction", "8");
	store("pcp.high_fraction", "0");
}

static void half_a_zone_is_the_most_a_list_may_hold(void **state)
{
	(void)state;
	store("pcp.high", "32768");
	assert_int_equal(lab_page_policy(lab)->pcp_high, 32768);
	assert_refused("pcp.high", ERANGE, "32769");
	store("pcp.high", "auto");
	assert_true(lab_page_policy(lab)->pcp_high == AUTO64);
}

static void words_are_taken_as_they_are_spelt(void **state)
{
	(void)state;
	store("zone.watermark_order_check", "halving");
	assert_int_equal(lab_page_policy(lab)->order_check, WMARK_ORDER_HALVING);
	assert_refused("zone.watermark_order_check", EINVAL, "Halving");
	assert_non_null(strstr(fail_why(), "size, halving, freelist"));
	store("zone.watermark_order_check", "freelist");
	store("slab.merge", "off");
	assert_int_equal(lab_slab_policy(lab)->store.merge, MERGE_OFF);
	assert_refused("slab.merge", EINVAL, "auto");
	store("slab.merge", "on");
}

static void a_criterion_is_a_share_and_a_side(void **state)
{
	struct store_policy *p = &lab_slab_policy(lab)->store;

	(void)state;
	store("slub.partial_add", "criterion:3/4:tail");
	assert_int_equal(p->partial_add, PARTIAL_CRITERION);
	assert_int_equal(p->criterion_num, 3);
	assert_int_equal(p->criterion_den, 4);
	assert_int_equal(p->criterion_side, 1);
	assert_value("slub.partial_add", 0, "criterion:3/4:tail");
	assert_refused("slub.partial_add", ERANGE, "criterion:1/0:tail");
	assert_refused("slub.partial_add", ERANGE, "criterion:5/4:head");
	assert_refused("slub.partial_add", EINVAL, "criterion:1/4:left");
	assert_refused("slub.partial_add", EINVAL, "criterion:1/4:headx");
	assert_refused("slub.partial_add", EINVAL, "criterion:1/4");
	store("slub.partial_add", "fuller_head");
	assert_value("slub.partial_add", 0, "fuller_head");
	store("slub.partial_add", "deactivate");
}

static void ratios_come_as_numbers_or_none(void **state)
{
	int64_t *r = lab_page_policy(lab)->reserve_ratio;

	(void)state;
	store("zone.lowmem_reserve_ratio", "256\t128\t32\t0\t0");
	assert_value("zone.lowmem_reserve_ratio", 0, "256,128,32,0");
	assert_refused("zone.lowmem_reserve_ratio", EINVAL, "256,128,32");
	assert_refused("zone.lowmem_reserve_ratio", ERANGE, "256,-1,32,0");
	assert_int_equal(r[1], 128);
	store("zone.lowmem_reserve_ratio", "none");
	assert_int_equal(r[0], 0);
	assert_value("zone.lowmem_reserve_ratio", 0, "none");
	store("zone.lowmem_reserve_ratio", "256,256,32,0");
}

/* By op_set(): what is refused leaves both as they were. */
static void sizes_that_go_together_are_looked_at_together(void **state)
{
	(void)state;
	assert_int_equal(op_set(lab, "slabq.limit", "10"), 0);
	assert_int_equal(op_set(lab, "slabq.batchcount", "11"), -EINVAL);
	assert_non_null(strstr(fail_why(), "slabq.limit 10"));
	assert_value("slabq.batchcount", 0, "auto");
	assert_int_equal(op_set(lab, "slabq.batchcount", "10"), 0);
	assert_int_equal(op_set(lab, "slabq.limit", "9"), -EINVAL);
	assert_int_equal(op_set(lab, "slabq.shared", "1048576"), -EINVAL);
	assert_int_equal(op_set(lab, "slabq.limit", "auto"), 0);
	assert_int_equal(op_set(lab, "slabq.batchcount", "auto"), 0);
	assert_int_equal(op_set(lab, "slqb.hiwater", "3"), 0);
	assert_int_equal(op_set(lab, "slqb.freebatch", "5"), -EINVAL);
	assert_int_equal(op_set(lab, "slqb.freebatch", "4"), 0);
	assert_int_equal(op_set(lab, "slqb.hiwater", "2"), -EINVAL);
	assert_int_equal(op_set(lab, "slqb.freebatch", "auto"), 0);
	assert_int_equal(op_set(lab, "slqb.hiwater", "auto"), 0);
}

static void option_strings_with_unknown_letters_are_refused(void **state)
{
	(void)state;
	store("slub.debug", "FZ;-,zs_handle,zspage*");
	assert_value("slub.debug", 0, "FZ;-,zs_handle,zspage*");
	assert_refused("slub.debug", EINVAL, "FQ");
	assert_non_null(strstr(fail_why(), "Q"));
	store("slub.debug", "none");
	assert_value("slub.debug", 0, "");
}

static void a_set_of_kmalloc_types_holds_normal(void **state)
{
	(void)state;
	store("kmalloc.types", "dma,normal");
	assert_value("kmalloc.types", 0, "normal,dma");
	assert_refused("kmalloc.types", EINVAL, "cg,rcl");
	assert_refused("kmalloc.types", EINVAL, "normal,huge");
	store("kmalloc.types", "normal,cg,rcl,dma");
}

/* ---- overrides ---- */

static void an_override_beats_the_lab_until_it_is_taken_away(void **state)
{
	struct cache_request rq = { .name = "mine", .size = 200, .merge = MERGE_OFF };
	uint32_t cache;

	(void)state;
	assert_int_equal(op_cache_create(lab, &rq, &cache), 0);
	assert_value("slub.max_order", cache, "3");
	assert_int_equal(policy_store(lab, row("slub.max_order"), cache, "1"), 0);
	assert_true(policy_is_overridden(lab, row("slub.max_order"), cache));
	assert_value("slub.max_order", cache, "1");
	assert_value("slub.max_order", 0, "3");
	assert_int_equal(policy_store(lab, row("slub.max_order"), cache, "11"), -ERANGE);
	assert_value("slub.max_order", cache, "1");
	assert_int_equal(policy_store(lab, row("slub.max_order"), cache, "auto"), 0);
	assert_false(policy_is_overridden(lab, row("slub.max_order"), cache));
	assert_value("slub.max_order", cache, "3");
}

static void one_caches_debugging_is_letters(void **state)
{
	struct cache_request rq = { .name = "lettered", .size = 200, .merge = MERGE_OFF };
	uint32_t cache;

	(void)state;
	assert_int_equal(op_cache_create(lab, &rq, &cache), 0);
	assert_int_equal(policy_store(lab, row("slub.debug"), cache, "zfu"), 0);
	assert_int_equal(cache_override(lab, cache)->debug, CF_CONSIST | CF_REDZONE | CF_USER);
	assert_value("slub.debug", cache, "FZU");
	assert_int_equal(policy_store(lab, row("slub.debug"), cache, "F;P,other"), -EINVAL);
	assert_value("slub.debug", cache, "FZU");
	assert_int_equal(policy_store(lab, row("slub.debug"), cache, "none"), 0);
	assert_true(policy_is_overridden(lab, row("slub.debug"), cache));
	assert_value("slub.debug", cache, "none");
	assert_int_equal(policy_store(lab, row("slub.debug"), cache, "auto"), 0);
	assert_false(policy_is_overridden(lab, row("slub.debug"), cache));
}

static void lab_wide_rows_take_no_override(void **state)
{
	struct cache_request rq = { .name = "third", .size = 200, .merge = MERGE_OFF };
	uint32_t cache;

	(void)state;
	assert_int_equal(op_cache_create(lab, &rq, &cache), 0);
	assert_int_equal(policy_store(lab, row("pcp.batch"), cache, "3"), -EINVAL);
	assert_null(policy_find_part("batch"));
}

/* ---- the shape ---- */

static void the_shapes_row_is_stored_before_there_is_a_lab(void **state)
{
	struct shape shape;

	(void)state;
	shape_default(&shape);
	assert_int_equal(policy_store_shape(&shape, row("lab.pageblock_order"), "5"), 0);
	assert_int_equal(shape.pageblock_order, 5);
	assert_int_equal(policy_store_shape(&shape, row("lab.pageblock_order"), "2"), -ERANGE);
	assert_int_equal(policy_store_shape(&shape, row("slub.max_order"), "2"), -EINVAL);
	assert_int_equal(shape.pageblock_order, 5);
}

/* ---- kernel command lines ---- */

static void boot(const char *line, const char *warning)
{
	char got[256];

	if (boot_policies(lab, line, got))
		fail_msg("\"%s\": %s", line, fail_why());
	assert_string_equal(got, warning);
}

static void a_command_line_sets_policies(void **state)
{
	(void)state;
	boot("slab_nomerge slub_max_order=0 slub-min-objects=32 slub_min_order=2", "");
	assert_value("slab.merge", 0, "off");
	assert_value("slub.max_order", 0, "0");
	assert_value("slub.min_objects", 0, "32");
	assert_value("slub.min_order", 0, "2");
	boot("slub_max_order=4 slub_max_order=20 slub_merge slub_min_order=0 slub_min_objects=0", "");
	assert_value("slub.max_order", 0, "10");
	assert_value("slab.merge", 0, "on");
	boot("slub_max_order=3", "");
}

static void debugging_without_a_value_is_all_of_it(void **state)
{
	(void)state;
	boot("slub_debug", "");
	assert_value("slub.debug", 0, "FZPU");
	boot("slub_debug=FZ;P,kmalloc-*,dentry", "");
	assert_value("slub.debug", 0, "FZ;P,kmalloc-*,dentry");
	boot("slub_debug=FX", "slub_debug letter X");
	store("slub.debug", "");
}

static void sysctls_find_their_rows(void **state)
{
	(void)state;
	boot("vm.min_free_kbytes=4096 sysctl.vm.lowmem_reserve_ratio=\"128 128 32 0 0\"", "");
	assert_value("zone.min_free_kbytes", 0, "4096");
	assert_value("zone.lowmem_reserve_ratio", 0, "128,128,32,0");
	boot("sysctl.vm/watermark_scale_factor=20 vm.overcommit_ratio=10", "vm.overcommit_ratio");
	assert_value("zone.watermark_scale_factor", 0, "20");
	store("zone.min_free_kbytes", "auto");
	store("zone.lowmem_reserve_ratio", "256,256,32,0");
	store("zone.watermark_scale_factor", "10");
}

static void unknown_words_are_named_once_all_together(void **state)
{
	(void)state;
	boot("root=/dev/sda1 quiet slab_merge nr_cpus=2 mem=1G ro", "root, quiet, ro");
	boot("quiet -- slub_max_order=1 single", "quiet");
	assert_value("slub.max_order", 0, "3");
	boot("", "");
}

static void bad_values_are_errors_that_name_the_word(void **state)
{
	char warning[256];

	(void)state;
	assert_int_equal(boot_policies(lab, "slub_min_objects=many", warning), -EINVAL);
	assert_non_null(strstr(fail_why(), "slub_min_objects"));
	assert_int_equal(boot_policies(lab, "slub_min_order=11", warning), 0);	/* cut, as a kernel does */
	assert_value("slub.min_order", 0, "10");
	assert_int_equal(boot_policies(lab, "slub_max_order", warning), -EINVAL);
	assert_value("slub.min_objects", 0, "0");
}

static void a_command_line_shapes_what_the_shape_left_open(void **state)
{
	struct shape shape;

	(void)state;
	shape_default(&shape);
	assert_int_equal(boot_shape("nr_cpus=8 maxcpus=2 possible_cpus=6 mem=1G", &shape), 0);
	assert_int_equal(shape.cpus, 2);
	assert_int_equal(shape.possible, 6);
	assert_int_equal(shape.pages, 1 << 18);

	shape_default(&shape);
	assert_int_equal(shape_parse(&shape, "mem=512M,cpus=3"), 0);
	assert_int_equal(boot_shape("nr_cpus=8 mem=1G", &shape), 0);
	assert_int_equal(shape.cpus, 3);
	assert_int_equal(shape.pages, 1 << 17);

	shape_default(&shape);
	assert_int_equal(shape_parse(&shape, "layout=x86_64,cpus=3"), 0);
	shape.has_mem = false;
	assert_int_equal(boot_shape("mem=8G", &shape), 0);
	assert_int_equal(shape.zones, 3);
	assert_int_equal(shape.pages, 1 << 21);

	shape_default(&shape);
	assert_int_equal(shape_parse(&shape, "zones=DMA:16M+Normal:64M"), 0);
	assert_int_equal(boot_shape("mem=8G nr_cpus=2", &shape), 0);
	assert_int_equal(shape.zones, 2);
	assert_int_equal(shape.cpus, 2);
	assert_int_equal(boot_shape("mem=1K", &shape), -ERANGE);
}

/* ---- near names ---- */

static void distances_are_bounded_edits(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", "", 3), 0);
	assert_int_equal(edit_distance("abc", "abc", 3), 0);
	assert_int_equal(edit_distance("abc", "acb", 3), 1);
	assert_int_equal(edit_distance("abc", "ab", 3), 1);
	assert_int_equal(edit_distance("abc", "xabc", 3), 1);
	assert_int_equal(edit_distance("kitten", "sitting", 3), 3);
	assert_int_equal(edit_distance("kitten", "sitting", 2), 3);
	assert_int_equal(edit_distance("a", "abcdefgh", 3), 4);
}

static void a_wrong_name_is_answered_with_near_ones(void **state)
{
	char names[256];

	(void)state;
	assert_memory_equal(policy_near("slub.max_oder", names, sizeof(names)), "slub.max_order, ", 16);
	assert_non_null(strstr(policy_near("max_order", names, sizeof(names)), "slub.max_order"));
	assert_string_equal(policy_near("nothing.like.that", names, sizeof(names)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_complete_and_its_name_its_own),
		cmocka_unit_test(a_fresh_lab_has_every_default),
		cmocka_unit_test(every_default_may_be_set_again),
		cmocka_unit_test(the_layers_agree_with_the_table),
		cmocka_unit_test(numbers_are_held_to_their_range),
		cmocka_unit_test(half_a_zone_is_the_most_a_list_may_hold),
		cmocka_unit_test(words_are_taken_as_they_are_spelt),
		cmocka_unit_test(a_criterion_is_a_share_and_a_side),
		cmocka_unit_test(ratios_come_as_numbers_or_none),
		cmocka_unit_test(sizes_that_go_together_are_looked_at_together),
		cmocka_unit_test(option_strings_with_unknown_letters_are_refused),
		cmocka_unit_test(a_set_of_kmalloc_types_holds_normal),
		cmocka_unit_test(an_override_beats_the_lab_until_it_is_taken_away),
		cmocka_unit_test(one_caches_debugging_is_letters),
		cmocka_unit_test(lab_wide_rows_take_no_override),
		cmocka_unit_test(the_shapes_row_is_stored_before_there_is_a_lab),
		cmocka_unit_test(a_command_line_sets_policies),
		cmocka_unit_test(debugging_without_a_value_is_all_of_it),
		cmocka_unit_test(sysctls_find_their_rows),
		cmocka_unit_test(unknown_words_are_named_once_all_together),
		cmocka_unit_test(bad_values_are_errors_that_name_the_word),
		cmocka_unit_test(a_command_line_shapes_what_the_shape_left_open),
		cmocka_unit_test(distances_are_bounded_edits),
		cmocka_unit_test(a_wrong_name_is_answered_with_near_ones),
	};

	return cmocka_run_group_tests(tests, make_lab, drop_lab);
}
