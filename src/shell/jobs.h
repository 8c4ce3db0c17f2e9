/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobs - workloads that go on in the background of a lab while commands run.
 *
 * Idea. `run … &` leaves its run (work/run.h) with the lab: one a lab. The
 * shell looks between two commands whether it is over (jobs_reap()); the
 * full-screen view does the same between two frames. Held at a safe point, a
 * job can be stepped op by op; each such op is told, so `why` explains it.
 *
 * What a job allocated belongs to nobody's handle while it goes on; when it is
 * over it is given one, or freed. A copy made meanwhile (lab clone, lab save,
 * snapshot save) has it under that handle, or a name of no one's while the
 * lab has another of that name, which keeps it: jobs_lend().
 *
 * Undo. Commands beside a job are one stretch with it, which the journal
 * cannot repeat: undo is refused until the job is over, and then takes the
 * whole stretch back (see journal.h).
 *
 * Ownership. The shell's thread; in the full-screen view the one that runs it.
 */
#ifndef SHELL_JOBS_H
#define SHELL_JOBS_H

#include <jansson.h>

#include "shell/labs.h"
#include "work/run.h"

struct ctx;
struct shell;

struct job {
	struct run *run;
	bool keep;			/* what is left gets a handle; else it is freed */
	char name[HANDLE_NAME];		/* of that handle, "": the workload's */
	bool stopped;			/* by `job stop` or Ctrl-C */
	bool awaited;			/* its command waits for it: the journal has that */
	char **words;			/* of the command, for the journal */
	int on;				/* the CPU that it was given, or ON_NOTHING */
	unsigned int nr;
};

/* The job of a lab, NULL if nothing goes on there. */
struct job *job_of(struct shell *sh, const struct lab *lab);

/* The same; NULL with a sentence. */
struct job *job_need(struct shell *sh, const struct lab *lab);

/*
 * Does this run still go on there? Whoever asks ctx_stopped() lets commands of
 * the full-screen view in, and one of them may have ended and freed it: NULL.
 */
struct job *job_of_run(struct shell *sh, const struct lab *lab, const struct run *run);

/* Hold it, let it go on, play n ops of a held one (returns how many it could), end it. None may be NULL. */
static inline void job_pause(struct job *j)
{
	run_pause(j->run);
}

static inline void job_resume(struct job *j)
{
	run_resume(j->run);
}

static inline uint64_t job_step(struct job *j, uint64_t n)
{
	return run_step(j->run, n);
}

/* Who is at work and how far; f is filled. Returns the workload's name. */
const char *job_figures(const struct job *j, struct run_figures *f);

/* The same in a line. Returns buf. */
char *job_line(const struct job *j, char *buf, size_t size);

/*
 * Finish jobs that are over: their rest gets its handle, the journal its
 * entry, and a note() tells. Cheap when there is none.
 */
void jobs_reap(struct shell *sh);

/* ---- for `run` and `job` ---- */

/* The run goes on in this lab; `job` is taken over. -EBUSY when one is there already. */
int job_begin(struct lab_slot *slot, const struct job *job);
/* End it between two ops and finish it. *model, when asked for, is the report. The error of an op, if one ended it. */
int job_end(struct shell *sh, struct lab_slot *slot, json_t **model);

/* End those of all labs: the session is over. */
void jobs_end_all(struct shell *sh);

/* -EBUSY with a sentence when a job goes on in the lab: it cannot be exchanged now. */
int job_refuses(const struct lab_slot *slot);
/* The same when the job uses this cache. */
int job_refuses_cache(struct shell *sh, const struct lab *lab, uint32_t cache);

/* While a copy is made: the job stands still, and a handle holds what it has out. */
struct job_loan {
	struct lab *lab;
	struct job *job;
	struct handle *handle;
	bool goes_on;
};
void jobs_lend(struct shell *sh, struct lab *lab, struct job_loan *loan);
void jobs_lend_end(struct job_loan *loan);

/* Name what a run that is over has left, or free it; the handle's name or NULL. Keeps its figures as `run.…`. */
const char *run_settle(struct shell *sh, struct lab *lab, struct run *run, bool keep, const char *name);
/* Answer with this report of a run, which is taken over. */
void run_tell(struct ctx *ctx, json_t *model);

#endif
