/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fail - let requests for objects or for pages fail on purpose.
 *
 * The policies failslab.*, set together: of all caches, or of one (which then
 * carries debug flag A and alone is looked at). Or those of fail_page_alloc.*.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "op/op.h"
#include "shell/cmd.h"
#include "view/figure.h"

static const struct arg fail_args[] = {
	{ "NAME",     ARG_WORD,   NULL, "failslab for all caches, a cache's name, fail_page_alloc for pages, or off",
	  (const char *const[]){ "CACHE", "failslab", "fail_page_alloc", "off", NULL } },
	{ "rate",     ARG_NUMBER, "100", "how many of a hundred fail", NULL },
	{ "interval", ARG_COUNT,  "1",  "only every so-manieth may", NULL },
	{ "times",    ARG_WORD,   "",   "how often in all; -1, the default here, is no end", NULL },
	{ "space",    ARG_SIZE,   "0",  "bytes of objects, or pages, that are given out first", NULL },
	{ "min_order", ARG_ORDER, "0",  "pages: only requests of this order or more", NULL },
	{ "wait",     ARG_ENUM,   "yes", "yes: also requests that may wait for memory", (const char *const[]){ "no", "yes", NULL } },
	{ 0 }
};

/* Which: failslab or fail_page_alloc. */
static int set(struct ctx *ctx, const char *which, const char *policy, const char *value)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.%s", which, policy);
	return op_set(ctx->lab, name, value);
}

static int set_number(struct ctx *ctx, const char *which, const char *policy, uint64_t n)
{
	char value[32];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)n);
	return set(ctx, which, policy, value);
}

/* The cache gets letter A beside the debug letters that it has. */
static int mark(struct ctx *ctx, const char *cache)
{
	char path[256], letters[64];
	struct figure_value v;

	if (!op_cache_find(ctx->lab, cache))
		return fail(ENOENT, "\"%s\" is neither a cache nor failslab nor fail_page_alloc nor off", cache);
	snprintf(path, sizeof(path), "cache.%s.debug", cache);
	if (figure_read(ctx->lab, path, &v))
		return -ENOENT;
	if (strchr(v.text, 'A'))
		return 0;
	snprintf(letters, sizeof(letters), "%.40sA", strcmp(v.text, "none") ? v.text : "");
	return op_set(ctx->lab, path, letters);
}

static int fail_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "NAME"), *times = arg_word(args, "times");
	bool all = !strcmp(name, "failslab"), pages = !strcmp(name, "fail_page_alloc");
	const char *which = pages ? name : "failslab";
	int ret;

	if (!strcmp(name, "off")) {
		ret = set(ctx, "fail_page_alloc", "probability", "0");
		return ret ? ret : set(ctx, "failslab", "probability", "0");
	}
	ret = all || pages ? 0 : mark(ctx, name);
	if (!ret && pages)
		ret = set_number(ctx, which, "min_order", arg_order(args, "min_order"));
	else if (!ret)
		ret = set(ctx, which, "cache_filter", all ? "off" : "on");
	if (!ret)
		ret = set_number(ctx, which, "interval", arg_u64(args, "interval"));
	if (!ret)
		ret = set(ctx, which, "times", times ? times : "-1");
	if (!ret)
		ret = set_number(ctx, which, "space", arg_u64(args, "space"));
	if (!ret)
		ret = set(ctx, which, "ignore_wait", arg_enum(args, "wait") ? "off" : "on");
	return ret ? ret : set_number(ctx, which, "probability", arg_u64(args, "rate"));
}

const struct cmd cmd_fail = {
	.name    = "fail",
	.summary = "let requests for objects or pages fail on purpose",
	.args    = fail_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = fail_run,
	.group   = "Slab",
};
