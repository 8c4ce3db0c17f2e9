/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of any family.
 *
 *   ftrace       COMM-PID [CPU] FLAGS TIME: EVENT: FIELDS
 *   its (TGID)   COMM-PID (TGID) [CPU] FLAGS TIME: EVENT: FIELDS
 *   its latency  COMM-PID CPUFLAGS TIMEus: EVENT: FIELDS
 *   trace-cmd    COMM-PID [CPU] TIME: EVENT:      FIELDS
 *   perf script  COMM PID/TID [CPU] TIME: PERIOD kmem:EVENT: FIELDS
 *   boot dump    TIME: EVENT: FIELDS
 *   graph        TIME | CPU) TASK | … and EVENT: FIELDS as a C comment
 *   bare         EVENT: FIELDS
 *
 * COMM may hold anything, so a line is read around its time: the first `TIME:`
 * whose left side ends in a CPU or a task is the one. The left side is read from
 * its right end.
 */
#include "formats/trace_priv.h"

#define TIMES_TRIED 32  /* in a line, before it is junk */

struct spelling {
	const char *name;
	size_t len;
	uint8_t event;
};

static const struct spelling spellings[TRACE_SPELLING_NR] = {
#define SPELL_EVENT(id, name, needs) [TRACE_##id] = { name, sizeof(name) - 1, TRACE_##id },
	TRACE_EVENTS(SPELL_EVENT)
#define SPELL_OLD(id, name, event) [TRACE_##id] = { name, sizeof(name) - 1, TRACE_##event },
	TRACE_OLD_NAMES(SPELL_OLD)
};

const char *trace_event_name(unsigned int event)
{
	return event < TRACE_EVENT_NR ? spellings[event].name : "?";
}

const char *trace_spelling_name(unsigned int spelling)
{
	return spelling < TRACE_SPELLING_NR ? spellings[spelling].name : "?";
}

unsigned int trace_spelling_event(unsigned int spelling)
{
	return spellings[spelling].event;
}

static bool find_event(struct trace_slice name, struct trace_record *rec)
{
	for (unsigned int i = 0; i < TRACE_SPELLING_NR; i++) {
		if (spellings[i].len != name.len ||
		    memcmp(spellings[i].name, name.s, name.len))
			continue;
		rec->spelling = (uint8_t)i;
		rec->event = spellings[i].event;
		return true;
	}
	return false;
}

/* `EVENT:` or `SYSTEM:EVENT:` → EVENT; empty if the word is neither. */
static struct trace_slice event_name(struct trace_slice word)
{
	const char *end, *p;

	if (word.len < 2 || word.s[word.len - 1] != ':')
		return slice(word.s, word.s);
	end = slice_end(word) - 1;
	for (p = end; p > word.s && is_word_char(p[-1]); p--)
		;
	if (p == end || is_digit(*p))
		return slice(word.s, word.s);
	return p == word.s || p[-1] == ':' ? slice(p, end) : slice(word.s, word.s);
}

/* Cut the last word off. */
static struct trace_slice last_word(struct trace_slice *rest)
{
	const char *p;
	struct trace_slice s = slice_trim(*rest), word;

	for (p = slice_end(s); p > s.s && !is_blank(p[-1]); p--)
		;
	word = slice(p, slice_end(s));
	*rest = slice_trim(slice(s.s, p));
	return word;
}

static bool is_flags(struct trace_slice word)
{
	static const char known[] = ".dDXbBnNpPlLhHsSzZgGO";

	if (word.len < 3 || word.len > 8)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (!is_digit(word.s[i]) && !(word.s[i] >= 'a' && word.s[i] <= 'f') &&
		    !memchr(known, word.s[i], sizeof(known) - 1))
			return false;
	return true;
}

static bool read_cpu(struct trace_slice word, struct trace_record *rec)
{
	uint64_t cpu;

	if (!trace_number(word, 10, &cpu) || cpu >= TRACE_CPU_MAX)
		return false;
	rec->cpu = (uint32_t)cpu;
	rec->has |= TRACE_HAS_CPU;
	return true;
}

/* `[CPU]` at the end of the left side. */
static bool cut_cpu(struct trace_slice *left, struct trace_record *rec)
{
	struct trace_slice rest = *left, word = last_word(&rest);
	const char *open = NULL;

	for (const char *p = slice_end(word); p > word.s && !open; p--)
		if (p[-1] == '[')
			open = p;
	if (!open || word.s[word.len - 1] != ']')
		return false;
	if (!read_cpu(slice(open, slice_end(word) - 1), rec))
		return false;
	*left = slice_trim(slice(left->s, open - 1));
	return true;
}

/* FLAGS, where a CPU or a task stands in front of it. */
static void take_flags(struct trace_slice word, struct trace_record *rec)
{
	rec->flags = word;
	rec->has |= TRACE_HAS_FLAGS;
}

/* `(TGID)`, `(-----)`: of no use. */
static void cut_group(struct trace_slice *left)
{
	const char *p;

	if (!left->len || left->s[left->len - 1] != ')')
		return;
	for (p = slice_end(*left) - 1; p > left->s; p--)
		if (!is_digit(p[-1]) && p[-1] != '-' && p[-1] != ' ')
			break;
	if (p > left->s && p[-1] == '(')
		*left = slice_trim(slice(left->s, p - 1));
}

/* `COMM-PID`, or of perf `COMM PID` and `COMM PID/TID`. */
static bool read_task(struct trace_slice left, struct trace_record *rec)
{
	const char *end = slice_end(left), *p;

	for (p = end; p > left.s && is_digit(p[-1]); p--)
		;
	if (p == end || end - p > 9 || p == left.s)
		return false;
	if (p[-1] == '/')
		for (p--; p > left.s && is_digit(p[-1]); p--)
			;
	if (p == left.s || (p[-1] != '-' && !is_blank(p[-1])))
		return false;
	if (!slice_trim(slice(left.s, p - 1)).len)
		return false;
	rec->has |= TRACE_HAS_TASK;
	return true;
}

/* `CPUFLAGS` of the latency format. */
static bool cut_latency(struct trace_slice *left, struct trace_record *rec)
{
	struct trace_slice rest = *left, word = last_word(&rest);
	size_t n = 0;

	while (n < word.len && is_digit(word.s[n]))
		n++;
	for (; n > 0; n--) {    /* digits of the preempt depth are flags, too */
		struct trace_slice flags = slice(word.s + n, slice_end(word));

		if (flags.len < 4 || flags.len > 5 || !is_flags(flags))
			continue;
		if (!read_task(rest, rec) || !read_cpu(slice(word.s, word.s + n), rec))
			return false;
		take_flags(flags, rec);
		return true;
	}
	return false;
}

/* What stands before the time. */
static bool read_left(struct trace_slice left, struct trace_record *rec, enum trace_family *family)
{
	struct trace_slice rest, word;

	left = slice_trim(left);
	*family = FAMILY_TIME;
	if (!left.len)
		return true;
	*family = FAMILY_TASK;
	if (!cut_cpu(&left, rec)) {
		rest = left;
		word = last_word(&rest);
		if (!is_flags(word) || !cut_cpu(&rest, rec))
			return cut_latency(&left, rec);
		take_flags(word, rec);
		left = rest;
	}
	cut_group(&left);
	return !left.len || read_task(left, rec);
}

/* Digits behind the point to nanoseconds; more than nine are cut. */
static uint64_t fraction(struct trace_slice digits)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < digits.len ? (uint64_t)(digits.s[i] - '0') : 0);
	return ns;
}

/* SEC.FRACTION, or a plain count. */
static bool read_time(struct trace_slice text, struct trace_record *rec)
{
	const char *dot = memchr(text.s, '.', text.len), *end = slice_end(text);
	uint64_t sec, part;

	if (!trace_number(slice(text.s, dot ? dot : end), 10, &sec))
		return false;
	if (dot && !trace_number(slice(dot + 1, end), 10, &part) && end - dot <= 19)
		return false;
	if (dot && (sec > 10000000000ull || end == dot + 1))
		return false;
	rec->time_ns = dot ? sec * 1000000000u + fraction(slice(dot + 1, end)) : sec;
	rec->has |= TRACE_HAS_TIME;
	return true;
}

/*
 * The next `TIME:` from *from on: its text, and what follows the colon. The
 * latency format writes microseconds, `us`, perhaps a mark of delay and a blank.
 */
static bool find_time(const char **from, const char *end, struct trace_slice *time,
		      struct trace_slice *right)
{
	const char *p = *from;

	while (p < end) {
		const char *a, *b;

		while (p < end && !is_digit(*p))
			p++;
		for (a = p; p < end && (is_digit(*p) || *p == '.'); p++)
			;
		b = p;
		if (end - p >= 2 && p[0] == 'u' && p[1] == 's')
			p += 2;
		if (p < end && strchr("!+#*@$ ", *p) && *p)
			p++;
		if (b == a || p == end || *p != ':' || (p + 1 < end && !is_blank(p[1]))) {
			p = b > a ? b : p;
			continue;
		}
		*time = slice(a, b);
		*right = slice(p + 1, end);
		*from = p + 1;
		return true;
	}
	return false;
}

/* What stands behind the time. perf may put the period before the event. */
static enum trace_kind read_right(struct trace_reader *r, struct trace_slice right,
				  struct trace_record *rec)
{
	struct trace_slice rest = right, word = slice_word(&rest), name;
	uint64_t period;

	if (!word.len)
		return LINE_HEAD;
	if (slice_is(word, "PERF_RECORD_LOST"))
		return LINE_HEADER;
	if (trace_number(word, 10, &period))
		word = slice_word(&rest);
	if (slice_starts(slice_trim(right), "<stack trace") ||
	    slice_starts(slice_trim(right), "<user stack trace") || slice_is(word, "kernel_stack:") ||
	    slice_is(word, "user_stack:"))
		return LINE_STACK;
	name = event_name(word);
	if (!name.len || !find_event(name, rec))
		return LINE_OTHER;
	return trace_fields(r, rest, rec);
}

static enum trace_kind read_around_time(struct trace_reader *r, struct trace_slice line,
					struct trace_record *rec, enum trace_family *family)
{
	const char *from = line.s;
	struct trace_slice time, right;

	for (int i = 0; i < TIMES_TRIED && find_time(&from, slice_end(line), &time, &right); i++) {
		trace_record_clear(rec);
		if (time.s > line.s && !is_blank(time.s[-1]))
			continue;
		if (!read_time(time, rec) || !read_left(slice(line.s, time.s), rec, family))
			continue;
		return read_right(r, right, rec);
	}
	return LINE_JUNK;
}

/* Is this the end of a name whose start was cut away? */
static bool is_rest_of_name(struct trace_slice name)
{
	for (unsigned int i = 0; i < TRACE_SPELLING_NR; i++) {
		size_t n = spellings[i].len;

		if (name.len < n && !memcmp(spellings[i].name + n - name.len, name.s, name.len))
			return true;
	}
	return false;
}

/* Without a time an unknown event must look like one: a_name: FIELD=… */
static enum trace_kind read_bare(struct trace_reader *r, struct trace_slice line,
				 struct trace_record *rec, enum trace_family *family)
{
	struct trace_slice rest = line, word = slice_word(&rest), name;

	trace_record_clear(rec);
	*family = FAMILY_BARE;
	name = event_name(word);
	if (!name.len)
		return LINE_JUNK;
	if (find_event(name, rec))
		return trace_fields(r, rest, rec);
	if (is_rest_of_name(name))
		return LINE_CUT;
	word = slice_word(&rest);
	return memchr(name.s, '_', name.len) && word.len > 1 && memchr(word.s + 1, '=', word.len - 1)
	       ? LINE_OTHER : LINE_JUNK;
}

/* Where the function graph's `CPU)` ends, NULL without one. */
static const char *graph_cpu(struct trace_slice line, struct trace_record *rec)
{
	struct trace_slice rest = line, word = slice_word(&rest), bar = rest;
	struct trace_slice time = word;

	if (slice_is(slice_word(&bar), "|") && memchr(time.s, '.', time.len) &&
	    read_time(time, rec)) {
		rest = bar;
		word = slice_word(&rest);
	}
	if (word.len < 2 || word.s[word.len - 1] != ')' ||
	    !read_cpu(slice(word.s, slice_end(word) - 1), rec))
		return NULL;
	return slice_end(word);
}

static const char *find_comment(const char *p, const char *end)
{
	for (; end - p >= 3; p++)
		if (p[0] == '/' && p[1] == '*' && is_blank(p[2]))
			return p;
	return NULL;
}

/* `| call();` or a change of tasks, `=>`. */
static bool is_graph(struct trace_slice line)
{
	const char *equals = memchr(line.s, '=', line.len);

	return memchr(line.s, '|', line.len) || (equals && equals + 1 < slice_end(line) &&
						 equals[1] == '>');
}

/* Calls are other events; an event stands in a comment. */
static enum trace_kind read_graph(struct trace_reader *r, struct trace_slice line,
				  struct trace_record *rec, enum trace_family *family)
{
	const char *after, *comment, *end;
	struct trace_slice fields, name;

	trace_record_clear(rec);
	after = graph_cpu(line, rec);
	comment = find_comment(after ? after : line.s, slice_end(line));
	if (!comment)
		return after && is_graph(line) ? LINE_OTHER : LINE_JUNK;
	if (!after && !memchr(line.s, '|', (size_t)(comment - line.s)) && comment != line.s)
		return LINE_JUNK;
	*family = after ? FAMILY_TASK : FAMILY_BARE;
	end = slice_end(line);
	if (end - comment >= 5 && end[-1] == '/' && end[-2] == '*')
		end -= 2;
	fields = slice(comment + 2, end);
	name = event_name(slice_word(&fields));
	if (!name.len || !find_event(name, rec))
		return LINE_OTHER;
	return trace_fields(r, slice_trim(fields), rec);
}

/* The task alone, as a mailer leaves it in front of a fold. */
static bool is_head(struct trace_slice line, struct trace_record *rec)
{
	enum trace_family family;

	trace_record_clear(rec);
	return line.len && read_left(line, rec, &family) && (rec->has & TRACE_HAS_CPU) &&
	       (rec->has & TRACE_HAS_TASK);
}

static enum trace_kind classify(struct trace_reader *r, struct trace_slice line,
				struct trace_record *rec, enum trace_family *family)
{
	enum trace_kind kind;

	if (!line.len || *line.s == '#')
		return trace_plain_line(line);
	kind = read_around_time(r, line, rec, family);
	if (kind == LINE_JUNK)
		kind = read_graph(r, line, rec, family);
	if (kind == LINE_JUNK)
		kind = read_bare(r, line, rec, family);
	if (kind == LINE_JUNK)
		kind = trace_plain_line(line);
	if (kind == LINE_JUNK && is_head(line, rec))
		kind = LINE_HEAD;
	return kind;
}

/* Prefixes come off one by one, only as long as the line makes no sense with them. */
enum trace_kind trace_line(struct trace_reader *r, struct trace_slice text,
			   struct trace_record *rec, struct trace_line *line)
{
	enum trace_kind kind;

	line->text = slice_trim(text);
	line->family = FAMILY_TASK;
	line->prefixed = false;
	kind = classify(r, line->text, rec, &line->family);
	for (int i = 0; kind == LINE_JUNK && i < 8 && trace_strip_prefix(&line->text); i++) {
		kind = classify(r, line->text, rec, &line->family);
		line->prefixed = kind != LINE_JUNK;
	}
	return kind;
}
