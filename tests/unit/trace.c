/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trace reader: every family, every damage, and the same records whichever of
 * its two parsers takes a line. Files are in tests/data/traces.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "base/types.h"
#include "formats/trace.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

/* ---- texts and files ---- */

struct text {
	char *s;
	size_t len, room;
};

static void text_add(struct text *t, const char *s, size_t len)
{
	if (t->len + len >= t->room) {
		t->room = 2 * (t->len + len) + 1;
		t->s = realloc(t->s, t->room);
		assert_non_null(t->s);
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = 0;
}

static void text_line(struct text *t, const char *before, const char *line, const char *after)
{
	text_add(t, before, strlen(before));
	text_add(t, line, strcspn(line, "\n"));
	text_add(t, after, strlen(after));
	text_add(t, "\n", 1);
}

static const char *data_path(const char *name)
{
	static char path[512];
	const char *dir = getenv("TESTS");

	snprintf(path, sizeof(path), "%s/data/traces/%s", dir ? dir : "tests", name);
	return path;
}

static struct text data_file(const char *name)
{
	struct text t = { NULL, 0, 0 };
	FILE *f = fopen(data_path(name), "r");
	char buf[4096];
	size_t n;

	if (!f)
		fail_msg("cannot read %s", data_path(name));
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(&t, buf, n);
	fclose(f);
	return t;
}

static struct trace_reader *reading(const char *s, size_t len)
{
	struct trace_reader *r;

	assert_int_equal(trace_open_memory(s, len, &r), 0);
	return r;
}

/* All lines are accounted for (T1), and the end stays the end. */
static void assert_at_end(struct trace_reader *r)
{
	const struct trace_stats *s;
	struct trace_record rec;

	assert_int_equal(trace_next(r, &rec), 0);
	s = trace_stats(r);
	assert_int_equal(s->lines, s->understood + s->skipped + s->not_understood + s->headers +
			 s->stacks + s->joined);
	assert_int_equal(trace_next(r, &rec), 0);
}

static uint64_t read_out(struct trace_reader *r)
{
	struct trace_record rec;
	uint64_t n = 0;

	while (trace_next(r, &rec) > 0)
		n++;
	assert_at_end(r);
	return n;
}

/* The one record of a text; slices stay good as long as the reader. */
static struct trace_reader *read_one(const char *text, struct trace_record *rec)
{
	struct trace_reader *r = reading(text, strlen(text));

	if (trace_next(r, rec) != 1)
		fail_msg("no record in: %s", text);
	return r;
}

static bool same_slice(struct trace_slice a, struct trace_slice b)
{
	return a.len == b.len && (!a.len || !memcmp(a.s, b.s, a.len));
}

static bool slice_is(struct trace_slice s, const char *text)
{
	return s.len == strlen(text) && (!s.len || !memcmp(s.s, text, s.len));
}

/* Equal but for the line's number. */
static void assert_same_record(const struct trace_record *a, const struct trace_record *b)
{
	struct trace_record x = *a, y = *b;

	if (!same_slice(x.call_site, y.call_site) || !same_slice(x.name, y.name) ||
	    !same_slice(x.flags, y.flags))
		fail_msg("texts of line %lu and %lu differ", (unsigned long)a->line,
			 (unsigned long)b->line);
	x.call_site = y.call_site;
	x.name = y.name;
	x.flags = y.flags;
	x.line = y.line;
	if (memcmp(&x, &y, sizeof(x)))
		fail_msg("line %lu and line %lu differ", (unsigned long)a->line,
			 (unsigned long)b->line);
}

/* ---- the files ---- */

struct expected {
	const char *file;
	unsigned int records;
	const char *spelling;
	unsigned int spelled;
	uint64_t bytes_req, bytes_alloc;
	unsigned int not_understood, stacks;
};

/* What the people who pasted these files said of them, counted by hand. */
static const struct expected files[] = {
	{ "trace-2.6.33-double-free-records.txt", 5, "mm_page_free_direct", 4, 0, 0, 0, 0 },
	{ "trace-3.x-i386-early-boot.txt", 8, "kmalloc", 6, 175, 256, 0, 0 },
	{ "trace-3.x-kmalloc_node-with-stacks.txt", 2, "kmalloc_node", 2, 32688, 32768, 0, 16 },
	{ "trace-4.14-android-extra-field-null-page.txt", 9, "mm_page_alloc", 9, 0, 0, 0, 0 },
	{ "trace-4.x-extfrag.txt", 1, "mm_page_alloc_extfrag", 1, 0, 0, 0, 0 },
	{ "trace-5.1-perf-script-callchain.txt", 1, "mm_page_alloc", 1, 0, 0, 0, 6 },
	{ "trace-5.4-ftrace-hashed-leak.txt", 12, "kmem_cache_alloc", 12, 43020, 70904, 0, 0 },
	{ "trace-6.13-fields-option.txt", 4, "kmem_cache_alloc", 3, 4472, 4496, 0, 0 },
	{ "trace-6.13-printk-format.txt", 4, "kmem_cache_alloc", 3, 4472, 4496, 0, 0 },
	{ "6.1-ftrace-reclaim.txt", 156, "mm_page_pcpu_drain", 12, 18032, 18480, 0, 0 },
	{ "6.1-ftrace-unix-stream.txt", 109, "mm_page_free_batched", 12, 26147, 27048, 0, 0 },
	{ "6.1-perf-script.txt", 108, "kfree", 24, 17576, 17968, 0, 0 },
	{ "6.1-tracecmd-report.txt", 92, "kmem_cache_free", 12, 30192, 43416, 0, 0 },
};

static unsigned int spelled(const struct trace_stats *s, const char *name)
{
	for (unsigned int i = 0; i < TRACE_SPELLING_NR; i++)
		if (!strcmp(trace_spelling_name(i), name))
			return (unsigned int)s->spelled[i];
	return 0;
}

static void files_of_every_kind_are_read_to_the_last_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const struct expected *e = &files[i];
		uint64_t req = 0, alloc = 0;
		struct trace_reader *r;
		struct trace_record rec;

		assert_int_equal(trace_open(data_path(e->file), &r), 0);
		while (trace_next(r, &rec) > 0) {
			req += rec.bytes_req;
			alloc += rec.bytes_alloc;
		}
		assert_at_end(r);
		if (trace_stats(r)->understood != e->records || req != e->bytes_req ||
		    alloc != e->bytes_alloc || spelled(trace_stats(r), e->spelling) != e->spelled ||
		    trace_stats(r)->not_understood != e->not_understood ||
		    trace_stats(r)->stacks != e->stacks)
			fail_msg("%s: %lu records, %u %s, %lu of %lu bytes, %lu not understood, %lu of stacks",
				 e->file, (unsigned long)trace_stats(r)->understood,
				 spelled(trace_stats(r), e->spelling), e->spelling, (unsigned long)req,
				 (unsigned long)alloc, (unsigned long)trace_stats(r)->not_understood,
				 (unsigned long)trace_stats(r)->stacks);
		trace_close(r);
	}
}

/* A carriage return sends each line to the patient parser. */
static void both_parsers_read_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct text plain = data_file(files[i].file), returns = { NULL, 0, 0 };
		struct trace_reader *a, *b;
		struct trace_record x, y;

		for (const char *p = plain.s; *p; p = strchr(p, '\n') + 1)
			text_line(&returns, "", p, "\r");
		a = reading(plain.s, plain.len);
		b = reading(returns.s, returns.len);
		while (trace_next(a, &x) > 0) {
			assert_int_equal(trace_next(b, &y), 1);
			assert_int_equal(x.line, y.line);
			assert_same_record(&x, &y);
		}
		assert_at_end(a);
		assert_at_end(b);
		trace_close(a);
		trace_close(b);
		free(plain.s);
		free(returns.s);
	}
}

static void both_print_styles_give_the_same_sizes_and_flags(void **state)
{
	struct text text = data_file("trace-6.13-printk-format.txt");
	struct text numbers = data_file("trace-6.13-fields-option.txt");
	struct trace_reader *a = reading(text.s, text.len), *b = reading(numbers.s, numbers.len);
	struct trace_record x, y;

	(void)state;
	while (trace_next(a, &x) > 0) {
		assert_int_equal(trace_next(b, &y), 1);
		assert_int_equal(x.event, y.event);
		assert_int_equal(x.time_ns, y.time_ns);
		assert_int_equal(x.bytes_req, y.bytes_req);
		assert_int_equal(x.bytes_alloc, y.bytes_alloc);
		assert_int_equal(x.gfp, y.gfp);
		assert_int_equal(x.node, -1);
		assert_int_equal(y.node, -1);
		assert_int_equal(x.accounted, y.accounted);
		assert_true(same_slice(x.name, y.name));
		assert_int_equal(x.has, y.has);
	}
	assert_at_end(b);
	trace_close(a);
	trace_close(b);
	free(text.s);
	free(numbers.s);
}

/* ---- one record, many clothes ---- */

static const char usual[] =
	"            bash-1234    [003] d.h1.   123.456789: kmalloc: call_site=f+0x1/0x20 "
	"ptr=00000000deadbeef bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|__GFP_ZERO "
	"node=1 accounted=true\n";

static void the_usual_line_is_read_field_by_field(void **state)
{
	struct trace_record rec;
	struct trace_reader *r = read_one(usual, &rec);

	(void)state;
	assert_int_equal(rec.line, 1);
	assert_int_equal(rec.event, TRACE_KMALLOC);
	assert_int_equal(rec.cpu, 3);
	assert_int_equal(rec.time_ns, 123456789000);
	assert_int_equal(rec.ptr, 0xdeadbeef);
	assert_int_equal(rec.bytes_req, 100);
	assert_int_equal(rec.bytes_alloc, 128);
	assert_int_equal(rec.gfp, GFP_KERNEL | GFP_BIT_ZERO);
	assert_int_equal(rec.node, 1);
	assert_true(rec.accounted);
	assert_true(slice_is(rec.call_site, "f+0x1/0x20"));
	assert_true(slice_is(trace_key(&rec), "f+0x1"));
	assert_true(slice_is(rec.flags, "d.h1."));
	assert_at_end(r);
	assert_int_equal(trace_stats(r)->bytes, strlen(usual));
	assert_int_equal(trace_stats(r)->max_cpu, 3);
	trace_close(r);
}

/* The same record as `usual`, as mail and logs leave it. */
static const char *const repaired[] = {
	"> > bash-1234 [003] d.h1. 123.456789: kmalloc: call_site=f+0x1/0x20 ptr=00000000deadbeef "
	"bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|__GFP_ZERO node=1 accounted=true\n",
	/* folded between fields, behind the time, behind the flags */
	"bash-1234 [003] d.h1. 123.456789: kmalloc: call_site=f+0x1/0x20\nptr=00000000deadbeef "
	"bytes_req=100 bytes_alloc=128\ngfp_flags=GFP_KERNEL|__GFP_ZERO\nnode=1 accounted=true\n\n",
	"> bash-1234 [003] d.h1. 123.456789:\n> kmalloc: call_site=f+0x1/0x20 ptr=00000000deadbeef\n"
	"> bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|__GFP_ZERO node=1\n> accounted=true\n",
	"bash-1234 [003] d.h1.\n123.456789: kmalloc: call_site=f+0x1/0x20 ptr=00000000deadbeef "
	"bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|__GFP_ZERO node=1 accounted=true\n",
	/* quoted-printable, with and without quote marks */
	"bash-1234 [003] d.h1. 123.456789: kmalloc: call_site=3Df+0x1/0x20 ptr=3D000000=\n00deadbeef "
	"bytes_req=3D100 bytes_alloc=3D128 gfp_flags=3DGFP_KERNEL|__GF=\nP_ZERO node=3D1 accounted=3Dtr=\nue\n",
	"> bash-1234 [003] d.h1. 123.456789: kmalloc: call_si=\n> te=3Df+0x1/0x20 ptr=3D00000000deadbeef "
	"bytes_req=3D100 bytes_alloc=3D128 gfp_flags=3DGFP_KERNEL|__GFP_ZERO node=3D1 accounted=3Dtrue\n",
	/* logs */
	"Jan  2 03:04:05 host kernel: [   12.345678][  T123] bash-1234 [003] d.h1. 123.456789: kmalloc: "
	"call_site=f+0x1/0x20 ptr=00000000deadbeef bytes_req=100 bytes_alloc=128 "
	"gfp_flags=GFP_KERNEL|__GFP_ZERO node=1 accounted=true\n",
	"12: bash-1234 [003] d.h1. 123.456789: kmalloc: call_site=f+0x1/0x20 ptr=00000000deadbeef "
	"bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|__GFP_ZERO node=1 accounted=true\n",
	/* another order, unknown fields between, a module, a thread group, tabs */
	"\tbash-1234\t( 1200) [003] d.h1.\t123.456789: kmalloc:\taccounted=true node=1 vendor=x "
	"gfp_flags=GFP_KERNEL|__GFP_ZERO bytes_alloc=128\tbytes_req=100 what ptr=0xdeadbeef "
	"call_site=f+0x1/0x20 [mod]\n",
};

static void damage_of_mail_and_logs_is_undone(void **state)
{
	struct trace_record want, rec;
	struct trace_reader *a = read_one(usual, &want);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(repaired); i++) {
		struct trace_reader *b = read_one(repaired[i], &rec);

		assert_same_record(&rec, &want);
		assert_at_end(b);
		if (trace_stats(b)->not_understood)
			fail_msg("case %zu: line %lu is not understood: %s", i,
				 (unsigned long)trace_stats(b)->shown[0].line,
				 trace_stats(b)->shown[0].text);
		trace_close(b);
	}
	trace_close(a);
}

struct family {
	const char *text;
	unsigned int cpu;
	uint64_t time_ns;
	const char *flags;
};

#define FREE "kfree: call_site=f+0x1/0x20 ptr=00000000deadbeef"

static const struct family families[] = {
	{ "my prog: a-b-77 [002] ....  5.000001: " FREE "\n", 2, 5000001000, "...." },
	{ "<idle>-0  [1023] 5.000001: " FREE "\n", 1023, 5000001000, "" },
	{ "  <...>-12 (-----) [002] d..1. 5.000001: " FREE "\n", 2, 5000001000, "d..1." },
	{ "Web Content  345/350 [002] 5.000001234:   kmem:" FREE "\n", 2, 5000001234, "" },
	{ "cc1 345 [002] 5.000001:      1  kmem:" FREE "\n", 2, 5000001000, "" },
	{ "[002] 5.000001: kmem:" FREE "\n", 2, 5000001000, "" },
	{ "  bash-77   [002]  5.000001: kfree:       call_site=f+0x1/0x20 ptr=0xdeadbeef\n", 2, 5000001000, "" },
	{ "  bash-77      2d..1.  123us+: " FREE "\n", 2, 123, "d..1." },
	{ "  bash-77   [002] ..... 123456: " FREE "\n", 2, 123456, "....." },
	{ "[    1.000000]   bash-77   2d..1 1234567us : " FREE "\n", 2, 1234567, "d..1" },
	{ "  5.000001: " FREE "\n", 0, 5000001000, "" },
	{ FREE "\n", 0, 0, "" },
	{ "<6>[    1.234567] " FREE "\n", 0, 0, "" },
	{ " 2)               |  /* " FREE " */\n", 2, 0, "" },
	{ "    5.000001 |   2)  cat-12  |               |  /* " FREE " */\n", 2, 5000001000, "" },
};

static void every_family_says_where_and_when(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		const struct family *f = &families[i];
		struct trace_record rec;
		struct trace_reader *r = read_one(f->text, &rec);

		if (rec.event != TRACE_KFREE || rec.cpu != f->cpu || rec.time_ns != f->time_ns ||
		    rec.ptr != 0xdeadbeef || !slice_is(rec.flags, f->flags))
			fail_msg("CPU %u, time %lu, ptr %lx from: %s", rec.cpu,
				 (unsigned long)rec.time_ns, (unsigned long)rec.ptr, f->text);
		assert_at_end(r);
		trace_close(r);
	}
}

struct value {
	const char *text;
	uint64_t ptr, pfn;
	const char *name;
	bool failed;
};

static const struct value values[] = {
	{ "kmem_cache_free: call_site=f ptr=(nil) name=a b (c)", 0, 0, "a b (c)", false },
	{ "kmem_cache_free: call_site=f ptr=          (null) name=x", 0, 0, "x", false },
	{ "kmem_cache_free: call_site=c104deff ptr=c147dd20", 0xc147dd20, 0, "", false },
	{ "kmem_cache_free: ptr=ffff888012345678 name=k->v[16]", 0xffff888012345678, 0, "k->v[16]", false },
	{ "kmem_cache_alloc: ptr=(null) bytes_req=1 bytes_alloc=8", 0, 0, "", true },
	{ "mm_page_alloc: page=(null) pfn=0 order=3", 0, 0, "", true },
	{ "mm_page_alloc: page=0x12 pfn=0x12 order=0", 0, 0x12, "", false },
	{ "mm_page_free: page=ffffea pfn=12 order=10", 0, 12, "", false },
	{ "mm_pagevec_free: page=ffffea pfn=12 cold=1", 0, 12, "", false },
	{ "mm_page_alloc: pfn=0x10 (16) order=0x1 (1) page=0xffffea0000000400 (-24189255810048)", 0, 16, "", false },
};

static void values_are_read_as_their_kernels_meant_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		const struct value *v = &values[i];
		struct trace_record rec;
		struct trace_reader *r = read_one(v->text, &rec);

		if (rec.ptr != v->ptr || rec.pfn != v->pfn || !slice_is(rec.name, v->name) ||
		    trace_is_failed(&rec) != v->failed)
			fail_msg("ptr %lx pfn %lx name '%.*s' from: %s", (unsigned long)rec.ptr,
				 (unsigned long)rec.pfn, (int)rec.name.len, rec.name.s, v->text);
		trace_close(r);
	}
}

static void accounting_is_in_the_flags_of_older_kernels(void **state)
{
	struct trace_record rec;

	(void)state;
	trace_close(read_one("kmalloc: call_site=f ptr=1 bytes_req=8 bytes_alloc=8 "
			     "gfp_flags=GFP_KERNEL_ACCOUNT", &rec));
	assert_true(rec.accounted);
	assert_false(rec.has & TRACE_HAS_ACCOUNTED);
	trace_close(read_one("kmalloc: call_site=f ptr=1 bytes_req=8 bytes_alloc=8 "
			     "gfp_flags=GFP_KERNEL_ACCOUNT accounted=false", &rec));
	assert_false(rec.accounted);
}

/* ---- lines that are no record ---- */

static void headers_tell_of_cpus_and_lost_events(void **state)
{
	static const char text[] =
		"# tracer: nop\n# entries-in-buffer/entries-written: 100/142   #P:12\n"
		"cpus=4\nversion = 6\nCPU:2 [LOST 8 EVENTS]\nCPU:1 [3 EVENTS DROPPED]\n"
		"CPU:0 [EVENTS DROPPED]\nswapper 0 [000] 1.2: PERF_RECORD_LOST lost 5\n"
		"CPU 3 is empty\nK-PID    CPU#    TIMESTAMP  FUNCTION\n\n";
	struct trace_reader *r = reading(text, strlen(text));

	(void)state;
	assert_int_equal(read_out(r), 0);
	assert_int_equal(trace_stats(r)->headers, 11);
	assert_int_equal(trace_stats(r)->header_cpus, 12);
	assert_int_equal(trace_stats(r)->lost, 42 + 8 + 3 + 5);
	assert_int_equal(trace_stats(r)->lost_unknown, 1);
	trace_close(r);
}

static void other_events_are_passed_over_and_junk_is_shown(void **state)
{
	static const char text[] =
		"bash-1 [000] d..2. 1.000001: sched_switch: prev_comm=bash prev_pid=1 ==> next_comm=sh\n"
		"bash-1 [000] d..2. 1.000002: do_fork <-sys_fork\n"
		"kswapd_wake: nid=0 order=1\n"
		" 0)   1.234 us    |  kfree();\n"
		"bash-1 [000] d..2. 1.000002: <stack trace>\n => f\n => g\n"
		"\t  ffffffff81234567 f+0x12 (/lib/vmlinux)\n"
		"Dear all, here is\tthe trace.\n"
		"[000] ..... 1.000003: kfree: call_site=f\n"
		"bash-1 [70000] ..... 1.000003: kfree: call_site=f ptr=1\n"
		"bash-1 [000] ..... 1.000003: kmalloc: call_site=f ptr=1 bytes_req=8x bytes_alloc=8\n"
		"mm_page_free: pfn=0x1 order=99\n"
		"what: is this\n";
	struct trace_reader *r = reading(text, strlen(text));
	const struct trace_stats *s;

	(void)state;
	assert_int_equal(read_out(r), 0);
	s = trace_stats(r);
	assert_int_equal(s->skipped, 4);
	assert_int_equal(s->stacks, 4);
	assert_int_equal(s->not_understood, 6);
	assert_int_equal(s->nr_shown, TRACE_SHOWN);
	assert_int_equal(s->shown[0].line, 9);
	assert_string_equal(s->shown[0].text, "Dear all, here is?the trace.");
	assert_int_equal(s->shown[4].line, 13);
	trace_close(r);
}

/* However a file of three lines is cut, nothing is made up. */
static void a_line_that_is_cut_is_never_half_a_record(void **state)
{
	static const char *const lines[] = {
		"  bash-1 [001] .....  1.000001: kfree: call_site=f+0x1/0x2 ptr=ffff888012345678\n",
		"  bash-1 [001] .....  1.000001: kmalloc: call_site=f+0x1/0x2 ptr=ffff888012345678 "
		"bytes_req=1000 bytes_alloc=1024 gfp_flags=GFP_KERNEL|__GFP_ZERO node=-1 accounted=true\n",
		"  bash-1 [001] .....  1.000001: mm_page_alloc_zone_locked: page=fffff1 pfn=0x1234 "
		"order=1 migratetype=1 percpu_refill=1\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		for (size_t cut = 1; cut < strlen(lines[i]) - 1; cut++) {
			struct text t = { NULL, 0, 0 };
			struct trace_reader *r;

			text_add(&t, lines[i], strlen(lines[i]));
			text_add(&t, lines[i], cut);
			r = reading(t.s, t.len);
			if (read_out(r) != 1)
				fail_msg("half a record from: %s", t.s + strlen(lines[i]));
			trace_close(r);
			free(t.s);
		}
	}
}

static void a_first_line_that_is_cut_is_not_a_bare_record(void **state)
{
	struct text t = { NULL, 0, 0 };

	(void)state;
	for (size_t cut = 26; cut < strlen(usual) - 1; cut++) {
		struct trace_reader *r;

		t.len = 0;
		text_add(&t, usual + cut, strlen(usual + cut));
		text_add(&t, usual, strlen(usual));
		r = reading(t.s, t.len);
		assert_int_equal(read_out(r), 1);
		trace_close(r);
	}
	free(t.s);
}

/* ---- versions ---- */

#define PAGE(mtype, gfp) "a-1 [000] ..... 1.0: mm_page_alloc: page=1 pfn=0x1 order=0 migratetype=" \
	mtype " gfp_flags=" gfp "\n"

static void old_migratetypes_are_told_by_their_flags(void **state)
{
	static const char text[] = PAGE("2", "GFP_KERNEL") PAGE("2", "GFP_HIGHUSER_MOVABLE")
		PAGE("1", "GFP_KERNEL|GFP_RECLAIMABLE") PAGE("2", "GFP_KERNEL");
	static const uint8_t first[] = { MT_RECLAIMABLE, MT_MOVABLE, MT_RECLAIMABLE, MT_MOVABLE };
	struct trace_reader *r = reading(text, strlen(text));
	struct trace_record rec;

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(trace_next(r, &rec), 1);
		assert_int_equal(rec.mtype, first[i]);
	}
	assert_true(trace_stats(r)->old_mtypes);
	assert_int_equal(trace_rewind(r), 0);
	assert_int_equal(trace_next(r, &rec), 1);
	assert_int_equal(rec.mtype, MT_MOVABLE);        /* now it is known from the start */
	assert_int_equal(rec.mtype_raw, 2);
	trace_close(r);
}

static void the_user_may_say_which_kernel_it_was(void **state)
{
	static const char text[] = PAGE("2", "0xd0") PAGE("4", "GFP_NOWAIT");
	struct trace_reader *r = reading(text, strlen(text));
	struct trace_record rec;

	(void)state;
	assert_int_equal(trace_set_kernel(r, "three"), -EINVAL);
	assert_int_equal(trace_set_kernel(r, "3.10.0-327.el7"), 0);
	assert_int_equal(trace_next(r, &rec), 1);
	assert_int_equal(rec.mtype, MT_MOVABLE);
	assert_int_equal(rec.gfp, GFP_KERNEL);
	assert_int_equal(trace_next(r, &rec), 1);
	assert_int_equal(rec.mtype, MT_ISOLATE);
	assert_int_equal(trace_set_kernel(r, "6.18"), 0);
	assert_int_equal(trace_rewind(r), 0);
	assert_int_equal(trace_next(r, &rec), 1);
	assert_int_equal(rec.mtype, MT_RECLAIMABLE);
	assert_int_equal(trace_next(r, &rec), 1);
	assert_int_equal(rec.gfp, GFP_NOWAIT | GFP_BIT_NOWARN);
	trace_close(r);
}

static void the_header_of_perf_script_says_which_kernel_it_was(void **state)
{
	static const char text[] = "# os release : 3.16.7\n# nrcpus online : 8\n" PAGE("2", "GFP_KERNEL");
	struct trace_record rec;
	struct trace_reader *r = read_one(text, &rec);

	(void)state;
	assert_int_equal(rec.mtype, MT_MOVABLE);
	assert_int_equal(trace_stats(r)->header_cpus, 8);
	trace_close(r);
}

/* ---- input ---- */

/* Lines of all lengths over several buffers, two of them too long. */
static struct text long_text(unsigned int *records)
{
	struct text t = { NULL, 0, 0 };
	char *pad = calloc(1, 300001), line[256];

	memset(pad, 'x', 300000);
	*records = 0;
	for (unsigned int i = 0; t.len < (3u << 20) / 2; i++) {
		snprintf(line, sizeof(line), "  bash-1   [001] ..... %6u.000001: mm_page_free: page=1 "
			 "pfn=0x%x order=%u", i, i + 1, i % 11);
		text_line(&t, "", line, i % 7 ? "" : " extra=1");
		if (i % 1000 == 0) {
			pad[i * 13 % 60000] = 0;
			text_line(&t, "# ", pad, "");
			pad[i * 13 % 60000] = 'x';
		}
		if (i == 3000 || i == 9000)
			text_line(&t, "too long ", pad + (i == 3000 ? 0 : 230000), "");
		(*records)++;
	}
	free(pad);
	return t;
}

static void assert_long_text_is_read(struct trace_reader *r, unsigned int records, size_t bytes)
{
	struct trace_record rec;
	unsigned int i = 0;
	int ret;

	for (; (ret = trace_next(r, &rec)) > 0; i++) {
		assert_int_equal(rec.pfn, i + 1);
		assert_int_equal(rec.order, i % 11);
		assert_int_equal(rec.time_ns, i * 1000000000ull + 1000);
	}
	assert_int_equal(ret, 0);
	assert_int_equal(i, records);
	assert_at_end(r);
	assert_int_equal(trace_stats(r)->not_understood, 2);
	assert_int_equal(trace_stats(r)->bytes, bytes);
	assert_int_equal(strlen(trace_stats(r)->shown[0].text), TRACE_SHOWN_LEN);
}

static void lines_cross_the_buffer_and_long_ones_are_counted(void **state)
{
	unsigned int records;
	struct text t = long_text(&records);
	struct trace_reader *r = reading(t.s, t.len);

	(void)state;
	assert_long_text_is_read(r, records, t.len);
	assert_int_equal(trace_rewind(r), 0);
	assert_long_text_is_read(r, records, t.len);
	trace_close(r);
	free(t.s);
}

static const char *gzip_file(const struct text *t, size_t members)
{
	static char path[] = "/tmp/slablab-trace-XXXXXX";
	size_t done = 0;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	close(mkstemp(path));
	for (size_t i = 0; i < members; i++) {
		size_t n = i + 1 == members ? t->len - done : t->len / members;
		gzFile f = gzopen(path, i ? "ab" : "wb");

		assert_int_equal(gzwrite(f, t->s + done, (unsigned int)n), n);
		gzclose(f);
		done += n;
	}
	return path;
}

static void gzip_files_are_unpacked_member_by_member(void **state)
{
	unsigned int records;
	struct text t = long_text(&records);
	const char *path = gzip_file(&t, 3);
	struct trace_reader *r;
	uint64_t done, total;

	(void)state;
	assert_int_equal(trace_open(path, &r), 0);
	assert_true(trace_can_rewind(r));
	assert_long_text_is_read(r, records, t.len);
	trace_progress(r, &done, &total);
	assert_int_equal(done, total);
	assert_int_equal(trace_rewind(r), 0);
	assert_long_text_is_read(r, records, t.len);
	trace_close(r);
	unlink(path);
	free(t.s);
}

static void a_gzip_file_that_is_cut_is_an_error_after_what_was_read(void **state)
{
	unsigned int records, n = 0;
	struct text t = long_text(&records);
	const char *path = gzip_file(&t, 1);
	struct trace_reader *r;
	struct trace_record rec;
	int ret;

	(void)state;
	assert_int_equal(truncate(path, 40000), 0);
	assert_int_equal(trace_open(path, &r), 0);
	while ((ret = trace_next(r, &rec)) > 0)
		n++;
	assert_int_equal(ret, -EIO);
	assert_non_null(strstr(fail_why(), "end too early"));
	assert_true(n > 100 && n < records);
	assert_int_equal(trace_next(r, &rec), -EIO);
	trace_close(r);
	unlink(path);
	free(t.s);
}

/* A child writes into standard input, a few bytes at a time at first. */
static pid_t pipe_to_stdin(const struct text *t)
{
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		for (size_t at = 0; at < t->len; ) {
			size_t n = at < 100 ? 1 : 3000;
			ssize_t k = write(ends[1], t->s + at, n < t->len - at ? n : t->len - at);

			if (k < 0)
				_exit(1);
			at += (size_t)k;
		}
		_exit(0);
	}
	assert_true(child > 0);
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return child;
}

static void a_pipe_is_read_once(void **state)
{
	unsigned int records;
	struct text t = long_text(&records);
	pid_t child = pipe_to_stdin(&t);
	struct trace_reader *r;
	uint64_t done, total;
	int status;

	(void)state;
	assert_int_equal(trace_open("-", &r), 0);
	assert_false(trace_can_rewind(r));
	assert_long_text_is_read(r, records, t.len);
	trace_progress(r, &done, &total);
	assert_int_equal(done, t.len);
	assert_int_equal(total, 0);
	assert_int_equal(trace_rewind(r), -ESPIPE);
	trace_close(r);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	free(t.s);
}

static void binary_recordings_are_named(void **state)
{
	struct trace_record rec;
	struct trace_reader *r = reading("PERFILE2\0\0\0\0\0\0\0\0\n", 17);

	(void)state;
	assert_int_equal(trace_next(r, &rec), -EINVAL);
	assert_non_null(strstr(fail_why(), "perf script"));
	trace_close(r);
	assert_int_equal(trace_open("/nowhere/at/all", &r), -ENOENT);
	assert_non_null(strstr(fail_why(), "/nowhere/at/all"));
	r = reading("", 0);
	assert_int_equal(read_out(r), 0);
	trace_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_every_kind_are_read_to_the_last_line),
		cmocka_unit_test(both_parsers_read_the_same),
		cmocka_unit_test(both_print_styles_give_the_same_sizes_and_flags),
		cmocka_unit_test(the_usual_line_is_read_field_by_field),
		cmocka_unit_test(damage_of_mail_and_logs_is_undone),
		cmocka_unit_test(every_family_says_where_and_when),
		cmocka_unit_test(values_are_read_as_their_kernels_meant_them),
		cmocka_unit_test(accounting_is_in_the_flags_of_older_kernels),
		cmocka_unit_test(headers_tell_of_cpus_and_lost_events),
		cmocka_unit_test(other_events_are_passed_over_and_junk_is_shown),
		cmocka_unit_test(a_line_that_is_cut_is_never_half_a_record),
		cmocka_unit_test(a_first_line_that_is_cut_is_not_a_bare_record),
		cmocka_unit_test(old_migratetypes_are_told_by_their_flags),
		cmocka_unit_test(the_user_may_say_which_kernel_it_was),
		cmocka_unit_test(the_header_of_perf_script_says_which_kernel_it_was),
		cmocka_unit_test(lines_cross_the_buffer_and_long_ones_are_counted),
		cmocka_unit_test(gzip_files_are_unpacked_member_by_member),
		cmocka_unit_test(a_gzip_file_that_is_cut_is_an_error_after_what_was_read),
		cmocka_unit_test(a_pipe_is_read_once),
		cmocka_unit_test(binary_recordings_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
