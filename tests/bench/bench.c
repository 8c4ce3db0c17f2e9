/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench - start every contender, interleaved, and print what came of it.
 *
 *   bench [--rounds N] TRACE [SLABLAB]   TRACE: a trace for the reading works,
 *                                        SLABLAB: the program, for replay
 *   bench --frames                       frames of the full-screen view alone
 *   bench --contender NAME               one contender's works (used by the first form)
 */
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS_MAX 31
#define ROWS_MAX 32
#define REPLAY_EVENTS 1000000ul

struct contender {
	const char *name, *set;
	const char *library;	/* preloaded; must be there, else the contender is left out */
	bool there;
	unsigned int nr;
	double ns[ROWS_MAX][ROUNDS_MAX];
};

static struct contender contenders[] = {
	{ .name = "slablab", .set = "slablab" },
	{ .name = "bare list", .set = "list" },
	{ .name = "eng. slab", .set = "slab" },
	{ .name = "slqb", .set = "slqb" },
	{ .name = "sheaves", .set = "sheaves" },
	{ .name = "glibc", .set = "malloc" },
	{ .name = "jemalloc", .set = "malloc", .library = "libjemalloc.so.2" },
	{ .name = "mimalloc", .set = "malloc", .library = "libmimalloc.so.2" },
	{ .name = "tcmalloc", .set = "malloc", .library = "libtcmalloc_minimal.so.4" },
	{ .name = "tc sized", .set = "sized", .library = "libtcmalloc_minimal.so.4" },
};
#define FIRST_PEER 5	/* what stands before is ours */
#define NR (sizeof(contenders) / sizeof(*contenders))

static struct row {
	char work[16];
	unsigned long param;
} rows[ROWS_MAX];
static unsigned int rows_nr;

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

static bool library_there(const char *name)
{
	char command[128];

	snprintf(command, sizeof(command), "/sbin/ldconfig -p | grep -q '%s '", name);
	return system(command) == 0;
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
	return rows_nr++;
}

/* One process of one contender; its lines go into round `round`. */
static int run_contender(const char *self, struct contender *c, unsigned int round)
{
	char command[4352], work[16];
	unsigned long param;
	double ns;
	FILE *f;

	snprintf(command, sizeof(command), "%s%s '%s' --contender %s", c->library ? "LD_PRELOAD=" : "",
		 c->library ? c->library : "", self, c->set);
	f = popen(command, "r");
	if (!f)
		return 1;
	while (fscanf(f, "%15s %lu %lf", work, &param, &ns) == 3)
		c->ns[row_of(work, param)][round] = ns;
	c->nr = round + 1;
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

static int run_all(const char *self, unsigned int rounds)
{
	unsigned int order[NR];

	for (unsigned int i = 0; i < NR; i++) {
		order[i] = i;
		contenders[i].there = !contenders[i].library || library_there(contenders[i].library);
	}
	for (unsigned int r = 0; r < rounds; r++) {
		shuffle(order, NR);
		for (unsigned int i = 0; i < NR; i++)
			if (contenders[order[i]].there && run_contender(self, &contenders[order[i]], r))
				return fprintf(stderr, "bench: %s failed\n", contenders[order[i]].name), 1;
	}
	return 0;
}

static const char *row_name(const struct row *r)
{
	static char name[64];

	if (!strcmp(r->work, "loop"))
		snprintf(name, sizeof(name), "loop of %lu, 256 bytes", r->param);
	else if (!strcmp(r->work, "pair"))
		snprintf(name, sizeof(name), "pair, %lu bytes", r->param);
	else
		snprintf(name, sizeof(name), r->param == 1 ? "page, single" : "pages, loop of %lu", r->param);
	return name;
}

/* slablab's figure beside the bare list's, and beside that of the fastest peer, which is named. */
static void print_ratios(const double *ns)
{
	unsigned int best = 0;

	for (unsigned int i = FIRST_PEER; i < NR; i++)
		if (contenders[i].there && (!best || ns[i] < ns[best]))
			best = i;
	printf(" %7.2f %7.2f %s\n", ns[0] / ns[1], ns[0] / ns[best], contenders[best].name);
}

static void print_table(unsigned int rounds)
{
	printf("ns for one allocation and its free; median of %u processes each, interleaved\n", rounds);
	printf("ratios: slablab to the bare list, slablab to the best peer\n\n%-22s", "");
	for (unsigned int i = 0; i < NR; i++)
		if (contenders[i].there)
			printf(" %9s", contenders[i].name);
	printf("  / list  / best peer\n");
	for (unsigned int r = 0; r < rows_nr; r++) {
		double ns[NR];

		printf("%-22s", row_name(&rows[r]));
		for (unsigned int i = 0; i < NR; i++) {
			ns[i] = median(contenders[i].ns[r], rounds);
			if (contenders[i].there)
				printf(" %9.2f", ns[i]);
		}
		print_ratios(ns);
	}
	for (unsigned int i = 0; i < NR; i++)
		if (!contenders[i].there)
			printf("(%s is not installed: %s)\n", contenders[i].name, contenders[i].library);
	putchar('\n');
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
	if (argc == 3 && !strcmp(argv[1], "--contender"))
		return works_run(argv[2]);
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
