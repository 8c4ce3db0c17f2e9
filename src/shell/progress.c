/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/progress.h"

#include <stdarg.h>

#include "base/clock.h"

#define EVERY_NS 100000000ULL

void progress_begin(struct progress *p, const struct ctx *ctx, uint64_t after_ns)
{
	*p = (struct progress){ .ctx = ctx, .next_ns = host_ns() + after_ns };
}

bool progress_is_due(const struct progress *p)
{
	return p->ctx->progress && host_ns() >= p->next_ns;
}

void progress_show(struct progress *p, const char *fmt, ...)
{
	va_list ap;

	p->next_ns = host_ns() + EVERY_NS;
	p->shown = true;
	fputc('\r', stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\033[K", stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
