/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usual line, in one forward pass that touches each byte about once: it does
 * not look for the newline first, it arrives there. What is expected is compared,
 * not searched. Every surprise returns NULL and the patient reader takes the line
 * from its start, so nothing here has to be complete, only never wrong.
 *
 * A line is accepted only when trace_is_complete(), as folded ones are not.
 */
#include "formats/trace_priv.h"

#define HEAD_MAX 48     /* characters in front of `[CPU]` */

/* Step over a literal, or give the line up. */
#define EXPECT(p, text)                                         \
	do {                                                    \
		if (memcmp(p, text, sizeof(text) - 1))          \
			return NULL;                            \
		(p) += sizeof(text) - 1;                        \
	} while (0)

static inline const char *skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

/* `COMM-PID` of ftrace or `COMM PID` of perf script, read backwards from the bracket. */
static inline bool is_task(const char *line, const char *bracket)
{
	const char *p = scan_before_number(bracket);

	if (!p || p <= line || bracket[-1] != ' ')
		return false;
	if (*p == '-')
		return true;
	if (*p != ' ')
		return false;
	while (p > line && p[-1] == ' ')
		p--;
	return p > line;
}

/* Three digits below a thousand, everywhere. */
static inline const char *read_cpu(const char *p, struct trace_record *rec)
{
	if (!is_digit(p[0]) || !is_digit(p[1]) || !is_digit(p[2]))
		return NULL;
	rec->cpu = (uint32_t)((p[0] - '0') * 100 + (p[1] - '0') * 10 + (p[2] - '0'));
	p += 3;
	EXPECT(p, "] ");
	return p;
}

/* The column of flags: five characters now, four before 5.18, none from perf. */
static inline const char *read_flags(const char *p, struct trace_record *rec)
{
	const char *end;

	if (*p == ' ' || is_digit(*p))
		return p;
	end = scan_word_end(p);
	if (end - p < 4 || end - p > 5)
		return NULL;
	rec->flags = slice(p, end);
	rec->has |= TRACE_HAS_FLAGS;
	return end;
}

static inline const char *read_time(const char *p, struct trace_record *rec)
{
	static const uint32_t scale[10] = {
		1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1
	};
	uint64_t sec, part;
	const char *digits;

	digits = scan_decimal(p, &sec);
	if (!digits || *digits++ != '.')
		return NULL;
	p = scan_decimal(digits, &part);
	if (!p || p - digits > 9 || sec > 10000000000ull)
		return NULL;
	rec->time_ns = sec * 1000000000u + part * scale[p - digits];
	EXPECT(p, ": ");
	return skip_blanks(p);
}

static inline const char *read_head(const char *line, struct trace_record *rec)
{
	const char *p = scan_head_end(line, HEAD_MAX);

	if (!p || *p != '[' || *line == '>' || !is_task(line, p))
		return NULL;
	p = read_cpu(p + 1, rec);
	if (!p)
		return NULL;
	rec->has = TRACE_HAS_CPU | TRACE_HAS_TIME | TRACE_HAS_TASK;
	p = read_flags(p, rec);
	return p ? read_time(skip_blanks(p), rec) : NULL;
}

static inline const char *read_ptr(const char *p, uint64_t *ptr)
{
	if (scan_hex16(p, ptr))
		return scan_hex_digit(p[16]) < 16 ? NULL : p + 16;
	if (p[0] == '(') {
		EXPECT(p, "(nil)");
		*ptr = 0;
		return p;
	}
	if (p[0] == '0' && p[1] == 'x') {
		p += 2;
		if (scan_hex16(p, ptr))
			return scan_hex_digit(p[16]) < 16 ? NULL : p + 16;
	}
	return scan_hex(p, ptr);
}

static inline const char *read_gfp(struct trace_reader *r, const char *p, struct trace_record *rec)
{
	const char *end = scan_word_end(p);

	if (end == p)
		return NULL;
	trace_gfp_text(r, p, (size_t)(end - p), rec);
	return end;
}

static inline const char *read_small(const char *p, unsigned int max, uint8_t *value)
{
	unsigned int v = (unsigned char)(*p - '0');

	if (v > 9)
		return NULL;
	p++;
	if (is_digit(*p))
		v = v * 10 + (unsigned char)(*p++ - '0');
	*value = (uint8_t)v;
	return v <= max ? p : NULL;
}

static inline const char *read_node(const char *p, struct trace_record *rec)
{
	uint64_t node;

	rec->has |= TRACE_HAS_NODE;
	if (!memcmp(p, " node=-1", 8))
		return p + 8;
	EXPECT(p, " node=");
	p = scan_decimal(p, &node);
	if (!p || node > INT32_MAX)
		return NULL;
	rec->node = (int32_t)node;
	return p;
}

static inline const char *read_accounted(const char *p, struct trace_record *rec)
{
	rec->has |= TRACE_HAS_ACCOUNTED;
	if (!memcmp(p, " accounted=true", 15)) {
		rec->accounted = true;
		return p + 15;
	}
	EXPECT(p, " accounted=false");
	return p;
}

static inline const char *read_site(const char *p, struct trace_record *rec)
{
	const char *end;

	EXPECT(p, "call_site=");
	end = scan_word_end(p);
	rec->call_site = slice(p, end);
	rec->has |= TRACE_HAS_CALL_SITE | TRACE_HAS_PTR;
	p = end;
	if (p[0] == ' ' && p[1] == '[') {       /* of a module */
		p = scan_word_end(p + 1);
		if (p[-1] != ']')
			return NULL;
	}
	EXPECT(p, " ptr=");
	return read_ptr(p, &rec->ptr);
}

static inline const char *read_alloc(struct trace_reader *r, const char *p,
				     struct trace_record *rec)
{
	EXPECT(p, " bytes_req=");
	p = scan_decimal(p, &rec->bytes_req);
	if (!p)
		return NULL;
	EXPECT(p, " bytes_alloc=");
	p = scan_decimal(p, &rec->bytes_alloc);
	if (!p)
		return NULL;
	EXPECT(p, " gfp_flags=");
	p = read_gfp(r, p, rec);
	if (!p)
		return NULL;
	rec->has |= TRACE_OBJECT;
	if (*p == ' ')
		p = read_node(p, rec);
	if (p && *p == ' ')
		return read_accounted(p, rec);
	rec->accounted = rec->gfp & GFP_BIT_ACCOUNT;
	return p;
}

/* A second word would belong to the name, too. */
static inline const char *read_name(const char *p, struct trace_record *rec)
{
	const char *end;

	EXPECT(p, " name=");
	end = scan_word_end(p);
	if (end == p)
		return NULL;
	rec->name = slice(p, end);
	rec->has |= TRACE_HAS_NAME;
	return end;
}

/* `page` is a hash, a copy of the pfn or a constant plus it: of no use but to tell page 0 from none. */
static inline const char *read_block(const char *p, struct trace_record *rec)
{
	const char *page;

	EXPECT(p, "page=");
	page = p;
	p = scan_word_end(p);
	EXPECT(p, " pfn=");
	if (p[0] == '0' && p[1] == 'x')
		p = scan_hex(p + 2, &rec->pfn);
	else
		p = scan_decimal(p, &rec->pfn);
	if (!p)
		return NULL;
	if (unlikely(!rec->pfn))
		rec->ptr = page[strspn(page, "0x")] != ' ' && page[0] != '(';
	EXPECT(p, " order=");
	rec->has |= TRACE_BLOCK;
	return read_small(p, TRACE_ORDER_MAX, &rec->order);
}

static inline const char *read_mtype(const char *p, struct trace_record *rec)
{
	EXPECT(p, " migratetype=");
	rec->has |= TRACE_HAS_MTYPE;
	return read_small(p, 99, &rec->mtype_raw);
}

static inline const char *read_refill(const char *p, struct trace_record *rec)
{
	EXPECT(p, " percpu_refill=");
	rec->percpu_refill = *p == '1';
	rec->has |= TRACE_HAS_REFILL;
	return *p == '0' || *p == '1' ? p + 1 : NULL;
}

/* Each event's name is followed by a blank, or several from trace-cmd. */
#define IS(p, text) !memcmp(p, text ": ", sizeof(text ": ") - 1)
#define NAMED(id, text) { rec->event = TRACE_##id; return p + sizeof(text ": ") - 1; }

static inline const char *object_event(const char *p, struct trace_record *rec)
{
	if (!memcmp(p, "kmem_cache_", 11)) {
		p += 11;
		if (IS(p, "alloc"))
			NAMED(KMEM_CACHE_ALLOC, "alloc");
		if (IS(p, "free"))
			NAMED(KMEM_CACHE_FREE, "free");
		return NULL;
	}
	if (IS(p, "kfree"))
		NAMED(KFREE, "kfree");
	if (IS(p, "kmalloc"))
		NAMED(KMALLOC, "kmalloc");
	return NULL;
}

static inline const char *page_event(const char *p, struct trace_record *rec)
{
	EXPECT(p, "mm_page_");
	if (IS(p, "alloc"))
		NAMED(PAGE_ALLOC, "alloc");
	if (IS(p, "free"))
		NAMED(PAGE_FREE, "free");
	if (IS(p, "free_batched"))
		NAMED(PAGE_BATCHED, "free_batched");
	if (IS(p, "alloc_zone_locked"))
		NAMED(ZONE_LOCKED, "alloc_zone_locked");
	if (IS(p, "pcpu_drain"))
		NAMED(PCPU_DRAIN, "pcpu_drain");
	return NULL;
}

static inline const char *read_object(struct trace_reader *r, const char *p,
				      struct trace_record *rec)
{
	p = object_event(p, rec);
	if (p)
		p = read_site(skip_blanks(p), rec);
	if (!p || rec->event == TRACE_KFREE)
		return p;
	if (rec->event != TRACE_KMEM_CACHE_FREE)
		return read_alloc(r, p, rec);
	return *p == '\n' ? p : read_name(p, rec);
}

static inline const char *read_page(struct trace_reader *r, const char *p,
				    struct trace_record *rec)
{
	p = page_event(p, rec);
	if (p)
		p = read_block(skip_blanks(p), rec);
	if (!p || rec->event == TRACE_PAGE_FREE || rec->event == TRACE_PAGE_BATCHED)
		return p;
	p = read_mtype(p, rec);
	if (!p || rec->event == TRACE_PCPU_DRAIN)
		return p;
	if (rec->event == TRACE_ZONE_LOCKED)
		return read_refill(p, rec);
	EXPECT(p, " gfp_flags=");
	return read_gfp(r, p, rec);
}

const char *trace_fast(struct trace_reader *r, const char *p, struct trace_record *rec)
{
	trace_record_clear(rec);
	p = read_head(p, rec);
	if (!p)
		return NULL;
	if (!memcmp(p, "kmem:", 5))
		p += 5;
	p = *p == 'k' ? read_object(r, p, rec) : read_page(r, p, rec);
	if (!p || *p != '\n')
		return NULL;
	rec->spelling = rec->event;
	return trace_is_complete(r, rec) ? p : NULL;
}
