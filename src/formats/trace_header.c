/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are no event: headers of the tools, what they say of CPUs and lost
 * events, and the call stacks below an event.
 */
#include "formats/trace_priv.h"

/* Where `word` stands in the line, NULL if nowhere. */
static const char *find(struct trace_slice line, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= line.len; i++)
		if (line.s[i] == word[0] && !memcmp(line.s + i, word, n))
			return line.s + i;
	return NULL;
}

/* The number that starts at p, blanks before it allowed. */
static bool number_at(struct trace_slice line, const char *p, uint64_t *value, const char **behind)
{
	const char *end = slice_end(line), *from;

	while (p < end && is_blank(*p))
		p++;
	for (from = p; p < end && is_digit(*p); p++)
		;
	if (behind)
		*behind = p;
	return trace_number(slice(from, p), 10, value);
}

static bool number_behind(struct trace_slice line, const char *word, uint64_t *value)
{
	const char *p = find(line, word);

	return p && number_at(line, p + strlen(word), value, NULL);
}

static bool is_lost_note(struct trace_slice line)
{
	return (slice_starts(line, "CPU:") && find(line, "EVENTS")) ||
	       find(line, "PERF_RECORD_LOST") || find(line, "[LOST ");
}

static bool is_header(struct trace_slice line)
{
	static const char *const starts[] = {
		"#", "cpus=", "version =", "version=", "tracer:", "-----", "Dumping ftrace buffer"
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (slice_starts(line, starts[i]))
			return true;
	return (find(line, "TIMESTAMP") && find(line, "FUNCTION")) || is_lost_note(line) ||
	       (slice_starts(line, "CPU ") && find(line, " is empty"));
}

static bool has_digit(struct trace_slice word)
{
	for (size_t i = 0; i < word.len; i++)
		if (is_digit(word.s[i]))
			return true;
	return false;
}

/* `ADDRESS symbol …`, `ADDRESS`, or `=> symbol`. */
static bool is_stack(struct trace_slice line)
{
	struct trace_slice rest = line, word = slice_word(&rest);
	uint64_t address;

	if (slice_starts(line, "=>") || slice_starts(line, "<stack trace") ||
	    slice_starts(line, "<user stack trace"))
		return true;
	if (slice_starts(word, "0x"))
		word = slice(word.s + 2, slice_end(word));
	return word.len >= 4 && word.len <= 16 && has_digit(word) &&
	       trace_number(word, 16, &address) && !find(rest, "=");
}

/* Of a line that holds no event. */
enum trace_kind trace_plain_line(struct trace_slice line)
{
	if (!line.len)
		return LINE_EMPTY;
	if (is_header(line))
		return LINE_HEADER;
	return is_stack(line) ? LINE_STACK : LINE_JUNK;
}

static void lost_events(struct trace_reader *r, struct trace_slice line)
{
	const char *p = find(line, "entries-in-buffer/entries-written:");
	uint64_t n, held, written;

	if (p) {
		if (number_at(line, p + strlen("entries-in-buffer/entries-written:"), &held, &p) &&
		    p < slice_end(line) && *p == '/' && number_at(line, p + 1, &written, NULL) &&
		    held < written)
			r->stats.lost += written - held;
	} else if (is_lost_note(line)) {
		if (number_behind(line, "LOST lost ", &n) || number_behind(line, "LOST ", &n) ||
		    number_behind(line, "[", &n))
			r->stats.lost += n;
		else
			r->stats.lost_unknown++;
	}
}

static void header_cpus(struct trace_reader *r, struct trace_slice line)
{
	uint64_t n;

	if (number_behind(line, "#P:", &n) ||
	    (slice_starts(line, "cpus=") && number_behind(line, "cpus=", &n)) ||
	    number_behind(line, "# nrcpus online :", &n))
		if (n <= TRACE_CPU_MAX && n > r->stats.header_cpus)
			r->stats.header_cpus = (uint32_t)n;
}

void trace_header_facts(struct trace_reader *r, struct trace_slice line)
{
	const char *release = find(line, "# os release :");

	lost_events(r, line);
	header_cpus(r, line);
	if (release)
		trace_kernel_found(r, slice_trim(slice(release + strlen("# os release :"),
						       slice_end(line))));
}
