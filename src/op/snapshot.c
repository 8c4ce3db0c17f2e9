/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshot, restore, clone, hash: one act, copy what was touched, in a stop.
 *
 * The region holds no host address, so its touched pages are all there is of
 * a lab; put at another base they are the same lab.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "lab/touched.h"
#include "op/lab_make.h"
#include "op/op.h"
#include "slab/store.h"

struct snapshot {
	uint64_t nr, cap;
	uint64_t *index;	/* host pages, by number in the region */
	uint8_t *content;
	const uint8_t *base;	/* while taking */
};

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	free(s->index);
	free(s->content);
	free(s);
}

static bool snapshot_grow(struct snapshot *s)
{
	uint64_t cap = s->cap ? s->cap * 2 : 1024;
	uint64_t *index = realloc(s->index, cap * sizeof(*index));
	uint8_t *content;

	if (!index)
		return false;
	s->index = index;
	content = realloc(s->content, cap * PAGE_SIZE);
	if (!content)
		return false;
	s->content = content;
	s->cap = cap;
	return true;
}

static int snapshot_page(uint8_t *page, void *arg)
{
	struct snapshot *s = arg;

	if (s->nr == s->cap && !snapshot_grow(s))
		return fail(ENOMEM, "the host has no memory for a snapshot");
	s->index[s->nr] = (uint64_t)(page - s->base) / PAGE_SIZE;
	memcpy(s->content + s->nr * PAGE_SIZE, page, PAGE_SIZE);
	s->nr++;
	return 0;
}

static void settle(struct lab *lab)
{
	lab_stop(lab);
	store_finish_grace(lab);
	store_reap(lab);
}

int lab_snapshot(struct lab *lab, struct snapshot **out)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return fail(ENOMEM, "the host has no memory for a snapshot");
	s->base = lab->base;
	settle(lab);
	ret = touched_pages(lab->base, lab->hdr->region_bytes, snapshot_page, s);
	lab_resume(lab);
	if (ret) {
		snapshot_free(s);
		return ret;
	}
	*out = s;
	return 0;
}

int lab_restore(struct lab *lab, const struct snapshot *s)
{
	uint64_t bytes = lab->hdr->region_bytes;

	lab_stop(lab);
	if (lab->owned_cpus) {
		lab_resume(lab);
		return fail(EBUSY, "%u CPUs are bound by threads: addresses that they hold would mean other objects", lab->owned_cpus);
	}
	/* back to all zero, then what the snapshot has; cheaper than finding out what differs */
	if (madvise(lab->base, bytes, MADV_DONTNEED)) {
		lab_resume(lab);
		return fail(EIO, "the host does not take the lab's memory back");
	}
	for (uint64_t i = 0; i < s->nr; i++)
		memcpy(lab->base + s->index[i] * PAGE_SIZE, s->content + i * PAGE_SIZE, PAGE_SIZE);
	lab_wake(lab);
	lab_resume(lab);
	return 0;
}

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
	struct lab *clone;
	struct copy copy;
	int ret;

	settle(lab);
	ret = lab_mapped(&lab->hdr->shape, lab->hdr->bytes, name, &clone);
	if (!ret) {
		copy = (struct copy){ lab->base, clone->base };
		ret = touched_pages(lab->base, lab->hdr->region_bytes, copy_page, &copy);
		if (ret) {
			lab_drop(clone);
		} else {
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

	settle(lab);
	if (touched_pages(lab->base, lab->hdr->region_bytes, hash_page, &hash))
		hash.h = 0;
	lab_resume(lab);
	return hash.h;
}
