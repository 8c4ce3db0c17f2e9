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

#include "quiet.h"


#define STEPS 9000u
#define EVERY 40u	/* steps between two switches */
#define LOOK 1500u	/* and between two looks at everything */

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

/* Its objects, if it has any, stay and are nobody's by name. */
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
			draw_watching(s->lab, &p->rand);
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
	for (uint64_t n = 0; n < 2 * ARRAY_SIZE(shapes) * setting("SLABLAB_TEST_LONG", 1); n++)
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
	/* a value drawn may be the one that is there: some seeds more, if a row had such luck each time */
	for (uint64_t seed = 2000; draw_left_out() && seed < 2010; seed++)
		stepped(shapes[seed % ARRAY_SIZE(shapes)], seed, less(STEPS));
	if (setting("SLABLAB_TEST_EVERY", 1) == 1 && draw_left_out())
		fail_msg("nothing ever switched %s", draw_left_out());
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
