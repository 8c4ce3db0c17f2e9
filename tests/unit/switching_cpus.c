/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * switching_cpus - every policy switched at random under CPUs that are threads.
 *
 * As switching.c, but each CPU is played by a thread of its own, and what it
 * allocated is often freed by another: things go through a ring for each pair
 * of CPUs. This thread switches policies, makes and destroys caches, takes
 * CPUs that nobody plays in and out, copies the lab and looks at it. A cache
 * is destroyed when its slot has no users left, and then it has to go.
 *
 * Settings by environment as there.
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "quiet.h"

#include "slab/read.h"
#include "view/figure.h"
#include "view/view.h"

#define CPUS_MOST 8u
#define RING 64u
#define STEPS 10000u

/* From one CPU to another: one writes head, the other tail. */
struct ring {
	uint64_t head, tail;
	struct thing v[RING];
} __attribute__((aligned(64)));

static struct ring rings[CPUS_MOST][CPUS_MOST];
static struct player players[CPUS_MOST];

static bool ring_put(struct ring *r, const struct thing *t)
{
	if (r->head - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) == RING)
		return false;
	r->v[r->head % RING] = *t;
	__atomic_store_n(&r->head, r->head + 1, __ATOMIC_RELEASE);
	return true;
}

static bool ring_get(struct ring *r, struct thing *t)
{
	if (r->tail == __atomic_load_n(&r->head, __ATOMIC_ACQUIRE))
		return false;
	*t = r->v[r->tail % RING];
	__atomic_store_n(&r->tail, r->tail + 1, __ATOMIC_RELEASE);
	return true;
}

static int run_here(struct player *p, struct op *op, struct op_result *r)
{
	op->cpu = (uint16_t)p->cpu->id;
	return op_exec(p->cpu, op, r);
}

static int run_for_all(struct player *p, struct op *op, struct op_result *r)
{
	op->cpu = 0;
	return op_run(p->s->lab, op, r);
}

/* ---- the players ---- */

struct crowd {
	struct storm s;
	unsigned int cpus;
	uint64_t steps;
	uint32_t over;		/* players that are done */
	int ret;
};

/* The content is read here and again by whoever gets it. */
static void pass_one(struct player *p, unsigned int to)
{
	struct ring *r = &rings[p->cpu->id][to];
	struct thing t;

	if (!p->nr || r->head - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) == RING)
		return;
	t = player_lose(p, (unsigned int)rand_below(&p->rand, p->nr));
	ring_put(r, &t);
}

static void free_passed(struct player *p, unsigned int from, unsigned int most)
{
	struct thing t;

	while (most-- && ring_get(&rings[from][p->cpu->id], &t)) {
		thing_read_back(p, &t);
		give(p, &t);
	}
}

static void play(struct cpu *cpu, unsigned int id, void *arg)
{
	struct crowd *crowd = arg;
	struct player *p = &players[id];

	p->cpu = cpu;
	for (uint64_t i = 0; i < crowd->steps && !p->broken[0]; i++) {
		player_step(p, i / 2000 % 2 == 0);
		if (i % 5 == 0)
			pass_one(p, (unsigned int)rand_below(&p->rand, crowd->cpus));
		if (i % 6 == 0)
			free_passed(p, (unsigned int)rand_below(&p->rand, crowd->cpus), 2);
	}
	p->cpu = NULL;
	__atomic_add_fetch(&crowd->over, 1, __ATOMIC_RELEASE);
}

static void *run_crowd(void *arg)
{
	struct crowd *crowd = arg;

	__atomic_store_n(&crowd->ret, op_parallel(crowd->s.lab, crowd->cpus, play, crowd), __ATOMIC_RELEASE);
	return NULL;
}

/* ---- who switches meanwhile ---- */

struct control {
	struct crowd *crowd;
	uint64_t rand;
	uint32_t leaving[SLOTS];	/* caches whose slot nobody may begin to use any more */
};

static void turn_slot(struct control *c)
{
	unsigned int i = (unsigned int)rand_below(&c->rand, SLOTS);
	struct storm *s = &c->crowd->s;

	if (s->slot[i].id) {
		c->leaving[i] = s->slot[i].id;
		__atomic_store_n(&s->slot[i].id, 0, __ATOMIC_SEQ_CST);
	} else if (!c->leaving[i]) {
		fill_slot(s, &c->rand, i);
	}
}

/* Those that all users have left. */
static void destroy_left(struct control *c)
{
	struct storm *s = &c->crowd->s;

	for (unsigned int i = 0; i < SLOTS; i++) {
		if (!c->leaving[i] || __atomic_load_n(&s->slot[i].users, __ATOMIC_SEQ_CST))
			continue;
		if (destroy(s, c->leaving[i]))
			broken(fail_why());
		c->leaving[i] = 0;
	}
}

static int ignore(const char *path, const struct figure_value *v, void *arg)
{
	(void)path, (void)v, (void)arg;
	return 0;
}

static void look(struct control *c)
{
	struct lab *lab = c->crowd->s.lab;
	unsigned int nr = 0;
	struct lab *twin;

	switch (rand_below(&c->rand, 5)) {
	case 0:
		while (views[nr])
			nr++;
		json_decref(view_model(lab, views[rand_below(&c->rand, nr)]->name, NULL));	/* some want a name: refused */
		break;
	case 1:
		figure_glob(lab, rand_next(&c->rand) & 1 ? "cache.t*" : "zone.*", ignore, NULL);
		break;
	case 2:
		if (rand_below(&c->rand, 4))
			break;
		if (lab_clone(lab, "twin", &twin))
			broken(fail_why());
		must_hold(twin);
		lab_drop(twin);
		break;
	default:
		must_hold(lab);
		debugging_is_silent(lab);
	}
}

/* Acts on whatever there is: of those only a shrink and a reap name a cache. */
static void act_on_all(struct control *c)
{
	struct lab *lab = c->crowd->s.lab;
	struct op op = { .kind = OP_CACHE_SHRINK, .node = -1, .cpu = (uint16_t)rand_below(&c->rand, c->crowd->cpus) };
	struct op_result r;

	switch (rand_below(&c->rand, 6)) {
	case 0:
		op_sleep(lab, rand_below(&c->rand, 3000000000));
		break;
	case 1:
		op_trim(lab);
		break;
	case 2:
		op_cpu_online(lab, c->crowd->cpus + (unsigned int)rand_below(&c->rand, lab->nr_cpus - c->crowd->cpus),
			      rand_next(&c->rand) & 1);
		break;
	case 3:
		op.kind = OP_CACHE_REAP;
		op.n = 1 + rand_below(&c->rand, 2);
		/* fall through */
	default:
		op.cache = draw_cache(lab, &c->rand);
		op_run(lab, &op, &r);
	}
}

static void control_step(struct control *c)
{
	switch (rand_below(&c->rand, 16)) {
	case 0:
	case 1:
		turn_slot(c);
		break;
	case 2:
		look(c);
		break;
	case 3:
		draw_watching(c->crowd->s.lab, &c->rand);
		break;
	case 4:
		act_on_all(c);
		break;
	default:
		draw_switch(c->crowd->s.lab, &c->rand);
	}
	destroy_left(c);
}

/* ---- the whole ---- */

static void storm_begin(struct crowd *crowd, const char *shape, unsigned int cpus, uint64_t seed)
{
	now_seed = seed;
	now_shape = shape;
	if (getenv("SLABLAB_TEST_LONG"))
		print_message("seed %llu, %s, %u threads\n", (unsigned long long)seed, shape, cpus);
	*crowd = (struct crowd){ .s.lab = test_lab(shape), .cpus = cpus, .steps = less(STEPS) };
	memset(players, 0, sizeof(players));
	memset(rings, 0, sizeof(rings));
	for (unsigned int i = 0; i < cpus; i++)
		players[i] = (struct player){ .s = &crowd->s, .run = run_here, .rand = seed * 100 + i,
					      .most_pages = crowd->s.lab->arena_bytes >> (PAGE_SHIFT + 1 - seed % 2) };
	for (unsigned int i = 0; i < cpus; i++)
		players[i].most_pages /= cpus;
}

static void storm_end(struct crowd *crowd, struct control *c)
{
	struct thing t;

	for (unsigned int i = 0; i < crowd->cpus; i++)
		if (players[i].broken[0])
			broken(players[i].broken);
	must_hold(crowd->s.lab);
	for (unsigned int i = 0; i < crowd->cpus; i++) {
		players[i].run = run_for_all;
		for (unsigned int from = 0; from < crowd->cpus; from++)
			while (ring_get(&rings[from][i], &t))
				give(&players[i], &t);
		give_all(&players[i]);
		if (players[i].broken[0])
			broken(players[i].broken);
	}
	destroy_left(c);
	nothing_is_left(&crowd->s, players, crowd->cpus);
	lab_drop(crowd->s.lab);
}

static void parallel(const char *shape, unsigned int cpus, uint64_t seed)
{
	static struct crowd crowd;
	struct control c = { .crowd = &crowd, .rand = seed };
	pthread_t thread;

	storm_begin(&crowd, shape, cpus, seed);
	for (unsigned int i = 0; i < SLOTS / 2; i++)
		fill_slot(&crowd.s, &c.rand, i);
	assert_int_equal(pthread_create(&thread, NULL, run_crowd, &crowd), 0);
	while (__atomic_load_n(&crowd.over, __ATOMIC_ACQUIRE) < cpus && !__atomic_load_n(&crowd.ret, __ATOMIC_ACQUIRE)) {
		struct timespec pause = { 0, 200000 };

		control_step(&c);
		nanosleep(&pause, NULL);
	}
	pthread_join(thread, NULL);
	assert_int_equal(crowd.ret, 0);
	storm_end(&crowd, &c);
}

static void policies_may_change_under_running_cpus(void **state)
{
	uint64_t first = setting("SLABLAB_TEST_SEED", 1);

	(void)state;
	for (uint64_t n = 0; n < setting("SLABLAB_TEST_LONG", 1); n++) {
		parallel("mem=32M,cpus=4", 2, first + 4 * n);
		parallel("mem=48M,cpus=6,nodes=2", 4, first + 4 * n + 1);
		parallel("mem=16M,cpus=4", 3, first + 4 * n + 2);
		parallel("mem=64M,cpus=10,nodes=2", 8, first + 4 * n + 3);
	}
}

/* ---- frees by others, counted exactly ---- */

static const char *const engine_names[] = { "slub", "slab", "slqb", "sheaves" };
static const enum event_id alloc_events[][3] = {
	{ EV_alloc_fastpath, EV_alloc_slowpath, EV_NR }, { EV_allochit, EV_allocmiss, EV_NR }, { EV_alloc, EV_NR, EV_NR },
	{ EV_alloc_cpu_sheaf, EV_alloc_fastpath, EV_alloc_slowpath },	/* and what fills sheaves */
};
static const enum event_id free_events[][3] = {
	{ EV_free_fastpath, EV_free_slowpath, EV_NR }, { EV_freehit, EV_freemiss, EV_NR }, { EV_free, EV_NR, EV_NR },
	{ EV_free_cpu_sheaf, EV_free_rcu_sheaf, EV_free_slowpath },
};

/* Each allocates for the next, and frees what the one before it allocated. */
static void relay(struct cpu *cpu, unsigned int id, void *arg)
{
	struct crowd *crowd = arg;
	struct player *p = &players[id];
	unsigned int next = (id + 1) % crowd->cpus, before = (id + crowd->cpus - 1) % crowd->cpus;

	p->cpu = cpu;
	while ((p->nr || p->allocs < crowd->steps || p->frees < crowd->steps) && !p->broken[0]) {
		if (p->allocs < crowd->steps && p->nr < 32)
			take_object(p);
		if (p->nr)
			pass_one(p, next);
		free_passed(p, before, 1 + (unsigned int)rand_below(&p->rand, 8));
		if (p->nr == 32)
			sched_yield();	/* the host may have fewer CPUs */
	}
	p->cpu = NULL;
}

static uint64_t sum_of(struct lab *lab, uint32_t cache, const enum event_id ev[3])
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < 3 && ev[i] != EV_NR; i++)
		sum += cache_event(lab, cache, -1, ev[i]);
	return sum;
}

static void events_add_up(struct lab *lab, uint32_t cache, unsigned int engine, uint64_t each)
{
	uint64_t allocs = sum_of(lab, cache, alloc_events[engine]), frees = sum_of(lab, cache, free_events[engine]);

	if (!strcmp(engine_names[engine], "sheaves"))
		assert_true(allocs >= each && frees >= each && cache_event(lab, cache, -1, EV_alloc_cpu_sheaf) <= each);
	else if (allocs != each || frees != each)
		fail_msg("%s: events tell of %llu allocations and %llu frees, there were %llu of each", engine_names[engine],
			 (unsigned long long)allocs, (unsigned long long)frees, (unsigned long long)each);
}

static void relay_race(unsigned int engine, unsigned int cpus)
{
	static struct crowd crowd;
	struct cache_request rq = { .name = "t0", .size = 64 << engine, .engine = 1 + (int)engine, .merge = MERGE_OFF,
				    .sheaf_capacity = 1 + 28 };
	struct control c = { .crowd = &crowd };
	struct cache_figures f;
	uint32_t id;

	storm_begin(&crowd, "mem=32M,cpus=8", cpus, 50 + engine * 10 + cpus);
	crowd.steps = less(5000);
	assert_int_equal(op_cache_create(crowd.s.lab, &rq, &id), 0);
	for (unsigned int i = 0; i < SLOTS; i++)	/* whichever is drawn */
		crowd.s.slot[i] = (struct slot){ .id = id, .bytes = (uint32_t)rq.size };
	assert_int_equal(op_parallel(crowd.s.lab, cpus, relay, &crowd), 0);
	op_sleep(crowd.s.lab, 0);	/* grace periods end */
	cache_figures(crowd.s.lab, id, &f);
	assert_int_equal(f.allocs, cpus * crowd.steps);
	assert_int_equal(f.frees, cpus * crowd.steps);
	events_add_up(crowd.s.lab, id, engine, cpus * crowd.steps);
	for (unsigned int i = 1; i < SLOTS; i++)
		crowd.s.slot[i] = (struct slot){ 0 };
	storm_end(&crowd, &c);
}

static void frees_by_others_are_counted_exactly(void **state)
{
	(void)state;
	for (unsigned int e = 0; e < ARRAY_SIZE(engine_names); e++)
		for (unsigned int cpus = 2; cpus <= CPUS_MOST; cpus *= 2)
			relay_race(e, cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies_may_change_under_running_cpus),
		cmocka_unit_test(frees_by_others_are_counted_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
