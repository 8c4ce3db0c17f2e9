/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores with sheaves, in a stop: parts made and unmade, drained, walked, checked. */
#include "slab/sheaves.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "lab/heap.h"
#include "slab/audit.h"
#include "slab/deferred.h"
#include "slab/slub_store.h"
#include "slab/store.h"


uint64_t sheaf_new(struct lab *lab, const struct store *s, uint32_t capacity)
{
	uint64_t off = heap_alloc(lab, sheaf_bytes(capacity));

	if (off)
		*sheaf_at(lab, off) = (struct sheaf){ .capacity = capacity, .store = s->number };
	return off;
}

void sheaf_drop(struct lab *lab, uint64_t sheaf)
{
	heap_free(lab, sheaf, sheaf_bytes(sheaf_at(lab, sheaf)->capacity));
}

static void count_made(struct cpu *cpu, const struct store *s)
{
	if (cpu->variant != VARIANT_BARE)
		cpu->stat[s->number].ev[EV_sheaf_alloc - EV_SLAB_FIRST]++;
}

static bool make_cpu(struct lab *lab, struct store *s, struct cpu *cpu)
{
	struct slub_cpu *front = front_part(cpu, s);
	uint64_t off = heap_alloc(lab, sizeof(struct sheaf_cpu));

	*store_cpu(cpu, s) = (struct slub_cpu){ .tid = cpu->id, .slab = PFN_NONE, .partial = PFN_NONE,
						.freeptr = s->g.freeptr, .number = s->number };
	front->number = PART_QUEUED;
	front->own = off;
	if (!off)
		return false;
	*sheaf_cpu(cpu, s) = (struct sheaf_cpu){ .main = sheaf_new(lab, s, s->sheaf.capacity) };
	count_made(cpu, s);
	return sheaf_cpu(cpu, s)->main;
}

static bool make_barn(struct lab *lab, struct store *s, unsigned int node)
{
	uint64_t off = heap_alloc(lab, sizeof(struct barn));

	store_node(lab, s, node)->own = off;
	if (!off)
		return false;
	*sheaf_barn(lab, s, node) = (struct barn){ .lock.rank = RANK_QUEUE };
	return true;
}

static void drop_list(struct lab *lab, uint64_t sheaf)
{
	while (sheaf) {
		uint64_t next = sheaf_at(lab, sheaf)->next;

		sheaf_drop(lab, sheaf);
		sheaf = next;
	}
}

static void sheaves_unmake(struct lab *lab, struct store *s)
{
	slub_unmake(lab, s);
	if (!s->sheaf.capacity)
		return;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cpu *cpu = lab->cpus[i];
		struct slub_cpu *front = front_part(cpu, s);

		if (!front->own)
			continue;
		drop_list(lab, sheaf_cpu(cpu, s)->main);
		drop_list(lab, sheaf_cpu(cpu, s)->spare);
		drop_list(lab, sheaf_cpu(cpu, s)->rcu_free);
		heap_free(lab, front->own, sizeof(struct sheaf_cpu));
		front->own = 0;
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct slub_node *node = store_node(lab, s, n);

		if (!node->own)
			continue;
		drop_list(lab, sheaf_barn(lab, s, n)->full.first);
		drop_list(lab, sheaf_barn(lab, s, n)->empty.first);
		heap_free(lab, node->own, sizeof(struct barn));
		node->own = 0;
	}
	store_slot_free(lab, s->part);
	s->part = s->number;
}

static int sheaves_make(struct lab *lab, struct store *s)
{
	bool made = true;
	uint32_t slot;
	int ret;

	s->sheaf.capacity = s->sheaf.room = s->wish.sheaf_capacity;
	ret = slub_make(lab, s);
	if (ret || !s->sheaf.capacity)
		return ret;
	ret = store_slot(lab, &slot);
	if (ret) {
		slub_unmake(lab, s);
		return ret;
	}
	memset(lab_store(lab, slot), 0, sizeof(struct store));
	s->part = slot;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		front_part(lab->cpus[i], s)->own = 0;
	for (unsigned int i = 0; i < lab->nr_cpus && made; i++)
		made = make_cpu(lab, s, lab->cpus[i]);
	for (unsigned int n = 0; n < lab->nr_nodes && made; n++)
		made = make_barn(lab, s, n);
	if (made)
		return 0;
	sheaves_unmake(lab, s);
	return fail(ENOMEM, "the lab's side memory has no room for the sheaves of a cache");
}

static int sheaves_tune(struct lab *lab, struct store *s, const struct store_policy *p)
{
	return slub_tune(lab, s, p);
}

static void sheaves_drain(struct lab *lab, struct store *s)
{
	s->sheaf.room = 0;
	slub_drain(lab, s);
}

static bool sheaves_has_cpu_part(const struct cpu *cpu, const struct store *s)
{
	if (s->sheaf.capacity && (sheaf_cpu(cpu, s)->spare || sheaf_cpu(cpu, s)->rcu_free || sheaf_at(cpu->lab, sheaf_cpu(cpu, s)->main)->size))
		return true;
	return slub_has_cpu_part(cpu, s);
}

/* ---- walks ---- */

/* Sheaves of this store that wait for a grace period on a CPU, oldest first: *batch begins at RCU_BATCHES, `at` with 0. */
static uint64_t next_waiting(const struct lab *lab, unsigned int cpu, const struct store *s, int *batch, uint64_t at)
{
	for (;;) {
		at = at ? sheaf_at(lab, at)->next : 0;
		while (!at && --*batch >= 0)
			at = lab->cpus[cpu]->part->rcu[*batch].sheaves.first;
		if (!at || sheaf_at(lab, at)->store == s->number)
			return at;
	}
}

static void walk_sheaf(const struct lab *lab, const struct queue_walk *w, uint64_t at, struct queue q)
{
	const struct sheaf *sheaf = sheaf_at(lab, at);

	if (!at)
		return;
	q.nr = sheaf->size;
	q.limit = sheaf->capacity;
	w->queue(&q, w->arg);
	for (uint32_t i = 0; i < sheaf->size; i++)
		w->object(sheaf->object[i], w->arg);
}

static void walk_barn(const struct lab *lab, const struct queue_walk *w, uint64_t list, const char *kind, unsigned int node)
{
	for (; list; list = sheaf_at(lab, list)->next)
		walk_sheaf(lab, w, list, (struct queue){ .kind = kind, .cpu = -1, .node = (int)node, .peer = -1 });
}

static void walk_waiting(struct lab *lab, const struct queue_walk *w, const struct store *s, unsigned int cpu)
{
	int batch = RCU_BATCHES;

	for (uint64_t at = next_waiting(lab, cpu, s, &batch, 0); at; at = next_waiting(lab, cpu, s, &batch, at))
		walk_sheaf(lab, w, at, (struct queue){ .kind = "rcu waiting", .cpu = (int)cpu, .peer = -1,
						       .node = sheaf_at(lab, at)->node });
}

static void sheaves_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w)
{
	slub_walk_queues(lab, s, w);
	if (!s->sheaf.capacity)
		return;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct sheaf_cpu *c = sheaf_cpu(lab->cpus[i], s);
		int node = (int)lab->cpus[i]->node;

		walk_sheaf(lab, w, c->main, (struct queue){ .kind = "main", .cpu = (int)i, .node = node, .peer = -1 });
		walk_sheaf(lab, w, c->spare, (struct queue){ .kind = "spare", .cpu = (int)i, .node = node, .peer = -1 });
		walk_sheaf(lab, w, c->rcu_free, (struct queue){ .kind = "rcu_free", .cpu = (int)i, .node = node, .peer = -1 });
		walk_waiting(lab, w, s, i);
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		walk_barn(lab, w, sheaf_barn(lab, s, n)->full.first, "barn full", n);
		walk_barn(lab, w, sheaf_barn(lab, s, n)->empty.first, "barn empty", n);
	}
}

/* ---- check ---- */

static int check_sheaf(struct lab *lab, struct store *s, struct audit *a, uint64_t at)
{
	const struct sheaf *sheaf = sheaf_at(lab, at);
	int ret = 0;

	if (!audit_piece(lab, at, sheaf_bytes(s->sheaf.capacity)) || sheaf->store != s->number || sheaf->capacity != s->sheaf.capacity || sheaf->size > sheaf->capacity)
		return audit_broken(a, "H1", "a sheaf is damaged");
	for (uint32_t i = 0; i < sheaf->size && !ret; i++)
		ret = audit_free(a, "H3", sheaf->object[i]);
	return ret;
}

static int check_list(struct lab *lab, struct store *s, struct audit *a, const struct sheaf_list *l, bool full)
{
	uint32_t len = 0;

	for (uint64_t at = l->first; at; at = sheaf_at(lab, at)->next, len++) {
		int ret = len < l->nr ? check_sheaf(lab, s, a, at) : audit_broken(a, "H2", "a barn has more sheaves than it counts");

		if (ret)
			return ret;
		if (sheaf_at(lab, at)->size != (full ? s->sheaf.capacity : 0))
			return audit_broken(a, "H2", "a sheaf of a barn's %s ones holds %u", full ? "full" : "empty",
					    sheaf_at(lab, at)->size);
	}
	if (l->second && (!l->first || l->second != sheaf_at(lab, l->first)->next))
		return audit_broken(a, "H2", "a barn's second sheaf is not behind its first");
	return len == l->nr ? 0 : audit_broken(a, "H2", "a barn counts %u sheaves and has %u", l->nr, len);
}

static int check_waiting(struct lab *lab, struct store *s, struct audit *a, unsigned int cpu)
{
	const struct sheaf_cpu *c = sheaf_cpu(lab->cpus[cpu], s);
	uint32_t nr = 0, objects = 0;
	int batch = RCU_BATCHES, ret = deferred_check_sheaves(lab, a, cpu, &nr);

	for (uint64_t at = ret ? 0 : next_waiting(lab, cpu, s, &batch, 0); at && !ret; at = next_waiting(lab, cpu, s, &batch, at)) {
		objects += sheaf_at(lab, at)->size;
		ret = check_sheaf(lab, s, a, at);
		if (!ret && sheaf_at(lab, at)->size < s->sheaf.capacity && !sheaf_at(lab, at)->flushed)
			return audit_broken(a, "H1", "CPU %u: a sheaf waits to go to a barn and is not full", cpu);
	}
	if (!ret && (nr != c->nr_waiting || objects != c->waiting_objects))
		return audit_broken(a, "R3", "CPU %u counts %u waiting sheaves with %u objects and has %u with %u", cpu,
				    c->nr_waiting, c->waiting_objects, nr, objects);
	a->waiting += nr;
	return ret;
}

static int check_cpus(struct lab *lab, struct store *s, struct audit *a)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++) {
		const struct slub_cpu *front = front_part(lab->cpus[i], s);

		if (front->freelist || front->slab != PFN_NONE || front->number != PART_QUEUED ||
		    store_cpu(lab->cpus[i], s)->number != s->number || !audit_piece(lab, front->own, sizeof(struct sheaf_cpu)))
			return audit_broken(a, "H1", "CPU %u: its part is damaged", i);
		ret = check_sheaf(lab, s, a, sheaf_cpu(lab->cpus[i], s)->main);
		if (!ret && sheaf_cpu(lab->cpus[i], s)->spare)
			ret = check_sheaf(lab, s, a, sheaf_cpu(lab->cpus[i], s)->spare);
		if (!ret && sheaf_cpu(lab->cpus[i], s)->rcu_free)
			ret = check_sheaf(lab, s, a, sheaf_cpu(lab->cpus[i], s)->rcu_free);
		if (!ret)
			ret = check_waiting(lab, s, a, i);
	}
	return ret;
}

static int sheaves_check(struct lab *lab, struct store *s, struct audit *a)
{
	int ret;

	if (s->sheaf.capacity != s->wish.sheaf_capacity || s->sheaf.capacity > SHEAVES_MAX_CAPACITY ||
	    (s->sheaf.room && s->sheaf.room != s->sheaf.capacity) || !s->sheaf.capacity != (s->part == s->number))
		return audit_broken(a, "H1", "its capacity is not the one asked for");
	if (!s->sheaf.capacity)
		return slub_check(lab, s, a);
	if (lab_store(lab, s->part)->state != STORE_FREE)
		return audit_broken(a, "H1", "its parts are another store's");
	ret = check_cpus(lab, s, a);
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++) {
		const struct barn *barn = sheaf_barn(lab, s, n);

		if (!audit_piece(lab, store_node(lab, s, n)->own, sizeof(*barn)) || !lock_is_idle(&barn->lock, RANK_QUEUE))
			return audit_broken(a, "H2", "node %u: its barn is damaged", n);
		ret = check_list(lab, s, a, &barn->full, true);
		if (!ret)
			ret = check_list(lab, s, a, &barn->empty, false);
	}
	return ret ? ret : slub_check(lab, s, a);
}

static int list_pieces(struct lab *lab, const struct store *s, struct heap_audit *a, uint64_t list)
{
	int ret = 0;

	for (; list && !ret; list = ret ? 0 : sheaf_at(lab, list)->next)
		ret = heap_audit_piece(a, "a sheaf", list, sheaf_bytes(s->sheaf.capacity));
	return ret;
}

static int sheaves_pieces(struct lab *lab, const struct store *s, struct heap_audit *a)
{
	int ret = slub_pieces(lab, s, a);

	if (ret || !s->sheaf.capacity)
		return ret;
	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++) {
		ret = heap_audit_piece(a, "a CPU's sheaves", front_part(lab->cpus[i], s)->own, sizeof(struct sheaf_cpu));
		if (!ret)
			ret = list_pieces(lab, s, a, sheaf_cpu(lab->cpus[i], s)->main);
		if (!ret)
			ret = list_pieces(lab, s, a, sheaf_cpu(lab->cpus[i], s)->spare);
		if (!ret)
			ret = list_pieces(lab, s, a, sheaf_cpu(lab->cpus[i], s)->rcu_free);
	}
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++) {
		ret = heap_audit_piece(a, "a barn", store_node(lab, s, n)->own, sizeof(struct barn));
		if (!ret)
			ret = list_pieces(lab, s, a, sheaf_barn(lab, s, n)->full.first);
		if (!ret)
			ret = list_pieces(lab, s, a, sheaf_barn(lab, s, n)->empty.first);
	}
	return ret;
}

/* Read while its CPU may detach it, and another sheaf come there: side memory stays readable. */
static uint32_t sheaf_size(const struct lab *lab, const uint64_t *sheaf)
{
	uint64_t at = __atomic_load_n(sheaf, __ATOMIC_RELAXED);

	return at ? __atomic_load_n(&sheaf_at(lab, at)->size, __ATOMIC_RELAXED) : 0;
}

/* While CPUs may run: what sheaves held a moment ago. */
static void sheaves_figures(struct lab *lab, const struct store *s, struct store_figures *f)
{
	f->sheaf_capacity = s->sheaf.capacity;
	for (unsigned int i = 0; i < lab->nr_cpus && s->sheaf.capacity; i++) {
		const struct sheaf_cpu *c = sheaf_cpu(lab->cpus[i], s);
		uint64_t main = __atomic_load_n(&c->main, __ATOMIC_RELAXED), spare = __atomic_load_n(&c->spare, __ATOMIC_RELAXED);

		f->queued_objects += __atomic_load_n(&sheaf_at(lab, main)->size, __ATOMIC_RELAXED);
		if (spare)
			f->queued_objects += __atomic_load_n(&sheaf_at(lab, spare)->size, __ATOMIC_RELAXED);
		f->rcu_objects += sheaf_size(lab, &c->rcu_free) + __atomic_load_n(&c->waiting_objects, __ATOMIC_RELAXED);
		f->rcu_sheaves += __atomic_load_n(&c->nr_waiting, __ATOMIC_RELAXED);
	}
	for (unsigned int n = 0; n < lab->nr_nodes && s->sheaf.capacity; n++) {
		f->barn_full += __atomic_load_n(&sheaf_barn(lab, s, n)->full.nr, __ATOMIC_RELAXED);
		f->barn_empty += __atomic_load_n(&sheaf_barn(lab, s, n)->empty.nr, __ATOMIC_RELAXED);
	}
	f->queued_objects += f->barn_full * s->sheaf.capacity + f->rcu_objects;
}

const struct engine sheaves_engine = {
	.name = "sheaves",
	.route = ROUTE_SHEAF,
	.hit_alloc = EV_alloc_cpu_sheaf,
	.hit_free = EV_free_cpu_sheaf,
	.geometry = slub_geometry,
	.make = sheaves_make,
	.unmake = sheaves_unmake,
	.tune = sheaves_tune,
	.drain = sheaves_drain,
	.has_cpu_part = sheaves_has_cpu_part,
	.walk_slab = slub_walk_slab,
	.walk_queues = sheaves_walk_queues,
	.check = sheaves_check,
	.pieces = sheaves_pieces,
	.figures = sheaves_figures,
};
