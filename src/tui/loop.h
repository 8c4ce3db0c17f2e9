/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop - the view on a terminal, for the program to hand to its shell. */
#ifndef TUI_LOOP_H
#define TUI_LOOP_H

#include "shell/screen.h"

extern struct screen tui_screen;

#endif
