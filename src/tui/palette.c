/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/palette.h"

#include "base/gfp.h"

struct tone_row {
	uint8_t red, green, blue;
	int16_t of_256, of_16, of_8;
	unsigned int mono;
	uint32_t glyph;
	const char *meaning;
};

#define TONE_ROW(name, r, g, b, c256, c16, c8, mono, glyph, meaning) \
	[TONE_##name] = { r, g, b, c256, c16, c8, mono, glyph, meaning },
static const struct tone_row rows[TONE_NR] = { TONES(TONE_ROW) };

int tone_colour(enum tone tone, enum depth depth)
{
	const struct tone_row *row = &rows[tone];

	if (row->of_256 < 0)
		return -1;
	switch (depth) {
	case DEPTH_TRUE:
		return row->red << 16 | row->green << 8 | row->blue;
	case DEPTH_256:
		return row->of_256;
	case DEPTH_16:
		return row->of_16;
	case DEPTH_8:
		return row->of_8;
	default:
		return -1;
	}
}

/* With 8 colours the bright ones are the same ones in bold. */
unsigned int style_attrs(unsigned int style, enum depth depth)
{
	unsigned int attrs = style & ~0xffu;
	const struct tone_row *row = &rows[STYLE_TONE(style)];

	if (depth == DEPTH_MONO)
		attrs |= row->mono;
	else if (depth == DEPTH_8 && row->of_16 >= 8 && STYLE_TONE(style) != TONE_DIM && STYLE_TONE(style) != TONE_FREE)
		attrs |= ATTR_BOLD;
	if (depth <= DEPTH_8 && (STYLE_TONE(style) == TONE_DIM || STYLE_TONE(style) == TONE_FREE))
		attrs |= ATTR_DIM;
	return attrs;
}

uint32_t tone_glyph(enum tone tone)
{
	return rows[tone].glyph ? rows[tone].glyph : ' ';
}

const char *tone_meaning(enum tone tone)
{
	return rows[tone].meaning;
}

enum tone tone_of_type(unsigned int mtype)
{
	static const enum tone tones[MT_NR] = {
		[MT_UNMOVABLE] = TONE_UNMOVABLE, [MT_MOVABLE] = TONE_MOVABLE,
		[MT_RECLAIMABLE] = TONE_RECLAIMABLE, [MT_HIGHATOMIC] = TONE_HIGHATOMIC,
		[MT_ISOLATE] = TONE_ISOLATE,
	};

	return mtype < MT_NR ? tones[mtype] : TONE_PLAIN;
}

char glyph_ascii(uint32_t ch)
{
	static const struct { uint32_t ch; char ascii; } table[] = {
		{ 0x2588, '#' }, { 0x2593, '%' }, { 0x2592, '+' }, { 0x2591, '-' }, { 0xb7, '.' },
		{ 0x25a0, '@' }, { 0x25a1, '.' }, { 0x259e, 'x' }, { 0x25a8, 'i' }, { 0x2500, '-' },
		{ 0x2501, '=' }, { 0x2502, '|' }, { 0x2595, '[' }, { 0x258f, ']' }, { 0x25b8, '>' }, { 0x25be, 'v' },
		{ 0x25b4, '^' }, { 0x2190, '<' }, { 0x2192, '>' }, { 0x2191, '^' }, { 0x2193, 'v' },
		{ 0x21d2, '>' }, { 0x21d0, '<' }, { 0x21e7, '^' }, { 0x21e0, '<' }, { 0x2026, '~' },
		{ 0x2212, '-' }, { 0x2013, '-' }, { 0x2260, '!' }, { 0x21b5, '<' }, { 0x23f8, '=' },
		{ 0x2581, '_' }, { 0x2582, '_' }, { 0x2583, '.' }, { 0x2584, 'o' }, { 0x2585, 'o' },
		{ 0x2586, 'O' }, { 0x2587, 'O' }, { 0x258e, '|' }, { 0x258d, '|' }, { 0x258c, '|' },
		{ 0x258b, '#' }, { 0x258a, '#' }, { 0x2589, '#' }, { 0x2022, '*' }, { 0x00d7, 'x' },
		{ 0x25cf, '*' }, { 0x25cb, 'o' }, { 0x2423, '_' }, { 0x2265, '>' }, { 0x2264, '<' },
	};

	if (ch < 0x80)
		return (char)ch;
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].ch == ch)
			return table[i].ascii;
	if (ch >= 0x2460 && ch <= 0x2473)	/* ① … */
		return (char)('0' + (ch - 0x2460 + 1) % 10);
	return '?';
}
