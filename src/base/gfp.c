/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of words[] is the order in which a 6.1 kernel tries names on a mode:
 * a name is written when all its bits are still there, and takes them away. So
 * larger sets stand before the sets they contain.
 */
#include "base/gfp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "base/types.h"

struct word {
	const char *name;
	uint32_t bits;
};

#define SET(name) { #name, name }
#define BIT(name) { "__GFP_" #name, GFP_BIT_##name }

static const struct word words[] = {
	SET(GFP_TRANSHUGE),      SET(GFP_TRANSHUGE_LIGHT), SET(GFP_HIGHUSER_MOVABLE),
	SET(GFP_HIGHUSER),       SET(GFP_USER),            SET(GFP_KERNEL_ACCOUNT),
	SET(GFP_KERNEL),         SET(GFP_NOFS),            SET(GFP_ATOMIC),
	SET(GFP_NOIO),           SET(GFP_NOWAIT),          SET(GFP_DMA),
	BIT(HIGHMEM),            SET(GFP_DMA32),           BIT(HIGH),
	BIT(ATOMIC),             BIT(IO),                  BIT(FS),
	BIT(NOWARN),             BIT(RETRY_MAYFAIL),       BIT(NOFAIL),
	BIT(NORETRY),            BIT(COMP),                BIT(ZERO),
	BIT(NOMEMALLOC),         BIT(MEMALLOC),            BIT(HARDWALL),
	BIT(THISNODE),           BIT(RECLAIMABLE),         BIT(MOVABLE),
	BIT(ACCOUNT),            BIT(WRITE),               BIT(RECLAIM),
	BIT(DIRECT_RECLAIM),     BIT(KSWAPD_RECLAIM),      BIT(ZEROTAGS),
	BIT(NOLOCKDEP),
};

/* Read but never written: other spellings, and flags with no bit (any more) in 6.1. */
static const struct word other_words[] = {
	{ "__GFP_DMA",          GFP_BIT_DMA },
	{ "__GFP_DMA32",        GFP_BIT_DMA32 },
	{ "__GFP_WAIT",         GFP_BIT_RECLAIM },
	{ "__GFP_REPEAT",       GFP_BIT_RETRY_MAYFAIL },
	{ "GFP_TEMPORARY",      GFP_KERNEL | GFP_BIT_RECLAIMABLE },
	{ "GFP_IOFS",           GFP_BIT_IO | GFP_BIT_FS },
	{ "__GFP_COLD",         GFP_BIT_COLD },	/* to 4.14 */
	{ "__GFP_NOTRACK",      0 },
	{ "__GFP_NOTRACK_FALSE_POSITIVE", 0 },
	{ "__GFP_NO_KSWAPD",    0 },
	{ "__GFP_OTHER_NODE",   0 },
	{ "__GFP_NOACCOUNT",    0 },
	{ "__GFP_KMEMCG",       GFP_BIT_ACCOUNT },
	{ "__GFP_SKIP_ZERO",    0 },
	{ "__GFP_SKIP_KASAN",   0 },
	{ "__GFP_SKIP_KASAN_POISON",   0 },
	{ "__GFP_SKIP_KASAN_UNPOISON", 0 },
	{ "__GFP_NO_OBJ_EXT",   0 },
	{ "none",               0 },
};

static const char *const mtype_names[MT_NR] = {
	"Unmovable", "Movable", "Reclaimable", "HighAtomic", "Isolate"
};

const char *mtype_name(unsigned int type)
{
	return type < MT_NR ? mtype_names[type] : "?";
}

int mtype_parse(const char *text, size_t len)
{
	for (int i = 0; i < MT_NR; i++)
		if ((strlen(mtype_names[i]) == len && !strncasecmp(mtype_names[i], text, len)) ||
		    (len == 1 && text[0] == '0' + i))
			return i;
	return fail(EINVAL, "'%.*s' is no migratetype: write unmovable, movable, reclaimable, "
		    "highatomic or isolate", (int)(len < 64 ? len : 64), text);
}

const char *gfp_word(size_t i)
{
	return i < ARRAY_SIZE(words) ? words[i].name : NULL;
}

static bool find(const struct word *list, size_t nr, const char *text, size_t len, uint32_t *bits)
{
	for (size_t i = 0; i < nr; i++) {
		if (strlen(list[i].name) != len || memcmp(list[i].name, text, len))
			continue;
		*bits = list[i].bits;
		return true;
	}
	return false;
}

static bool find_any(const char *text, size_t len, uint32_t *bits)
{
	return find(words, ARRAY_SIZE(words), text, len, bits) ||
	       find(other_words, ARRAY_SIZE(other_words), text, len, bits);
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* 0x…, 0… or decimal, up to 32 bits. */
static bool read_number(const char *text, size_t len, uint32_t *bits)
{
	int base = 10;
	uint64_t v = 0;
	size_t i = 0;

	if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	} else if (len > 1 && text[0] == '0') {
		base = 8;
	}
	if (i == len)
		return false;
	for (; i < len; i++) {
		int d = digit_value(text[i]);

		if (d >= base)
			return false;
		v = v * (unsigned int)base + (unsigned int)d;
		if (v > UINT32_MAX)
			return false;
	}
	*bits = (uint32_t)v;
	return true;
}

/*
 * One word. Kernels before 4.5 wrote single bits without underscores, so a GFP_X
 * that is no set is the bit __GFP_X; ___GFP_X is how headers name the bit's number.
 */
static bool read_word(const char *text, size_t len, uint32_t *bits)
{
	char longer[48];

	if (find_any(text, len, bits))
		return true;
	if (len > 0 && text[0] >= '0' && text[0] <= '9')
		return read_number(text, len, bits);
	if (len > 7 && !strncmp(text, "___GFP_", 7))
		return find_any(text + 1, len - 1, bits);
	if (len <= 4 || len > sizeof(longer) - 3 || strncmp(text, "GFP_", 4))
		return false;
	memcpy(longer, "__", 2);
	memcpy(longer + 2, text, len);
	return find_any(longer, len + 2, bits);
}

/* Next word of text[*at…len), blanks around it cut; false at the end. */
static bool next_word(const char *text, size_t len, size_t *at, const char **word, size_t *word_len)
{
	const char *bar;
	size_t a = *at, e;

	if (a > len)
		return false;
	bar = memchr(text + a, '|', len - a);
	e = bar ? (size_t)(bar - text) : len;
	*at = e + 1;
	while (a < e && text[a] == ' ')
		a++;
	while (e > a && text[e - 1] == ' ')
		e--;
	*word = text + a;
	*word_len = e - a;
	return true;
}

bool gfp_read(const char *text, size_t len, uint32_t *gfp)
{
	const char *word;
	size_t at = 0, word_len;
	bool all_known = true;
	uint32_t bits;

	*gfp = 0;
	while (next_word(text, len, &at, &word, &word_len)) {
		if (read_word(word, word_len, &bits))
			*gfp |= bits;
		else
			all_known = false;
	}
	return all_known;
}

int gfp_parse(const char *text, size_t len, uint32_t *gfp)
{
	const char *word;
	size_t at = 0, word_len;
	uint32_t bits, all = 0;

	while (next_word(text, len, &at, &word, &word_len)) {
		if (!read_word(word, word_len, &bits))
			return fail(EINVAL, "'%.*s' is no gfp flag: write kernel names joined by |, "
				    "as GFP_KERNEL|__GFP_ZERO, or a number",
				    (int)(word_len < 64 ? word_len : 64), word);
		all |= bits;
	}
	if (!gfp_is_valid(all))
		return fail(EINVAL, "__GFP_MOVABLE and __GFP_RECLAIMABLE exclude each other");
	*gfp = all;
	return 0;
}

struct text_out {
	char *buf;
	size_t size, len;
};

static void put_word(struct text_out *o, const char *word)
{
	size_t room = o->len < o->size ? o->size - o->len : 0;
	int n = snprintf(room ? o->buf + o->len : NULL, room, "%s%s", o->len ? "|" : "", word);

	o->len += (size_t)n;
}

size_t gfp_print(uint32_t gfp, char *buf, size_t size)
{
	struct text_out o = { buf, size, 0 };
	char rest[16];

	if (!gfp) {
		put_word(&o, "none");
		return o.len;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if ((gfp & words[i].bits) != words[i].bits)
			continue;
		put_word(&o, words[i].name);
		gfp &= ~words[i].bits;
	}
	if (gfp) {
		snprintf(rest, sizeof(rest), "0x%x", gfp);
		put_word(&o, rest);
	}
	return o.len;
}

/*
 * Where earlier kernels had their bits. Bits 0 to 3 and 5 to 7 never moved.
 * Checked against modes that such kernels printed beside their names: 0xd0,
 * 0x24000c0, 0x14000c0, 0x6000c0 and 0xcc0 are all GFP_KERNEL.
 */
struct move {
	uint32_t there;
	uint32_t here;
};

#define SAME_BITS 0xefu
#define MOVES_TO_4_20                                                                 \
	{ 0x200, GFP_BIT_NOWARN },     { 0x400, GFP_BIT_RETRY_MAYFAIL },              \
	{ 0x800, GFP_BIT_NOFAIL },     { 0x1000, GFP_BIT_NORETRY },                   \
	{ 0x2000, GFP_BIT_MEMALLOC },  { 0x4000, GFP_BIT_COMP },                      \
	{ 0x8000, GFP_BIT_ZERO },      { 0x10000, GFP_BIT_NOMEMALLOC },               \
	{ 0x20000, GFP_BIT_HARDWALL }, { 0x40000, GFP_BIT_THISNODE }
#define MOVES_FROM_4_4                                                                \
	{ 0x10, GFP_BIT_RECLAIMABLE }, { 0x80000, GFP_BIT_ATOMIC }, { 0x100000, GFP_BIT_ACCOUNT }

static const struct move to_4_3[] = {
	MOVES_TO_4_20,
	{ 0x10, GFP_BIT_RECLAIM }, { 0x80000, GFP_BIT_RECLAIMABLE }, { 0x1000000, GFP_BIT_WRITE },
	{ 0, 0 }
};
static const struct move from_4_4[] = {
	MOVES_TO_4_20, MOVES_FROM_4_4,
	{ 0x400000, GFP_BIT_DIRECT_RECLAIM }, { 0x1000000, GFP_BIT_WRITE },
	{ 0x2000000, GFP_BIT_KSWAPD_RECLAIM }, { 0, 0 }
};
static const struct move from_4_10[] = {
	MOVES_TO_4_20, MOVES_FROM_4_4,
	{ 0x400000, GFP_BIT_DIRECT_RECLAIM }, { 0x800000, GFP_BIT_WRITE },
	{ 0x1000000, GFP_BIT_KSWAPD_RECLAIM }, { 0, 0 }
};
static const struct move from_4_16[] = {
	MOVES_TO_4_20, MOVES_FROM_4_4,
	{ 0x200000, GFP_BIT_DIRECT_RECLAIM }, { 0x400000, GFP_BIT_KSWAPD_RECLAIM },
	{ 0x800000, GFP_BIT_WRITE }, { 0, 0 }
};

static const struct move *moves_of(unsigned int version)
{
	if (version < 404)
		return to_4_3;
	if (version < 410)
		return from_4_4;
	return version < 416 ? from_4_10 : from_4_16;
}

uint32_t gfp_from_kernel(uint64_t bits, unsigned int major, unsigned int minor)
{
	unsigned int version = major * 100 + (minor < 99 ? minor : 99);
	uint32_t gfp = (uint32_t)bits & SAME_BITS;

	if (major >= 5)
		return (uint32_t)bits;
	for (const struct move *m = moves_of(version); m->there; m++)
		if (bits & m->there)
			gfp |= m->here;
	return gfp;
}
