/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run_report - a run as figures, as a model (JSON) and as text.
 *
 * ns_per_op is host CPU time of the threads that played, over ops: what an op
 * cost, with the workload's own drawing and noting. ops_per_s is over the time
 * that went by, all CPUs together.
 */
#ifndef WORK_RUN_REPORT_H
#define WORK_RUN_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "work/run.h"

/* The figures below `run.`; value of the i-th, NULL behind the last. */
const char *run_figure_name(unsigned int i);
uint64_t run_figure_value(const struct run_figures *f, unsigned int i);

/* `rest`: the handle that holds what is left, or NULL. `stopped`: it did not come to its own end. */
json_t *run_model(const struct run *run, const char *rest, bool stopped);
void run_text(const json_t *model, FILE *to);

/* "churn: 100000 ops of 1000000 (10%), 8.1 M/s": one line, for progress. Returns buf. */
char *run_line(const struct workload *w, const struct run_figures *f, char *buf, size_t size);

#endif
