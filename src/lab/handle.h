/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handle - names for what commands allocated.
 *
 * Idea. A handle is a name and its members, in order of allocation. Members
 * keep their index for ever; freeing one only marks it. Handles lie in the
 * region, so undo, clone and save carry them.
 *
 * Invariants (handle_check() reports them by these labels)
 *   H1  live is the number of members whose off is not 0.
 *   H2  every handle is found under its name.
 *   H3  every slot is once on the list from the oldest handle to the newest,
 *       or once on that of free slots.
 *
 * Units. off is a region offset; it is 0 once the member was freed.
 */
#ifndef LAB_HANDLE_H
#define LAB_HANDLE_H

#include "lab/lab.h"

/*
 * LRU, CACHED: off is that of an entry, which keeps it whatever its page; whether it has an object (slab/cached.h).
 * SHEAF: of a sheaf that was handed out.
 */
enum member_kind { MEMBER_OBJECT, MEMBER_PAGES, MEMBER_LRU, MEMBER_CACHED, MEMBER_SHEAF };

struct member {
	uint64_t off;		/* 0: freed */
	uint32_t cache;		/* objects: cache id of the name it was asked under */
	uint8_t kind;		/* enum member_kind */
	uint8_t order;		/* pages: order asked for */
	uint16_t cpu;		/* that allocated it */
};

#define HANDLE_NAME 56
struct handle {
	char name[HANDLE_NAME];
	uint64_t members;	/* offset of struct member[cap] */
	uint32_t nr, cap, live;
	uint32_t next;		/* hash chain: slot + 1 */
	uint32_t older, newer;	/* in order of creation: slot + 1 */
	uint64_t op;		/* number of the op that made it */
	uint64_t serial;	/* 0: slot is free; else order of creation */
};

/* The handle of that name, NULL if there is none. */
struct handle *handle_find(struct lab *lab, const char *name);

/*
 * A new empty handle. name NULL: the next automatic one (_1, _2, …). If a
 * handle of this name still has live members, they move to the next automatic
 * name, which is put in `moved` (else moved[0] = 0; moved may be NULL).
 * NULL when side memory is out.
 */
struct handle *handle_new(struct lab *lab, const char *name, char moved[HANDLE_NAME]);
void handle_drop(struct lab *lab, struct handle *h);

/* Append; false when side memory is out. Pointers to members may move. */
bool handle_add(struct lab *lab, struct handle *h, const struct member *m);
bool handle_reserve(struct lab *lab, struct handle *h, uint32_t more);

static inline struct member *handle_members(const struct lab *lab, const struct handle *h)
{
	return lab_ptr(lab, h->members);
}

/* Mark a member freed. */
static inline void handle_forget(struct handle *h, struct member *m)
{
	m->off = 0;
	h->live--;
}

/* All handles, oldest first: *cursor starts at 0; NULL at the end. */
struct handle *handle_next(struct lab *lab, uint64_t *cursor);

int handle_check(struct lab *lab);
struct heap_audit;
int handle_audit(struct lab *lab, struct heap_audit *a);	/* name all side memory that handles have */

#endif
