/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_priv - what the pieces of the trace reader share.
 *
 *   trace_input.c   bytes: file, pipe, memory, gzip; hands out whole lines
 *   trace_fast.c    one line in the usual form, in one forward pass
 *   trace_repair.c  what mail and logs do to a line, undone
 *   trace_line.c    one line of any family
 *   trace_fields.c  NAME=VALUE …, in any order and either print style
 *   trace_header.c  comments, headers, stacks, notes of lost events
 *   trace_kernel.c  what depends on the kernel that wrote the file
 *   trace.c         the interface, joining of folded lines, figures
 *
 * The buffer. Bytes pos…limit are whole lines, each with its newline (the last
 * line of a file that lacks one gets it, and `unterminated` is set while it is
 * the line at hand). TRACE_SLACK readable bytes lie before and behind, so a parser
 * may load words without looking where the data end; whatever lies outside a line
 * can make it fail, never fault.
 */
#ifndef FORMATS_TRACE_PRIV_H
#define FORMATS_TRACE_PRIV_H

#include <string.h>

#include "base/types.h"
#include "formats/trace.h"
#include "formats/trace_scan.h"

#define TRACE_BUFFER   (256u << 10)
#define TRACE_LINE_MAX (64u << 10)
#define TRACE_SLACK    64u
#define TRACE_TEXT     (2 * TRACE_LINE_MAX)     /* a record with its folded lines */

struct trace_input;

struct trace_text {
	char *s;                        /* TRACE_TEXT bytes and slack */
	size_t len;
};

/* gfp texts repeat: the last few, by hash. */
#define TRACE_GFP_SLOTS    64
#define TRACE_GFP_TEXT_MAX 112

struct trace_gfp {
	uint32_t gfp;
	uint32_t unknown;               /* TRACE_GFP_UNKNOWN or 0 */
	size_t len;                     /* 0: empty */
	char text[TRACE_GFP_TEXT_MAX];
};

struct trace_reader {
	const char *pos;                /* see "The buffer" above */
	const char *limit;
	uint64_t line;                  /* lines taken so far */
	bool unterminated;
	uint64_t ptr_bits;              /* of all pointers: are they wider than 32? */

	/* Record shapes: the fields that the last patiently read line of an event had. */
	uint32_t shape[TRACE_EVENT_NR];
	struct trace_gfp gfp[TRACE_GFP_SLOTS];

	/* Which kernel wrote this; 0.0 = not known. Kept over a rewind. */
	unsigned int major, minor;
	bool kernel_said;               /* by the user: the text does not overrule it */
	bool old_mtypes;

	struct trace_stats stats;       /* some figures are filled in by trace_stats() */
	struct trace_text raw;          /* the line at hand, joined, as in the file */
	struct trace_text text;         /* the same, decoded; slices point here */
	struct trace_text peeked;       /* the line after it, decoded */
	struct trace_input *in;
};

enum trace_kind {
	LINE_JUNK,      /* in no family */
	LINE_EMPTY,
	LINE_HEADER,
	LINE_STACK,
	LINE_OTHER,     /* another event */
	LINE_RECORD,
	LINE_CUT,       /* a kmem event that lacks a field it needs */
	LINE_HEAD       /* only what stands before an event */
};

/* What a line says before its event. */
enum trace_family {
	FAMILY_TASK,    /* who and where: ftrace, perf script, trace-cmd, function graph */
	FAMILY_TIME,    /* only when: a dump at boot */
	FAMILY_BARE     /* nothing */
};

/* Of trace_record.has, what stands behind the event's name. */
#define TRACE_FIELDS                                                            \
	(~(uint32_t)(TRACE_HAS_CPU | TRACE_HAS_TIME | TRACE_HAS_TASK |           \
		     TRACE_HAS_FLAGS | TRACE_GFP_UNKNOWN))

struct trace_line {
	struct trace_slice text;        /* without log prefixes */
	enum trace_family family;
	bool prefixed;
};

/* trace_input.c */
int trace_input_open(const char *path, struct trace_reader *r);
int trace_input_memory(const void *data, size_t len, struct trace_reader *r);
int trace_input_fill(struct trace_reader *r);   /* 1: pos < limit again, 0: end, < 0: error */
int trace_input_rewind(struct trace_reader *r);
bool trace_input_can_rewind(const struct trace_input *in);
void trace_input_progress(const struct trace_input *in, uint64_t *done, uint64_t *total);
uint64_t trace_input_bytes(const struct trace_reader *r);
void trace_input_close(struct trace_input *in);

/* trace_fast.c: the line's newline, or NULL for anything unusual */
const char *trace_fast(struct trace_reader *r, const char *p, struct trace_record *rec);

/* trace_kernel.c */
extern const uint32_t trace_shape_6_1[TRACE_EVENT_NR];
void trace_gfp_read(const struct trace_reader *r, const char *s, size_t len, struct trace_gfp *g);
void trace_settle(struct trace_reader *r, struct trace_record *rec);
void trace_kernel_found(struct trace_reader *r, struct trace_slice version);

/* trace_repair.c */
struct trace_slice trace_unquote(struct trace_slice line, bool *quoted);
bool trace_strip_prefix(struct trace_slice *line);
bool trace_is_encoded(struct trace_slice line);
void trace_decode(struct trace_slice from, struct trace_text *to);

/* trace_line.c */
unsigned int trace_spelling_event(unsigned int spelling);
enum trace_kind trace_line(struct trace_reader *r, struct trace_slice text,
			   struct trace_record *rec, struct trace_line *line);

/* trace_fields.c */
enum trace_kind trace_fields(struct trace_reader *r, struct trace_slice fields,
			     struct trace_record *rec);
bool trace_starts_with_field(struct trace_slice line);

/* trace_header.c */
enum trace_kind trace_plain_line(struct trace_slice line);
void trace_header_facts(struct trace_reader *r, struct trace_slice line);

/* Once per line, so by wide stores: memset() would take a fifth of the parse. */
static inline void trace_record_clear(struct trace_record *rec)
{
	typedef uint64_t wide __attribute__((vector_size(16), aligned(8), may_alias));
	wide *w = (wide *)rec;

	_Static_assert(sizeof(*rec) == 8 * sizeof(wide), "one store per 16 bytes");
	w[0] = w[1] = w[2] = w[3] = w[4] = w[5] = w[6] = w[7] = (wide){ 0, 0 };
	rec->node = -1;
}

/* The eight characters before the end are there: `gfp_flags=` stands in front. */
static inline struct trace_gfp *trace_gfp_slot(struct trace_reader *r, const char *s, size_t len)
{
	uint64_t h = (scan_load(s + len - 8) ^ len << 56) * 0x9e3779b97f4a7c15ull;

	return &r->gfp[h >> 58];
}

static inline void trace_gfp_text(struct trace_reader *r, const char *s, size_t len,
				  struct trace_record *rec)
{
	struct trace_gfp *g = trace_gfp_slot(r, s, len);

	if (unlikely(g->len != len || memcmp(g->text, s, len)))
		trace_gfp_read(r, s, len, g);
	rec->gfp = g->gfp;
	rec->has |= TRACE_HAS_GFP | g->unknown;
}

/*
 * Has it the shape of a record that no continuation follows? That is, all fields of
 * 6.1, or exactly those that its like had when the next line was looked at.
 */
static inline bool trace_is_complete(const struct trace_reader *r, const struct trace_record *rec)
{
	uint32_t shape = rec->has & TRACE_FIELDS;

	return shape == trace_shape_6_1[rec->event] || shape == r->shape[rec->event];
}

/* Slices. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool is_word_char(char c)
{
	return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 26 || c == '_';
}

static inline struct trace_slice slice(const char *from, const char *to)
{
	return (struct trace_slice){ from, (size_t)(to - from) };
}

static inline const char *slice_end(struct trace_slice s)
{
	return s.s + s.len;
}

static inline bool slice_is(struct trace_slice s, const char *text)
{
	return s.len == strlen(text) && !memcmp(s.s, text, s.len);
}

static inline bool slice_starts(struct trace_slice s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && !memcmp(s.s, text, n);
}

static inline struct trace_slice slice_trim_left(struct trace_slice s)
{
	while (s.len && is_blank(*s.s)) {
		s.s++;
		s.len--;
	}
	return s;
}

static inline struct trace_slice slice_trim(struct trace_slice s)
{
	while (s.len && (is_blank(s.s[s.len - 1]) || s.s[s.len - 1] == '\r'))
		s.len--;
	return slice_trim_left(s);
}

/* Cut the first word off `rest`; an empty slice when there is none. */
static inline struct trace_slice slice_word(struct trace_slice *rest)
{
	struct trace_slice word = slice_trim_left(*rest);
	size_t n = 0;

	while (n < word.len && !is_blank(word.s[n]))
		n++;
	*rest = (struct trace_slice){ word.s + n, word.len - n };
	word.len = n;
	return word;
}

/* Digits at s, none left over. */
bool trace_number(struct trace_slice s, unsigned int base, uint64_t *value);

#endif
