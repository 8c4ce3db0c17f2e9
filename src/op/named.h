/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named - states of a lab that a user gave a name.
 *
 * Each shares with the one saved before it what did not change. They are host
 * memory of the lab (struct lab), kept until it is dropped or the name is
 * saved again; undo does not touch them.
 */
#ifndef OP_NAMED_H
#define OP_NAMED_H

#include "lab/lab.h"

struct snapshot;

struct named_snapshot {
	struct named_snapshot *next;	/* the one saved before it */
	struct snapshot *snap;
	uint64_t ops, time_ns;		/* of the lab at that moment */
	char *script;			/* commands that led to it, a line each; NULL: not known */
	char name[64];
};

/* Save the lab as it is; a snapshot of that name is replaced. It takes the script (malloc()ed), also when it fails. */
int named_save(struct lab *lab, const char *name, char *script);
/* NULL with a sentence that names those there are. */
const struct named_snapshot *named_need(const struct lab *lab, const char *name);
/* Another lab takes this one's place: they are its from now on. */
void named_move(struct lab *from, struct lab *to);
void named_drop_all(struct lab *lab);

#endif
