/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slablab - the program: options, then a file, commands, one command or the
 * shell. All that they do is the library's; line editing is in
 * shell/interactive.c.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shell/complete.h"
#include "shell/interactive.h"
#include "shell/options.h"
#include "shell/signals.h"
#include "shell/usage.h"
#include "tui/loop.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1.0"
#endif

#define STATUS_USAGE 2
#define STATUS_SIGPIPE 141	/* 128 + SIGPIPE: who read our output went away */

static int usage_error(void)
{
	fflush(stdout);
	fprintf(stderr, "slablab: %s\n", fail_why());
	return STATUS_USAGE;
}

static int run_input(struct shell *sh, struct input *in, char *const *argv, unsigned int argc)
{
	shell_run(sh, in, argv, argc);
	input_close(in);
	return shell_status(sh);
}

static int run_commands(struct shell *sh, const struct options *o)
{
	struct input in;

	if (shell_first_lab(sh))
		return usage_error();
	input_text(&in, "-c", o->commands, strlen(o->commands));
	return run_input(sh, &in, o->rest, o->nr);
}

static int run_file(struct shell *sh, const char *path, char *const *argv, unsigned int argc)
{
	struct input in;

	if (input_file(&in, path))
		return usage_error();
	if (shell_first_lab(sh))
		return usage_error();
	return run_input(sh, &in, argv, argc);
}

/* A word that is neither a file nor a command was more likely meant as a command. */
static int run_unknown(const struct options *o)
{
	char why[400];

	if (access(o->rest[0], F_OK) == 0 || strchr(o->rest[0], '/'))
		return -1;
	cmd_unknown(o->rest, o->nr);
	snprintf(why, sizeof(why), "%s", fail_why());
	fail(ENOENT, "there is no file \"%s\", and %s", o->rest[0], why);
	return usage_error();
}

static int run_rest(struct shell *sh, const struct options *o)
{
	unsigned int used;
	const struct cmd *cmd = cmd_find(o->rest, o->nr, &used);
	bool setting = sh->shape.given || sh->preset || sh->boot || sh->sets;
	int ret;

	if (!cmd && !cmd_is_family(o->rest[0])) {
		ret = strcmp(o->rest[0], "-") ? run_unknown(o) : -1;
		return ret >= 0 ? ret : run_file(sh, o->rest[0], o->rest + 1, o->nr - 1);
	}
	if (((cmd && cmd->flags & CMD_NEEDS_LAB) || setting) && shell_first_lab(sh))
		return usage_error();
	shell_run_words(sh, o->rest, o->nr);
	return shell_status(sh);
}

static int run_shell(struct shell *sh)
{
	if (!isatty(STDIN_FILENO))
		return run_file(sh, "-", NULL, 0);
	if (shell_first_lab(sh))
		return usage_error();
	interactive_run(sh, PACKAGE_VERSION);
	return stop_asked() ? 128 + stop_asked() : 0;	/* failures were seen by whoever typed */
}

/*
 * For bash and zsh: what the last word of this command line could become, in a
 * fresh lab. A line each: the word, a blank behind it if it is whole, a tab, a
 * line about it. "/" alone: a file's name may stand there.
 */
static int print_candidates(struct shell *sh, const char *line)
{
	const char *word = strrchr(line, ' ') ? strrchr(line, ' ') + 1 : line;
	struct candidates c;

	if (shell_first_lab(sh))
		return usage_error();
	complete_line(sh, line, strlen(line), &c);
	for (unsigned int i = 0; i < c.nr; i++)
		printf("%.*s%s%s\t%s\n", (int)(line + c.start > word ? line + c.start - word : 0), word, c.v[i].text,
		       c.v[i].open ? "" : " ", c.v[i].hint);
	if (c.files)
		puts("/");
	candidates_free(&c);
	return 0;
}

static int start(struct shell *sh, const struct options *o)
{
	if (o->help)
		options_help(stdout);
	else if (o->version)
		puts("slablab " PACKAGE_VERSION);
	else if (o->complete)
		return print_candidates(sh, o->complete);
	else if (o->commands)
		return run_commands(sh, o);
	else if (o->nr)
		return run_rest(sh, o);
	else
		return run_shell(sh);
	return 0;
}

/* Output that could not be written is a failure of its own; a reader that left is told apart. */
static int finish(int status)
{
	struct pollfd out = { STDOUT_FILENO, POLLOUT, 0 };

	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno == EPIPE || (poll(&out, 1, 0) == 1 && out.revents & POLLERR))
		return STATUS_SIGPIPE;
	/* that an earlier write failed is known, but no longer why */
	fprintf(stderr, "slablab: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
	return status ? status : 1;
}

int main(int argc, char **argv)
{
	struct options o;
	struct shell sh;
	int status;

	setlocale(LC_CTYPE, "");
	signals_init();
	shell_init(&sh);
	sh.screen = &tui_screen;
	status = options_read(argc, argv, &sh, &o) ? usage_error() : start(&sh, &o);
	shell_fini(&sh);
	options_free(&o);
	return finish(status);
}
