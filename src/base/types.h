/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * types - the few words that every room speaks.
 *
 * Units. A pfn counts 4096-byte pages from the start of a lab's memory; an
 * offset counts bytes from the start of the lab's region, 0 meaning "none"
 * (the region's first page is its header, so no object ever lies there).
 */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

typedef uint32_t pfn_t;
#define PFN_NONE UINT32_MAX

#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define MAX_PAGE_ORDER 10
#define NR_PAGE_ORDERS (MAX_PAGE_ORDER + 1)
#define CACHE_LINE 64

#define MAX_CPUS 1024
#define MAX_NODES 64

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define barrier() __asm__ volatile("" ::: "memory")
#if defined(__x86_64__) || defined(__i386__)
#define cpu_relax() __builtin_ia32_pause()
#else
#define cpu_relax() barrier()
#endif
#define __cacheline_aligned __attribute__((aligned(CACHE_LINE)))
#define __printf_like(f, a) __attribute__((format(printf, f, a)))

#endif
