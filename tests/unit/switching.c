/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * switching - every policy of the table switched at random under random work.
 *
 * Idea. Players (things.h) allocate and free whatever a lab can give while
 * policies, overrides and presets are drawn from the table (draw.h), caches
 * come and go, CPUs leave and return. Stepped, the lab is also saved, cloned
 * and put back meanwhile, and equal seeds give equal regions; parallel, each
 * CPU is a thread that frees what others allocated. In between every invariant
 * holds; in the end all that was taken is back, to the page, in every count.
 *
 * SLABLAB_TEST_LONG=N goes through N times as many seeds; SLABLAB_TEST_SEED=S
 * begins at another one. What fails names its seed; SLABLAB_TEST_TELL=1 prints
 * each switch before it is done and looks at everything after it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "draw.h"
#include "things.h"

#include "cpu/cpu.h"
#include "op/tracing.h"
#include "page/lru.h"

#define STEPS 12000u
#define EVERY 40u	/* steps between two switches */
#define LOOK 1500u	/* and between two looks at everything */

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value && atoll(value) > 0 ? (uint64_t)atoll(value) : otherwise;
}

/* Wherever something is slow, fewer of it. */
static uint64_t less(uint64_t n)
{
	return n / setting("SLABLAB_TEST_EVERY", 1);
}

static uint64_t now_seed;	/* named by what fails */
static const char *now_shape;

static void broken(const char *what)
{
	fail_msg("seed %llu, %s: %s", (unsigned long long)now_seed, now_shape, what);
}

static void must_hold(struct lab *lab)
{
	if (lab_check(lab))
		broken(fail_why());
}

/* ---- caches ---- */

static struct cache_request draw_request(uint64_t *rand, char name[16])
{
	static const uint32_t flags[] = { CF_HWCACHE, CF_RCU, CF_ACCOUNT, CF_RECLAIM, CF_DMA, CF_NOLEAK, CF_POISON, CF_REDZONE,
					  CF_USER, CF_CONSIST, CF_TRACE, CF_SPREAD, CF_NOMERGE, CF_FAILSLAB };
	static const uint32_t sizes[] = { 8, 24, 64, 64, 192, 192, 200, 256, 700, 1024, 2048, 4096, 5000, 9000 };
	struct cache_request rq = { .name = name, .size = sizes[rand_below(rand, ARRAY_SIZE(sizes))] };

	if (!rand_below(rand, 3))
		rq.size = 1 + rand_below(rand, 3000);
	if (!rand_below(rand, 4))
		rq.align = 1ULL << rand_below(rand, 8);
	while (!rand_below(rand, 3))
		rq.flags |= flags[rand_below(rand, ARRAY_SIZE(flags))];
	rq.usersize = rand_below(rand, 8) ? 0 : rand_below(rand, rq.size);
	rq.ctor = !rand_below(rand, 8);
	rq.merge = rand_below(rand, 6) ? MERGE_AUTO : MERGE_OFF;
	rq.engine = rand_below(rand, 3) ? 0 : 1 + (int)rand_below(rand, 4);
	rq.sheaf_capacity = rand_below(rand, 4) ? 0 : 1 + (int)rand_below(rand, 60);
	return rq;
}

static void fill_slot(struct storm *s, uint64_t *rand, unsigned int i)
{
	char name[16];
	struct cache_request rq = draw_request(rand, name);
	uint32_t id;
	int ret;

	snprintf(name, sizeof(name), "t%u", i);
	ret = op_cache_create(s->lab, &rq, &id);
	if (ret && ret != -ENOMEM)
		broken(fail_why());
	if (ret)
		return;
	s->slot[i].bytes = (uint32_t)rq.size;
	__atomic_store_n(&s->slot[i].id, id, __ATOMIC_SEQ_CST);
}

/* Its objects, if it has any, stay and are nobody's by name. -EBUSY where the cache is kept for them. */
static int destroy(struct storm *s, uint32_t id)
{
	struct op op = { .kind = OP_CACHE_DESTROY, .cache = id };
	struct op_result r;

	while (!op_cpu_is_online(s->lab, op.cpu))
		op.cpu++;
	return op_run(s->lab, &op, &r);
}

static void empty_slot(struct storm *s, struct player *p, unsigned int i)
{
	uint32_t id = s->slot[i].id, users = s->slot[i].users;
	int ret;

	if (users && !s->loose)
		return;
	ret = destroy(s, id);
	if (ret && (!users || ret != -EBUSY))
		broken(fail_why());
	if (ret)
		return;
	for (unsigned int t = 0; t < p->nr; t++)
		if (p->live[t].slot == i + 1)
			p->live[t].cache = p->live[t].slot = 0;
	s->slot[i] = (struct slot){ 0 };
}

/* ---- what must be true of a quiet lab ---- */

static uint64_t all_objects(struct lab *lab)
{
	uint32_t cursor = 0, id;
	uint64_t sum = 0;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		sum += cache_objects(lab, id);
	return sum;
}

/* Engine slab keeps the indexes of some slabs in objects of kmalloc. */
static uint64_t own_objects(struct lab *lab)
{
	uint32_t cursor = 0, store;
	uint64_t sum = 0;

	while ((store = store_next(lab, &cursor))) {
		struct store_figures f;

		store_figures(lab, store, &f);
		sum += f.management && !strcmp(f.management, "off-slab") ? f.slabs : 0;
	}
	return sum;
}

static void counts_are_exact(struct storm *s, struct player *players, unsigned int nr)
{
	uint64_t out = own_objects(s->lab);

	for (unsigned int i = 0; i < nr; i++)
		out += players[i].allocs - players[i].frees;
	if (!s->loose && all_objects(s->lab) != out)
		fail_msg("seed %llu: caches count %llu objects, %llu are out", (unsigned long long)now_seed,
			 (unsigned long long)all_objects(s->lab), (unsigned long long)out);
	for (unsigned int i = 0; i < SLOTS && !s->loose; i++)
		if (s->slot[i].id && cache_objects(s->lab, s->slot[i].id) != s->slot[i].users)
			fail_msg("seed %llu: cache t%u counts %llu objects, %u are out", (unsigned long long)now_seed, i,
				 (unsigned long long)cache_objects(s->lab, s->slot[i].id), s->slot[i].users);
}

/* Nobody did anything wrong, so debugging found nothing but what it was told to print. */
static void debugging_is_silent(struct lab *lab)
{
	for (unsigned int m = 0; m < DEBUG_MESSAGE_NR; m++)
		if (m != DEBUG_trace_alloc && m != DEBUG_trace_free && m != DEBUG_remaining && m != DEBUG_still_used &&
		    debug_errors(lab, m))
			fail_msg("seed %llu: debugging reports \"%s\"", (unsigned long long)now_seed, debug_messages[m].text);
}

static void stores_are_empty(struct lab *lab)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor))) {
		struct store_figures f;

		store_figures(lab, store, &f);
		if (f.state != STORE_ACTIVE || f.slabs || f.pages)
			fail_msg("seed %llu: store %llu of %s has %llu slabs%s with nothing out", (unsigned long long)now_seed,
				 (unsigned long long)f.serial, f.name, (unsigned long long)f.slabs,
				 f.state == STORE_DRAINING ? " and drains" : "");
	}
}

static void pages_are_back(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;

		zone_figures(lab, i, true, &z);
		if (z.free != z.managed)
			fail_msg("seed %llu: %llu of zone %u's %llu pages are missing", (unsigned long long)now_seed,
				 (unsigned long long)(z.managed - z.free), i, (unsigned long long)z.managed);
		/* pageblocks that were set aside merge with the next free, and there is none */
		for (unsigned int o = 0; o < (lab->zones[i].unreserved ? pageblock_order(lab) : MAX_PAGE_ORDER); o++)
			if (z.nr_free[o] > 1 + (z.managed >> MAX_PAGE_ORDER << MAX_PAGE_ORDER != z.managed))
				fail_msg("seed %llu: zone %u has %llu blocks of order %u that did not merge", (unsigned long long)now_seed, i,
					 (unsigned long long)z.nr_free[o], o);
	}
}

/* All that was taken was given back: every count and every page says so. */
static void nothing_is_left(struct storm *s, struct player *players, unsigned int nr)
{
	struct lab *lab = s->lab;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		op_cpu_online(lab, i, true);
	counts_are_exact(s, players, nr);
	for (unsigned int i = 0; i < SLOTS; i++)
		if (s->slot[i].id && destroy(s, s->slot[i].id))
			broken(fail_why());
	draw_nothing(lab);
	if (op_set(lab, "buddy.highatomic", "off") || op_set(lab, "slab.engine", "slub"))
		broken(fail_why());
	must_hold(lab);
	op_trim(lab);
	debugging_is_silent(lab);
	stores_are_empty(lab);
	assert_int_equal(reclaim_head(lab)->resident + reclaim_head(lab)->evicted, 0);
	pages_are_back(lab);
	must_hold(lab);
}

/* ---- stepped ---- */

static int play(struct player *p, struct op *op, struct op_result *r)
{
	struct lab *lab = p->s->lab;

	do
		op->cpu = (uint16_t)rand_below(&p->rand, lab->nr_cpus);
	while (!op_cpu_is_online(lab, op->cpu));
	return rand_below(&p->rand, 50) ? op_play(lab, op, r) : op_run(lab, op, r);
}

/* A state to go back to: the lab's, and the player's own of the same moment. */
struct moment {
	struct snapshot *snap;
	struct storm storm;
	struct player player;
};

static void remember(struct moment *m, struct storm *s, struct player *p)
{
	snapshot_free(m->snap);
	m->snap = NULL;
	if (lab_snapshot(s->lab, &m->snap))
		broken(fail_why());
	m->storm = *s;
	m->player = *p;
}

static void go_back(struct moment *m, struct storm *s, struct player *p)
{
	uint64_t rand = p->rand;

	if (lab_restore(s->lab, m->snap))
		broken(fail_why());
	*s = m->storm;
	*p = m->player;
	p->rand = rand;		/* another way on from there */
}

/* Another lab with the same in it is emptied the same way. */
static void empty_twin(struct lab *twin, struct storm *s, struct player *p)
{
	static struct player other;
	struct storm there = *s;

	if (lab_hash(twin) != lab_hash(s->lab))
		broken("a copy of the lab differs from it");
	must_hold(twin);
	there.lab = twin;
	other = *p;
	other.s = &there;
	for (unsigned int i = 0; i < other.nr; i++)
		if (other.live[i].kind == THING_LRU)
			thing_read_back(&other, &other.live[i]);
	give_all(&other);
	if (other.broken[0])
		broken(other.broken);
	nothing_is_left(&there, &other, 1);
	lab_drop(twin);
}

static void clone_and_empty(struct storm *s, struct player *p)
{
	struct lab *twin;

	if (lab_clone(s->lab, "twin", &twin))
		broken(fail_why());
	empty_twin(twin, s, p);
}

static void save_and_load(struct storm *s, struct player *p)
{
	char path[128];
	struct lab *twin;

	snprintf(path, sizeof(path), "%s/switching-%d.lab", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
	if (lab_save(s->lab, path) || lab_load(path, "twin", NULL, &twin))
		broken(fail_why());
	unlink(path);
	empty_twin(twin, s, p);
}

static void toggle_telling(struct lab *lab, uint64_t *rand)
{
	switch (rand_below(rand, 4)) {
	case 0:
		op_trace_on(lab, NULL, 0, 1024);
		break;
	case 1:
		op_trace_off(lab);
		break;
	default:
		op_latency(lab, (enum op_latency)rand_below(rand, 3));
	}
}

static void timers_and_cpus(struct storm *s, struct player *p)
{
	struct op op = { .kind = OP_CACHE_SHRINK, .node = -1 };
	struct op_result r;
	int ret;

	switch (rand_below(&p->rand, 6)) {
	case 0:
		op_sleep(s->lab, rand_below(&p->rand, 5000000000));
		break;
	case 1:
		if (!rand_below(&p->rand, 4))
			op_trim(s->lab);
		break;
	case 2:
		op.kind = OP_CACHE_REAP;
		op.n = 1 + rand_below(&p->rand, 2);
		/* fall through */
	case 3:
		op.cache = draw_cache(s->lab, &p->rand);
		p->run(p, &op, &r);	/* a reap is refused where the engine has none */
		break;
	default:
		ret = op_cpu_online(s->lab, (unsigned int)rand_below(&p->rand, s->lab->nr_cpus), rand_below(&p->rand, 3) != 0);
		if (ret && ret != -EBUSY)
			broken(fail_why());
	}
}

static void change_something(struct storm *s, struct player *p)
{
	unsigned int i = (unsigned int)rand_below(&p->rand, SLOTS);

	switch (rand_below(&p->rand, 12)) {
	case 0:
	case 1:
		s->slot[i].id ? empty_slot(s, p, i) : fill_slot(s, &p->rand, i);
		break;
	case 2:
		timers_and_cpus(s, p);
		break;
	case 3:
		if (!rand_below(&p->rand, 4))
			toggle_telling(s->lab, &p->rand);
		break;
	default:
		draw_switch(s->lab, &p->rand);
	}
}

static void look(struct storm *s, struct player *p)
{
	must_hold(s->lab);
	debugging_is_silent(s->lab);
	counts_are_exact(s, p, 1);
}

static void look_and_copy(struct storm *s, struct player *p, struct moment *m)
{
	look(s, p);
	switch (rand_below(&p->rand, 8)) {
	case 0:
	case 1:
		remember(m, s, p);
		break;
	case 2:
		if (m->snap)
			go_back(m, s, p);
		must_hold(s->lab);
		break;
	case 3:
		clone_and_empty(s, p);
		break;
	case 4:
		if (s->lab->arena_bytes <= 16 << 20 && !rand_below(&p->rand, 3))
			save_and_load(s, p);	/* a large one takes long */
		break;
	default:
		break;
	}
}

/* What of the path taken is seen: equal for equal ones. */
static uint64_t stepped(const char *shape, uint64_t seed, uint64_t steps)
{
	static struct player p;
	static struct moment m;
	struct storm s = { .lab = test_lab(shape), .loose = seed & 1 };
	bool tell = setting("SLABLAB_TEST_TELL", 0);
	uint64_t path = 0;

	now_seed = seed;
	now_shape = shape;
	if (getenv("SLABLAB_TEST_LONG"))
		print_message("seed %llu, %s\n", (unsigned long long)seed, shape);
	memset(&p, 0, sizeof(p));
	snapshot_free(m.snap);
	m.snap = NULL;
	p.s = &s;
	p.run = play;
	p.rand = seed;
	draw_turn = (unsigned int)seed * 25;
	p.most_pages = s.lab->arena_bytes >> (PAGE_SHIFT + 1) << (seed / 2 % 2);	/* all of it, every second seed */
	for (unsigned int i = 0; i < SLOTS / 2; i++)
		fill_slot(&s, &p.rand, i);
	for (uint64_t i = 1; i <= steps && !p.broken[0]; i++) {
		player_step(&p, i / 3000 % 2 == 0);
		if (i % EVERY == 0) {
			if (tell)
				look(&s, &p);
			change_something(&s, &p);
			if (tell)
				look(&s, &p);
		}
		if (i % LOOK == 0) {
			look_and_copy(&s, &p, &m);
			path = (path ^ lab_hash(s.lab)) * 0x9e3779b97f4a7c15ULL;
		}
	}
	give_all(&p);
	if (p.broken[0])
		broken(p.broken);
	nothing_is_left(&s, &p, 1);
	lab_drop(s.lab);
	return path;
}

static const char *const shapes[] = {
	"mem=32M,cpus=4", "mem=32M,cpus=4,nodes=2", "mem=16M,cpus=2,possible=4", "zones=DMA:16M:3840p+DMA32:8M+Normal:12M:3000p,cpus=3",
	"mem=12M,cpus=1", "mem=48M,cpus=8,nodes=4,pageblock_order=3",
};

static void every_policy_may_change_under_what_is_out(void **state)
{
	uint64_t first = setting("SLABLAB_TEST_SEED", 1);

	(void)state;
	for (uint64_t n = 0; n < 12 * setting("SLABLAB_TEST_LONG", 1); n++)
		stepped(shapes[(first + n) % ARRAY_SIZE(shapes)], first + n, less(STEPS));
}

/* One place calls for all: the region holds call stacks, and those end here. */
static void equal_seeds_go_equal_ways(void **state)
{
	uint64_t first = setting("SLABLAB_TEST_SEED", 1) + 1000, path[3];

	(void)state;
	for (uint64_t n = 0; n < setting("SLABLAB_TEST_LONG", 1); n++) {
		for (unsigned int i = 0; i < 3; i++)
			path[i] = stepped(shapes[(first + n) % ARRAY_SIZE(shapes)], first + n + i / 2, less(STEPS));
		if (path[0] != path[1])
			broken("of two runs with the seed before it the second went another way");
		assert_true(path[0] != path[2]);
	}
}

static void every_policy_was_switched(void **state)
{
	(void)state;
	if (setting("SLABLAB_TEST_EVERY", 1) == 1)
		draw_left_out_nothing();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_may_change_under_what_is_out),
		cmocka_unit_test(equal_seeds_go_equal_ways),
		cmocka_unit_test(every_policy_was_switched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
