/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preset - the values that policies had in a kernel, by its name.
 *
 * Idea. A preset is a command file of `set NAME VALUE  # from where` lines in
 * scripts/presets/, built into the library as it stands, so that the program
 * and the file that people read or `source` cannot differ. A file says what
 * differs from linux-6.1; every row it leaves out has its default there.
 *
 * A lab remembers its preset by its number here (struct header).
 *
 * Ownership. Everything is constant once preset_find(), preset_of() or
 * preset_at() was called; the first of these calls reads the files.
 */
#ifndef POLICY_PRESET_H
#define POLICY_PRESET_H

#include "policy/policy.h"

struct preset;

#define PRESETS 8
#define PRESET_DEFAULT 5	/* linux-6.1, number of a lab that was given none */

/* By name; NULL with a sentence that names near ones and all there are. */
const struct preset *preset_find(const char *name);
/* By number below PRESETS, in the order in which they are shown. */
const struct preset *preset_at(unsigned int number);
/* The lab's. */
const struct preset *preset_of(const struct lab *lab);

unsigned int preset_number(const struct preset *p);
const char *preset_name(const struct preset *p);
const char *preset_summary(const struct preset *p);	/* a sentence or two */

/* What the row's value is in the preset, and from where it comes. */
const char *preset_value(const struct preset *p, const struct policy_row *row);
const char *preset_source(const struct preset *p, const struct policy_row *row);

/* Has the lab's value of this row another one there? `now` (POLICY_TEXT_MAX) gets the lab's. */
bool preset_differs(const struct preset *p, struct lab *lab, const struct policy_row *row, char *now);

#endif
