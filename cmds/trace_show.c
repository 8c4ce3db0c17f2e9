/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace show - what was traced, as ftrace's text or as JSON lines.
 *
 * With --json the whole of it is the data of one line, as of any command.
 */
#include <errno.h>

#include "event/trace.h"
#include "shell/cmd.h"
#include "view/tracing.h"

static const char *const format_words[] = { "text", "json", NULL };

static const struct arg trace_show_args[] = {
	{ "last", ARG_COUNT, "", "only so many of the newest", NULL },
	{ "cpu", ARG_CPU, "", "only those of this CPU", NULL },
	{ "format", ARG_ENUM, "text", "ftrace's text, or a JSON object a line", format_words },
	{ "EVENT", ARG_WORDS, "", "only these events, with * for any letters (default: all)",
	  (const char *const[]){ "TRACE", NULL } },
	{ 0 }
};

struct showing {
	struct ctx *ctx;
	bool json_lines;
	json_t *list;		/* for --json */
};

static int show_line(const struct traced_line *line, void *arg)
{
	struct showing *s = arg;
	json_t *o;

	if (s->list) {
		json_array_append_new(s->list, traced_line_json(line));
		return 0;
	}
	if (!s->json_lines) {
		traced_line_text(s->ctx->lab->name, line, s->ctx->out);
		return ferror(s->ctx->out);
	}
	o = traced_line_json(line);
	json_dumpf(o, s->ctx->out, JSON_COMPACT);
	fputc('\n', s->ctx->out);
	json_decref(o);
	return ferror(s->ctx->out);
}

static int trace_show_run(struct ctx *ctx, const struct args *args)
{
	uint8_t wanted[(TP_END + 7) / 8];
	unsigned int nr;
	char *const *globs = arg_words(args, "EVENT", &nr);
	struct traced_choice choice = {
		.cpu = arg_given(args, "cpu") ? (int)arg_u64(args, "cpu") : -1,
		.last = arg_given(args, "last") ? arg_u64(args, "last") : 0,
	};
	struct showing s = { ctx, arg_enum(args, "format") == 1, ctx->json ? json_array() : NULL };
	json_t *head;
	int ret = nr ? trace_filter(globs, nr, wanted) : 0;

	if (ret)
		return ret;
	choice.wanted = nr ? wanted : NULL;
	if (!ctx->lab->trace)
		ctx_note(ctx, "nothing was traced yet (trace on begins it)");
	if (!ctx->json && !s.json_lines)
		traced_header_text(ctx->lab, ctx->out);
	traced_lines(ctx->lab, &choice, show_line, &s);
	if (!ctx->json)
		return 0;
	head = traced_header_json(ctx->lab);
	json_object_set_new(head, "events", s.list);
	ctx_answer(ctx, head);
	return 0;
}

const struct cmd cmd_trace_show = {
	.name    = "trace show",
	.summary = "show what was traced",
	.args    = trace_show_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = trace_show_run,
	.group   = "Views",
};
