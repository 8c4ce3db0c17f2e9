/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op/tracing.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "event/stacks.h"
#include "op/lab_make.h"

/* In a stop. */
static int make_rings(struct lab *lab, uint64_t size)
{
	uint64_t entries = 64;
	struct trace *t;

	if (lab->trace && (!size || lab->trace->size == size))
		return 0;
	size = size ? size : TRACE_SIZE_DEFAULT;
	while (entries < size)
		entries *= 2;
	if (lab->trace && lab->trace->size == entries)
		return 0;
	t = trace_make(lab->nr_cpus, entries);
	if (!t)
		return -ENOMEM;
	trace_free(lab->trace);
	lab->trace = t;
	return 0;
}

static void switch_to(struct lab *lab, bool on)
{
	if (lab->trace)
		lab->trace->on = on;
	lab_variants_update(lab);
}

int op_trace_on(struct lab *lab, char *const *globs, unsigned int nr, uint64_t size)
{
	uint8_t wanted[(TP_END + 7) / 8];
	int ret = trace_filter(globs, nr, wanted);

	if (!ret && !lab->hdr->counters)
		ret = fail(ENODATA, "counters are off (set event.counters on): nothing is told that could be traced");
	if (!ret && size > TRACE_SIZE_MAX)
		ret = fail(ERANGE, "a ring holds at most %llu entries", (unsigned long long)TRACE_SIZE_MAX);
	if (ret)
		return ret;
	lab_stop(lab);
	ret = make_rings(lab, size);
	if (!ret) {
		memcpy(lab->trace->wanted, wanted, sizeof(wanted));
		switch_to(lab, true);
	}
	lab_resume(lab);
	return ret;
}

void op_trace_off(struct lab *lab)
{
	lab_stop(lab);
	switch_to(lab, false);
	lab_resume(lab);
}

void op_trace_clear(struct lab *lab)
{
	lab_stop(lab);
	if (lab->trace)
		trace_clear(lab->trace);
	lab_resume(lab);
}

bool op_trace_is_on(const struct lab *lab)
{
	return lab->trace && lab->trace->on;
}

bool op_trace_hush(struct lab *lab)
{
	bool was = op_trace_is_on(lab);

	if (was)
		op_trace_off(lab);
	return was;
}

void op_trace_unhush(struct lab *lab, bool was)
{
	if (!was)
		return;
	lab_stop(lab);
	switch_to(lab, true);
	lab_resume(lab);
}

int op_stacks(struct lab *lab, int event, bool wanted)
{
	if (wanted && !lab->hdr->counters)
		return fail(ENODATA, "counters are off (set event.counters on): nothing is told that a stack could be taken at");
	lab_stop(lab);
	if (wanted && !lab->stacks)
		lab->stacks = stacks_make();
	for (unsigned int e = 0; lab->stacks && e < STACK_EVENTS; e++)
		if (event < 0 || e == (unsigned int)event)
			stacks_want(lab->stacks, e, wanted);
	lab_variants_update(lab);
	lab_resume(lab);
	return wanted && !lab->stacks ? fail(ENOMEM, "the host has no memory for call stacks") : 0;
}
