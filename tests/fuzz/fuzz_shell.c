/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_shell - the command parser on any bytes (libFuzzer).
 *
 * Parses line after line and fills words in as a loop would, with variables
 * that are there and such that are not. Nothing is run. Beside not crashing:
 * every round makes progress, and a mistake always has its sentence and line.
 */
#include <string.h>

#include "fuzz.h"
#include "shell/parse.h"

static const char *some_value(void *from, const char *name, size_t len)
{
	(void)from;
	return len && (name[0] & 1) ? "a b\"$x'" : NULL;
}

static void fill_in(struct arena *arena, const struct word *w)
{
	if (w->text && w->flags & WORD_DOLLAR)
		word_expand(arena, w->text, some_value, NULL);
}

static void walk(struct arena *arena, const struct node *n)
{
	for (; n; n = n->next) {
		fill_in(arena, &n->name);
		fill_in(arena, &n->lab);
		fill_in(arena, &n->on);
		fill_in(arena, &n->file);
		for (unsigned int i = 0; i < n->nr; i++)
			fill_in(arena, &n->words[i]);
		if (n->kind != NODE_COMMAND)
			walk(arena, n->body);
		else if (!n->nr)
			fuzz_bug("a command without words");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct arena_mark mark = arena_mark(&arena);
	struct parser parser;
	struct input in;
	struct node *list;
	int got;

	input_text(&in, "fuzz", (const char *)data, size);
	parser_init(&parser, &in, &arena);
	for (size_t rounds = 0; (got = parse_line(&parser, &list)); rounds++) {
		if (rounds > size)
			fuzz_bug("a line was given out that holds no byte");
		if (got < 0 && (!parser.wrong || !parser.wrong[0] || !parser.wrong_line))
			fuzz_bug("a mistake without its sentence or line");
		if (got > 0)
			walk(&arena, list);
		arena_reset(&arena, mark);
	}
	parser_fini(&parser);
	input_close(&in);
	arena_free(&arena);
	return 0;
}
