/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host - output that goes to a host command or a file.
 *
 * Idea. While an output stands, commands print into it as into anything else.
 * A host command is run by /bin/sh with the file's arguments as its own and
 * `for` variables in its environment, so `$n` and `$1` in it mean what they
 * mean outside.
 */
#ifndef SHELL_HOST_H
#define SHELL_HOST_H

#include <sys/types.h>

#include "shell/shell.h"

struct output {
	FILE *before;		/* where commands printed till now; NULL: this output is not in use */
	pid_t pid;		/* of the host command, 0: a file */
	const char *what;	/* file name or host command, for messages */
};

int output_to_host(struct shell *sh, struct output *o, const char *command);
int output_to_file(struct shell *sh, struct output *o, const char *path, bool append);
/* Run it with these ends as standard input and output; an errno, 0: *pid is its. */
int host_spawn(struct shell *sh, const char *command, int in, int out, pid_t *pid);

/* Close it and wait. Fails when the file could not be written or the command ended with a status of its own. */
int output_end(struct shell *sh, struct output *o);

#endif
