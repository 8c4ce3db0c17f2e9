/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/arena.h"
#include "shell/xdg.h"

static void append(struct history *h, const char *line)
{
	if (h->nr == h->room) {
		h->room = h->room * 2 + 64;
		h->v = host_grow(h->v, h->room * sizeof(*h->v));
	}
	h->v[h->nr++] = host_text(line);
}

static void go_on(struct history *h, const char *line)
{
	char **last = &h->v[h->nr - 1];
	size_t len = strlen(*last);

	*last = host_grow(*last, len + strlen(line) + 2);
	(*last)[len] = '\n';
	strcpy(*last + len + 1, line);
}

/* ---- the file ---- */

static void read_line(struct history *h, char *line)
{
	line[strcspn(line, "\n")] = 0;
	if (line[0] == ' ' && h->nr)
		go_on(h, line + 1);
	else if (line[0] && line[0] != ' ')
		append(h, line);
}

static void read_all(struct history *h, const char *path)
{
	FILE *from = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	while (from && getline(&line, &room, from) > 0)
		read_line(h, line);
	free(line);
	if (from)
		fclose(from);
}

static void forget_oldest(struct history *h, unsigned int keep)
{
	unsigned int drop = h->nr > keep ? h->nr - keep : 0;

	for (unsigned int i = 0; i < drop; i++)
		free(h->v[i]);
	if (drop)
		memmove(h->v, h->v + drop, (h->nr - drop) * sizeof(*h->v));
	h->nr -= drop;
}

/* One write a piece, so that sessions side by side do not mix inside a line. */
static void write_piece(int fd, const char *text, bool more)
{
	size_t len = strlen(text), at = 0, lines = 2;
	char *out;
	ssize_t done;

	for (const char *s = text; *s; s++)
		lines += *s == '\n';
	out = host_alloc(len + lines);
	if (more)
		out[at++] = ' ';
	for (; *text; text++) {
		out[at++] = *text;
		if (*text == '\n')
			out[at++] = ' ';
	}
	out[at++] = '\n';
	done = write(fd, out, at);	/* a full disk is no matter of the shell's */
	(void)done;
	free(out);
}

/* A file that has grown to twice what is kept is written anew, beside it and then in its place. */
static void shorten(struct history *h, const char *path)
{
	char *beside = NULL;
	int fd;

	if (h->nr <= 2 * HISTORY_MAX || asprintf(&beside, "%s.%ld", path, (long)getpid()) < 0)
		return;
	forget_oldest(h, HISTORY_MAX);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	for (unsigned int i = 0; fd >= 0 && i < h->nr; i++)
		write_piece(fd, h->v[i], false);
	if (fd >= 0 && (close(fd) || rename(beside, path)))
		unlink(beside);
	free(beside);
}

void history_open(struct history *h, const char *path)
{
	*h = (struct history){ .fd = -1 };
	if (!path)
		return;
	read_all(h, path);
	shorten(h, path);
	forget_oldest(h, HISTORY_MAX);
	xdg_make_folders(path);
	h->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
	if (h->fd >= 0)
		fchmod(h->fd, 0600);	/* what was typed is nobody else's */
}

void history_close(struct history *h)
{
	forget_oldest(h, 0);
	free(h->v);
	if (h->fd >= 0)
		close(h->fd);
	*h = (struct history){ .fd = -1 };
}

/* ---- what is typed ---- */

static bool is_stored(const struct history *h, const char *line)
{
	return line[0] && !strchr(" \t\n", line[0]) && !(h->nr && !strcmp(h->v[h->nr - 1], line));
}

const char *history_add(struct history *h, const char *line, bool more)
{
	if (!more)
		h->skipping = !is_stored(h, line);
	if (h->skipping)
		return NULL;
	if (more && h->nr)
		go_on(h, line);
	else
		append(h, line);
	if (h->fd >= 0)
		write_piece(h->fd, line, more);
	return h->v[h->nr - 1];
}
