/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg - what a kernel would have logged, in its format: what slab debugging
 * reported, oldest first, and the last request for pages that failed.
 *
 * The last 64 reports are kept; counts by message are of all since the lab
 * was made. The report of a failed request has the counts of pages of now.
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

	if (look_begin(lab, args, "dmesg", 1))
		return NULL;
	if (args->name && cache_find(lab, args->name) == CACHE_NONE) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	reports = view_reports_after(lab, 0, args->name);
	o = json_pack("{s:I,s:o,s:o}", "reports_ever", (json_int_t)debug_reports(lab), "errors", errors_object(lab),
		      "reports", reports);
	failure = args->name ? NULL : view_failure(lab);
	if (failure)
		json_object_set_new(o, "allocation_failure", failure);
	return look_end(lab, o);
}

static void dmesg_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *reports = json_object_get(model, "reports"), *failure = json_object_get(model, "allocation_failure");

	view_reports_text(reports, to);
	if (failure)
		view_failure_text(failure, to);
	if (!failure && !json_array_size(reports) && !args->quiet)
		fputs("nothing was reported (set cache.NAME.debug FZPU, and wrong acts are)\n", to);
}

const struct view view_dmesg = {
	.name = "dmesg",
	.summary = "reports of slab debugging and of failed requests for pages, in the kernel's format",
	.usage = "[CACHE]",
	.model = dmesg_model,
	.text = dmesg_text,
};
