/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switch - setting a policy for `set` and `unset`, and telling what it did to caches. */
#ifndef SHELL_SWITCH_H
#define SHELL_SWITCH_H

#include "shell/cmd.h"

/* value NULL: the default, or no override. */
int ctx_switch(struct ctx *ctx, const char *name, const char *value);

/* All policies of a preset; *moves: what view/moves.h tells of it, the caller's. */
struct preset;
int ctx_preset(struct ctx *ctx, const struct preset *preset, json_t **moves);

#endif
