/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paste_priv - the steps from bytes to the lines of a paste. */
#ifndef FORMATS_PASTE_PRIV_H
#define FORMATS_PASTE_PRIV_H

#include "formats/paste.h"

void paste_narrow(struct paste *p);
void paste_unprint(struct paste *p);
char *paste_plain(char *line, char *end);
void paste_fronts_off(struct paste *p);

#endif
