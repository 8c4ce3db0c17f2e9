/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/pin.h"

void pins_fill(struct lab *lab, json_t *o,
	       bool (*fits)(struct lab *lab, const struct member *m, void *arg), void *arg)
{
	json_t *list = json_array();
	uint64_t cursor = 0, nr = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor))) {
		const struct member *m = handle_members(lab, h);

		for (uint32_t i = 0; i < h->nr && h->live; i++) {
			if (!m[i].off || !fits(lab, &m[i], arg))
				continue;
			if (nr++ < PINS_LISTED)
				json_array_append_new(list, json_pack("{s:s,s:i}", "handle", h->name,
								      "index", (int)i));
		}
	}
	look_set(o, "held_members", nr);
	json_object_set_new(o, "pinned_by", list);
}
