/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switch - setting a policy for `set` and `unset`, and telling what it did to caches. */
#ifndef SHELL_SWITCH_H
#define SHELL_SWITCH_H

#include "shell/cmd.h"

/* value NULL: the default, or no override. */
int ctx_switch(struct ctx *ctx, const char *name, const char *value);

#endif
