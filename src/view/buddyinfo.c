/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buddyinfo - free blocks by order, a line a zone, as /proc/buddyinfo.
 *
 * Units. Blocks; column o counts blocks of 2^o pages. Blocks on CPUs' lists
 * are not free in this sense, as in the kernel.
 */
#include "view/list.h"
#include "view/look.h"

static json_t *buddyinfo_model(struct lab *lab, const struct view_args *args)
{
	json_t *zones = json_array();
	struct zone_figures z;

	if (look_begin(lab, args, "buddyinfo", 0)) {
		json_decref(zones);
		return NULL;
	}
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		json_t *o;

		zone_figures(lab, i, false, &z);
		o = zone_object(&z);
		json_object_set_new(o, "free", order_array(z.nr_free));
		json_array_append_new(zones, o);
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones));
}

static void buddyinfo_text(const json_t *model, const struct view_args *args, FILE *to)
{
	json_t *z, *n;
	size_t i, o;

	(void)args;
	json_array_foreach(json_object_get(model, "zones"), i, z) {
		fprintf(to, "Node %d, zone %8s ", (int)look_get(z, "node"), look_get_text(z, "zone"));
		json_array_foreach(json_object_get(z, "free"), o, n)
			fprintf(to, "%6llu ", (unsigned long long)json_integer_value(n));
		putc('\n', to);
	}
}

const struct view view_buddyinfo = {
	.name = "buddyinfo",
	.summary = "free blocks by zone and order, in the kernel's format",
	.usage = "",
	.model = buddyinfo_model,
	.text = buddyinfo_text,
};
