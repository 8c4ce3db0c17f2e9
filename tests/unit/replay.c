/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replay: small traces written for one rule each, and random ones against a
 * second, slower count. (Real ones: tests/replay.py.)
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/rand.h"
#include "lab/handle.h"
#include "op/op.h"
#include "work/replay.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

/* ---- writing traces ---- */

struct text {
	char *s;
	size_t len, cap;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	if (t->cap - t->len < 512) {
		t->cap = t->cap ? t->cap * 2 : 4096;
		t->s = realloc(t->s, t->cap);
		assert_non_null(t->s);
	}
	va_start(ap, fmt);
	t->len += (size_t)vsnprintf(t->s + t->len, t->cap - t->len, fmt, ap);
	va_end(ap);
}

/* Times are in microseconds. */
static void line(struct text *t, unsigned int cpu, uint64_t us, const char *event)
{
	add(t, "  task-7 [%03u] ..... %5llu.%06llu: %s", cpu, (unsigned long long)(us / 1000000),
	    (unsigned long long)(us % 1000000), event);
}

static void kmalloc(struct text *t, unsigned int cpu, uint64_t us, uint64_t ptr, unsigned int req, unsigned int got)
{
	line(t, cpu, us, "kmalloc: ");
	add(t, "call_site=f+0x1/0x2 ptr=%016llx bytes_req=%u bytes_alloc=%u gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
	    (unsigned long long)ptr, req, got);
}

static void cache_alloc(struct text *t, unsigned int cpu, uint64_t us, uint64_t ptr, const char *site, unsigned int size)
{
	line(t, cpu, us, "kmem_cache_alloc: ");
	add(t, "call_site=%s+0x1/0x2 ptr=%016llx bytes_req=%u bytes_alloc=%u gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
	    site, (unsigned long long)ptr, size, size);
}

static void kfree(struct text *t, unsigned int cpu, uint64_t us, uint64_t ptr)
{
	line(t, cpu, us, "kfree: ");
	add(t, "call_site=f+0x1/0x2 ptr=%016llx\n", (unsigned long long)ptr);
}

static void cache_free(struct text *t, unsigned int cpu, uint64_t us, uint64_t ptr, const char *name)
{
	line(t, cpu, us, "kmem_cache_free: ");
	add(t, "call_site=f+0x1/0x2 ptr=%016llx name=%s\n", (unsigned long long)ptr, name);
}

static void page_alloc(struct text *t, unsigned int cpu, uint64_t us, uint64_t pfn, unsigned int order, const char *gfp)
{
	line(t, cpu, us, "mm_page_alloc: ");
	add(t, "page=%s pfn=0x%llx order=%u migratetype=0 gfp_flags=%s\n",
	    pfn ? "00000000abcdef01" : "0000000000000000", (unsigned long long)pfn, order, gfp);
}

static void page_free(struct text *t, unsigned int cpu, uint64_t us, uint64_t pfn, unsigned int order)
{
	line(t, cpu, us, "mm_page_free: ");
	add(t, "page=00000000abcdef01 pfn=0x%llx order=%u\n", (unsigned long long)pfn, order);
}

static void page_batched(struct text *t, unsigned int cpu, uint64_t us, uint64_t pfn)
{
	line(t, cpu, us, "mm_page_free_batched: ");
	add(t, "page=00000000abcdef01 pfn=0x%llx order=0\n", (unsigned long long)pfn);
}

/* ---- running them ---- */

/* The lab must be sound, and the replay's own sums right. */
static struct replay *run_in(struct lab *lab, const struct text *t, const struct replay_options *o)
{
	struct replay *r;
	char note[256];

	if (replay_open_memory(t->s, t->len, o, &r) || replay_run(r, lab, note) || replay_check(r) || lab_check(lab))
		fail_msg("%s", fail_why());
	return r;
}

static uint64_t figure(const struct replay *r, const char *path)
{
	uint64_t value;

	if (!replay_figure_read(r, path, &value))
		fail_msg("there is no figure %s", path);
	return value;
}

#define is(r, path, want) \
	do { \
		if (figure(r, path) != (uint64_t)(want)) \
			fail_msg("%s is %llu, should be %llu", path, (unsigned long long)figure(r, path), \
				 (unsigned long long)(want)); \
	} while (0)

static uint32_t live_in(struct lab *lab, const char *handle)
{
	const struct handle *h = handle_find(lab, handle);

	return h ? h->live : 0;
}

static void done(struct replay *r, struct lab *lab, struct text *t)
{
	replay_close(r);
	lab_drop(lab);
	free(t->s);
	memset(t, 0, sizeof(*t));
}

static const struct replay_options usual;

/* ---- one rule each ---- */

static void what_is_freed_is_gone_and_what_is_not_has_a_handle(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	kmalloc(&t, 0, 1, 0x1000, 100, 128);
	kmalloc(&t, 0, 2, 0x2000, 100, 128);
	kfree(&t, 1, 3, 0x1000);
	page_alloc(&t, 1, 4, 77, 1, "GFP_KERNEL");
	r = run_in(lab, &t, &usual);
	is(r, "objects.allocs", 2);
	is(r, "objects.matched_frees", 1);
	is(r, "objects.remote_frees", 1);
	is(r, "objects.live", 1);
	is(r, "objects.peak", 2);
	is(r, "live.kmalloc-128", 1);
	is(r, "pages.live", 2);
	is(r, "ops.run", 4);
	assert_int_equal(live_in(lab, "replayed"), 1);
	assert_int_equal(live_in(lab, "replayed_pages"), 1);
	assert_int_equal(handle_members(lab, handle_find(lab, "replayed_pages"))->order, 1);
	done(r, lab, &t);
}

static void a_cache_is_named_by_the_frees_of_its_objects(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=1");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	cache_alloc(&t, 0, 1, 0x1000, "new_foo", 96);	/* before the name is known */
	cache_alloc(&t, 0, 2, 0x2000, "new_foo", 96);
	cache_alloc(&t, 0, 3, 0x3000, "new_bar", 96);	/* never freed */
	cache_free(&t, 0, 4, 0x2000, "foo (x)");
	cache_free(&t, 0, 5, 0x9000, "older");
	kfree(&t, 0, 6, 0x9100);
	kfree(&t, 0, 7, 0);
	r = run_in(lab, &t, &usual);
	is(r, "named_keys", 1);
	is(r, "live.foo (x)", 1);
	is(r, "live.unnamed-96", 1);
	is(r, "unmatched.older", 1);
	is(r, "unmatched.(kfree)", 1);
	is(r, "null_frees", 1);
	assert_true(op_cache_find(lab, "foo_(x)"));
	assert_true(op_cache_find(lab, "unnamed-96"));
	assert_false(op_cache_find(lab, "older"));
	done(r, lab, &t);
}

static void the_same_record_twice_counts_once(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	kmalloc(&t, 0, 10, 0x1000, 8, 8);
	kmalloc(&t, 0, 12, 0x1000, 8, 8);	/* two microseconds: the same */
	kfree(&t, 0, 20, 0x1000);
	kfree(&t, 0, 23, 0x1000);		/* three: another */
	kmalloc(&t, 0, 30, 0x2000, 8, 8);
	kfree(&t, 1, 30, 0x5000);
	kmalloc(&t, 0, 30, 0x2000, 8, 8);	/* neighbours among this CPU's lines */
	kfree(&t, 1, 31, 0);
	kfree(&t, 1, 31, 0);			/* of nothing: never folded */
	r = run_in(lab, &t, &usual);
	is(r, "folded", 2);
	is(r, "objects.allocs", 2);
	is(r, "objects.matched_frees", 1);
	is(r, "objects.unmatched_frees", 2);
	is(r, "null_frees", 2);
	is(r, "objects.reused", 0);
	done(r, lab, &t);
}

static void an_address_given_out_again_was_freed_unseen(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	kmalloc(&t, 0, 10, 0x1000, 64, 64);
	cache_alloc(&t, 1, 20, 0x1000, "site", 32);
	page_alloc(&t, 0, 30, 5, 0, "GFP_KERNEL");
	page_alloc(&t, 1, 40, 5, 2, "GFP_KERNEL");
	page_free(&t, 1, 50, 5, 1);	/* another order than allocated */
	r = run_in(lab, &t, &usual);
	is(r, "objects.reused", 1);
	is(r, "live.kmalloc-64", 0);
	is(r, "live.unnamed-32", 1);
	is(r, "pages.order.0.reused", 1);
	is(r, "pages.order.2.matched", 1);
	is(r, "order_mismatch", 1);
	is(r, "pages.live", 0);
	is(r, "ops.objects", 3);
	is(r, "ops.pages", 4);
	done(r, lab, &t);
}

/* CPU 1 frees and CPU 0 allocates the same address in one microsecond, written the wrong way round. */
static void ties_text(struct text *t)
{
	kmalloc(t, 1, 10, 0x1000, 64, 64);
	kmalloc(t, 0, 20, 0x1000, 64, 64);
	kfree(t, 1, 20, 0x1000);
	page_alloc(t, 0, 30, 9, 0, "GFP_KERNEL");
	page_alloc(t, 1, 40, 9, 0, "GFP_KERNEL");
	page_free(t, 0, 40, 9, 0);
}

static void lines_of_one_time_are_put_into_a_possible_order(void **state)
{
	const struct replay_options file = { .ties_file = true };
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	ties_text(&t);
	r = run_in(lab, &t, &usual);
	is(r, "tie_moves", 2);
	is(r, "objects.reused", 0);
	is(r, "objects.live", 1);
	is(r, "pages.live", 1);
	done(r, lab, &t);

	lab = test_lab("mem=64M,cpus=2");
	ties_text(&t);
	r = run_in(lab, &t, &file);
	is(r, "tie_moves", 0);
	is(r, "objects.reused", 1);
	is(r, "objects.live", 0);
	is(r, "pages.reused", 1);
	is(r, "pages.live", 0);
	done(r, lab, &t);
}

static void a_tie_that_has_no_order_is_left_alone(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	/* two allocations more than frees: some free left no line */
	kmalloc(&t, 1, 10, 0x1000, 64, 64);
	kmalloc(&t, 0, 20, 0x1000, 64, 64);
	kmalloc(&t, 1, 20, 0x1000, 64, 64);
	kfree(&t, 1, 20, 0x1000);
	/* one CPU knows its own order */
	kmalloc(&t, 0, 30, 0x2000, 64, 64);
	kmalloc(&t, 0, 40, 0x2000, 32, 32);
	kfree(&t, 0, 40, 0x2000);
	kfree(&t, 1, 40, 0);
	r = run_in(lab, &t, &usual);
	is(r, "tie_moves", 1);	/* the second allocation and the free: 1 + 1 - 1 */
	is(r, "objects.reused", 2);
	is(r, "objects.live", 1);
	done(r, lab, &t);
}

static void a_clock_that_stands_still_is_no_tie(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	for (uint64_t i = 1; i <= 5000; i++) {
		kmalloc(&t, i & 1, 7, i * 16, 16, 16);
		if (i % 10 == 0)
			kfree(&t, !(i & 1), 7, i * 16);
	}
	kmalloc(&t, 0, 7, 5000 * 16, 15, 16);
	kmalloc(&t, 0, 7, 4999 * 16, 16, 16);	/* contradicts, and is not repaired */
	kfree(&t, 1, 7, 4999 * 16);
	r = run_in(lab, &t, &usual);
	is(r, "tie_moves", 0);
	is(r, "objects.reused", 1);
	is(r, "objects.live", 5000 - 500 + 1 - 1);
	done(r, lab, &t);
}

static void pages_of_the_slab_layer_are_no_ops(void **state)
{
	const struct replay_options all = { .pages = REPLAY_PAGES_ALL }, off = { .pages = REPLAY_PAGES_OFF };
	const struct replay_options *const options[] = { &usual, &all, &off };
	static const uint64_t objects[] = { 2, 0, 2 }, pages[] = { 2, 6, 0 };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct lab *lab = test_lab("mem=64M,cpus=2");
		struct text t = { 0 };
		struct replay *r;

		page_alloc(&t, 0, 1, 16, 3, "GFP_KERNEL|__GFP_NOWARN|__GFP_NORETRY");	/* a slab */
		page_alloc(&t, 0, 2, 32, 2, "GFP_KERNEL|__GFP_COMP");			/* of the kmalloc below */
		page_alloc(&t, 1, 2, 64, 2, "GFP_KERNEL|__GFP_COMP");			/* of nobody's: CPU 1 goes on otherwise */
		kmalloc(&t, 0, 3, 0x20000, 12000, 16384);
		kfree(&t, 1, 4, 0);
		page_free(&t, 0, 5, 16, 3);
		page_free(&t, 1, 6, 64, 2);
		kfree(&t, 0, 7, 0x20000);
		r = run_in(lab, &t, options[i]);
		is(r, "pages.order.3.slab_allocs", 1);
		is(r, "pages.order.3.slab_frees", 1);
		is(r, "pages.order.2.large_allocs", 1);
		is(r, "pages.order.2.allocs", 2);
		is(r, "live.kmalloc-large", 0);
		is(r, "ops.objects", objects[i]);
		is(r, "ops.pages", i == 1 ? 5 : pages[i]);
		done(r, lab, &t);
	}
}

static void a_page_of_a_list_is_freed_once(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	for (uint64_t pfn = 1; pfn <= 3; pfn++)
		page_alloc(&t, 0, pfn, pfn, 0, "GFP_KERNEL");
	page_free(&t, 0, 10, 1, 0);
	page_free(&t, 0, 11, 50, 0);	/* older than the trace */
	page_batched(&t, 0, 12, 1);
	page_batched(&t, 0, 13, 50);
	is(r = run_in(lab, &t, &usual), "batched_alone", 0);
	is(r, "pages.matched", 1);
	is(r, "pages.unmatched", 1);
	done(r, lab, &t);

	/* an older kernel: the batched line is all there is */
	lab = test_lab("mem=64M,cpus=2");
	page_alloc(&t, 0, 1, 1, 0, "GFP_KERNEL");
	page_batched(&t, 0, 5, 1);
	page_batched(&t, 0, 6, 2);
	page_alloc(&t, 0, 7, 1, 0, "GFP_KERNEL");
	is(r = run_in(lab, &t, &usual), "batched_alone", 2);
	is(r, "pages.matched", 1);
	is(r, "pages.unmatched", 1);
	is(r, "pages.live", 1);
	done(r, lab, &t);
}

static void failures_of_the_kernel_and_of_the_lab_are_told_apart(void **state)
{
	struct lab *lab = test_lab("mem=4M,cpus=1");
	struct text t = { 0 };
	struct replay *r;

	(void)state;
	kmalloc(&t, 0, 1, 0, 64, 64);				/* the kernel had none */
	page_alloc(&t, 0, 2, 0, 0, "GFP_KERNEL");
	page_alloc(&t, 0, 3, 1024, 9, "GFP_KERNEL");
	page_alloc(&t, 0, 4, 2048, 10, "GFP_KERNEL");		/* the lab has none */
	page_free(&t, 0, 5, 2048, 10);
	page_free(&t, 0, 6, 1024, 9);
	r = run_in(lab, &t, &usual);
	is(r, "failed_allocs", 2);
	is(r, "lab_failed", 1);
	is(r, "pages.matched", 2);
	is(r, "pages.live", 0);
	assert_int_equal(live_in(lab, "replayed_pages"), 0);
	done(r, lab, &t);
}

static void a_trace_says_which_lab_it_wants(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct text t = { 0 };
	struct replay *r;
	char shape[64], note[256];

	(void)state;
	add(&t, "# entries-in-buffer/entries-written: 2/2   #P:3\n");
	for (uint64_t i = 0; i < 300; i++)
		page_alloc(&t, 5, i, 1024 * (i + 1), 10, "GFP_KERNEL");		/* 1200 MiB */
	assert_int_equal(replay_open_memory(t.s, t.len, &usual, &r), 0);
	assert_string_equal(replay_shape(r, shape, sizeof(shape)), "mem=4G,cpus=6");
	assert_int_equal(replay_run(r, lab, note), -EINVAL);
	assert_non_null(strstr(fail_why(), "mem=4G,cpus=6"));
	assert_int_equal(lab->hdr->done_something, 0);
	done(r, lab, &t);
}

static void a_text_without_events_is_no_trace(void **state)
{
	static const char text[] = "root:x:0:0\nnothing here\n";
	struct replay *r;

	(void)state;
	assert_int_equal(replay_open_memory(text, strlen(text), &usual, &r), -EINVAL);
	assert_int_equal(replay_open_memory("", 0, &usual, &r), -EINVAL);
}

static bool give_up(void *arg, enum replay_phase phase, uint64_t done, uint64_t total)
{
	(void)done;
	(void)total;
	return phase == REPLAY_RUNNING && ++*(int *)arg == 2;
}

static void a_replay_that_is_stopped_leaves_handles_for_what_it_made(void **state)
{
	(void)state;
	for (int parallel = 0; parallel < 2; parallel++) {
		int ticks = 0;
		const struct replay_options o = { .parallel = parallel, .tick = give_up, .arg = &ticks };
		struct lab *lab = test_lab("mem=256M,cpus=2");
		struct text t = { 0 };
		struct replay *r;
		char note[256];

		for (uint64_t i = 1; i <= 150000; i++) {
			kmalloc(&t, 0, 3 * i, i * 16, 16, 16);
			if (i % 4 == 0)
				kfree(&t, 0, 3 * i + 1, (i - 1) * 16);
		}
		assert_int_equal(replay_open_memory(t.s, t.len, &o, &r), 0);
		assert_int_equal(replay_run(r, lab, note), -EINTR);
		is(r, "ops.run", 65536);
		/* of five steps four allocate and one frees */
		assert_in_range(live_in(lab, "replayed"), 65536 / 5 * 3 - 4, 65536 / 5 * 3 + 4);
		if (lab_check(lab))
			fail_msg("%s", fail_why());
		done(r, lab, &t);
	}
}

/* ---- random traces ---- */

#define ADDRESSES 400
#define EVENTS 40000

struct model {
	bool lives[ADDRESSES];
	uint64_t allocs, matched, unmatched, reused, live;
};

/* Times move on at every line, so that file order is the order. */
static void random_text(struct text *t, uint64_t *rand, struct model *m, unsigned int cpus)
{
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint64_t a = rand_below(rand, ADDRESSES), ptr = 0x10000 + a * 64;
		unsigned int cpu = (unsigned int)rand_below(rand, cpus);

		if (rand_below(rand, 2)) {
			kmalloc(t, cpu, i * 3, ptr, 40 + (unsigned int)(a % 3) * 60,
				a % 3 == 2 ? 192 : 64 << (a % 3));
			m->allocs++;
			m->reused += m->lives[a];
			m->live += !m->lives[a];
			m->lives[a] = true;
		} else {
			kfree(t, cpu, i * 3, ptr);
			m->matched += m->lives[a];
			m->unmatched += !m->lives[a];
			m->live -= m->lives[a];
			m->lives[a] = false;
		}
	}
}

static void random_traces_count_as_a_plain_count_does(void **state)
{
	const struct replay_options parallel = { .parallel = true };

	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		uint64_t rand = seed;
		struct lab *lab = test_lab("mem=64M,cpus=4");
		struct model m = { 0 };
		struct text t = { 0 };
		struct replay *r;

		random_text(&t, &rand, &m, 4);
		r = run_in(lab, &t, seed & 1 ? &usual : &parallel);
		is(r, "objects.allocs", m.allocs);
		is(r, "objects.matched_frees", m.matched);
		is(r, "objects.unmatched_frees", m.unmatched);
		is(r, "objects.reused", m.reused);
		is(r, "objects.live", m.live);
		is(r, "ops.run", m.allocs + m.matched + m.reused);
		is(r, "lab_failed", 0);
		is(r, "class_differs", 0);
		assert_int_equal(live_in(lab, "replayed"), m.live);
		done(r, lab, &t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_freed_is_gone_and_what_is_not_has_a_handle),
		cmocka_unit_test(a_cache_is_named_by_the_frees_of_its_objects),
		cmocka_unit_test(the_same_record_twice_counts_once),
		cmocka_unit_test(an_address_given_out_again_was_freed_unseen),
		cmocka_unit_test(lines_of_one_time_are_put_into_a_possible_order),
		cmocka_unit_test(a_tie_that_has_no_order_is_left_alone),
		cmocka_unit_test(a_clock_that_stands_still_is_no_tie),
		cmocka_unit_test(pages_of_the_slab_layer_are_no_ops),
		cmocka_unit_test(a_page_of_a_list_is_freed_once),
		cmocka_unit_test(failures_of_the_kernel_and_of_the_lab_are_told_apart),
		cmocka_unit_test(a_trace_says_which_lab_it_wants),
		cmocka_unit_test(a_text_without_events_is_no_trace),
		cmocka_unit_test(a_replay_that_is_stopped_leaves_handles_for_what_it_made),
		cmocka_unit_test(random_traces_count_as_a_plain_count_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
