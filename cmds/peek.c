/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peek - the bytes of an object, and of what lies around it. */
#include <errno.h>
#include <stdlib.h>

#include "base/units.h"
#include "op/debug.h"
#include "shell/cmd.h"
#include "shell/spot_at.h"

#define BYTES_MOST (1u << 16)

static const struct arg peek_args[] = {
	{ "HANDLE", ARG_WORD, NULL, "a member, freed or not, as a[3]; or addr:N",
	  (const char *const[]){ "OBJECTS", "CACHED", "PAGES", NULL } },
	{ "OFFSET", ARG_WORD, "",   "bytes from its start, 0 without; may be negative", NULL },
	{ "BYTES",  ARG_SIZE, "",   "how many; without, the object to its end, or 64", NULL },
	{ 0 }
};

/* 16 bytes a line: place from the object's start, hex, letters. */
static void dump(FILE *to, int64_t at, const uint8_t *bytes, uint64_t n)
{
	for (uint64_t i = 0; i < n; i += 16) {
		fprintf(to, "%+6lld  ", (long long)(at + (int64_t)i));
		for (uint64_t b = i; b < i + 16; b++)
			if (b < n)
				fprintf(to, "%02x ", bytes[b]);
			else
				fputs("   ", to);
		fputc(' ', to);
		for (uint64_t b = i; b < i + 16 && b < n; b++)
			fputc(bytes[b] >= 0x20 && bytes[b] < 0x7f ? bytes[b] : '.', to);
		fputc('\n', to);
	}
}

static json_t *model(const struct ctx *ctx, uint64_t off, const uint8_t *bytes, uint64_t n)
{
	json_t *list = json_array();

	for (uint64_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer(bytes[i]));
	return json_pack("{s:I,s:o}", "address", (json_int_t)(off - ctx->lab->arena_off), "bytes", list);
}

static int peek_run(struct ctx *ctx, const struct args *args)
{
	const char *word = arg_word(args, "OFFSET");
	uint64_t off, size, n;
	uint8_t *bytes;
	int64_t at = 0;
	int ret = spot_at(ctx, arg_word(args, "HANDLE"), &off, &size);

	if (!ret && word)
		ret = spot_offset(word, &at);
	if (ret)
		return ret;
	n = size && at >= 0 && (uint64_t)at < size ? size - (uint64_t)at : 64;
	if (arg_given(args, "BYTES"))
		n = arg_u64(args, "BYTES");
	else if (n > 256)
		n = 256;
	if (!n || n > BYTES_MOST)
		return fail(ERANGE, "1 to %u bytes at once", BYTES_MOST);
	bytes = malloc(n);
	if (!bytes)
		return fail(ENOMEM, "the host has no memory for %llu bytes", (unsigned long long)n);
	off += (uint64_t)at;
	ret = op_peek(ctx->lab, off, bytes, n);
	if (!ret && ctx->json)
		ctx_answer(ctx, model(ctx, off, bytes, n));
	else if (!ret)
		dump(ctx->out, at, bytes, n);
	free(bytes);
	return ret;
}

const struct cmd cmd_peek = {
	.name    = "peek",
	.summary = "the bytes of an object and around it",
	.args    = peek_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = peek_run,
	.group   = "Slab",
};
