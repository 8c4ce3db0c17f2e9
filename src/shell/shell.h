/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shell - the command language at work: labs, frames, options, status.
 *
 * Idea. Lines are parsed (parse.h), their words filled in (frames below),
 * looked up in the one command table (cmd.h) and dispatched, one at a time,
 * on the calling thread. The library holds all of this; only line editing is
 * the program's, which hands it in as an input.
 *
 * Ownership. One thread per shell. Labs it made it drops; a lab adopted stays
 * its owner's.
 */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "lab/shape.h"
#include "shell/arena.h"
#include "shell/cmd.h"
#include "shell/colour.h"
#include "shell/history.h"
#include "shell/input.h"
#include "shell/labs.h"
#include "shell/pager.h"
#include "shell/screen.h"
#include "shell/twins.h"

struct preset;

/* Words and variables that a file sees: its own arguments, and `for` variables of everything around it. */
struct var {
	const char *name, *value;
	struct var *outer;
};

/* A round of a block that runs more than once, for errors; the innermost first. */
struct round {
	const char *name, *value;	/* `for`: the variable; NULL: repeat */
	uint64_t n;			/* from 1 */
	const struct round *outer;
};

struct frame {
	const char *file;		/* name for messages and $0; NULL: terminal or a bare command */
	char *const *argv;		/* $1 … */
	unsigned int argc;
	struct frame *outer;
};

struct shell {
	/* options */
	bool json, keep_going, quiet, interactive;
	bool verbose;			/* commands of a file are shown before they run */
	enum colour_when colour;
	struct shape shape;		/* of the first lab */
	const struct preset *preset;	/* --preset, or NULL */
	const char *boot;		/* --boot, or NULL */
	const char *const *sets;	/* --set …, NULL-terminated, or NULL */

	struct labs labs;
	FILE *out;			/* where commands print now */
	struct twins twins;		/* labs that commands go to together */
	struct screen *screen;		/* the full-screen view; NULL: this program has none */
	struct pager *pager;		/* that holds what is printed now, or NULL */
	struct history history;		/* what was typed; empty where nobody types */
	struct arena arena;		/* of the statements under way */
	struct frame *frame;
	struct var *vars;		/* `for` variables, the innermost first */
	const struct round *rounds;	/* that are under way */
	unsigned long line;		/* of the statement under way */
	unsigned int noting;		/* commands under way that will be in the journal */
	bool disturbed;			/* another command came in the midst of that */
	bool looking_in;		/* commands come from the screen, maybe in the midst of another */
	bool again;			/* undo runs commands again: they are in the journal already */
	unsigned int depth;		/* nested `source` and commands that run commands */

	/* what came of it */
	int status;			/* exit status so far: 0, 1, 2 */
	bool quit;
	bool mute;			/* C interface: errors are kept below, not printed */
	char first_error[512];
};

void shell_init(struct shell *sh);
void shell_fini(struct shell *sh);

/* Make the first lab, if there is none. */
int shell_first_lab(struct shell *sh);

/*
 * Run everything that comes from `in`, as a file called in->name with these
 * arguments. 0, or -1 when something failed (it was reported, sh->status says
 * which kind).
 */
int shell_run(struct shell *sh, struct input *in, char *const *argv, unsigned int argc);

/* Run one command given as words. The same results. */
int shell_run_words(struct shell *sh, char *const *words, unsigned int nr);

/* Run commands in a lab that somebody else owns. 0 or -EINVAL with the first error's sentence. */
int shell_run_in(struct lab *lab, const char *commands);

/* The exit status, signals considered. */
int shell_status(const struct shell *sh);

/* Is nothing more to be run: a signal asked to stop, or nobody can read what is printed? */
bool shell_stopped(void);

/* A `$NAME` of the statement under way; NULL with a sentence. For word_expand(). */
const char *shell_value(void *shell, const char *name, size_t len);

/* ---- report.c ---- */

/* One error: text on standard error, and a JSON line with --json. `command` NULL: none was found yet. */
void report(struct shell *sh, const char *command, bool json, const char *sentence);
/* The same for what cannot be read or understood: exit status 2. */
void report_unreadable(struct shell *sh, const char *sentence);
void note(struct shell *sh, const char *fmt, ...) __printf_like(2, 3);
void warn(struct shell *sh, const char *fmt, ...) __printf_like(2, 3);

#endif
