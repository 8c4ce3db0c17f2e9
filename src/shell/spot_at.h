/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spot_at - the address that words like `a[3]`, `addr:0x1000` name, where freed
 * members may be named too: they are what wrong acts are done with.
 */
#ifndef SHELL_SPOT_AT_H
#define SHELL_SPOT_AT_H

#include "shell/cmd.h"

/*
 * Region offset of the one member or address that the word names; for a freed
 * member where it was. *bytes is the size of its object or block, 0 if not known.
 */
int spot_at(struct ctx *ctx, const char *word, uint64_t *off, uint64_t *bytes);

/* A signed number of bytes: -8, 0x10, 64. */
int spot_offset(const char *word, int64_t *n);

#endif
