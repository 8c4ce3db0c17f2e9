/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/flow.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "view/table.h"

void flow_begin(struct flow *f, const struct view_args *args, FILE *to, const char *fmt, ...)
{
	char label[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(label, sizeof(label), fmt, ap);
	va_end(ap);
	fputs(label, to);
	*f = (struct flow){
		.to = to, .between = " ",
		.width = args->width >= 40 ? args->width : 80,
		.indent = text_width(label), .at = text_width(label), .colour = args->colour,
	};
}

void flow_means(struct flow *f, enum meaning m)
{
	f->next = m;
}

void flow_word(struct flow *f, const char *fmt, ...)
{
	unsigned int gap = f->words ? text_width(f->between) : 0, w;
	char word[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(word, sizeof(word), fmt, ap);
	va_end(ap);
	w = text_width(word);
	/* a line may end in an arrow, which needs its room, too */
	if (f->words && f->at + gap + w + (f->between[0] == ' ' ? 0 : gap) > f->width) {
		/* An arrow stays at the end of its line, a blank does not. */
		fprintf(f->to, "%s\n%*s", f->between[0] == ' ' ? "" : f->between, (int)f->indent, "");
		f->at = f->indent;
		gap = 0;
	} else if (gap) {
		fputs(f->between, f->to);
	}
	fprintf(f->to, "%s%s%s", colour_on(f->colour, f->next), word, colour_off(f->colour && f->next != MEANS_PLAIN));
	f->next = MEANS_PLAIN;
	f->at += gap + w;
	f->words++;
}

void flow_unbroken_off_screen(struct flow *f, const struct view_args *args)
{
	if (!args->screen)
		f->width = UINT_MAX / 2;
}

void flow_sentence(struct flow *f, enum meaning m, const char *text)
{
	while (*text) {
		int n = (int)strcspn(text, " ");

		flow_means(f, m);
		flow_word(f, "%.*s", n, text);
		text += n;
		text += strspn(text, " ");
	}
}

void flow_end(struct flow *f)
{
	putc('\n', f->to);
}

void flow_line(const struct view_args *args, FILE *to, const char *fmt, ...)
{
	struct flow f;
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	flow_begin(&f, args, to, "%s", "");
	flow_unbroken_off_screen(&f, args);
	f.indent = 2;
	flow_sentence(&f, MEANS_PLAIN, line);
	flow_end(&f);
}
