/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contender - the works, over one set of calls. Included once a set.
 *
 * Before: SET(name) gives names of this set; OBJ_ALLOC, OBJ_FREE(p),
 * PAGE_ALLOC, PAGE_FREE(p) are expressions over `size`.
 *
 * Sixteen objects stay live beside the measured ones, so that nobody gives the
 * only slab back between two rounds.
 */

static void SET(loop)(size_t size, unsigned int n)
{
	void *p[64];

	TIMED("loop", n, n, {
		for (unsigned int j = 0; j < n; j++)
			p[j] = OBJ_ALLOC;
		BARRIER(p);
		for (unsigned int j = 0; j < n; j++)
			OBJ_FREE(p[j]);
		BARRIER(p);
	});
}

static void SET(pair)(size_t size)
{
	TIMED("pair", size, 1, {
		void *p = OBJ_ALLOC;

		BARRIER(p);
		OBJ_FREE(p);
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

static void SET(works)(void)
{
	static const unsigned int loops[] = { 1, 2, 4, 8, 16, 32 };
	static const size_t sizes[] = { 8, 64, 256, 1024, 4096 };

	SET(ballast)(256);
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++)
		SET(loop)(256, loops[i]);
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
#undef PAGE_ALLOC
#undef PAGE_FREE
