/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctx - what a handler may do: run allocating ops, keep what they gave,
 * answer, remark, paint a view.
 */
#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "op/op.h"
#include "shell/shell.h"
#include "shell/signals.h"
#include "shell/tick.h"
#include "view/view.h"

#define SMALLEST_OBJECT 8	/* bytes */
#define ASK_EVERY 64	/* ops between two looks at Ctrl-C */

/* ---- members ---- */

int ctx_keep(struct ctx *ctx, const struct member *m)
{
	if (!ctx->made) {
		ctx->made = handle_new(ctx->lab, ctx->handle_name, ctx->moved);
		ctx->made_nr = 0;
	}
	if (!ctx->made || !handle_add(ctx->lab, ctx->made, m))
		return fail(ENOSPC, "the lab has no room for more handles");
	ctx->made_nr++;
	return 0;
}

/* What could not be kept goes back at once: nothing is out that no handle names. */
static void give_back(struct ctx *ctx, const struct member *m)
{
	struct op op = {
		.kind = m->kind == MEMBER_PAGES ? OP_FREE_PAGES : m->kind == MEMBER_LRU ? OP_LRU_DROP :
			m->kind == MEMBER_SHEAF ? OP_SHEAF_RETURN : OP_KFREE,
		.order = m->order, .cpu = (uint16_t)ctx->cpu, .node = -1, .off = m->off,
	};
	struct op_result r;

	op_run(ctx->lab, &op, &r);
}

static int keep_or_give_back(struct ctx *ctx, struct member m, uint64_t off)
{
	int ret;

	m.off = off;
	ret = ctx_keep(ctx, &m);
	if (ret) {
		const char *why = strdupa(fail_why());

		give_back(ctx, &m);
		fail(-ret, "%s", why);
	}
	return ret;
}

static struct member member_of(const struct op *op, const struct op_result *r)
{
	bool pages = op->kind == OP_ALLOC_PAGES || op->kind == OP_ALLOC_PAGES_BULK;

	return (struct member){
		.kind = pages ? MEMBER_PAGES : op->kind == OP_LRU_ADD ? MEMBER_LRU :
			op->kind == OP_SHEAF_PREFILL ? MEMBER_SHEAF : MEMBER_OBJECT,
		.order = op->kind == OP_ALLOC_PAGES ? op->order : 0,
		.cache = pages ? 0 : r->cache,
		.cpu = op->cpu,
	};
}

static bool is_bulk(const struct op *op)
{
	return op->kind == OP_ALLOC_PAGES_BULK || op->kind == OP_CACHE_ALLOC_BULK;
}

static int submit_one(struct ctx *ctx, struct op *op)
{
	struct op_result r = { 0 };
	int ret = op_run(ctx->lab, op, &r), kept = 0;

	if (ret)
		return ret;
	if (!is_bulk(op))
		return r.off ? keep_or_give_back(ctx, member_of(op, &r), r.off)
			     : fail(EINVAL, "nothing was asked for, nothing was given");
	for (uint64_t i = 0; i < r.got; i++) {
		if (!kept)
			kept = keep_or_give_back(ctx, member_of(op, &r), op->vec[i]);
		else
			give_back(ctx, &(struct member){ .off = op->vec[i], .kind = member_of(op, &r).kind });
	}
	if (!kept && !r.got)
		return fail(ENOMEM, "out of memory: none of %llu was given", (unsigned long long)op->n);
	return kept;
}

/* Say how far an xN came, in front of why it came no further. */
static int stopped_short(struct ctx *ctx, int ret, uint64_t done)
{
	if (ctx->times == 1 && ctx->cpus == 1)
		return ret;
	return fail_in(ret, "after %llu of %llu%s (%s%s): ", (unsigned long long)done,
		       (unsigned long long)ctx->times, ctx->cpus > 1 ? " on this CPU" : "",
		       ctx->made ? "kept in " : "none kept", ctx->made ? ctx->made->name : "");
}

int ctx_submit(struct ctx *ctx, const struct op *asked)
{
	struct op op = *asked;
	uint64_t i;
	int ret = 0;

	op.cpu = (uint16_t)ctx->cpu;
	if (is_bulk(&op)) {
		if (op.n > ctx->lab->arena_bytes / SMALLEST_OBJECT)
			return fail(ERANGE, "%llu at once is more than this lab holds", (unsigned long long)op.n);
		op.vec = malloc(op.n * sizeof(*op.vec));
		if (!op.vec)
			return fail(ENOMEM, "the host has no memory for a list of %llu", (unsigned long long)op.n);
	}
	lab_hold(ctx->lab);
	for (i = 0; i < ctx->times && !ret; i++) {
		if ((i % ASK_EVERY == ASK_EVERY - 1 || tick_is_due()) && ctx_stopped(ctx))
			ret = fail(EINTR, "stopped");
		else
			ret = submit_one(ctx, &op);
	}
	lab_release(ctx->lab);
	if (is_bulk(&op))
		free(op.vec);
	return ret ? stopped_short(ctx, ret, i - 1) : 0;
}

/* ---- answers ---- */

void ctx_answer(struct ctx *ctx, json_t *data)
{
	json_decref(ctx->data);
	ctx->data = data;
}

void ctx_note(struct ctx *ctx, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(ctx->sh, "%s", text);
}

bool ctx_stopped(const struct ctx *ctx)
{
	(void)ctx;
	return shell_stopped();
}

int ctx_reshape(struct ctx *ctx, const struct shape *shape)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	int ret = labs_reshape(ctx->sh, slot, shape);

	if (ret)
		return ret;
	ctx->lab = slot->lab;
	if (ctx->cpu >= ctx->lab->nr_cpus)
		ctx->cpu = 0;
	return 0;
}

/* ---- views ---- */

unsigned int screen_columns(const struct shell *sh, FILE *to)
{
	int fd = fileno(sh->pager && to == sh->pager->file ? stdout : to);
	struct winsize w;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : 0;
}

bool screen_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void ctx_view_args(const struct ctx *ctx, const struct args *args, struct view_args *va)
{
	char *const *words = arg_words(args, NULL, NULL);
	unsigned int columns = screen_columns(ctx->sh, ctx->out);

	*va = (struct view_args){
		.name = words[0],
		.words = (const char *const *)words,
		.utf8 = screen_is_utf8(),
		.colour = colour_wanted(ctx->sh, ctx->out),
		.width = columns ? columns : 80,
		.screen = columns != 0,
		.quiet = ctx->quiet,
	};
}

void ctx_model(struct ctx *ctx, json_t *model, void (*text)(const json_t *, const struct view_args *, FILE *),
	       const struct view_args *va)
{
	if (ctx->json) {
		ctx_answer(ctx, model);
		return;
	}
	text(model, va, ctx->out);
	json_decref(model);
}

int ctx_view(struct ctx *ctx, const struct args *args, const char *name)
{
	const struct view *view = view_find(name);
	struct view_args va;
	json_t *model;

	ctx_view_args(ctx, args, &va);
	model = view->model(ctx->lab, &va);
	if (!model)
		return -EINVAL;
	ctx_model(ctx, model, view->text, &va);
	return 0;
}
