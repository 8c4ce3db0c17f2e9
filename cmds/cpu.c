/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu - list the CPUs, choose the one that what follows runs on, or bring one
 * in or out.
 */
#include <errno.h>

#include "lab/shape.h"
#include "op/op.h"
#include "shell/shell.h"
#include "view/look.h"

static const char *const state_words[] = { "online", "offline", NULL };
enum { STATE_ONLINE, STATE_OFFLINE };

static const struct arg cpu_args[] = {
	{ "N",     ARG_CPU,  "", "a CPU: what follows runs on it", NULL },
	{ "STATE", ARG_ENUM, "", "bring it in or take it out instead", state_words },
	{ 0 }
};

static json_t *list_model(const struct lab *lab, unsigned int current)
{
	json_t *all = json_array();

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		json_array_append_new(all, json_pack("{s:i, s:i, s:b, s:b}", "cpu", (int)i, "node",
						     (int)shape_cpu_node(&lab->hdr->shape, i), "online",
						     look_online(lab, i), "current", i == current));
	return all;
}

static void list_text(const json_t *all, FILE *to)
{
	size_t i;
	json_t *row;

	json_array_foreach(all, i, row) {
		int cpu, node, online, current;

		json_unpack(row, "{s:i, s:i, s:b, s:b}", "cpu", &cpu, "node", &node, "online", &online, "current",
			    &current);
		fprintf(to, "%ccpu%-4d node %-3d %s\n", current ? '*' : ' ', cpu, node, online ? "online" : "offline");
	}
}

static int list(struct ctx *ctx)
{
	json_t *all = list_model(ctx->lab, ctx->cpu);

	if (!ctx->json)
		list_text(all, ctx->out);
	ctx_answer(ctx, all);
	return 0;
}

static int choose(struct ctx *ctx, unsigned int cpu)
{
	if (!look_online(ctx->lab, cpu))
		return fail(EINVAL, "CPU %u is offline (cpu %u online brings it in)", cpu, cpu);
	labs_of(&ctx->sh->labs, ctx->lab)->cpu = cpu;
	return 0;
}

static int change(struct ctx *ctx, unsigned int cpu, bool online)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	int ret = op_cpu_online(ctx->lab, cpu, online);

	if (ret || online || slot->cpu != cpu)
		return ret;
	for (slot->cpu = 0; !look_online(ctx->lab, slot->cpu); )
		slot->cpu++;
	ctx_note(ctx, "what follows runs on CPU %u", slot->cpu);
	return 0;
}

static int cpu_run(struct ctx *ctx, const struct args *args)
{
	unsigned int cpu = (unsigned int)arg_u64(args, "N");

	if (!arg_given(args, "N"))
		return list(ctx);
	if (!arg_given(args, "STATE"))
		return choose(ctx, cpu);
	return change(ctx, cpu, arg_enum(args, "STATE") == STATE_ONLINE);
}

const struct cmd cmd_cpu = {
	.name    = "cpu",
	.summary = "list the CPUs, choose one, or bring one in or out",
	.args    = cpu_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,	/* where a state is given */
	.run     = cpu_run,
	.group   = "Lab",
};
