/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stat - counters of SLUB per cache, total and per CPU; and how long ops take and objects are out, on request. */
#include <errno.h>
#include <string.h>

#include "op/op.h"
#include "shell/cmd.h"

static const char *const switches[] = { "show", "on", "off", "clear", NULL };

static const struct arg stat_args[] = {
	{ "CACHE", ARG_WORD, "", "one cache; all without. latency: how long ops take; lifetime: how long objects are out; fair: how evenly zones give",
	  (const char *const[]){ "CACHE", "latency", "lifetime", "fair", NULL } },
	{ "SWITCH", ARG_ENUM, "show", "of latency and lifetime: begin to measure, end it, begin anew, or show", switches },
	{ 0 }
};

static int stat_run(struct ctx *ctx, const struct args *args)
{
	static const enum op_latency what[] = { OP_LATENCY_OFF, OP_LATENCY_ON, OP_LATENCY_OFF, OP_LATENCY_CLEAR };
	const char *name = arg_word(args, "CACHE");
	unsigned int chosen = arg_enum(args, "SWITCH");

	if (name && !strcmp(name, "lifetime"))
		return chosen ? op_lifetime(ctx->lab, what[chosen]) : ctx_view(ctx, args, "lifetime");
	if (!name || strcmp(name, "latency"))
		return arg_given(args, "SWITCH") ? fail(EINVAL, "only latency and lifetime are switched %s", switches[chosen])
						 : ctx_view(ctx, args, name && !strcmp(name, "fair") ? "fair" : "stat");
	return chosen ? op_latency(ctx->lab, what[chosen]) : ctx_view(ctx, args, "latency");
}

const struct cmd cmd_stat = {
	.name    = "stat",
	.summary = "counters of SLUB per cache, total and per CPU",
	.args    = stat_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = stat_run,
	.group   = "Views",
};
