/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette - what a tone means, and how it looks on each kind of terminal.
 *
 * Idea. Painters name meanings (a migratetype, a state, the accent), never
 * colours. Each meaning has one colour everywhere, from the Okabe-Ito set,
 * whose members a colour-blind eye tells apart; where it stands for a thing
 * it has a glyph of its own as well, so a terminal without colours says the
 * same. Without colours the accent is reverse video and a heading is bold.
 */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include "base/types.h"

/* X(tone, red, green, blue, of 256, of 16, of 8, attributes without colour, glyph, what it means) */
#define TONES(X)                                                                                         \
	X(PLAIN,       0,   0,   0,   -1,  -1, -1, 0,            0,      "")                             \
	X(DIM,         138, 138, 138, 245, 8,  7,  ATTR_DIM,     0,      "")                             \
	X(HEAD,        238, 238, 238, 255, 15, 7,  ATTR_BOLD,    0,      "")                             \
	X(ACCENT,      255, 255, 255, 231, 15, 7,  ATTR_BOLD,    0,      "touched by the last op")       \
	X(UNMOVABLE,   230, 159, 0,   214, 11, 3,  0,            0x2593, "unmovable")                    \
	X(MOVABLE,     86,  180, 233, 74,  12, 6,  0,            0x2588, "movable")                      \
	X(RECLAIMABLE, 0,   158, 115, 36,  2,  2,  0,            0x2592, "reclaimable")                  \
	X(HIGHATOMIC,  213, 94,  0,   166, 9,  1,  ATTR_BOLD,    '!',    "high-atomic")                  \
	X(ISOLATE,     204, 121, 167, 175, 13, 5,  0,            0x25a8, "isolated")                     \
	X(FREE,        98,  98,  98,  241, 8,  7,  ATTR_DIM,     0xb7,   "free")                         \
	X(PCP,         240, 228, 66,  227, 11, 3,  0,            ':',    "on a CPU's list")              \
	X(USED,        204, 204, 204, 252, 7,  7,  0,            0x25a0, "out")                          \
	X(GOOD,        0,   158, 115, 36,  2,  2,  0,            0,      "")                             \
	X(BAD,         213, 94,  0,   202, 9,  1,  ATTR_BOLD,    0,      "")                             \
	X(CHANGED,     204, 121, 167, 175, 13, 5,  ATTR_BOLD,    0,      "differs from its default")

#define TONE_ENUM(name, ...) TONE_##name,
enum tone { TONES(TONE_ENUM) TONE_NR };

/* A style is a tone and attributes. */
#define ATTR_BOLD 0x100u
#define ATTR_REVERSE 0x200u
#define ATTR_DIM 0x400u
#define ATTR_UNDERLINE 0x800u
#define STYLE_TONE(style) ((enum tone)((style) & 0xff))

/* What the last op touched. */
#define TOUCHED (TONE_ACCENT | ATTR_REVERSE | ATTR_BOLD)

enum depth { DEPTH_MONO = 0, DEPTH_8 = 8, DEPTH_16 = 16, DEPTH_256 = 256, DEPTH_TRUE = 1 << 24 };

/* The colour's number at that depth (DEPTH_TRUE: 0xrrggbb), -1: the terminal's own. */
int tone_colour(enum tone tone, enum depth depth);
/* Attributes that the style has on such a terminal. */
unsigned int style_attrs(unsigned int style, enum depth depth);
uint32_t tone_glyph(enum tone tone);
const char *tone_meaning(enum tone tone);
/* The tone of a migratetype by its number (base/gfp.h). */
enum tone tone_of_type(unsigned int mtype);

/* A glyph for terminals that know ASCII alone. */
char glyph_ascii(uint32_t ch);

#endif
