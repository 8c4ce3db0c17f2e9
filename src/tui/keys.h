/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys - what is pressed: a code point, or one of these. Control keys are their ASCII codes. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#define CTRL(c) ((c) & 0x1f)

enum key {
	KEY_NONE_YET = -1,	/* nothing is pressed */
	KEY_TAB = '\t',
	KEY_RETURN = '\r',
	KEY_ESC = 0x1b,
	KEYS_BEGIN = 0x110000,
	K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END, K_PAGE_UP, K_PAGE_DOWN,
	K_BACKSPACE, K_DELETE, K_BACKTAB, K_RESIZE, K_MOUSE,
	K_F1, K_F2, K_F3, K_F4, K_F5, K_F6, K_F7, K_F8, K_F9, K_F10, K_F11, K_F12,
};

enum mouse_kind { MOUSE_PRESS, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_kind kind;
	int x, y;
};

#endif
