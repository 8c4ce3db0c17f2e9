/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_scan - numbers and word ends, eight or sixteen characters at a time.
 *
 * Idea. Lengths in a trace change from line to line, so a loop over characters
 * mispredicts its end once per field, which costs more than the field. A wide word
 * holds many characters, and a few sums mark those of a kind without a branch.
 * Everything here may load up to 16 bytes beyond (or, where it says so, before) the
 * characters it is about.
 *
 * In a 64-bit word the first character is the lowest byte. Marks are the high bits
 * of bytes; a mark may be wrong only above a right one, so the lowest is right.
 */
#ifndef FORMATS_TRACE_SCAN_H
#define FORMATS_TRACE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SCAN_ALL(byte) (0x0101010101010101ull * (byte))
#define SCAN_HIGH      SCAN_ALL(0x80)

static inline uint64_t scan_load(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

/* Marks of bytes below `n` (n <= 128). */
static inline uint64_t scan_below(uint64_t x, unsigned int n)
{
	return (x - SCAN_ALL(n)) & ~x & SCAN_HIGH;
}

/* Index of the byte with the lowest mark. */
static inline unsigned int scan_first(uint64_t marks)
{
	return (unsigned int)__builtin_ctzll(marks) >> 3;
}

#ifdef __SSE2__
#define SCAN_WIDTH 16

/* One bit per character. */
static inline unsigned int scan_words_end(const char *p)
{
	__m128i x = _mm_loadu_si128((const __m128i *)p);
	__m128i last = _mm_set1_epi8(' ');

	return (unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(x, last), x));
}

static inline unsigned int scan_heads_end(const char *p)
{
	__m128i x = _mm_loadu_si128((const __m128i *)p), last = _mm_set1_epi8(0x1f);
	__m128i m = _mm_cmpeq_epi8(_mm_min_epu8(x, last), x);

	m = _mm_or_si128(m, _mm_cmpeq_epi8(x, _mm_set1_epi8('[')));
	m = _mm_or_si128(m, _mm_cmpeq_epi8(x, _mm_set1_epi8('#')));
	return (unsigned int)_mm_movemask_epi8(m);
}

static inline unsigned int scan_index(unsigned int marks)
{
	return (unsigned int)__builtin_ctz(marks);
}
#else
#define SCAN_WIDTH 8

static inline uint64_t scan_words_end(const char *p)
{
	return scan_below(scan_load(p), 0x21);
}

static inline uint64_t scan_heads_end(const char *p)
{
	uint64_t x = scan_load(p);

	return scan_below(x, 0x20) | scan_below(x ^ SCAN_ALL('['), 1) |
	       scan_below(x ^ SCAN_ALL('#'), 1);
}

static inline unsigned int scan_index(uint64_t marks)
{
	return scan_first(marks);
}
#endif

/* The first blank or control character; a newline must follow somewhere. */
static inline const char *scan_word_end(const char *p)
{
	for (;; p += SCAN_WIDTH) {
		__auto_type m = scan_words_end(p);

		if (m)
			return p + scan_index(m);
	}
}

/* The first `[`, `#` or control character of the first `max`, or NULL. */
static inline const char *scan_head_end(const char *p, unsigned int max)
{
	for (const char *end = p + max; p < end; p += SCAN_WIDTH) {
		__auto_type m = scan_heads_end(p);

		if (m)
			return p + scan_index(m);
	}
	return NULL;
}

/* Eight digits, by value, the first one lowest. */
static inline uint64_t scan_sum(uint64_t digits)
{
	digits = digits * (10 << 8 | 1) >> 8 & 0x00ff00ff00ff00ffull;
	digits = digits * (100 << 16 | 1) >> 16 & 0x0000ffff0000ffffull;
	return digits * (10000ull << 32 | 1) >> 32;
}

/*
 * The last word before `end` and blanks: does it end in digits, at most 8, and
 * what stands in front of them? Looks at the 16 characters before `end`.
 */
static inline const char *scan_before_number(const char *end)
{
	unsigned int not_blank = 0, not_digit = 0, last, front;
#ifdef __SSE2__
	__m128i x = _mm_loadu_si128((const __m128i *)(end - 16));
	__m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('0' - 1)),
				      _mm_cmplt_epi8(x, _mm_set1_epi8('9' + 1)));

	not_digit = ~(unsigned int)_mm_movemask_epi8(digit) & 0xffff;
	not_blank = ~(unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')));
	not_blank &= 0xffff;
#else
	for (unsigned int i = 0; i < 16; i++) {
		not_digit |= (unsigned int)((unsigned char)(end[(int)i - 16] - '0') > 9) << i;
		not_blank |= (unsigned int)(end[(int)i - 16] != ' ') << i;
	}
#endif
	if (!not_blank)
		return NULL;
	last = 31 - (unsigned int)__builtin_clz(not_blank);
	not_digit &= (2u << last) - 1;
	if (!not_digit)
		return NULL;
	front = 31 - (unsigned int)__builtin_clz(not_digit);
	return last > front && last - front <= 8 ? end - 16 + front : NULL;
}

/* Up to 18 digits. Returns behind them; NULL without one, or with more. */
static inline const char *scan_decimal(const char *p, uint64_t *value)
{
	uint64_t x = scan_load(p) ^ SCAN_ALL('0');
	uint64_t m = ((x + SCAN_ALL(0x80 - 10)) | x) & SCAN_HIGH, v;
	unsigned int n;

	if (__builtin_expect(m != 0, 1)) {
		n = scan_first(m);
		*value = scan_sum(x << 8 << (56 - 8 * n));      /* zeros in front */
		return n ? p + n : NULL;
	}
	v = scan_sum(x);
	for (n = 8; (unsigned char)(p[n] - '0') < 10; n++) {
		if (n == 18)
			return NULL;
		v = v * 10 + (unsigned char)(p[n] - '0');
	}
	*value = v;
	return p + n;
}

static inline unsigned int scan_hex_digit(char c)
{
	unsigned int d = (unsigned char)(c - '0');

	if (d < 10)
		return d;
	d = (unsigned char)(c - 'a');
	return d < 6 ? d + 10 : 16;
}

/* 1 to 16 digits 0-9a-f, without 0x. Returns behind them, or NULL. */
static inline const char *scan_hex(const char *p, uint64_t *value)
{
	uint64_t v = 0;
	unsigned int d, n = 0;

	for (; (d = scan_hex_digit(p[n])) < 16; n++)
		v = v << 4 | d;
	*value = v;
	return n > 0 && n <= 16 ? p + n : NULL;
}

#ifdef __SSE2__
/* The usual pointer: sixteen digits 0-9a-f, whatever follows. */
static inline bool scan_hex16(const char *p, uint64_t *value)
{
	__m128i x = _mm_loadu_si128((const __m128i *)p);
	__m128i letter = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('a' - 1)),
				       _mm_cmplt_epi8(x, _mm_set1_epi8('f' + 1)));
	__m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('0' - 1)),
				      _mm_cmplt_epi8(x, _mm_set1_epi8('9' + 1)));

	if (_mm_movemask_epi8(_mm_or_si128(letter, digit)) != 0xffff)
		return false;
	x = _mm_add_epi8(_mm_and_si128(x, _mm_set1_epi8(0x0f)),
			 _mm_and_si128(letter, _mm_set1_epi8(9)));
	x = _mm_or_si128(_mm_slli_epi16(x, 4), _mm_srli_epi16(x, 8));
	x = _mm_packus_epi16(_mm_and_si128(x, _mm_set1_epi16(0xff)), x);
	*value = __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(x));
	return true;
}
#else
static inline bool scan_hex16(const char *p, uint64_t *value)
{
	return scan_hex(p, value) == p + 16;
}
#endif

#endif
