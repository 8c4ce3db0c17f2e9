/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace - any bytes through the trace reader.
 *
 * The reader must come to an end, account for every line (invariant T1 of
 * formats/trace.h) and read the same records the second time.
 */
#include "formats/trace.h"
#include "fuzz.h"

static uint64_t read_all(struct trace_reader *r)
{
	struct trace_record rec;
	uint64_t sum = 0;

	while (trace_next(r, &rec) > 0)
		sum = sum * 31 + rec.line + rec.event + rec.ptr + rec.pfn + rec.order;
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_reader *r;
	const struct trace_stats *s;
	uint64_t first;

	if (trace_open_memory(data, size, &r))
		return 0;
	first = read_all(r);
	s = trace_stats(r);
	if (s->lines != s->understood + s->skipped + s->not_understood + s->headers + s->stacks + s->joined)
		fuzz_bug("T1: lines that are not accounted for");
	if (!trace_rewind(r) && read_all(r) != first)
		fuzz_bug("the second reading differs");
	trace_close(r);
	return 0;
}
