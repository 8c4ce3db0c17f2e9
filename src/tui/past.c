/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * past - earlier moments of the lab, looked at beside it.
 *
 * A moment is a lab of its own, made by the journal of a checkpoint and the
 * commands since (shell/journal.h); the present stays untouched and is where
 * the next command runs.
 */
#include <string.h>

#include "shell/journal.h"
#include "tui/tui.h"

#define PAST "past~"	/* no user's lab has such a name */

static void drop_past(struct tui *t)
{
	struct labs *labs = &t->scene.sh->labs;
	struct lab_slot *slot = labs_find(labs, PAST);

	if (slot)
		labs_drop(labs, slot);
	t->scene.past = 0;
}

void tui_present(struct tui *t)
{
	if (t->scene.past)
		drop_past(t);
	t->scene.lab = labs_current(&t->scene.sh->labs)->lab;
}

struct lab *tui_lab(const struct tui *t)
{
	struct labs *labs = &t->scene.sh->labs;
	struct lab_slot *past = t->scene.past ? labs_find(labs, PAST) : NULL;

	return past ? past->lab : labs_current(labs)->lab;
}

void tui_go_back(struct tui *t, int by)
{
	struct shell *sh = t->scene.sh;
	uint64_t past = t->scene.past, now = by > 0 ? past + 1 : past - 1;
	char command[256];

	if (by < 0 && !past) {
		tui_say(t, "this is the present");
		return;
	}
	drop_past(t);
	if (now && journal_past(sh, labs_current(&sh->labs)->lab->name, now, PAST)) {
		tui_say(t, "%s", fail_why());
		now = past;
		if (now && journal_past(sh, labs_current(&sh->labs)->lab->name, now, PAST))
			now = 0;
	} else if (now) {
		journal_entry_text(labs_current(&sh->labs), now, command, sizeof(command));
		tui_say(t, "%llu back, before: %s", (unsigned long long)now, command);
	} else {
		tui_say(t, "the present");
	}
	t->scene.past = now;
	t->scene.lab = tui_lab(t);
}
