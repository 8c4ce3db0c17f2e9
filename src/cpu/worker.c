/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/worker.h"

#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct worker {
	struct lab *lab;
	pthread_t thread;
	uint32_t due;		/* 0: asleep or about to look */
	uint32_t quit;
};

static void *worker_thread(void *p)
{
	struct worker *w = p;
	sigset_t all;

	sigfillset(&all);	/* signals are the program's */
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!__atomic_load_n(&w->quit, __ATOMIC_ACQUIRE)) {
		if (!__atomic_exchange_n(&w->due, 0, __ATOMIC_ACQUIRE)) {
			syscall(SYS_futex, &w->due, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
			continue;
		}
		while (w->lab->work(w->lab) && !__atomic_load_n(&w->quit, __ATOMIC_ACQUIRE))
			;
	}
	return NULL;
}

void lab_worker_start(struct lab *lab)
{
	struct worker *w;

	if (lab->worker || !lab->work)
		return;
	w = calloc(1, sizeof(*w));
	if (!w)
		return;
	w->lab = lab;
	if (pthread_create(&w->thread, NULL, worker_thread, w))
		free(w);
	else
		__atomic_store_n(&lab->worker, w, __ATOMIC_RELEASE);
}

void lab_worker_wake(struct lab *lab)
{
	struct worker *w = __atomic_load_n(&lab->worker, __ATOMIC_ACQUIRE);

	if (w && !__atomic_exchange_n(&w->due, 1, __ATOMIC_ACQ_REL))
		syscall(SYS_futex, &w->due, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void lab_worker_end(struct lab *lab)
{
	struct worker *w = lab->worker;

	if (!w)
		return;
	__atomic_store_n(&w->quit, 1, __ATOMIC_RELEASE);
	lab_worker_wake(lab);
	syscall(SYS_futex, &w->due, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	pthread_join(w->thread, NULL);
	lab->worker = NULL;
	free(w);
}
