/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/moves.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cpu/read.h"
#include "view/look.h"
#include "view/storeline.h"

json_t *moves_before(struct lab *lab)
{
	json_t *stores = json_object();
	uint32_t cursor = 0, id;
	struct cache_figures c;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (!cache_figures(lab, id, &c))
			json_object_set_new(stores, c.name, json_integer((json_int_t)c.store_serial));
	return stores;
}

/* The store of that number, if it is there still. */
static json_t *store_left(struct lab *lab, uint64_t serial)
{
	uint32_t cursor = 0, store;
	struct store_figures s;

	while ((store = store_next(lab, &cursor)))
		if (!store_figures(lab, store, &s) && s.serial == serial)
			return store_object(lab, store);
	return json_null();
}

json_t *moves_after(struct lab *lab, json_t *before)
{
	json_t *moves = json_array();
	uint32_t cursor = 0, id;
	struct cache_figures c;

	lab_stop(lab);
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE) {
		json_t *was = json_object_get(before, cache_name(lab, id));
		uint64_t from = (uint64_t)json_integer_value(was);

		if (cache_figures(lab, id, &c) || !was || from == c.store_serial)
			continue;
		json_array_append_new(moves, json_pack("{s:s, s:I, s:I, s:I, s:o}", "cache", c.name,
			"from", (json_int_t)from, "to", (json_int_t)c.store_serial,
			"objects", (json_int_t)c.objects, "left", store_left(lab, from)));
	}
	lab_resume(lab);
	json_decref(before);
	return moves;
}

char *move_words(const json_t *move, char *buf, size_t size)
{
	const json_t *left = json_object_get(move, "left");
	uint64_t objects = look_get(move, "objects");
	char bytes[16], stays[160] = "";

	if (objects && json_is_object(left) && !strcmp(look_get_text(left, "state"), "draining"))
		snprintf(stays, sizeof(stays), "; its objects stay in #%llu, which drains: %llu out, %llu slab%s, %s pinned",
			 (unsigned long long)look_get(move, "from"), (unsigned long long)look_get(left, "objects"),
			 (unsigned long long)look_get(left, "slabs"), plural(look_get(left, "slabs")),
			 format_bytes(look_get(left, "pages") << PAGE_SHIFT, bytes, sizeof(bytes)));
	else if (objects && json_is_object(left))
		snprintf(stays, sizeof(stays), "; objects of its %llu that lie in #%llu stay there, beside those of other caches",
			 (unsigned long long)objects, (unsigned long long)look_get(move, "from"));
	snprintf(buf, size, "%s: store #%llu now, #%llu before%s", look_get_text(move, "cache"),
		 (unsigned long long)look_get(move, "to"), (unsigned long long)look_get(move, "from"), stays);
	return buf;
}
