/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "work/replay_priv.h"

#define MEM_LEAST (1ULL << 30)
#define MEM_PIPE (64ULL << 30)
#define MEM_MOST (1ULL << 44)
#define REUSE_AFTER 65536u	/* freed slots that lie before one is used again by another thread */

/* ---- readings ---- */

static bool replay_tick(const struct replay *r, enum replay_phase phase)
{
	uint64_t done, total;

	if (!r->options.tick)
		return false;
	trace_progress(r->reader, &done, &total);
	return r->options.tick(r->options.arg, phase, done, total);
}

/* From the window's head to the end of the trace. */
static int replay_read(struct replay *r, enum replay_phase phase)
{
	uint64_t next_tick = REPLAY_TICK;

	for (;;) {
		bool one_cpu;
		uint32_t nr;
		int ret = window_group(&r->window, &nr, &one_cpu);

		if (!ret && nr)
			ret = ties_run(&r->window, &r->book, nr, one_cpu || r->options.ties_file);
		if (ret || !nr)
			return ret;
		if (unlikely(r->window.head >= next_tick)) {
			next_tick = r->window.head + REPLAY_TICK;
			if (replay_tick(r, phase))
				return fail(EINTR, "stopped at line %llu",
					    (unsigned long long)trace_stats(r->reader)->lines);
		}
	}
}

/* The text's own figures; CPUs that the lab must have. */
static void replay_take_stats(struct replay *r)
{
	r->text = *trace_stats(r->reader);
	r->events = r->text.understood;
	r->cpus = r->events ? r->text.max_cpu + 1 : 0;
	if (r->text.header_cpus > r->cpus)
		r->cpus = r->text.header_cpus;
}

/* All of it, into a program. */
static int replay_first_reading(struct replay *r)
{
	uint64_t start = replay_clock_ns();
	int ret = program_init(&r->program, r->options.parallel ? MAX_CPUS : 1);

	if (ret)
		return ret;
	r->book.program = &r->program;
	r->book.by_cpu = r->options.parallel;
	r->book.reuse_after = r->options.parallel ? REUSE_AFTER : 0;
	ret = replay_read(r, REPLAY_READING);
	if (ret)
		return ret;
	replay_take_stats(r);
	r->read_through = true;
	r->run.read_ns = replay_clock_ns() - start;
	if (r->options.parallel && r->program.lost)
		return fail(ENOSPC, "mode=parallel keeps the steps in a temporary file, which became too large "
			    "or found no room; set TMPDIR, or use mode=stepped");
	return 0;
}

/* Of a pipe only as much as tells which CPUs there are. */
static int replay_look_ahead(struct replay *r)
{
	struct window *w = &r->window;
	int ret = 0;

	do {
		ret = window_read(w);
	} while (ret > 0 && w->tail < TIE_MAX && !trace_stats(r->reader)->header_cpus);
	if (ret >= 0)
		replay_take_stats(r);
	return ret < 0 ? ret : 0;
}

static int replay_begin(struct replay *r)
{
	int ret = book_init(&r->book);

	if (!ret)
		ret = window_init(&r->window);
	if (!ret && r->options.kernel)
		ret = trace_set_kernel(r->reader, r->options.kernel);
	if (ret)
		return ret;
	r->book.mode = r->options.pages;
	r->window.reader = r->reader;
	r->window.sites = &r->book.sites;
	r->window.counts = &r->book.counts;
	r->window.objects = &r->book.objects;
	r->window.pages = &r->book.pages;
	r->pipe = !trace_can_rewind(r->reader) && !r->options.parallel;
	ret = r->pipe ? replay_look_ahead(r) : replay_first_reading(r);
	if (!ret && !r->events)
		ret = fail(EINVAL, "%llu lines, and none of them is a kmem event", (unsigned long long)r->text.lines);
	return ret;
}

static struct replay *replay_make(const struct replay_options *options)
{
	struct replay *r = calloc(1, sizeof(*r));

	if (!r) {
		fail(ENOMEM, "no memory for a replay");
		return NULL;
	}
	r->options = *options;
	r->program.fd = -1;
	return r;
}

static int replay_opened(struct replay *r, int ret, const char *path, struct replay **replay)
{
	if (!ret) {
		ret = replay_begin(r);
		if (ret)
			fail_in(ret, "%s: ", path);
	}
	if (ret) {
		replay_close(r);
		return ret;
	}
	*replay = r;
	return 0;
}

int replay_open(const char *path, const struct replay_options *options, struct replay **replay)
{
	struct replay *r = replay_make(options);

	return r ? replay_opened(r, trace_open(path, &r->reader), path, replay) : -ENOMEM;
}

int replay_open_memory(const void *data, size_t len, const struct replay_options *options,
		       struct replay **replay)
{
	struct replay *r = replay_make(options);

	return r ? replay_opened(r, trace_open_memory(data, len, &r->reader), "trace", replay) : -ENOMEM;
}

/* What was needed to run; figures stay. */
static void replay_let_go(struct replay *r)
{
	if (r->reader)
		trace_close(r->reader);
	r->reader = NULL;
	window_fini(&r->window);
	program_fini(&r->program);
	runner_fini(&r->runner);
	book_fini(&r->book);
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	replay_let_go(r);
	sites_fini(&r->book.sites);
	free(r);
}

/* ---- the lab ---- */

char *replay_shape(const struct replay *r, char *buf, size_t size)
{
	uint64_t mem = MEM_PIPE;

	if (r->read_through)
		for (mem = MEM_LEAST; mem < 2 * r->book.counts.peak_bytes && mem < MEM_MOST; mem *= 2)
			;
	snprintf(buf, size, "mem=%lluG,cpus=%u", (unsigned long long)(mem >> 30), r->cpus);
	return buf;
}

int replay_fits(const struct replay *r, const struct lab *lab)
{
	char shape[64];

	if (r->cpus <= lab->nr_cpus)
		return 0;
	return fail(EINVAL, "the trace is of %u CPUs, lab %s has %u; ask for a lab with %s", r->cpus,
		    lab->name, lab->nr_cpus, replay_shape(r, shape, sizeof(shape)));
}

/* ---- runs ---- */

/* Run while reading: a pipe, or a second time through a trace whose program was lost. */
static int replay_stream(struct replay *r)
{
	int ret;

	if (!r->pipe) {
		ret = trace_rewind(r->reader);
		if (ret)
			return ret;
		window_clear(&r->window);
		book_clear(&r->book);
	}
	r->book.program = NULL;
	r->book.runner = &r->runner;
	ret = replay_read(r, REPLAY_STREAMING);
	r->book.runner = NULL;
	replay_take_stats(r);
	r->read_through = !ret;
	return ret;
}

static int replay_run_held(struct replay *r)
{
	bool stream = r->pipe || r->program.lost;
	int ret = 0;

	r->runner.streaming = r->pipe;
	if (!r->pipe)
		ret = caches_make(&r->book.sites, r->runner.lab);
	if (ret)
		return ret;
	if (stream)
		ret = replay_stream(r);
	else
		ret = runner_program(&r->runner, &r->program, &r->options,
				     r->book.counts.object_ops + r->book.counts.page_ops);
	return ret;
}

static int replay_run_parallel(struct replay *r)
{
	int ret = caches_make(&r->book.sites, r->runner.lab);

	if (ret)
		return ret;
	return runner_parallel(&r->runner, &r->program, r->cpus, &r->options,
			       r->book.counts.object_ops + r->book.counts.page_ops);
}

/* Whatever came of the run: names found late, and handles. Keeps the sentence of an earlier error. */
static int replay_leave(struct replay *r, int error, char note[256])
{
	bool by_program = !r->pipe && !r->program.lost;
	char why[256];
	int ret = 0;

	snprintf(why, sizeof(why), "%s", error ? fail_why() : "");
	if (r->pipe)
		ret = caches_rename(&r->book.sites, r->runner.lab);
	if (!ret)
		ret = runner_handles(&r->runner, &r->book, error && by_program ? &r->program : NULL, note);
	return error ? fail(-error, "%s", why) : ret;
}

int replay_run(struct replay *r, struct lab *lab, char note[256])
{
	uint64_t start = replay_clock_ns();
	int ret = replay_fits(r, lab);

	note[0] = 0;
	if (!ret)
		ret = runner_init(&r->runner, lab, &r->book.sites, r->book.counts.slots, &r->run);
	if (ret)
		return ret;
	if (r->options.parallel)
		ret = replay_run_parallel(r);
	lab_hold(lab);
	if (!r->options.parallel)
		ret = replay_run_held(r);
	r->run.run_ns = replay_clock_ns() - start;
	ret = replay_leave(r, ret, note);
	lab_release(lab);
	replay_let_go(r);
	return ret;
}
