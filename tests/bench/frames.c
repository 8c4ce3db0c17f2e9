/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames - what the full-screen view costs whoever it looks at.
 *
 * A parallel pagefault run goes on for the whole time; in turns of 0.3 s it is
 * looked at ten times a second (models and painting of every pane, at 250x70, where they all have room)
 * or left alone, and the speeds of neighbouring turns are compared. The lab
 * notes the longest stop that its threads saw.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "op/op.h"
#include "shell/jobs.h"
#include "shell/shell.h"
#include "tui/tui.h"

#define PAIRS 21
#define TURN_NS 300000000u
#define FRAME_NS 100000000u
#define COLUMNS 250
#define LINES 70
#define MOST 64
#define FRAMES_MOST 256

struct look {
	struct shell sh;
	struct tui tui;
	struct lab *lab;
	double stop_us[FRAMES_MOST], frame_ms[FRAMES_MOST], cpu_ms[FRAMES_MOST];	/* of the frames beside the run */
	unsigned int frames;
};

static int look_begin(struct look *l, const char *text)
{
	struct shape shape;

	l->frames = 0;
	shape_default(&shape);
	if (shape_parse(&shape, text) || lab_new(&shape, NULL, "bench", &l->lab, NULL))
		return fprintf(stderr, "bench: %s\n", fail_why()), -1;
	shell_init(&l->sh);
	l->sh.mute = true;
	labs_adopt(&l->sh.labs, l->lab);
	tui_init(&l->tui, &l->sh);
	grid_size(&l->tui.grid, COLUMNS, LINES);
	return 0;
}

static void look_end(struct look *l)
{
	tui_fini(&l->tui);
	shell_fini(&l->sh);
	lab_drop(l->lab);
}

/* Models and picture of all panes that the window shows. Returns ns. */
static double frame(struct look *l)
{
	uint64_t from = now_ns();

	l->lab->longest_stop_ns = 0;
	tui_look(&l->tui);
	tui_take(&l->tui);
	tui_draw(&l->tui);
	return (double)(now_ns() - from);
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void frame_noted(struct look *l)
{
	double cpu = cpu_ms(), ns = frame(l);

	if (l->frames == FRAMES_MOST)
		return;
	l->cpu_ms[l->frames] = cpu_ms() - cpu;
	l->frame_ms[l->frames] = ns / 1e6;
	l->stop_us[l->frames++] = (double)l->lab->longest_stop_ns / 1e3;
}

static double most(const double *v, unsigned int n)
{
	double m = 0;

	for (unsigned int i = 0; i < n; i++)
		m = v[i] > m ? v[i] : m;
	return m;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	nanosleep(&t, NULL);
}

/* Ops a second over one turn. */
static double turn(struct look *l, struct job *job, bool looked_at)
{
	uint64_t from = now_ns(), next = from;
	struct run_figures a, b;

	job_figures(job, &a);
	while (now_ns() - from < TURN_NS) {
		if (looked_at)
			frame_noted(l);
		next += FRAME_NS;
		if (next > now_ns())
			sleep_ns(next - now_ns());
	}
	job_figures(job, &b);
	return (double)(b.ops - a.ops) * 1e9 / (double)(now_ns() - from);
}

/* As a user does. NULL: it failed. */
static struct job *start_pagefault(struct look *l)
{
	char *words[] = { (char *)"run", (char *)"pagefault", (char *)"mode=parallel", (char *)"keep=off", (char *)"&", NULL };

	if (shell_run_words(&l->sh, words, 5))
		fprintf(stderr, "bench: %s\n", l->sh.first_error);
	return job_of(&l->sh, l->lab);
}

/* "pagefault beside 10 frames a second": slower by how much, stopped for how long. */
static int slowed(void)
{
	char shape[64];
	struct look l;
	double slower[PAIRS], most_stop, most_frame;
	struct job *job;

	snprintf(shape, sizeof(shape), "mem=64G,cpus=%ld", sysconf(_SC_NPROCESSORS_ONLN) < MOST ?
		 sysconf(_SC_NPROCESSORS_ONLN) : MOST);
	if (look_begin(&l, shape))
		return -1;
	job = start_pagefault(&l);
	if (!job)
		return -1;
	sleep_ns(TURN_NS);
	frame(&l);			/* what grows at first has grown */
	for (unsigned int i = 0; i < PAIRS; i++) {	/* either first in turn */
		double with = i & 1 ? turn(&l, job, true) : 0;
		double without = turn(&l, job, false);

		with = i & 1 ? with : turn(&l, job, true);
		slower[i] = 100 * (1 - with / without);
	}
	job_end(&l.sh, labs_of(&l.sh.labs, l.lab), NULL);
	most_stop = most(l.stop_us, l.frames);
	most_frame = most(l.frame_ms, l.frames);
	printf("\nThe full-screen view, %dx%d, 10 frames a second beside a parallel pagefault run (median of %d pairs of turns)\n"
	       "  slower by              %6.2f %%   (below 3 wanted)\n"
	       "  stopped at once for    %6.0f us, %.0f at most   (at most 300 wanted)\n"
	       "  a frame takes          %6.2f ms, %.2f at most; %.2f ms of a host CPU\n", COLUMNS, LINES, PAIRS, median(slower, PAIRS),
	       median(l.stop_us, l.frames), most_stop, median(l.frame_ms, l.frames), most_frame,
	       median(l.cpu_ms, l.frames));
	look_end(&l);
	return 0;
}

/* A 64 GiB lab that stands still, half of it in use. */
static int large(void)
{
	struct look l;
	double ns[31], cpu[31];
	struct job *job;

	if (look_begin(&l, "mem=64G,cpus=64"))
		return -1;
	job = start_pagefault(&l);
	if (!job)
		return -1;
	sleep_ns(TURN_NS);
	job_pause(job);
	for (unsigned int i = 0; i < 31; i++) {
		double from = cpu_ms();

		ns[i] = frame(&l);
		cpu[i] = cpu_ms() - from;
	}
	printf("  a lab of 64 GiB and 64 CPUs, held: a frame takes %.2f ms, %.2f of a host CPU  (below 10 wanted)\n",
	       median(ns, 31) / 1e6, median(cpu, 31));
	job_end(&l.sh, labs_of(&l.sh.labs, l.lab), NULL);
	look_end(&l);
	return 0;
}

int frame_works(void)
{
	return slowed() || large();
}
