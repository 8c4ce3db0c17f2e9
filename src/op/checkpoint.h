/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checkpoint - states of a lab on its way, for undo.
 *
 * Idea. A checkpoint is a snapshot and its place in the lab's journal. Each
 * shares with the one before what did not change, so a row of them costs what
 * differs. All together they take no more than lab.undo_mem; the oldest go
 * first.
 *
 * Invariant
 *   K1  places go up; from each of them the journal can be run again to the
 *       end (what cannot be repeated has a checkpoint right behind it, and
 *       when that one does not fit, all before it are gone too).
 */
#ifndef OP_CHECKPOINT_H
#define OP_CHECKPOINT_H

#include "base/types.h"

struct lab;
struct snapshot;

struct checkpoint {
	uint64_t at;		/* entries of the journal that it is behind */
	struct snapshot *snap;
};

struct checkpoints {
	struct checkpoint *v;
	unsigned int nr, cap;
	uint64_t bytes;		/* of the host's memory */
};

/*
 * One of the lab as it is now, at the end of the journal. -ENOSPC when it
 * does not fit lab.undo_mem alone: then there is none at all any more.
 */
int checkpoint_take(struct checkpoints *c, struct lab *lab, uint64_t at);

/* The last one that is not behind `at`; NULL if there is none. */
const struct checkpoint *checkpoint_before(const struct checkpoints *c, uint64_t at);

void checkpoints_cut(struct checkpoints *c, uint64_t at);	/* forget those behind it */
void checkpoints_fit(struct checkpoints *c, uint64_t bytes);	/* the oldest go until they take no more */
void checkpoints_drop(struct checkpoints *c);

#endif
