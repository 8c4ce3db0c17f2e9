/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace - the text of a kernel's kmem trace, one record at a time.
 *
 * Idea. A trace file is read once from front to end through one fixed buffer, and
 * each line that tells of an allocation becomes one struct trace_record. Lines as
 * ftrace, perf script and trace-cmd write them are read by a parser that expects
 * fields in their usual order; at the first surprise the line is read again by a
 * patient one that knows every family, strips what mail and logs put in front,
 * joins what a mailer folded and decodes quoted-printable.
 *
 * Invariants (struct trace_stats)
 *   T1  lines = understood + skipped + not_understood + headers + stacks + joined.
 *   T2  a record has every field that its event needs (TRACE_NEEDS), so a line
 *       cut before one of them is not understood, never half a record.
 *   T3  migratetypes are numbered as enum mtype, gfp bits as enum gfp_bit,
 *       whatever kernel wrote the file.
 *
 * Ownership. One thread per reader. Slices of a record point into the reader and
 * are good until the next trace_next(), trace_rewind() or trace_close().
 *
 * Units. Times in nanoseconds since whatever the file's clock counts from; sizes
 * in bytes; lines count from 1. Memory is below 1 MiB for a file of any size.
 */
#ifndef FORMATS_TRACE_H
#define FORMATS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/gfp.h"

/* X(enum, today's name, fields it cannot do without) */
#define TRACE_EVENTS(X)                                                                \
	X(KMALLOC,          "kmalloc",                   TRACE_OBJECT)                  \
	X(KMEM_CACHE_ALLOC, "kmem_cache_alloc",          TRACE_OBJECT)                  \
	X(KFREE,            "kfree",                     TRACE_HAS_PTR)                 \
	X(KMEM_CACHE_FREE,  "kmem_cache_free",           TRACE_HAS_PTR)                 \
	X(PAGE_ALLOC,       "mm_page_alloc",             TRACE_BLOCK)                   \
	X(PAGE_FREE,        "mm_page_free",              TRACE_BLOCK)                   \
	X(PAGE_BATCHED,     "mm_page_free_batched",      TRACE_HAS_PFN)                 \
	X(ZONE_LOCKED,      "mm_page_alloc_zone_locked", TRACE_BLOCK)                   \
	X(PCPU_DRAIN,       "mm_page_pcpu_drain",        TRACE_BLOCK)                   \
	X(EXTFRAG,          "mm_page_alloc_extfrag",     TRACE_BLOCK | TRACE_HAS_FALLBACK_ORDER)

#define TRACE_EVENT_ENUM(id, name, needs) TRACE_##id,
enum trace_event { TRACE_EVENTS(TRACE_EVENT_ENUM) TRACE_EVENT_NR };

/*
 * Names as they stand in files: those above, and what older kernels called them.
 * X(enum, name, the event it is)
 */
#define TRACE_OLD_NAMES(X)                                            \
	X(KMALLOC_NODE,          "kmalloc_node",          KMALLOC)          \
	X(KMEM_CACHE_ALLOC_NODE, "kmem_cache_alloc_node", KMEM_CACHE_ALLOC) \
	X(PAGE_FREE_DIRECT,      "mm_page_free_direct",   PAGE_FREE)        \
	X(PAGEVEC_FREE,          "mm_pagevec_free",       PAGE_BATCHED)

#define TRACE_OLD_ENUM(id, name, event) TRACE_##id,
enum trace_spelling {
	TRACE_OLD_FIRST = TRACE_EVENT_NR - 1,
	TRACE_OLD_NAMES(TRACE_OLD_ENUM)
	TRACE_SPELLING_NR
};

/* What a line carried (trace_record.has). */
enum trace_has {
	TRACE_HAS_CPU            = 1 << 0,
	TRACE_HAS_TIME           = 1 << 1,
	TRACE_HAS_TASK           = 1 << 2,  /* COMM and PID; only said, not kept */
	TRACE_HAS_FLAGS          = 1 << 3,
	TRACE_HAS_CALL_SITE      = 1 << 4,
	TRACE_HAS_PTR            = 1 << 5,
	TRACE_HAS_BYTES_REQ      = 1 << 6,
	TRACE_HAS_BYTES_ALLOC    = 1 << 7,
	TRACE_HAS_GFP            = 1 << 8,
	TRACE_HAS_NODE           = 1 << 9,
	TRACE_HAS_ACCOUNTED      = 1 << 10, /* the line said so; else from the gfp bits */
	TRACE_HAS_NAME           = 1 << 11,
	TRACE_HAS_PFN            = 1 << 12,
	TRACE_HAS_ORDER          = 1 << 13,
	TRACE_HAS_MTYPE          = 1 << 14,
	TRACE_HAS_REFILL         = 1 << 15,
	TRACE_HAS_FALLBACK_ORDER = 1 << 16,
	TRACE_HAS_FALLBACK_MTYPE = 1 << 17,
	TRACE_HAS_BLOCK_ORDER    = 1 << 18,
	TRACE_HAS_FRAGMENTING    = 1 << 19,
	TRACE_HAS_OWNERSHIP      = 1 << 20,
	TRACE_HAS_COLD           = 1 << 21,
	TRACE_GFP_UNKNOWN        = 1 << 31  /* a gfp word was not known and left out */
};

#define TRACE_OBJECT (TRACE_HAS_PTR | TRACE_HAS_BYTES_REQ | TRACE_HAS_BYTES_ALLOC)
#define TRACE_BLOCK  (TRACE_HAS_PFN | TRACE_HAS_ORDER)

struct trace_slice {
	const char *s;                  /* not NUL-terminated */
	size_t len;
};

/* What a line did not say is 0, an empty slice, and -1 for node. */
struct trace_record {
	uint64_t line;                  /* number of its first line */
	uint64_t time_ns;               /* digits of the file, so equal text is equal time */
	uint64_t ptr;                   /* 0: null; a hash in most ftrace files; of pages with pfn 0: 1 unless null */
	uint64_t pfn;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	struct trace_slice call_site;   /* whole; trace_key() gives the part that names it */
	struct trace_slice name;        /* cache, of kmem_cache_free */
	struct trace_slice flags;       /* irqs-off … column, four or five characters */
	uint32_t has;                   /* enum trace_has */
	uint32_t gfp;
	uint32_t cpu;                   /* < TRACE_CPU_MAX */
	int32_t node;                   /* -1: any */
	uint8_t event;                  /* enum trace_event */
	uint8_t spelling;               /* enum trace_spelling: the name in the file */
	bool accounted;                 /* of objects */
	bool percpu_refill;             /* zone_locked */
	bool cold;                      /* pagevec_free */
	bool fragmenting;               /* extfrag */
	bool change_ownership;          /* extfrag */
	uint8_t order;                  /* extfrag: of the request */
	uint8_t mtype;                  /* enum mtype; extfrag: of the request */
	uint8_t mtype_raw;              /* the file's own number */
	uint8_t fallback_order;         /* extfrag: of the block that was found */
	uint8_t fallback_mtype;         /* extfrag: what that block was kept for */
	uint8_t pageblock_order;        /* extfrag */
};

#define TRACE_CPU_MAX   65536
#define TRACE_ORDER_MAX 30
#define TRACE_SHOWN     5       /* lines not understood that are kept for the report */
#define TRACE_SHOWN_LEN 200     /* characters of each */

struct trace_stats {
	uint64_t lines;
	uint64_t bytes;                 /* of text, after unpacking */
	uint64_t understood;            /* records given out */
	uint64_t skipped;               /* other events */
	uint64_t not_understood;
	uint64_t headers;               /* comments, headers, empty lines */
	uint64_t stacks;                /* lines of call stacks */
	uint64_t joined;                /* continuation lines, now part of a record */
	uint64_t events[TRACE_EVENT_NR];
	uint64_t spelled[TRACE_SPELLING_NR];
	uint64_t lost;                  /* events that the kernel or the tool says it lost */
	uint64_t lost_unknown;          /* such notes without a number */
	uint64_t quoted;                /* repaired: lines with mail quote marks */
	uint64_t decoded;               /* repaired: lines in quoted-printable */
	uint64_t prefixed;              /* repaired: lines with a log prefix */
	uint64_t gfp_unknown;           /* records with TRACE_GFP_UNKNOWN */
	uint32_t header_cpus;           /* from `#P:N` or `cpus=N`; 0: not said */
	uint32_t max_cpu;               /* highest CPU of a record */
	bool old_mtypes;                /* migratetypes are numbered as before 4.4 */
	unsigned int nr_shown;
	struct {
		uint64_t line;
		char text[TRACE_SHOWN_LEN + 1];
	} shown[TRACE_SHOWN];
};

struct trace_reader;

/* "-" is standard input. Plain text or gzip, told apart by the first bytes. */
int trace_open(const char *path, struct trace_reader **reader);

/* Read from memory, which must stay until trace_close(). */
int trace_open_memory(const void *data, size_t len, struct trace_reader **reader);

/* To the first line again, figures at zero. -ESPIPE with fail() for a pipe. */
int trace_rewind(struct trace_reader *r);

/* Would trace_rewind() work? */
bool trace_can_rewind(const struct trace_reader *r);

/*
 * Say which kernel wrote the file ("4.3", "6.1.0-13-amd64"): decides migratetype
 * numbers and the bits of numeric gfp. Unsaid, both are found from the text where
 * it tells (then they are remembered over trace_rewind()), else as in 6.1.
 */
int trace_set_kernel(struct trace_reader *r, const char *version);

/* 1: *rec is the next record; 0: end; negative errno with fail(): cannot read on. */
int trace_next(struct trace_reader *r, struct trace_record *rec);

/* Figures as of this call. */
const struct trace_stats *trace_stats(const struct trace_reader *r);

/* Bytes of the file taken in so far and in all (0: not known, a pipe). */
void trace_progress(const struct trace_reader *r, uint64_t *done, uint64_t *total);

void trace_close(struct trace_reader *r);

const char *trace_event_name(unsigned int event);
const char *trace_spelling_name(unsigned int spelling);

/* call_site up to its first '/': the same place in every family. */
struct trace_slice trace_key(const struct trace_record *rec);

/* An allocation that the kernel could not serve: null object, or null page and pfn 0 (a lab has a page 0). */
bool trace_is_failed(const struct trace_record *rec);

#endif
