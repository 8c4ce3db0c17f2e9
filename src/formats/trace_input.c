/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes in, whole lines out. One buffer; what is left of a line moves to its
 * front before more is read. A line that outgrows TRACE_LINE_MAX keeps its first
 * bytes and loses the rest, so that it can be shown and counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "formats/trace_priv.h"

#define ZIPPED (64u << 10)

struct trace_input {
	char path[200];                 /* as messages name it */
	int failed;                     /* errors stay */
	const uint8_t *memory;          /* NULL: fd */
	size_t memory_len;
	int fd;
	bool close_fd;
	off_t start;                    /* where a rewind goes; -1: it cannot */
	uint64_t done, total;           /* of the file, packed or not */
	uint64_t unpacked;

	bool begun, zipped, zip_ended, ended;
	z_stream zip;
	uint8_t *packed;                /* ZIPPED bytes */

	char *tail;                     /* end of the data in the buffer */
	char *buffer;                   /* in block, slack on both sides */
	char *block;
};

/* Bytes as they stand in the file. */
static ssize_t take(struct trace_input *in, void *to, size_t size)
{
	ssize_t n;

	if (in->memory) {
		n = (ssize_t)(in->memory_len - in->done < size ? in->memory_len - in->done : size);
		memcpy(to, in->memory + in->done, (size_t)n);
	} else {
		do {
			n = read(in->fd, to, size);
		} while (n < 0 && errno == EINTR);
		if (n < 0)
			return fail(errno, "%s: cannot read on: %s", in->path, strerror(errno));
	}
	in->done += (uint64_t)n;
	return n;
}

static ssize_t zip_damaged(struct trace_input *in, const char *what)
{
	return fail(EIO, "%s: the gzip data %s; what came before was read", in->path, what);
}

/* Member after member, as gzip does; anything else after the last one is dropped. */
static int zip_refill(struct trace_input *in)
{
	ssize_t n = take(in, in->packed, ZIPPED);

	if (n < 0)
		return (int)n;
	in->zip.next_in = in->packed;
	in->zip.avail_in = (unsigned int)n;
	return n > 0;
}

static int zip_next_member(struct trace_input *in)
{
	if (in->zip.avail_in == 0) {
		int ret = zip_refill(in);

		if (ret <= 0)
			return ret;
	}
	if (in->zip.next_in[0] != 0x1f)
		return 0;
	if (inflateReset(&in->zip) != Z_OK)
		return (int)zip_damaged(in, "cannot be read");
	in->zip_ended = false;
	return 1;
}

static ssize_t unzip(struct trace_input *in, void *to, size_t size)
{
	in->zip.next_out = to;
	in->zip.avail_out = (unsigned int)size;
	while (in->zip.avail_out == size) {
		int ret;

		if (in->zip_ended) {
			ret = zip_next_member(in);
			if (ret <= 0)
				return ret;
		}
		if (in->zip.avail_in == 0) {
			ret = zip_refill(in);
			if (ret < 0)
				return ret;
			if (ret == 0)
				return zip_damaged(in, "end too early");
		}
		ret = inflate(&in->zip, Z_NO_FLUSH);
		if (ret == Z_STREAM_END)
			in->zip_ended = true;
		else if (ret != Z_OK && ret != Z_BUF_ERROR && in->zip.avail_out == size)
			return zip_damaged(in, "are damaged");
	}
	return (ssize_t)(size - in->zip.avail_out);
}

static ssize_t produce(struct trace_input *in, char *to, size_t size)
{
	ssize_t n = in->zipped ? unzip(in, to, size) : take(in, to, size);

	if (n > 0)
		in->unpacked += (uint64_t)n;
	return n;
}

static int zip_start(struct trace_input *in, const char *first, size_t n)
{
	if (!in->packed)
		in->packed = malloc(ZIPPED);
	if (!in->packed || inflateInit2(&in->zip, 15 + 16) != Z_OK)
		return fail(ENOMEM, "%s: no memory to unpack it", in->path);
	memcpy(in->packed, first, n);
	in->zip.next_in = in->packed;
	in->zip.avail_in = (unsigned int)n;
	in->zipped = true;
	in->unpacked = 0;
	return 0;
}

/* Binary recordings of the tools, taken for text by mistake. */
static int refuse_binary(struct trace_input *in, const char *first, size_t n)
{
	static const struct { const char *magic; size_t len; const char *what; } kinds[] = {
		{ "\x17\x08\x44tracing", 10, "a binary recording: give the text of trace-cmd report" },
		{ "PERFILE2", 8, "a binary recording: give the text of perf script" },
		{ "\x28\xb5\x2f\xfd", 4, "packed with zstd: give what zstdcat writes" },
		{ "\xfd" "7zXZ", 5, "packed with xz: give what xzcat writes" },
		{ "BZh", 3, "packed with bzip2: give what bzcat writes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (n >= kinds[i].len && !memcmp(first, kinds[i].magic, kinds[i].len))
			return fail(EINVAL, "%s is %s", in->path, kinds[i].what);
	return 0;
}

/* The first bytes say what the file is. A pipe may give them one by one. */
static int begin(struct trace_input *in)
{
	char *first = in->buffer;
	size_t n = 0;
	int ret;

	in->begun = true;
	while (n < 16) {
		ssize_t k = take(in, first + n, ZIPPED / 2 - n);

		if (k < 0)
			return (int)k;
		if (k == 0)
			break;
		n += (size_t)k;
	}
	in->unpacked = n;
	in->tail = in->buffer + n;
	if (n >= 3 && !memcmp(first, "\x1f\x8b\x08", 3)) {
		in->tail = in->buffer;
		return zip_start(in, first, n);
	}
	ret = refuse_binary(in, first, n);
	if (ret)
		in->tail = in->buffer;
	return ret;
}

/* Drop the rest of a line whose first bytes fill the buffer up to TRACE_LINE_MAX. */
static int drop_rest(struct trace_input *in)
{
	char *keep = in->buffer + TRACE_LINE_MAX + 1;

	for (;;) {
		ssize_t n = produce(in, keep, (size_t)(in->buffer + TRACE_BUFFER - keep));
		char *nl;

		if (n < 0)
			return (int)n;
		if (n == 0) {
			in->tail = keep;
			in->ended = true;
			return 0;
		}
		nl = memchr(keep, '\n', (size_t)n);
		if (nl) {
			memmove(keep, nl, (size_t)(keep + n - nl));
			in->tail = keep + (keep + n - nl);
			return 0;
		}
	}
}

static int more(struct trace_input *in)
{
	ssize_t n;

	if (!in->begun) {
		int ret = begin(in);

		if (ret || in->tail > in->buffer)
			return ret;
	}
	n = produce(in, in->tail, (size_t)(in->buffer + TRACE_BUFFER - in->tail));
	if (n < 0)
		return (int)n;
	if (n == 0)
		in->ended = true;
	in->tail += n;
	return 0;
}

/* Behind the last newline, NULL without one. */
static char *lines_end(struct trace_input *in)
{
	for (char *p = in->tail; p > in->buffer; p--)
		if (p[-1] == '\n')
			return p;
	return NULL;
}

int trace_input_fill(struct trace_reader *r)
{
	struct trace_input *in = r->in;
	size_t left = (size_t)(in->tail - r->limit);

	if (in->failed)
		return in->failed;
	memmove(in->buffer, r->limit, left);
	in->tail = in->buffer + left;
	r->pos = r->limit = in->buffer;
	while (!in->ended) {
		const char *end;

		in->failed = left > TRACE_LINE_MAX ? drop_rest(in) : more(in);
		if (in->failed)
			return in->failed;
		end = lines_end(in);
		if (end) {
			r->limit = end;
			return 1;
		}
		left = (size_t)(in->tail - in->buffer);
	}
	if (in->tail == in->buffer)
		return 0;
	*in->tail++ = '\n';             /* room: slack */
	r->limit = in->tail;
	r->unterminated = true;
	return 1;
}

static int set_up(struct trace_input *in, struct trace_reader *r)
{
	in->block = calloc(1, TRACE_SLACK + TRACE_BUFFER + TRACE_SLACK);
	if (!in->block)
		return fail(ENOMEM, "no memory for a reader's buffer");
	in->buffer = in->block + TRACE_SLACK;
	in->tail = in->buffer;
	r->pos = r->limit = in->buffer;
	return 0;
}

static void set_name(struct trace_input *in, const char *name)
{
	size_t n = strlen(name);

	memcpy(in->path, name, n < sizeof(in->path) ? n : sizeof(in->path) - 1);
}

static int open_file(struct trace_input *in, const char *path)
{
	off_t end;

	if (!strcmp(path, "-")) {
		set_name(in, "standard input");
		in->fd = STDIN_FILENO;
	} else {
		set_name(in, path);
		in->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (in->fd < 0)
			return fail(errno, "cannot open %s: %s", path, strerror(errno));
		in->close_fd = true;
	}
	in->start = lseek(in->fd, 0, SEEK_CUR);
	if (in->start < 0)
		return 0;
	end = lseek(in->fd, 0, SEEK_END);
	if (end > in->start)
		in->total = (uint64_t)(end - in->start);
	if (end < 0 || lseek(in->fd, in->start, SEEK_SET) < 0)
		in->start = -1;
	return 0;
}

int trace_input_open(const char *path, struct trace_reader *r)
{
	int ret;

	r->in = calloc(1, sizeof(*r->in));
	if (!r->in)
		return fail(ENOMEM, "no memory to open %s", path);
	r->in->fd = -1;
	ret = open_file(r->in, path);
	return ret ? ret : set_up(r->in, r);
}

int trace_input_memory(const void *data, size_t len, struct trace_reader *r)
{
	r->in = calloc(1, sizeof(*r->in));
	if (!r->in)
		return fail(ENOMEM, "no memory for a reader");
	r->in->fd = -1;
	set_name(r->in, "the text");
	r->in->memory = data ? data : (const void *)"";
	r->in->memory_len = r->in->total = len;
	return set_up(r->in, r);
}

bool trace_input_can_rewind(const struct trace_input *in)
{
	return in->memory || in->start >= 0;
}

int trace_input_rewind(struct trace_reader *r)
{
	struct trace_input *in = r->in;

	if (!in->memory && (in->start < 0 || lseek(in->fd, in->start, SEEK_SET) < 0))
		return fail(ESPIPE, "%s cannot be read a second time", in->path);
	if (in->zipped)
		inflateEnd(&in->zip);
	in->begun = in->zipped = in->zip_ended = in->ended = false;
	in->done = in->unpacked = 0;
	in->failed = 0;
	in->tail = in->buffer;
	r->pos = r->limit = in->buffer;
	r->unterminated = false;
	memset(&in->zip, 0, sizeof(in->zip));
	return 0;
}

void trace_input_progress(const struct trace_input *in, uint64_t *done, uint64_t *total)
{
	*done = in->done;
	*total = in->total;
}

/* Of text, up to the line at hand. */
uint64_t trace_input_bytes(const struct trace_reader *r)
{
	uint64_t ahead = (uint64_t)(r->in->tail - r->pos);
	uint64_t invented = r->unterminated && r->pos < r->limit ? 1 : 0;

	return r->in->unpacked - (ahead - invented);
}

void trace_input_close(struct trace_input *in)
{
	if (!in)
		return;
	if (in->zipped)
		inflateEnd(&in->zip);
	if (in->close_fd)
		close(in->fd);
	free(in->packed);
	free(in->block);
	free(in);
}
