/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd - what a command is, and what its handler may use.
 *
 * Idea. A command is one file in cmds/: an argument table, a handler and a
 * descriptor, plus one line in cmds/list.h. Parsing, usage, `help` and
 * completion are read off the table. When a handler runs, every word has its
 * type, default and range; what all commands share (`NAME =`, `@LAB`,
 * `on CPU`, `xN`, pipes, --json, errors with file and line) is the
 * dispatcher's, steered by flags.
 *
 * A handler returns 0, or a negative errno after fail() said what is wrong.
 * It prints text to ctx->out when !ctx->json, and hands its JSON data to
 * ctx_answer() when ctx->json. It prints nothing to stderr but by ctx_note().
 *
 * Ownership. Everything in struct args and struct ctx lives until the handler
 * returns. One command runs at a time, on the thread that called the shell.
 */
#ifndef SHELL_CMD_H
#define SHELL_CMD_H

#include <jansson.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/gfp.h"
#include "base/types.h"
#include "lab/handle.h"
#include "lab/lab.h"

struct args;	/* the words of one command, read by its table */
struct op;
struct shape;
struct shell;

enum arg_type {
	ARG_WORD,	/* one word, as it stands; .words: what completion offers for it, below */
	ARG_FLAG,	/* the bare word of that name (ctor, -v) */
	ARG_ENUM,	/* one of .words; value is its index */
	ARG_SIZE,	/* bytes: a number, K, M, G, 0x */
	ARG_COUNT,	/* a number from 1 */
	ARG_NUMBER,	/* a number from 0 */
	ARG_TIME,	/* ns, us, ms, s */
	ARG_ORDER,	/* 0 .. MAX_PAGE_ORDER */
	ARG_GFP,	/* kernel spelling or a number */
	ARG_MTYPE,	/* unmovable, movable, reclaimable; value is enum mtype */
	ARG_NODE,	/* a node of the lab; -1 when not given */
	ARG_CPU,	/* a CPU of the lab */
	ARG_CACHE,	/* a cache of the lab; value is its id */
	ARG_CACHE_FLAGS,/* HWCACHE|RCU …; value is CF_* bits */
	ARG_LAB,	/* a lab of this session */
	ARG_FILE,	/* a host file's name */
	ARG_PATH,	/* a figure's path, or a glob of them */
	ARG_POLICY,	/* a policy's name */
	ARG_HANDLE,	/* one handle or slice: arg_refs(); .words: kinds of members, below */
	ARG_HANDLES,	/* one or more of them */
	ARG_WORDS,	/* all words that follow: arg_words(); .words as of ARG_WORD */
	ARG_COMMAND,	/* the words of another command: arg_words() */
};

/*
 * A row of an argument table, which ends with a row without name. A name in
 * CAPITALS goes by place, any other is `name=VALUE` (an ARG_FLAG: the word
 * itself, a name that begins with `-` also `-name VALUE`) and may come in any order. Without default it must be given; the
 * default "" means optional and says nothing of it in help.
 */
struct arg {
	const char *name;
	enum arg_type type;
	const char *def;
	const char *text;
	/*
	 * ARG_ENUM: its words, NULL-terminated. ARG_WORD and ARG_WORDS: what the
	 * word may be, for completion: CACHE, CPU, ZONE, HANDLE, LAB, PATH, SHAPE,
	 * OBJECTS, CACHE_OBJECTS (none of kmalloc's large blocks), PAGES, FILLERS,
	 * CACHED, SHEAVES (handles of such members; for ARG_HANDLE and ARG_HANDLES
	 * the like, NULL: of all), SNAPSHOT, PRESET, TOPIC (what help knows), WORKKEY (of the workload named
	 * first), TRACE (an event, tracepoint or note), VALUE (of the policy named before it), or a
	 * word that stands for itself; NULL: nobody can know.
	 */
	const char *const *words;
};

/* A member of a handle that a command names. */
struct ref {
	struct handle *h;
	uint32_t index;
};

static inline struct member *ref_member(const struct lab *lab, struct ref r)
{
	return handle_members(lab, r.h) + r.index;
}

struct refs {
	const struct ref *v;
	size_t nr;
};

bool arg_given(const struct args *args, const char *name);	/* by the user, not by default */
const char *arg_word(const struct args *args, const char *name);	/* NULL: optional and not given */
bool arg_flag(const struct args *args, const char *name);
uint64_t arg_u64(const struct args *args, const char *name);	/* SIZE, COUNT, NUMBER, TIME, CPU, CACHE, ENUM, … */
unsigned int arg_order(const struct args *args, const char *name);
uint32_t arg_gfp(const struct args *args, const char *name);
uint32_t arg_mtype(const struct args *args, const char *name);	/* as gfp bits; 0 if not given */
int32_t arg_node(const struct args *args, const char *name);
unsigned int arg_enum(const struct args *args, const char *name);
uint32_t arg_cache(const struct args *args, const char *name);
struct refs arg_refs(const struct args *args, const char *name);
/* Words of an ARG_WORDS or ARG_COMMAND row; with name NULL all words after the command. NULL-terminated. */
char *const *arg_words(const struct args *args, const char *name, unsigned int *nr);

struct ctx {
	struct shell *sh;
	struct lab *lab;		/* NULL only without CMD_NEEDS_LAB */
	unsigned int cpu;		/* the CPU that this command's ops run on */
	bool on_cpu;			/* `on CPU` was said */
	bool json;			/* answer by ctx_answer(), print no text */
	bool quiet, progress;		/* -q; progress: standard error is a terminal and not -q */
	FILE *out;

	/* the dispatcher's */
	const struct cmd *cmd;
	const char *handle_name;	/* NAME =, or NULL */
	uint64_t times;			/* xN, 1 without */
	json_t *data;
	struct handle *made;		/* the handle under way */
	uint64_t made_nr;		/* members of it from this command */
	char moved[HANDLE_NAME];	/* name that earlier members of it moved to */
	unsigned int cpus;		/* CPUs this command runs on in turn */
	bool once;			/* set by a handler: done again it would not do the same */
};

enum cmd_flag {
	CMD_NEEDS_LAB    = 1 << 0,
	CMD_MAKES_HANDLE = 1 << 1,	/* takes `NAME =` and xN; the dispatcher answers with the handle */
	CMD_CHANGES      = 1 << 2,	/* changes the lab: not a mere look at it */
	CMD_TAKES_GT     = 1 << 3,	/* `>` and `>>` are words of its own */
	CMD_RUNS_COMMAND = 1 << 4,	/* its ARG_COMMAND is run: NAME =, xN, --json go to that */
	CMD_SHOWS_LIVE   = 1 << 5,	/* what it prints is to be seen as it comes: never held for a pager */
	CMD_OF_LABS      = 1 << 7,	/* makes, chooses, drops labs or writes one out: not for each of twins */
	CMD_TAKES_NAME   = 1 << 8,	/* takes `NAME =`, and answers itself */
	CMD_ON_MANY      = 1 << 11,	/* without `on CPU` it is of all CPUs, not of the current one */
	CMD_ENDS_JOBS    = 1 << 9,	/* jobs that are over are its to tell of */
	CMD_FOR_READER   = 1 << 10,	/* speaks to who reads a file's output: `verbose` does not show it */
	CMD_READS_HOST   = 1 << 6,	/* its words do not say all that it does: it reads a file, or runs in parallel */
};

struct cmd {
	const char *name;		/* one word or two: "kmalloc", "lab check" */
	const char *summary;
	const struct arg *args;		/* NULL: none */
	unsigned int flags;
	int (*run)(struct ctx *ctx, const struct args *args);
	void (*more)(FILE *to);		/* lines of help behind its arguments; NULL: none */
	const char *group;		/* heading in `help`: "Session", "Lab", "Pages", "Slab", "Views", "Work", "Screen" */
};

/* All commands, in the order of cmds/list.h. */
extern const struct cmd *const cmd_table[];
extern const unsigned int cmd_nr;

/*
 * Run an allocating op on ctx->cpu, xN times; what it gives becomes members
 * of the command's handle, made at the first success. op->cpu is filled in;
 * a bulk op needs op->n only. Out of memory after some: those are kept, and
 * the sentence says how many.
 */
int ctx_submit(struct ctx *ctx, const struct op *op);

/* Make (at the first call) the handle of this command and append a member: for commands that run ops themselves. */
int ctx_keep(struct ctx *ctx, const struct member *m);

/* The JSON data of this command; takes the reference over. */
void ctx_answer(struct ctx *ctx, json_t *data);

/* A remark on standard error; nothing with -q. */
void ctx_note(struct ctx *ctx, const char *fmt, ...) __printf_like(2, 3);

/* Has the user pressed Ctrl-C (or was the program told to end)? Long work asks at every op and returns -EINTR. */
bool ctx_stopped(const struct ctx *ctx);

/* Paint the view of that name from this command's words. */
int ctx_view(struct ctx *ctx, const struct args *args, const char *view);

/* Columns of the terminal that the text goes to, 0 if to none; and whether it shows UTF-8. */
unsigned int screen_columns(const struct shell *sh, FILE *to);
bool screen_is_utf8(void);

/* For views that are asked for by more than words: the arguments, then text or JSON of a model (taken over). */
struct view_args;
void ctx_view_args(const struct ctx *ctx, const struct args *args, struct view_args *va);
void ctx_model(struct ctx *ctx, json_t *model, void (*text)(const json_t *, const struct view_args *, FILE *),
	       const struct view_args *va);

/* Give the current lab another shape: a fresh lab of the same name and settings takes its place in ctx->lab. */
int ctx_reshape(struct ctx *ctx, const struct shape *shape);

/* A JSON string of any bytes: what is not UTF-8 becomes '?'. */
json_t *json_text(const char *text);

#endif
