/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moves - what a change of policy did to caches: which got another store, and
 * what they left behind in the old one.
 */
#ifndef VIEW_MOVES_H
#define VIEW_MOVES_H

#include <jansson.h>

#include "lab/lab.h"

/* Which store each cache has now: a model to compare with later. */
json_t *moves_before(struct lab *lab);

/*
 * The caches that have another store than in `before`, which is consumed:
 * [{"cache","from","to","objects","left":{store as in `stores`} or null,"entered":the same}].
 */
json_t *moves_after(struct lab *lab, json_t *before);

/* One of them as a sentence. */
char *move_words(const json_t *move, char *buf, size_t size);

#endif
