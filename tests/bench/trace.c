/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace - how fast trace text is read, beside finding its lines at all.
 *
 * The bundled trace is unpacked into memory first and repeated to some 100 MB,
 * so that neither the disk nor the unpacking is in the figures.
 */
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/trace.h"

#define REPEATS 8

struct text {
	char *bytes;
	size_t len;
	uint64_t lines;
};

static struct text text_load(const char *path)
{
	struct text t = { .len = 0 };
	size_t cap = 64u << 20;
	gzFile f = gzopen(path, "rb");
	int got;

	t.bytes = malloc(cap * REPEATS);
	while (f && t.bytes && (got = gzread(f, t.bytes + t.len, (unsigned int)(cap - t.len))) > 0)
		t.len += (size_t)got;
	if (f)
		gzclose(f);
	for (int i = 1; i < REPEATS && t.len; i++)
		memcpy(t.bytes + (size_t)i * t.len, t.bytes, t.len);
	t.len *= REPEATS;
	return t;
}

static uint64_t count_lines(const struct text *t)
{
	const char *p = t->bytes, *end = p + t->len;
	uint64_t n = 0;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		n++;
	}
	return n;
}

/* The number after `word`, 0 without it. */
static uint64_t number_after(const char *line, const char *word, int base)
{
	const char *at = strstr(line, word);

	return at ? strtoull(at + strlen(word), NULL, base) : 0;
}

/* What a plain C tool does: a copy of the line, then a search for each field. */
static uint64_t scan_lines(const struct text *t)
{
	const char *p = t->bytes, *end = p + t->len, *nl;
	uint64_t sum = 0;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		char line[512];
		size_t len = (size_t)(nl - p) < sizeof(line) ? (size_t)(nl - p) : sizeof(line) - 1;

		memcpy(line, p, len);
		line[len] = 0;
		if (strstr(line, "kmalloc") || strstr(line, "kmem_cache_alloc"))
			sum += number_after(line, "bytes_req=", 10) + number_after(line, "bytes_alloc=", 10);
		sum += number_after(line, "[", 10) + number_after(line, "ptr=", 16) + number_after(line, "pfn=", 16) +
		       number_after(line, "order=", 10) + number_after(line, "migratetype=", 10);
	}
	return sum;
}

static uint64_t read_records(const struct text *t)
{
	struct trace_reader *r;
	struct trace_record rec;
	uint64_t sum = 0;

	if (trace_open_memory(t->bytes, t->len, &r))
		return 0;
	while (trace_next(r, &rec) > 0)
		sum += rec.ptr + rec.pfn;
	trace_close(r);
	return sum;
}

static const struct reading {
	const char *name;
	uint64_t (*fn)(const struct text *);
} readings[] = {
	{ "slablab's reader, all fields", read_records },
	{ "plain C: strstr, strtoull", scan_lines },
	{ "memchr: the ends of lines alone", count_lines },
};
#define READINGS (sizeof(readings) / sizeof(*readings))
#define TIMES 5

/* The readings in turn; each with its time as so many times slablab's. */
static void read_in_turn(const struct text *t)
{
	double ns[READINGS][TIMES], taken[READINGS];

	for (int i = 0; i < TIMES; i++)
		for (size_t k = 0; k < READINGS; k++) {
			uint64_t began = now_ns();
			volatile uint64_t sink = readings[k].fn(t);

			(void)sink;
			ns[k][i] = (double)(now_ns() - began);
		}
	for (size_t k = 0; k < READINGS; k++)
		taken[k] = median(ns[k], TIMES);
	for (size_t k = 0; k < READINGS; k++)
		printf("%-34s %8.2f million lines a second (slablab takes %.2f times as long)\n", readings[k].name,
		       (double)t->lines / taken[k] * 1e3, taken[0] / taken[k]);
}

int trace_works(const char *path)
{
	struct text t = text_load(path);

	if (!t.len)
		return fprintf(stderr, "bench: cannot read %s\n", path), 1;
	t.lines = count_lines(&t);
	read_in_turn(&t);
	free(t.bytes);
	return 0;
}

/* ---- a synthetic trace ---- */

#define LIVE 60000u	/* objects live at most */

static uint64_t state = 1;
static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(((state >> 33) * (uint64_t)below) >> 31);
}

/* Object `slot` of the table is allocated or freed; even slots by kmalloc, odd ones from a cache, some are pages. */
static void write_event(FILE *f, uint32_t slot, bool free_it, unsigned long n)
{
	static const unsigned int sizes[] = { 32, 64, 192, 256, 512, 1024 };
	unsigned int size = sizes[slot % 6];
	unsigned long long ptr = 0xffff888000000000ull + (unsigned long long)slot * 4096;

	fprintf(f, "            work-%-5u   [%03u] ..... %5lu.%06lu: ", 100 + slot % 7, draw(4), n / 1000000, n % 1000000);
	if (slot % 10 == 9)
		fprintf(f, "mm_page_%s: page=%016llx pfn=0x%x order=0%s\n", free_it ? "free" : "alloc", ptr, 0x1000 + slot,
			free_it ? "" : " migratetype=1 gfp_flags=GFP_HIGHUSER_MOVABLE|__GFP_ZERO");
	else if (slot & 1)
		fprintf(f, free_it ? "kmem_cache_free: call_site=put_%u+0x10/0x40 ptr=%016llx name=bench_%u\n"
				   : "kmem_cache_alloc: call_site=get_%u+0x10/0x40 ptr=%016llx bytes_req=%u bytes_alloc=%u gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
			size, ptr, size, size);
	else
		fprintf(f, free_it ? "kfree: call_site=drop_%u+0x10/0x40 ptr=%016llx\n"
				   : "kmalloc: call_site=make_%u+0x10/0x40 ptr=%016llx bytes_req=%u bytes_alloc=%u gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
			size, ptr, size, size);
}

int trace_write(const char *path, unsigned long events)
{
	static bool live[LIVE];
	FILE *f = fopen(path, "w");

	if (!f)
		return perror(path), 1;
	fprintf(f, "# tracer: nop\n#\n# entries-in-buffer/entries-written: %lu/%lu   #P:4\n#\n", events, events);
	for (unsigned long n = 0; n < events; n++) {
		uint32_t slot = draw(LIVE);

		write_event(f, slot, live[slot], n);
		live[slot] = !live[slot];
	}
	return fclose(f) != 0;
}
