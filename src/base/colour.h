/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * colour - which meaning is shown in which colour of a terminal's sixteen.
 *
 * One colour, one meaning, everywhere. Whatever is coloured says the same in
 * words, digits or marks: colour is never the only sign.
 */
#ifndef BASE_COLOUR_H
#define BASE_COLOUR_H

#include "base/types.h"

enum meaning {
	MEANS_PLAIN,
	MEANS_ERROR, MEANS_WARNING, MEANS_NOTE, MEANS_NAME, MEANS_CHANGED, MEANS_HINT,
	MEANS_TITLE,		/* heads of tables and views */
	MEANS_NOTHING,		/* none, zero, off */
	MEANS_NEXT,		/* what is taken next */
	MEANS_FULL, MEANS_PARTLY, MEANS_EMPTY,	/* a slab by what is in use */
	MEANS_DRAINING,		/* a store that no cache points at */
	MEANS_UNMOVABLE, MEANS_MOVABLE, MEANS_RECLAIMABLE, MEANS_HIGHATOMIC,
	MEANS_NR
};

/* The sequences that begin a meaning and end any; "" when not wanted. */
const char *colour_on(bool wanted, enum meaning m);
const char *colour_off(bool wanted);

/* Of a migratetype's name in any form: "Movable", "movable", "M". */
enum meaning meaning_of_type(const char *type);
/* Of a slab with so many objects of so many in use. */
enum meaning meaning_of_use(uint64_t inuse, uint64_t objects);

#endif
