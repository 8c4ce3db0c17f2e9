/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_report - a replay as a model (JSON), and that model as text.
 *
 * The model holds every figure under its path (what is by order as an array),
 * and beside them facts that are no figures: lines that were not understood,
 * how the replay was asked for, times. What a view of the lab has to say goes
 * in by whoever may look: `caches` (rows of the view of that name), `frag`
 * (`before` and `after`), `lab_did` (what the lab's own page lists did).
 */
#ifndef WORK_REPLAY_REPORT_H
#define WORK_REPLAY_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "work/replay.h"

json_t *replay_model(const struct replay *r);
void replay_text(const json_t *model, FILE *to);

/* The counters that `lab_did` wants, as "NAME" or, by order, "NAME.order". NULL-terminated. */
extern const char *const replay_observed[];

#endif
