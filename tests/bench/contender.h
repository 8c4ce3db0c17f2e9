/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contender - the works, over one set of calls. Included once a set.
 *
 * Before: SET(name) gives names of this set; OBJ_ALLOC, OBJ_FREE(p),
 * PAGE_ALLOC(order), PAGE_FREE(p, order) are expressions over `size`. A set
 * with caches has CACHE_ALLOC, CACHE_FREE(p) too, of a cache of LOOP_BYTES, for
 * the loops; one with bulk calls BULK_ALLOC(n, p), BULK_FREE(n, p) and
 * PAGES_BULK(n, p), PAGES_BULK_FREE(n, p). TRIM gives what is free back to the
 * host. SET_THREAD(i) begins what a second thread needs, SET_THREAD_END ends
 * it. A set that tells no sizes apart has ONE_SIZE.
 *
 * Sixteen objects stay live beside the measured ones, so that nobody gives the
 * only slab back between two rounds.
 */

#ifndef CACHE_ALLOC
#define CACHE_ALLOC OBJ_ALLOC
#define CACHE_FREE(p) OBJ_FREE(p)
#endif
#ifndef SET_THREAD
#define SET_THREAD(i)
#define SET_THREAD_END
#endif

static void SET(loop)(unsigned int n)
{
	const size_t size = LOOP_BYTES;
	void *p[LOOP_MOST];

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

#ifdef BULK_ALLOC
static void SET(bulk)(unsigned int n)
{
	void *p[LOOP_MOST];

	TIMED("bulk", n, n, {
		BULK_ALLOC(n, p);
		BARRIER(p);
		BULK_FREE(n, p);
		BARRIER(p);
	});
}
#endif

static void SET(pair)(size_t size)
{
	TIMED("pair", size, 1, {
		void *p = OBJ_ALLOC;

		BARRIER(p);
		OBJ_FREE(p);
		BARRIER(0);
	});
}

static void SET(pages)(unsigned int order, unsigned int n)
{
	void *p[16];

	TIMED(order ? "order-4" : "page", n, n, {
		for (unsigned int j = 0; j < n; j++)
			p[j] = PAGE_ALLOC(order);
		BARRIER(p);
		for (unsigned int j = 0; j < n; j++)
			PAGE_FREE(p[j], order);
		BARRIER(p);
	});
}

#ifdef PAGES_BULK
static void SET(pages_bulk)(unsigned int n)
{
	void *p[16];

	TIMED("page-bulk", n, n, {
		PAGES_BULK(n, p);
		BARRIER(p);
		PAGES_BULK_FREE(n, p);
		BARRIER(p);
	});
}
#endif

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

#if !defined(ONE_SIZE) && !defined(NO_MIX)
static void SET(replace)(struct slot *s, uint64_t dice)
{
	size_t size = s->size;

	(void)size;
	s->sum += *(uint64_t *)s->p;
	OBJ_FREE(s->p);
	size = s->size = 16 + ((dice & 0xffffffffu) * 1009 >> 32);
	s->p = OBJ_ALLOC;
	*(uint64_t *)s->p = dice;
}

/* Objects of all sizes, replaced at random: read, freed, another one written. */
static void SET(mix)(void)
{
	struct slot *s = slots(MIX_OBJECTS);
	uint64_t dice = 1;

	for (unsigned int i = 0; i < MIX_OBJECTS; i++) {
		size_t size = s[i].size = 16 + ((roll(&dice) & 0xffffffffu) * 1009 >> 32);

		s[i].p = OBJ_ALLOC;
		memset(s[i].p, 1, size);
	}
	for (unsigned int i = 0; i < 2 * MIX_OBJECTS; i++)
		SET(replace)(&s[(roll(&dice) >> 32) * MIX_OBJECTS >> 32], roll(&dice));
	TIMED("mix", MIX_OBJECTS, 1, {
		uint64_t d = roll(&dice);

		SET(replace)(&s[(d >> 32) * MIX_OBJECTS >> 32], d);
	});
}
#endif

#ifndef ONE_SIZE
static void *SET(consumer)(void *arg)
{
	const size_t size = LOOP_BYTES;
	uint64_t sum = 0;
	void *p;

	(void)arg;
	(void)size;
	pin(1);
	SET_THREAD(1)
	while ((p = ring_take(&sum)))
		CACHE_FREE(p);
	SET_THREAD_END
	return NULL;
}

/* One thread allocates and writes, another one reads and frees. */
static void SET(remote)(void)
{
	const size_t size = LOOP_BYTES;
	pthread_t thread;

	(void)size;
	if (!ring_begin() || pthread_create(&thread, NULL, SET(consumer), NULL))
		return;
	ring_wait();
	TIMED("remote", LOOP_BYTES, RING_BATCH, {
		void *p[RING_BATCH];

		for (unsigned int j = 0; j < RING_BATCH; j++)
			p[j] = CACHE_ALLOC;
		ring_give(p);
	});
	ring_end();
	pthread_join(thread, NULL);
}
#endif

#if !defined(ONE_SIZE) && !defined(NO_MIX)
static size_t SET(age_free)(struct slot *s, uint64_t *n, uint64_t dice)
{
	struct slot *gone = &s[(dice >> 32) * *n >> 32];
	const size_t size = gone->size;

	OBJ_FREE(gone->p);
	*gone = s[--*n];
	return size;
}

/* Three phases of sizes, each filled, churned once over, then four fifths freed: resident bytes over live ones. */
static void SET(age)(void)
{
	struct slot *s = slots(AGE_MOST);
	uint64_t live = 0, n = 0, dice = 42;
	double before = resident_bytes();

	for (unsigned int phase = 0; phase < AGE_PHASES; phase++) {
		uint64_t churn = 0;

		for (bool full = false; !full || churn; ) {
			if (live >= AGE_BYTES) {
				churn = full ? churn - 1 : n;
				full = true;
				live -= SET(age_free)(s, &n, roll(&dice));
				continue;
			}
			size_t size = age_size(phase, roll(&dice));

			s[n].p = OBJ_ALLOC;
			s[n++].size = size;
			memset(s[n - 1].p, 0x5a, size);
			live += size;
		}
		printf("age\t%u\t%.4f\n", phase + 1, (resident_bytes() - before) / (double)live);
#ifdef TRIM
		if (phase == AGE_PHASES - 1) {	/* the last, so that the others are as without */
			TRIM;
			printf("trimmed\t%u\t%.4f\n", phase + 1, (resident_bytes() - before) / (double)live);
		}
#endif
		for (uint64_t left = n / 5; n > left; )
			live -= SET(age_free)(s, &n, roll(&dice));
	}
}
#endif

static void SET(works)(void)
{
	static const unsigned int loops[] = { 1, 2, 4, 8, 16, 32, 34, 64, 128, 250 };
	static const size_t sizes[] = { 8, 32, 64, 128, 256, 512, 1024, 2048, 4096 };

	SET(loop_ballast)();
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++)
		SET(loop)(loops[i]);
#ifdef BULK_ALLOC
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++)
		SET(bulk)(loops[i]);
#endif
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		SET(ballast)(sizes[i]);
		SET(pair)(sizes[i]);
	}
	SET(pages)(0, 1);
	SET(pages)(0, 16);
#ifdef PAGES_BULK
	SET(pages_bulk)(16);
#endif
	SET(pages)(4, 1);
#if !defined(ONE_SIZE) && !defined(NO_MIX)
	SET(mix)();
#endif
#ifndef ONE_SIZE
	SET(remote)();
#endif
}

#undef ONE_SIZE
#undef NO_MIX
#undef SET
#undef SET_THREAD
#undef SET_THREAD_END
#undef OBJ_ALLOC
#undef OBJ_FREE
#undef CACHE_ALLOC
#undef CACHE_FREE
#undef BULK_ALLOC
#undef BULK_FREE
#undef PAGE_ALLOC
#undef PAGE_FREE
#undef PAGES_BULK
#undef TRIM
#undef PAGES_BULK_FREE
