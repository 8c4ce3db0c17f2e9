/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/hints.h"

#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "shell/offer.h"
#include "shell/spot.h"
#include "shell/usage.h"

/* What a row takes: of a policy's value, that policy's range. */
static const char *what(const struct spot *s, char *buf, size_t size)
{
	const struct arg *a = &s->cmd->args[s->row];
	const char *policy = a->words && !strcmp(a->words[0], "VALUE") ? spot_policy(s) : NULL;
	uint32_t cache;
	const struct policy_row *row = policy && s->lab ? offer_policy_row(s->lab, policy, &cache) : NULL;

	return row ? policy_range(row, buf, size) : a->text;
}

/* The rows still open, then what the next of them is. */
static void hint_arguments(const struct spot *s, char *buf, size_t size)
{
	bool given[ARGS_MAX] = { false };
	char range[256];
	const char *text = s->row >= 0 ? what(s, range, sizeof(range)) : NULL;
	size_t at;

	for (unsigned int i = 0; i < ARGS_MAX; i++)
		given[i] = s->args.value[i].given && (int)i != s->row;
	usage_rest(s->cmd, given, buf, size);
	at = strlen(buf);
	if (text && at < size)
		snprintf(buf + at, size - at, "  (%s)", text);
}

static void hint_spot(const struct spot *s, char *buf, size_t size)
{
	if (s->by_key && !s->value[0])
		snprintf(buf, size, "%s", s->cmd->args[s->row].text);
	else if (s->text[0])
		return;
	else if (s->kind == SPOT_ARGUMENT)
		hint_arguments(s, buf, size);
	else if (s->kind == SPOT_CPU)
		snprintf(buf, size, "CPU|all COMMAND");
	else if (s->kind == SPOT_TIMES)
		snprintf(buf, size, "N { COMMANDS }");
	else if (s->kind == SPOT_IN)
		snprintf(buf, size, "in WORD... { COMMANDS }");
	else if (s->kind == SPOT_COMMAND && !s->bare)
		snprintf(buf, size, "COMMAND");
}

/* Behind a whole command's name the blank is still to be typed. */
static void hint_behind_name(struct shell *sh, const char *line, char *buf, size_t size)
{
	char *longer = strcat(strcpy(host_alloc(strlen(line) + 2), line), " ");
	struct spot s;

	spot_find(sh, longer, strlen(longer), &s);
	if (s.kind == SPOT_ARGUMENT && size > 1 && !s.args.nr) {
		hint_spot(&s, buf + 1, size - 1);
		buf[0] = buf[1] ? ' ' : 0;
	}
	spot_end(&s);
	free(longer);
}

char *hint_line(struct shell *sh, const char *line, char *buf, size_t size)
{
	size_t len = strlen(line);
	struct spot s;

	buf[0] = buf[1] = 0;
	if (len != strspn(line, " \t")) {
		spot_find(sh, line, len, &s);
		if (s.text[0] && (s.kind == SPOT_COMMAND || s.kind == SPOT_MEMBER))
			hint_behind_name(sh, line, buf, size);
		else
			hint_spot(&s, buf, size);
		spot_end(&s);
	}
	return buf;
}
