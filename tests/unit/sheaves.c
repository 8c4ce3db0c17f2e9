/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheaves - every counter of engine sheaves beside a small model of it.
 *
 * The model knows only how full sheaves are (sheaves.md): each CPU's main,
 * spare and rcu_free, the barn's full and empty ones, those that wait for a
 * grace period, those handed out. Random requests of two or three CPUs go to
 * both; counters and figures agree after each.
 */
#include <stdio.h>

#include "base/rand.h"
#include "op/op.h"
#include "slab/read.h"
#include "test_lab.h"

#define CPUS 3u
#define NONE (-1)
#define OUT 4000u
#define HELD 12u

enum count { ALLOC_CPU, FREE_CPU, FREE_RCU, FLUSH, REFILL, MADE, DROPPED, GET, GET_FAIL, PUT, PUT_FAIL, FAST, SLOW, OVERSIZE,
	     RETURN_FAST, RETURN_SLOW, COUNTS };

static const struct { enum event_id ev; const char *name; } events[COUNTS] = {
	{ EV_alloc_cpu_sheaf, "alloc_cpu_sheaf" }, { EV_free_cpu_sheaf, "free_cpu_sheaf" }, { EV_free_rcu_sheaf, "free_rcu_sheaf" },
	{ EV_sheaf_flush, "sheaf_flush" }, { EV_sheaf_refill, "sheaf_refill" }, { EV_sheaf_alloc, "sheaf_alloc" },
	{ EV_sheaf_free, "sheaf_free" }, { EV_barn_get, "barn_get" }, { EV_barn_get_fail, "barn_get_fail" },
	{ EV_barn_put, "barn_put" }, { EV_barn_put_fail, "barn_put_fail" }, { EV_sheaf_prefill_fast, "sheaf_prefill_fast" },
	{ EV_sheaf_prefill_slow, "sheaf_prefill_slow" }, { EV_sheaf_prefill_oversize, "sheaf_prefill_oversize" },
	{ EV_sheaf_return_fast, "sheaf_return_fast" }, { EV_sheaf_return_slow, "sheaf_return_slow" },
};

struct model {
	int cap, most_full, most_empty;
	struct { int main, spare, rcu; } cpu[CPUS];
	int full, empty;
	int waiting, handed, handed_objects;	/* full ones; what flushes gave up before they were full */
	int64_t n[COUNTS];
};

/* ---- the model ---- */

static void put_empty(struct model *m)
{
	if (m->empty < m->most_empty)
		m->empty++;
	else
		m->n[DROPPED]++;
}

static int take_empty(struct model *m)
{
	if (m->empty)
		m->empty--;
	else
		m->n[MADE]++;
	return 0;
}

static void grace(struct model *m)
{
	for (; m->waiting; m->waiting--) {
		if (m->full < m->most_full) {
			m->full++;
			m->n[PUT]++;
			continue;
		}
		m->n[PUT_FAIL]++;
		m->n[FLUSH] += m->cap;
		put_empty(m);
	}
	m->n[FLUSH] += m->handed_objects;
	m->n[DROPPED] += m->handed;
	m->handed = m->handed_objects = 0;
}

static void swap(struct model *m, unsigned int c)
{
	int main = m->cpu[c].main;

	m->cpu[c].main = m->cpu[c].spare;
	m->cpu[c].spare = main;
}

static bool m_next_full(struct model *m, unsigned int c)
{
	if (m->cpu[c].spare > 0) {
		swap(m, c);
		return true;
	}
	if (!m->full) {
		m->n[GET_FAIL]++;
		return false;
	}
	m->full--;
	m->empty++;
	m->n[GET]++;
	m->cpu[c].main = m->cap;
	return true;
}

static void m_alloc(struct model *m, unsigned int c, bool blocks)
{
	if (!m->cpu[c].main && !m_next_full(m, c)) {
		if (!blocks)
			return;
		if (m->cpu[c].spare == 0)
			m->cpu[c].spare = NONE;
		else
			take_empty(m);
		m->n[REFILL] += m->cap;
		put_empty(m);
		m->cpu[c].main = m->cap;
	}
	m->cpu[c].main--;
	m->n[ALLOC_CPU]++;
}

static void m_alloc_bulk(struct model *m, unsigned int c, int n)
{
	while (n) {
		int take = m->cpu[c].main < n ? m->cpu[c].main : n;

		m->cpu[c].main -= take;
		m->n[ALLOC_CPU] += take;
		n -= take;
		if (n && !m->cpu[c].main && !m_next_full(m, c))
			return;
	}
}

/* Steps 2 to 4 of a free; may_make: and those that make a sheaf or flush one. */
static bool m_room(struct model *m, unsigned int c, bool may_make)
{
	if (m->cpu[c].spare == NONE) {
		if (!m->empty && !may_make)
			return false;
		take_empty(m);
		m->cpu[c].spare = m->cpu[c].main;
		m->cpu[c].main = 0;
	} else if (m->cpu[c].spare < m->cap) {
		swap(m, c);
	} else if (m->full < m->most_full && (m->empty || may_make)) {
		take_empty(m);
		m->full++;
		m->n[PUT]++;
		m->cpu[c].main = 0;
	} else if (may_make) {
		m->n[PUT_FAIL]++;
		m->n[FLUSH] += m->cap;
		m->cpu[c].main = 0;
	} else {
		return false;
	}
	return true;
}

static void m_free(struct model *m, unsigned int c)
{
	if (m->cpu[c].main == m->cap)
		m_room(m, c, true);
	m->cpu[c].main++;
	m->n[FREE_CPU]++;
}

static void m_free_bulk(struct model *m, unsigned int c, int n)
{
	while (n) {
		int put = m->cap - m->cpu[c].main < n ? m->cap - m->cpu[c].main : n;

		m->cpu[c].main += put;
		m->n[FREE_CPU] += put;
		n -= put;
		if (n && !m_room(m, c, false))
			return;
	}
}

static void m_free_rcu(struct model *m, unsigned int c)
{
	if (m->cpu[c].rcu == NONE) {
		if (m->cpu[c].spare == 0)
			m->cpu[c].spare = NONE;
		else
			take_empty(m);
		m->cpu[c].rcu = 0;
	}
	m->n[FREE_RCU]++;
	if (++m->cpu[c].rcu == m->cap) {
		m->cpu[c].rcu = NONE;
		m->waiting++;
	}
}

static int m_prefill(struct model *m, unsigned int c, int n)
{
	int size = m->cpu[c].spare;

	if (n > m->cap) {
		m->n[OVERSIZE]++;
		return n;
	}
	m->n[size == NONE ? SLOW : FAST]++;
	m->cpu[c].spare = NONE;
	if (size == NONE && m->full) {
		m->full--;
		m->n[GET]++;
		size = m->cap;
	} else if (size == NONE) {
		m->n[GET_FAIL]++;
		size = take_empty(m);
	}
	if (size >= n)
		return size;
	m->n[REFILL] += m->cap - size;
	return m->cap;
}

static void m_return(struct model *m, unsigned int c, int size, int capacity)
{
	if (capacity != m->cap) {
		m->n[FLUSH] += size;
	} else if (m->cpu[c].spare == NONE) {
		m->n[RETURN_FAST]++;
		m->cpu[c].spare = size;
	} else {
		m->n[RETURN_SLOW]++;
		m->n[m->full < m->most_full ? REFILL : FLUSH] += m->full < m->most_full ? m->cap - size : size;
		m->n[m->full < m->most_full ? PUT : DROPPED]++;
		m->full += m->full < m->most_full;
	}
}

static void m_shrink(struct model *m, unsigned int cpus)
{
	for (unsigned int c = 0; c < cpus; c++) {
		if (m->cpu[c].spare != NONE) {
			m->n[FLUSH] += m->cpu[c].spare;
			m->n[DROPPED]++;
		}
		if (m->cpu[c].rcu != NONE) {
			m->handed++;
			m->handed_objects += m->cpu[c].rcu;
		}
		m->n[FLUSH] += m->cpu[c].main;
		m->cpu[c].main = 0;
		m->cpu[c].spare = m->cpu[c].rcu = NONE;
	}
	m->n[FLUSH] += m->full * m->cap;
	m->n[DROPPED] += m->full + m->empty;
	m->full = m->empty = 0;
}

/* ---- both ---- */

struct both {
	struct lab *lab;
	struct model m;
	uint64_t rand, out[OUT];
	unsigned int nr, cpus, nr_held;
	uint32_t cache;
	struct { uint64_t off; int size, capacity; } held[HELD];
};

static uint64_t op(struct both *b, struct op op, unsigned int c)
{
	struct op_result r;

	op.cpu = (uint16_t)c;
	op.cache = b->cache;
	if (op.kind != OP_KFREE && op.kind != OP_KFREE_RCU)
		op.node = -1;
	if (!op.gfp)
		op.gfp = GFP_KERNEL;
	grace(&b->m);
	if (rand_below(&b->rand, 4) ? op_play(b->lab, &op, &r) : op_run(b->lab, &op, &r))
		fail_msg("op %u: %s", op.kind, fail_why());
	return r.off;
}

static uint64_t lose(struct both *b)
{
	unsigned int i = (unsigned int)rand_below(&b->rand, b->nr);
	uint64_t off = b->out[i];

	b->out[i] = b->out[--b->nr];
	return off;
}

static void bulk(struct both *b, unsigned int c, bool frees)
{
	uint64_t vec[40], n = 1 + rand_below(&b->rand, 40);

	if (frees && b->nr < n)
		return;
	for (uint64_t i = 0; i < n && frees; i++)
		vec[i] = lose(b);
	op(b, (struct op){ .kind = frees ? OP_CACHE_FREE_BULK : OP_CACHE_ALLOC_BULK, .n = n, .vec = vec }, c);
	if (frees)
		m_free_bulk(&b->m, c, (int)n);
	else
		m_alloc_bulk(&b->m, c, (int)n);
	for (uint64_t i = 0; i < n && !frees; i++)
		b->out[b->nr++] = vec[i];
}

static void with_sheaves(struct both *b, unsigned int c)
{
	unsigned int i = (unsigned int)rand_below(&b->rand, b->nr_held ? b->nr_held : 1);
	int n = 1 + (int)rand_below(&b->rand, (uint64_t)b->m.cap * 2);

	switch (rand_below(&b->rand, 6)) {
	case 0:
		if (b->nr_held == HELD)
			return;
		i = b->nr_held++;
		b->held[i].off = op(b, (struct op){ .kind = OP_SHEAF_PREFILL, .n = (uint64_t)n }, c);
		b->held[i].size = m_prefill(&b->m, c, n);
		b->held[i].capacity = n > b->m.cap ? n : b->m.cap;
		return;
	case 1:
		if (!b->nr_held)
			return;
		op(b, (struct op){ .kind = OP_SHEAF_RETURN, .off = b->held[i].off }, c);
		m_return(&b->m, c, b->held[i].size, b->held[i].capacity);
		b->held[i] = b->held[--b->nr_held];
		return;
	default:
		if (!b->nr_held || !b->held[i].size)
			return;
		b->out[b->nr++] = op(b, (struct op){ .kind = OP_SHEAF_ALLOC, .off = b->held[i].off }, c);
		b->held[i].size--;
	}
}

static void step(struct both *b, bool growing)
{
	unsigned int c = (unsigned int)rand_below(&b->rand, b->cpus);
	uint64_t what = rand_below(&b->rand, 1000);

	if (what < 3) {
		op(b, (struct op){ .kind = OP_CACHE_SHRINK }, c);
		m_shrink(&b->m, b->cpus);
	} else if (what < 100) {
		with_sheaves(b, c);
	} else if (b->nr + 50 > OUT || (b->nr && what < (growing ? 450 : 700))) {
		if (what % 13 == 0) {
			bulk(b, c, true);
		} else if (what % 3 == 0) {
			op(b, (struct op){ .kind = what % 2 ? OP_KFREE_RCU : OP_CACHE_FREE_RCU, .off = lose(b) }, c);
			m_free_rcu(&b->m, c);
		} else {
			op(b, (struct op){ .kind = OP_CACHE_FREE, .off = lose(b) }, c);
			m_free(&b->m, c);
		}
	} else if (what % 17 == 0) {
		bulk(b, c, false);
	} else {
		b->out[b->nr++] = op(b, (struct op){ .kind = OP_CACHE_ALLOC, .gfp = what % 7 ? GFP_KERNEL : GFP_ATOMIC }, c);
		m_alloc(&b->m, c, what % 7 != 0);
	}
}

static void agree(struct both *b, unsigned int nr)
{
	const struct model *m = &b->m;
	int objects = m->full * m->cap, rcu = m->waiting * m->cap + m->handed_objects;
	struct cache_figures cf;
	struct store_figures f;

	for (unsigned int i = 0; i < COUNTS; i++)
		if ((int64_t)cache_event(b->lab, b->cache, -1, events[i].ev) != m->n[i])
			fail_msg("step %u: %s is %llu, should be %lld", nr, events[i].name,
				 (unsigned long long)cache_event(b->lab, b->cache, -1, events[i].ev), (long long)m->n[i]);
	cache_figures(b->lab, b->cache, &cf);
	store_figures(b->lab, cf.store, &f);
	for (unsigned int c = 0; c < b->cpus; c++) {
		objects += m->cpu[c].main + (m->cpu[c].spare == NONE ? 0 : m->cpu[c].spare);
		rcu += m->cpu[c].rcu == NONE ? 0 : m->cpu[c].rcu;
	}
	for (unsigned int i = 0; i < b->nr_held; i++)
		objects += b->held[i].size;
	assert_int_equal(cf.objects, b->nr);
	assert_int_equal(f.barn_full, m->full);
	assert_int_equal(f.barn_empty, m->empty);
	assert_int_equal(f.rcu_objects, rcu);
	assert_int_equal(f.rcu_sheaves, m->waiting + m->handed);
	assert_int_equal(f.held_sheaves, b->nr_held);
	assert_int_equal(f.queued_objects, objects + rcu);
}

static void play(uint64_t seed)
{
	static struct both b;
	char value[16];

	b = (struct both){ .lab = test_lab("mem=32M,cpus=3"), .rand = seed, .cpus = CPUS };
	b.m = (struct model){ .cap = 1 + (int)rand_below(&b.rand, 12), .most_full = (int)rand_below(&b.rand, 5),
			      .most_empty = (int)rand_below(&b.rand, 5) };
	snprintf(value, sizeof(value), "%d", b.m.most_full);
	assert_int_equal(op_set(b.lab, "sheaves.barn_max_full", value), 0);
	snprintf(value, sizeof(value), "%d", b.m.most_empty);
	assert_int_equal(op_set(b.lab, "sheaves.barn_max_empty", value), 0);
	assert_int_equal(op_cache_create(b.lab, &(struct cache_request){ .name = "t", .size = 200, .engine = 4,
			 .sheaf_capacity = 1 + b.m.cap }, &b.cache), 0);
	for (unsigned int c = 0; c < CPUS; c++)
		b.m.cpu[c].spare = b.m.cpu[c].rcu = NONE;
	b.m.n[MADE] = CPUS;
	agree(&b, 0);
	for (unsigned int i = 1; i <= 6000; i++) {
		step(&b, i / 500 % 2 == 0);
		agree(&b, i);
		if (i % 500 == 0 && lab_check(b.lab))
			fail_msg("seed %llu, step %u: %s", (unsigned long long)seed, i, fail_why());
	}
	lab_drop(b.lab);
}

static void counters_are_those_of_the_model(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++)
		play(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_those_of_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
