/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memreport_priv - what the two halves of memreport share: tables of /proc, and Mem-Info. */
#ifndef FORMATS_MEMREPORT_PRIV_H
#define FORMATS_MEMREPORT_PRIV_H

#include <stdlib.h>

#include "formats/memreport.h"

#define GROW(array, nr) ({ void *more_ = realloc((array), ((nr) + 1) * sizeof(*(array))); if (more_) (array) = more_; more_ != NULL; })

int memreport_no_memory(void);

/* Adds requests, zones and free lists of every Mem-Info in the text. */
int memreport_meminfo(const struct paste *text, struct memreport *m);

#endif
