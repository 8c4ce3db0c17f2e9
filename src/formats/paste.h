/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paste - a text that somebody saved or pasted, line by line.
 *
 * Files of /proc are small, so a text is read whole (plain or gzip, "-" is
 * standard input) and cut into lines in place. Carriage returns and trailing
 * blanks go, and so does what loggers, terminals, web pages and editors add:
 * dates, hosts, kernel times in brackets, colours, entities, no-break blanks,
 * numbers of lines, and a mail's quoted-printable. Mail quote marks in front go too, and lines that had them
 * are counted, since a reader has to say what it repaired.
 */
#ifndef FORMATS_PASTE_H
#define FORMATS_PASTE_H

#include "base/types.h"

#define PASTE_MAX (64u << 20)	/* bytes; a larger file is none of these formats */

/* What a line was before. */
struct paste_was {
	uint32_t width;		/* characters, with all that stood in front */
	bool quoted, logged;	/* had quote marks; had a logger's prefix */
};

struct paste {
	char *text;
	size_t bytes;
	char **line;		/* each NUL-terminated, nr of them */
	struct paste_was *was;	/* of each line */
	uint32_t nr;
	uint32_t quoted;	/* lines that had quote marks */
	uint32_t first_quoted;	/* number of the first, from 1 */
	uint32_t unfolded;	/* lines that went to the one before */
	uint32_t bare;		/* of these, lines of a log without its prefix; 0, too, where a terminal broke them */
};

int paste_read(const char *path, struct paste *p);
int paste_memory(const void *data, size_t len, struct paste *p);
void paste_free(struct paste *p);

/*
 * The same text with the lines joined that a mailer seems to have broken; a line
 * that went to the one before is empty, so that numbers stay. No lines at all:
 * no mailer broke it. Whether it was so, who knows the format must judge.
 */
int paste_unfold(const struct paste *p, struct paste *to);

/* Line numbers, as reports list them. */
struct line_list {
	uint32_t *line;
	uint32_t nr, cap;
};
bool line_list_add(struct line_list *l, uint32_t line);
void line_list_free(struct line_list *l);

/* A whole number at *s; moves *s behind it. false: none there, or too large. */
bool paste_u64(const char **s, uint64_t *n);

/* "kB", "KiB", "MB", "GiB", … at *s: by how many bits more than kB; moves *s behind it. -1: none there. */
int paste_unit(const char **s);
/* ".5" at *s of so many kB times 2^shift: what it is in kB, to the nearest; moves *s behind it. */
uint64_t paste_fraction(const char **s, unsigned int shift);

/*
 * A cache's name as a lab takes it: kernels allow blanks, colons and slashes in
 * names (`dentry(1:svc/a)`), a lab's slabinfo could not be read back with them.
 */
#define LAB_NAME 128
char *paste_cache_name(const char *name, char buf[LAB_NAME]);

#endif
