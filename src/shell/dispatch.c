/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/dispatch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "event/stack.h"
#include "op/op.h"
#include "shell/args.h"
#include "shell/jobs.h"
#include "shell/journal.h"
#include "shell/json.h"
#include "shell/usage.h"
#include "view/look.h"
#include "view/report.h"

#define COMMANDS_DEEP 64	/* commands that run commands that run commands */

/* The words behind the name, once what belongs to the dispatcher is taken off their end. */
struct tail {
	char **words;
	unsigned int nr;
	bool json, help;
	uint64_t times;
};

static bool is_last(const struct tail *t, const char *word)
{
	return t->nr && !strcmp(t->words[t->nr - 1], word);
}

static bool has_json_flag(const struct cmd *cmd)
{
	return !(cmd->flags & CMD_RUNS_COMMAND);
}

/* "x100" as a number of times; -EINVAL with a sentence when it is none that makes sense. */
static int read_times(const char *word, uint64_t *times)
{
	int ret = parse_u64(word + 1, times);

	if (!ret && (!*times || *times > UINT32_MAX))
		ret = fail(ERANGE, "%s is out of range (x1 .. x%u)", word, UINT32_MAX);
	return ret;
}

static bool is_times(const char *word)
{
	return word[0] == 'x' && word[1] >= '0' && word[1] <= '9';
}

static int read_tail(struct shell *sh, const struct request *rq, struct tail *t)
{
	unsigned int nr = rq->nr - rq->used;

	*t = (struct tail){ .nr = nr, .json = sh->json, .times = 1 };
	t->words = arena_get(&sh->arena, (nr + 1) * sizeof(*t->words));
	memcpy(t->words, rq->words + rq->used, nr * sizeof(*t->words));
	if (nr == 1 && is_last(t, "--help")) {
		t->help = true;
		return 0;
	}
	if (has_json_flag(rq->cmd) && is_last(t, "--json")) {
		t->json = true;
		t->words[--t->nr] = NULL;
	}
	if (!(rq->cmd->flags & CMD_MAKES_HANDLE) || !t->nr || !is_times(t->words[t->nr - 1]))
		return 0;
	if (read_times(t->words[t->nr - 1], &t->times))
		return -EINVAL;
	t->words[--t->nr] = NULL;
	return 0;
}

/* Does this request make sense before anything is run? */
static int check(const struct request *rq)
{
	const struct cmd *cmd = rq->cmd;

	if (rq->handle_name && !(cmd->flags & (CMD_MAKES_HANDLE | CMD_TAKES_NAME | CMD_RUNS_COMMAND)))
		return fail(EINVAL, "it allocates nothing that \"%s =\" could name", rq->handle_name);
	if (rq->handle_name && strlen(rq->handle_name) >= HANDLE_NAME)
		return fail(EINVAL, "the name \"%s\" is longer than %d letters", rq->handle_name, HANDLE_NAME - 1);
	return 0;
}

/* ---- running ---- */

/*
 * Whoever allocates while a command runs is that command: its words, joined, are
 * the place that tracks and reports name. Call stacks end here.
 */
static __attribute__((noinline)) int command_call(struct ctx *ctx, const struct args *args)
{
	int ret = ctx->cmd->run(ctx, args);

	barrier();	/* a frame of its own, not a jump */
	return ret;
}

static void label_words(const struct ctx *ctx, const struct tail *t, char *label, size_t size)
{
	size_t at = (size_t)snprintf(label, size, "%s", ctx->cmd->name);

	for (unsigned int i = 0; i < t->nr && at < size; i++)
		at += (size_t)snprintf(label + at, size - at, "_%s", t->words[i]);
	if (t->times > 1 && at < size)
		snprintf(label + at, size - at, "_x%llu", (unsigned long long)t->times);
	for (char *c = label; *c; c++)
		if ((unsigned char)*c <= ' ')
			*c = '_';
}

static int call_labelled(struct ctx *ctx, const struct tail *t, const struct args *args)
{
	struct lab *lab = ctx->lab;
	char before[sizeof(lab->label)];
	int ret;

	if (!lab || !(ctx->cmd->flags & CMD_CHANGES || ctx->cmd->flags & CMD_MAKES_HANDLE))
		return command_call(ctx, args);
	stack_root("command_call");
	memcpy(before, lab->label, sizeof(before));
	label_words(ctx, t, lab->label, sizeof(lab->label));
	ret = command_call(ctx, args);
	if (ctx->lab == lab)		/* a command may have put another lab in its place */
		memcpy(lab->label, before, sizeof(before));
	return ret;
}

static int run_on(struct ctx *ctx, struct shell *sh, const struct tail *t, unsigned int cpu)
{
	struct args args;
	int ret;

	ctx->cpu = cpu;
	ret = args_read(sh, ctx->lab, ctx->cmd, t->words, t->nr, &args);
	if (ret)
		return ret;
	ret = call_labelled(ctx, t, &args);
	args_free(&args);
	return ret;
}

static unsigned int online_cpus(const struct lab *lab)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		n += look_online(lab, i);
	return n;
}

static int run_on_all(struct ctx *ctx, struct shell *sh, const struct tail *t)
{
	json_t *each = json_array();
	int ret = 0;

	ctx->cpus = online_cpus(ctx->lab);
	for (unsigned int i = 0; i < ctx->lab->nr_cpus && !ret; i++) {
		if (!look_online(ctx->lab, i))
			continue;
		ret = run_on(ctx, sh, t, i);
		if (ret)
			ret = ret == ALREADY_REPORTED ? ret : fail_in(ret, "on CPU %u: ", i);
		if (ctx->data)
			json_array_append_new(each, ctx->data);
		ctx->data = NULL;
	}
	if (json_array_size(each))
		ctx->data = each;
	else
		json_decref(each);
	return ret;
}

static int run_anywhere(struct ctx *ctx, struct shell *sh, const struct request *rq, const struct tail *t)
{
	struct lab_slot *slot = labs_of(&sh->labs, ctx->lab);

	ctx->cpus = 1;
	if (rq->on == ON_ALL && ctx->lab)
		return run_on_all(ctx, sh, t);
	return run_on(ctx, sh, t, rq->on >= 0 ? (unsigned int)rq->on : slot ? slot->cpu : 0);
}

/* ---- answering ---- */

static json_t *handle_data(const struct ctx *ctx)
{
	json_t *o = json_object();
	const struct member *first = handle_members(ctx->lab, ctx->made);

	json_object_set_new(o, "handle", json_text(ctx->made->name));
	json_object_set_new(o, "count", json_integer((json_int_t)ctx->made_nr));
	json_object_set_new(o, "cpu", json_integer(first->cpu));
	if (ctx->cpus > 1)
		json_object_set_new(o, "cpus", json_integer(ctx->cpus));
	if (ctx->moved[0])
		json_object_set_new(o, "moved", json_text(ctx->moved));
	return o;
}

/* A job may move it on meanwhile. */
static uint64_t ops_of(struct lab *lab)
{
	uint64_t ops;

	lab_hold(lab);
	ops = lab->hdr->ops;
	lab_release(lab);
	return ops;
}

#define REPORTS_SHOWN 3

/* Those stand behind the failure of the pages (tell_failure()). How many there were. */
static size_t drop_shortages(json_t *list)
{
	size_t nr = json_array_size(list);

	for (size_t i = nr; i > 0; i--)
		if (view_is_shortage(json_array_get(list, i - 1)))
			json_array_remove(list, i - 1);
	return nr - json_array_size(list);
}

/* What slab debugging found meanwhile: in the kernel's words behind the command's text, or beside its data. */
static void tell_reports(struct ctx *ctx, const struct lab *lab, uint64_t before)
{
	uint64_t now = ctx->lab == lab && lab ? view_reports(ctx->lab) : 0;
	json_t *list;

	if (now <= before || ctx->sh->mute)
		return;
	list = view_reports_after(ctx->lab, before, NULL);
	if (ctx->json) {
		if (!ctx->data)
			ctx->data = ctx->made ? handle_data(ctx) : json_object();
		if (json_is_object(ctx->data))
			json_object_set_new(ctx->data, "reports", list);
		else
			json_decref(list);
		return;
	}
	now -= drop_shortages(list);
	for (size_t i = json_array_size(list); i > REPORTS_SHOWN; i--)
		json_array_remove(list, i - 1);
	view_reports_text(list, ctx->out);
	if (now > before + REPORTS_SHOWN)
		fprintf(ctx->out, "and %llu more (dmesg)\n", (unsigned long long)(now - before - REPORTS_SHOWN));
	json_decref(list);
}

#define FAILURES_APART_NS 10000000000ULL

/*
 * Since op `before` a request for pages came to nothing: as a kernel reports
 * it, on standard error behind the sentence. Always where the command itself
 * failed; of those that a run bore, one in ten seconds of lab time.
 */
static void tell_failure(struct ctx *ctx, const struct lab *lab, uint64_t before, bool is_error)
{
	static struct { const struct lab *lab; uint64_t op, ns; } told;
	uint64_t now = lab && ctx->lab == lab ? ops_of(ctx->lab) : 0, op, ns;
	json_t *failure;

	if (now <= before || (!is_error && now - before <= ctx->times) || ctx->sh->mute || ctx->quiet || ctx->json)
		return;
	failure = view_failure(ctx->lab);
	if (!failure)
		return;
	op = (uint64_t)json_integer_value(json_object_get(failure, "op"));
	ns = (uint64_t)json_integer_value(json_object_get(failure, "time_ns"));
	if (told.lab != lab || ns < told.ns)
		told.op = told.ns = 0;
	if (op >= before && op != told.op && (is_error || !told.op || ns - told.ns >= FAILURES_APART_NS)) {
		told.lab = lab;
		told.op = op;
		told.ns = ns;
		fflush(ctx->out);
		view_failure_text(failure, stderr);
		view_shortages_text(ctx->lab, failure, stderr);
	}
	json_decref(failure);
}

/* Tell which name an allocation got, or what happened to the one it took. */
static void tell_handle(struct ctx *ctx)
{
	if (!ctx->made)
		return;
	if (!ctx->handle_name && !ctx->json)
		fprintf(ctx->out, "%s\n", ctx->made->name);
	if (ctx->moved[0])
		ctx_note(ctx, "%s still had live members: they are now %s", ctx->handle_name, ctx->moved);
}

static void answer(struct ctx *ctx)
{
	tell_handle(ctx);
	if (!ctx->json)
		return;
	if (!ctx->data && ctx->made)
		ctx->data = handle_data(ctx);
	json_success(ctx->sh, ctx->cmd->name, ctx->lab, ctx->data);
	ctx->data = NULL;
}

static void failed(struct ctx *ctx, int ret)
{
	char sentence[512];

	if (ret == ALREADY_REPORTED)
		return;
	snprintf(sentence, sizeof(sentence), "%s", fail_why());
	tell_handle(ctx);
	report(ctx->sh, ctx->cmd->name, ctx->json, sentence);
}

static int help(struct shell *sh, const struct request *rq)
{
	if (sh->json)
		json_success(sh, rq->cmd->name, NULL, usage_json(rq->cmd));
	else
		usage_print(rq->cmd, sh->out);
	return 0;
}

static int find_lab(struct shell *sh, const struct request *rq, struct ctx *ctx)
{
	struct lab_slot *slot;
	int ret = ctx->cmd->flags & CMD_NEEDS_LAB ? shell_first_lab(sh) : 0;

	slot = rq->lab ? labs_need(&sh->labs, rq->lab) : labs_current(&sh->labs);
	if (rq->lab && !slot)
		return -ENOENT;
	ctx->lab = slot ? slot->lab : NULL;
	if (!ret && ctx->lab && rq->on >= (int)ctx->lab->nr_cpus)
		ret = fail(ERANGE, "there is no CPU %d in this lab", rq->on);
	if (!ret && rq->on >= 0 && ctx->lab && !look_online(ctx->lab, (unsigned int)rq->on))
		ret = fail(EINVAL, "CPU %d is offline", rq->on);
	return ret;
}

static void ctx_init(struct ctx *ctx, struct shell *sh, const struct request *rq, const struct tail *t)
{
	*ctx = (struct ctx){
		.sh = sh, .cmd = rq->cmd, .out = sh->out, .json = t->json, .quiet = sh->quiet,
		.progress = !sh->quiet && isatty(STDERR_FILENO),
		.on_cpu = rq->on != ON_NOTHING, .handle_name = rq->handle_name, .times = t->times,
		.cpus = 1,
	};
}

/* ---- writing down what changed a lab ---- */

/* Where a command ran, so that it runs there again whatever the current CPU is then. */
static int place_of(const struct ctx *ctx, const struct request *rq)
{
	if (rq->on == ON_ALL || (rq->on == ON_NOTHING && rq->cmd->flags & CMD_ON_MANY))
		return rq->on;
	return (int)ctx->cpu;
}

static void write_down(struct ctx *ctx, const struct request *rq, const struct tail *t, const struct journal_mark *m,
		       int ret)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	struct journal_line line = {
		.handle_name = rq->handle_name, .on = place_of(ctx, rq),
		.nr = rq->used + t->nr, .times = t->times, .failed = ret,
		/* a refusal is nothing to undo; what came half of the way is */
		.counts = !ret || ctx->made || ops_of(ctx->lab) > m->ops + 1 || ctx->lab != m->lab,
		.repeatable = !(rq->cmd->flags & CMD_READS_HOST) && ret != -EINTR && !ctx->once,
		.once = ctx->once || ret == -EINTR,
	};
	char **words = arena_get(&ctx->sh->arena, (line.nr + 1) * sizeof(*words));

	memcpy(words, rq->words, rq->used * sizeof(*words));
	memcpy(words + rq->used, t->words, t->nr * sizeof(*words));
	line.words = words;
	journal_end(slot, m, &line);
}

static int run_noted(struct ctx *ctx, struct shell *sh, const struct request *rq, const struct tail *t)
{
	struct lab_slot *slot = rq->cmd->flags & CMD_CHANGES && !sh->again ? labs_of(&sh->labs, ctx->lab) : NULL;
	struct journal_mark mark;
	char why[512];
	int ret;

	if (slot && sh->noting && sh->looking_in) {	/* undone together with the command it came in */
		sh->disturbed = true;
		return run_anywhere(ctx, sh, rq, t);
	}
	if (!slot || slot->adopted)
		return run_anywhere(ctx, sh, rq, t);
	journal_begin(slot, &mark);
	sh->noting++;
	ret = run_anywhere(ctx, sh, rq, t);
	sh->noting--;
	ctx->once |= sh->disturbed;
	if (!sh->noting)
		sh->disturbed = false;
	if (ret)
		snprintf(why, sizeof(why), "%s", fail_why());
	write_down(ctx, rq, t, &mark, ret);
	if (ret)
		fail(-ret, "%s", why);
	return ret;
}

/* From the screen, while a command that changes the lab is between two of its ops: the lab has to stay. */
static int check_midst(const struct shell *sh, const struct request *rq)
{
	if (!sh->noting || !sh->looking_in || !(rq->cmd->flags & (CMD_OF_LABS | CMD_READS_HOST)))
		return 0;
	return fail(EBUSY, "another command is in the midst of its work: Ctrl-C ends it");
}

static int run(struct shell *sh, const struct request *rq, const struct tail *t)
{
	const struct lab *lab;
	uint64_t reports, before;
	struct ctx ctx;
	int ret;

	ctx_init(&ctx, sh, rq, t);
	ret = check(rq);
	if (!ret)
		ret = check_midst(sh, rq);
	if (!ret)
		ret = find_lab(sh, rq, &ctx);
	lab = ctx.lab;
	reports = lab && !ret ? view_reports(ctx.lab) : 0;
	before = lab && !ret ? ops_of(ctx.lab) : 0;
	if (!ret)
		ret = run_noted(&ctx, sh, rq, t);
	if (!(rq->cmd->flags & CMD_RUNS_COMMAND))
		tell_reports(&ctx, lab, reports);
	if (ret)
		failed(&ctx, ret);
	else if (!(rq->cmd->flags & CMD_RUNS_COMMAND) || ctx.data)
		answer(&ctx);
	if (!(rq->cmd->flags & CMD_RUNS_COMMAND))
		tell_failure(&ctx, lab, before, ret);
	json_decref(ctx.data);
	return ret ? -1 : 0;
}

int dispatch(struct shell *sh, struct request *rq)
{
	struct tail t;
	int ret;

	if (!rq->cmd)
		rq->cmd = cmd_find(rq->words, rq->nr, &rq->used);
	if (!rq->cmd) {
		cmd_unknown(rq->words, rq->nr);
		report(sh, rq->words[0], sh->json, strdupa(fail_why()));
		return -1;
	}
	if (sh->depth == COMMANDS_DEEP) {
		report(sh, rq->cmd->name, sh->json, "commands that run commands are nested deeper than 64");
		return -1;
	}
	if (read_tail(sh, rq, &t)) {
		report(sh, rq->cmd->name, t.json, strdupa(fail_why()));
		return -1;
	}
	if (t.help)
		return help(sh, rq);
	if (!sh->depth && !(rq->cmd->flags & CMD_ENDS_JOBS))
		jobs_reap(sh);
	if (twins_take(sh, rq))
		return twins_dispatch(sh, rq, t.json);
	sh->depth++;
	ret = run(sh, rq, &t);
	sh->depth--;
	return ret;
}

int dispatch_inner(struct ctx *ctx, char *const *words, unsigned int nr)
{
	const struct lab_slot *current = labs_current(&ctx->sh->labs);
	/* twins take a command that names no lab: one behind `time`, too */
	bool open = ctx->sh->twins.nr && !ctx->sh->twins.now && current && current->lab == ctx->lab;
	struct request rq = {
		.words = words, .nr = nr, .handle_name = ctx->handle_name,
		.lab = ctx->lab && !open ? ctx->lab->name : NULL,
		.on = ctx->on_cpu ? (int)ctx->cpu : ON_NOTHING,
	};

	return dispatch(ctx->sh, &rq) ? ALREADY_REPORTED : 0;
}
