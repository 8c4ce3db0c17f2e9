/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From lines to records. trace_next() tries the fast parser; what that declines is
 * copied out of the buffer, so that the lines after it can be looked at, joined to
 * it where a mailer folded a record, and read again.
 */
#include "formats/trace.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fail.h"
#include "formats/trace_priv.h"

#define JOIN_MAX 16     /* lines of one record */

static int alloc_text(struct trace_text *t)
{
	t->s = calloc(1, TRACE_TEXT + TRACE_SLACK);
	t->len = 0;
	return t->s ? 0 : -1;
}

static int new_reader(struct trace_reader **reader)
{
	struct trace_reader *r = calloc(1, sizeof(*r));

	if (!r || alloc_text(&r->raw) || alloc_text(&r->text) || alloc_text(&r->peeked)) {
		trace_close(r);
		return fail(ENOMEM, "no memory for a trace reader");
	}
	*reader = r;
	return 0;
}

static int opened(int ret, struct trace_reader *r, struct trace_reader **reader)
{
	if (ret)
		trace_close(r);
	else
		*reader = r;
	return ret;
}

int trace_open(const char *path, struct trace_reader **reader)
{
	struct trace_reader *r;
	int ret = new_reader(&r);

	return ret ? ret : opened(trace_input_open(path, r), r, reader);
}

int trace_open_memory(const void *data, size_t len, struct trace_reader **reader)
{
	struct trace_reader *r;
	int ret = new_reader(&r);

	return ret ? ret : opened(trace_input_memory(data, len, r), r, reader);
}

void trace_close(struct trace_reader *r)
{
	if (!r)
		return;
	trace_input_close(r->in);
	free(r->raw.s);
	free(r->text.s);
	free(r->peeked.s);
	free(r);
}

int trace_rewind(struct trace_reader *r)
{
	int ret = trace_input_rewind(r);

	if (ret)
		return ret;
	r->line = 0;
	r->ptr_bits = 0;
	memset(r->shape, 0, sizeof(r->shape));
	memset(&r->stats, 0, sizeof(r->stats));
	return 0;
}

bool trace_can_rewind(const struct trace_reader *r)
{
	return trace_input_can_rewind(r->in);
}

void trace_progress(const struct trace_reader *r, uint64_t *done, uint64_t *total)
{
	trace_input_progress(r->in, done, total);
}

/* Kept current: everything but what follows from the spellings. */
const struct trace_stats *trace_stats(const struct trace_reader *reader)
{
	struct trace_reader *r = (struct trace_reader *)reader;
	struct trace_stats *s = &r->stats;

	s->lines = r->line;
	s->bytes = trace_input_bytes(r);
	s->old_mtypes = r->old_mtypes;
	s->understood = 0;
	memset(s->events, 0, sizeof(s->events));
	for (unsigned int i = 0; i < TRACE_SPELLING_NR; i++) {
		s->events[trace_spelling_event(i)] += s->spelled[i];
		s->understood += s->spelled[i];
	}
	return s;
}

struct trace_slice trace_key(const struct trace_record *rec)
{
	const char *slash = rec->call_site.len ?
		memchr(rec->call_site.s, '/', rec->call_site.len) : NULL;

	return slash ? slice(rec->call_site.s, slash) : rec->call_site;
}

bool trace_is_failed(const struct trace_record *rec)
{
	switch (rec->event) {
	case TRACE_KMALLOC:
	case TRACE_KMEM_CACHE_ALLOC:
		return rec->ptr == 0;
	case TRACE_PAGE_ALLOC:
		return rec->pfn == 0 && rec->ptr == 0;
	default:
		return false;
	}
}

/* A record goes out: what every line has to pass, so no more than it must. */
static inline int give(struct trace_reader *r, struct trace_record *rec, uint64_t line)
{
	rec->line = line;
	r->ptr_bits |= rec->ptr;
	if (rec->mtype_raw || unlikely(rec->spelling >= TRACE_EXTFRAG))
		trace_settle(r, rec);
	r->stats.spelled[rec->spelling]++;
	if (unlikely(rec->cpu > r->stats.max_cpu))
		r->stats.max_cpu = rec->cpu;
	if (unlikely(rec->has & TRACE_GFP_UNKNOWN))
		r->stats.gfp_unknown++;
	return 1;
}

static void show(struct trace_reader *r, uint64_t line, struct trace_slice text)
{
	struct trace_stats *s = &r->stats;
	size_t n = text.len < TRACE_SHOWN_LEN ? text.len : TRACE_SHOWN_LEN;
	char *to;

	s->not_understood++;
	if (s->nr_shown == TRACE_SHOWN)
		return;
	s->shown[s->nr_shown].line = line;
	to = s->shown[s->nr_shown++].text;
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)text.s[i] < ' ' || text.s[i] == 0x7f ? '?' : text.s[i];
	to[n] = 0;
}

/* The line at pos, without its newline. 0 at the end, negative errno. */
static int look(struct trace_reader *r, struct trace_slice *line)
{
	const char *nl;

	if (r->pos == r->limit) {
		int ret = trace_input_fill(r);

		if (ret <= 0)
			return ret;
	}
	nl = memchr(r->pos, '\n', (size_t)(r->limit - r->pos));
	*line = slice(r->pos, nl);
	return 1;
}

static void take(struct trace_reader *r, struct trace_slice line)
{
	r->pos = slice_end(line) + 1;
	r->line++;
}

/* The next line, if it may belong to a record; it stays where it is. */
static bool peek(struct trace_reader *r, struct trace_slice *line, struct trace_slice *plain,
		 bool *quoted)
{
	if (look(r, line) <= 0 || line->len > TRACE_LINE_MAX)
		return false;
	*plain = trace_unquote(*line, quoted);
	return r->raw.len + 1 + plain->len <= TRACE_TEXT;
}

static void append(struct trace_text *to, struct trace_slice from)
{
	memcpy(to->s + to->len, from.s, from.len);
	to->len += from.len;
}

static struct trace_slice whole(const struct trace_text *t)
{
	return slice(t->s, t->s + t->len);
}

static enum trace_kind read_text(struct trace_reader *r, struct trace_slice from,
				 struct trace_text *text, struct trace_record *rec,
				 struct trace_line *line)
{
	if (trace_is_encoded(from)) {
		trace_decode(from, text);
	} else {
		text->len = 0;
		append(text, from);
	}
	return trace_line(r, whole(text), rec, line);
}

static bool ends_in_equals(const struct trace_text *t)
{
	return t->len && t->s[t->len - 1] == '=';
}

/* quoted-printable folds with a `=` at the end and nothing in its place. */
static bool is_soft_fold(const struct trace_reader *r, struct trace_slice next)
{
	return ends_in_equals(&r->raw) &&
	       (trace_is_encoded(whole(&r->raw)) || trace_is_encoded(next));
}

/* A mailer folds at a blank: fields go on, or the event follows its task and time. */
static bool is_fold(struct trace_reader *r, enum trace_kind kind, const struct trace_record *first,
		    struct trace_slice next)
{
	struct trace_record rec;
	struct trace_line line;
	enum trace_kind next_kind;

	if (kind != LINE_RECORD && kind != LINE_OTHER && kind != LINE_CUT && kind != LINE_HEAD)
		return false;
	if (kind != LINE_HEAD && !trace_starts_with_field(next))
		return false;
	next_kind = read_text(r, next, &r->peeked, &rec, &line);
	if (kind != LINE_HEAD)
		return next_kind == LINE_JUNK;
	if (next_kind != LINE_RECORD && next_kind != LINE_CUT && next_kind != LINE_OTHER)
		return false;
	return line.family == FAMILY_BARE || 
	       (line.family == FAMILY_TIME && !(first->has & TRACE_HAS_TIME));
}

static bool join_next(struct trace_reader *r, enum trace_kind kind,
		      const struct trace_record *rec)
{
	struct trace_slice next, plain;
	bool quoted, soft;

	if (kind == LINE_RECORD && !ends_in_equals(&r->raw) && trace_is_complete(r, rec))
		return false;
	if (!peek(r, &next, &plain, &quoted))
		return false;
	soft = is_soft_fold(r, plain);
	if (!soft && !is_fold(r, kind, rec, plain))
		return false;
	if (soft)
		r->raw.len--;
	else
		r->raw.s[r->raw.len++] = ' ';
	append(&r->raw, plain);
	take(r, next);
	r->stats.joined++;
	r->stats.quoted += quoted;
	return true;
}

static bool is_hex(char c)
{
	return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 6;
}

/* Does the text end in a pointer without 0x that has not all its digits? */
static bool ends_in_half_pointer(const struct trace_reader *r, uint64_t ptr)
{
	const char *end = r->text.s + r->text.len, *p = end;

	while (p > r->text.s && is_hex(p[-1]))
		p--;
	if (p - r->text.s < 4 || memcmp(p - 4, "ptr=", 4) || end - p == 16)
		return false;
	return end - p != 8 || !ptr || r->ptr_bits >> 32;
}

/*
 * Is the last line of a file that lacks its newline cut inside a value? It is if
 * it has less than its like had, half a gfp word or half a pointer.
 */
static bool is_cut_short(const struct trace_reader *r, const struct trace_record *rec)
{
	uint32_t like = r->shape[rec->event];

	if (!like && r->stats.spelled[rec->event])      /* all went the fast way */
		like = trace_shape_6_1[rec->event];
	return (like & ~rec->has) || (rec->has & TRACE_GFP_UNKNOWN) ||
	       ends_in_half_pointer(r, rec->ptr);
}

/* A first line without task above lines that have one was cut in its middle. */
static bool is_cut_at_start(struct trace_reader *r, const struct trace_line *line)
{
	struct trace_slice next, plain;
	struct trace_record rec;
	struct trace_line after;
	bool quoted;

	return line->family != FAMILY_TASK && peek(r, &next, &plain, &quoted) &&
	       read_text(r, plain, &r->peeked, &rec, &after) == LINE_RECORD &&
	       after.family == FAMILY_TASK;
}

/* Count a line by its kind; true if it is a record to give out. */
static bool count(struct trace_reader *r, enum trace_kind kind, const struct trace_line *line,
		  uint64_t number)
{
	struct trace_stats *s = &r->stats;

	s->prefixed += line->prefixed;
	s->decoded += trace_is_encoded(whole(&r->raw));
	switch (kind) {
	case LINE_RECORD:
		return true;
	case LINE_HEADER:
		trace_header_facts(r, line->text);
		s->headers++;
		break;
	case LINE_EMPTY:
		s->headers++;
		break;
	case LINE_STACK:
		s->stacks++;
		break;
	case LINE_OTHER:
		s->skipped++;
		break;
	case LINE_CUT:
	case LINE_HEAD:
	case LINE_JUNK:
		show(r, number, whole(&r->text));
		break;
	}
	return false;
}

static enum trace_kind read_joined(struct trace_reader *r, struct trace_record *rec,
				   struct trace_line *line)
{
	enum trace_kind kind = read_text(r, whole(&r->raw), &r->text, rec, line);

	for (int i = 1; i < JOIN_MAX && join_next(r, kind, rec); i++)
		kind = read_text(r, whole(&r->raw), &r->text, rec, line);
	return kind;
}

/* The line at pos, whatever it is; true if it became a record. */
static bool read_patiently(struct trace_reader *r, struct trace_record *rec)
{
	uint64_t number = r->line + 1;
	struct trace_slice at, plain;
	struct trace_line line;
	enum trace_kind kind;
	bool quoted;

	if (look(r, &at) <= 0)
		return false;
	plain = trace_unquote(at, &quoted);
	if (plain.len > TRACE_LINE_MAX) {
		take(r, at);
		show(r, number, plain);
		return false;
	}
	r->raw.len = 0;
	append(&r->raw, plain);
	take(r, at);
	r->stats.quoted += quoted;
	kind = read_joined(r, rec, &line);
	if (kind == LINE_RECORD && ((number == 1 && is_cut_at_start(r, &line)) ||
				    (r->unterminated && r->pos == r->limit && is_cut_short(r, rec))))
		kind = LINE_CUT;
	if (!count(r, kind, &line, number))
		return false;
	r->shape[rec->event] = rec->has & TRACE_FIELDS;
	return true;
}

int trace_next(struct trace_reader *r, struct trace_record *rec)
{
	for (;;) {
		uint64_t number = r->line + 1;
		const char *nl;

		if (r->pos == r->limit) {
			int ret = trace_input_fill(r);

			if (ret <= 0)
				return ret;
		}
		nl = likely(!r->unterminated) ? trace_fast(r, r->pos, rec) : NULL;
		if (likely(nl != NULL)) {
			r->pos = nl + 1;
			r->line = number;
			return give(r, rec, number);
		}
		if (read_patiently(r, rec))
			return give(r, rec, number);
	}
}
