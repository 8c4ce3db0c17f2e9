/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pin - which handles hold an object or a page of something. */
#ifndef VIEW_PIN_H
#define VIEW_PIN_H

#include "lab/handle.h"
#include "view/look.h"

#define PINS_LISTED 100		/* named at most; the rest is counted */

/* Live members that `fits` chooses, into o: "held_members" counts them, "pinned_by" names them. */
void pins_fill(struct lab *lab, json_t *o,
	       bool (*fits)(struct lab *lab, const struct member *m, void *arg), void *arg);

#endif
