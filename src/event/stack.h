/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack - who called: call stacks by libunwind, as texts that hold no address.
 *
 * Idea. Return addresses are taken fast (stack_take) and mean something in
 * this process only; what is kept of a stack is its text, a line a frame,
 * innermost first: "FUNC+0x1a/0x40 [slablab]". The same addresses give the
 * same text, found again by one look-up, so a stack is named by symbols once.
 *
 * A stack ends where a source hands over to ops: stack_root() names that
 * function, and what lies beyond it (main, readline) is nobody's business.
 *
 * Ownership. Texts live as long as the process. Any thread may call.
 */
#ifndef EVENT_STACK_H
#define EVENT_STACK_H

#include "base/types.h"

#define STACK_DEPTH 48		/* frames taken at most */

struct stack {
	unsigned int nr;
	uintptr_t ip[STACK_DEPTH];
};

/* The frames above the caller of this function, innermost first. */
void stack_take(struct stack *s);

/*
 * Their text; "" where nothing is known. Same frames, same pointer. Only for
 * the stack just taken, while the function that took it has not returned.
 */
const char *stack_text(const struct stack *s);

/* Frames from a function of this name on are left out of texts. At most 8, each once; names are not copied. */
void stack_root(const char *function);

/*
 * What of a text the allocators' callers are: the lines behind the outermost
 * function that asks the allocators (op_run and its like, the C interface's
 * calls). The text itself where none of those is in it.
 */
const char *stack_caller(const char *text);

#endif
