/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SLUB's stores, in a stop: limits from policies, draining, the walk of freelists. */
#include "slab/slub_store.h"

#include <errno.h>

#include "base/fail.h"
#include "base/rand.h"
#include "lab/heap.h"
#include "slab/store.h"

static size_t sequence_bytes(const struct store *s)
{
	return s->g.objs * sizeof(uint16_t);
}

/* The order of the objects of its slabs, each order as likely as any other (Fisher and Yates). */
static int make_sequence(struct lab *lab, struct store *s)
{
	uint16_t *order;

	s->sequence = heap_alloc(lab, sequence_bytes(s));
	if (!s->sequence)
		return fail(ENOMEM, "the lab's side memory has no room for the random order of %s", s->name);
	order = lab_ptr(lab, s->sequence);
	for (uint32_t i = 0; i < s->g.objs; i++)
		order[i] = (uint16_t)i;
	for (uint32_t i = s->g.objs - 1; i > 0; i--) {
		uint32_t with = (uint32_t)rand_below(&lab->hdr->rand, i + 1);
		uint16_t was = order[i];

		order[i] = order[with];
		order[with] = was;
	}
	return 0;
}

int slub_make(struct lab *lab, struct store *s)
{
	while (s->wish.freelist_hardened && !s->secret)
		s->secret = rand_next(&lab->hdr->rand);
	return s->wish.freelist_random && s->g.objs > 1 ? make_sequence(lab, s) : 0;
}

void slub_unmake(struct lab *lab, struct store *s)
{
	heap_free(lab, s->sequence, sequence_bytes(s));
	s->sequence = 0;
}

int slub_pieces(struct lab *lab, const struct store *s, struct heap_audit *a)
{
	(void)lab;
	return s->sequence ? heap_audit_piece(a, "the random order of a slab's objects", s->sequence, sequence_bytes(s)) : 0;
}

int slub_tune(struct lab *lab, struct store *s, const struct store_policy *p)
{
	s->partial_add = p->partial_add;
	s->criterion_side = p->criterion_side;
	s->criterion_num = p->criterion_num;
	s->criterion_den = p->criterion_den;
	s->discard_test = p->discard_test;
	s->defrag_ratio = (uint32_t)p->defrag_ratio * 10;
	/* behind queues nobody takes the fast path */
	s->ways = (uint8_t)((s->ops == ENGINE_SLUB && p->fastpath == FASTPATH_CMPXCHG ? WAY_EXCHANGE : 0) |
			    (s->secret ? WAY_CODED : 0));
	s->plain = s->ops == ENGINE_SLUB && !s->debug && !s->secret && s->cas16 && s->era > ERA_3_2;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		store_cpu(lab->cpus[i], s)->ways = s->ways;
		store_cpu(lab->cpus[i], s)->plain = s->plain;
		store_cpu(lab->cpus[i], s)->secret = s->secret;
	}
	s->order_fallback = p->order_fallback;
	s->fallback_nomemalloc = p->fallback_nomemalloc;
	s->fallback_strict = lab_slab_policy(lab)->fallback_strict;
	s->min_partial = p->min_partial == MIN_PARTIAL_AUTO ? min_partial_auto(s->era, s->g.size) : (uint32_t)p->min_partial;
	s->has_cpu_partial = !s->debug && s->era >= ERA_3_2 && p->cpu_partial != CPU_PARTIAL_OFF;
	s->cpu_partial_unit = p->cpu_partial_unit;
	if (!s->has_cpu_partial)
		s->cpu_partial = 0;
	else
		s->cpu_partial = p->cpu_partial == CPU_PARTIAL_AUTO ? cpu_partial_auto(s->era, s->g.size) :
								       (uint32_t)p->cpu_partial;
	s->cpu_partial_slabs = cpu_partial_slabs(s->cpu_partial, s->g.objs);
	return 0;
}

void slub_drain(struct lab *lab, struct store *s)
{
	(void)lab;
	s->min_partial = 0;
	s->discard_test = DISCARD_GE;
	s->has_cpu_partial = false;	/* a slab that gets free objects waits where its node sees it */
	s->cpu_partial = s->cpu_partial_slabs = 0;
}

bool slub_has_cpu_part(const struct cpu *cpu, const struct store *s)
{
	const struct slub_cpu *c = store_cpu(cpu, s);

	return c->slab != PFN_NONE || c->partial != PFN_NONE;
}

/* ---- walks ---- */

/* A link that `poke` broke leads anywhere. */
static bool is_in_arena(const struct lab *lab, uint64_t object)
{
	return object - lab->arena_off < lab->arena_bytes - PAGE_SIZE;
}

uint32_t slub_walk_list(struct lab *lab, const struct store *s, uint64_t object,
			bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	uint32_t n = 0;

	for (; object && is_in_arena(lab, object); object = object_next(lab->base, s, object), n++) {
		const struct page *slab = slab_of(lab, object);

		if (fn && !fn(object_index(lab, s, slab, object), page_pfn(lab, slab), arg))
			return n + 1;
		if (n > MAX_OBJS_PER_SLAB)
			break;		/* a ring: slab_check() says so */
	}
	return n;
}

uint32_t slub_walk_slab(struct lab *lab, const struct store *s, pfn_t slab,
			bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	return slub_walk_list(lab, s, lab_page(lab, slab)->freelist, fn, arg);
}

struct handing {
	struct lab *lab;
	const struct store *s;
	const struct queue_walk *w;
};

static bool hand_over(uint32_t index, pfn_t slab, void *arg)
{
	const struct handing *h = arg;

	h->w->object(slab_object(h->lab, h->s, slab, index), h->w->arg);
	return true;
}

/* CPUs' freelists, the next to be given out first. */
void slub_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w)
{
	struct handing h = { lab, s, w };

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		uint64_t freelist = store_cpu(lab->cpus[i], s)->freelist;
		struct queue q = { .kind = SLUB_FREELIST, .cpu = (int)i, .node = (int)lab->cpus[i]->node, .peer = -1 };

		if (!freelist)
			continue;
		q.nr = slub_walk_list(lab, s, freelist, NULL, NULL);
		w->queue(&q, w->arg);
		slub_walk_list(lab, s, freelist, hand_over, &h);
	}
}

const struct engine slub_engine = {
	.name = "slub",
	.geometry = slub_geometry,
	.make = slub_make,
	.unmake = slub_unmake,
	.tune = slub_tune,
	.drain = slub_drain,
	.has_cpu_part = slub_has_cpu_part,
	.walk_slab = slub_walk_slab,
	.walk_queues = slub_walk_queues,
	.check = slub_check,
	.pieces = slub_pieces,
};
