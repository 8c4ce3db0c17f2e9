/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contender - the works, over one set of calls. Included once a set.
 *
 * Before: SET(name) gives names of this set; OBJ_ALLOC, OBJ_FREE(p),
 * PAGE_ALLOC, PAGE_FREE(p) are expressions over `size`. A set with caches has
 * CACHE_ALLOC, CACHE_FREE(p) too, of a cache of LOOP_BYTES, for the loops.
 *
 * Sixteen objects stay live beside the measured ones, so that nobody gives the
 * only slab back between two rounds.
 */

#ifndef CACHE_ALLOC
#define CACHE_ALLOC OBJ_ALLOC
#define CACHE_FREE(p) OBJ_FREE(p)
#endif

static void SET(loop)(unsigned int n)
{
	const size_t size = LOOP_BYTES;
	void *p[64];

	(void)size;

	TIMED("loop", n, n, {
		for (unsigned int j = 0; j < n; j++)
			p[j] = CACHE_ALLOC;
		BARRIER(p);
		for (unsigned int j = 0; j < n; j++)
			CACHE_FREE(p[j]);
		BARRIER(p);
	});
}

static void SET(pair)(size_t size)
{
	TIMED("pair", size, 1, {
		void *p = OBJ_ALLOC;

		BARRIER(p);
		OBJ_FREE(p);
		BARRIER(0);
	});
}

static void SET(pages)(unsigned int n)
{
	void *p[16];

	TIMED("pages", n, n, {
		for (unsigned int j = 0; j < n; j++)
			p[j] = PAGE_ALLOC;
		BARRIER(p);
		for (unsigned int j = 0; j < n; j++)
			PAGE_FREE(p[j]);
		BARRIER(p);
	});
}

static void SET(ballast)(size_t size)
{
	for (int i = 0; i < 16; i++) {
		void *p = OBJ_ALLOC;

		BARRIER(p);
	}
}

static void SET(loop_ballast)(void)
{
	const size_t size = LOOP_BYTES;

	(void)size;
	for (int i = 0; i < 16; i++) {
		void *p = CACHE_ALLOC;

		BARRIER(p);
	}
}

static void SET(works)(void)
{
	static const unsigned int loops[] = { 1, 2, 4, 8, 16, 32 };
	static const size_t sizes[] = { 8, 32, 64, 128, 256, 512, 1024, 2048, 4096 };

	SET(loop_ballast)();
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++)
		SET(loop)(loops[i]);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		SET(ballast)(sizes[i]);
		SET(pair)(sizes[i]);
	}
	SET(pages)(1);
	SET(pages)(16);
}

#undef SET
#undef OBJ_ALLOC
#undef OBJ_FREE
#undef CACHE_ALLOC
#undef CACHE_FREE
#undef PAGE_ALLOC
#undef PAGE_FREE
