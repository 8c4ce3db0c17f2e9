/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/signals.h"

extern char **environ;

/* The environment and the `for` variables; inner ones come first, so that they are found first. */
static char **host_environ(struct shell *sh)
{
	size_t vars = 0, nr = 0;
	char **env;

	for (const struct var *v = sh->vars; v; v = v->outer)
		vars++;
	while (environ[nr])
		nr++;
	env = arena_get(&sh->arena, (vars + nr + 1) * sizeof(*env));
	vars = 0;
	for (const struct var *v = sh->vars; v; v = v->outer) {
		size_t len = strlen(v->name) + strlen(v->value) + 2;

		env[vars] = arena_get(&sh->arena, len);
		snprintf(env[vars++], len, "%s=%s", v->name, v->value);
	}
	memcpy(env + vars, environ, nr * sizeof(*env));
	return env;
}

static char **host_argv(struct shell *sh, const char *command)
{
	struct frame *f = sh->frame;
	unsigned int argc = f ? f->argc : 0;
	char **argv = arena_get(&sh->arena, (argc + 5) * sizeof(*argv));

	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = (char *)command;
	argv[3] = f && f->file ? (char *)f->file : "slablab";
	for (unsigned int i = 0; i < argc; i++)
		argv[4 + i] = f->argv[i];
	return argv;
}

int host_spawn(struct shell *sh, const char *command, int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int err;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGHUP);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (out != STDOUT_FILENO)
		posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	err = posix_spawn(pid, "/bin/sh", &actions, &attr, host_argv(sh, command), host_environ(sh));
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return err;
}

static void output_begin(struct shell *sh, struct output *o, FILE *to)
{
	o->before = sh->out;
	sh->out = to;
}

int output_to_host(struct shell *sh, struct output *o, const char *command)
{
	int ends[2], err;
	FILE *to;

	fflush(sh->out);
	if (pipe2(ends, O_CLOEXEC))
		return fail(errno, "no pipe to \"%s\": %s", command, strerror(errno));
	to = fdopen(ends[1], "w");
	err = to ? host_spawn(sh, command, ends[0], fileno(sh->out), &o->pid) : errno;
	close(ends[0]);
	if (err) {
		if (to)
			fclose(to);
		else
			close(ends[1]);
		return fail(err, "cannot run \"%s\": %s", command, strerror(err));
	}
	o->what = command;
	output_begin(sh, o, to);
	return 0;
}

int output_to_file(struct shell *sh, struct output *o, const char *path, bool append)
{
	FILE *to = fopen(path, append ? "ae" : "we");

	if (!to)
		return fail(errno, "cannot write %s: %s", path, strerror(errno));
	o->pid = 0;
	o->what = path;
	output_begin(sh, o, to);
	return 0;
}

/* How the host command ended: 0 or -EIO with a sentence. */
static int reap(const struct output *o)
{
	int status;

	while (waitpid(o->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return fail(errno, "\"%s\" was lost: %s", o->what, strerror(errno));
		if (stop_asked())	/* who was asked to stop asks on */
			kill(o->pid, stop_asked());
	}
	if (WIFSIGNALED(status))
		return fail(EIO, "\"%s\" was ended by signal %d", o->what, WTERMSIG(status));
	if (WEXITSTATUS(status))
		return fail(EIO, "\"%s\" ended with status %d", o->what, WEXITSTATUS(status));
	return 0;
}

int output_end(struct shell *sh, struct output *o)
{
	FILE *to = sh->out;
	bool broken;

	sh->out = o->before;
	o->before = NULL;
	broken = ferror(to);
	errno = 0;
	broken |= fclose(to) != 0;
	if (o->pid)	/* that a reader left early is no fault of ours */
		return reap(o);
	return broken ? fail(EIO, "cannot write %s: %s", o->what, strerror(errno ? errno : EIO)) : 0;
}
