/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stack - call stacks at an event (event/stacks.h), as a tree and as folded lines. */
#ifndef VIEW_STACK_H
#define VIEW_STACK_H

#include "view/view.h"

/* Are they kept? Needs no stop. */
bool view_stack_kept(const struct lab *lab, unsigned int event);
/* Those of one event, most first, at most so many. */
json_t *view_stack(struct lab *lab, unsigned int event, uint64_t most);
void view_stack_text(const json_t *model, const struct view_args *args, FILE *to);
void view_stack_folded(const json_t *model, const struct view_args *args, FILE *to);

#endif
