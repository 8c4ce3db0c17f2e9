/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab save - write the lab to a file, whole or not at all. */
#include <sys/stat.h>

#include "op/op.h"
#include "shell/cmd.h"
#include "shell/jobs.h"

static const struct arg lab_save_args[] = {
	{ "FILE", ARG_FILE, NULL, "the file; one that is there is replaced", NULL },
	{ 0 }
};

static int lab_save_run(struct ctx *ctx, const struct args *args)
{
	const char *path = arg_word(args, "FILE");
	struct stat st;
	struct job_loan loan;
	int ret;

	jobs_lend(ctx->sh, ctx->lab, &loan);
	ret = lab_save(ctx->lab, path);
	jobs_lend_end(&loan);
	if (!ret && ctx->json && !stat(path, &st))
		ctx_answer(ctx, json_pack("{s:o, s:I}", "file", json_text(path), "size_bytes", (json_int_t)st.st_size));
	return ret;
}

const struct cmd cmd_lab_save = {
	.name    = "lab save",
	.summary = "write the lab to a file",
	.args    = lab_save_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_save_run,
	.group   = "Lab",
};
