/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frag_explain - what keeps an order from being free, and which steps would give how many blocks of it. */
#ifndef VIEW_FRAG_EXPLAIN_H
#define VIEW_FRAG_EXPLAIN_H

#include <jansson.h>

#include "view/view.h"

/* zone NULL: all. NULL with a sentence when there is no such zone. */
json_t *view_frag_explain(struct lab *lab, unsigned int order, const char *zone);
void view_frag_explain_text(const json_t *model, const struct view_args *args, FILE *to);

#endif
