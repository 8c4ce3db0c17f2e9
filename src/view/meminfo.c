/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meminfo - where the memory is, as /proc/meminfo, line for line.
 *
 * Units. kB, as the kernel prints it, but for the HugePages_ counts.
 */
#include "view/list.h"
#include "view/look.h"

#include <string.h>

#include "base/bits.h"

/* What the lines are made of, in pages. */
struct sums {
	uint64_t managed, free, reserve, low;
	uint64_t reclaimable, unreclaimable;
};

/* The pages of a zone that a request from elsewhere in the system may not count on. */
static uint64_t zone_reserve(const struct zone_figures *z)
{
	uint64_t most = 0;

	for (unsigned int k = 0; k < ZONE_KINDS; k++)
		most = max_u64(most, (uint64_t)z->protection[k]);
	return min_u64(most + z->high + z->boost, z->managed);
}

static void sums_take(struct lab *lab, struct sums *s)
{
	uint64_t reclaimable, unreclaimable;
	struct zone_figures z;

	memset(s, 0, sizeof(*s));
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		s->managed += z.managed;
		s->free += z.free_seen;
		s->reserve += zone_reserve(&z);
		s->low += z.low + z.boost;
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		node_slab_pages(lab, n, &reclaimable, &unreclaimable);
		s->reclaimable += reclaimable;
		s->unreclaimable += unreclaimable;
	}
}

/*
 * An estimate of what could be had without swapping: half of what can be
 * reclaimed stays. (Page cache would count like reclaimable slabs.)
 */
static uint64_t available(const struct sums *s)
{
	int64_t n = (int64_t)s->free - (int64_t)s->reserve;

	n += (int64_t)(s->reclaimable - min_u64(s->reclaimable / 2, s->low));
	return n < 0 ? 0 : (uint64_t)n;
}

static uint64_t commit_limit(const struct sums *s)
{
	return s->managed / 2;
}

static uint64_t slab_pages(const struct sums *s)
{
	return s->reclaimable + s->unreclaimable;
}

#define FIELD_OF(name) static uint64_t name##_of(const struct sums *s) { return s->name; }
FIELD_OF(managed)
FIELD_OF(free)
FIELD_OF(reclaimable)
FIELD_OF(unreclaimable)

/* A line: P is made of pages, K a number of kB that never changes (0: the lab has no such thing). */
#define P(name, pages) { name, pages, 0 },
#define K(name, kb) { name, NULL, kb },
static const struct line {
	const char *name;
	uint64_t (*pages)(const struct sums *s);
	uint64_t kb;
} lines[] = {
	P("MemTotal", managed_of) P("MemFree", free_of) P("MemAvailable", available)
	K("Buffers", 0) K("Cached", 0) K("SwapCached", 0)
	K("Active", 0) K("Inactive", 0) K("Active(anon)", 0) K("Inactive(anon)", 0)
	K("Active(file)", 0) K("Inactive(file)", 0)
	K("Unevictable", 0) K("Mlocked", 0) K("SwapTotal", 0) K("SwapFree", 0) K("Zswap", 0) K("Zswapped", 0)
	K("Dirty", 0) K("Writeback", 0) K("AnonPages", 0) K("Mapped", 0) K("Shmem", 0)
	P("KReclaimable", reclaimable_of) P("Slab", slab_pages)
	P("SReclaimable", reclaimable_of) P("SUnreclaim", unreclaimable_of)
	K("KernelStack", 0) K("PageTables", 0) K("SecPageTables", 0) K("NFS_Unstable", 0) K("Bounce", 0)
	K("WritebackTmp", 0) P("CommitLimit", commit_limit) K("Committed_AS", 0)
	K("VmallocTotal", 34359738367ULL) K("VmallocUsed", 0) K("VmallocChunk", 0) K("Percpu", 0)
	K("HardwareCorrupted", 0) K("AnonHugePages", 0) K("ShmemHugePages", 0) K("ShmemPmdMapped", 0)
	K("FileHugePages", 0) K("FilePmdMapped", 0)
	K("HugePages_Total", 0) K("HugePages_Free", 0) K("HugePages_Rsvd", 0) K("HugePages_Surp", 0)
	K("Hugepagesize", 2048) K("Hugetlb", 0)
	K("DirectMap4k", 0) K("DirectMap2M", 0) K("DirectMap1G", 0)
};

static json_t *meminfo_model(struct lab *lab, const struct view_args *args)
{
	struct sums s;
	json_t *o;

	if (look_begin(lab, args, "meminfo", 0))
		return NULL;
	sums_take(lab, &s);
	look_end(lab, NULL);
	o = json_object();
	for (unsigned int i = 0; i < ARRAY_SIZE(lines); i++)
		look_set(o, lines[i].name, lines[i].pages ? lines[i].pages(&s) * (PAGE_SIZE / 1024)
							  : lines[i].kb);
	return o;
}

static void meminfo_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const char *name;
	json_t *n;

	(void)args;
	json_object_foreach((json_t *)model, name, n) {
		unsigned long long value = (unsigned long long)json_integer_value(n);
		char colon[64];

		snprintf(colon, sizeof(colon), "%s:", name);
		if (!strncmp(name, "HugePages_", 10))
			fprintf(to, "%-16s   %5llu\n", colon, value);
		else if (!strcmp(name, "HardwareCorrupted"))
			fprintf(to, "%s %5llu kB\n", colon, value);
		else
			fprintf(to, "%-16s%8llu kB\n", colon, value);
	}
}

const struct view view_meminfo = {
	.name = "meminfo",
	.summary = "where the lab's memory is, in the kernel's format",
	.usage = "",
	.model = meminfo_model,
	.text = meminfo_text,
};
