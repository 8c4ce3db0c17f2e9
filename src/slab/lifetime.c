/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/lifetime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "cpu/read.h"

/* Only what is touched of it is committed. */
static void *reserve(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int lifetimes_on(struct lab *lab)
{
	struct lifetimes *l;

	if (lab->lifetimes)
		return 0;
	l = reserve(sizeof(*l));
	if (!l)
		return fail(ENOMEM, "the host has no memory for lifetimes of objects");
	l->born_bytes = lab->arena_bytes;
	l->born = reserve(l->born_bytes);
	if (!l->born) {
		munmap(l, sizeof(*l));
		return fail(ENOMEM, "the host has no memory for lifetimes of objects");
	}
	lab->lifetimes = l;
	return 0;
}

void lifetimes_off(struct lab *lab)
{
	if (!lab->lifetimes)
		return;
	munmap(lab->lifetimes->born, lab->lifetimes->born_bytes);
	munmap(lab->lifetimes, sizeof(*lab->lifetimes));
	lab->lifetimes = NULL;
}

/* Objects that are out now go on to count when they come back. */
void lifetimes_clear(struct lab *lab)
{
	if (lab->lifetimes)
		madvise(lab->lifetimes->row, sizeof(lab->lifetimes->row), MADV_DONTNEED);
}

static uint64_t *born_of(const struct lab *lab, const struct store *s, uint64_t object)
{
	const struct page *slab = slab_of(lab, object);
	uint64_t at = ((uint64_t)page_pfn(lab, slab) << PAGE_SHIFT) / sizeof(uint64_t) + object_index(lab, s, slab, object);

	return &lab->lifetimes->born[at];
}

void lifetime_begin(struct lab *lab, const struct store *s, uint64_t object)
{
	__atomic_store_n(born_of(lab, s, object), lab_now(lab) + 1, __ATOMIC_RELAXED);
}

uint64_t lifetime_born(const struct lab *lab, const struct store *s, uint64_t object)
{
	return __atomic_load_n(born_of(lab, s, object), __ATOMIC_RELAXED);
}

void lifetime_end(struct lab *lab, uint32_t cache, uint64_t born)
{
	struct lifetime_row *row = &lab->lifetimes->row[cache];
	uint64_t now = lab_now(lab) + 1, age = now - born, max = __atomic_load_n(&row->max, __ATOMIC_RELAXED);
	unsigned int power = age ? 64 - (unsigned int)__builtin_clzll(age) : 0;

	if (!born || born > now)	/* the lab went back in time */
		return;
	__atomic_add_fetch(&row->count, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&row->sum, age, __ATOMIC_RELAXED);
	__atomic_add_fetch(&row->power[power < LIFETIME_POWERS ? power : LIFETIME_POWERS - 1], 1, __ATOMIC_RELAXED);
	while (age > max && !__atomic_compare_exchange_n(&row->max, &max, age, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

bool lifetime_read(const struct lab *lab, uint32_t cache, struct lifetime_figures *f)
{
	const struct lifetime_row *row;

	*f = (struct lifetime_figures){ 0 };
	if (!lab->lifetimes)
		return false;
	row = &lab->lifetimes->row[cache];
	f->count = row->count;
	f->mean_ns = row->count ? row->sum / row->count : 0;
	f->max_ns = row->max;
	memcpy(f->power, row->power, sizeof(f->power));
	return true;
}
