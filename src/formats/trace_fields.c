/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NAME=VALUE, separated by blanks, in any order; names that nobody knows here are
 * passed over. A value ends at the next blank, but `(null)` may stand behind
 * blanks, a call site may be followed by its module, a cache name runs to the end
 * of the line, and the "fields" style writes 0xHEX (DECIMAL), where the first
 * counts. A value that cannot be read is as good as none.
 */
#include "formats/trace_priv.h"

enum value {
	VALUE_TEXT,             /* struct trace_slice */
	VALUE_ADDRESS,          /* u64, hexadecimal with or without 0x, (null) */
	VALUE_PAGE,             /* u64 of a page event: 1 unless the address is null */
	VALUE_NUMBER,           /* u64, hexadecimal only with 0x */
	VALUE_NODE,             /* s32 */
	VALUE_SMALL,            /* u8, to 99 */
	VALUE_ORDER,            /* u8, to TRACE_ORDER_MAX */
	VALUE_BOOL,
	VALUE_GFP,
};

struct field {
	const char *name;
	size_t len;
	enum value value;
	uint32_t has;
	size_t at;
};

#define NAME(text) text, sizeof(text) - 1
#define AT(member) offsetof(struct trace_record, member)

static const struct field fields[] = {
	{ NAME("call_site"),            VALUE_TEXT,    TRACE_HAS_CALL_SITE,      AT(call_site) },
	{ NAME("ptr"),                  VALUE_ADDRESS, TRACE_HAS_PTR,            AT(ptr) },
	{ NAME("bytes_req"),            VALUE_NUMBER,  TRACE_HAS_BYTES_REQ,      AT(bytes_req) },
	{ NAME("bytes_alloc"),          VALUE_NUMBER,  TRACE_HAS_BYTES_ALLOC,    AT(bytes_alloc) },
	{ NAME("gfp_flags"),            VALUE_GFP,     TRACE_HAS_GFP,            0 },
	{ NAME("node"),                 VALUE_NODE,    TRACE_HAS_NODE,           AT(node) },
	{ NAME("accounted"),            VALUE_BOOL,    TRACE_HAS_ACCOUNTED,      AT(accounted) },
	{ NAME("name"),                 VALUE_TEXT,    TRACE_HAS_NAME,           AT(name) },
	{ NAME("pfn"),                  VALUE_NUMBER,  TRACE_HAS_PFN,            AT(pfn) },
	{ NAME("order"),                VALUE_ORDER,   TRACE_HAS_ORDER,          AT(order) },
	{ NAME("migratetype"),          VALUE_SMALL,   TRACE_HAS_MTYPE,          AT(mtype_raw) },
	{ NAME("percpu_refill"),        VALUE_BOOL,    TRACE_HAS_REFILL,         AT(percpu_refill) },
	{ NAME("cold"),                 VALUE_BOOL,    TRACE_HAS_COLD,           AT(cold) },
	{ NAME("alloc_order"),          VALUE_ORDER,   TRACE_HAS_ORDER,          AT(order) },
	{ NAME("fallback_order"),       VALUE_ORDER,   TRACE_HAS_FALLBACK_ORDER, AT(fallback_order) },
	{ NAME("pageblock_order"),      VALUE_ORDER,   TRACE_HAS_BLOCK_ORDER,    AT(pageblock_order) },
	{ NAME("alloc_migratetype"),    VALUE_SMALL,   TRACE_HAS_MTYPE,          AT(mtype_raw) },
	{ NAME("fallback_migratetype"), VALUE_SMALL,   TRACE_HAS_FALLBACK_MTYPE, AT(fallback_mtype) },
	{ NAME("fragmenting"),          VALUE_BOOL,    TRACE_HAS_FRAGMENTING,    AT(fragmenting) },
	{ NAME("change_ownership"),     VALUE_BOOL,    TRACE_HAS_OWNERSHIP,      AT(change_ownership) },
	{ NAME("page"),                 VALUE_PAGE,    0,                        AT(ptr) },
};

#define EVENT_NEEDS(id, name, needs) [TRACE_##id] = needs,
static const uint32_t needs[TRACE_EVENT_NR] = { TRACE_EVENTS(EVENT_NEEDS) };

static const struct field *field_of(struct trace_slice name)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (fields[i].len == name.len && !memcmp(fields[i].name, name.s, name.len))
			return &fields[i];
	return NULL;
}

/* The name in front of `=` in a word, empty if there is none. */
static struct trace_slice name_of(struct trace_slice word)
{
	const char *equals = memchr(word.s, '=', word.len);

	return equals ? slice(word.s, equals) : slice(word.s, word.s);
}

/* Does one of the first words say NAME= with a name from above? */
bool trace_starts_with_field(struct trace_slice line)
{
	for (int i = 0; i < 3 && line.len; i++)
		if (field_of(name_of(slice_word(&line))))
			return true;
	return false;
}

bool trace_number(struct trace_slice s, unsigned int base, uint64_t *value)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned int d = (unsigned char)(s.s[i] - '0');

		if (d > 9 && base == 16) {
			d = (unsigned char)((s.s[i] | 0x20) - 'a');
			d = d < 6 ? d + 10 : base;
		}
		if (d >= base || (base == 10 && v > (UINT64_MAX - d) / 10))
			return false;
		v = v * base + d;
	}
	*value = v;
	return s.len > 0;
}

static bool is_null(struct trace_slice v)
{
	return slice_is(v, "(null)") || slice_is(v, "(nil)") || slice_is(v, "NULL");
}

/* "0x1000", "4096", "(0)" of the fields style. */
static bool read_number(struct trace_slice v, unsigned int base, uint64_t *value)
{
	if (v.len > 2 && v.s[0] == '(' && v.s[v.len - 1] == ')')
		v = slice(v.s + 1, slice_end(v) - 1);
	if (v.len > 2 && v.s[0] == '0' && (v.s[1] | 0x20) == 'x')
		return trace_number(slice(v.s + 2, slice_end(v)), 16, value);
	return trace_number(v, base, value);
}

static bool read_address(struct trace_slice v, uint64_t *value)
{
	*value = 0;
	return is_null(v) || read_number(v, 16, value);
}

static bool read_bool(struct trace_slice v, bool *value)
{
	uint64_t n;

	if (slice_is(v, "true") || slice_is(v, "false")) {
		*value = v.len == 4;
		return true;
	}
	if (!read_number(v, 10, &n) || n > 1)
		return false;
	*value = n;
	return true;
}

/* -1, 0x…ffffffff of the fields style, or a node. */
static bool read_node(struct trace_slice v, int32_t *value)
{
	bool negative = v.len > 1 && v.s[0] == '-';
	uint64_t n;

	if (!read_number(negative ? slice(v.s + 1, slice_end(v)) : v, 10, &n))
		return false;
	*value = negative ? -1 : (int32_t)(uint32_t)n;
	return *value >= -1;
}

static bool read_small(struct trace_slice v, unsigned int max, uint8_t *value)
{
	uint64_t n;

	if (!read_number(v, 10, &n) || n > max)
		return false;
	*value = (uint8_t)n;
	return true;
}

static bool read_value(struct trace_reader *r, const struct field *f, struct trace_slice v,
		       struct trace_record *rec)
{
	void *to = (char *)rec + f->at;
	uint64_t unused;

	if (!v.len)
		return false;
	switch (f->value) {
	case VALUE_TEXT:
		*(struct trace_slice *)to = v;
		return true;
	case VALUE_ADDRESS:
		return read_address(v, to);
	case VALUE_PAGE:	/* a text that is no number is a hash, and so is not null */
		if (rec->event < TRACE_PAGE_ALLOC)
			return false;
		*(uint64_t *)to = !read_address(v, &unused) || unused;
		return true;
	case VALUE_NUMBER:
		return read_number(v, 10, to);
	case VALUE_NODE:
		return read_node(v, to);
	case VALUE_SMALL:
		return read_small(v, 99, to);
	case VALUE_ORDER:
		return read_small(v, TRACE_ORDER_MAX, to);
	case VALUE_BOOL:
		return read_bool(v, to);
	case VALUE_GFP:
		trace_gfp_text(r, v.s, v.len, rec);
		return true;
	}
	return false;
}

/* Take the value of `f` off the rest; the word after NAME= is given. */
static struct trace_slice value_of(const struct field *f, struct trace_slice word,
				   struct trace_slice *rest)
{
	const char *from = (const char *)memchr(word.s, '=', word.len) + 1;
	struct trace_slice v = slice(from, slice_end(word)), after = *rest, next;

	if (f->has == TRACE_HAS_NAME) {
		v = slice_trim(slice(from, slice_end(*rest)));
		*rest = slice(slice_end(*rest), slice_end(*rest));
		return v;
	}
	if (v.len)
		return v;
	next = slice_word(&after);
	if (!is_null(next))
		return v;
	*rest = after;
	return next;
}

/* The event must be known already. */
enum trace_kind trace_fields(struct trace_reader *r, struct trace_slice rest,
			     struct trace_record *rec)
{
	while (rest.len) {
		struct trace_slice word = slice_word(&rest);
		const struct field *f = field_of(name_of(word));

		if (f && read_value(r, f, value_of(f, word, &rest), rec))
			rec->has |= f->has;
	}
	if ((rec->event == TRACE_KMALLOC || rec->event == TRACE_KMEM_CACHE_ALLOC) &&
	    !(rec->has & TRACE_HAS_ACCOUNTED))
		rec->accounted = rec->gfp & GFP_BIT_ACCOUNT;
	if (rec->event >= TRACE_PAGE_ALLOC && rec->pfn)
		rec->ptr = 0;
	return (rec->has & needs[rec->event]) == needs[rec->event] ? LINE_RECORD : LINE_CUT;
}
