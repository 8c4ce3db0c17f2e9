/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/json.h"

#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 character at s, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : (*s & 0xf0) == 0xe0 ? 3 :
		   *s >= 0xf0 && *s < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

json_t *json_text(const char *text)
{
	json_t *value = json_string(text);
	char *copy;

	if (value)
		return value;
	copy = host_text(text);
	for (unsigned char *s = (unsigned char *)copy; *s; ) {
		size_t n = utf8_length(s);

		if (!n)
			*s = '?';
		s += n ? n : 1;
	}
	value = json_string(copy);
	if (!value)	/* surrogates and the like: forms that only the table of code points rules out */
		for (unsigned char *s = (unsigned char *)copy; *s; s++)
			if (*s >= 0x80)
				*s = '?';
	if (!value)
		value = json_string(copy);
	free(copy);
	return value;
}

void json_line(struct shell *sh, json_t *line)
{
	json_dumpf(line, sh->out, JSON_COMPACT | JSON_REAL_PRECISION(15));	/* 0.003, not what a double makes of it */
	fputc('\n', sh->out);
	json_decref(line);
}

void json_success(struct shell *sh, const char *command, const struct lab *lab, json_t *data)
{
	json_t *line = json_object();

	json_object_set_new(line, "command", json_text(command));
	json_object_set_new(line, "lab", lab ? json_text(lab->name) : json_null());
	json_object_set_new(line, "ok", json_true());
	json_object_set_new(line, "data", data ? data : json_null());
	json_line(sh, line);
}

void json_failure(struct shell *sh, const char *command, const char *sentence)
{
	bool placed = sh->frame && sh->frame->file;
	json_t *line = json_object(), *error = json_object();

	json_object_set_new(error, "message", json_text(sentence));
	json_object_set_new(error, "file", placed ? json_text(sh->frame->file) : json_null());
	json_object_set_new(error, "line", placed ? json_integer((json_int_t)sh->line) : json_null());
	json_object_set_new(line, "command", command ? json_text(command) : json_null());
	json_object_set_new(line, "ok", json_false());
	json_object_set_new(line, "error", error);
	json_line(sh, line);
}
