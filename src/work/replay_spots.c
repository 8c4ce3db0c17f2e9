/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_spots - what lives at an address, by open addressing.
 *
 * A find is one multiply and, nearly always, one cache line: at most half of
 * the table is in use, and a removal moves later entries back instead of
 * leaving a mark, so that chains stay as short as if what went had never been.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "work/replay_priv.h"

#define FIRST_BITS 12

static int spots_size(struct spots *t, unsigned int bits)
{
	struct spot *slot = aligned_alloc(CACHE_LINE, sizeof(*slot) << bits);

	if (!slot)
		return fail(ENOMEM, "no memory for a table of %llu addresses", 1ULL << bits);
	memset(slot, 0, sizeof(*slot) << bits);
	t->slot = slot;
	t->mask = (1ULL << bits) - 1;
	t->shift = 64 - bits;
	return 0;
}

int spots_init(struct spots *t)
{
	t->nr = 0;
	return spots_size(t, FIRST_BITS);
}

void spots_fini(struct spots *t)
{
	free(t->slot);
	memset(t, 0, sizeof(*t));
}

void spots_clear(struct spots *t)
{
	memset(t->slot, 0, sizeof(*t->slot) * (t->mask + 1));
	t->nr = 0;
}

/* The empty place where this address belongs. */
static struct spot *spots_place(struct spots *t, uint64_t addr)
{
	uint64_t i = spots_home(t, addr);

	while (t->slot[i].state != SPOT_NONE)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static int spots_grow(struct spots *t)
{
	struct spots old = *t;
	int ret = spots_size(t, 64 - old.shift + 1);

	if (ret) {
		*t = old;
		return ret;
	}
	for (uint64_t i = 0; i <= old.mask; i++)
		if (old.slot[i].state != SPOT_NONE)
			*spots_place(t, old.slot[i].addr) = old.slot[i];
	free(old.slot);
	return 0;
}

struct spot *spots_add(struct spots *t, uint64_t addr)
{
	struct spot *s;

	if (unlikely(t->nr * 2 > t->mask) && spots_grow(t))
		return NULL;
	s = spots_place(t, addr);
	t->nr++;
	s->addr = addr;
	return s;
}

void spots_remove(struct spots *t, struct spot *s)
{
	uint64_t hole = (uint64_t)(s - t->slot);

	for (uint64_t i = hole;;) {
		uint64_t home;

		i = (i + 1) & t->mask;
		if (t->slot[i].state == SPOT_NONE)
			break;
		home = spots_home(t, t->slot[i].addr);
		/* it may move back only as far as its home: is the hole on its way? */
		if (((i - home) & t->mask) < ((i - hole) & t->mask))
			continue;
		t->slot[hole] = t->slot[i];
		hole = i;
	}
	t->slot[hole].state = SPOT_NONE;
	t->nr--;
}
