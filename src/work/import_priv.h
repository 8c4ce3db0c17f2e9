/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_priv - what the kinds of import share. */
#ifndef WORK_IMPORT_PRIV_H
#define WORK_IMPORT_PRIV_H

#include "formats/paste.h"
#include "lab/handle.h"
#include "work/import.h"

int import_slabinfo(struct import *im, const struct paste *text, json_t *data);
int import_slabtop(struct import *im, const struct paste *text, json_t *data);
int import_crash_kmem(struct import *im, const struct paste *text, json_t *data);
struct memreport;
int import_memreport(struct import *im, const struct paste *text, json_t *data);
json_t *memreport_lists(const struct memreport *m);	/* free lists of a Mem-Info */
int import_slubdbg(struct import *im, const struct paste *text, json_t *data);
int import_vmstat(struct import *im, const struct paste *text, json_t *data);
int import_meminfo(struct import *im, const struct paste *text, json_t *data);
int import_perfkmem(struct import *im, const struct paste *text, json_t *data);
int import_buddyinfo(struct import *im, const struct paste *text, json_t *data);

/* The handle `imported`, made if need be. */
struct handle *import_handle(struct lab *lab);

/* "skipped" and "repaired" with their line numbers; nothing where there are none. */
void import_put_lines(json_t *data, const char *key, const struct line_list *l);

void import_note(struct import *im, const char *fmt, ...) __printf_like(2, 3);

#endif
