/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saving: the file is written aside, in the same folder, synced, and then
 * takes the name in one rename; then the folder is synced. Whoever is killed
 * on the way leaves the old file as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "lab/handle.h"
#include "op/file.h"
#include "op/snapshot.h"
#include "page/page.h"
#include "page/zone.h"
#include "slab/slab.h"

uint64_t file_layout(void)
{
	const uint64_t sizes[] = {
		LAB_VERSION, sizeof(struct header), sizeof(struct cpu_part), sizeof(struct page), sizeof(struct zone),
		sizeof(struct zone_cpu), sizeof(struct node), sizeof(struct block), sizeof(struct cache),
		sizeof(struct cache_cpu), sizeof(struct store), sizeof(struct slub_node), sizeof(struct slub_cpu),
		sizeof(struct store_stat), sizeof(struct slab_state), sizeof(struct page_policy),
		sizeof(struct slab_policy), sizeof(struct handle), sizeof(struct member), EV_NR, SEC_NR,
	};

	return crc32(0, (const Bytef *)sizes, sizeof(sizes)) | (uint64_t)sizeof(struct header) << 32;
}

uint32_t file_page_crc(const struct file_page *p, const uint8_t *content)
{
	uLong crc = crc32(0, (const Bytef *)p, offsetof(struct file_page, crc));

	return (uint32_t)crc32(crc, content, PAGE_SIZE);
}

/* ---- the stream ---- */

struct saving {
	FILE *to;
	uLong crc;	/* of everything written */
};

static int put(struct saving *f, const void *bytes, size_t nr)
{
	f->crc = crc32(f->crc, bytes, (uInt)nr);
	return fwrite(bytes, 1, nr, f->to) == nr ? 0 : -EIO;
}

static int put_page(struct saving *f, uint64_t index, const uint8_t *content)
{
	Bytef packed[PAGE_SIZE + 512];
	uLongf bytes = sizeof(packed);
	struct file_page p = { .index = index };
	int ret;

	if (compress2(packed, &bytes, content, PAGE_SIZE, 1) != Z_OK)
		return -EIO;
	p.bytes = (uint32_t)bytes;
	p.crc = file_page_crc(&p, content);
	ret = put(f, &p, sizeof(p));
	return ret ? ret : put(f, packed, bytes);
}

static int put_lab(struct saving *f, const struct snapshot *s)
{
	struct file_header h = {
		.magic = FILE_MAGIC, .version = FILE_VERSION, .page_bytes = PAGE_SIZE, .layout = file_layout(),
		.pages = s->nr, .untouched_shape = s->untouched_shape,
	};
	struct file_end end = { .magic = FILE_END_MAGIC };
	struct header lab;
	int ret;

	snapshot_header(s, &lab);
	h.region_bytes = lab.region_bytes;
	h.crc = (uint32_t)crc32(0, (const Bytef *)&h, offsetof(struct file_header, crc));
	ret = put(f, &h, sizeof(h));
	for (uint64_t i = 0; i < s->nr && !ret; i++)
		ret = put_page(f, s->index[i], s->page[i]->content);
	end.crc = (uint32_t)f->crc;
	return ret ? ret : put(f, &end, sizeof(end));
}

/* ---- the file ---- */

/* "FOLDER/" of a path, "./" where it names none. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path + 1) : 2, slash ? path : "./");
}

static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	ret = fsync(fd);
	close(fd);
	return ret && errno != EINVAL ? -1 : 0;	/* some file systems sync no folders */
}

/* The rights that a new file would get, or those of the one it replaces. */
static void set_rights(int fd, const char *path)
{
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, stat(path, &st) ? 0666 & ~mask : st.st_mode & 07777))
		return;		/* then it is for its owner alone */
}

static int write_aside(const struct snapshot *s, int fd)
{
	struct saving f = { fdopen(fd, "w"), 0 };
	bool good;

	if (!f.to) {
		close(fd);
		return -1;
	}
	good = !put_lab(&f, s) && !fflush(f.to) && !fsync(fd);
	return fclose(f.to) || !good ? -1 : 0;
}

static int cannot_save(const char *path, const char *aside)
{
	int err = errno ? errno : EIO;

	if (aside)
		unlink(aside);
	return fail(err, "cannot save to %s: %s", path, strerror(err));
}

static int save(const struct snapshot *s, const char *asked)
{
	char folder[PATH_MAX], aside[PATH_MAX + 32], path[PATH_MAX];
	struct stat st;
	int fd;

	/* a link stays one: what it points to is replaced */
	if (!realpath(asked, path))
		snprintf(path, sizeof(path), "%s", asked);
	errno = 0;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return fail(EINVAL, "cannot save to %s: it is no regular file", asked);
	folder_of(path, folder);
	snprintf(aside, sizeof(aside), "%s.slablab-XXXXXX", folder);
	fd = mkostemp(aside, O_CLOEXEC);
	if (fd < 0)
		return cannot_save(asked, NULL);
	set_rights(fd, path);
	if (write_aside(s, fd) || rename(aside, path))
		return cannot_save(asked, aside);
	return sync_folder(folder) ? cannot_save(asked, NULL) : 0;
}

int lab_save(struct lab *lab, const char *path)
{
	struct snapshot *s;
	int ret;

	if (!*path || strlen(path) >= PATH_MAX)
		return fail(EINVAL, "\"%s\" is no name for a file", path);
	ret = lab_snapshot(lab, &s);
	if (ret)
		return ret;
	ret = save(s, path);
	snapshot_free(s);
	return ret;
}
