/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rand - small seeded random numbers whose state may live in the region.
 *
 * splitmix64 (Steele, Lea, Flood 2014): one word of state, any seed is good,
 * so a lab's random state is copied and restored with the rest of it.
 */
#ifndef BASE_RAND_H
#define BASE_RAND_H

#include "base/types.h"

#define RAND_STEP 0x9e3779b97f4a7c15ULL

static inline uint64_t rand_next(uint64_t *state)
{
	uint64_t z = *state += RAND_STEP;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform in 0 .. n-1 (n > 0); the bias of the multiply is below 2^-32 for the n used here. */
static inline uint64_t rand_below(uint64_t *state, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rand_next(state) * n) >> 64);
}

#endif
