/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/labs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "op/named.h"
#include "op/op.h"
#include "policy/preset.h"
#include "shell/jobs.h"
#include "shell/journal.h"
#include "shell/names.h"
#include "shell/shell.h"
#include "view/look.h"

struct lab_slot *labs_find(struct labs *labs, const char *name)
{
	for (unsigned int i = 0; i < labs->nr; i++)
		if (!strcmp(labs->v[i].lab->name, name))
			return &labs->v[i];
	return NULL;
}

struct lab_slot *labs_need(struct labs *labs, const char *name)
{
	struct lab_slot *slot = labs_find(labs, name);
	char there[256];
	size_t at = 0;

	if (slot)
		return slot;
	there[0] = 0;
	for (unsigned int i = 0; i < labs->nr && at < sizeof(there); i++)
		at += (size_t)snprintf(there + at, sizeof(there) - at, "%s%s", i ? ", " : "", labs->v[i].lab->name);
	fail(ENOENT, "there is no lab \"%s\" (labs: %s)", name, there);
	return NULL;
}

struct lab_slot *labs_current(struct labs *labs)
{
	return labs->nr ? &labs->v[labs->current] : NULL;
}

struct lab_slot *labs_of(struct labs *labs, const struct lab *lab)
{
	for (unsigned int i = 0; i < labs->nr; i++)
		if (labs->v[i].lab == lab)
			return &labs->v[i];
	return NULL;
}

static int make(struct shell *sh, const char *name, const struct shape *shape, const struct preset *preset,
		struct lab **lab)
{
	struct preset_settings with = { .preset = preset, .boot = sh->boot, .set = sh->sets };
	char warning[256] = "";
	int ret = lab_new(shape, &with, name, lab, warning);

	if (!ret && warning[0])
		warn(sh, "--boot: not known here: %s", warning);
	return ret;
}

static void add(struct labs *labs, struct lab_slot slot)
{
	labs->v = host_grow(labs->v, (labs->nr + 1) * sizeof(*labs->v));
	labs->v[labs->nr++] = slot;
}

int labs_name_is_free(struct labs *labs, const char *name)
{
	int ret = name_proper(name, "lab", sizeof(((struct lab *)0)->name));

	if (ret)
		return ret;
	if (labs_find(labs, name))
		return labs->nr > 1 ? fail(EEXIST, "there is a lab \"%s\" already (lab drop %s ends it)", name, name)
				    : fail(EEXIST, "there is a lab \"%s\" already (take another name)", name);
	return 0;
}

struct lab_slot *labs_add(struct labs *labs, struct lab *lab)
{
	add(labs, (struct lab_slot){ .lab = lab });
	return &labs->v[labs->nr - 1];
}

int labs_new(struct shell *sh, const char *name, const struct shape *shape, const struct preset *preset, bool given)
{
	struct lab_slot slot = { 0 };
	int ret = labs_name_is_free(&sh->labs, name);

	if (ret)
		return ret;
	ret = make(sh, name, shape, preset ? preset : sh->preset, &slot.lab);
	if (ret)
		return ret;
	slot.lab->untouched_shape = !given;
	add(&sh->labs, slot);
	return 0;
}

void labs_adopt(struct labs *labs, struct lab *lab)
{
	add(labs, (struct lab_slot){ .lab = lab, .adopted = true });
}

/* Another lab where this one was. */
static void replace(struct lab_slot *slot, struct lab *lab)
{
	named_move(slot->lab, lab);
	lab_drop(slot->lab);
	slot->lab = lab;
}

int labs_become(struct lab_slot *slot, const struct snapshot *snap)
{
	bool fits = snapshot_fits(snap, slot->lab);
	struct lab *other;
	int ret = job_refuses(slot);

	if (ret)
		return ret;
	if (slot->adopted && !fits)
		return fail(EBUSY, "this lab belongs to the program that runs these commands and keeps its shape");
	ret = fits ? lab_restore(slot->lab, snap) : lab_from_snapshot(snap, slot->lab->name, &other);
	if (!ret && !fits)
		replace(slot, other);
	if (ret || (slot->cpu < slot->lab->nr_cpus && look_online(slot->lab, slot->cpu)))
		return ret;
	for (slot->cpu = 0; !look_online(slot->lab, slot->cpu); )
		slot->cpu++;
	return 0;
}

int labs_reshape(struct shell *sh, struct lab_slot *slot, const struct shape *shape)
{
	struct lab *lab;
	int ret = job_refuses(slot);

	if (ret)
		return ret;
	if (slot->adopted)
		return fail(EBUSY, "this lab belongs to the program that runs these commands and keeps its shape");
	ret = make(sh, slot->lab->name, shape, preset_of(slot->lab), &lab);
	if (ret)
		return ret;
	ret = op_take_policies(lab, slot->lab);	/* what was set before the file was named still holds */
	if (ret) {
		lab_drop(lab);
		return ret;
	}
	replace(slot, lab);	/* with the journal of the one before: undo leads back to that */
	slot->cpu = 0;
	return 0;
}

int labs_drop(struct labs *labs, struct lab_slot *slot)
{
	unsigned int i = (unsigned int)(slot - labs->v);

	if (job_refuses(slot))
		return -EBUSY;
	if (labs->nr == 1)
		return fail(EBUSY, "%s is the only lab; lab new makes another", slot->lab->name);
	if (slot->adopted)
		return fail(EBUSY, "this lab belongs to the program that runs these commands");
	journal_free(slot->journal);
	lab_drop(slot->lab);
	memmove(slot, slot + 1, (labs->nr - i - 1) * sizeof(*slot));
	labs->nr--;
	if (labs->current > i)
		labs->current--;
	else if (labs->current == i)
		labs->current = 0;
	return 0;
}

void labs_drop_all(struct labs *labs)
{
	for (unsigned int i = 0; i < labs->nr; i++) {
		journal_free(labs->v[i].journal);
		if (!labs->v[i].adopted)
			lab_drop(labs->v[i].lab);
	}
	free(labs->v);
	*labs = (struct labs){ 0 };
}
