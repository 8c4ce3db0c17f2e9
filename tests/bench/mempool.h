/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mempool - calls of DPDK's rte_mempool: a cache of pointers for each thread, a
 * ring behind it. Its get and put are inline, so they are compiled in, in a
 * program of its own (bench-mempool, where configure found libdpdk).
 *
 * A pool for each power of two, made before anything is timed; ordinary pages.
 */
#ifndef BENCH_MEMPOOL_H
#define BENCH_MEMPOOL_H

#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_mempool.h>

#define POOL_CACHE RTE_MEMPOOL_CACHE_MAX_SIZE	/* pointers that a thread keeps */
#define POOL_POWERS 17				/* objects of 8 bytes to 64 KiB */

static struct rte_mempool *pools[POOL_POWERS];

static inline unsigned int pool_power(size_t size)
{
	return size <= 8 ? 3 : 64 - (unsigned int)__builtin_clzl(size - 1);
}

static bool pool_make(unsigned int power)
{
	size_t size = (size_t)1 << power;
	unsigned int cache = size >= 65536 ? POOL_CACHE / 2 : POOL_CACHE, nr = size >= 65536 ? 1023 : size >= 4096 ? 4095 : 16383;
	char name[16];

	snprintf(name, sizeof(name), "p%u", power);
	pools[power] = rte_mempool_create(name, nr, (unsigned int)size, cache, 0, NULL, NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	return pools[power];
}

static bool pools_begin(void)
{
	static char *words[] = { "bench", "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "512", "-l", "0",
				 "--log-level=3", NULL };
	bool made = rte_eal_init((int)(sizeof(words) / sizeof(*words)) - 1, words) >= 0;

	for (unsigned int power = 3; power < POOL_POWERS && made; power++)
		made = pool_make(power);
	return made;
}

static inline void *pool_take(size_t size)
{
	void *p;

	return rte_mempool_get(pools[pool_power(size)], &p) ? NULL : p;
}

static inline void pool_put(void *p, size_t size)
{
	rte_mempool_put(pools[pool_power(size)], p);
}

#endif
