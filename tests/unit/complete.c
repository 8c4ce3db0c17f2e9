/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line being typed: what may come next, the hint behind it, the prompt before it, and what is remembered of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "shell/complete.h"
#include "shell/hints.h"
#include "shell/history.h"
#include "shell/partial.h"
#include "shell/prompt.h"
#include "shell/xdg.h"
#include "view/figure.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static struct shell sh;
static struct candidates found;

static void run(const char *commands)
{
	struct input in;

	input_text(&in, "test", commands, strlen(commands));
	if (shell_run(&sh, &in, NULL, 0))
		fail_msg("%s", sh.first_error);
	input_close(&in);
}

static int make_shell(void **state)
{
	(void)state;
	shell_init(&sh);
	sh.quiet = true;
	if (shape_parse(&sh.shape, "mem=64M,cpus=3,nodes=1") || shell_first_lab(&sh))
		return -1;
	run("big = alloc_pages 3\n"
	    "many = kmalloc 64 x20\n"
	    "kmem_cache create foo 200\n"
	    "kfree many[3]\n"
	    "sheaf = kmem_cache prefill foo 3\n"
	    "given = kmem_cache alloc foo x2\n"
	    "lru cache given\n"
	    "filler = lru add file 2\n"
	    "lab new other mem=8M\n"
	    "only = @other alloc_pages 0\n");
	return 0;
}

static int drop_shell(void **state)
{
	(void)state;
	candidates_free(&found);
	shell_fini(&sh);
	return 0;
}

static void complete(const char *line)
{
	candidates_free(&found);
	complete_line(&sh, line, strlen(line), &found);
}

static const struct candidate *find(const char *text)
{
	for (unsigned int i = 0; i < found.nr; i++)
		if (!strcmp(found.v[i].text, text))
			return &found.v[i];
	return NULL;
}

/* Completing `line` offers exactly the words of `all`, in this order. */
static void offers(const char *line, const char *all)
{
	char have[4096] = "";

	complete(line);
	for (unsigned int i = 0; i < found.nr; i++) {
		size_t at = strlen(have);

		snprintf(have + at, sizeof(have) - at, "%s%s", i ? " " : "", found.v[i].text);
	}
	if (strcmp(have, all))
		fail_msg("\"%s\" offers \"%s\", not \"%s\"", line, have, all);
}

/* Among what it offers is this, with this in the line about it. */
static void offers_one(const char *line, const char *text, const char *hint)
{
	const struct candidate *c;

	complete(line);
	c = find(text);
	if (!c)
		fail_msg("\"%s\" does not offer %s", line, text);
	if (!strstr(c->hint, hint))
		fail_msg("\"%s\" says of %s: \"%s\", where \"%s\" was expected", line, text, c->hint, hint);
}

/* ---- commands ---- */

static void command_names_come_with_what_they_do(void **state)
{
	(void)state;
	offers_one("kmall", "kmalloc", "take");
	offers("kmall", "kmalloc");
	offers("kmem_cache al", "alloc alloc_bulk alloc_from");
	offers_one("kmem", "kmem_cache", "create, alloc, free");
	offers("rep", "replay repeat");
	complete("");
	assert_true(found.nr > 40);
	assert_non_null(find("on"));
}

static void prefixes_blocks_and_other_commands_stand_before_a_command(void **state)
{
	(void)state;
	offers("on 1 kmall", "kmalloc");
	offers("x = kmall", "kmalloc");
	offers("x = buddyi", "");	/* it allocates nothing */
	offers("@other kmall", "kmalloc");
	offers("x = @other on 0 kmall", "kmalloc");
	offers("repeat 3 { kmall", "kmalloc");
	offers("for i in 1 2 { kmall", "kmalloc");
	offers("echo a; kmall", "kmalloc");
	offers("time kmall", "kmalloc");
	offers("watch 1s kmem_cache al", "alloc alloc_bulk alloc_from");
	offers("for i ", "in");
	offers("on ", "all 0 1 2");
	offers("echo x # kmall", "");
}

/* ---- arguments ---- */

static void keys_and_their_values(void **state)
{
	(void)state;
	offers_one("kmalloc 64 g", "gfp=", "GFP_KERNEL");
	assert_true(found.v[0].open);
	offers("kmalloc 64 gfp=0 g", "");	/* it is given */
	offers("kmem_cache create x 8 merge=", "auto on off");
	assert_int_equal(found.start, strlen("kmem_cache create x 8 merge="));
	offers("kmem_cache create x 8 ct", "ctor");
	offers("kmem_cache create x 8 flags=HWCACHE|RC", "RCU");
	assert_int_equal(found.start, strlen("kmem_cache create x 8 flags=HWCACHE|"));
	offers("kmalloc 8 gfp=__GFP_ZERO|GFP_NOW", "GFP_NOWAIT");
	offers("alloc_pages 0 type=", "unmovable movable reclaimable");
	offers("alloc_pages 1", "1 10");
	offers_one("alloc_pages 1", "10", "1024 pages, 4.0M");
	offers("kmalloc 64 node=", "0");
	offers("kmalloc ", "");		/* a size is nothing that could be offered */
	offers("kmalloc 64 --", "--help --json");
}

static void things_of_the_lab_come_with_their_present_values(void **state)
{
	(void)state;
	offers("slabs kmalloc-6", "kmalloc-64");
	offers_one("slabs fo", "foo", "200 bytes, 2 objects out");
	offers_one("slabs kmalloc-6", "kmalloc-64", "19 objects out");
	offers_one("kfree ", "many", "19 of 20 objects live");
	offers_one("free ", "big", "a block of order 3");
	offers_one("free ", "sheaf", "a prefilled sheaf");
	offers_one("free ", "given", "2 of 2 cached objects live");
	offers_one("free ", "filler", "2 of 2 pages of a filler live");
	offers("kfree many[1", "many[1] many[10] many[11] many[12] many[13] many[14] many[15] many[16]");
	offers("kfree many[3", "");	/* it is freed */
	offers("kfree many many[~", "many[~50%]");
	offers("@other free ", "only");
	offers("@other kfree ", "");	/* a block of pages */
	offers_one("lab use ", "other", "8M");
	run("snapshot save before");
	offers_one("snapshot restore be", "before", "after");
	offers_one("@", "main", "current");
	assert_int_equal(found.start, 1);
	offers("frag ", "N0.Normal");
	offers("cpu ", "0 1 2");
	offers("cpu 1 o", "online offline");
}

static void handles_are_of_the_kind_that_the_command_takes(void **state)
{
	(void)state;
	offers("free ", "big many sheaf given filler");
	offers("kfree ", "many given");
	offers("kfree sh", "");
	offers("kfree sheaf[", "");
	offers("free_pages ", "big");
	offers("kmem_cache free foo ", "many given");
	offers("kmem_cache free_bulk foo ", "many given");
	offers("kmem_cache return ", "sheaf");
	offers("kmem_cache refill ", "sheaf");
	offers("kmem_cache alloc_from s", "sheaf");
	offers("kmem_cache alloc_from sheaf s", "");	/* it takes one */
	offers("lru cache ", "many");
	offers("lru touch ", "given filler");
	offers("lru list ", "given filler");
	offers("peek ", "big many given");
	offers("poke ", "big many given");
	offers("where ", "big many sheaf given filler");
	run("large = kmalloc 100K\n"
	    "lru cache many[0]");
	offers("kfree l", "large");
	offers("kmem_cache free foo l", "");	/* of no cache */
	offers("lru touch m", "many[");		/* some of its members */
	offers_one("lru touch m", "many[", "1 of its 19 live members");
	assert_true(find("many[")->open);
	offers("lru touch many[", "many[0]");
	run("lab use main; kfree large many[0]");
}

static void paths_and_policies_come_part_by_part(void **state)
{
	(void)state;
	offers("get zone.N0.", "zone.N0.Normal.");
	offers_one("get zone.N0.Normal.free_p", "zone.N0.Normal.free_pages", "163");
	offers_one("get lab.cp", "lab.cpus", "3");
	offers_one("assert zone.N0.Normal.ma", "zone.N0.Normal.managed", "16384");
	offers("assert lab.cpus =", "==");
	offers_one("set slub.max_o", "slub.max_order", "3: ");
	assert_false(find("slub.max_order")->open);
	offers("get cache.fo", "cache.foo.");
	assert_true(found.v[0].open);
	offers("set cache.fo", "cache.foo.");
	offers_one("get cache.foo.object_s", "cache.foo.object_size", "200");
	offers_one("set ", "slub.", "names");
	assert_true(find("slub.")->open);
	offers_one("set cache.foo.max_o", "cache.foo.max_order", "3: ");
	offers_one("set slub.max_order ", "3", "now, default; values: 0 .. 10");
	offers_one("set slab.merge ", "on", "now, default");
	offers("set slab.merge of", "off");
	offers_one("help buddy_s", "buddy_split", "");
	offers_one("help slub.max_o", "slub.max_order", "");
	offers("help kmem_cache cr", "create");
	offers_one("help pagebl", "pageblock", "");
}

static int begins_with_an_offer(const char *path, const struct figure_value *v, void *arg)
{
	(void)v;
	(void)arg;
	for (unsigned int i = 0; i < found.nr; i++)
		if (!strncmp(path, found.v[i].text, strlen(found.v[i].text)))
			return 0;
	fail_msg("no first part is offered for %s", path);
	return 1;
}

static void every_path_has_its_first_part(void **state)
{
	(void)state;
	complete("get ");
	assert_int_equal(figure_glob(labs_current(&sh.labs)->lab, "*", begins_with_an_offer, NULL), 0);
}

static void shapes_and_files(void **state)
{
	(void)state;
	offers("lab new x mem=1G,lay", "layout=flat layout=x86_64");
	assert_int_equal(found.start, strlen("lab new x mem=1G,"));
	complete("source scr");
	assert_true(found.files);
	complete("buddyinfo > fi");
	assert_true(found.files);
	complete("buddyinfo | gre");
	assert_true(found.files);
	complete("assert lab.cpus > ");	/* there it is a word of the command */
	assert_false(found.files);
	complete("kmalloc 6");
	assert_false(found.files);
}

static void quotes_and_odd_lines_do_no_harm(void **state)
{
	static const char *const lines[] = {
		"\"", "'kfree", "kfree \"ma", "kfree ma\"n", "a\\ b", "{ { {", "}", "|", "= =", "@", "@nowhere ", "on",
		"for", "for x in", "repeat", ";;", "x = ", "kmalloc 64 gfp=|||", "kfree many[", "kfree nothing[", "get *",
		"set cache. ", "set cache.foo ", "set cache..x ", "time time time ", "help help help ", "lab", "lab  ",
	};
	char hint[8];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		complete(lines[i]);
		assert_true(found.start <= strlen(lines[i]));
		hint_line(&sh, lines[i], hint, sizeof(hint));	/* small on purpose */
		assert_true(strlen(hint) < sizeof(hint));
	}
	offers("kfree \"ma", "many");
	assert_int_equal(found.start, strlen("kfree \""));
}

static void looking_changes_nothing(void **state)
{
	struct lab *lab = labs_current(&sh.labs)->lab;
	uint64_t rand = lab->hdr->rand, ops = lab->hdr->ops, time = lab->hdr->time_ns;

	(void)state;
	complete("kfree many[");
	complete("get ");
	complete("set cache.");
	assert_int_equal(lab->hdr->rand, rand);
	assert_int_equal(lab->hdr->ops, ops);
	assert_int_equal(lab->hdr->time_ns, time);
}

/* ---- hint and prompt ---- */

static void hints(const char *line, const char *want)
{
	char hint[512];

	if (strcmp(hint_line(&sh, line, hint, sizeof(hint)), want))
		fail_msg("the hint for \"%s\" is \"%s\", not \"%s\"", line, hint, want);
}

static void the_hint_tells_the_next_argument(void **state)
{
	(void)state;
	hints("", "");
	hints("kmall", "");
	hints("kmalloc", " SIZE [gfp=FLAGS] [node=N] [xN]  (bytes)");
	hints("kmalloc ", "SIZE [gfp=FLAGS] [node=N] [xN]  (bytes)");
	hints("kmalloc 64 node=0 ", "[gfp=FLAGS] [xN]");
	hints("kmalloc 64 gfp=", "flags in kernel spelling joined by |, or a number");
	hints("set slub.max_order ", "VALUE  (0 .. 10)");
	hints("on ", "CPU|all COMMAND");
	hints("repeat ", "N { COMMANDS }");
	hints("a = ", "COMMAND");
}

static void prompts(const char *want, bool more)
{
	char prompt[192];

	assert_string_equal(prompt_text(&sh, more, false, prompt, sizeof(prompt)), want);
}

static void the_prompt_tells_lab_cpu_and_changed_policies(void **state)
{
	(void)state;
	prompts("main> ", false);
	prompts("....> ", true);
	run("cpu 2");
	prompts("main cpu2> ", false);
	run("set slub.max_order 1");
	prompts("main cpu2*> ", false);
	prompts("..........> ", true);
	run("unset slub.max_order; cpu 0; set cache.foo.max_order 1");
	prompts("main*> ", false);
	run("unset cache.foo.max_order; lab use other");
	prompts("other> ", false);
	run("lab use main");
}

/* ---- history ---- */

static char home[64];

static void history_outlives_the_session(void **state)
{
	struct history h;
	struct stat st;
	char *path;

	(void)state;
	strcpy(home, "/tmp/slablab-test-XXXXXX");
	assert_non_null(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
	path = xdg_state("history");
	history_open(&h, path);
	assert_int_equal(h.nr, 0);
	assert_string_equal(history_add(&h, "one", false), "one");
	assert_null(history_add(&h, "one", false));		/* twice running */
	assert_null(history_add(&h, " secret", false));
	assert_null(history_add(&h, "goes on", true));		/* of the secret */
	assert_null(history_add(&h, "", false));
	assert_string_equal(history_add(&h, "repeat 2 {", false), "repeat 2 {");
	assert_string_equal(history_add(&h, "", true), "repeat 2 {\n");
	assert_string_equal(history_add(&h, "  x }", true), "repeat 2 {\n\n  x }");
	assert_string_equal(history_add(&h, "pasted\n two", false), "pasted\n two");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	history_close(&h);

	history_open(&h, path);
	assert_int_equal(h.nr, 3);
	assert_string_equal(h.v[0], "one");
	assert_string_equal(h.v[1], "repeat 2 {\n\n  x }");
	assert_string_equal(h.v[2], "pasted\n two");
	history_close(&h);
	unlink(path);
	free(path);
}

static void a_long_history_is_shortened(void **state)
{
	char *path = xdg_state("history"), line[32];
	struct history h;

	(void)state;
	history_open(&h, path);
	for (unsigned int i = 0; i < 2 * HISTORY_MAX + 5; i++) {
		snprintf(line, sizeof(line), "echo %u", i);
		history_add(&h, line, false);
	}
	history_close(&h);
	for (unsigned int round = 0; round < 2; round++) {	/* the second reads what the first wrote anew */
		history_open(&h, path);
		assert_int_equal(h.nr, HISTORY_MAX);
		assert_string_equal(h.v[h.nr - 1], line);
		history_close(&h);
	}
	unlink(path);
	free(path);
}

static void a_home_that_cannot_be_written_is_no_error(void **state)
{
	struct history h;
	char below[96];

	(void)state;
	history_open(&h, "/proc/nowhere/history");
	assert_string_equal(history_add(&h, "kept", false), "kept");
	assert_int_equal(h.nr, 1);
	history_close(&h);
	history_open(&h, NULL);
	assert_string_equal(history_add(&h, "kept", false), "kept");
	history_close(&h);
	unsetenv("XDG_STATE_HOME");
	snprintf(below, sizeof(below), "%s/slablab", home);
	rmdir(below);
	rmdir(home);
	setenv("HOME", "nowhere", 1);	/* a relative path is none */
	assert_null(xdg_state("history"));
}

/* ---- pager ---- */

static bool overflows(const char *text)
{
	struct pager p = { .rows = 4, .columns = 10 };

	return pager_overflows(&p, text, strlen(text));
}

static void the_screen_holds_its_rows_but_one(void **state)
{
	(void)state;
	assert_false(overflows("1\n2\n"));
	assert_true(overflows("1\n2\n3\n"));
	assert_false(overflows("0123456789\n\n"));
	assert_true(overflows("0123456789a\n\n"));			/* wraps */
	assert_false(overflows("\033[1m01234567\033[0m89\n\n"));	/* colours take no room */
	assert_false(overflows("→→→→→→→→→→\n\n"));			/* letters, not bytes */
}

static void workloads_have_keys_of_their_own(void **state)
{
	(void)state;
	complete("run ");
	assert_non_null(find("churn"));
	assert_non_null(find("pingpong"));
	complete("run churn ");
	assert_non_null(find("life="));
	assert_non_null(find("ops="));
	assert_non_null(find("&"));
	assert_null(find("depth="));
	complete("run churn life=50 ");
	assert_null(find("life="));
	assert_non_null(find("caches="));
	complete("x = run pingpong d");
	assert_non_null(find("depth="));
	complete("job s");
	assert_non_null(find("step"));
	assert_non_null(find("stop"));
	complete("trace on mm_page_a");
	assert_non_null(find("mm_page_alloc_zone_locked"));
	complete("trace show kmem_cache_");
	assert_non_null(find("kmem_cache_alloc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_names_come_with_what_they_do),
		cmocka_unit_test(prefixes_blocks_and_other_commands_stand_before_a_command),
		cmocka_unit_test(keys_and_their_values),
		cmocka_unit_test(things_of_the_lab_come_with_their_present_values),
		cmocka_unit_test(handles_are_of_the_kind_that_the_command_takes),
		cmocka_unit_test(paths_and_policies_come_part_by_part),
		cmocka_unit_test(every_path_has_its_first_part),
		cmocka_unit_test(shapes_and_files),
		cmocka_unit_test(quotes_and_odd_lines_do_no_harm),
		cmocka_unit_test(workloads_have_keys_of_their_own),
		cmocka_unit_test(looking_changes_nothing),
		cmocka_unit_test(the_hint_tells_the_next_argument),
		cmocka_unit_test(the_prompt_tells_lab_cpu_and_changed_policies),
		cmocka_unit_test(history_outlives_the_session),
		cmocka_unit_test(a_long_history_is_shortened),
		cmocka_unit_test(a_home_that_cannot_be_written_is_no_error),
		cmocka_unit_test(the_screen_holds_its_rows_but_one),
	};

	return cmocka_run_group_tests(tests, make_shell, drop_shell);
}
