/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshot, restore, clone, hash: one act, copy what was touched, in a stop.
 *
 * The region holds no host address, so its touched pages are all there is of
 * a lab; put at another base they are the same lab. A snapshot is a list of
 * pages, each counted: what did not change since another snapshot is that
 * one's page, so a further snapshot costs what differs.
 */
#include "op/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "lab/touched.h"
#include "op/keep.h"
#include "op/lab_make.h"
#include "slab/store.h"

#define PER_PAGE (sizeof(uint64_t) + sizeof(struct kept_page *))	/* of a list of pages */

/* ---- pages ---- */

static void page_put(struct kept_page *p, uint64_t *charge)
{
	if (charge && !--p->charged)
		*charge -= PAGE_SIZE;
	if (!--p->refs)
		keep_put(p);
}

static void page_get(struct kept_page *p, uint64_t *charge)
{
	p->refs++;
	if (charge && !p->charged++)
		*charge += PAGE_SIZE;
}

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	for (uint64_t i = 0; i < s->nr; i++)
		page_put(s->page[i], s->charge);
	if (s->charge)
		*s->charge -= s->cap * PER_PAGE;
	free(s->index);
	free(s->page);
	free(s);
}

static bool snapshot_grow(struct snapshot *s)
{
	uint64_t cap = s->cap ? s->cap * 2 : 256;
	uint64_t *index = realloc(s->index, cap * sizeof(*index));
	struct kept_page **page;

	if (!index)
		return false;
	s->index = index;
	page = realloc(s->page, cap * sizeof(*page));
	if (!page)
		return false;
	s->page = page;
	if (s->charge)
		*s->charge += (cap - s->cap) * PER_PAGE;
	s->cap = cap;
	return true;
}

struct taking {
	struct snapshot *s;
	const struct snapshot *like;	/* whose pages serve where they hold the same, or NULL */
	uint64_t at;			/* where in it we are: both go up */
	const uint8_t *base;
};

static struct kept_page *same_page(struct taking *t, uint64_t index, const uint8_t *page)
{
	const struct snapshot *like = t->like;

	if (!like)
		return NULL;
	while (t->at < like->nr && like->index[t->at] < index)
		t->at++;
	if (t->at == like->nr || like->index[t->at] != index)
		return NULL;
	return memcmp(like->page[t->at]->content, page, PAGE_SIZE) ? NULL : like->page[t->at];
}

static int take_page(uint8_t *page, void *arg)
{
	struct taking *t = arg;
	struct snapshot *s = t->s;
	uint64_t index = (uint64_t)(page - t->base) / PAGE_SIZE;
	struct kept_page *p = same_page(t, index, page);

	if (s->nr == s->cap && !snapshot_grow(s))
		return fail(ENOMEM, "the host has no memory for a snapshot");
	if (!p) {
		p = keep_get();
		if (!p)
			return fail(ENOMEM, "the host has no memory for a snapshot");
		p->refs = p->charged = 0;
		memcpy(p->content, page, PAGE_SIZE);
	}
	page_get(p, s->charge);
	s->index[s->nr] = index;
	s->page[s->nr++] = p;
	return 0;
}

void lab_settle(struct lab *lab)
{
	lab_stop(lab);
	store_finish_grace(lab);
	store_reap(lab);
}

int lab_snapshot_like(struct lab *lab, const struct snapshot *like, uint64_t *charge, struct snapshot **out)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct taking t = { s, like, 0, lab->base };
	int ret;

	if (!s)
		return fail(ENOMEM, "the host has no memory for a snapshot");
	s->charge = charge;
	s->untouched_shape = lab->untouched_shape;
	lab_settle(lab);
	ret = touched_pages(lab->base, lab->hdr->region_bytes, take_page, &t);
	lab_resume(lab);
	if (ret) {
		snapshot_free(s);
		return ret;
	}
	*out = s;
	return 0;
}

int lab_snapshot(struct lab *lab, struct snapshot **out)
{
	return lab_snapshot_like(lab, NULL, NULL, out);
}

void snapshot_header(const struct snapshot *s, struct header *h)
{
	memset(h, 0, sizeof(*h));
	for (uint64_t i = 0; i < s->nr && s->index[i] * PAGE_SIZE < sizeof(*h); i++) {
		uint64_t at = s->index[i] * PAGE_SIZE, left = sizeof(*h) - at;

		memcpy((uint8_t *)h + at, s->page[i]->content, left < PAGE_SIZE ? left : PAGE_SIZE);
	}
}

bool snapshot_fits(const struct snapshot *s, const struct lab *lab)
{
	struct header h;

	snapshot_header(s, &h);
	return h.region_bytes == lab->hdr->region_bytes && !memcmp(h.bytes, lab->hdr->bytes, sizeof(h.bytes)) &&
	       !memcmp(&h.shape, &lab->hdr->shape, sizeof(h.shape));
}

/* ---- restore: only what differs is written ---- */

struct restoring {
	const struct snapshot *s;
	uint64_t at;		/* next page of the snapshot */
	uint8_t *base;
	uint8_t *empty, *empty_end;	/* pages in a row that the snapshot does not have */
};

static void give_empty_back(struct restoring *r)
{
	uint64_t bytes = (uint64_t)(r->empty_end - r->empty);

	if (bytes && madvise(r->empty, bytes, MADV_DONTNEED))
		memset(r->empty, 0, bytes);
	r->empty = r->empty_end = NULL;
}

static void put_page(struct restoring *r, uint64_t i)
{
	memcpy(r->base + r->s->index[i] * PAGE_SIZE, r->s->page[i]->content, PAGE_SIZE);
}

/* Pages that are empty now and were not then, up to this one. */
static void catch_up(struct restoring *r, uint64_t index)
{
	for (; r->at < r->s->nr && r->s->index[r->at] < index; r->at++)
		put_page(r, r->at);
}

static int restore_page(uint8_t *page, void *arg)
{
	struct restoring *r = arg;
	uint64_t index = (uint64_t)(page - r->base) / PAGE_SIZE;

	catch_up(r, index);
	if (r->at < r->s->nr && r->s->index[r->at] == index) {
		if (memcmp(page, r->s->page[r->at]->content, PAGE_SIZE))
			put_page(r, r->at);
		r->at++;
		return 0;
	}
	if (r->empty_end != page) {
		give_empty_back(r);
		r->empty = page;
	}
	r->empty_end = page + PAGE_SIZE;
	return 0;
}

int lab_restore(struct lab *lab, const struct snapshot *s)
{
	struct restoring r = { s, 0, lab->base, NULL, NULL };
	int ret = 0;

	lab_settle(lab);
	if (lab->owned_cpus)
		ret = fail(EBUSY, "%u CPUs are bound by threads: addresses that they hold would mean other objects", lab->owned_cpus);
	else if (!snapshot_fits(s, lab))
		ret = fail(EINVAL, "the snapshot is of a lab of another shape");
	if (!ret)
		ret = touched_pages(lab->base, lab->hdr->region_bytes, restore_page, &r);
	if (!ret) {
		give_empty_back(&r);
		catch_up(&r, UINT64_MAX);
		lab->untouched_shape = s->untouched_shape;
		lab_wake(lab);
	}
	lab_resume(lab);
	return ret;
}

int lab_from_snapshot(const struct snapshot *s, const char *name, struct lab **out)
{
	struct header h;
	struct lab *lab;
	int ret;

	snapshot_header(s, &h);
	ret = lab_mapped(&h.shape, h.bytes, name, &lab);
	if (ret)
		return ret;
	for (uint64_t i = 0; i < s->nr; i++)
		memcpy(lab->base + s->index[i] * PAGE_SIZE, s->page[i]->content, PAGE_SIZE);
	lab->untouched_shape = s->untouched_shape;
	lab_wake(lab);
	*out = lab;
	return 0;
}

/* ---- clone ---- */

struct copy {
	const uint8_t *from;
	uint8_t *to;
};

static int copy_page(uint8_t *page, void *arg)
{
	struct copy *c = arg;

	memcpy(c->to + (page - c->from), page, PAGE_SIZE);
	return 0;
}

int lab_clone(struct lab *lab, const char *name, struct lab **out)
{
	uint64_t bytes[SEC_NR];
	struct lab *clone;
	struct copy copy;
	int ret;

	lab_settle(lab);
	memcpy(bytes, lab->hdr->bytes, sizeof(bytes));	/* mapping fills its copy in */
	ret = lab_mapped(&lab->hdr->shape, bytes, name, &clone);
	if (!ret) {
		copy = (struct copy){ lab->base, clone->base };
		ret = touched_pages(lab->base, lab->hdr->region_bytes, copy_page, &copy);
		if (ret) {
			lab_drop(clone);
		} else {
			clone->untouched_shape = lab->untouched_shape;
			lab_wake(clone);
			*out = clone;
		}
	}
	lab_resume(lab);
	return ret;
}

/* ---- hash ---- */

struct hash {
	const uint8_t *base;
	uint64_t h;
};

static uint64_t mix(uint64_t h, uint64_t w)
{
	h = (h ^ w) * 0x9fb21c651e98df25ULL;
	return h ^ h >> 32;
}

static int hash_page(uint8_t *page, void *arg)
{
	struct hash *hash = arg;
	const uint64_t *w = (const uint64_t *)page;

	hash->h = mix(hash->h, (uint64_t)(page - hash->base));
	for (unsigned int i = 0; i < PAGE_SIZE / 8; i++)
		hash->h = mix(hash->h, w[i]);
	return 0;
}

uint64_t lab_hash(struct lab *lab)
{
	struct hash hash = { lab->base, 0 };

	lab_settle(lab);
	if (touched_pages(lab->base, lab->hdr->region_bytes, hash_page, &hash))
		hash.h = 0;
	lab_resume(lab);
	return hash.h;
}
