/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op/checkpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "op/op.h"

static void drop_oldest(struct checkpoints *c)
{
	snapshot_free(c->v[0].snap);
	c->nr--;
	memmove(c->v, c->v + 1, c->nr * sizeof(*c->v));
}

static bool have_room(struct checkpoints *c)
{
	unsigned int cap = c->cap ? c->cap * 2 : 16;
	struct checkpoint *v;

	if (c->nr < c->cap)
		return true;
	v = realloc(c->v, cap * sizeof(*v));
	if (!v)
		return false;
	c->v = v;
	c->cap = cap;
	return true;
}

int checkpoint_take(struct checkpoints *c, struct lab *lab, uint64_t at)
{
	struct snapshot *snap;
	int ret = 0;

	if (!have_room(c))
		ret = fail(ENOMEM, "the host has no memory for a checkpoint");
	if (!ret)
		ret = lab_snapshot_like(lab, c->nr ? c->v[c->nr - 1].snap : NULL, &c->bytes, &snap);
	if (ret) {
		while (c->nr)	/* K1: nothing may lie behind a gap */
			drop_oldest(c);
		return ret;
	}
	c->v[c->nr++] = (struct checkpoint){ at, snap };
	checkpoints_fit(c, lab->hdr->undo_mem);
	return c->nr ? 0 : fail(ENOSPC, "a checkpoint takes more than lab.undo_mem");
}

void checkpoints_fit(struct checkpoints *c, uint64_t bytes)
{
	while (c->nr && c->bytes > bytes)
		drop_oldest(c);
}

const struct checkpoint *checkpoint_before(const struct checkpoints *c, uint64_t at)
{
	for (unsigned int i = c->nr; i-- > 0; )
		if (c->v[i].at <= at)
			return &c->v[i];
	return NULL;
}

void checkpoints_cut(struct checkpoints *c, uint64_t at)
{
	while (c->nr && c->v[c->nr - 1].at > at)
		snapshot_free(c->v[--c->nr].snap);
}

void checkpoints_drop(struct checkpoints *c)
{
	while (c->nr)
		snapshot_free(c->v[--c->nr].snap);
	free(c->v);
	*c = (struct checkpoints){ 0 };
}
