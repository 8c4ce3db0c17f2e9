/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/units.h"
#include "shell/journal.h"
#include "shell/shell.h"
#include "view/figure.h"
#include "work/run_report.h"

/* ---- figures: the run that goes on in a lab, or the last one ---- */

struct kept {
	const struct lab *lab;
	uint64_t born_ns;
	const struct run *run;	/* while it lives */
	struct run_figures last;
	struct kept *next;
};
static struct kept *kept;

static struct kept *kept_find(const struct lab *lab)
{
	struct kept *k = kept;

	while (k && (k->lab != lab || k->born_ns != lab->born_ns))
		k = k->next;
	return k;
}

static int figures_read(struct lab *lab, const char *path, struct figure_value *v)
{
	const struct kept *k = kept_find(lab);
	struct run_figures f;

	if (!k)
		return fail(ENOENT, "no workload ran in lab %s yet", lab->name);
	f = k->last;
	if (k->run)
		run_figures(k->run, &f);
	for (unsigned int i = 0; run_figure_name(i); i++) {
		if (strcmp(run_figure_name(i), path + strlen("run.")))
			continue;
		v->type = FIGURE_INT;
		v->i = (int64_t)run_figure_value(&f, i);
		v->d = (double)v->i;
		snprintf(v->text, sizeof(v->text), "%lld", (long long)v->i);
		return 0;
	}
	return fail(ENOENT, "there is no figure %s (get 'run.*' lists them)", path);
}

static void figures_list(struct lab *lab, void (*emit)(const char *path, void *arg), void *arg)
{
	char path[64];

	for (unsigned int i = 0; kept_find(lab) && run_figure_name(i); i++) {
		snprintf(path, sizeof(path), "run.%s", run_figure_name(i));
		emit(path, arg);
	}
}

static const struct figure_source figures = { .prefix = "run.", .read = figures_read, .list = figures_list };

/* From now on the figures of this lab are those of this run. */
static void figures_of(const struct lab *lab, const struct run *run)
{
	static bool added;
	struct kept *k = kept_find(lab);

	if (!added)
		figure_source_add(&figures);
	added = true;
	if (!k) {
		k = host_alloc(sizeof(*k));
		*k = (struct kept){ .lab = lab, .born_ns = lab->born_ns, .next = kept };
		kept = k;
	}
	k->run = run;
}

static void figures_settle(const struct lab *lab, const struct run *run)
{
	figures_of(lab, NULL);
	run_figures(run, &kept_find(lab)->last);
}

/* ---- the end of a run ---- */

const char *run_settle(struct shell *sh, struct lab *lab, struct run *run, bool keep, const char *name)
{
	char moved[HANDLE_NAME];
	struct handle *h = keep ? run_name_rest(run, name ? name : run_workload(run)->name, moved) : NULL;

	figures_settle(lab, run);
	if (!h) {
		if (keep && kept_find(lab)->last.live)
			warn(sh, "the lab has no room for a handle: what %s had left was freed", run_workload(run)->name);
		run_free_rest(run);
		return NULL;
	}
	if (moved[0])
		note(sh, "%s still had live members: they are now %s", h->name, moved);
	return h->name;
}

void run_tell(struct ctx *ctx, json_t *model)
{
	if (!ctx->json)
		run_text(model, ctx->out);
	ctx_answer(ctx, model);
}

/* ---- jobs ---- */

struct job *job_of(struct shell *sh, const struct lab *lab)
{
	struct lab_slot *slot = lab ? labs_of(&sh->labs, lab) : NULL;

	return slot ? slot->job : NULL;
}

struct job *job_of_run(struct shell *sh, const struct lab *lab, const struct run *run)
{
	struct job *j = job_of(sh, lab);

	return j && j->run == run ? j : NULL;
}

struct job *job_need(struct shell *sh, const struct lab *lab)
{
	struct job *j = job_of(sh, lab);

	if (!j)
		fail(ENOENT, "nothing goes on in lab %s (run WORKLOAD & begins something)", lab->name);
	return j;
}

const char *job_figures(const struct job *j, struct run_figures *f)
{
	run_figures(j->run, f);
	return run_workload(j->run)->name;
}

char *job_line(const struct job *j, char *buf, size_t size)
{
	struct run_figures f;

	run_figures(j->run, &f);
	return run_line(run_workload(j->run), &f, buf, size);
}

int job_refuses(const struct lab_slot *slot)
{
	if (!slot->job)
		return 0;
	return fail(EBUSY, "%s goes on in lab %s (job stop ends it)", run_workload(slot->job->run)->name,
		    slot->lab->name);
}

int job_refuses_cache(struct shell *sh, const struct lab *lab, uint32_t cache)
{
	const struct job *j = job_of(sh, lab);

	if (!j || !run_uses_cache(j->run, cache))
		return 0;
	return fail(EBUSY, "%s uses it in the background (job stop ends that)", run_workload(j->run)->name);
}

int job_begin(struct lab_slot *slot, const struct job *job)
{
	int ret = job_refuses(slot);

	if (!ret)
		ret = run_start(job->run);
	if (ret)
		return ret;
	slot->job = host_alloc(sizeof(*slot->job));
	*slot->job = *job;
	slot->job->words = host_alloc((job->nr + 1) * sizeof(*job->words));
	for (unsigned int i = 0; i < job->nr; i++)
		slot->job->words[i] = host_text(job->words[i]);
	figures_of(slot->lab, job->run);
	return 0;
}

static void job_free(struct job *j)
{
	for (unsigned int i = 0; i < j->nr; i++)
		free(j->words[i]);
	free(j->words);
	run_free(j->run);
	free(j);
}

/* The journal's entry: the same run in the foreground, as many ops as it came to. */
static void write_down(struct lab_slot *slot, struct job *j)
{
	struct run_figures f;
	char ops[32], seed[32];
	unsigned int nr = 0;
	char **words = host_alloc((j->nr + 3) * sizeof(*words));

	run_figures(j->run, &f);
	snprintf(ops, sizeof(ops), "ops=%llu", (unsigned long long)f.ops);
	snprintf(seed, sizeof(seed), "seed=%llu", (unsigned long long)f.seed);
	for (unsigned int i = 0; i < j->nr; i++)
		if (strcmp(j->words[i], "&") && strncmp(j->words[i], "ops=", 4) && strncmp(j->words[i], "seed=", 5) &&
		    strncmp(j->words[i], "time=", 5))
			words[nr++] = j->words[i];
	words[nr++] = seed;
	words[nr++] = ops;
	journal_job_ended(slot, &(struct journal_line){
		.handle_name = j->name[0] ? j->name : NULL, .on = j->on, .words = words, .nr = nr, .times = 1,
		.counts = true, .once = true,
	});
	free(words);
}

/* Of a run that is over. */
static int finish(struct shell *sh, struct lab_slot *slot, json_t **model)
{
	struct job *j = slot->job;
	const char *rest = run_settle(sh, slot->lab, j->run, j->keep, j->name[0] ? j->name : NULL);
	int error = run_error(j->run);

	if (error && !j->awaited)
		warn(sh, "%s in lab %s ended early: %s", run_workload(j->run)->name, slot->lab->name, fail_why());
	if (model)
		*model = run_model(j->run, rest, j->stopped);
	slot->job = NULL;
	if (!j->awaited)
		write_down(slot, j);
	job_free(j);
	return error;
}

static void tell_end(struct shell *sh, const struct lab_slot *slot, const json_t *m)
{
	const char *rest = json_string_value(json_object_get(m, "handle"));

	note(sh, "%s in lab %s is over: %lld ops, %lld ns each, %lld failed; %lld left%s%s",
	     json_string_value(json_object_get(m, "workload")), slot->lab->name,
	     (long long)json_integer_value(json_object_get(m, "ops")),
	     (long long)json_integer_value(json_object_get(m, "ns_per_op")),
	     (long long)json_integer_value(json_object_get(m, "failed")),
	     rest ? (long long)json_integer_value(json_object_get(m, "live")) : 0LL, rest ? " in " : "", rest ? rest : "");
}

void jobs_reap(struct shell *sh)
{
	json_t *model;

	for (unsigned int i = 0; i < sh->labs.nr; i++) {
		struct lab_slot *slot = &sh->labs.v[i];

		if (!slot->job || !run_wait(slot->job->run, 0))
			continue;
		finish(sh, slot, &model);
		tell_end(sh, slot, model);
		json_decref(model);
	}
}

int job_end(struct shell *sh, struct lab_slot *slot, json_t **model)
{
	slot->job->stopped |= !run_wait(slot->job->run, 0);
	run_end(slot->job->run);
	return finish(sh, slot, model);
}

void jobs_end_all(struct shell *sh)
{
	for (unsigned int i = 0; i < sh->labs.nr; i++)
		if (sh->labs.v[i].job)
			job_end(sh, &sh->labs.v[i], NULL);
}

/* ---- copies ---- */

void jobs_lend(struct shell *sh, struct lab *lab, struct job_loan *loan)
{
	struct job *j = job_of(sh, lab);
	char moved[HANDLE_NAME];
	struct run_figures f;
	const char *name;

	*loan = (struct job_loan){ .lab = lab, .job = j };
	if (!j)
		return;
	run_figures(j->run, &f);
	loan->goes_on = f.state == RUN_GOING;
	run_pause(j->run);
	name = j->name[0] ? j->name : run_workload(j->run)->name;
	loan->handle = run_name_rest(j->run, handle_find(lab, name) ? NULL : name, moved);
}

void jobs_lend_end(struct job_loan *loan)
{
	if (!loan->job)
		return;
	if (loan->handle)
		handle_drop(loan->lab, loan->handle);
	if (loan->goes_on)
		run_resume(loan->job->run);
}
