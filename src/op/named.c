/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "op/op.h"

static struct named_snapshot **place_of(struct lab *lab, const char *name)
{
	struct named_snapshot **at = &lab->snapshots;

	while (*at && strcmp((*at)->name, name))
		at = &(*at)->next;
	return at;
}

static void drop(struct named_snapshot **at)
{
	struct named_snapshot *gone = *at;

	*at = gone->next;
	snapshot_free(gone->snap);
	free(gone->script);
	free(gone);
}

int named_save(struct lab *lab, const char *name, char *script)
{
	struct named_snapshot *new = calloc(1, sizeof(*new)), **old;
	int ret = new ? 0 : fail(ENOMEM, "the host has no memory for a snapshot");

	if (!ret)
		ret = lab_snapshot_like(lab, lab->snapshots ? lab->snapshots->snap : NULL, NULL, &new->snap);
	if (ret) {
		free(script);
		free(new);
		return ret;
	}
	new->script = script;
	old = place_of(lab, name);
	if (*old)
		drop(old);
	snprintf(new->name, sizeof(new->name), "%s", name);
	new->ops = lab->hdr->ops;
	new->time_ns = lab_now(lab);
	new->next = lab->snapshots;
	lab->snapshots = new;
	return 0;
}

const struct named_snapshot *named_need(const struct lab *lab, const char *name)
{
	char there[256] = "";
	size_t n = 0;

	for (const struct named_snapshot *s = lab->snapshots; s; s = s->next) {
		if (!strcmp(s->name, name))
			return s;
		if (n < sizeof(there))
			n += (size_t)snprintf(there + n, sizeof(there) - n, "%s%s", n ? ", " : "", s->name);
	}
	if (n)
		fail(ENOENT, "there is no snapshot \"%s\" of lab %s (snapshots: %s)", name, lab->name, there);
	else
		fail(ENOENT, "there is no snapshot \"%s\" of lab %s (snapshot save %s makes one)", name, lab->name,
		     name);
	return NULL;
}

void named_move(struct lab *from, struct lab *to)
{
	to->snapshots = from->snapshots;
	from->snapshots = NULL;
}

void named_drop_all(struct lab *lab)
{
	while (lab->snapshots)
		drop(&lab->snapshots);
}
