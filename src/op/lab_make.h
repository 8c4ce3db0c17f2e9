/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab_make - what op/'s own files share about making labs; op.h is the room's door. */
#ifndef OP_LAB_MAKE_H
#define OP_LAB_MAKE_H

#include "lab/lab.h"

enum { STORY_AUTO, STORY_ON, STORY_OFF };	/* header.story */

/* An empty region of these sections with its CPUs, not yet furnished. */
int lab_mapped(const struct shape *shape, uint64_t bytes[SEC_NR], const char *name, struct lab **lab);

/* How large the sections of such a lab are. */
void lab_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR]);

/* Host shortcuts anew, after a region's content was copied in. */
void lab_wake(struct lab *lab);

/* Counters or story were switched: which code the CPUs run from their next op on. */
void lab_variants_update(struct lab *lab);

#endif
