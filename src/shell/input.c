/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "shell/arena.h"
#include "shell/signals.h"

#define READ_BYTES (64u << 10)

void input_text(struct input *in, const char *name, const char *text, size_t len)
{
	*in = (struct input){ .name = name, .line = 1, .fd = -1, .len = len, .room = len };
	in->buf = host_alloc(len);
	memcpy(in->buf, text, len);
	in->ended = true;
}

int input_file(struct input *in, const char *path)
{
	bool standard = !strcmp(path, "-");
	struct stat st;
	int err;

	*in = (struct input){ .name = standard ? "stdin" : path, .line = 1 };
	in->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return fail(errno, "cannot open %s: %s", path, strerror(errno));
	if (fstat(in->fd, &st) || !S_ISDIR(st.st_mode))
		return 0;
	err = EISDIR;
	input_close(in);
	return fail(err, "cannot read %s: it is a directory", path);
}

void input_ask(struct input *in, char *(*ask)(bool more))
{
	*in = (struct input){ .line = 1, .fd = -1, .ask = ask };
}

void input_close(struct input *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	free(in->buf);
	*in = (struct input){ .fd = -1, .ended = true };
}

static void make_room(struct input *in, size_t bytes)
{
	if (in->room - in->len >= bytes)
		return;
	in->room = (in->len + bytes) * 2;
	in->buf = host_grow(in->buf, in->room);
}

static bool more_typed(struct input *in)
{
	char *line = in->ask(in->open);
	size_t len;

	if (!line)
		return false;
	if (stop_asked()) {
		in->dropped = true;
		free(line);
		return false;
	}
	len = strlen(line);
	make_room(in, len);
	memcpy(in->buf + in->len, line, len);
	in->len += len;
	free(line);
	return len > 0;
}

static bool more_read(struct input *in)
{
	ssize_t n;

	make_room(in, READ_BYTES);
	if (in->fd == STDIN_FILENO)
		fflush(stdout);	/* whoever feeds us may be waiting for the answer */
	do
		n = read(in->fd, in->buf + in->len, READ_BYTES);
	while (n < 0 && errno == EINTR && !stop_asked());
	if (n <= 0) {
		in->error = n < 0 && errno != EINTR ? errno : 0;
		return false;
	}
	in->len += (size_t)n;
	return true;
}

bool input_more(struct input *in)
{
	if (in->ended || in->dropped)
		return false;
	if (in->ask ? more_typed(in) : more_read(in))
		return true;
	in->ended = !in->dropped;
	return false;
}

void input_forget(struct input *in)
{
	/* Moving a whole window for each line of a long file would cost the square of it. */
	if (!in->pos || (in->pos < in->len && in->pos < READ_BYTES * 4))
		return;
	memmove(in->buf, in->buf + in->pos, in->len - in->pos);
	in->len -= in->pos;
	in->pos = 0;
}
