/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg - what a kernel would have logged, in its format: what slab debugging
 * reported and which requests for pages failed, oldest first.
 *
 * The last 64 reports and the last 16 failures are kept; counts by message are
 * of all since the lab was made. The newest failure is told in full, with the
 * counts of pages of now; of those before it what was asked for, and when.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/report.h"

#include <errno.h>

#include "base/fail.h"
#include "slab/read.h"

static json_t *errors_object(const struct lab *lab)
{
	json_t *o = json_object();

	for (unsigned int m = 0; m < DEBUG_MESSAGE_NR; m++)
		if (debug_errors(lab, (enum debug_message)m))
			look_set(o, debug_messages[m].name, debug_errors(lab, (enum debug_message)m));
	return o;
}

static json_t *dmesg_model(struct lab *lab, const struct view_args *args)
{
	json_t *reports, *failure, *o;
	uint64_t ever;

	if (look_begin(lab, args, "dmesg", 1))
		return NULL;
	if (args->name && cache_find(lab, args->name) == CACHE_NONE) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	reports = view_reports_after(lab, 0, args->name);
	o = json_pack("{s:I,s:o,s:o}", "reports_ever", (json_int_t)debug_reports(lab), "errors", errors_object(lab),
		      "reports", reports);
	if (!args->name) {
		json_object_set_new(o, "allocation_failures", view_failures(lab, &ever));
		look_set(o, "allocation_failures_ever", ever);
	}
	failure = args->name || !json_array_size(json_object_get(o, "allocation_failures")) ? NULL : view_failure(lab);
	if (failure)
		json_object_set_new(o, "allocation_failure", failure);
	return look_end(lab, o);
}

/* Of one moment, damage that was found comes first; the slab that there was no memory for, last. */
static bool stands_before(const json_t *report, const json_t *failure)
{
	uint64_t at = look_get(report, "time_ns"), failed = look_get(failure, "time_ns");

	return at < failed || (at == failed && !view_is_shortage(report));
}

/* The newest failure is told in full where it stands. */
static void in_turn_text(const json_t *reports, const json_t *failures, const json_t *full, FILE *to)
{
	size_t r = 0, f = 0, nr = json_array_size(failures);

	while (r < json_array_size(reports) || f < nr) {
		const json_t *report = json_array_get(reports, r), *failure = json_array_get(failures, f);

		if (report && (!failure || stands_before(report, failure))) {
			view_report_text(report, to);
			r++;
			continue;
		}
		if (++f == nr && full && look_get(full, "op") == look_get(failure, "op")) {
			view_stamp(full, to);
			view_failure_text(full, to);
		} else {
			view_failure_line(failure, to);
		}
	}
}

static void dmesg_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *reports = json_object_get(model, "reports"), *failures = json_object_get(model, "allocation_failures");
	const json_t *failure = json_object_get(model, "allocation_failure");

	in_turn_text(reports, failures, failure, to);
	if (!failure && !json_array_size(failures) && !json_array_size(reports) && !args->quiet)
		fputs("nothing was reported (set cache.NAME.debug FZPU, and wrong acts are)\n", to);
}

const struct view view_dmesg = {
	.name = "dmesg",
	.summary = "reports of slab debugging and of failed requests for pages, in the kernel's format",
	.usage = "[CACHE]",
	.model = dmesg_model,
	.text = dmesg_text,
};
