/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The full-screen view without a terminal: models and painters of all panes, as cells of a grid, and what keys do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "tui/save.h"
#include "tui/tui.h"
#include "view/figure.h"
#include "view/look.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 20
#else
#define SLOW 1
#endif

static struct shell sh;
static struct tui t;
static FILE *nowhere;

static void run(const char *commands)
{
	struct input in;

	input_text(&in, "test", commands, strlen(commands));
	if (shell_run(&sh, &in, NULL, 0))
		fail_msg("%s", sh.first_error);
	input_close(&in);
}

static void begin(const char *shape)
{
	shell_init(&sh);
	sh.quiet = true;
	nowhere = fopen("/dev/null", "w");
	sh.out = nowhere;
	if (shape_parse(&sh.shape, shape) || shell_first_lab(&sh))
		fail_msg("%s", fail_why());
	tui_init(&t, &sh);
}

static int end(void **state)
{
	(void)state;
	tui_fini(&t);
	shell_fini(&sh);
	fclose(nowhere);
	return 0;
}

static void frame(int w, int h)
{
	grid_size(&t.grid, w, h);
	for (int i = 0; i < 2; i++) {	/* a pane that was not seen before knows its size only now */
		tui_look(&t);
		tui_take(&t);
		tui_draw(&t);
	}
}

static const char *row(int y)
{
	static char text[4096];

	return grid_text(&t.grid, y, text, sizeof(text));
}

/* The first row that has this in it, -1. */
static int row_with(const char *text)
{
	for (int y = 0; y < t.grid.h; y++)
		if (strstr(row(y), text))
			return y;
	return -1;
}

static void shows(const char *text)
{
	if (row_with(text) >= 0)
		return;
	for (int y = 0; y < t.grid.h; y++)
		fprintf(stderr, "%s\n", row(y));
	fail_msg("not on the screen: %s", text);
}

static void shows_not(const char *text)
{
	if (row_with(text) >= 0)
		fail_msg("on the screen: %s", row(row_with(text)));
}

static void press(const char *keys)
{
	for (; *keys; keys++)
		tui_key(&t, (unsigned char)*keys == '\n' ? KEY_RETURN : (unsigned char)*keys);
}

static void show_pane(const char *name)
{
	for (int i = 0; i < PANE_NR; i++)
		if (!strcmp(pane_table[i]->name, name))
			t.focus = i;
}

static int64_t figure(const char *path)
{
	struct figure_value v;

	if (figure_read(labs_current(&sh.labs)->lab, path, &v))
		fail_msg("%s: %s", path, fail_why());
	return v.i;
}

/* ---- panes ---- */

/* A block of order 3 out of one of the top order leaves one each of 3 .. 9 behind. */
static void zones_show_blocks_and_mark_what_the_last_op_touched(void **state)
{
	char numbers[200] = "";
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set pcp.enabled off\na = alloc_pages 3");
	frame(80, 24);
	shows("N0 Normal");
	shows("16376/16384");
	y = row_with(" blocks ");
	for (const char *at = strstr(row(y), "blocks") + 6; *at; at++)
		if (*at != ' ' || (numbers[0] && numbers[strlen(numbers) - 1] != ' '))
			snprintf(numbers + strlen(numbers), 2, "%c", *at);
	assert_int_equal(strncmp(numbers, "0 0 0 1 1 1 1 1 1 1 15 ", 22), 0);
	/* order 3 is the fourth column of five, its digit at the end */
	assert_int_equal(grid_at(&t.grid, 8 + 5 * 4 - 1, y)->style, TOUCHED);
	assert_int_not_equal(grid_at(&t.grid, 8 + 5 * 1 - 1, y)->style & ATTR_REVERSE, ATTR_REVERSE);
	while (y < 23 && (grid_at(&t.grid, 8 + 5 * 9 + 2, y)->ch < 0x2581 || grid_at(&t.grid, 8 + 5 * 9 + 2, y)->ch > 0x2588))
		y++;
	assert_int_equal(STYLE_TONE(grid_at(&t.grid, 8 + 5 * 9 + 2, y)->style), TONE_UNMOVABLE);	/* order 9's bar */
}

static void tall_zones_have_a_row_for_each_order(void **state)
{
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("u = alloc_pages 0 type=movable x1000\nfree u[::2]\non all drain");
	show_pane("Zones");
	t.zoom = true;
	frame(100, 40);
	y = row_with("order    blocks");
	assert_true(y > 0);
	for (int o = 0; o <= MAX_PAGE_ORDER; o++) {
		char path[64], begins[32];

		snprintf(path, sizeof(path), "zone.N0.Normal.order.%d", o);
		snprintf(begins, sizeof(begins), "%5d%10lld", o, (long long)figure(path));
		if (strncmp(row(y + 1 + o), begins, strlen(begins)))
			fail_msg("order %d: %s", o, row(y + 1 + o));
	}
	assert_int_equal(grid_at(&t.grid, 17, y + 1)->ch, tone_glyph(TONE_MOVABLE));
	assert_int_equal(STYLE_TONE(grid_at(&t.grid, 17, y + 1)->style), TONE_MOVABLE);
}

static void caches_are_sorted_and_filtered(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("a = kmalloc 64 x100\nkmem_cache create foo 200 merge=off\nb = kmem_cache alloc foo x400\nkfree a[:50]");
	show_pane("Caches");
	frame(120, 24);
	assert_true(row_with(" foo ") > 0 && row_with(" foo ") < row_with("kmalloc-64"));
	shows("merge=off");
	press("/kmalloc-64\n");
	frame(120, 24);
	shows("kmalloc-64");
	shows_not("kmem_cache_node");
	assert_non_null(strstr(row(row_with("▸kmalloc-64 ") > 0 ? row_with("▸kmalloc-64 ") : row_with(" kmalloc-64  ")), " 50 "));
	tui_key(&t, KEY_ESC);
	frame(120, 24);
	shows("kmem_cache_node");
}

/* What the view `slabs` lists stands on the screen in the same order. */
static void a_cache_shows_its_partial_list_from_head_to_tail(void **state)
{
	json_t *model;
	const json_t *list;
	const char *at;
	char text[4096];
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set slub.cpu_partial off\nkmem_cache create foo 512 merge=off\nb = kmem_cache alloc foo x64\n"
	    "kmem_cache free foo b[3]\nkmem_cache free foo b[20]\nkmem_cache free foo b[40]");
	snprintf(t.scene.cache, sizeof(t.scene.cache), "foo");
	show_pane("Cache");
	t.zoom = true;
	frame(140, 40);
	model = view_model(labs_current(&sh.labs)->lab, "slabs", "foo");
	list = json_object_get(json_array_get(json_object_get(model, "nodes"), 0), "partial");
	assert_int_equal(json_array_size(list), 3);
	y = row_with("head ⇒");
	assert_true(y > 0);
	at = strcpy(text, row(y));
	for (size_t i = 0; i < json_array_size(list); i++) {
		char slab[32];

		snprintf(slab, sizeof(slab), "S%llu▕", (unsigned long long)look_get(json_array_get(list, i), "slab"));
		at = strstr(at, slab);
		if (!at)
			fail_msg("%s is not next in %s", slab, text);
	}
	assert_non_null(strstr(at, "⇐ tail"));
	json_decref(model);
}

static void a_slab_shows_its_freelist_in_order(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("kmem_cache create foo 512 merge=off\nb = kmem_cache alloc foo x8\nkmem_cache free foo b[6]\n"
	    "kmem_cache free foo b[2]\nkmem_cache free foo b[5]");
	snprintf(t.scene.cache, sizeof(t.scene.cache), "foo");
	show_pane("Cache");
	t.zoom = true;
	frame(120, 40);
	shows("CPU's freelist (11) 5→2→6→8→9");
	shows("5①");
	shows("2②");
	shows("6③");
	shows("7■");
	shows("5 of 16 out");
}

/* Of a slab of thousands the first objects are shown; a list that goes through others has a gap there. */
static void a_freelist_goes_by_what_is_not_shown(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set slub.min_order 3\nkmem_cache create foo 8 merge=off\nb = kmem_cache alloc foo x600\n"
	    "kmem_cache free foo b[4]\nkmem_cache free foo b[520]\nkmem_cache free foo b[530]\nkmem_cache free foo b[3]");
	snprintf(t.scene.cache, sizeof(t.scene.cache), "foo");
	show_pane("Cache");
	t.zoom = true;
	frame(120, 40);
	shows("CPU's freelist (2) 3→…→4");
}

static void the_map_shades_by_fill_and_zooms_to_pages(void **state)
{
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set pcp.enabled off\nu = alloc_pages 0 type=movable x512\nfree u[::2]");
	show_pane("Map");
	t.zoom = true;
	frame(80, 24);
	shows("by migratetype");
	y = row_with("0x0 ");
	assert_int_equal(grid_at(&t.grid, 9, y)->style & ATTR_REVERSE, ATTR_REVERSE);	/* the cursor */
	assert_int_equal(grid_at(&t.grid, 10, y)->ch, 0x2593);	/* half held */
	for (int i = 0; i < 12; i++)
		press("+");
	frame(80, 24);
	shows("a cell is a page");
	tui_key(&t, K_RIGHT);
	frame(80, 24);
	y = row_with("0x0 ");
	for (int x = 0; x < 32; x++) {
		uint32_t ch = grid_at(&t.grid, 9 + x, y)->ch;

		assert_int_equal(ch, x % 2 ? 0x2588 : 0xb7);
	}
	shows("held by u[1]");
	press("c");
	frame(80, 24);
	shows("by owner");
	press("c");
	frame(80, 24);
	shows("by age");
}

static void blocks_that_do_not_merge_yet_are_free_on_the_map(void **state)
{
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set pcp.enabled off\nset buddy.coalesce lazy\nu = alloc_pages 0 type=movable x512\nfree u[::2]");
	if (!figure("frag.N0.Normal.order.0.delayed"))
		fail_msg("nothing is delayed");
	show_pane("Map");
	t.zoom = true;
	frame(80, 24);
	for (int i = 0; i < 12; i++)
		press("+");
	frame(80, 24);
	shows("a cell is a page");
	shows("free, delayed");
	y = row_with("0x0 ");
	for (int x = 0; x < 32; x++)
		assert_int_equal(grid_at(&t.grid, 9 + x, y)->ch, x % 2 ? 0x2588 : 0xb7);
}

static void without_colours_letters_say_the_type(void **state)
{
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("u = alloc_pages 9 type=reclaimable x4");
	show_pane("Map");
	t.zoom = true;
	t.scene.mono = true;
	frame(80, 24);
	y = row_with("0x0 ");
	assert_int_equal(grid_at(&t.grid, 10, y)->ch, 'R');
}

static void a_picked_step_alone_is_marked(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("set pcp.enabled off\na = alloc_pages 3");
	show_pane("Why");
	frame(120, 40);
	shows("alloc_pages 3 on CPU 0");
	shows("A block of order 3 (8 pages) is asked for");
	assert_true(t.scene.touch.orders[MT_UNMOVABLE]);
	tui_key(&t, K_DOWN);
	assert_int_equal(t.scene.touch.step, 0);
	assert_int_equal(t.scene.touch.orders[MT_UNMOVABLE], 0);	/* asking touches no list */
}

static void twins_mark_what_differs(void **state)
{
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	show_pane("Twin");
	frame(120, 40);
	shows("One lab is here");
	run("lab clone other\n@other set slub.max_order 0\na = kmalloc 2048 x100");
	frame(120, 40);
	shows("main and other");
	y = row_with("slub.max_order");
	assert_true(y > 0);
	assert_non_null(strstr(row(y), "3 "));
	y = row_with("kmalloc-2k");
	assert_int_equal(STYLE_TONE(grid_at(&t.grid, 22 + 7, y)->style), TONE_CHANGED);
	t.zoom = true;
	run("kmalloc 64");
	press("/*-2k\n");
	frame(120, 40);
	shows("kmalloc-2k");
	shows_not("kmalloc-64");
}

static void marks_have_their_boost_with_them(void **state)
{
	struct zone_figures f = { .min = 50, .low = 80, .high = 120, .boost = 60 };
	static const uint64_t free[] = { 110, 140, 180, 181 };

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(free); i++) {
		f.free = free[i];
		assert_int_equal(live_marks_missed(&f), 3 - i);
	}
}

/* ---- keys ---- */

static void a_policy_is_changed_in_place(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	frame(100, 30);
	press("p/slab.merge\n");
	frame(100, 30);
	shows("slab.merge");
	assert_int_equal(figure("lab.cpus"), 2);
	tui_key(&t, K_RIGHT);
	frame(100, 30);
	shows("*slab.merge");
	assert_non_null(strstr(row(row_with("*slab.merge")), "off"));
	press("d");
	frame(100, 30);
	shows_not("*slab.merge");
	tui_key(&t, KEY_ESC);
	frame(100, 30);
	shows_not("Policies");
}

static void the_command_line_completes_and_remembers(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	frame(100, 30);
	press(":buddyi\t");
	assert_string_equal(t.line.text, "buddyinfo ");
	tui_key(&t, KEY_ESC);
	press(":a = kmalloc 64 x3\n");
	assert_int_equal(figure("cache.kmalloc-64.objects"), 3);
	press(":");
	tui_key(&t, K_UP);
	assert_string_equal(t.line.text, "a = kmalloc 64 x3");
	tui_key(&t, CTRL('U'));
	press("set slub.\t");
	frame(100, 30);
	assert_true(t.line.listing);
	shows("slub.max_order");
	tui_key(&t, CTRL('U'));
	tui_key(&t, 'a');
	tui_key(&t, 0x20ac);
	tui_key(&t, 0x1f40c);
	assert_string_equal(t.line.text, "a\xe2\x82\xac\xf0\x9f\x90\x8c");
	tui_key(&t, K_BACKSPACE);
	assert_string_equal(t.line.text, "a\xe2\x82\xac");
}

static void earlier_moments_are_looked_at_beside_the_present(void **state)
{
	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("a = kmalloc 64 x100\nb = kmalloc 64 x100\nkfree a");
	show_pane("Caches");
	press("<");
	frame(120, 30);
	shows("1 back");
	assert_non_null(strstr(row(row_with("kmalloc-64 ")), " 200 "));
	assert_int_equal(figure("cache.kmalloc-64.objects"), 100);
	press("<");
	frame(120, 30);
	shows("2 back");
	assert_non_null(strstr(row(row_with("kmalloc-64 ")), " 100 "));
	press(">>");
	frame(120, 30);
	shows_not(" back ");
	assert_int_equal(sh.labs.nr, 1);
	press("u");
	assert_int_equal(figure("cache.kmalloc-64.objects"), 200);
}

static void the_mouse_does_what_keys_do(void **state)
{
	struct mouse m = { .kind = MOUSE_PRESS };
	int y;

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	run("b = kmalloc 256 x10\na = kmalloc 512 x10\nc = kmalloc 64 x100\nd = kmalloc 512");
	frame(100, 40);
	m.x = 98;	/* the last tab */
	tui_mouse(&t, &m);
	assert_int_equal(t.focus, PANE_NR - 1);
	show_pane("Caches");
	frame(100, 40);
	y = row_with("kmalloc-64 ");
	m = (struct mouse){ MOUSE_PRESS, 5, y };
	tui_mouse(&t, &m);
	frame(100, 40);
	shows("▸kmalloc-64 ");
	y = row_with(" kmalloc-256 ");
	m = (struct mouse){ MOUSE_DOUBLE, 5, y };
	tui_mouse(&t, &m);
	assert_string_equal(pane_table[t.focus]->name, "Cache");
	assert_string_equal(t.scene.cache, "kmalloc-256");
}

/* ---- any window ---- */

static void every_window_shows_the_pane_with_the_focus(void **state)
{
	static const int sizes[][2] = {
		{ 40, 10 }, { 60, 15 }, { 80, 24 }, { 100, 50 }, { 124, 30 }, { 130, 50 }, { 190, 36 }, { 200, 60 }, { 250, 70 },
	};

	(void)state;
	begin("mem=96M,cpus=9,nodes=3");
	run("a = kmalloc 64 x500\nkfree a[::2]\nkmem_cache create foo 200 merge=off\nb = on all kmem_cache alloc foo x50");
	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++)
		for (t.focus = 0; t.focus < PANE_NR; t.focus++)
			for (int zoom = 0; zoom < 2; zoom++) {
				t.zoom = zoom;
				frame(sizes[i][0], sizes[i][1]);
				assert_true(t.seen[t.focus]);
				shows(pane_table[t.focus]->name);
			}
	frame(20, 5);
	shows("too small");
	frame(1, 1);
}

/* Each glyph that a painter uses has an ASCII form of its own. */
static void an_ascii_screen_has_no_other_letters(void **state)
{
	(void)state;
	begin("mem=64M,cpus=4,nodes=1");
	run("a = kmalloc 64 x500\nkfree a[::2]\nu = alloc_pages 0 type=movable x99\nfree u[::2]");
	t.grid.ascii = true;
	for (t.focus = 0; t.focus < PANE_NR; t.focus++)
		for (int mode = 0; mode < 3; mode++) {
			t.mode = mode == 1 ? MODE_HELP : mode == 2 ? MODE_POLICY : MODE_PANES;
			frame(120, 45);
			for (int i = 0; i < t.grid.w * t.grid.h; i++)
				assert_true(t.grid.cell[i].ch >= ' ' && t.grid.cell[i].ch < 0x7f);
		}
	assert_int_equal(glyph_ascii(0x2588), '#');
}

static void a_screen_is_saved_in_three_forms(void **state)
{
	static const struct { const char *name, *has; } forms[] = {
		{ "screen.txt", "N0 Normal" }, { "screen.ans", "\033[0" }, { "screen.svg", "<svg xmlns" },
	};
	char folder[] = "/tmp/slablab-tui-XXXXXX", path[64], text[65536];

	(void)state;
	begin("mem=64M,cpus=2,nodes=1");
	frame(80, 24);
	assert_non_null(mkdtemp(folder));
	for (unsigned int i = 0; i < ARRAY_SIZE(forms); i++) {
		FILE *f;
		size_t n;

		snprintf(path, sizeof(path), "%s/%s", folder, forms[i].name);
		assert_int_equal(save_grid(&t.grid, path), 0);
		f = fopen(path, "r");
		n = fread(text, 1, sizeof(text) - 1, f);
		text[n] = 0;
		fclose(f);
		unlink(path);
		assert_non_null(strstr(text, forms[i].has));
	}
	snprintf(path, sizeof(path), "%s/none/screen.txt", folder);
	assert_true(save_grid(&t.grid, path) < 0);
	rmdir(folder);
}

static void a_frame_of_a_large_lab_takes_less_than_10_ms(void **state)
{
	uint64_t best = UINT64_MAX;

	(void)state;
	begin("mem=64G,cpus=16,nodes=1");
	run("set event.story off\nu = alloc_pages 0 type=movable x300000\nfree u[::2]\na = kmalloc 64 x100000\nkfree a[~50%]");
	for (t.focus = 0; t.focus < PANE_NR; t.focus++) {
		frame(200, 60);
		best = UINT64_MAX;
		for (int i = 0; i < 5; i++) {
			uint64_t start;

			labs_current(&sh.labs)->lab->hdr->ops++;	/* as if something had happened */
			start = host_ns();
			tui_look(&t);
			tui_take(&t);
			tui_draw(&t);
			best = host_ns() - start < best ? host_ns() - start : best;
		}
		print_message("%s: %.2f ms\n", pane_table[t.focus]->name, (double)best / 1e6);
		assert_true(best < 10000000ULL * SLOW);
	}
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_teardown(fn, end)
	const struct CMUnitTest tests[] = {
		TEST(zones_show_blocks_and_mark_what_the_last_op_touched),
		TEST(tall_zones_have_a_row_for_each_order),
		TEST(caches_are_sorted_and_filtered),
		TEST(a_cache_shows_its_partial_list_from_head_to_tail),
		TEST(a_slab_shows_its_freelist_in_order),
		TEST(a_freelist_goes_by_what_is_not_shown),
		TEST(the_map_shades_by_fill_and_zooms_to_pages),
		TEST(blocks_that_do_not_merge_yet_are_free_on_the_map),
		TEST(without_colours_letters_say_the_type),
		TEST(a_picked_step_alone_is_marked),
		TEST(twins_mark_what_differs),
		cmocka_unit_test(marks_have_their_boost_with_them),
		TEST(a_policy_is_changed_in_place),
		TEST(the_command_line_completes_and_remembers),
		TEST(earlier_moments_are_looked_at_beside_the_present),
		TEST(the_mouse_does_what_keys_do),
		TEST(every_window_shows_the_pane_with_the_focus),
		TEST(an_ascii_screen_has_no_other_letters),
		TEST(a_screen_is_saved_in_three_forms),
		TEST(a_frame_of_a_large_lab_takes_less_than_10_ms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
