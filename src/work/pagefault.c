/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pagefault - processes that touch their memory page by page, and exit.
 *
 * On each CPU live procs= processes. Each takes order-0 pages one by one, as
 * page faults do (GFP_HIGHUSER_MOVABLE), until it has as many as it was born to
 * use (pages= on average, between half and one and a half), then gives them
 * all back, first to last, and another takes its place. Which process is next
 * is drawn at each fault; an exit is not interrupted. A process that gets no
 * page exits at once.
 */
#include <errno.h>

#include "work/workload.h"

struct process {
	uint32_t has, wants;
	uint32_t freed;		/* of an exit under way */
};

struct pagefault {
	struct process *proc;
	uint32_t procs, most;	/* of them, and slots of one */
	uint32_t now;		/* the process of the op under way */
	bool exits;		/* and it is giving back */
};

/* Slots of a process lie together. */
static uint64_t most(const struct run *run)
{
	return run_key(run, "pages") * 3 / 2 + 1;
}

static void be_born(struct work_cpu *w, struct process *p)
{
	uint64_t pages = run_key(w->run, "pages");

	*p = (struct process){ .wants = (uint32_t)(pages - pages / 2 + rand_below(&w->rand, pages + 1)) };
}

static int pagefault_prepare_cpu(struct run *run, struct work_cpu *w)
{
	uint64_t procs = run_key(run, "procs");
	struct pagefault *f = run_alloc(run, sizeof(*f));

	if (!f)
		return -ENOMEM;
	w->own = f;
	f->procs = (uint32_t)procs;
	f->most = (uint32_t)most(run);
	f->proc = run_alloc(run, procs * sizeof(*f->proc));
	if (!f->proc || run_slots(run, w, procs * most(run)))
		return -ENOMEM;
	for (uint64_t i = 0; i < procs; i++)
		be_born(w, &f->proc[i]);
	return 0;
}

static bool pagefault_next(struct work_cpu *w, struct op *op)
{
	struct pagefault *f = w->own;
	struct process *p;

	if (!f->exits)
		f->now = (uint32_t)rand_below(&w->rand, f->procs);
	p = &f->proc[f->now];
	f->exits = p->has == p->wants;
	if (f->exits) {
		op->kind = OP_FREE_PAGES;
		w->at = f->now * f->most + p->freed;
	} else {
		op->kind = OP_ALLOC_PAGES;
		op->gfp = GFP_HIGHUSER_MOVABLE;
		w->at = f->now * f->most + p->has;
	}
	return true;
}

static void pagefault_done(struct work_cpu *w, const struct op *op, bool failed)
{
	struct pagefault *f = w->own;
	struct process *p = &f->proc[f->now];

	if (op->kind == OP_ALLOC_PAGES && !failed) {
		p->has++;
		return;
	}
	if (failed)
		p->wants = p->has;	/* nothing to be had: it exits with what it has */
	else
		p->freed++;
	if (p->freed == p->has) {
		be_born(w, p);
		f->exits = false;
	}
}

const struct workload workload_pagefault = {
	.name = "pagefault",
	.summary = "processes that touch order-0 pages one by one, exit and give them back",
	.keys = {
		{ "procs", 4, 1, 1024, "processes on each CPU" },
		{ "pages", 256, 1, 1 << 18, "pages that a process uses, on average" },
	},
	.prepare_cpu = pagefault_prepare_cpu,
	.next = pagefault_next,
	.done = pagefault_done,
};
