/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_program - steps kept from the reading of a trace until they run.
 *
 * A step takes 32 bytes, a fifth of its line. A short program stays in the
 * buffers; a longer one goes to a file without a name, block by block, so that
 * memory does not grow with the trace. There is one stream of steps, or one a
 * CPU; each is read back in the order in which it was written.
 *
 * A program that outgrows PROGRAM_MAX, or finds no room on the disk, is given
 * up (`lost`): then the trace is read a second time while it runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "work/replay_priv.h"

#define PROGRAM_MAX (1ULL << 30)	/* bytes: 33 million steps */
#define BUFFER_BYTES (1u << 20)		/* of all streams together, at most 4 KiB for each of 1024 */
#define BLOCK_MIN 4096u

int program_init(struct program *p, unsigned int streams)
{
	uint32_t bytes = BUFFER_BYTES / streams;

	if (bytes < BLOCK_MIN)
		bytes = BLOCK_MIN;
	*p = (struct program){ .fd = -1, .streams = streams, .block_steps = bytes / sizeof(struct step) };
	p->stream = calloc(streams, sizeof(*p->stream));
	return p->stream ? 0 : fail(ENOMEM, "no memory for the steps of a replay");
}

void program_fini(struct program *p)
{
	for (uint32_t i = 0; p->stream && i < p->streams; i++) {
		free(p->stream[i].buf);
		free(p->stream[i].block);
	}
	free(p->stream);
	p->stream = NULL;
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

static int nameless_file(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir || strlen(dir) > sizeof(path) - 32)
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "%s/slablab-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static bool write_all(int fd, const void *data, size_t len, uint64_t at)
{
	for (const char *p = data; len;) {
		ssize_t n = pwrite(fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
		at += (uint64_t)n;
	}
	return true;
}

static bool stream_note_block(struct stream *s, uint64_t at)
{
	if (s->blocks == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 16;
		uint64_t *block = realloc(s->block, cap * sizeof(*block));

		if (!block)
			return false;
		s->block = block;
		s->cap = cap;
	}
	s->block[s->blocks++] = at;
	return true;
}

static bool stream_flush(struct program *p, struct stream *s)
{
	size_t bytes = (size_t)p->block_steps * sizeof(*s->buf);

	if (p->fd < 0)
		p->fd = nameless_file();
	if (p->fd < 0 || p->end + bytes > PROGRAM_MAX || !write_all(p->fd, s->buf, bytes, p->end) ||
	    !stream_note_block(s, p->end))
		return false;
	p->end += bytes;
	s->nr = 0;
	return true;
}

void program_add_slow(struct program *p, struct stream *s, const struct step *st)
{
	if (!s->buf)
		s->buf = malloc((size_t)p->block_steps * sizeof(*s->buf));
	else if (!stream_flush(p, s))
		p->lost = true;
	if (!s->buf)
		p->lost = true;
	if (!p->lost)
		s->buf[s->nr++] = *st;
}

int program_rewind(struct program *p, unsigned int stream, struct program_cursor *c)
{
	*c = (struct program_cursor){ .p = p, .s = &p->stream[stream] };
	if (!c->s->blocks)
		return 0;
	c->buf = malloc((size_t)p->block_steps * sizeof(*c->buf));
	return c->buf ? 0 : fail(ENOMEM, "no memory for the steps of a replay");
}

void program_cursor_fini(struct program_cursor *c)
{
	free(c->buf);
	c->buf = NULL;
}

static bool read_all(int fd, void *data, size_t len, uint64_t at)
{
	for (char *p = data; len;) {
		ssize_t n = pread(fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
		at += (uint64_t)n;
	}
	return true;
}

bool program_next_block(struct program_cursor *c, int *error)
{
	uint32_t nr = c->block < c->s->blocks ? c->p->block_steps : c->s->nr;

	if (c->block > c->s->blocks || !nr)
		return false;
	if (c->block < c->s->blocks) {
		if (!read_all(c->p->fd, c->buf, nr * sizeof(*c->buf), c->s->block[c->block])) {
			*error = fail(EIO, "the steps kept in a temporary file cannot be read back");
			return false;
		}
		c->at = c->buf;
	} else {
		c->at = c->s->buf;
	}
	c->end = c->at + nr;
	c->block++;
	return true;
}
