/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * litmus - the store-then-load protocols of src/cpu, ten million rounds each.
 *
 * Idea. The side that must be fast uses plain stores and loads; the other side
 * orders every CPU with membarrier. If that were wrong, both would now and then
 * be inside at once. Each side marks a shared word while it is inside and looks
 * whether the other's mark is there: a mark seen is a failure.
 *
 * Rounds are the owner's ops; the other side stops or drains as fast as it can
 * meanwhile; where that keeps the owner out for long, a bout ends after a
 * while. Sanitizer builds, whose marks are locks, run fewer. Two more: the
 * lock, whose holder looks for sleepers in the same way; and, without threads,
 * calls that were looked up before a stop changed the table.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "cpu/cpu.h"
#include "cpu/drain.h"
#include "cpu/lock.h"
#include "op/op.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

#if CPU_MARKS_ARE_LOCKS || defined(__SANITIZE_ADDRESS__)
#define ROUNDS 200000u
#else
#define ROUNDS 10000000u
#endif

#define BOUT_NS 20000000000ULL

struct bout {
	struct lab *lab;
	uint64_t until;			/* host time at which it is enough */
	uint32_t owner_in, other_in;	/* marks */
	uint64_t want, rounds, held, met;	/* ops to do and done, times the other side was inside, marks met */
	uint32_t begun, over;		/* the other side was inside once; the owner is done */
	uint64_t plain;			/* written by whoever is inside, without atomics */
};

static uint32_t look(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void mark(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* The owner's part is done: once the other side was inside, all rounds or all the time. */
static bool is_enough(const struct bout *b)
{
	return look(&b->begun) && (b->rounds >= b->want || (!(b->rounds & 1023) && host_ns() > b->until));
}

/* Inside: neither side may see the other's mark. */
static void inside(struct bout *b, uint32_t *mine, const uint32_t *theirs)
{
	mark(mine, 1);
	b->plain++;
	if (look(theirs))
		__atomic_add_fetch(&b->met, 1, __ATOMIC_RELAXED);
	mark(mine, 0);
}

static void ops(struct cpu *cpu, void *arg)
{
	struct bout *b = arg;

	for (; !is_enough(b); b->rounds++) {
		cpu_enter(cpu);
		inside(b, &b->owner_in, &b->other_in);
		cpu_leave(cpu);
	}
	mark(&b->over, 1);
}

/* Let the other side in: how long is varied, so that the two meet at every step. */
static void breathe(uint64_t round)
{
	for (volatile unsigned int i = 0; i < round % 97; i++)
		;
}

static void *stopper(void *arg)
{
	struct bout *b = arg;

	while (!look(&b->over)) {
		if (b->held & 1)
			cpu_stop(b->lab->cpus[0]);
		else
			lab_stop(b->lab);
		inside(b, &b->other_in, &b->owner_in);
		if (b->held++ & 1)
			cpu_resume(b->lab->cpus[0]);
		else
			lab_resume(b->lab);
		mark(&b->begun, 1);
		breathe(b->held);
	}
	return NULL;
}

static void one_pcp_op(struct cpu *cpu, struct bout *b)
{
	cpu_enter(cpu);
	if (cpu_pcp_try(cpu)) {
		inside(b, &b->owner_in, &b->other_in);
		cpu_pcp_done(cpu);
		b->rounds++;
	}
	cpu_leave(cpu);
}

static void pcp_ops(struct cpu *cpu, void *arg)
{
	struct bout *b = arg;

	while (!is_enough(b))
		one_pcp_op(cpu, b);
	mark(&b->over, 1);
}

/* Both marks in one store, and both looks in one load. */
static void list_ops(struct cpu *cpu, void *arg)
{
	struct bout *b = arg;

	while (!is_enough(b)) {
		if (cpu_try_enter_lists(cpu)) {
			inside(b, &b->owner_in, &b->other_in);
			cpu_leave_lists(cpu);
			b->rounds++;
			continue;
		}
		one_pcp_op(cpu, b);
	}
	mark(&b->over, 1);
}

static void *drainer(void *arg)
{
	struct bout *b = arg;

	while (!look(&b->over)) {
		if (!cpu_drain_begin(b->lab->cpus[0]))
			continue;
		inside(b, &b->other_in, &b->owner_in);
		cpu_drain_end(b->lab->cpus[0]);
		mark(&b->begun, 1);
		breathe(b->held++);
	}
	return NULL;
}

static void fight_in(struct lab *lab, uint64_t want, void (*owner)(struct cpu *, void *), void *(*other)(void *))
{
	struct bout b = { .lab = lab, .until = host_ns() + BOUT_NS, .want = want };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, other, &b), 0);
	assert_int_equal(cpus_run(b.lab, 1, owner, &b), 0);
	pthread_join(thread, NULL);
	assert_int_equal(b.met, 0);
	assert_true(b.rounds > 0);
	assert_true(b.held > 0);
	/* plain is only changed inside: a lost increment would be two inside at once */
	assert_int_equal(b.plain, b.rounds + b.held);
	assert_int_equal(lab_check(b.lab), 0);
	lab_drop(b.lab);
}

static void fight(uint64_t want, void (*owner)(struct cpu *, void *), void *(*other)(void *))
{
	fight_in(test_lab("mem=16M,cpus=1"), want, owner, other);
}

/* A host without membarrier: every op goes the slow way in and fences, and so does every use of lists. */
static void fight_fenced(uint64_t want, void (*owner)(struct cpu *, void *), void *(*other)(void *))
{
	struct lab *lab = test_lab("mem=16M,cpus=1");

	lab->fenced = true;
	lab->cpus[0]->marks.stop |= STOP_FENCE;
	fight_in(lab, want, owner, other);
}

static void a_stopped_cpu_is_in_no_op(void **state)
{
	(void)state;
	fight(ROUNDS, ops, stopper);
	fight(ROUNDS, list_ops, stopper);
}

static void a_drained_cpu_is_not_at_its_lists(void **state)
{
	(void)state;
	fight(ROUNDS, pcp_ops, drainer);
	fight(ROUNDS / 10, list_ops, drainer);	/* marked busy most of the time, it is drained slowly */
}

static void a_fenced_cpu_stops_too(void **state)
{
	(void)state;
	fight_fenced(ROUNDS, ops, stopper);
	fight_fenced(ROUNDS / 10, pcp_ops, drainer);	/* who is drained without end gets little done */
}

/* A thread that looked its call up just before the tables changed. */
static void a_call_of_an_old_table_is_right_for_the_new_store(void **state)
{
	static const struct { const char *name, *value; } switches[] = {
		{ "slub.freelist_hardened", "on" }, { "slub.fastpath", "cmpxchg" }, { "slab.owner_map", "on" },
		{ "slab.init_on_free", "on" }, { "slab.engine", "slab" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		struct lab *lab = test_lab("mem=16M,cpus=2");
		struct cpu_calls old;
		struct cpu *cpu;
		void *p[40], *q;

		assert_int_equal(cpu_bind(lab, 0, &cpu), 0);
		old = cpu->calls;
		for (size_t k = 0; k < ARRAY_SIZE(p); k++)
			p[k] = old.kmalloc(cpu, 64);
		old.kfree(cpu, p[0]);
		memset(p[1], 0x5a, 64);
		assert_int_equal(op_set(lab, switches[i].name, switches[i].value), 0);
		/* the first call that comes is one of the old table */
		if (!strcmp(switches[i].name, "slab.init_on_free")) {
			old.kfree(cpu, p[1]);
			assert_int_equal(((unsigned char *)p[1])[8], 0);
		} else {
			q = old.kmalloc(cpu, 64);
			assert_non_null(q);
			old.kfree(cpu, p[1]);
			cpu->calls.kfree(cpu, q);
		}
		for (size_t k = 2; k < ARRAY_SIZE(p); k++)
			cpu->calls.kfree(cpu, p[k]);
		assert_int_equal(lab_check(lab), 0);
		cpu_unbind(cpu);
		lab_drop(lab);
	}
}

/* ---- the lock: given back by a plain store and a look at who sleeps ---- */

#define CONTENDERS 8u
#define TURNS (ROUNDS / 100)

struct contest {
	struct lab *lab;	/* so that the process is registered with membarrier */
	struct lock lock;
	uint64_t plain;		/* written by the holder, without atomics */
};

static void *contend(void *arg)
{
	struct contest *c = arg;
	struct cpu cpu = { .alone = false };

	for (uint64_t i = 0; i < TURNS; i++) {
		lock_take(&cpu, &c->lock, true);
		/* others spin in vain and go to sleep */
		if (i % 64 == 0)
			sched_yield();
		c->plain++;
		lock_give(&cpu, &c->lock);
	}
	return NULL;
}

static void a_lock_excludes_and_wakes(void **state)
{
	struct contest c = { .lock.rank = RANK_ZONE };
	pthread_t threads[CONTENDERS];

	(void)state;
	c.lab = test_lab("mem=16M,cpus=1");
	for (unsigned int i = 0; i < CONTENDERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, contend, &c), 0);
	for (unsigned int i = 0; i < CONTENDERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(c.plain, CONTENDERS * (uint64_t)TURNS);
	assert_int_equal(c.lock.acquired, c.plain);
	assert_int_not_equal(c.lock.contended, 0);
	assert_true(lock_is_idle(&c.lock, RANK_ZONE));
	lab_drop(c.lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stopped_cpu_is_in_no_op),
		cmocka_unit_test(a_drained_cpu_is_not_at_its_lists),
		cmocka_unit_test(a_fenced_cpu_stops_too),
		cmocka_unit_test(a_call_of_an_old_table_is_right_for_the_new_store),
		cmocka_unit_test(a_lock_excludes_and_wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
