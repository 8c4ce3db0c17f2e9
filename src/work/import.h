/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import - bring a lab to what a kernel's report says.
 *
 * Idea. A kind of report is one row of a table: how it is recognised, and what
 * it does. The readers are pure (src/formats); what is here turns their models
 * into ops. Whatever an import must hold to get there, blocks and objects,
 * belongs to the handle `imported`.
 *
 * A report is read whole before anything is done. An import that fails undoes
 * the caches it made; objects it had filled in stay under `imported`.
 */
#ifndef WORK_IMPORT_H
#define WORK_IMPORT_H

#include <jansson.h>

#include "base/types.h"
#include "lab/lab.h"
#include "lab/shape.h"

struct import {
	struct lab *lab;	/* may be another one afterwards: see reshape */
	bool fill;		/* slabinfo: make the objects too */
	/* Put a fresh lab of this shape in the place of an untouched one. May be NULL. */
	int (*reshape)(void *arg, const struct shape *shape, struct lab **lab);
	bool (*stopped)(void *arg);	/* may be NULL */
	void *arg;
	char note[1024];		/* what the user should know although it went well, or "" */
};

/*
 * Do it. kind: a name of import_kinds or "auto". *data is the answer, see the
 * manual of import; the caller drops it.
 */
int import_run(struct import *im, const char *kind, const char *path, json_t **data);

/* NULL-terminated, "auto" first. */
extern const char *const import_kinds[];

#endif
