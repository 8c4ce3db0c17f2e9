/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay - what a kernel did, done again in a lab.
 *
 * Idea. The text of a kmem trace is read once into a program: a list of steps
 * (allocate into slot 17, free slot 4 …) from which ties of the clock, double
 * records, frees of older objects and pages that the slab layer took for itself
 * are already gone. During that reading the names of caches are learnt, which
 * only frees tell, and how much memory is needed. Then the steps run, all by
 * one thread in the file's order (stepped), or each CPU's by its own thread
 * (parallel). A pipe, which may never end, is run while it is read.
 *
 * Invariants (replay_check() reports them by these labels)
 *   R1  objects.allocs = matched + reused + live.
 *   R2  object frees = matched + unmatched + null.
 *   R3  per order: page allocs = matched + reused + live, frees = matched + unmatched.
 *   R4  ops = allocs + matched + reused, over what was to be run.
 *
 * Ownership. A replay belongs to one thread. The lab it runs in is held
 * (lab_hold()) or, in parallel, left to its CPUs' threads for the whole run.
 *
 * Units. Sizes in bytes, pages.live in pages, everything else counts.
 */
#ifndef WORK_REPLAY_H
#define WORK_REPLAY_H

#include "base/types.h"
#include "lab/lab.h"

enum replay_pages {
	REPLAY_PAGES_OTHER,	/* page events that the slab layer caused are not run */
	REPLAY_PAGES_ALL,	/* page events are run, object events only counted */
	REPLAY_PAGES_OFF,	/* the reverse */
};

enum replay_phase { REPLAY_READING, REPLAY_RUNNING, REPLAY_STREAMING };

struct replay_options {
	enum replay_pages pages;
	bool parallel;
	bool ties_file;		/* lines of one time run as they stand, contradictions or not */
	const char *kernel;	/* version that wrote the file; NULL: find out */

	/* Called every few ten thousand events; true ends the replay (-EINTR). May be NULL. */
	bool (*tick)(void *arg, enum replay_phase phase, uint64_t done, uint64_t total);
	void *arg;
};

struct replay;

/*
 * Open a trace ("-": standard input) and read what has to be known before a
 * lab is made: all of it, or of a pipe the first records.
 */
int replay_open(const char *path, const struct replay_options *options, struct replay **replay);

/* The same from memory, which must stay until replay_run() ends. */
int replay_open_memory(const void *data, size_t len, const struct replay_options *options,
		       struct replay **replay);

/* The lab that this trace wants, as text for shape_parse(). Returns buf. */
char *replay_shape(const struct replay *r, char *buf, size_t size);

/* Would it run in this lab? -EINVAL with a sentence that gives the shape to ask for. */
int replay_fits(const struct replay *r, const struct lab *lab);

/*
 * Run it, once. What lives at the end belongs to the handles `replayed` and
 * `replayed_pages`. An error leaves what ran before in the lab, under these
 * handles too. `note` (256 bytes) tells of handles that had to move, else "".
 */
int replay_run(struct replay *r, struct lab *lab, char note[256]);

void replay_close(struct replay *r);

/* ---- figures: valid after replay_open(), complete after replay_run() ---- */

#define REPLAY_PARTS 4
/* Below an "order" part the next part is an index: 0, 1, … in this sequence, without gaps. */
struct replay_figure {
	const char *part[REPLAY_PARTS];
	unsigned int parts;
	uint64_t value;
};
void replay_figures(const struct replay *r, void (*fn)(const struct replay_figure *f, void *arg), void *arg);

/* A figure by its path without the leading "replay."; false if there is none. */
bool replay_figure_read(const struct replay *r, const char *path, uint64_t *value);

/* -EUCLEAN with a sentence when an invariant does not hold. */
int replay_check(const struct replay *r);

#endif
