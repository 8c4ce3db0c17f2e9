/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_run - steps become ops, one after the other.
 *
 * The run keeps, for each slot, what the lab gave: a region offset, or
 * SLOT_FAILED where it could give nothing, and then the free of it is none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/fail.h"
#include "lab/handle.h"
#include "work/replay_priv.h"

uint64_t replay_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

int runner_init(struct runner *r, struct lab *lab, struct sites *sites, uint64_t slots,
		struct run_counts *counts)
{
	*r = (struct runner){ .lab = lab, .sites = sites, .counts = counts, .slots = slots ? slots : 4096,
			      .nodes = lab->hdr->shape.nodes };
	r->slot = calloc(r->slots, sizeof(*r->slot));
	return r->slot ? 0 : fail(ENOMEM, "no memory for a table of %llu objects",
				  (unsigned long long)r->slots);
}

void runner_fini(struct runner *r)
{
	free(r->slot);
	r->slot = NULL;
}

/* Before a step that a pipe gave: the lab may lack its CPU, and its cache is yet to be made. */
static int runner_prepare(struct runner *r, const struct step *st)
{
	if (unlikely(st->cpu >= r->lab->nr_cpus))
		return fail(EINVAL, "line %llu: CPU %u, but lab %s has %u CPUs; ask for a lab with cpus=%u",
			    (unsigned long long)st->line, st->cpu, r->lab->name, r->lab->nr_cpus, st->cpu + 1);
	if (st->kind != STEP_CACHE_ALLOC && st->kind != STEP_KMALLOC)
		return 0;
	return likely(r->sites->target[st->site].made) ? 0 : cache_make_for(r->sites, r->lab, st->site);
}

static int runner_grow(struct runner *r, uint32_t slot)
{
	uint64_t slots = r->slots * 2;
	uint64_t *table;

	while (slots <= slot)
		slots *= 2;
	table = realloc(r->slot, slots * sizeof(*table));
	if (!table)
		return fail(ENOMEM, "no memory for a table of %llu objects", (unsigned long long)slots);
	memset(table + r->slots, 0, (slots - r->slots) * sizeof(*table));
	r->slot = table;
	r->slots = slots;
	return 0;
}

void step_to_op(const struct runner *r, const struct step *st, uint64_t off, struct op *op)
{
	const struct target *t = &r->sites->target[st->site];

	*op = (struct op){ .cpu = st->cpu, .order = st->order, .gfp = st->gfp };
	if (step_allocates(st))
		op->node = st->node < (int32_t)r->nodes ? st->node : -1;
	switch (st->kind) {
	case STEP_KMALLOC:
		op->kind = OP_KMALLOC;
		op->size = st->bytes;
		break;
	case STEP_CACHE_ALLOC:
		op->kind = OP_CACHE_ALLOC;
		op->cache = t->cache;
		break;
	case STEP_FREE:
		op->kind = t->kind == SITE_CACHE ? OP_CACHE_FREE : OP_KFREE;
		op->cache = op->owner = t->kind == SITE_CACHE ? t->cache : 0;
		op->off = off;
		break;
	case STEP_ALLOC_PAGES:
		op->kind = OP_ALLOC_PAGES;
		break;
	case STEP_FREE_PAGES:
		op->kind = OP_FREE_PAGES;
		op->off = off;
		break;
	}
}

static uint64_t step_failed(struct run_counts *c, const struct step *st)
{
	if (!c->lab_failed++) {
		c->lab_failed_line = st->line;
		strncpy(c->lab_failed_why, fail_why(), sizeof(c->lab_failed_why) - 1);
	}
	return SLOT_FAILED;
}

uint64_t step_allocated(struct runner *r, struct run_counts *c, const struct step *st,
			const struct op_result *res)
{
	if (unlikely(res->error || !res->off))
		return step_failed(c, st);
	if (st->kind != STEP_KMALLOC)
		return res->off;
	if (unlikely(!res->cache))
		c->large_allocs[get_order(st->bytes)]++;
	if (unlikely(res->cache != r->sites->target[st->site].cache))
		c->class_differs++;
	return res->off;
}

/* reclaim.oom=stop: the replay ends where memory ran out. */
int step_ran_out(const struct step *st, const struct op_result *res)
{
	if (likely(!(res->findings & FINDING_RAN_OUT)))
		return 0;
	return fail_in(-ENOMEM, "line %llu: memory ran out (reclaim.oom=stop): ", (unsigned long long)st->line);
}

/* A free that the lab refuses is a fault of ours or of the lab: say so with the line. */
int step_freed(const struct step *st, const struct op_result *res)
{
	if (likely(!res->error && !(res->findings & (FINDING_BAD_FREE | FINDING_REFUSED))))
		return 0;
	return fail_in(res->error ? res->error : -EIO, "line %llu: a free was refused: ",
		       (unsigned long long)st->line);
}

int runner_step(struct runner *r, const struct step *st)
{
	struct op op;
	struct op_result res;
	int ret;

	if (unlikely(st->slot >= r->slots)) {
		ret = runner_grow(r, st->slot);
		if (ret)
			return ret;
	}
	if (r->streaming) {
		ret = runner_prepare(r, st);
		if (unlikely(ret))
			return ret;
	}
	r->counts->steps++;
	if (!step_allocates(st) && unlikely(r->slot[st->slot] == SLOT_FAILED)) {
		r->slot[st->slot] = 0;
		return 0;
	}
	step_to_op(r, st, r->slot[st->slot], &op);
	op_play(r->lab, &op, &res);
	if (step_allocates(st)) {
		r->slot[st->slot] = step_allocated(r, r->counts, st, &res);
		return step_ran_out(st, &res);
	}
	r->slot[st->slot] = 0;
	return step_freed(st, &res);
}

int runner_program(struct runner *r, struct program *p, const struct replay_options *o, uint64_t total)
{
	struct program_cursor c;
	uint64_t *ran = &p->stream[0].ran, done = 0;
	int error = program_rewind(p, 0, &c);

	while (!error && program_next_block(&c, &error)) {
		for (; c.at < c.end && !error; c.at++) {
			error = runner_step(r, c.at);
			*ran += !error;
			if (unlikely(++done % REPLAY_TICK == 0) && o->tick &&
			    o->tick(o->arg, REPLAY_RUNNING, done, total))
				error = fail(EINTR, "stopped after %llu of %llu ops",
					     (unsigned long long)done, (unsigned long long)total);
		}
	}
	program_cursor_fini(&c);
	return error;
}
