/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vmstat - the counters of the whole lab, as /proc/vmstat: every line of the
 * kernel's list in its order (view/counters.h).
 */
#include "view/counters.h"
#include "view/list.h"

static json_t *vmstat_model(struct lab *lab, const struct view_args *args)
{
	static const struct zone_choice everywhere = { .node = -1, .kind = -1 };
	json_t *o;

	if (look_begin(lab, args, "vmstat", 0))
		return NULL;
	look_note_stopped(lab, args);
	o = json_object();
	for (unsigned int g = 0; g < COUNTER_GROUPS; g++)
		counters_fill(lab, (enum counter_group)g, &everywhere, o);
	return look_end(lab, o);
}

static void vmstat_text(const json_t *model, const struct view_args *args, FILE *to)
{
	(void)args;
	counters_text(model, "", 0, to);
}

const struct view view_vmstat = {
	.name = "vmstat",
	.summary = "page counters of the whole lab, in the kernel's format",
	.usage = "",
	.model = vmstat_model,
	.text = vmstat_text,
};
