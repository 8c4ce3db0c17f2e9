/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"

#define KEEP_BYTES (1 << 20)	/* read ones are given back once so many are */

static struct {
	bool on;
	int file, before[3];
	off_t seen;
} c;

int capture_begin(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	c.file = memfd_create("slablab-output", MFD_CLOEXEC);
	if (null < 0 || c.file < 0) {
		int err = errno;

		close(null);
		return fail(err, "cannot catch what commands print: %s", strerror(err));
	}
	fcntl(c.file, F_SETFL, O_APPEND);
	fflush(NULL);
	for (int i = 0; i < 3; i++) {
		c.before[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
		dup2(i ? c.file : null, i);
	}
	close(null);
	c.seen = 0;
	c.on = true;
	return 0;
}

void capture_end(void)
{
	if (!c.on)
		return;
	fflush(NULL);
	for (int i = 0; i < 3; i++) {
		dup2(c.before[i], i);
		close(c.before[i]);
	}
	close(c.file);
	c.on = false;
}

size_t capture_read(char *buf, size_t size)
{
	ssize_t n;

	if (!c.on)
		return 0;
	fflush(stdout);
	fflush(stderr);
	n = pread(c.file, buf, size, c.seen);
	if (n <= 0) {
		if (c.seen > KEEP_BYTES && !ftruncate(c.file, 0))
			c.seen = 0;
		return 0;
	}
	c.seen += n;
	return (size_t)n;
}
