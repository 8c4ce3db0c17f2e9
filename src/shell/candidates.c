/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/arena.h"

#define HINT_TEXT 200

static bool is_wanted(const struct candidates *c, const char *text)
{
	return !strncmp(text, c->typed, strlen(c->typed));
}

static struct candidate *append(struct candidates *c, const char *text, const char *hint)
{
	struct candidate *one;

	if (c->nr == c->room) {
		c->room = c->room * 2 + 16;
		c->v = host_grow(c->v, c->room * sizeof(*c->v));
	}
	one = &c->v[c->nr++];
	*one = (struct candidate){ .text = host_text(text), .hint = host_text(hint), .members = 1 };
	return one;
}

void candidates_add(struct candidates *c, const char *text, bool open, const char *fmt, ...)
{
	char hint[HINT_TEXT];
	va_list ap;

	if (!is_wanted(c, text))
		return;
	va_start(ap, fmt);
	vsnprintf(hint, sizeof(hint), fmt, ap);
	va_end(ap);
	append(c, text, hint)->open = open;
}

/* Is there a group that this name belongs to? It is the one begun last. */
static bool joins(struct candidates *c, const char *name)
{
	struct candidate *last = c->nr ? &c->v[c->nr - 1] : NULL;
	char hint[HINT_TEXT];

	if (!last || !last->group || strncmp(last->text, name, last->group))
		return false;
	last->text[last->group] = 0;
	last->open = true;
	snprintf(hint, sizeof(hint), "%u names", ++last->members);
	free(last->hint);
	last->hint = host_text(hint);
	return true;
}

void candidates_add_dotted(struct candidates *c, const char *name, const char *fmt, ...)
{
	char hint[HINT_TEXT];
	const char *dot;
	va_list ap;

	if (!is_wanted(c, name) || joins(c, name))
		return;
	va_start(ap, fmt);
	vsnprintf(hint, sizeof(hint), fmt, ap);
	va_end(ap);
	dot = strchr(name + strlen(c->typed), '.');
	append(c, name, hint)->group = dot ? (size_t)(dot - name) + 1 : 0;
}

bool candidates_has(const struct candidates *c, const char *text)
{
	for (unsigned int i = 0; i < c->nr; i++)
		if (!strcmp(c->v[i].text, text))
			return true;
	return false;
}

void candidates_free(struct candidates *c)
{
	for (unsigned int i = 0; i < c->nr; i++) {
		free(c->v[i].text);
		free(c->v[i].hint);
	}
	free(c->v);
	*c = (struct candidates){ 0 };
}
