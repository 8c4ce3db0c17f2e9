/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labs - the labs of one session, by name, and which of them is current.
 *
 * Invariants
 *   N1  names are unique.
 *   N2  current is a slot in use once there is one.
 */
#ifndef SHELL_LABS_H
#define SHELL_LABS_H

#include "lab/lab.h"
#include "lab/shape.h"

struct job;
struct journal;
struct preset;
struct shell;

struct lab_slot {
	struct lab *lab;
	unsigned int cpu;	/* that commands without `on` run on */
	bool adopted;		/* not ours to drop */
	struct journal *journal;	/* what changed it; NULL until something did */
	struct job *job;	/* workload that goes on in it, or NULL */
};

struct labs {
	struct lab_slot *v;
	unsigned int nr, current;
};

struct lab_slot *labs_find(struct labs *labs, const char *name);
/* The same, with a sentence that names those there are. NULL if there is none. */
struct lab_slot *labs_need(struct labs *labs, const char *name);
struct lab_slot *labs_current(struct labs *labs);
struct lab_slot *labs_of(struct labs *labs, const struct lab *lab);

/*
 * A fresh lab of this preset (NULL: the session's), under the session's --boot
 * and --set. The current one stays current, but for the first.
 */
int labs_new(struct shell *sh, const char *name, const struct shape *shape, const struct preset *preset, bool given);
/* A free and proper name for a lab? -EINVAL or -EEXIST with a sentence. */
int labs_name_is_free(struct labs *labs, const char *name);
/* Take in a lab that was made elsewhere. The slot is valid until the next one is added. */
struct lab_slot *labs_add(struct labs *labs, struct lab *lab);
void labs_adopt(struct labs *labs, struct lab *lab);
/* Put a fresh lab of another shape where this one is. */
int labs_reshape(struct shell *sh, struct lab_slot *slot, const struct shape *shape);
/* Bring the slot's lab to this state: in place, or by a lab of the snapshot's shape that takes its place. */
struct snapshot;
int labs_become(struct lab_slot *slot, const struct snapshot *snap);
int labs_drop(struct labs *labs, struct lab_slot *slot);
void labs_drop_all(struct labs *labs);	/* jobs have ended: jobs_end_all() */

#endif
