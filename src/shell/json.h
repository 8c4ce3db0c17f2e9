/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json - the one line that a command prints with --json.
 *
 *   {"command":…, "lab":…, "ok":true, "data":…}
 *   {"command":…, "ok":false, "error":{"message":…, "file":…, "line":…}}
 */
#ifndef SHELL_JSON_H
#define SHELL_JSON_H

#include "shell/shell.h"

/* Takes the reference to data over; NULL stands for null. */
void json_success(struct shell *sh, const char *command, const struct lab *lab, json_t *data);
void json_failure(struct shell *sh, const char *command, const char *sentence);
/* Any such line as it is printed; taken over. */
void json_line(struct shell *sh, json_t *line);

#endif
