/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/shell.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "shell/dispatch.h"
#include "shell/exec.h"
#include "shell/jobs.h"
#include "shell/parse.h"
#include "shell/signals.h"
#include "shell/tick.h"

void shell_init(struct shell *sh)
{
	memset(sh, 0, sizeof(*sh));
	shape_default(&sh->shape);
	sh->out = stdout;
	sh->history.fd = -1;
}

void shell_fini(struct shell *sh)
{
	jobs_end_all(sh);
	labs_drop_all(&sh->labs);
	arena_free(&sh->arena);
	history_close(&sh->history);
}

int shell_first_lab(struct shell *sh)
{
	return sh->labs.nr ? 0 : labs_new(sh, "main", &sh->shape, NULL, sh->shape.given);
}

/* ---- values ---- */

static const char *args_joined(struct shell *sh)
{
	struct frame *f = sh->frame;
	size_t len = 1;
	char *text;

	for (unsigned int i = 0; f && i < f->argc; i++)
		len += strlen(f->argv[i]) + 1;
	text = arena_get(&sh->arena, len);
	for (unsigned int i = 0; f && i < f->argc; i++) {
		if (i)
			strcat(text, " ");
		strcat(text, f->argv[i]);
	}
	return text;
}

static const char *arg_number(struct shell *sh, unsigned int i)
{
	struct frame *f = sh->frame;

	if (!i)
		return f && f->file ? f->file : "slablab";
	if (!f || i > f->argc) {
		fail(EINVAL, "there is no $%u: %u argument%s given", i, f ? f->argc : 0,
		     f && f->argc == 1 ? " was" : "s were");
		return NULL;
	}
	return f->argv[i - 1];
}

static const char *args_count(struct shell *sh)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", sh->frame ? sh->frame->argc : 0);

	return arena_text(&sh->arena, text, (size_t)n);
}

const char *shell_value(void *shell, const char *name, size_t len)
{
	struct shell *sh = shell;

	if (len == 1 && *name == '@')
		return args_joined(sh);
	if (len == 1 && *name == '#')
		return args_count(sh);
	if (len == 1 && *name >= '0' && *name <= '9')
		return arg_number(sh, (unsigned int)(*name - '0'));
	for (const struct var *v = sh->vars; v; v = v->outer)
		if (!strncmp(v->name, name, len) && !v->name[len])
			return v->value;
	fail(EINVAL, "$%.*s means nothing here (\\$ is a plain $)", (int)len, name);
	return NULL;
}

/* ---- running ---- */

static int syntax_error(struct shell *sh, const struct parser *p)
{
	sh->line = p->wrong_line;
	report_unreadable(sh, p->wrong);
	return -1;
}

bool shell_stopped(void)
{
	tick();
	return stop_asked() || ferror(stdout);
}

/* Does the run go on after this line? A terminal always does; a file unless something failed without -k. */
static bool goes_on(const struct shell *sh, const struct input *in, int ret)
{
	if (sh->quit)
		return false;
	if (in->ask && stop_asked() == SIGINT)
		stop_forget();
	return !shell_stopped() && (in->ask || !ret || sh->keep_going);
}

static int run_lines(struct shell *sh, struct input *in)
{
	struct arena_mark mark = arena_mark(&sh->arena);
	struct parser parser;
	struct node *list;
	int ret = 0, one, parsed;

	parser_init(&parser, in, &sh->arena);
	do {
		parsed = parse_line(&parser, &list);
		if (!parsed)
			break;
		one = parsed > 0 ? exec_list(sh, list) : parsed == -EINTR ? 0 : syntax_error(sh, &parser);
		if (one)
			ret = -1;
		if (parsed > 0 && in->ask && stop_asked())
			fputc('\n', stdout);	/* behind the terminal's ^C */
		arena_reset(&sh->arena, mark);
	} while (goes_on(sh, in, one));
	parser_fini(&parser);
	return ret;
}

int shell_run(struct shell *sh, struct input *in, char *const *argv, unsigned int argc)
{
	struct frame frame = { .file = in->name, .argv = argv, .argc = argc, .outer = sh->frame };
	unsigned long line = sh->line;
	int ret;

	sh->frame = &frame;
	ret = run_lines(sh, in);
	if (in->error) {
		fail(in->error, "cannot read %s: %s", in->name, strerror(in->error));
		report_unreadable(sh, strdupa(fail_why()));
		ret = -1;
	}
	sh->frame = frame.outer;
	sh->line = line;
	return ret;
}

int shell_run_words(struct shell *sh, char *const *words, unsigned int nr)
{
	struct request rq = { .words = words, .nr = nr, .on = ON_NOTHING };

	return dispatch(sh, &rq);
}

int shell_run_in(struct lab *lab, const char *commands)
{
	struct shell sh;
	struct input in;
	int ret;

	shell_init(&sh);
	sh.mute = true;
	labs_adopt(&sh.labs, lab);
	input_text(&in, "commands", commands, strlen(commands));
	ret = shell_run(&sh, &in, NULL, 0);
	input_close(&in);
	if (ret)
		fail(EINVAL, "%s", sh.first_error);
	shell_fini(&sh);
	return ret ? -EINVAL : 0;
}

int shell_status(const struct shell *sh)
{
	return stop_asked() ? 128 + stop_asked() : sh->status;
}
