/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker - a host thread that does a lab's background work in parallel runs.
 *
 * Idea. Commands run workers (kswapd and its kind) themselves, after the op
 * that woke them. Where CPUs have threads of their own nobody would: so the
 * first thread that becomes a CPU starts one more, which sleeps until it is
 * woken, and then plays a CPU of the lab for a round at a time, that CPU being
 * stopped meanwhile. So a worker costs its CPU time, as in a kernel.
 *
 * lab->work says what a round is (false: nothing was due). It is set by
 * whoever makes the lab; without it there is no worker.
 */
#ifndef CPU_WORKER_H
#define CPU_WORKER_H

#include "lab/lab.h"

/* With control held, when the first CPU gets a player; no thread, no background work. */
void lab_worker_start(struct lab *lab);

/* Something is due. Any thread, also inside an op: it never waits. */
void lab_worker_wake(struct lab *lab);

/* When the lab goes; control is not held. */
void lab_worker_end(struct lab *lab);

#endif
