/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_buddyinfo - a fresh lab gets the free lists of /proc/buddyinfo. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/buddyinfo.h"
#include "work/import_arrange.h"
#include "work/import_priv.h"

static json_t *zones_json(const struct buddyinfo *b, uint32_t table)
{
	uint32_t nr;
	const struct buddyinfo_row *r = buddyinfo_table(b, table, &nr);
	json_t *zones = json_array();

	for (uint32_t i = 0; i < nr; i++) {
		json_t *free = json_array();

		for (uint32_t o = 0; o < r[i].orders; o++)
			json_array_append_new(free, json_integer((json_int_t)r[i].free[o]));
		json_array_append_new(zones, json_pack("{s:i,s:s,s:o}", "node", (int)r[i].node, "zone", r[i].zone,
						       "free", free));
	}
	return zones;
}

static void answer(const struct buddyinfo *b, json_t *data)
{
	json_object_set_new(data, "zones", zones_json(b, b->tables - 1));
	if (b->tables > 1) {
		json_t *tables = json_array();

		for (uint32_t t = 0; t < b->tables; t++)
			json_array_append_new(tables, json_pack("{s:o}", "zones", zones_json(b, t)));
		json_object_set_new(data, "tables", tables);
	}
	import_put_lines(data, "skipped", &b->skipped);
}

static int import_rows(struct import *im, const struct buddyinfo *b, json_t *data)
{
	uint32_t nr;
	const struct buddyinfo_row *rows = buddyinfo_table(b, b->tables - 1, &nr);
	struct import_zone *zones = calloc(nr, sizeof(*zones));
	int ret;

	if (!zones)
		return fail(ENOMEM, "no memory for %u zones", nr);
	for (uint32_t i = 0; i < nr; i++) {
		zones[i] = (struct import_zone){
			.node = rows[i].node, .line = rows[i].line, .orders = rows[i].orders, .zone = rows[i].zone,
			.untyped = true,
		};
		memcpy(zones[i].free[MT_MOVABLE], rows[i].free, sizeof(rows[i].free));
	}
	answer(b, data);
	ret = import_arrange(im, zones, nr, -1, data);
	free(zones);
	return ret;
}

int import_buddyinfo(struct import *im, const struct paste *text, json_t *data)
{
	struct buddyinfo b;
	int ret = buddyinfo_parse(text, &b);

	if (ret)
		return ret;
	if (b.tables > 1)
		import_note(im, "%u tables; the last one, from line %u on, counts", b.tables,
			    b.row[b.table[b.tables - 1]].line);
	ret = import_rows(im, &b, data);
	buddyinfo_free(&b);
	return ret;
}
