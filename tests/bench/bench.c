/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench - start every contender, interleaved, and print what came of it.
 *
 *   bench [--rounds N] TRACE [SLABLAB]   TRACE: a trace for the reading works,
 *                                        SLABLAB: the program, for replay
 *   bench --frames                       frames of the full-screen view alone
 *   bench --contender NAME               one contender's works (used by the first form)
 *   bench --age NAME                     the memory that it needs
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS_MAX 31
#define ROWS_MAX 64
#define REPLAY_EVENTS 1000000ul

struct contender {
	const char *name, *set;
	const char *library;	/* preloaded; must be there, else the contender is left out */
	const char *program;	/* beside this one, instead of this; likewise */
	bool there;
	double ns[ROWS_MAX][ROUNDS_MAX], median[ROWS_MAX];	/* NAN: it has no such work */
};

enum who { SLUB, CMPXCHG, SLAB, SHEAVES, SLQB, LAZY, LIST, GLIBC, JEMALLOC, MIMALLOC, TCMALLOC, TC_SIZED, MEMPOOL, WHO_NR };

static struct contender contenders[WHO_NR] = {
	[SLUB] = { .name = "slub", .set = "slablab" },
	[CMPXCHG] = { .name = "cmpxchg", .set = "cmpxchg" },
	[SLAB] = { .name = "slab", .set = "slab" },
	[SHEAVES] = { .name = "sheaves", .set = "sheaves" },
	[SLQB] = { .name = "slqb", .set = "slqb" },
	[LAZY] = { .name = "lazy", .set = "lazy" },
	[LIST] = { .name = "bare list", .set = "list" },
	[GLIBC] = { .name = "glibc", .set = "malloc" },
	[JEMALLOC] = { .name = "jemalloc", .set = "malloc", .library = "libjemalloc.so.2" },
	[MIMALLOC] = { .name = "mimalloc", .set = "malloc", .library = "libmimalloc.so.2" },
	[TCMALLOC] = { .name = "tcmalloc", .set = "malloc", .library = "libtcmalloc_minimal.so.4" },
	[TC_SIZED] = { .name = "tc sized", .set = "sized", .library = "libtcmalloc_minimal.so.4" },
	[MEMPOOL] = { .name = "mempool", .set = "mempool", .program = "bench-mempool" },	/* DPDK's */
};

static struct row {
	char work[16];
	unsigned long param;
} rows[ROWS_MAX];
static unsigned int rows_nr;

/*
 * What is aimed at, as a ratio to another contender, or of memory to what is
 * live (LIMIT_ONLY). Works that only one host in two can time are ratios, too.
 */
#define LIMIT_ONLY WHO_NR
static const struct target {
	enum who who, to;
	const char *work;
	unsigned long param;
	double most;
} targets[] = {
	{ SLUB, LIST, "loop", 16, 1.6 }, { SLUB, LIST, "loop", 32, 1.6 }, { SLAB, LIST, "loop", 16, 1.6 },
	{ SHEAVES, LIST, "loop", 16, 1.6 }, { SLUB, TCMALLOC, "loop", 250, 2.5 },
	{ SLUB, LIST, "bulk", 16, 1.6 }, { SLUB, LIST, "bulk", 64, 1.6 }, { SLAB, LIST, "bulk", 16, 0.6 },
	{ SLAB, LIST, "bulk", 64, 0.6 }, { SHEAVES, LIST, "bulk", 16, 0.6 }, { SHEAVES, LIST, "bulk", 64, 0.6 },
	{ SLUB, LIST, "pair", 256, 2.8 }, { SLAB, LIST, "pair", 256, 2.8 }, { SHEAVES, LIST, "pair", 256, 2.8 },
	{ SLUB, TC_SIZED, "pair", 256, 1.3 }, { SLUB, TC_SIZED, "pair", 2048, 1.3 },
	{ SLUB, TCMALLOC, "mix", 100000, 1.4 }, { SLAB, TCMALLOC, "mix", 100000, 1.2 }, { SHEAVES, TCMALLOC, "mix", 100000, 1.2 },
	{ SLAB, SLQB, "remote", 256, 1 }, { SHEAVES, SLQB, "remote", 256, 1 }, { SLQB, SLUB, "remote", 256, 1 },
	{ SLUB, MIMALLOC, "remote", 256, 1.25 },
	{ SLUB, LIST, "page", 1, 2.3 }, { SLUB, TCMALLOC, "page", 1, 2.3 }, { SLUB, TCMALLOC, "page", 16, 1.3 },
	{ SLUB, MIMALLOC, "order-4", 1, 4.5 }, { LAZY, MIMALLOC, "order-4", 1, 1.5 },
	{ SLAB, MEMPOOL, "bulk", 16, 2 }, { SLAB, MEMPOOL, "bulk", 64, 2 }, { SLAB, MEMPOOL, "bulk", 128, 2 },
	{ SHEAVES, MEMPOOL, "bulk", 16, 2 }, { SHEAVES, MEMPOOL, "bulk", 64, 2 }, { SHEAVES, MEMPOOL, "bulk", 128, 2 },
	{ SLAB, MEMPOOL, "remote", 256, 2.5 }, { SHEAVES, MEMPOOL, "remote", 256, 2.5 },
	{ SLUB, MEMPOOL, "page", 16, 1.7 }, { SLUB, MEMPOOL, "page-bulk", 16, 4 },
	{ SLUB, LIMIT_ONLY, "age", 1, 1.31 * 1.05 }, { SLUB, LIMIT_ONLY, "age", 2, 2.22 * 1.05 },
	{ SLUB, LIMIT_ONLY, "age", 3, 2.09 * 1.05 }, { SLUB, LIMIT_ONLY, "trimmed", 3, 2.09 * 1.05 },
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n & 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double lower_quartile(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 4];
}

static bool library_there(const char *name)
{
	char command[128];

	snprintf(command, sizeof(command), "/sbin/ldconfig -p | grep -q '%s '", name);
	return system(command) == 0;
}

/* The program of that name in the folder of this one. */
static void beside(const char *self, const char *name, char *path, size_t size)
{
	const char *slash = strrchr(self, '/');

	snprintf(path, size, "%.*s/%s", slash ? (int)(slash - self) : 1, slash ? self : ".", name);
}

static bool is_there(const char *self, const struct contender *c)
{
	char path[4200];

	if (c->library)
		return library_there(c->library);
	if (!c->program)
		return true;
	beside(self, c->program, path, sizeof(path));
	return access(path, X_OK) == 0;
}

static void forget(unsigned int row)
{
	for (unsigned int i = 0; i < WHO_NR; i++)
		for (unsigned int r = 0; r < ROUNDS_MAX; r++)
			contenders[i].ns[row][r] = NAN;
}

static unsigned int row_of(const char *work, unsigned long param)
{
	for (unsigned int i = 0; i < rows_nr; i++)
		if (!strcmp(rows[i].work, work) && rows[i].param == param)
			return i;
	if (rows_nr == ROWS_MAX)
		return ROWS_MAX - 1;
	snprintf(rows[rows_nr].work, sizeof(rows[0].work), "%s", work);
	rows[rows_nr].param = param;
	forget(rows_nr);
	return rows_nr++;
}

/* One process of one contender; its lines go into round `round`. */
static int run_contender(const char *self, struct contender *c, unsigned int round, const char *what)
{
	char command[4352], work[16], program[4200];
	unsigned long param;
	double ns;
	FILE *f;

	if (c->program)
		beside(self, c->program, program, sizeof(program));
	snprintf(command, sizeof(command), "%s%s '%s' --%s %s", c->library ? "LD_PRELOAD=" : "",
		 c->library ? c->library : "", c->program ? program : self, what, c->set);
	f = popen(command, "r");
	if (!f)
		return 1;
	while (fscanf(f, "%15s %lu %lf", work, &param, &ns) == 3)
		c->ns[row_of(work, param)][round] = ns;
	return pclose(f) != 0;
}

static void shuffle(unsigned int *order, unsigned int n)
{
	for (unsigned int i = n - 1; i; i--) {
		unsigned int j = (unsigned int)random() % (i + 1), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
}

/* Memory is the same each time: once will do. A bare list has one size, and lazy coalescing changes no objects. */
static bool ages(enum who who)
{
	return who != LIST && who != LAZY && who != CMPXCHG && who != MEMPOOL;
}

static bool is_memory(const char *work)
{
	return !strcmp(work, "age") || !strcmp(work, "trimmed");
}

static int run_all(const char *self, unsigned int rounds)
{
	unsigned int order[WHO_NR];

	for (unsigned int i = 0; i < WHO_NR; i++) {
		order[i] = i;
		contenders[i].there = is_there(self, &contenders[i]);
	}
	for (unsigned int r = 0; r <= rounds; r++) {
		shuffle(order, WHO_NR);
		for (unsigned int i = 0; i < WHO_NR; i++) {
			struct contender *c = &contenders[order[i]];

			if (!c->there || (r == rounds && !ages(order[i])))
				continue;
			if (!run_contender(self, c, r == rounds ? 0 : r, r == rounds ? "age" : "contender"))
				continue;
			c->there = !c->program;	/* a peer whose surroundings this host has not */
			if (c->there)
				return fprintf(stderr, "bench: %s failed\n", c->name), 1;
		}
	}
	for (unsigned int i = 0; i < WHO_NR; i++)
		for (unsigned int row = 0; row < rows_nr; row++)
			contenders[i].median[row] = isnan(contenders[i].ns[row][0]) ? NAN :
				median(contenders[i].ns[row], is_memory(rows[row].work) ? 1 : rounds);
	return 0;
}

static const char *row_name(const char *work, unsigned long param)
{
	static const struct { const char *work, *words; } names[] = {
		{ "loop", "loop of %lu" }, { "bulk", "bulk of %lu" }, { "pair", "pair, %lu bytes" }, { "mix", "mix of %lu objects" },
		{ "remote", "freed by another CPU" }, { "page", "pages, loop of %lu" }, { "page-bulk", "pages, bulk of %lu" },
		{ "order-4", "order 4, single" }, { "age", "memory/live, phase %lu" },
		{ "trimmed", "phase %lu, trimmed" },
	};
	static char name[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(work, names[i].work))
			snprintf(name, sizeof(name), names[i].words, param);
	return name;
}

static void print_figures(double (*figure)(unsigned int who, unsigned int row))
{
	printf("%-22s", "");
	for (unsigned int i = 0; i < WHO_NR; i++)
		if (contenders[i].there)
			printf(" %9s", contenders[i].name);
	putchar('\n');
	for (unsigned int r = 0; r < rows_nr; r++) {
		printf("%-22s", row_name(rows[r].work, rows[r].param));
		for (unsigned int i = 0; i < WHO_NR; i++) {
			double v = figure(i, r);

			if (contenders[i].there && isnan(v))
				printf(" %9s", "-");
			else if (contenders[i].there)
				printf(" %9.2f", v);
		}
		putchar('\n');
	}
	putchar('\n');
}

static double plain_figure(unsigned int who, unsigned int row)
{
	return contenders[who].median[row];
}

static double ratio_to_list(unsigned int who, unsigned int row)
{
	return contenders[who].median[row] / contenders[LIST].median[row];
}

static void print_targets(void)
{
	unsigned int met = 0, asked = 0;

	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		const struct target *t = &targets[i];
		unsigned int row = row_of(t->work, t->param);
		double v = contenders[t->who].median[row] / (t->to == LIMIT_ONLY ? 1 : contenders[t->to].median[row]);

		if (isnan(v))
			continue;
		asked++;
		met += v <= t->most;
		if (v > t->most)
			printf("missed: %s, %s: %.2f%s%s, not %.2f\n", contenders[t->who].name, row_name(t->work, t->param), v,
			       t->to == LIMIT_ONLY ? "" : " times ", t->to == LIMIT_ONLY ? "" : contenders[t->to].name, t->most);
	}
	printf("%u of %u targets met\n\n", met, asked);
}

static void print_table(unsigned int rounds)
{
	printf("ns for one allocation and its free; median of %u processes each, interleaved\n\n", rounds);
	print_figures(plain_figure);
	printf("ratios to the bare list\n\n");
	print_figures(ratio_to_list);
	print_targets();
	for (unsigned int i = 0; i < WHO_NR; i++)
		if (!contenders[i].there)
			printf("(%s is not installed: %s)\n", contenders[i].name,
			       contenders[i].library ? contenders[i].library : contenders[i].program);
}

static int print_metadata(const char *self)
{
	char command[4352];
	double percent;
	FILE *f;
	int got;

	snprintf(command, sizeof(command), "'%s' --contender metadata", self);
	f = popen(command, "r");
	got = f ? fscanf(f, "metadata 0 %lf", &percent) : 0;
	if (!f || pclose(f) || got != 1)
		return fprintf(stderr, "bench: metadata failed\n"), 1;
	printf("%-34s %8.2f %% of the managed memory\n\n", "metadata, every page in use", percent);
	return 0;
}

/* Wall time of the program replaying a written trace, all of it: reading, object table, allocators. */
static int time_replay(const char *program)
{
	char path[] = "/tmp/slablab-bench-XXXXXX", command[1024];
	double ns[5];
	int fd = mkstemp(path), bad = 0;

	if (fd < 0 || close(fd) || trace_write(path, REPLAY_EVENTS))
		return 1;
	snprintf(command, sizeof(command), "'%s' -q replay %s >/dev/null", program, path);
	for (int i = 0; i < 5 && !bad; i++) {
		uint64_t began = now_ns();

		bad = system(command);
		ns[i] = (double)(now_ns() - began);
	}
	unlink(path);
	if (bad)
		return fprintf(stderr, "bench: %s replay failed\n", program), 1;
	printf("%-34s %8.2f million events a second\n", "replayed, from start to exit", (double)REPLAY_EVENTS / median(ns, 5) * 1e3);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int rounds = 5;
	char self[4096] = "";

	if (argc == 2 && !strcmp(argv[1], "--frames"))
		return frame_works();
	if (argc == 3 && (!strcmp(argv[1], "--contender") || !strcmp(argv[1], "--age")))
		return works_run(argv[2], !strcmp(argv[1], "--age"));
	if (argc > 2 && !strcmp(argv[1], "--rounds")) {
		rounds = (unsigned int)strtoul(argv[2], NULL, 0);
		argv += 2;
		argc -= 2;
	}
	if (argc < 2 || argc > 3 || !rounds || rounds > ROUNDS_MAX)
		return fprintf(stderr, "usage: bench [--rounds N] TRACE [SLABLAB]\n"), 2;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || run_all(self, rounds))
		return 1;
	print_table(rounds);
	if (print_metadata(self) || frame_works() || trace_works(argv[1]))
		return 1;
	return argc == 3 ? time_replay(argv[2]) : 0;
}
