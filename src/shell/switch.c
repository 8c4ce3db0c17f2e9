/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/switch.h"

#include <string.h>

#include "op/op.h"
#include "policy/policy.h"
#include "view/look.h"
#include "view/moves.h"

/* Only these can give a cache another store. */
static bool may_move(const char *name)
{
	return !strncmp(name, "slab.", 5) || !strncmp(name, "slub.", 5) || !strncmp(name, "cache.", 6);
}

/* A sentence for each cache that has objects out; for the others nothing is left to tell. */
static void tell(struct ctx *ctx, json_t *moves)
{
	char words[384];
	json_t *move;
	size_t i;

	json_array_foreach(moves, i, move)
		if (json_integer_value(json_object_get(move, "objects")))
			ctx_note(ctx, "%s", move_words(move, words, sizeof(words)));
}

int ctx_preset(struct ctx *ctx, const struct preset *preset, json_t **moves)
{
	json_t *before = moves_before(ctx->lab);
	int ret = op_preset(ctx->lab, preset);

	*moves = moves_after(ctx->lab, before);
	if (!ret)
		tell(ctx, *moves);
	return ret;
}

/* Switching to eager merged what was due. */
static void tell_merges(struct ctx *ctx, const char *name)
{
	uint64_t merges = 0;
	char now[POLICY_TEXT_MAX];

	policy_print(ctx->lab, policy_find("buddy.coalesce"), 0, now, sizeof(now));
	if (strcmp(name, "buddy.coalesce") || strcmp(now, "eager"))
		return;
	merges = look_due_merges(ctx->lab);
	ctx_note(ctx, "%llu merge%s due", (unsigned long long)merges, merges == 1 ? " was" : "s were");
}

int ctx_switch(struct ctx *ctx, const char *name, const char *value)
{
	json_t *moves = may_move(name) ? moves_before(ctx->lab) : NULL;
	int ret = value ? op_set(ctx->lab, name, value) : op_unset(ctx->lab, name);

	moves = moves ? moves_after(ctx->lab, moves) : json_array();
	if (!ret) {
		tell(ctx, moves);
		tell_merges(ctx, name);
		if (ctx->json)
			ctx_answer(ctx, json_pack("{s:o, s:o, s:O}", "name", json_text(name), "value",
						  value ? json_text(value) : json_null(), "moves", moves));
	}
	json_decref(moves);
	return ret;
}
