/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/save.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"

#define CELL_W 8	/* of a picture, in its own units */
#define CELL_H 17

void save_text(const struct grid *g, FILE *to)
{
	char row[4096];

	for (int y = 0; y < g->h; y++)
		fprintf(to, "%s\n", grid_text(g, y, row, sizeof(row)));
}

static void put_ch(uint32_t ch, FILE *to)
{
	char text[4];

	fwrite(text, 1, (size_t)(write_utf8(text, ch) - text), to);
}

static void ansi_style(unsigned int style, FILE *to)
{
	unsigned int attrs = style_attrs(style, DEPTH_TRUE);
	int rgb = tone_colour(STYLE_TONE(style), DEPTH_TRUE);

	fprintf(to, "\033[0%s%s%s%s", attrs & ATTR_BOLD ? ";1" : "", attrs & ATTR_DIM ? ";2" : "",
		attrs & ATTR_UNDERLINE ? ";4" : "", attrs & ATTR_REVERSE ? ";7" : "");
	if (rgb >= 0)
		fprintf(to, ";38;2;%d;%d;%d", rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
	fputc('m', to);
}

void save_ansi(const struct grid *g, FILE *to)
{
	for (int y = 0; y < g->h; y++) {
		unsigned int style = TONE_PLAIN;

		for (int x = 0; x < g->w; x++) {
			const struct cell *c = grid_at(g, x, y);

			if (c->style != style)
				ansi_style(style = c->style, to);
			put_ch(c->ch, to);
		}
		fputs(style == TONE_PLAIN ? "\n" : "\033[0m\n", to);
	}
}

static void svg_escape(uint32_t ch, FILE *to)
{
	if (ch == '<')
		fputs("&lt;", to);
	else if (ch == '&')
		fputs("&amp;", to);
	else
		put_ch(ch, to);
}

static int svg_colour(unsigned int style)
{
	int rgb = tone_colour(STYLE_TONE(style), DEPTH_TRUE);

	return rgb < 0 ? 0xd0d0d0 : rgb;
}

/* A run of cells of one style. */
static void svg_run(const struct grid *g, int y, int x, int n, FILE *to)
{
	unsigned int style = grid_at(g, x, y)->style;
	bool reverse = style & ATTR_REVERSE;
	bool blank = true;

	for (int i = 0; i < n; i++)
		blank &= grid_at(g, x + i, y)->ch == ' ';
	if (reverse)
		fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x * CELL_W, y * CELL_H,
			n * CELL_W, CELL_H, svg_colour(style));
	if (blank)
		return;
	fprintf(to, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>", x * CELL_W, y * CELL_H + 13, n * CELL_W,
		reverse ? 0x101418 : svg_colour(style), style & ATTR_BOLD ? " font-weight=\"bold\"" : "",
		style & ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (int i = 0; i < n; i++)
		svg_escape(grid_at(g, x + i, y)->ch, to);
	fputs("</text>\n", to);
}

void save_svg(const struct grid *g, FILE *to)
{
	int w = g->w * CELL_W, h = g->h * CELL_H;

	fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 %d %d\" width=\"%d\" height=\"%d\">\n"
		"<rect x=\"-8\" y=\"-8\" width=\"%d\" height=\"%d\" fill=\"#101418\"/>\n"
		"<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" xml:space=\"preserve\">\n",
		w + 16, h + 16, w + 16, h + 16, w + 16, h + 16);
	for (int y = 0; y < g->h; y++)
		for (int x = 0, n; x < g->w; x += n) {
			for (n = 1; x + n < g->w && grid_at(g, x + n, y)->style == grid_at(g, x, y)->style; n++)
				;
			svg_run(g, y, x, n, to);
		}
	fputs("</g>\n</svg>\n", to);
}

static bool ends_in(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len > n && !strcmp(path + len - n, end);
}

int save_grid(const struct grid *g, const char *path)
{
	FILE *to = fopen(path, "w");
	bool bad;

	if (!to)
		return fail(errno, "%s", strerror(errno));
	if (ends_in(path, ".svg"))
		save_svg(g, to);
	else if (ends_in(path, ".ans") || ends_in(path, ".ansi"))
		save_ansi(g, to);
	else
		save_text(g, to);
	bad = ferror(to);
	return fclose(to) || bad ? fail(EIO, "it could not be written whole") : 0;
}
