/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run - a workload in the lab: stepped or in parallel, here or in the background.
 *
 * The workload's own keys are words of the table in src/work, read there. What
 * is left allocated at the end gets a handle of the workload's name (or the one
 * before `=`), so that nothing is out that no handle names; keep=off frees it.
 */
#include <errno.h>
#include <string.h>

#include "base/rand.h"
#include "base/units.h"
#include "shell/dispatch.h"
#include "shell/jobs.h"
#include "shell/parse.h"
#include "shell/progress.h"
#include "shell/shell.h"
#include "work/run_report.h"

#define OPS_BY_DEFAULT 100000
#define LOOK_EVERY_MS 20

static const char *const mode_words[] = { "stepped", "parallel", NULL };	/* as enum run_mode */
static const char *const keep_words[] = { "on", "off", NULL };

static const struct arg run_args[] = {
	{ "WORKLOAD", ARG_ENUM, NULL, "what to do", workload_names },
	{ "ops", ARG_COUNT, "", "end after so many ops (default: 100000, where no time is given)", NULL },
	{ "time", ARG_TIME, "", "end after this time: the lab's when stepped, the host's in parallel", NULL },
	{ "mode", ARG_ENUM, "stepped", "all CPUs by one thread, one op after the other, or each on its own thread", mode_words },
	{ "seed", ARG_NUMBER, "", "of what is drawn (default: drawn from the lab)", NULL },
	{ "keep", ARG_ENUM, "on", "what is left gets a handle, or is freed", keep_words },
	{ "&", ARG_FLAG, "", "go on in the background, without ops= and time= until job stop", NULL },
	{ "KEY=VALUE", ARG_WORDS, "", "of the workload (below)", (const char *const[]){ "WORKKEY", NULL } },
	{ 0 }
};

static int read_key(struct run_options *o, const char *word)
{
	const char *eq = strchr(word, '=');
	const struct work_key *key;
	uint64_t value;
	int ret;

	if (!eq)
		return fail(EINVAL, "\"%s\" is one word too many (keys are KEY=VALUE)", word);
	key = workload_key(o->workload, word, (size_t)(eq - word));
	if (!key)
		return -EINVAL;
	ret = parse_u64(eq + 1, &value);
	if (ret)
		return fail_in(ret, "%s=: ", key->name);
	if (value < key->min || value > key->max)
		return fail(ERANGE, "%s=%s is out of range (%llu .. %llu)", key->name, eq + 1,
			    (unsigned long long)key->min, (unsigned long long)key->max);
	o->key[key - o->workload->keys] = value;
	return 0;
}

static int read_keys(const struct args *args, struct run_options *o)
{
	unsigned int nr;
	char *const *words = arg_words(args, "KEY=VALUE", &nr);
	int ret = 0;

	for (unsigned int i = 0; i < workload_keys(o->workload); i++)
		o->key[i] = o->workload->keys[i].def;
	for (unsigned int i = 0; i < nr && !ret; i++)
		ret = read_key(o, words[i]);
	return ret;
}

static int read_options(struct ctx *ctx, const struct args *args, struct run_options *o)
{
	*o = (struct run_options){
		.workload = workload_table[arg_enum(args, "WORKLOAD")],
		.mode = (enum run_mode)arg_enum(args, "mode"),
		.ops = arg_given(args, "ops") ? arg_u64(args, "ops") : 0,
		.time_ns = arg_given(args, "time") ? arg_u64(args, "time") : 0,
		.cpu = ctx->on_cpu ? (int)ctx->cpu : -1,
		.hold_when_out = arg_flag(args, "&"),
	};
	if (arg_given(args, "time") && !o->time_ns)
		return fail(ERANGE, "time=0 leaves no time for anything");
	if (!o->ops && !o->time_ns && !arg_flag(args, "&"))
		o->ops = OPS_BY_DEFAULT;
	return read_keys(args, o);
}

/* ---- progress ---- */

struct watch {
	struct progress progress;
	const struct workload *workload;
	bool stopped;
};

static bool tick(void *arg, const struct run_figures *f)
{
	struct watch *w = arg;
	char line[160];

	if (ctx_stopped(w->progress.ctx))
		return w->stopped = true;
	if (progress_is_due(&w->progress))
		progress_show(&w->progress, "%s", run_line(w->workload, f, line, sizeof(line)));
	return false;
}

/* ---- here, or in the background ---- */

static int tell(struct ctx *ctx, int ret, json_t *model)
{
	if (ret)
		json_decref(model);
	else
		run_tell(ctx, model);
	return ret;
}

static void name_job(const struct ctx *ctx, struct job *job)
{
	if (ctx->handle_name)
		snprintf(job->name, sizeof(job->name), "%s", ctx->handle_name);
}

/* On this thread. */
static int run_here(struct ctx *ctx, struct run *run, bool keep, struct watch *w)
{
	json_t *model;
	const char *rest;
	int ret;

	run_main(run);
	progress_end(&w->progress);
	ctx->once |= w->stopped;
	rest = run_settle(ctx->sh, ctx->lab, run, keep, ctx->handle_name);
	ret = run_error(run);
	model = run_model(run, rest, w->stopped);
	run_free(run);
	return tell(ctx, ret, model);
}

/*
 * On threads of its own, and this one looks at what the user wants: in the
 * full-screen view he may hold it, step it, or end it by a command.
 */
static int run_watched(struct ctx *ctx, struct run *run, bool keep, struct watch *w)
{
	struct job job = { .run = run, .keep = keep, .awaited = true };
	const struct job *j;
	struct run_figures f;
	json_t *model;
	int ret;

	name_job(ctx, &job);
	ret = job_begin(labs_of(&ctx->sh->labs, ctx->lab), &job);
	if (ret) {
		run_free(run);
		return ret;
	}
	while (job_of_run(ctx->sh, ctx->lab, run) && !run_wait(run, LOOK_EVERY_MS)) {
		run_figures(run, &f);
		if (tick(w, &f))
			break;
	}
	progress_end(&w->progress);
	j = job_of_run(ctx->sh, ctx->lab, run);
	if (!j) {	/* `job stop` has told of it */
		ctx->once = true;
		return 0;
	}
	ctx->once |= w->stopped || j->stopped;
	ret = job_end(ctx->sh, labs_of(&ctx->sh->labs, ctx->lab), &model);
	return tell(ctx, ret, model);
}

static int run_beside(struct ctx *ctx, struct run *run, const struct args *args, bool keep)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	struct job job = { .run = run, .keep = keep, .on = ctx->on_cpu ? (int)ctx->cpu : ON_NOTHING };
	unsigned int nr;
	char *const *words = arg_words(args, NULL, &nr);
	char **all = arena_get(&ctx->sh->arena, (nr + 1) * sizeof(*all));
	int ret;

	all[0] = (char *)"run";
	memcpy(all + 1, words, nr * sizeof(*words));
	job.words = all;
	job.nr = nr + 1;
	name_job(ctx, &job);
	ret = job_begin(slot, &job);
	if (ret) {
		run_free(run);
		return ret;
	}
	if (ctx->json)
		ctx_answer(ctx, run_model(run, NULL, false));
	else
		ctx_note(ctx, "%s goes on in the background of lab %s (job list, job pause, job stop)",
			 run_workload(run)->name, ctx->lab->name);
	return 0;
}

static int run_run(struct ctx *ctx, const struct args *args)
{
	struct watch watch = { .stopped = false };
	bool keep = !arg_enum(args, "keep"), beside = arg_flag(args, "&"), watched;
	struct run_options o;
	struct run *run;
	int ret = read_options(ctx, args, &o);

	if (!ret)
		ret = job_refuses(labs_of(&ctx->sh->labs, ctx->lab));
	if (ret)
		return ret;
	o.seed = arg_given(args, "seed") ? arg_u64(args, "seed") : rand_next(&ctx->lab->hdr->rand) >> 32;
	watch.workload = o.workload;
	progress_begin(&watch.progress, ctx, PROGRESS_AFTER_NS);
	watched = o.mode == RUN_PARALLEL || ctx->sh->looking_in;
	if (!beside && !watched) {
		o.tick = tick;
		o.arg = &watch;
	}
	ctx->once = watched || beside;
	ret = run_make(ctx->lab, &o, &run);
	if (ret)
		return ret;
	if (beside)
		return run_beside(ctx, run, args, keep);
	return watched ? run_watched(ctx, run, keep, &watch) : run_here(ctx, run, keep, &watch);
}

static void more(FILE *to)
{
	for (unsigned int i = 0; i < workload_nr; i++) {
		const struct workload *w = workload_table[i];

		fprintf(to, "\n%s: %s\n", w->name, w->summary);
		for (unsigned int k = 0; k < workload_keys(w); k++)
			fprintf(to, "  %-10s %s (default: %llu)\n", w->keys[k].name, w->keys[k].text,
				(unsigned long long)w->keys[k].def);
	}
}

const struct cmd cmd_run = {
	.name    = "run",
	.summary = "let a workload use the lab",
	.args    = run_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES | CMD_TAKES_NAME | CMD_ON_MANY,
	.run     = run_run,
	.more    = more,
	.group   = "Work",
};
