/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loading: no byte is believed before it was looked at.
 *
 * Three walls. The file's own: magic, version, sizes, a checksum on each part,
 * pages in order, nothing behind the end. The region's header: it must be
 * what a lab of that shape has. The content: all invariants are walked in a
 * process of its own, for a forged file may hold links that lead anywhere,
 * and whoever follows them may die or never return; this program does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "op/file.h"
#include "op/lab_make.h"
#include "op/op.h"
#include "policy/preset.h"

#define LOOK_SECONDS 60		/* of the host's CPU, to check a lab */

struct loading {
	FILE *from;
	const char *path;
	uLong crc;		/* of everything read */
	uint64_t at;		/* bytes read */
	uint64_t part;		/* where what was read last begins */
	struct file_header h;
};

static int refuse(const struct loading *f, const char *why)
{
	return fail(EINVAL, "%s is no lab to load: %s (at byte %llu)", f->path, why, (unsigned long long)f->part);
}

static int take(struct loading *f, void *bytes, size_t nr, const char *what)
{
	size_t got = fread(bytes, 1, nr, f->from);

	if (got != nr && ferror(f->from))
		return fail(EIO, "cannot read %s: %s", f->path, strerror(errno));
	f->part = f->at;
	f->at += got;
	if (got != nr) {
		char why[80];

		f->part = f->at;
		snprintf(why, sizeof(why), "it ends in the middle of %s", what);
		return refuse(f, why);
	}
	f->crc = crc32(f->crc, bytes, (uInt)nr);
	return 0;
}

static int read_header(struct loading *f)
{
	struct file_header *h = &f->h;
	int ret = take(f, h, sizeof(h->magic), "its first word");

	if (ret)
		return ret;
	if (memcmp(h->magic, FILE_MAGIC, sizeof(h->magic)))
		return refuse(f, "it does not begin like a file of `lab save`");
	ret = take(f, &h->version, sizeof(*h) - sizeof(h->magic), "its header");
	if (ret)
		return ret;
	if (h->version != FILE_VERSION)
		return refuse(f, "it is of another version of the format");
	if (h->crc != (uint32_t)crc32(0, (const Bytef *)h, offsetof(struct file_header, crc)))
		return refuse(f, "its header was altered: the checksum is wrong");
	if (h->layout != file_layout() || h->page_bytes != PAGE_SIZE)
		return refuse(f, "it was saved by another build, whose structures differ");
	if (!h->pages || h->pages > h->region_bytes / PAGE_SIZE || h->untouched_shape > 1)
		return refuse(f, "its header makes no sense");
	return 0;
}

static int read_page(struct loading *f, uint64_t least, uint64_t *index, uint8_t content[PAGE_SIZE])
{
	Bytef packed[PAGE_SIZE + 512];
	uLongf bytes = PAGE_SIZE;
	struct file_page p;
	int ret = take(f, &p, sizeof(p), "a page's header");

	if (ret)
		return ret;
	if (p.index < least || p.index >= f->h.region_bytes / PAGE_SIZE || !p.bytes || p.bytes > sizeof(packed))
		return refuse(f, "a page's header makes no sense");
	ret = take(f, packed, p.bytes, "a page");
	if (ret)
		return ret;
	if (uncompress(content, &bytes, packed, p.bytes) != Z_OK || bytes != PAGE_SIZE)
		return refuse(f, "a page does not unpack");
	if (p.crc != file_page_crc(&p, content))
		return refuse(f, "a page was altered: its checksum is wrong");
	*index = p.index;
	return 0;
}

static int read_end(struct loading *f)
{
	uint32_t crc = (uint32_t)f->crc;
	struct file_end end;
	int ret = take(f, &end, sizeof(end), "its end");

	if (ret)
		return ret;
	if (end.magic != FILE_END_MAGIC || end.crc != crc)
		return refuse(f, "it was altered: the checksum of the whole is wrong");
	return getc(f->from) == EOF ? 0 : refuse(f, "something stands behind its end");
}

/* ---- the region's header ---- */

/* A shape is good when its own text says the same again. */
static bool shape_makes_sense(const struct shape *s)
{
	static char text[MAX_ZONES * 64 + 256];
	struct shape again;

	if (!s->cpus || s->cpus > s->possible || s->possible > MAX_CPUS || !s->nodes || s->nodes > MAX_NODES ||
	    !s->zones || s->zones > MAX_ZONES || s->pageblock_order > MAX_PAGE_ORDER)
		return false;
	for (unsigned int i = 0; i < s->zones; i++)
		if (s->zone[i].kind >= ZONE_KINDS || s->zone[i].node >= s->nodes)
			return false;
	shape_default(&again);
	if (shape_parse(&again, shape_print(s, text, sizeof(text))))
		return false;
	if (again.cpus != s->cpus || again.possible != s->possible || again.nodes != s->nodes ||
	    again.zones != s->zones || again.pages != s->pages || again.pageblock_order != s->pageblock_order)
		return false;
	for (unsigned int i = 0; i < s->zones; i++)
		if (again.zone[i].kind != s->zone[i].kind || again.zone[i].node != s->zone[i].node ||
		    again.zone[i].blocks != s->zone[i].blocks || again.zone[i].managed != s->zone[i].managed)
			return false;
	return true;
}

/* Bytes that are no bool must not be read as one. */
static bool flags_make_sense(const uint8_t *header)
{
	static const size_t at[] = {
		offsetof(struct header, shape.clock_real), offsetof(struct header, shape.given),
		offsetof(struct header, shape.has_cpus), offsetof(struct header, shape.has_possible),
		offsetof(struct header, shape.has_mem), offsetof(struct header, shape.has_pageblock_order),
		offsetof(struct header, counters), offsetof(struct header, done_something),
	};

	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		if (header[at[i]] > 1)
			return false;
	return true;
}

static bool heap_makes_sense(const struct header *h)
{
	if (h->heap_lock || h->heap_top > h->bytes[SEC_HEAP])
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(h->heap_free); i++)
		if (h->heap_free[i] && h->heap_free[i] - h->offset[SEC_HEAP] >= h->heap_top)
			return false;
	return true;
}

/* Same places and sizes as a lab of that shape, made here, has. */
static bool same_sections(const struct header *h, const struct lab *made)
{
	return h->magic == LAB_MAGIC && h->version == LAB_VERSION && h->header_bytes == sizeof(*h) &&
	       h->region_bytes == made->hdr->region_bytes &&
	       !memcmp(h->offset, made->hdr->offset, sizeof(h->offset)) &&
	       !memcmp(h->bytes, made->hdr->bytes, sizeof(h->bytes));
}

static int make_lab(struct loading *f, const uint8_t *header, const char *name, struct lab **lab)
{
	uint64_t bytes[SEC_NR];
	struct header h;
	int ret;

	if (!flags_make_sense(header))
		return refuse(f, "the lab's header makes no sense");
	memcpy(&h, header, sizeof(h));
	if (!shape_makes_sense(&h.shape))
		return refuse(f, "the lab's shape makes no sense");
	lab_section_bytes(&h.shape, bytes);
	ret = lab_mapped(&h.shape, bytes, name, lab);
	if (ret)
		return ret;
	if (h.region_bytes == f->h.region_bytes && same_sections(&h, *lab) && heap_makes_sense(&h) && h.preset < PRESETS)
		return 0;
	lab_drop(*lab);
	*lab = NULL;
	return refuse(f, "the lab's header makes no sense");
}

#define HEADER_PAGES ((sizeof(struct header) + PAGE_SIZE - 1) / PAGE_SIZE)

/*
 * Pages one by one. The first few, the region's header, are kept until it is
 * whole: only then is known what to put them into.
 */
static int read_pages(struct loading *f, const char *name, struct lab **lab)
{
	static uint8_t header[HEADER_PAGES * PAGE_SIZE];
	uint8_t content[PAGE_SIZE];
	uint64_t index = 0, least = 0;
	int ret;

	memset(header, 0, sizeof(header));
	for (uint64_t i = 0; i < f->h.pages; i++, least = index + 1) {
		ret = read_page(f, least, &index, content);
		if (ret)
			return ret;
		if (index < HEADER_PAGES) {
			memcpy(header + index * PAGE_SIZE, content, PAGE_SIZE);
			continue;
		}
		ret = *lab ? 0 : make_lab(f, header, name, lab);
		if (ret)
			return ret;
		memcpy((*lab)->base + index * PAGE_SIZE, content, PAGE_SIZE);
	}
	if (!*lab)
		return refuse(f, "it holds no lab");
	memcpy((*lab)->base, header, sizeof(header));
	return read_end(f);
}

static int read_lab(struct loading *f, const char *name, struct lab **lab)
{
	int ret = read_header(f);

	*lab = NULL;
	if (!ret)
		ret = read_pages(f, name, lab);
	if (!ret)
		(*lab)->untouched_shape = f->h.untouched_shape;
	else if (*lab)
		lab_drop(*lab);
	return ret;
}

/* ---- a look at the content, where it can do no harm ---- */

static _Noreturn void look_and_tell(struct lab *lab, int (*look)(struct lab *lab), int to)
{
	const struct rlimit seconds = { LOOK_SECONDS, LOOK_SECONDS }, no_core = { 0, 0 };
	const char *why;
	int nothing, ret;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_CORE, &no_core);
	nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	lab_wake(lab);
	ret = lab_check(lab);
	if (!ret && look)
		ret = look(lab);
	why = ret ? fail_why() : "";
	_exit(write(to, why, strlen(why)) == (ssize_t)strlen(why) && !ret ? 0 : 1);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static int check_apart(struct loading *f, struct lab *lab, int (*look)(struct lab *lab))
{
	char why[400] = "", told[512];
	ssize_t nr;
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return fail(errno, "the host gives no pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid)
		look_and_tell(lab, look, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return fail(errno, "the host starts no process to check the lab in: %s", strerror(errno));
	}
	do
		nr = read(ends[0], why, sizeof(why) - 1);
	while (nr < 0 && errno == EINTR);
	why[nr > 0 ? nr : 0] = 0;
	close(ends[0]);
	status = wait_for(pid);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	snprintf(told, sizeof(told), "its content breaks a rule of labs: %s",
		 why[0] ? why : WIFSIGNALED(status) ? "its links lead nowhere" : "it cannot be walked");
	return refuse(f, told);
}

int lab_load(const char *path, const char *name, int (*look)(struct lab *lab), struct lab **out)
{
	struct loading f = { .path = path };
	struct lab *lab;
	struct stat st;
	int ret, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) || !(f.from = fdopen(fd, "r"))) {
		ret = fail(errno, "cannot read %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	ret = S_ISREG(st.st_mode) ? read_lab(&f, name, &lab) : fail(EINVAL, "%s is no regular file", path);
	if (!ret) {
		ret = check_apart(&f, lab, look);
		if (ret)
			lab_drop(lab);
	}
	fclose(f.from);
	if (ret)
		return ret;
	lab_wake(lab);
	*out = lab;
	return 0;
}
