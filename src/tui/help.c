/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help - the keys of the pane with the focus, those of the screen, and the legend. */
#include <string.h>

#include "tui/tui.h"

static const struct pane_key everywhere[] = {
	{ 0, "Tab, 1 2 …",    "the next pane, or that one; so does a click", NULL },
	{ 0, "z",             "the pane alone on the whole screen, and back", NULL },
	{ 0, ":",             "a command line: Tab completes, ↑ goes through history", NULL },
	{ 0, "o",             "what commands printed; PgUp and PgDn scroll it", NULL },
	{ 0, "/  F3",         "filter what the pane lists", NULL },
	{ 0, "p  F2",         "policies: look, search, change at once", NULL },
	{ 0, "Space  F5",     "hold what runs between two ops, and let it go on", NULL },
	{ 0, ".  F6",         "let it do one op more", NULL },
	{ 0, "< >  F7 F8",    "look at earlier moments of the lab, and back", NULL },
	{ 0, "u  F9",         "undo the last command that changed the lab", NULL },
	{ 0, "s  F12",        "save the screen: text, .ans or .svg by the file's name", NULL },
	{ 0, "?  F1",         "this help", NULL },
	{ 0, "Ctrl-L",        "paint everything anew", NULL },
	{ 0, "Escape",        "close what is open", NULL },
	{ 0, "q  F10",        "leave: back to where it was started, with everything alive", NULL },
	{ 0 }
};

static int line(const struct area *a, int y, const char *label, const char *text)
{
	put(a, 3, y, TONE_ACCENT | ATTR_BOLD, "%s", label);
	put(a, 18, y, TONE_PLAIN, "%s", text);
	return y + 1;
}

static int keys(const struct area *a, int y, const struct pane_key *k)
{
	for (; k && k->label; k++)
		y = line(a, y, k->label, k->text);
	return y;
}

static int legend(const struct area *a, int y)
{
	int x = 3;

	for (int tone = 0; tone < TONE_NR; tone++) {
		const char *meaning = tone_meaning((enum tone)tone);

		if (!meaning[0])
			continue;
		if (x + text_columns(meaning) + 4 > a->w) {
			x = 3;
			y++;
		}
		put_glyph(a, x, y, tone == TONE_ACCENT ? TOUCHED : (unsigned int)tone,
			  tone_glyph((enum tone)tone) == ' ' ? 'n' : tone_glyph((enum tone)tone));
		x = put(a, x + 2, y, TONE_PLAIN, "%s", meaning) + 3;
	}
	return y + 1;
}

int help_draw(const struct tui *t, const struct area *window)
{
	const struct pane *p = pane_table[t->focus];
	struct area part = area_part(window, 0, 0, window->w < 84 ? window->w : 84, window->h), *a = &part;
	int y = -t->help_first;

	for (int i = 0; i < a->h; i++)
		put_many(a, 0, i, TONE_PLAIN, ' ', a->w);
	put(a, 1, y++, TONE_HEAD | ATTR_BOLD, "Help: %s", p->name);
	put(a, 3, y++, TONE_PLAIN, "%s", p->summary);
	y = keys(a, y, p->keys);
	put(a, 1, y++, TONE_HEAD | ATTR_BOLD, "Keys everywhere");
	y = keys(a, y, everywhere);
	put(a, 1, y++, TONE_HEAD | ATTR_BOLD, "What colours and glyphs mean");
	y = legend(a, y);
	if (window->w > a->w)
		for (int i = 0; i < a->h; i++)
			put_glyph(window, a->w, i, TONE_DIM, 0x2502);
	if (y > a->h)
		put_right(a, a->w - 1, a->h - 1, TONE_ACCENT | ATTR_BOLD, " ↓ %d more ", y - a->h);
	return y + t->help_first;
}
