/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_policy - all that the table of policies says of one, with its present value. */
#ifndef SHELL_HELP_POLICY_H
#define SHELL_HELP_POLICY_H

#include "shell/cmd.h"

struct policy_row;

int help_policy(struct ctx *ctx, const struct policy_row *row);

/* A text in lines of a readable length behind `first`, later lines below its end. */
void help_paragraph(FILE *to, const char *first, const char *text);

#endif
