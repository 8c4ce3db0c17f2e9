/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of slots, linked in the order of their creation, and a hash of names
 * over it, both pieces of side memory that double when full.
 */
#include "lab/handle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "lab/heap.h"

#define FIRST_SLOTS 64

/* At header.handles: the hash heads, then the slots. */
struct table {
	uint32_t hash_free;	/* slot + 1 of the first free slot */
	uint32_t pad;
};

static uint32_t *heads(struct lab *lab)
{
	return (uint32_t *)((struct table *)lab_ptr(lab, lab->hdr->handles) + 1);
}

static struct handle *slots(struct lab *lab, uint64_t table, uint64_t nr)
{
	return (struct handle *)((uint8_t *)lab_ptr(lab, table) + sizeof(struct table) + nr * sizeof(uint32_t));
}

static uint64_t table_bytes(uint64_t nr)
{
	return sizeof(struct table) + nr * (sizeof(uint32_t) + sizeof(struct handle));
}

static struct handle *slot(struct lab *lab, uint32_t i)
{
	return slots(lab, lab->hdr->handles, lab->hdr->handle_slots) + i;
}

static uint32_t name_hash(const char *name)
{
	uint32_t h = 2166136261u;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 16777619u;
	return h;
}

static void hash_in(struct lab *lab, uint32_t i)
{
	uint32_t *head = &heads(lab)[name_hash(slot(lab, i)->name) & (lab->hdr->handle_slots - 1)];

	slot(lab, i)->next = *head;
	*head = i + 1;
}

static void hash_out(struct lab *lab, struct handle *h)
{
	uint32_t i = (uint32_t)(h - slot(lab, 0));
	uint32_t *link = &heads(lab)[name_hash(h->name) & (lab->hdr->handle_slots - 1)];

	while (*link && *link != i + 1)
		link = &slot(lab, *link - 1)->next;
	if (*link)
		*link = h->next;
}

/* Twice the slots; live handles keep their places, names are hashed anew. */
static bool grow(struct lab *lab)
{
	uint64_t old_nr = lab->hdr->handle_slots, nr = old_nr ? old_nr * 2 : FIRST_SLOTS;
	uint64_t old = lab->hdr->handles, table = heap_alloc(lab, table_bytes(nr));

	if (!table)
		return false;
	if (old)
		memcpy(slots(lab, table, nr), slots(lab, old, old_nr), old_nr * sizeof(struct handle));
	lab->hdr->handles = table;
	lab->hdr->handle_slots = nr;
	((struct table *)lab_ptr(lab, table))->hash_free = 0;
	for (uint64_t i = nr; i-- > 0; ) {
		struct table *t = lab_ptr(lab, table);

		if (slot(lab, (uint32_t)i)->serial) {
			hash_in(lab, (uint32_t)i);
		} else {
			slot(lab, (uint32_t)i)->next = t->hash_free;
			t->hash_free = (uint32_t)i + 1;
		}
	}
	if (old)
		heap_free(lab, old, table_bytes(old_nr));
	return true;
}

struct handle *handle_find(struct lab *lab, const char *name)
{
	if (!lab->hdr->handles)
		return NULL;
	for (uint32_t i = heads(lab)[name_hash(name) & (lab->hdr->handle_slots - 1)]; i; ) {
		struct handle *h = slot(lab, i - 1);

		if (!strcmp(h->name, name))
			return h;
		i = h->next;
	}
	return NULL;
}

/* The next automatic name that nobody took by hand. */
static void automatic_name(struct lab *lab, char name[HANDLE_NAME])
{
	do
		snprintf(name, HANDLE_NAME, "_%llu", (unsigned long long)++lab->hdr->auto_name);
	while (handle_find(lab, name));
}

static struct handle *take_slot(struct lab *lab, const char *name)
{
	struct table *t;
	struct handle *h;
	uint32_t i;

	if (!lab->hdr->handles || !((struct table *)lab_ptr(lab, lab->hdr->handles))->hash_free)
		if (!grow(lab))
			return NULL;
	t = lab_ptr(lab, lab->hdr->handles);
	i = t->hash_free - 1;
	h = slot(lab, i);
	t->hash_free = h->next;
	memset(h, 0, sizeof(*h));
	snprintf(h->name, sizeof(h->name), "%s", name);
	h->serial = ++lab->hdr->handle_count;
	h->op = lab->hdr->ops;
	lab->hdr->handle_used++;
	hash_in(lab, i);
	h->older = lab->hdr->newest_handle;
	*(h->older ? &slot(lab, h->older - 1)->newer : &lab->hdr->oldest_handle) = i + 1;
	lab->hdr->newest_handle = i + 1;
	return h;
}

struct handle *handle_new(struct lab *lab, const char *name, char moved[HANDLE_NAME])
{
	char automatic[HANDLE_NAME];
	struct handle *old;

	if (moved)
		moved[0] = 0;
	if (!name) {
		automatic_name(lab, automatic);
		return take_slot(lab, automatic);
	}
	old = handle_find(lab, name);
	if (old && old->live) {
		automatic_name(lab, automatic);
		hash_out(lab, old);
		snprintf(old->name, sizeof(old->name), "%s", automatic);
		hash_in(lab, (uint32_t)(old - slot(lab, 0)));
		if (moved)
			strcpy(moved, automatic);
	} else if (old) {
		handle_drop(lab, old);
	}
	return take_slot(lab, name);
}

void handle_drop(struct lab *lab, struct handle *h)
{
	struct table *t = lab_ptr(lab, lab->hdr->handles);

	hash_out(lab, h);
	heap_free(lab, h->members, (uint64_t)h->cap * sizeof(struct member));
	*(h->older ? &slot(lab, h->older - 1)->newer : &lab->hdr->oldest_handle) = h->newer;
	*(h->newer ? &slot(lab, h->newer - 1)->older : &lab->hdr->newest_handle) = h->older;
	memset(h, 0, sizeof(*h));
	h->next = t->hash_free;
	t->hash_free = (uint32_t)(h - slot(lab, 0)) + 1;
	lab->hdr->handle_used--;
}

bool handle_reserve(struct lab *lab, struct handle *h, uint32_t more)
{
	uint64_t cap = h->cap ? h->cap : 1, piece;

	if ((uint64_t)h->nr + more <= h->cap)
		return true;
	while (cap < (uint64_t)h->nr + more)
		cap *= 2;
	if (cap > UINT32_MAX)
		return false;
	piece = heap_alloc(lab, cap * sizeof(struct member));
	if (!piece)
		return false;
	if (h->members) {
		memcpy(lab_ptr(lab, piece), handle_members(lab, h), h->nr * sizeof(struct member));
		heap_free(lab, h->members, (uint64_t)h->cap * sizeof(struct member));
	}
	h->members = piece;
	h->cap = (uint32_t)cap;
	return true;
}

bool handle_add(struct lab *lab, struct handle *h, const struct member *m)
{
	if (!handle_reserve(lab, h, 1))
		return false;
	handle_members(lab, h)[h->nr++] = *m;
	h->live++;
	return true;
}

struct handle *handle_next(struct lab *lab, uint64_t *cursor)
{
	uint32_t i = *cursor ? slot(lab, (uint32_t)*cursor - 1)->newer : lab->hdr->oldest_handle;

	if (!i)
		return NULL;
	*cursor = i;
	return slot(lab, i - 1);
}

/* How many slots a list has, by its links; more than there are when it runs in a ring or astray. */
static uint64_t list_length(struct lab *lab, uint32_t first, bool used)
{
	uint64_t nr = 0, slots_nr = lab->hdr->handle_slots;

	for (uint32_t i = first, before = 0; i; nr++) {
		struct handle *h;

		if (i > slots_nr || nr > slots_nr)
			return slots_nr + 1;
		h = slot(lab, i - 1);
		if (!h->serial == used || (used && h->older != before))
			return slots_nr + 1;
		before = i;
		i = used ? h->newer : h->next;
	}
	return nr;
}

static int check_lists(struct lab *lab)
{
	const struct table *t = lab_ptr(lab, lab->hdr->handles);
	uint64_t used = list_length(lab, lab->hdr->oldest_handle, true), nr = lab->hdr->handle_slots;
	uint64_t unused = lab->hdr->handles ? list_length(lab, t->hash_free, false) : 0;

	if (used != lab->hdr->handle_used || used + unused != nr)
		return fail(EUCLEAN, "H3: of %llu slots %llu are in use, the lists do not say so", (unsigned long long)nr,
			    (unsigned long long)lab->hdr->handle_used);
	return 0;
}

int handle_check(struct lab *lab)
{
	for (uint64_t i = 0; i < lab->hdr->handle_slots; i++) {
		struct handle *h = slot(lab, (uint32_t)i);
		uint32_t live = 0;

		if (!h->serial)
			continue;
		for (uint32_t m = 0; m < h->nr; m++)
			live += handle_members(lab, h)[m].off != 0;
		if (live != h->live)
			return fail(EUCLEAN, "H1: handle %s counts %u live members, %u are", h->name, h->live, live);
		if (handle_find(lab, h->name) != h)
			return fail(EUCLEAN, "H2: handle %s is not found under its name", h->name);
	}
	return check_lists(lab);
}

int handle_audit(struct lab *lab, struct heap_audit *a)
{
	uint64_t nr = lab->hdr->handle_slots;
	int ret = 0;

	if (nr > lab->hdr->bytes[SEC_HEAP] / sizeof(struct handle) || (nr & (nr - 1)))
		return fail(EUCLEAN, "H3: %llu slots are no number of slots", (unsigned long long)nr);
	ret = heap_audit_piece(a, "the table of handles", lab->hdr->handles, table_bytes(nr));
	for (uint64_t i = 0; i < nr && !ret; i++) {
		const struct handle *h = slot(lab, (uint32_t)i);

		if (h->serial && h->nr > h->cap)
			return fail(EUCLEAN, "H1: handle %.*s has more members than room", HANDLE_NAME, h->name);
		if (h->serial)
			ret = heap_audit_piece(a, "a handle", h->members, (uint64_t)h->cap * sizeof(struct member));
	}
	return ret;
}
