/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/spell.h"

#include <stdbool.h>
#include <string.h>

static bool is_plain(const char *word)
{
	return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:/+@%^~*-=[]|")] == 0;
}

void spell_word(const char *word, FILE *to)
{
	if (is_plain(word)) {
		fprintf(to, " %s", word);
		return;
	}
	fputs(" '", to);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\"'\"'", to);
		else
			fputc(*word, to);
	fputc('\'', to);
}
