/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage - the command table as people read it, and names looked up in it. */
#ifndef SHELL_USAGE_H
#define SHELL_USAGE_H

#include "shell/cmd.h"

/* "kmalloc SIZE [gfp=…] [node=…] [xN]". Returns buf. */
char *usage_line(const struct cmd *cmd, char *buf, size_t size);

/* The arguments that are not given yet, as usage_line() writes them; given[] by row. Returns buf. */
char *usage_rest(const struct cmd *cmd, const bool *given, char *buf, size_t size);

/* Usage, summary and each argument with its default. */
void usage_print(const struct cmd *cmd, FILE *to);
json_t *usage_json(const struct cmd *cmd);

/*
 * The command that these words begin with; *used is how many of them name it
 * (`kmem_cache alloc` two; `kmem_cache_alloc` means the same). NULL if none.
 */
const struct cmd *cmd_find(char *const *words, unsigned int nr, unsigned int *used);

/*
 * Does the command that these words begin with take `>` as a word of its own?
 * Commands that run others are looked through: `watch 1s assert a > 1`.
 */
bool cmd_takes_gt(char *const *words, unsigned int nr);

/* Does a two-word command begin with this word? */
bool cmd_is_family(const char *word);

/* The sentence for words that name no command: near names, or the second words there are. */
int cmd_unknown(char *const *words, unsigned int nr);

#endif
