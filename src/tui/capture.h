/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * capture - standard output and error of the program and of what it starts,
 * caught in a file without a name; standard input is empty meanwhile.
 */
#ifndef TUI_CAPTURE_H
#define TUI_CAPTURE_H

#include "base/types.h"

int capture_begin(void);	/* -errno with a sentence */
void capture_end(void);

/* What came since the last call, at most `size` bytes; 0: nothing. */
size_t capture_read(char *buf, size_t size);

#endif
