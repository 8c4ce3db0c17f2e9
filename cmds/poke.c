/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * poke - write bytes where an object is, was, or ends.
 *
 * The wrong act that slab debugging is for: nothing is told of it until a
 * check looks.
 */
#include <errno.h>

#include "base/units.h"
#include "op/debug.h"
#include "shell/cmd.h"
#include "shell/spot_at.h"

#define BYTES_MOST 4096

static const struct arg poke_args[] = {
	{ "HANDLE", ARG_WORD, NULL, "a member, freed or not, as a[3]; or addr:N",
	  (const char *const[]){ "OBJECTS", "CACHED", "PAGES", NULL } },
	{ "OFFSET", ARG_WORD,  NULL, "bytes from its start; -1 is the byte before it", NULL },
	{ "BYTE",   ARG_WORDS, NULL, "bytes to write, 0 .. 255 or 0x00 .. 0xff", NULL },
	{ 0 }
};

static int poke_run(struct ctx *ctx, const struct args *args)
{
	uint8_t bytes[BYTES_MOST];
	uint64_t off, size, value;
	unsigned int nr;
	char *const *words = arg_words(args, "BYTE", &nr);
	int64_t at;
	int ret = spot_at(ctx, arg_word(args, "HANDLE"), &off, &size);

	if (!ret)
		ret = spot_offset(arg_word(args, "OFFSET"), &at);
	if (ret)
		return ret;
	if (nr > BYTES_MOST)
		return fail(ERANGE, "at most %d bytes at once", BYTES_MOST);
	for (unsigned int i = 0; i < nr; i++) {
		if (parse_u64(words[i], &value) || value > 255)
			return fail(EINVAL, "\"%s\" is no byte (0 .. 255)", words[i]);
		bytes[i] = (uint8_t)value;
	}
	ret = op_poke(ctx->lab, off + (uint64_t)at, bytes, nr);
	if (!ret && ctx->json)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "address", (json_int_t)(off + (uint64_t)at - ctx->lab->arena_off),
					  "bytes", (json_int_t)nr));
	return ret;
}

const struct cmd cmd_poke = {
	.name    = "poke",
	.summary = "write bytes in, before or behind an object",
	.args    = poke_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = poke_run,
	.group   = "Slab",
};
