/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a record means depends on the kernel that wrote it in three places: numbers
 * of migratetypes (1 and 2 changed places in 4.4), bits of a numeric gfp mask, and
 * GFP_NOWAIT, which contains __GFP_NOWARN since 6.15. The version comes from the
 * user, from perf script's header, or from what only an old kernel can have written.
 */
#include <errno.h>

#include "base/fail.h"
#include "formats/trace_priv.h"

#define OBJECT_6_1 (TRACE_OBJECT | TRACE_HAS_CALL_SITE | TRACE_HAS_GFP |  \
		    TRACE_HAS_NODE | TRACE_HAS_ACCOUNTED)
#define FREE_6_1   (TRACE_HAS_PTR | TRACE_HAS_CALL_SITE)

const uint32_t trace_shape_6_1[TRACE_EVENT_NR] = {
	[TRACE_KMALLOC]          = OBJECT_6_1,
	[TRACE_KMEM_CACHE_ALLOC] = OBJECT_6_1,
	[TRACE_KFREE]            = FREE_6_1,
	[TRACE_KMEM_CACHE_FREE]  = FREE_6_1 | TRACE_HAS_NAME,
	[TRACE_PAGE_ALLOC]       = TRACE_BLOCK | TRACE_HAS_MTYPE | TRACE_HAS_GFP,
	[TRACE_PAGE_FREE]        = TRACE_BLOCK,
	[TRACE_PAGE_BATCHED]     = TRACE_BLOCK,
	[TRACE_ZONE_LOCKED]      = TRACE_BLOCK | TRACE_HAS_MTYPE | TRACE_HAS_REFILL,
	[TRACE_PCPU_DRAIN]       = TRACE_BLOCK | TRACE_HAS_MTYPE,
	[TRACE_EXTFRAG]          = TRACE_BLOCK | TRACE_HAS_MTYPE | TRACE_HAS_FALLBACK_ORDER |
				   TRACE_HAS_FALLBACK_MTYPE | TRACE_HAS_BLOCK_ORDER |
				   TRACE_HAS_FRAGMENTING | TRACE_HAS_OWNERSHIP,
};

static bool is_before(const struct trace_reader *r, unsigned int major, unsigned int minor)
{
	return r->major && (r->major < major || (r->major == major && r->minor < minor));
}

static bool is_from(const struct trace_reader *r, unsigned int major, unsigned int minor)
{
	return r->major && !is_before(r, major, minor);
}

static void set_kernel(struct trace_reader *r, unsigned int major, unsigned int minor)
{
	r->major = major;
	r->minor = minor;
	r->old_mtypes = is_before(r, 4, 4);
	memset(r->gfp, 0, sizeof(r->gfp));
}

static bool read_version(struct trace_slice v, unsigned int *major, unsigned int *minor)
{
	const char *end = slice_end(v), *dot = memchr(v.s, '.', v.len), *p;
	uint64_t a, b;

	if (!dot)
		return false;
	for (p = dot + 1; p < end && is_digit(*p); p++)
		;
	if (!trace_number(slice(v.s, dot), 10, &a) || !trace_number(slice(dot + 1, p), 10, &b))
		return false;
	if (a < 2 || a > 99 || b > 999)
		return false;
	*major = (unsigned int)a;
	*minor = (unsigned int)b;
	return true;
}

int trace_set_kernel(struct trace_reader *r, const char *version)
{
	struct trace_slice v = { version, strlen(version) };
	unsigned int major, minor;

	if (!read_version(v, &major, &minor))
		return fail(EINVAL, "'%s' is no kernel version: write it as 6.1 or 4.19.0-27", version);
	set_kernel(r, major, minor);
	r->kernel_said = true;
	return 0;
}

/* A header names the kernel; the user knows better. */
void trace_kernel_found(struct trace_reader *r, struct trace_slice version)
{
	unsigned int major, minor;

	if (!r->kernel_said && read_version(version, &major, &minor))
		set_kernel(r, major, minor);
}

static bool contains(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (!memcmp(s + i, word, n))
			return true;
	return false;
}

static void read_gfp(const struct trace_reader *r, const char *s, size_t len, struct trace_gfp *g)
{
	uint64_t bits;
	bool hex = len > 2 && s[0] == '0' && (s[1] | 0x20) == 'x';

	g->unknown = 0;
	if (trace_number(slice(hex ? s + 2 : s, s + len), hex ? 16 : 10, &bits)) {
		g->gfp = r->major ? gfp_from_kernel(bits, r->major, r->minor) : (uint32_t)bits;
		return;
	}
	if (!gfp_read(s, len, &g->gfp))
		g->unknown = TRACE_GFP_UNKNOWN;
	if (is_from(r, 6, 15) && contains(s, len, "GFP_NOWAIT"))
		g->gfp |= GFP_BIT_NOWARN;
}

void trace_gfp_read(const struct trace_reader *r, const char *s, size_t len, struct trace_gfp *g)
{
	read_gfp(r, s, len, g);
	g->len = 0;
	if (len <= TRACE_GFP_TEXT_MAX) {
		g->len = len;
		memcpy(g->text, s, len);
	}
}

static uint8_t mtype_of(const struct trace_reader *r, unsigned int raw)
{
	static const uint8_t before_4_4[] = {
		MT_UNMOVABLE, MT_RECLAIMABLE, MT_MOVABLE, MT_HIGHATOMIC
	};

	if (raw >= MT_HIGHATOMIC)       /* the old reserve served the same purpose */
		return raw == MT_HIGHATOMIC ? MT_HIGHATOMIC : MT_ISOLATE;
	return r->old_mtypes ? before_4_4[raw] : (uint8_t)raw;
}

/* Only an old kernel gives a movable request the number that is now Reclaimable. */
static void learn(struct trace_reader *r, const struct trace_record *rec)
{
	unsigned int want = gfp_mtype(rec->gfp);

	if (rec->event == TRACE_PAGE_ALLOC && (rec->has & TRACE_HAS_GFP) &&
	    rec->mtype_raw + want == MT_MOVABLE + MT_RECLAIMABLE &&
	    (want == MT_MOVABLE || want == MT_RECLAIMABLE))
		r->old_mtypes = true;
	if (rec->spelling == TRACE_PAGE_FREE_DIRECT || rec->spelling == TRACE_PAGEVEC_FREE)
		set_kernel(r, 3, 2);
}

void trace_settle(struct trace_reader *r, struct trace_record *rec)
{
	if (unlikely(!r->major && !r->old_mtypes &&
		     (rec->mtype_raw || rec->spelling >= TRACE_EVENT_NR)))
		learn(r, rec);
	rec->mtype = mtype_of(r, rec->mtype_raw);
	if (rec->event == TRACE_EXTFRAG)
		rec->fallback_mtype = mtype_of(r, rec->fallback_mtype);
}
