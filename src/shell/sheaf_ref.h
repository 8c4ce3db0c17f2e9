/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheaf_ref - the one prefilled sheaf that a command names. */
#ifndef SHELL_SHEAF_REF_H
#define SHELL_SHEAF_REF_H

#include "shell/cmd.h"

/* Its region offset. -EINVAL with a sentence: something else, or several. */
int sheaf_ref(struct ctx *ctx, struct refs refs, uint64_t *off);

#endif
