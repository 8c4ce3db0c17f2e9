/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/shape.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "base/units.h"

#define BLOCK_BYTES (BLOCK_PAGES << PAGE_SHIFT)
#define MAX_BLOCKS ((1ULL << 44) / BLOCK_BYTES)	/* 16 TiB */

const char *const zone_kind_names[ZONE_KINDS] = { "DMA", "DMA32", "Normal", "HighMem", "Movable", "Device" };

enum layout { LAYOUT_FLAT, LAYOUT_X86_64 };

/* What the text says, before zones are laid out. */
struct wish {
	uint64_t mem;
	enum layout layout;
	bool has_zones, has_layout, has_nodes;
};

void shape_default(struct shape *s)
{
	memset(s, 0, sizeof(*s));
	s->cpus = s->possible = 4;
	s->nodes = s->zones = 1;
	s->seed = 1;
	s->pageblock_order = 9;
	s->pages = (256ULL << 20) >> PAGE_SHIFT;
	s->zone[0] = (struct shape_zone){ ZONE_NORMAL, 0, (uint32_t)(s->pages / BLOCK_PAGES), s->pages };
}

static int number(const char *key, const char *text, uint64_t min, uint64_t max, uint64_t *n)
{
	int ret = parse_u64(text, n);

	if (ret)
		return fail_in(ret, "%s: ", key);
	if (*n < min || *n > max)
		return fail(ERANGE, "%s=%s is out of range (%llu .. %llu)", key, text,
			    (unsigned long long)min, (unsigned long long)max);
	return 0;
}

/* A size, its range as people write it. */
static int memory(const char *key, const char *text, uint64_t *n)
{
	int ret = parse_u64(text, n);

	if (ret)
		return fail_in(ret, "%s: ", key);
	if (*n < BLOCK_BYTES || *n > MAX_BLOCKS * BLOCK_BYTES)
		return fail(ERANGE, "%s=%s is out of range (4M .. 16T)", key, text);
	return 0;
}

static int add_zone(struct shape *s, unsigned int node, unsigned int kind, uint64_t bytes, uint64_t managed)
{
	uint64_t blocks = bytes / BLOCK_BYTES;

	if (!blocks)
		return 0;
	if (s->zones == MAX_ZONES)
		return fail(ERANGE, "more than %d zones", MAX_ZONES);
	if (s->pages / BLOCK_PAGES + blocks > MAX_BLOCKS)
		return fail(ERANGE, "a lab holds at most 16T");
	s->zone[s->zones++] = (struct shape_zone){
		(uint8_t)kind, (uint8_t)node, (uint32_t)blocks, managed,
	};
	s->pages += blocks * BLOCK_PAGES;
	/* the very last page number means "none" */
	if (s->pages == 1ULL << 32 && s->zone[s->zones - 1].managed == blocks * BLOCK_PAGES)
		s->zone[s->zones - 1].managed--;
	return 0;
}

/* [N<node>.]NAME:SIZE[:MANAGEDp] */
static int parse_zone(struct shape *s, char *text)
{
	unsigned int node = 0, kind;
	char *size, *managed, *name = text;
	uint64_t bytes, pages;
	int n = 0, ret;

	if (sscanf(text, "N%u.%n", &node, &n) == 1 && n)
		name = text + n;
	if (node >= MAX_NODES)
		return fail(ERANGE, "zones=: node %u is out of range (0 .. %d)", node, MAX_NODES - 1);
	size = strchr(name, ':');
	if (!size)
		return fail(EINVAL, "zones=: \"%s\" has no size (write NAME:SIZE, e.g. Normal:240M)", text);
	*size++ = 0;
	for (kind = 0; kind < ZONE_DEVICE; kind++)
		if (!strcasecmp(name, zone_kind_names[kind]))
			break;
	if (kind == ZONE_DEVICE)
		return fail(EINVAL, "zones=: no zone is called \"%s\" (DMA, DMA32, Normal, HighMem, Movable)", name);
	managed = strchr(size, ':');
	if (managed)
		*managed++ = 0;
	ret = memory("zones", size, &bytes);
	if (ret)
		return ret;
	if (bytes % BLOCK_BYTES)
		return fail(EINVAL, "zones=: %s is not a multiple of 4M", size);
	pages = bytes >> PAGE_SHIFT;
	if (managed) {
		size_t len = strlen(managed);

		if (!len || managed[len - 1] != 'p')
			return fail(EINVAL, "zones=: managed pages are written as a number and p, e.g. 3840p");
		managed[len - 1] = 0;
		ret = number("managed pages", managed, 1, pages, &pages);
		if (ret)
			return ret;
	}
	for (unsigned int i = 0; i < s->zones; i++)
		if (s->zone[i].node == node && s->zone[i].kind == kind)
			return fail(EINVAL, "zones=: N%u.%s comes twice", node, name);
	if (s->zones && (s->zone[s->zones - 1].node > node ||
			 (s->zone[s->zones - 1].node == node && s->zone[s->zones - 1].kind > kind)))
		return fail(EINVAL, "zones=: %s stands behind a higher zone (order: node, then DMA, DMA32, Normal, HighMem, Movable)", name);
	if (node >= s->nodes)
		s->nodes = node + 1;
	return add_zone(s, node, kind, bytes, pages);
}

static int parse_zones(struct shape *s, const char *text)
{
	char copy[4096], *save = NULL;

	if (strlen(text) >= sizeof(copy))
		return fail(EINVAL, "zones=: too long");
	strcpy(copy, text);
	s->zones = 0;
	s->pages = 0;
	for (char *z = strtok_r(copy, "+", &save); z; z = strtok_r(NULL, "+", &save)) {
		int ret = parse_zone(s, z);

		if (ret)
			return ret;
	}
	return s->zones ? 0 : fail(EINVAL, "zones= names no zone");
}

/* Zones from mem, nodes and layout. Limits of x86_64 are addresses: the low zones are node 0's. */
static int lay_out(struct shape *s, const struct wish *w)
{
	static const struct { unsigned int kind; uint64_t end; } limits[] = {
		{ ZONE_DMA, 16ULL << 20 }, { ZONE_DMA32, 4ULL << 30 }, { ZONE_NORMAL, UINT64_MAX },
	};
	uint64_t share = w->mem / s->nodes, at = 0;

	if (w->mem % BLOCK_BYTES || share % BLOCK_BYTES || share * s->nodes != w->mem)
		return fail(EINVAL, "%lluM over %u nodes: each node's share must be a multiple of 4M (give mem=)",
			    (unsigned long long)(w->mem >> 20), s->nodes);
	s->zones = 0;
	s->pages = 0;
	for (unsigned int node = 0; node < s->nodes; node++) {
		uint64_t end = at + share;

		for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++) {
			uint64_t to = min_u64(end, w->layout == LAYOUT_FLAT ? UINT64_MAX : limits[i].end);
			unsigned int kind = w->layout == LAYOUT_FLAT ? ZONE_NORMAL : limits[i].kind;
			int ret;

			if (to <= at)
				continue;
			ret = add_zone(s, node, kind, to - at, (to - at) >> PAGE_SHIFT);
			if (ret)
				return ret;
			at = to;
		}
	}
	return 0;
}

static int parse_key(struct shape *s, struct wish *w, const char *key, const char *value)
{
	uint64_t n;
	int ret = 0;

	if (!strcmp(key, "mem")) {
		ret = memory(key, value, &w->mem);
		s->has_mem = true;
	} else if (!strcmp(key, "cpus")) {
		ret = number(key, value, 1, MAX_CPUS, &n);
		s->cpus = (uint32_t)n;
		s->has_cpus = true;
	} else if (!strcmp(key, "possible")) {
		ret = number(key, value, 1, MAX_CPUS, &n);
		s->possible = (uint32_t)n;
		s->has_possible = true;
	} else if (!strcmp(key, "nodes")) {
		ret = number(key, value, 1, MAX_NODES, &n);
		s->nodes = (uint32_t)n;
		w->has_nodes = true;
	} else if (!strcmp(key, "seed")) {
		ret = number(key, value, 0, UINT64_MAX, &s->seed);
	} else if (!strcmp(key, "pageblock_order")) {
		ret = number(key, value, 3, MAX_PAGE_ORDER, &n);
		s->pageblock_order = (uint8_t)n;
		s->has_pageblock_order = true;
	} else if (!strcmp(key, "layout")) {
		w->has_layout = true;
		if (!strcmp(value, "flat"))
			w->layout = LAYOUT_FLAT;
		else if (!strcmp(value, "x86_64"))
			w->layout = LAYOUT_X86_64;
		else
			return fail(EINVAL, "layout=%s: it is flat or x86_64", value);
	} else if (!strcmp(key, "clock")) {
		if (strcmp(value, "virtual") && strcmp(value, "real"))
			return fail(EINVAL, "clock=%s: it is virtual or real", value);
		s->clock_real = !strcmp(value, "real");
	} else if (!strcmp(key, "zones")) {
		w->has_zones = true;
	} else {
		return fail(EINVAL, "a lab has no \"%s\" (mem, cpus, nodes, layout, zones, possible, pageblock_order, seed, clock)", key);
	}
	return ret;
}

int shape_parse(struct shape *shape, const char *text)
{
	struct shape s = *shape;
	struct wish w = { .mem = s.pages << PAGE_SHIFT };
	char copy[8192], zones[4096] = "", *save = NULL;
	uint32_t nodes;
	int ret;

	if (strlen(text) >= sizeof(copy))
		return fail(EINVAL, "the shape is too long");
	strcpy(copy, text);
	for (char *part = strtok_r(copy, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
		char *value = strchr(part, '=');

		if (!value)
			return fail(EINVAL, "\"%s\" is not KEY=VALUE (e.g. mem=1G,cpus=8)", part);
		*value++ = 0;
		ret = parse_key(&s, &w, part, value);
		if (ret)
			return ret;
		if (!strcmp(part, "zones"))
			snprintf(zones, sizeof(zones), "%s", value);
	}
	if (w.has_zones && (s.has_mem || w.has_layout))
		return fail(EINVAL, "zones= gives the memory: leave out mem= and layout=");
	nodes = s.nodes;
	ret = w.has_zones ? parse_zones(&s, zones) : lay_out(&s, &w);
	if (ret)
		return ret;
	if (w.has_zones && w.has_nodes && s.nodes > nodes)
		return fail(EINVAL, "zones= names node %u, nodes=%u", s.nodes - 1, nodes);
	if (!s.has_possible)
		s.possible = s.cpus;
	if (s.possible < s.cpus)
		return fail(EINVAL, "possible=%u is less than cpus=%u", s.possible, s.cpus);
	s.given = true;
	*shape = s;
	return 0;
}

/* In gigabytes where that is shorter to read and says the same. */
static void zone_size(uint64_t megabytes, char buf[32])
{
	bool giga = megabytes >= 10240 && megabytes % 1024 == 0;

	snprintf(buf, 32, "%llu%c", (unsigned long long)(giga ? megabytes / 1024 : megabytes), giga ? 'G' : 'M');
}

char *shape_print(const struct shape *s, char *buf, size_t size)
{
	size_t n = 0;
	char bytes[2][32];

#define PUT(...) (n += (size_t)snprintf(n < size ? buf + n : NULL, n < size ? size - n : 0, __VA_ARGS__))
	PUT("zones=");
	for (unsigned int i = 0; i < s->zones; i++) {
		const struct shape_zone *z = &s->zone[i];

		zone_size((uint64_t)z->blocks * (BLOCK_BYTES >> 20), bytes[0]);
		snprintf(bytes[1], 32, ":%llup", (unsigned long long)z->managed);
		PUT("%s", i ? "+" : "");
		if (s->nodes > 1)
			PUT("N%u.", z->node);
		PUT("%s:%s%s", zone_kind_names[z->kind], bytes[0],
		    z->managed == z->blocks * BLOCK_PAGES ? "" : bytes[1]);
	}
	PUT(",cpus=%u", s->cpus);
	if (s->possible != s->cpus)
		PUT(",possible=%u", s->possible);
	if (s->nodes > 1)
		PUT(",nodes=%u", s->nodes);
	if (s->pageblock_order != 9)
		PUT(",pageblock_order=%u", s->pageblock_order);
	PUT(",seed=%llu", (unsigned long long)s->seed);
	if (s->clock_real)
		PUT(",clock=real");
#undef PUT
	return buf;
}

bool shape_shows_kind(const struct shape *s, unsigned int kind)
{
	bool has = kind != ZONE_HIGHMEM;

	for (unsigned int i = 0; i < s->zones && !has; i++)
		has = s->zone[i].kind == kind;
	return has;
}

unsigned int shape_cpu_node(const struct shape *s, unsigned int cpu)
{
	unsigned int per_node = (s->possible + s->nodes - 1) / s->nodes;

	return cpu / per_node < s->nodes ? cpu / per_node : s->nodes - 1;
}
