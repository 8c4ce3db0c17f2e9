/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/live_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lab/handle.h"
#include "view/look.h"

#define STOP_NS 200000		/* looked at in one stop; what is under way then is finished */
#define CELLS_A_LOOK 8		/* between two looks at the clock */
#define SAMPLES 8		/* pages read of a cell that is sampled */
#define SAMPLES_ALL 16000	/* and of all cells together */
#define EXACT_PAGES (1 << 17)	/* pictures of a lab that stands still are exact up to here */
#define MOST_BORN 200000	/* blocks in handles whose ages are known */

struct live_born {
	pfn_t pfn;
	uint8_t order;
	uint64_t op;
};

void live_map_choose(struct live_map *m, unsigned int zone, uint64_t first, unsigned int order, unsigned int nr)
{
	if (m->cell && m->zone == zone && m->first == first && m->order == order && m->nr == nr)
		return;
	if (nr > m->room) {
		struct live_cell *more = realloc(m->cell, nr * sizeof(*more));

		if (!more)
			return;
		m->cell = more;
		m->room = nr;
	}
	m->zone = zone;
	m->first = first;
	m->order = order;
	m->nr = nr;
	m->next = 0;
	m->whole = false;
	memset(m->cell, 0, nr * sizeof(*m->cell));
}

void live_map_free(struct live_map *m)
{
	free(m->cell);
	free(m->born);
	memset(m, 0, sizeof(*m));
}

/* ---- ages ---- */

static int by_pfn(const void *a, const void *b)
{
	const struct live_born *x = a, *y = b;

	return x->pfn < y->pfn ? -1 : x->pfn > y->pfn;
}

/* Blocks that handles hold, with the op that made the handle. Too many: none. */
static void find_born(struct lab *lab, struct live_map *m)
{
	uint64_t cursor = 0;
	unsigned int nr = 0;
	struct handle *h;

	if (m->born && m->born_op == lab->hdr->ops)
		return;
	if (!m->born)
		m->born = malloc(MOST_BORN * sizeof(*m->born));
	m->born_op = lab->hdr->ops;
	m->nr_born = 0;
	while (m->born && (h = handle_next(lab, &cursor)))
		for (uint32_t i = 0; i < h->nr && h->live; i++) {
			const struct member *x = handle_members(lab, h) + i;

			if (!x->off || x->kind != MEMBER_PAGES)
				continue;
			if (nr == MOST_BORN)
				return;
			m->born[nr++] = (struct live_born){ (pfn_t)((x->off - lab->arena_off) >> PAGE_SHIFT), x->order, h->op };
		}
	m->nr_born = nr;
	if (nr)
		qsort(m->born, nr, sizeof(*m->born), by_pfn);
}

static uint8_t age_of(struct lab *lab, const struct live_map *m, const struct page_extent *e)
{
	struct live_born key = { .pfn = e->pfn };
	const struct live_born *b = m->nr_born ? bsearch(&key, m->born, m->nr_born, sizeof(*m->born), by_pfn) : NULL;
	uint64_t part, whole;

	if (b) {
		part = b->op;
		whole = lab->hdr->ops;
	} else if (e->role != PAGE_SLAB || slab_age(lab, e->store, e->pfn, &part, &whole)) {
		return LIVE_AGES;
	}
	return (uint8_t)(whole ? part * LIVE_AGES / (whole + 1) : 0);
}

/* ---- cells ---- */

struct filling {
	struct lab *lab;
	struct live_map *m;
	struct live_cell *c;
	uint64_t from, to;
	unsigned int held_by[4];	/* slots seen first, and how much of each */
	uint32_t stores[4];
	bool ages, sampled;
	bool exact;		/* the whole picture is of few pages, and nothing moves */
};

static void add_store(struct filling *f, uint32_t store, uint16_t n)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(f->stores); i++) {
		if (f->stores[i] && f->stores[i] != store)
			continue;
		f->stores[i] = store;
		f->held_by[i] += n;
		if (f->held_by[i] > f->c->owned) {
			f->c->owned = (uint16_t)f->held_by[i];
			f->c->store = store;
		}
		return;
	}
}

static bool add_extent(const struct page_extent *e, void *arg)
{
	struct filling *f = arg;
	uint64_t from = e->pfn > f->from ? e->pfn : f->from, to = (uint64_t)e->pfn + e->pages;
	uint16_t n = f->sampled ? 1 : (uint16_t)((to < f->to ? to : f->to) - from);
	struct live_cell *c = f->c;
	uint8_t age;

	c->seen += n;
	switch (e->role) {
	case PAGE_BUDDY: case PAGE_DELAYED: c->free += n; return true;
	case PAGE_ON_PCP: c->pcp += n; return true;
	case PAGE_RESERVED: c->reserved += n; return true;
	default: break;
	}
	c->held += n;
	if (e->role == PAGE_SLAB)
		add_store(f, e->store, n);
	/* slabs do not keep what was asked for; they never move */
	if (e->role == PAGE_SLAB ? c->type == MT_MOVABLE : (uint8_t)e->type != c->type)
		c->foreign += n;
	age = f->ages ? age_of(f->lab, f->m, e) : LIVE_AGES;
	if (age < LIVE_AGES && (c->age == LIVE_AGES || age > c->age))
		c->age = age;
	return true;
}

/* A place in the k-th part of a cell: always the same one, and of no power of two. */
static uint64_t place(uint64_t start, unsigned int k, uint64_t step)
{
	uint64_t h = (start + k + 1) * 0x9e3779b97f4a7c15ULL;

	return start + k * step + (h >> 32) % step;
}

static void fill_cell(struct filling *f, unsigned int i, unsigned int samples)
{
	struct live_map *m = f->m;
	uint64_t pages = 1ULL << m->order, end = f->lab->hdr->shape.pages;
	struct page_extent e;

	f->c = &m->cell[i];
	f->from = m->first + ((uint64_t)i << m->order);
	f->to = f->from + pages < end ? f->from + pages : end;
	memset(f->c, 0, sizeof(*f->c));
	memset(f->stores, 0, sizeof(f->stores));
	memset(f->held_by, 0, sizeof(f->held_by));
	f->c->age = LIVE_AGES;
	if (f->from >= f->to)
		return;
	f->c->type = (uint8_t)page_block_type(f->lab, (pfn_t)f->from);
	f->sampled = (pages > samples * 4 && !f->exact) || pages > UINT16_MAX;
	if (!f->sampled) {
		page_extents(f->lab, (pfn_t)f->from, (pfn_t)f->to, add_extent, f);
		return;
	}
	for (unsigned int k = 0; k < samples; k++) {
		uint64_t pfn = place(f->from, k, pages / samples);

		if (pfn >= f->to)
			break;
		f->c->types |= (uint8_t)page_block_type(f->lab, (pfn_t)pfn) != f->c->type;
		page_extent(f->lab, (pfn_t)pfn, &e);
		add_extent(&e, f);
	}
}

/* Until the time of one stop is over, or all are seen once. Returns how many. */
static unsigned int fill_some(struct filling *f, unsigned int left, unsigned int samples, bool still)
{
	uint64_t until = host_ns() + STOP_NS;
	unsigned int done = 0;

	while (done < left && (still || done % CELLS_A_LOOK || host_ns() < until)) {
		fill_cell(f, f->m->next, samples);
		f->m->next = (f->m->next + 1) % f->m->nr;
		done++;
	}
	return done;
}

void live_map_refresh(struct lab *lab, struct live_map *m, bool still, uint64_t ns, bool ages)
{
	struct filling f = {
		.lab = lab, .m = m, .ages = ages, .exact = still && (uint64_t)m->nr << m->order <= EXACT_PAGES,
	};
	unsigned int left = m->nr, samples = m->nr ? SAMPLES_ALL / m->nr : 0;
	uint64_t until = host_ns() + ns;

	if (!m->nr || (still && m->whole && m->op == lab->hdr->ops))
		return;
	samples = samples < SAMPLES / 2 ? SAMPLES / 2 : samples > 32 ? 32 : still ? samples : samples < SAMPLES ? samples : SAMPLES;
	do {
		live_stop(lab);
		if (ages && still)
			find_born(lab, m);
		left -= fill_some(&f, left, samples, still);
		live_go(lab);
	} while (left && host_ns() < until);
	m->op = lab->hdr->ops;
	m->whole = still && !left;
}

const char *live_store_name(struct lab *lab, uint32_t store, uint64_t *serial)
{
	static struct store_figures s;

	if (store_figures(lab, store, &s))
		return "";
	*serial = s.serial;
	return s.name;
}

void live_page(struct lab *lab, uint64_t pfn, struct live_page *p)
{
	struct page_extent e;
	uint64_t of;

	live_stop(lab);
	page_extent(lab, (pfn_t)pfn, &e);
	*p = (struct live_page){
		.role = look_role(e.role), .head = e.pfn, .pages = e.pages, .order = e.order,
		.type = mtype_name(page_block_type(lab, (pfn_t)pfn)),
	};
	if (e.role == PAGE_SLAB) {
		snprintf(p->cache, sizeof(p->cache), "%s", live_store_name(lab, e.store, &p->store));
		slab_age(lab, e.store, e.pfn, &p->slab, &of);
	}
	live_go(lab);
}

uint64_t live_search_cost(struct lab *lab)
{
	uint64_t cursor = 0, cost = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor)))
		cost += h->live ? h->nr : 1;
	for (unsigned int z = 0; z < lab->nr_zones; z++) {
		struct zone_figures f;

		zone_figures(lab, z, false, &f);
		for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
			cost += f.nr_free[o];
	}
	return cost;
}
