/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/tui.h"

void tui_caught(struct tui *t)
{
	if (t->caught)
		t->caught(t);
}

void tui_go_back(struct tui *t, int by)
{
	(void)by;
	tui_say(t, "no past yet");
}

void tui_present(struct tui *t)
{
	t->scene.past = 0;
}
