/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/touched.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fail.h"

/* The host's interface, spelled out: headers of older distributions lack it. */
struct scan_range {
	uint64_t start, end, categories;
};
struct scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
#define SCAN _IOWR('f', 16, struct scan_arg)
#define IS_PRESENT (1 << 3)
#define IS_SWAPPED (1 << 4)
#define IS_ZERO (1 << 5)

#define RANGES 512

struct walk {
	int fd;
	int (*fn)(uint8_t *page, void *arg);
	void *arg;
};

static bool holds_nothing(const uint8_t *page)
{
	const uint64_t *w = (const uint64_t *)page;

	return !w[0] && !memcmp(page, page + 8, PAGE_SIZE - 8);
}

static int visit(struct walk *w, uint8_t *from, uint8_t *to)
{
	int ret = 0;

	for (; from < to && !ret; from += PAGE_SIZE)
		if (!holds_nothing(from))
			ret = w->fn(from, w->arg);
	return ret;
}

/* 1 when the host does not know PAGEMAP_SCAN. */
static int walk_scan(struct walk *w, uint8_t *base, uint64_t bytes)
{
	struct scan_range ranges[RANGES];
	uint64_t at = (uint64_t)base, end = at + bytes;

	while (at < end) {
		struct scan_arg a = {
			.size = sizeof(a), .start = at, .end = end, .vec = (uint64_t)ranges, .vec_len = RANGES,
			.category_inverted = IS_ZERO, .category_mask = IS_ZERO,
			.category_anyof_mask = IS_PRESENT | IS_SWAPPED, .return_mask = IS_PRESENT,
		};
		int n = ioctl(w->fd, SCAN, &a), ret;

		if (n < 0)
			return at == (uint64_t)base ? 1 : fail(EIO, "the host's page map cannot be read");
		for (int i = 0; i < n; i++) {
			ret = visit(w, (uint8_t *)ranges[i].start, (uint8_t *)ranges[i].end);
			if (ret)
				return ret;
		}
		at = a.walk_end;
	}
	return 0;
}

static int walk_words(struct walk *w, uint8_t *base, uint64_t bytes)
{
	uint64_t words[4096], pages = bytes / PAGE_SIZE;

	for (uint64_t done = 0; done < pages; ) {
		uint64_t want = pages - done < 4096 ? pages - done : 4096;
		ssize_t n = pread(w->fd, words, want * 8, (off_t)(((uint64_t)base / PAGE_SIZE + done) * 8));

		if (n <= 0)
			return fail(EIO, "the host's page map cannot be read");
		for (uint64_t i = 0; i < (uint64_t)n / 8; i++) {
			uint8_t *page = base + (done + i) * PAGE_SIZE;
			int ret = words[i] >> 62 ? visit(w, page, page + PAGE_SIZE) : 0;

			if (ret)
				return ret;
		}
		done += (uint64_t)n / 8;
	}
	return 0;
}

int touched_pages(uint8_t *base, uint64_t bytes, int (*fn)(uint8_t *page, void *arg), void *arg)
{
	struct walk w = { open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), fn, arg };
	int ret;

	if (w.fd < 0)
		return fail(EIO, "the host's page map cannot be opened");
	ret = walk_scan(&w, base, bytes);
	if (ret == 1)
		ret = walk_words(&w, base, bytes);
	close(w.fd);
	return ret;
}
