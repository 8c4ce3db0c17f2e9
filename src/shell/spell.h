/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spell - words as a user would type them: quoted where that is needed. */
#ifndef SHELL_SPELL_H
#define SHELL_SPELL_H

#include <stdio.h>

/* Behind a blank. */
void spell_word(const char *word, FILE *to);

#endif
