/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undo: whatever was done, each earlier state comes back to the byte, soon, and in the memory allowed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/rand.h"
#include "cpu/cpu.h"
#include "op/checkpoint.h"
#include "op/op.h"
#include "shell/journal.h"
#include "shell/shell.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static struct shell sh;

static int run(const char *line)
{
	struct input in;
	int ret;

	input_text(&in, "undo", line, strlen(line));
	ret = shell_run(&sh, &in, NULL, 0);
	input_close(&in);
	return ret;
}

static int begin(void **state)
{
	(void)state;
	shell_init(&sh);
	sh.mute = true;
	sh.out = fopen("/dev/null", "w");
	assert_int_equal(shell_first_lab(&sh), 0);
	return 0;
}

static int end(void **state)
{
	FILE *nowhere = sh.out;

	(void)state;
	shell_fini(&sh);
	fclose(nowhere);
	return 0;
}

static struct lab_slot *slot(void)
{
	return labs_current(&sh.labs);
}

static uint64_t hash(void)
{
	return lab_hash(slot()->lab);
}

/* What the processor was busy for: others may be using it, too. */
static uint64_t busy_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A command of any kind; some are refused. */
static void any_command(uint64_t *rand, char *line, size_t size)
{
	unsigned int n = (unsigned int)rand_below(rand, 8), cpu = (unsigned int)rand_below(rand, 4);

	switch (rand_below(rand, 12)) {
	case 0:
		snprintf(line, size, "h%u = on %u kmalloc %u x%u", n, cpu, 8u << n, n + 1);
		break;
	case 1:
		snprintf(line, size, "on %u kfree h%u[~40%%]", cpu, n);
		break;
	case 2:
		snprintf(line, size, "kmem_cache create c%u %u flags=%s", n, 64 + 100 * n, n % 2 ? "RCU" : "HWCACHE");
		break;
	case 3:
		snprintf(line, size, "h%u = on all kmem_cache alloc c%u x3", n, n);
		break;
	case 4:
		snprintf(line, size, "kmem_cache free c%u h%u[::2]", n, n);
		break;
	case 5:
		snprintf(line, size, "kmem_cache destroy c%u", n);
		break;
	case 6:
		snprintf(line, size, "p%u = alloc_pages %u x2", n, n);
		break;
	case 7:
		snprintf(line, size, "free_pages p%u", n);
		break;
	case 8:
		snprintf(line, size, "set slub.max_order %u", n % 4);
		break;
	case 9:
		snprintf(line, size, "cpu 3 %s", n % 2 ? "offline" : "online");
		break;
	case 10:
		snprintf(line, size, "set cache.kmalloc-64.merge %s", n % 2 ? "off" : "on");
		break;
	default:
		snprintf(line, size, "sleep %ums", n * 300);
	}
}

static void every_state_comes_back_to_the_byte(void **state)
{
	static uint64_t states[4096];	/* states[n]: after n commands that count */
	uint64_t rand = 11, reach;

	(void)state;
	states[0] = hash();
	for (unsigned int i = 0; i < 3000; i++) {
		char line[128];

		if (!rand_below(&rand, 25) && (reach = journal_reach(slot()))) {
			uint64_t n = 1 + rand_below(&rand, reach < 60 ? reach : 60);

			if (journal_undo(&sh, slot(), n))
				fail_msg("undo %llu: %s", (unsigned long long)n, fail_why());
			assert_int_equal(journal_reach(slot()), reach - n);
			if (hash() != states[reach - n])
				fail_msg("step %u: undo %llu leads to another state", i, (unsigned long long)n);
			continue;
		}
		any_command(&rand, line, sizeof(line));
		reach = journal_reach(slot());
		run(line);
		/* what was refused may have counted an attempt: that goes with the command before */
		states[journal_reach(slot())] = hash();
		assert_true(journal_reach(slot()) - reach <= 1);
	}
	assert_int_equal(lab_check(slot()->lab), 0);
	reach = journal_reach(slot());
	assert_int_equal(journal_undo(&sh, slot(), reach), 0);
	assert_int_equal(journal_reach(slot()), 0);
}

static void an_undo_in_256_mib_takes_less_than_100_ms(void **state)
{
	uint64_t best = UINT64_MAX;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();
#endif
	assert_int_equal(run("a = kmalloc 4096 x40000"), 0);
	for (unsigned int i = 0; i < 5; i++) {
		uint64_t before, took;

		run("kmalloc 64 x100");
		before = busy_ns();
		assert_int_equal(journal_undo(&sh, slot(), 1), 0);
		took = busy_ns() - before;
		best = took < best ? took : best;
	}
	if (best > 100000000)
		fail_msg("an undo took %llu ms", (unsigned long long)best / 1000000);
}

static void checkpoints_keep_to_their_memory(void **state)
{
	struct checkpoints c = { 0 };
	struct lab *lab = slot()->lab;
	uint64_t one;

	(void)state;
	assert_int_equal(checkpoint_take(&c, lab, 0), 0);
	one = c.bytes;
	assert_true(one > 0);
	assert_int_equal(checkpoint_take(&c, lab, 1), 0);
	assert_true(c.bytes < one + one / 2);	/* nothing changed: pages are shared */
	assert_int_equal(run("set lab.undo_mem 5M"), 0);
	for (uint64_t at = 2; at < 40; at++) {
		run("kmalloc 2048 x40");
		assert_int_equal(checkpoint_take(&c, lab, at), 0);
		assert_true(c.bytes <= 5 << 20);
	}
	assert_true(c.v[0].at > 0);	/* the oldest went */
	assert_int_equal(c.v[c.nr - 1].at, 39);
	assert_null(checkpoint_before(&c, 0));
	assert_int_equal(checkpoint_before(&c, 1000)->at, 39);
	assert_int_equal(run("set lab.undo_mem 4096"), 0);
	assert_true(checkpoint_take(&c, lab, 41) < 0);
	assert_int_equal(c.nr, 0);
	assert_int_equal(c.bytes, 0);
	checkpoints_drop(&c);
}

static void bound_cpus_forbid_it(void **state)
{
	(void)state;
	run("kmalloc 64");
	slot()->lab->owned_cpus = 1;
	assert_true(journal_undo(&sh, slot(), 1) < 0);
	assert_non_null(strstr(fail_why(), "bound"));
	slot()->lab->owned_cpus = 0;
	assert_int_equal(journal_undo(&sh, slot(), 1), 0);
}

/* A program runs commands in several goes: its snapshots outlast them, and undo, which knows no calls, is refused. */
static void a_programs_lab_keeps_its_snapshots(void **state)
{
	struct lab *lab = slot()->lab;
	uint64_t then;

	(void)state;
	assert_int_equal(shell_run_in(lab, "a = kmalloc 64 x5; snapshot save s"), 0);
	then = lab_hash(lab);
	assert_int_equal(shell_run_in(lab, "kfree a; alloc_pages 3"), 0);
	assert_int_not_equal(lab_hash(lab), then);
	assert_true(shell_run_in(lab, "undo") < 0);
	assert_non_null(strstr(fail_why(), "belongs to a program"));
	lab->owned_cpus = 1;
	assert_true(shell_run_in(lab, "snapshot restore s") < 0);
	lab->owned_cpus = 0;
	if (shell_run_in(lab, "snapshot restore s"))
		fail_msg("%s", fail_why());
	assert_int_equal(lab_hash(lab), then);
}

/* The script of a history leads to the same lab. */
static void a_history_rebuilds_the_lab(void **state)
{
	uint64_t rand = 21, want;
	char *script, line[128];
	size_t size;
	FILE *to;

	(void)state;
	run("a = kmalloc 100 x50; x = kmalloc 1000; kfree a[~30%]");
	for (unsigned int i = 0; i < 300; i++) {
		any_command(&rand, line, sizeof(line));
		run(line);
		if (i % 50 == 49 && journal_reach(slot()) > 3)
			assert_int_equal(journal_undo(&sh, slot(), 3), 0);
	}
	want = hash();
	to = open_memstream(&script, &size);
	assert_int_equal(journal_write(&sh, slot()->lab, to), 0);
	fclose(to);
	end(NULL);
	begin(NULL);
	sh.keep_going = true;
	run(script);
	assert_int_equal(hash(), want);
	free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_state_comes_back_to_the_byte, begin, end),
		cmocka_unit_test_setup_teardown(an_undo_in_256_mib_takes_less_than_100_ms, begin, end),
		cmocka_unit_test_setup_teardown(checkpoints_keep_to_their_memory, begin, end),
		cmocka_unit_test_setup_teardown(bound_cpus_forbid_it, begin, end),
		cmocka_unit_test_setup_teardown(a_programs_lab_keeps_its_snapshots, begin, end),
		cmocka_unit_test_setup_teardown(a_history_rebuilds_the_lab, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
