/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tab - completion handed to readline. Part of the program, not the library. */
#ifndef SHELL_TAB_H
#define SHELL_TAB_H

#include "shell/shell.h"

void tab_init(struct shell *sh);

#endif
