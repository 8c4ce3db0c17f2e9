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
static json_t *store_of(struct lab *lab, uint64_t serial)
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
		json_array_append_new(moves, json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "cache", c.name,
			"from", (json_int_t)from, "to", (json_int_t)c.store_serial, "objects", (json_int_t)c.objects,
			"left", store_of(lab, from), "entered", store_of(lab, c.store_serial)));
	}
	lab_resume(lab);
	json_decref(before);
	return moves;
}

/* Where objects are that were taken before the move. */
static void what_stays(const json_t *move, const char *engine, char *buf, size_t size)
{
	const json_t *left = json_object_get(move, "left");
	uint64_t objects = look_get(move, "objects"), in_left = json_is_object(left) ? look_get(left, "objects") : 0;
	unsigned long long from = look_get(move, "from");
	char bytes[16];

	if (!in_left) {
		snprintf(buf, size, "the %llu handed out %s in stores that it left earlier (stores)", (unsigned long long)objects,
			 objects == 1 ? "stays" : "stay");
	} else if (!strcmp(look_get_text(left, "state"), "draining")) {
		bool one = in_left == 1;
		size_t n = (size_t)snprintf(buf, size, "the %llu handed out from #%llu%s %s there until %s freed: %llu slab%s, %s",
			 (unsigned long long)in_left, from, engine, one ? "stays" : "stay", one ? "it is" : "they are",
			 (unsigned long long)look_get(left, "slabs"), plural(look_get(left, "slabs")),
			 format_bytes(look_get(left, "pages") << PAGE_SHIFT, bytes, sizeof(bytes)));

		if (objects > in_left && n < size)
			snprintf(buf + n, size - n, "; %llu more %s in stores left earlier", (unsigned long long)(objects - in_left),
				 objects - in_left == 1 ? "is" : "are");
	} else {
		snprintf(buf, size, "those of the %llu handed out that lie in #%llu%s stay there, beside those of other caches",
			 (unsigned long long)objects, from, engine);
	}
}

/* " (slab)", unless both stores are known to be of one engine. */
static const char *engine_of(const json_t *move, const char *store, char *buf, size_t size)
{
	const char *left = look_get_text(json_object_get(move, "left"), "engine"), *entered = look_get_text(json_object_get(move, "entered"), "engine");

	buf[0] = 0;
	if (strcmp(left, entered) && json_is_object(json_object_get(move, store)))
		snprintf(buf, size, " (%s)", look_get_text(json_object_get(move, store), "engine"));
	return buf;
}

char *move_words(const json_t *move, char *buf, size_t size)
{
	char from[24], to[24], stays[200];

	engine_of(move, "left", from, sizeof(from));
	engine_of(move, "entered", to, sizeof(to));
	what_stays(move, from, stays, sizeof(stays));
	snprintf(buf, size, "%s: new objects come from store #%llu%s; %s", look_get_text(move, "cache"),
		 (unsigned long long)look_get(move, "to"), to, stays);
	return buf;
}
