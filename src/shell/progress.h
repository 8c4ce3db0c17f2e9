/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress - a line on the terminal that tells how far a long command is.
 *
 * It is painted over itself and gone when the command says more. Only where
 * somebody sits (ctx->progress); what is over soon says nothing on its way.
 */
#ifndef SHELL_PROGRESS_H
#define SHELL_PROGRESS_H

#include "shell/cmd.h"

struct progress {
	const struct ctx *ctx;
	uint64_t next_ns;	/* by the host's clock: not before */
	bool shown;
};

/* after_ns: of silence first. */
void progress_begin(struct progress *p, const struct ctx *ctx, uint64_t after_ns);
/* Is it time for another line? Ask before what it takes to word one. */
bool progress_is_due(const struct progress *p);
void progress_show(struct progress *p, const char *fmt, ...) __printf_like(2, 3);
void progress_end(struct progress *p);

#define PROGRESS_AFTER_NS 300000000ULL

#endif
