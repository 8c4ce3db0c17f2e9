/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run - workloads: that they repeat themselves, do what they were asked, can be
 * held and stepped, end cleanly, and get along with whoever looks and switches
 * policies meanwhile. The last is a soak: SLABLAB_SOAK_S seconds (default 1).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "op/tracing.h"
#include "view/figure.h"
#include "view/live_events.h"
#include "view/tracing.h"
#include "view/view.h"
#include "work/run.h"
#include "test_lab.h"

static uint64_t ops(uint64_t n)
{
	const char *every = getenv("SLABLAB_TEST_EVERY");

	return n / (every && atoi(every) > 0 ? (uint64_t)atoi(every) : 1);
}

static struct run_options options(const char *workload, enum run_mode mode, uint64_t n)
{
	struct run_options o = { .mode = mode, .ops = n, .seed = 42, .cpu = -1 };

	for (unsigned int i = 0; i < workload_nr; i++)
		if (!strcmp(workload_table[i]->name, workload))
			o.workload = workload_table[i];
	for (unsigned int k = 0; k < workload_keys(o.workload); k++)
		o.key[k] = o.workload->keys[k].def;
	return o;
}

static void set_key(struct run_options *o, const char *name, uint64_t value)
{
	const struct work_key *key = workload_key(o->workload, name, strlen(name));

	assert_non_null(key);
	o->key[key - o->workload->keys] = value;
}

static struct run *made(struct lab *lab, const struct run_options *o)
{
	struct run *run = NULL;

	if (run_make(lab, o, &run))
		fail_msg("%s: %s", o->workload->name, fail_why());
	return run;
}

/* Sums made at once are those made one by one. */
static void sums_agree(struct lab *lab)
{
	static struct live_events all;

	all.lab = NULL;
	live_events(lab, 1, &all);
	for (unsigned int e = 0; e < EV_NR; e++)
		if (all.rate[e].total != live_event(lab, -1, (enum event_id)e, -1))
			fail_msg("two sums of %s", event_table[e].name);
}

/* W1, W2, and every invariant of the lab. */
static void sound(struct lab *lab, struct run *run)
{
	struct run_figures f;

	run_figures(run, &f);
	if (run_error(run))
		fail_msg("%s: %s", run_workload(run)->name, fail_why());
	assert_int_equal(f.ops, f.allocs + f.frees + f.failed);
	sums_agree(lab);
	if (lab_check(lab))
		fail_msg("%s: %s", run_workload(run)->name, fail_why());
}

static uint64_t figure(struct lab *lab, const char *path)
{
	struct figure_value v;

	if (figure_read(lab, path, &v))
		fail_msg("%s: %s", path, fail_why());
	return (uint64_t)v.i;
}

static int add_objects(const char *path, const struct figure_value *v, void *arg)
{
	(void)path;
	*(int64_t *)arg += v->i;
	return 0;
}

/* After what a run left is freed nothing is out. */
static void leaves_nothing(struct lab *lab, struct run *run)
{
	uint64_t managed = figure(lab, "zone.N0.Normal.managed");
	int64_t objects = 0;
	struct op drain = { .kind = OP_DRAIN };
	struct op_result r;

	assert_int_equal(run_free_rest(run), 0);
	assert_int_equal(figure_glob(lab, "cache.*.objects", add_objects, &objects), 0);
	assert_int_equal(objects, 0);
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		drain.cpu = (uint16_t)i;
		op_run(lab, &drain, &r);
	}
	op_trim(lab);
	assert_int_equal(figure(lab, "zone.N0.Normal.free_pages"), managed);
	assert_int_equal(lab_check(lab), 0);
}

/* ---- stepped ---- */

static void stepped_runs_repeat_themselves(void **state)
{
	(void)state;
	for (unsigned int w = 0; w < workload_nr; w++) {
		struct run_options o = options(workload_table[w]->name, RUN_STEPPED, ops(50000));
		uint64_t hash[3];

		for (unsigned int i = 0; i < 3; i++) {
			struct lab *lab = test_lab("mem=64M,cpus=4");
			struct run *run;

			o.seed = i < 2 ? 7 : 8;
			run = made(lab, &o);
			run_main(run);
			sound(lab, run);
			hash[i] = lab_hash(lab);
			leaves_nothing(lab, run);
			run_free(run);
			lab_drop(lab);
		}
		if (hash[0] != hash[1])
			fail_msg("%s does not repeat itself", workload_table[w]->name);
		if (hash[0] == hash[2])
			fail_msg("%s does not mind its seed", workload_table[w]->name);
	}
}

static void a_run_ends_where_it_was_told_to(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct run_options o = options("churn", RUN_STEPPED, 1234);
	struct run_figures f;
	struct run *run = made(lab, &o);

	(void)state;
	run_main(run);
	run_figures(run, &f);
	assert_int_equal(f.ops, 1234);
	assert_int_equal(f.state, RUN_OVER);
	run_free_rest(run);
	run_free(run);
	o.ops = 0;
	o.time_ns = 5000000;	/* of lab time: a microsecond an op */
	run = made(lab, &o);
	run_main(run);
	run_figures(run, &f);
	assert_int_equal(f.ops, 5000);
	run_free_rest(run);
	run_free(run);
	lab_drop(lab);
}

static void on_one_cpu_alone(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=4");
	struct run_options o = options("churn", RUN_STEPPED, 5000);
	struct run *run;

	(void)state;
	o.cpu = 2;
	run = made(lab, &o);
	run_main(run);
	assert_true(figure(lab, "event.alloc_fastpath.cpu2") > 0);
	assert_int_equal(figure(lab, "event.alloc_fastpath.cpu0"), 0);
	run_free_rest(run);
	run_free(run);
	o = options("pingpong", RUN_STEPPED, 10);
	o.cpu = 2;
	assert_int_not_equal(run_make(lab, &o, &run), 0);	/* nobody to play with */
	lab_drop(lab);
}

static void a_lab_without_memory_is_an_outcome(void **state)
{
	struct lab *lab = test_lab("mem=4M,cpus=2");
	struct run_options o = options("pagefault", RUN_STEPPED, ops(100000));
	struct run_figures f;
	struct run *run;

	(void)state;
	set_key(&o, "pages", 1000);
	run = made(lab, &o);
	run_main(run);
	run_figures(run, &f);
	sound(lab, run);
	assert_true(f.failed > 0);
	assert_string_not_equal(run_failed_why(run), "");
	leaves_nothing(lab, run);
	run_free(run);
	o = options("churn", RUN_PARALLEL, ops(100000));
	set_key(&o, "max", 8192);
	set_key(&o, "life", 100000);
	set_key(&o, "pages", 50);
	run = made(lab, &o);
	run_main(run);
	sound(lab, run);
	leaves_nothing(lab, run);
	run_free(run);
	lab_drop(lab);
}

/* ---- parallel ---- */

static void parallel_runs_do_every_op(void **state)
{
	(void)state;
	for (unsigned int w = 0; w < workload_nr; w++) {
		struct lab *lab = test_lab("mem=64M,cpus=4");
		struct run_options o = options(workload_table[w]->name, RUN_PARALLEL, ops(400000));
		struct run *run = made(lab, &o);
		char moved[HANDLE_NAME];
		struct run_figures f;
		struct handle *h;

		run_main(run);
		sound(lab, run);
		run_figures(run, &f);
		assert_int_equal(f.ops, o.ops);
		h = run_name_rest(run, NULL, moved);
		assert_true(h ? h->live == f.live : f.live == 0);
		assert_int_equal(lab_check(lab), 0);
		if (h)
			handle_drop(lab, h);
		leaves_nothing(lab, run);
		run_free(run);
		lab_drop(lab);
	}
}

/* ---- held ---- */

static void a_run_can_be_held_and_stepped(void **state)
{
	(void)state;
	for (unsigned int mode = 0; mode < 2; mode++) {
		struct lab *lab = test_lab("mem=64M,cpus=4");
		struct run_options o = options("pingpong", (enum run_mode)mode, 0);
		struct run *run = made(lab, &o);
		struct run_figures a, b;

		assert_int_equal(run_start(run), 0);
		for (unsigned int round = 0; round < 50; round++) {
			run_pause(run);
			run_figures(run, &a);
			assert_int_equal(a.state, RUN_HELD);
			assert_int_equal(a.ops, a.allocs + a.frees + a.failed);
			assert_int_equal(lab_check(lab), 0);
			assert_int_equal(run_step(run, 7), 7);
			run_figures(run, &b);
			assert_int_equal(b.ops, a.ops + 7);
			assert_int_equal(b.ns, a.ns);	/* its clock stands */
			run_resume(run);
		}
		run_pause(run);
		run_end(run);		/* also from there */
		run_figures(run, &b);
		assert_int_equal(b.state, RUN_OVER);
		sound(lab, run);
		leaves_nothing(lab, run);
		run_free(run);
		lab_drop(lab);
	}
}

/* reclaim.oom=stop: a run that somebody can look at is held where memory ran out, any other one ends there. */
static void memory_that_runs_out_stops_a_run(void **state)
{
	(void)state;
	for (unsigned int hold = 0; hold < 2; hold++)
		for (unsigned int mode = 0; mode < 2; mode++) {
			struct lab *lab = test_lab("mem=16M,cpus=2");
			struct run_options o = options("pagefault", (enum run_mode)mode, 1000000);
			struct run_figures f;
			struct run *run;

			set_key(&o, "pages", 8000);
			o.hold_when_out = hold;
			assert_int_equal(op_set(lab, "reclaim.oom", "stop"), 0);
			run = made(lab, &o);
			assert_int_equal(run_start(run), 0);
			while (hold ? (run_figures(run, &f), f.state != RUN_HELD) : !run_wait(run, 10))
				usleep(1000);
			run_pause(run);		/* all of it, where it runs in parallel */
			run_figures(run, &f);
			assert_true(f.failed >= 1 && f.failed <= 2);
			if (hold) {
				assert_true(run_step(run, 3) <= 3);
				run_end(run);
				sound(lab, run);
			} else {
				assert_int_equal(run_error(run), -ENOMEM);
				assert_non_null(strstr(fail_why(), "reclaim.oom=stop"));
				assert_int_equal(lab_check(lab), 0);
			}
			assert_int_equal(run_free_rest(run), 0);
			run_free(run);
			lab_drop(lab);
		}
}

static void a_run_waits_for_nobody_at_its_end(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=3");
	struct run_options o = options("pingpong", RUN_PARALLEL, 0);
	struct run *run;

	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		o.ops = 1000 + i;
		set_key(&o, "depth", 1 + i % 3);
		run = made(lab, &o);
		assert_int_equal(run_start(run), 0);
		while (!run_wait(run, 100))
			;
		sound(lab, run);
		run_free_rest(run);
		run_free(run);
	}
	lab_drop(lab);
}

/* ---- with company ---- */

static void toggle(struct lab *lab, uint64_t *rand)
{
	static const char *const sets[][2] = {
		{ "slub.partial_add", "head" }, { "slub.partial_add", "tail" }, { "slub.partial_add", "deactivate" },
		{ "slub.max_order", "0" }, { "slub.max_order", "3" }, { "slab.merge", "off" }, { "slab.merge", "on" },
		{ "pcp.enabled", "off" }, { "pcp.enabled", "on" }, { "pcp.batch", "3" }, { "pcp.batch", "31" },
		{ "event.counters", "off" }, { "event.counters", "on" }, { "buddy.fallback", "on" },
	};
	const char *const *set = sets[rand_below(rand, ARRAY_SIZE(sets))];

	op_set(lab, set[0], set[1]);	/* whether a name is known is other tests' */
}

static int ignore(const char *path, const struct figure_value *v, void *arg)
{
	(void)path, (void)v, (void)arg;
	return 0;
}

static int ignore_line(const struct traced_line *line, void *arg)
{
	(void)line, (void)arg;
	return 0;
}

static void look(struct lab *lab, uint64_t *rand)
{
	static const char *const names[] = { "caches", "stores", "buddyinfo", "pcp", "frag", "slabinfo", "zoneinfo", "why" };
	const struct traced_choice some = { .cpu = -1, .last = 50 };

	json_decref(view_model(lab, names[rand_below(rand, ARRAY_SIZE(names))], NULL));
	figure_glob(lab, rand_next(rand) & 1 ? "event.*" : "zone.*", ignore, NULL);
	traced_lines(lab, &some, ignore_line, NULL);
}

static void meddle(struct lab *lab, struct run *run, uint64_t *rand)
{
	struct run_figures f;

	run_figures(run, &f);
	switch (rand_below(rand, 8)) {
	case 0:
		run_pause(run);
		assert_int_equal(lab_check(lab), 0);
		run_step(run, 5);
		run_resume(run);
		break;
	case 1:
		op_trace_on(lab, NULL, 0, 1024);
		break;
	case 2:
		op_trace_off(lab);
		break;
	case 3:
	case 4:
		toggle(lab, rand);
		break;
	default:
		look(lab, rand);
	}
}

static void soak(const char *workload, enum run_mode mode, uint64_t ns)
{
	struct lab *lab = test_lab("mem=64M,cpus=4,nodes=1");
	struct run_options o = options(workload, mode, 0);
	struct run *run = made(lab, &o);
	uint64_t until = host_ns() + ns, rand = 5 + mode;

	assert_int_equal(run_start(run), 0);
	while (host_ns() < until)
		meddle(lab, run, &rand);
	run_end(run);
	op_set(lab, "event.counters", "on");
	sound(lab, run);
	assert_int_equal(run_free_rest(run), 0);
	assert_int_equal(lab_check(lab), 0);
	run_free(run);
	lab_drop(lab);
}

static void views_and_policies_beside_a_run(void **state)
{
	const char *seconds = getenv("SLABLAB_SOAK_S");
	uint64_t ns = (uint64_t)((seconds ? atof(seconds) : 1) * 1e9);

	(void)state;
	for (unsigned int w = 0; w < workload_nr; w++) {
		soak(workload_table[w]->name, RUN_PARALLEL, ns / workload_nr);
		soak(workload_table[w]->name, RUN_STEPPED, ns / workload_nr / 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stepped_runs_repeat_themselves),
		cmocka_unit_test(a_run_ends_where_it_was_told_to),
		cmocka_unit_test(on_one_cpu_alone),
		cmocka_unit_test(a_lab_without_memory_is_an_outcome),
		cmocka_unit_test(parallel_runs_do_every_op),
		cmocka_unit_test(a_run_can_be_held_and_stepped),
		cmocka_unit_test(memory_that_runs_out_stops_a_run),
		cmocka_unit_test(a_run_waits_for_nobody_at_its_end),
		cmocka_unit_test(views_and_policies_beside_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
