/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bits - rounding and logarithms, named as the specification names them. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/types.h"

/* Index of the highest set bit counted from 1; fls(0) = 0. */
static inline unsigned int fls(uint64_t x)
{
	return x ? 64 - (unsigned int)__builtin_clzll(x) : 0;
}

static inline unsigned int ilog2(uint64_t x)
{
	return fls(x) - 1;
}

/* `a` may be any positive number, not only a power of two. */
static inline uint64_t round_up(uint64_t x, uint64_t a)
{
	return (x + a - 1) / a * a;
}

static inline uint64_t round_down(uint64_t x, uint64_t a)
{
	return x / a * a;
}

static inline bool is_pow2(uint64_t x)
{
	return x && !(x & (x - 1));
}

/* Smallest order whose 2^order pages hold `bytes`. */
static inline unsigned int get_order(uint64_t bytes)
{
	return bytes <= PAGE_SIZE ? 0 : fls(bytes - 1) - PAGE_SHIFT;
}

/* The largest number whose square is not above x. */
static inline uint64_t isqrt(uint64_t x)
{
	uint64_t root = 0;

	for (uint64_t bit = 1ULL << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= x)
			root |= bit;
	return root;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t clamp_u64(uint64_t x, uint64_t lo, uint64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

#endif
