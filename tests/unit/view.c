/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view - text is painted from the model alone, and the kernel's formats are
 * the kernel's to the byte: each report of a real machine, read back into a
 * model, must be painted as it stood.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "view/bar.h"
#include "view/flow.h"
#include "view/table.h"
#include "view/view.h"

static const struct view_args plain = { .width = 80 }, pretty = { .width = 80, .utf8 = true };

/* ---- painting into memory ---- */

static char *painted;
static size_t painted_bytes;

static FILE *paper(void)
{
	free(painted);
	painted = NULL;
	return open_memstream(&painted, &painted_bytes);
}

static const char *paint(const char *view, const json_t *model, const struct view_args *args)
{
	const struct view *v = view_find(view);
	FILE *to = paper();

	assert_non_null(v);
	v->text(model, args, to);
	fclose(to);
	return painted;
}

static const char *paint_json(const char *view, const char *json, const struct view_args *args)
{
	json_error_t error;
	json_t *model = json_loads(json, 0, &error);
	const char *text;

	if (!model)
		fail_msg("%s: %s", error.text, json);
	text = paint(view, model, args);
	json_decref(model);
	return text;
}

/* ---- reports of real machines, read into models ---- */

static void set(json_t *o, const char *key, long long n)
{
	json_object_set_new(o, key, json_integer(n));
}

/* The numbers of a text, in order. */
static json_t *numbers(const char *p)
{
	json_t *a = json_array();

	for (;;) {
		char *end;
		long long n;

		while (*p && !isdigit((unsigned char)*p))
			p++;
		if (!*p)
			return a;
		n = strtoll(p, &end, 10);
		json_array_append_new(a, json_integer(n));
		p = end;
	}
}

static json_t *append_zone(json_t *to, int node, const char *zone)
{
	json_t *o = json_pack("{s:i,s:s}", "node", node, "zone", zone);

	json_array_append_new(to, o);
	return o;
}

static void buddyinfo_line(json_t *model, const char *line)
{
	char zone[16];
	int node, at;

	if (!json_object_get(model, "zones"))
		json_object_set_new(model, "zones", json_array());
	assert_int_equal(sscanf(line, "Node %d, zone %15s%n", &node, zone, &at), 2);
	json_object_set_new(append_zone(json_object_get(model, "zones"), node, zone), "free",
			    numbers(line + at));
}

static void pagetypeinfo_line(json_t *model, const char *line)
{
	static const char *const types[] = { "Unmovable", "Movable", "Reclaimable", "HighAtomic", "Isolate" };
	json_t *list, *o, *n, *by_type;
	char zone[16], type[16];
	int node, at;
	size_t i;

	if (!json_object_get(model, "types")) {
		json_object_set_new(model, "types", json_array());
		json_object_set_new(model, "blocks", json_array());
	}
	if (sscanf(line, "Page block order: %d", &at) == 1)
		set(model, "page_block_order", at);
	else if (sscanf(line, "Pages per block: %d", &at) == 1)
		set(model, "pages_per_block", at);
	else if (sscanf(line, "Node %d, zone %15[^,], type %15s%n", &node, zone, type, &at) == 3) {
		o = append_zone(json_object_get(model, "types"), node, zone);
		json_object_set_new(o, "type", json_string(type));
		json_object_set_new(o, "free", numbers(line + at));
	} else if (sscanf(line, "Node %d, zone %15s%n", &node, zone, &at) == 2) {
		o = append_zone(json_object_get(model, "blocks"), node, zone);
		list = numbers(line + at);
		by_type = json_object();
		json_array_foreach(list, i, n)
			json_object_set(by_type, types[i], n);
		json_object_set_new(o, "types", by_type);
		json_decref(list);
	}
}

/* Where the next lines of zoneinfo belong. */
static json_t *zone, *section, *pageset;

static json_t *section_new(json_t *o, const char *key)
{
	json_t *s = json_object();

	json_object_set_new(o, key, s);
	return s;
}

static void zoneinfo_cpu_line(const char *line)
{
	char key[32];
	long long n;

	if (sscanf(line, "    cpu: %lld", &n) == 1) {
		pageset = json_object();
		set(pageset, "cpu", n);
		json_array_append_new(json_object_get(zone, "pagesets"), pageset);
	} else if (sscanf(line, "  vm stats threshold: %lld", &n) == 1) {
		set(pageset, "vm_stats_threshold", n);
	} else if (sscanf(line, "  node_unreclaimable: %lld", &n) == 1) {
		set(zone, "node_unreclaimable", n);
	} else if (sscanf(line, "  start_pfn: %lld", &n) == 1) {
		set(zone, "start_pfn", n);
	} else if (sscanf(line, " %31[a-z]: %lld", key, &n) == 2) {
		set(pageset, key, n);
	} else {
		fail_msg("not understood: %s", line);
	}
}

static void zoneinfo_line(json_t *model, const char *line)
{
	char key[64];
	long long n;
	int node;

	if (!json_object_get(model, "zones"))
		json_object_set_new(model, "zones", json_array());
	if (sscanf(line, "Node %d, zone %63s", &node, key) == 2) {
		zone = append_zone(json_object_get(model, "zones"), node, key);
		section = NULL;
	} else if (!strncmp(line, "  per-node stats", 16)) {
		section = section_new(zone, "per_node");
	} else if (sscanf(line, "  pages free %lld", &n) == 1) {
		set(zone, "free", n);
		section = zone;
	} else if (!strncmp(line, "        protection:", 19)) {
		json_object_set_new(zone, "protection", numbers(line));
		section = NULL;
	} else if (!strncmp(line, "  pagesets", 10)) {
		json_object_set_new(zone, "pagesets", json_array());
	} else if (json_object_get(zone, "pagesets")) {
		zoneinfo_cpu_line(line);
	} else {
		if (!section)
			section = section_new(zone, "counters");
		assert_int_equal(sscanf(line, " %63s %lld", key, &n), 2);
		set(section, key, n);
	}
}

static void vmstat_line(json_t *model, const char *line)
{
	char key[64];
	long long n;

	assert_int_equal(sscanf(line, "%63s %lld", key, &n), 2);
	set(model, key, n);
}

static void meminfo_line(json_t *model, const char *line)
{
	char key[64];
	long long n;

	assert_int_equal(sscanf(line, "%63[^:]: %lld", key, &n), 2);
	set(model, key, n);
}

static const struct {
	const char *view;
	void (*line)(json_t *model, const char *line);
} formats[] = {
	{ "buddyinfo", buddyinfo_line }, { "pagetypeinfo", pagetypeinfo_line },
	{ "zoneinfo", zoneinfo_line }, { "vmstat", vmstat_line }, { "meminfo", meminfo_line },
};

static char *file_read(const char *path)
{
	char *text = calloc(1, 1 << 20);
	FILE *f = fopen(path, "r");

	if (!f)
		fail_msg("cannot open %s", path);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

static void paints_as_it_stood(const char *path, unsigned int format)
{
	char *text = file_read(path), *copy = strdup(text), *save = NULL;
	json_t *model = json_object();

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		formats[format].line(model, line);
	if (strcmp(paint(formats[format].view, model, &plain), text))
		fail_msg("%s is not painted as it stood, but:\n%s", path, painted);
	json_decref(model);
	free(copy);
	free(text);
}

static const char *data_folder(char buf[512])
{
	const char *tests = getenv("TESTS");

	snprintf(buf, 512, "%s/data/kernel-6.1/pages", tests ? tests : "tests");
	return buf;
}

static void kernel_reports_are_painted_to_the_byte(void **state)
{
	char folder[512], path[1024];
	DIR *dir = opendir(data_folder(folder));
	unsigned int machines = 0;
	struct dirent *d;

	if (!dir)
		fail_msg("no %s: run from the top folder or set TESTS", folder);
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.' || strchr(d->d_name, '.'))
			continue;
		for (unsigned int f = 0; f < ARRAY_SIZE(formats); f++) {
			snprintf(path, sizeof(path), "%s/%s/%s", folder, d->d_name, formats[f].view);
			paints_as_it_stood(path, f);
		}
		machines++;
	}
	closedir(dir);
	assert_true(machines >= 20);
}

static void slabinfo_rows_have_the_kernels_columns(void **state)
{
	assert_string_equal(paint_json("slabinfo",
		"{\"caches\":[{\"name\":\"bio-312\",\"active_objs\":12,\"num_objs\":12,\"objsize\":320,"
		"\"objperslab\":12,\"pagesperslab\":1,\"active_slabs\":1,\"num_slabs\":1}]}", &plain),
		"slabinfo - version: 2.1\n"
		"# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables"
		" <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\n"
		"bio-312               12     12    320   12    1 : tunables    0    0    0 : slabdata"
		"      1      1      0\n");
}

static void a_long_list_prints_what_the_kernel_stops_counting_at(void **state)
{
	const char *text = paint_json("pagetypeinfo",
		"{\"page_block_order\":9,\"pages_per_block\":512,\"types\":[{\"node\":0,\"zone\":\"Normal\","
		"\"type\":\"Movable\",\"free\":[99999,100000,250000]}],"
		"\"blocks\":[{\"node\":0,\"zone\":\"Normal\",\"types\":{\"Unmovable\":1}}]}", &plain);

	assert_non_null(strstr(text, " 99999 >100000 >100000 \n"));
}

/* ---- counters that stand still ---- */

static void stopped_counters_are_painted_from_the_moment_of_stopping(void **state)
{
	assert_string_equal(paint_json("vmstat",
		"{\"nr_free_pages\":7,\"pgfree\":null,\"stopped\":{\"pgfree\":12}}", &plain),
		"nr_free_pages 7\npgfree 12\n");
}

/* ---- the pieces ---- */

static void bars_are_empty_or_full_only_when_that_is_so(void **state)
{
	char bar[BAR_MAX];

	assert_string_equal(bar_fill(bar, 0, 1000, 8, false), "[........]");
	assert_string_equal(bar_fill(bar, 1, 1000, 8, false), "[#.......]");
	assert_string_equal(bar_fill(bar, 500, 1000, 8, false), "[####....]");
	assert_string_equal(bar_fill(bar, 999, 1000, 8, false), "[#######.]");
	assert_string_equal(bar_fill(bar, 1000, 1000, 8, false), "[########]");
	assert_string_equal(bar_fill(bar, 2, 3, 3, true), "▕■■□▏");
	assert_string_equal(bar_fill(bar, 0, 0, 2, false), "[..]");
	assert_string_equal(bar_level(0, 9, true), "·");
	assert_string_equal(bar_level(9, 9, true), "█");
	assert_string_equal(bar_level(1, 900, true), "▁");
}

static void tables_align_by_what_is_seen(void **state)
{
	struct table t = { 0 };
	FILE *to = paper();

	table_column(&t, TABLE_LEFT, "name");
	table_column(&t, TABLE_RIGHT, "n");
	table_column(&t, TABLE_LEFT, "%s", "");
	table_cell(&t, "▕■▏");
	table_count(&t, 1234);
	table_cell(&t, "end");
	table_cell(&t, "longer");
	table_count(&t, 0);
	table_cell(&t, "%s", "");
	table_print(&t, &plain, to);
	fclose(to);
	assert_string_equal(painted,
		"name       n\n"
		"▕■▏     1234  end\n"
		"longer     -\n");
}

static void a_table_without_rows_prints_nothing(void **state)
{
	struct table t = { 0 };
	FILE *to = paper();

	table_column(&t, TABLE_LEFT, "name");
	table_print(&t, &plain, to);
	fclose(to);
	assert_int_equal(painted_bytes, 0);
}

static void long_lists_flow_under_their_first_word(void **state)
{
	struct view_args narrow = { .width = 40 };
	struct flow f;
	FILE *to = paper();

	flow_begin(&f, &narrow, to, "list ");
	for (int i = 0; i < 8; i++)
		flow_word(&f, "word%d%d", i, i);
	flow_end(&f);
	fclose(to);
	assert_string_equal(painted,
		"list word00 word11 word22 word33 word44\n"
		"     word55 word66 word77\n");
}

/* ---- views for people ---- */

static const char one_cache[] =
	"{\"cache\":\"A\",\"store\":7,\"engine\":\"slub\",\"objs_per_slab\":64,"
	"\"nodes\":[{\"node\":0,\"nr_partial\":2,\"nr_slabs\":6,\"total_objects\":384,"
	"\"partial\":[{\"slab\":4,\"inuse\":0,\"objects\":64},{\"slab\":1,\"inuse\":63,\"objects\":64}]}],"
	"\"cpus\":[{\"cpu\":0,\"slab\":{\"slab\":5,\"inuse\":1,\"objects\":64},\"cpu_free\":60,\"slab_free\":3,"
	"\"slab_inuse\":61,\"partial\":[{\"slab\":0,\"inuse\":2,\"objects\":64}],\"partial_slabs\":1},"
	"{\"cpu\":1,\"slab\":null,\"cpu_free\":0,\"slab_free\":0,\"slab_inuse\":0,\"partial\":[],\"partial_slabs\":0}],"
	"\"unlisted\":[{\"slab\":2,\"inuse\":64,\"objects\":64},{\"slab\":3,\"inuse\":64,\"objects\":64}],"
	"\"partial_add\":\"tail\",\"draining\":[]}";

static void slabs_stand_from_head_to_tail_with_their_fill(void **state)
{
	const char *text = paint_json("slabs", one_cache, &plain), *head, *tail;

	head = strstr(text, "head => S4[........]0/64");
	tail = strstr(text, "S1[#######.]63/64 <= tail");
	assert_non_null(head);
	assert_non_null(tail);
	assert_true(head < tail);
	assert_non_null(strstr(text, "the next slab goes to the tail"));
}

static void cpus_show_their_slab_lists_and_chain_and_empty_cpus_nothing(void **state)
{
	const char *text = paint_json("slabs", one_cache, &pretty);

	assert_non_null(strstr(text, "cpu0"));
	assert_non_null(strstr(text, "S5▕■□□□□□□□□□□□□□□□▏1/64 free: 60 on the CPU, 3 in the slab"));
	assert_non_null(strstr(text, "S0▕■□□□□□□□▏2/64"));
	assert_null(strstr(text, "cpu1"));
	assert_non_null(strstr(text, "2 full: S2-S3"));
}

static void frag_prints_indexes_as_the_kernel_does(void **state)
{
	const char *text = paint_json("frag",
		"{\"zones\":[{\"node\":0,\"zone\":\"Normal\",\"free_pages\":16,\"managed\":64,"
		"\"free\":[6,3,1,0,0,0,0,0,0,0,0],"
		"\"unusable\":[0.0,0.375,0.75,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0],"
		"\"extfrag\":[-1.0,-1.0,-1.0,0.7,0.8,0.85,0.875,0.888,0.894,0.897,0.899]}]}", &plain);

	assert_non_null(strstr(text, "N0 Normal: 16 of 64 pages free (25.0%)"));
	assert_non_null(strstr(text, "  1            3      6  [########............]     0.375   -1.000\n"));
	assert_non_null(strstr(text, "  3            -      -  [....................]     1.000    0.700\n"));
}

static void stat_says_when_counters_are_off(void **state)
{
	const char *text = paint_json("stat",
		"{\"cache\":\"A\",\"counters\":false,\"allocs\":5,\"frees\":2,\"objects\":3,"
		"\"event\":{\"alloc_fastpath\":null},\"stores\":[{\"event\":{\"alloc_fastpath\":null}}]}", &plain);

	assert_string_equal(text, "A: 5 allocated, 2 freed, 3 out\ncounters are off ('set event.counters on')\n");
}

static void where_names_member_slab_and_list(void **state)
{
	const char *text = paint_json("where",
		"[{\"index\":3,\"handle\":\"a\",\"slab\":2,\"node\":1,\"store\":9,\"pfn\":16,\"objects\":32,"
		"\"object\":5,\"list\":\"partial\",\"list_position\":4,\"cache\":\"foo\",\"address\":65856}]", &plain);

	assert_non_null(strstr(text, "a[3]"));
	assert_non_null(strstr(text, "S2 of #9, object 5 of 32"));
	assert_non_null(strstr(text, "0x10140"));
	assert_non_null(strstr(text, "node 1's partial list, place 4"));
}

static void every_view_is_found_by_its_name(void **state)
{
	for (unsigned int i = 0; views[i]; i++) {
		assert_ptr_equal(view_find(views[i]->name), views[i]);
		assert_non_null(views[i]->model);
		assert_non_null(views[i]->text);
		assert_non_null(views[i]->usage);
	}
	assert_null(view_find("nosuchview"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_reports_are_painted_to_the_byte),
		cmocka_unit_test(slabinfo_rows_have_the_kernels_columns),
		cmocka_unit_test(a_long_list_prints_what_the_kernel_stops_counting_at),
		cmocka_unit_test(stopped_counters_are_painted_from_the_moment_of_stopping),
		cmocka_unit_test(bars_are_empty_or_full_only_when_that_is_so),
		cmocka_unit_test(tables_align_by_what_is_seen),
		cmocka_unit_test(a_table_without_rows_prints_nothing),
		cmocka_unit_test(long_lists_flow_under_their_first_word),
		cmocka_unit_test(slabs_stand_from_head_to_tail_with_their_fill),
		cmocka_unit_test(cpus_show_their_slab_lists_and_chain_and_empty_cpus_nothing),
		cmocka_unit_test(frag_prints_indexes_as_the_kernel_does),
		cmocka_unit_test(stat_says_when_counters_are_off),
		cmocka_unit_test(where_names_member_slab_and_list),
		cmocka_unit_test(every_view_is_found_by_its_name),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	free(painted);
	return ret;
}
