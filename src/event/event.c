/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event/event.h"

#include <string.h>

#define ORDERED true
#define PLAIN false
#define PAGE_ROW(name, by, f1, f2, f3, text) \
	{ #name, ROOM_PAGE, by, { FIELD_##f1, FIELD_##f2, FIELD_##f3 }, text },
#define SLAB_ROW(name, by, f1, f2, f3, text) \
	{ #name, ROOM_SLAB, by, { FIELD_##f1, FIELD_##f2, FIELD_##f3 }, text },
#define LAB_ROW(name, by, f1, f2, f3, text) \
	{ #name, ROOM_LAB, by, { FIELD_##f1, FIELD_##f2, FIELD_##f3 }, text },

const struct event_row event_table[EV_NR] = {
	PAGE_EVENTS(PAGE_ROW)
	SLAB_EVENTS(SLAB_ROW)
	LAB_EVENTS(LAB_ROW)
};

#define FIELD_ROW(name, key, fmt) { key, fmt },
const struct event_field_row event_fields[FIELD_NR] = { EVENT_FIELDS(FIELD_ROW) };

int event_find(const char *name)
{
	for (int i = 0; i < EV_NR; i++)
		if (!strcmp(event_table[i].name, name))
			return i;
	return -1;
}
