/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_memreport - telling what a report of zones says, and making the lab like it. */
#ifndef WORK_IMPORT_MEMREPORT_H
#define WORK_IMPORT_MEMREPORT_H

#include "formats/memreport.h"
#include "work/import.h"

/*
 * Bring a fresh lab to what the report says of its zones. Free lists by type
 * come from pagetypeinfo, else lists of Mem-Info, else only the sum of zoneinfo
 * is there, laid in the largest blocks. Tells in data what is held, and
 * "arranged"; why not is a note.
 */
void import_memlab(struct import *im, const struct memreport *m, json_t *data);

#endif
