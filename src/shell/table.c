/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table - all commands, read off cmds/list.h. */
#include "shell/cmd.h"

#include "cmds/list.h"

#define DECLARE(name) extern const struct cmd cmd_##name;
COMMANDS(DECLARE)

#define ENTRY(name) &cmd_##name,
const struct cmd *const cmd_table[] = { COMMANDS(ENTRY) };
const unsigned int cmd_nr = ARRAY_SIZE(cmd_table);
