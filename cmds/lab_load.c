/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab load - make a lab from a file of `lab save`.
 *
 * Before it counts as a lab, every view and every figure of it was read once,
 * in a process apart: a file can be made to say anything.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"
#include "shell/journal.h"
#include "shell/shell.h"
#include "view/figure.h"
#include "view/view.h"

static const struct arg lab_load_args[] = {
	{ "NAME", ARG_WORD, NULL, "the name of the lab", NULL },
	{ "FILE", ARG_FILE, NULL, "the file", NULL },
	{ 0 }
};

static int ignore(const char *path, const struct figure_value *v, void *arg)
{
	(void)path;
	(void)v;
	(void)arg;
	return 0;
}

static int look_at_views(struct lab *lab)
{
	static const char *const whole[] = { "buddyinfo", "pagetypeinfo", "zoneinfo", "slabinfo", "vmstat", "meminfo",
					     "caches", "stores", "pcp", "frag" };

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++) {
		json_t *model = view_model(lab, whole[i], NULL);

		if (!model)
			return -EINVAL;
		json_decref(model);
	}
	return 0;
}

static int look_at_handles(struct lab *lab)
{
	uint64_t cursor = 0;

	for (struct handle *h; (h = handle_next(lab, &cursor)); ) {
		json_t *model = h->live ? view_model(lab, "where", h->name) : NULL;

		if (h->live && !model)
			return -EINVAL;
		json_decref(model);
	}
	return 0;
}

static int look(struct lab *lab)
{
	int ret = look_at_views(lab);

	if (!ret)
		ret = look_at_handles(lab);
	return ret ? ret : figure_glob(lab, "*", ignore, NULL);
}

static int lab_load_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "NAME"), *path = arg_word(args, "FILE");
	struct labs *labs = &ctx->sh->labs;
	struct lab *lab;
	int ret = labs_name_is_free(labs, name);

	if (!ret)
		ret = lab_load(path, name, look, &lab);
	if (ret)
		return ret;
	journal_loaded(labs_add(labs, lab), path);
	return 0;
}

const struct cmd cmd_lab_load = {
	.name    = "lab load",
	.summary = "make a lab from a file of lab save",
	.args    = lab_load_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_load_run,
	.group   = "Lab",
};
