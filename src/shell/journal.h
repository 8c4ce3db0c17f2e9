/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * journal - the commands that changed a lab, in order: what undo runs again
 * and what a script of the session's history is written from.
 *
 * Idea. The dispatcher writes down each command that changed the lab, with
 * its words filled in and the CPU it ran on. Commands are deterministic (the
 * random state and the clock lie in the region), so a state is a checkpoint
 * and the commands since. What is not (it reads a host file, runs in
 * parallel, looks at the host's clock, was stopped by Ctrl-C) gets a
 * checkpoint right behind it. Commands beside a job (jobs.h) are one stretch
 * with it: they are written down as they come, the job when it is over, and
 * only behind that is there a checkpoint again.
 *
 * Invariants
 *   J1  running the entries behind a checkpoint again leads to the state now.
 *   J2  an entry knows how many ops the lab had run behind it: a run that
 *       comes to another number is found out.
 *
 * Ownership. One journal a lab, in its slot; host memory; the shell's thread.
 */
#ifndef SHELL_JOURNAL_H
#define SHELL_JOURNAL_H

#include <stdio.h>

#include "lab/lab.h"

struct job;
struct journal;
struct lab_slot;
struct shell;

/* The lab before a command. */
struct journal_mark {
	const struct lab *lab;
	uint64_t ops, rand, time_ns, host_ns;
	const struct job *job;	/* that goes on beside it */
};

/* A command that ran. */
struct journal_line {
	const char *handle_name;	/* NAME =, or NULL */
	int on;				/* a CPU, ON_ALL, or ON_NOTHING where that is not the current one */
	char *const *words;
	unsigned int nr;
	uint64_t times;
	bool failed, counts;		/* counts: `undo` counts it */
	bool repeatable;
	bool once;			/* and a script is to say so */
};

void journal_begin(struct lab_slot *slot, struct journal_mark *m);
/* Nothing is written down when the lab is as it was. */
void journal_end(struct lab_slot *slot, const struct journal_mark *m, const struct journal_line *line);

/*
 * A job that began behind the last entry, in front of those written since, is
 * over: `line` does the same in the foreground. They are one stretch now,
 * which undo takes back as one command.
 */
void journal_job_ended(struct lab_slot *slot, const struct journal_line *line);

/* How many commands can be undone now. */
uint64_t journal_reach(const struct lab_slot *slot);

/*
 * Take the last n commands back. -EBUSY while CPUs are bound, -ERANGE with
 * how far it goes: then nothing changed. The slot may hold another lab after
 * it (one of the shape it had).
 */
int journal_undo(struct shell *sh, struct lab_slot *slot, uint64_t n);

/*
 * The lab as it was before its last n commands, as another lab of that name
 * (one that no user's lab can have); the lab itself stays as it is. labs_drop()
 * ends it. Slots may move. -EBUSY, -ERANGE as of journal_undo().
 */
int journal_past(struct shell *sh, const char *lab, uint64_t n, const char *name);
/* The n-th command from the end, of those that count, as it was given; "" if there is none. Returns buf. */
char *journal_entry_text(const struct lab_slot *slot, uint64_t n, char *buf, size_t size);

/* Commands that rebuild this lab, as a command file. -ENOENT when the lab has no journal: it is a program's. */
int journal_write(struct shell *sh, struct lab *lab, FILE *to);

/*
 * The same commands without the head that says how to run them, malloc()ed:
 * a snapshot keeps it, and the command that goes back to it says so, for what
 * was done between the two led nowhere. NULL for a program's lab.
 */
char *journal_script(struct lab_slot *slot);
void journal_restored(struct lab_slot *slot, const char *script);

/* A lab that was not made empty: it begins as a copy, or with what a file holds. */
void journal_clone(const struct lab_slot *from, struct lab_slot *to);
void journal_loaded(struct lab_slot *slot, const char *path);

void journal_free(struct journal *j);

#endif
