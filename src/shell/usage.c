/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/usage.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "policy/near.h"
#include "shell/args.h"

/* ---- usage ---- */

struct text {
	char *buf;
	size_t size, at;
};

static void __printf_like(2, 3) add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (t->at + 1 >= t->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->at, t->size - t->at, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->at += (size_t)n;
}

static void add_enum(struct text *t, const struct arg *a)
{
	for (const char *const *w = a->words; *w; w++)
		add(t, "%s%s", w == a->words ? "" : "|", *w);
}

/* The value's place: words of an enum, else the row's name or an N. */
static void add_arg(struct text *t, const struct arg *a)
{
	add(t, a->def || a->type == ARG_FLAG ? " [" : " ");
	if (!arg_by_place(a) && a->type != ARG_FLAG)
		add(t, "%s%c", a->name, a->name[0] == '-' ? ' ' : '=');
	if (a->type == ARG_ENUM)
		add_enum(t, a);
	else if (arg_by_place(a) || a->type == ARG_FLAG)
		add(t, "%s", a->name);
	else if (a->type == ARG_WORD && a->words)
		add(t, "%s", a->words[0]);
	else
		add(t, "%s", a->type == ARG_GFP || a->type == ARG_CACHE_FLAGS ? "FLAGS" :
			     a->type == ARG_MTYPE ? "unmovable|movable|reclaimable" : "N");
	if (arg_takes_many(a))
		add(t, "...");
	if (a->def || a->type == ARG_FLAG)
		add(t, "]");
}

char *usage_line(const struct cmd *cmd, char *buf, size_t size)
{
	struct text t = { buf, size, 0 };

	buf[0] = 0;
	if (cmd->flags & (CMD_MAKES_HANDLE | CMD_TAKES_NAME))
		add(&t, "[NAME =] ");
	add(&t, "%s", cmd->name);
	for (const struct arg *a = cmd->args; a && a->name; a++)
		add_arg(&t, a);
	if (cmd->flags & CMD_MAKES_HANDLE)
		add(&t, " [xN]");
	return buf;
}

char *usage_rest(const struct cmd *cmd, const bool *given, char *buf, size_t size)
{
	struct text t = { buf, size, 0 };

	buf[0] = 0;
	for (unsigned int i = 0; cmd->args && cmd->args[i].name; i++)
		if (!given[i])
			add_arg(&t, &cmd->args[i]);
	if (cmd->flags & CMD_MAKES_HANDLE)
		add(&t, " [xN]");
	if (buf[0])
		memmove(buf, buf + 1, strlen(buf));	/* the blank before the first */
	return buf;
}

void usage_print(const struct cmd *cmd, FILE *to)
{
	char line[512];

	fprintf(to, "%s\n    %s\n", usage_line(cmd, line, sizeof(line)), cmd->summary);
	for (const struct arg *a = cmd->args; a && a->name; a++) {
		fprintf(to, "  %-10s %s", a->name, a->text);
		if (a->def && a->def[0])
			fprintf(to, " (default: %s)", a->def);
		fputc('\n', to);
	}
	if (cmd->more)
		cmd->more(to);
}

json_t *usage_json(const struct cmd *cmd)
{
	json_t *o = json_object(), *list = json_array();
	char line[512];

	json_object_set_new(o, "name", json_text(cmd->name));
	json_object_set_new(o, "summary", json_text(cmd->summary));
	json_object_set_new(o, "usage", json_text(usage_line(cmd, line, sizeof(line))));
	for (const struct arg *a = cmd->args; a && a->name; a++) {
		json_t *row = json_object();

		json_object_set_new(row, "name", json_text(a->name));
		json_object_set_new(row, "text", json_text(a->text));
		json_object_set_new(row, "required", json_boolean(!a->def && a->type != ARG_FLAG));
		if (a->def && a->def[0])
			json_object_set_new(row, "default", json_text(a->def));
		json_array_append_new(list, row);
	}
	json_object_set_new(o, "args", list);
	return o;
}

/* ---- look-up ---- */

/* How many words this name takes up at the front of `words`; 0 if it is not there. */
static unsigned int names(const char *name, char *const *words, unsigned int nr)
{
	const char *blank = strchr(name, ' ');
	size_t first;

	if (!blank)
		return strcmp(name, words[0]) ? 0 : 1;
	first = (size_t)(blank - name);
	if (strncmp(name, words[0], first))
		return 0;
	if (!words[0][first])
		return nr > 1 && !strcmp(blank + 1, words[1]) ? 2 : 0;
	return words[0][first] == '_' && !strcmp(blank + 1, words[0] + first + 1) ? 1 : 0;
}

const struct cmd *cmd_find(char *const *words, unsigned int nr, unsigned int *used)
{
	for (unsigned int i = 0; i < cmd_nr; i++)
		if (cmd_table[i]->name[0] == words[0][0] && (*used = names(cmd_table[i]->name, words, nr)))
			return cmd_table[i];
	return NULL;
}

bool cmd_takes_gt(char *const *words, unsigned int nr)
{
	unsigned int used;
	const struct cmd *cmd;

	while (nr && (cmd = cmd_find(words, nr, &used))) {
		if (!(cmd->flags & CMD_RUNS_COMMAND))
			return cmd->flags & CMD_TAKES_GT;
		used += args_before_command(cmd, words + used, nr - used);
		words += used;
		nr -= used;
	}
	return false;
}

static bool is_of_family(const struct cmd *cmd, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(cmd->name, word, len) && cmd->name[len] == ' ';
}

bool cmd_is_family(const char *word)
{
	for (unsigned int i = 0; i < cmd_nr; i++)
		if (is_of_family(cmd_table[i], word))
			return true;
	return false;
}

static int unknown_member(char *const *words, unsigned int nr)
{
	char buf[256];
	struct text t = { buf, sizeof(buf), 0 };

	buf[0] = 0;
	for (unsigned int i = 0; i < cmd_nr; i++)
		if (is_of_family(cmd_table[i], words[0]))
			add(&t, "%s%s", t.at ? ", " : "", cmd_table[i]->name + strlen(words[0]) + 1);
	if (nr < 2)
		return fail(EINVAL, "%s is followed by one of %s", words[0], buf);
	return fail(EINVAL, "there is no \"%s %s\" (%s is followed by one of %s)", words[0], words[1], words[0], buf);
}

int cmd_unknown(char *const *words, unsigned int nr)
{
	char near_names[NEAR_NAMES * NEAR_LENGTH];
	struct near n;

	if (cmd_is_family(words[0]))
		return unknown_member(words, nr);
	near_begin(&n, words[0]);
	for (unsigned int i = 0; i < cmd_nr; i++)
		near_offer(&n, cmd_table[i]->name);
	near_join(&n, near_names, sizeof(near_names));
	if (words[0][0] == '@' || !strcmp(words[0], "on") || (nr > 1 && !strcmp(words[1], "=")))
		return fail(EINVAL, "there is no command \"%s\" (what stands before a command has its order: NAME = @LAB on CPU COMMAND)",
			    words[0]);
	if (strchr(words[0], '=') && words[0][0] != '=' && near_names[0])
		return fail(EINVAL, "there is no command \"%s\" (near: %s; a handle is written with blanks: NAME = COMMAND)",
			    words[0], near_names);
	if (near_names[0])
		return fail(EINVAL, "there is no command \"%s\" (near: %s)", words[0], near_names);
	if (strchr(words[0], '='))
		return fail(EINVAL, "there is no command \"%s\" (a handle is written with blanks: NAME = COMMAND)",
			    words[0]);
	return fail(EINVAL, "there is no command \"%s\" (help lists them)", words[0]);
}
