/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing - what `time` measures: the host's clock and the lab's, around one
 * command or one block.
 *
 * What is timed may drop the lab or put another in its place: the clock of a
 * lab that is gone counts for nothing.
 */
#ifndef SHELL_TIMING_H
#define SHELL_TIMING_H

#include "shell/shell.h"

struct timing {
	const struct lab *lab;
	uint64_t host_ns, lab_ns;	/* at the beginning */
};

void timing_begin(struct timing *t, const struct lab *lab);	/* lab NULL: there is none yet */

/* Now the time taken is in host_ns and lab_ns, and lab is NULL if it is gone. */
void timing_end(struct timing *t, struct shell *sh);

json_t *timing_json(const struct timing *t);
void timing_print(const struct timing *t, FILE *to);

#endif
