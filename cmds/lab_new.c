/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab new - make another lab; the current one stays current. */
#include <errno.h>

#include "policy/preset.h"
#include "shell/shell.h"

static const struct arg lab_new_args[] = {
	{ "NAME",  ARG_WORD, NULL,                       "its name", NULL },
	{ "SHAPE", ARG_WORD, "mem=256M,cpus=4,nodes=1", "what it is made of",
	  (const char *const[]){ "SHAPE", NULL } },
	{ "preset", ARG_WORD, "", "the policies it begins with; those of --preset without",
	  (const char *const[]){ "PRESET", NULL } },
	{ 0 }
};

static int lab_new_run(struct ctx *ctx, const struct args *args)
{
	bool given = arg_given(args, "SHAPE");
	const char *name = arg_word(args, "preset");
	const struct preset *preset = name ? preset_find(name) : NULL;
	struct shape shape;
	int ret = 0;

	if (name && !preset)
		return -ENOENT;
	shape_default(&shape);
	if (given)
		ret = shape_parse(&shape, arg_word(args, "SHAPE"));
	if (ret)
		return ret;
	shape.given = given;
	return labs_new(ctx->sh, arg_word(args, "NAME"), &shape, preset, given);
}

const struct cmd cmd_lab_new = {
	.name    = "lab new",
	.summary = "make another lab",
	.args    = lab_new_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_new_run,
	.group   = "Lab",
};
