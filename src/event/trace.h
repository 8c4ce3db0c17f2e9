/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace - what happened, kept as it happens: a ring for each CPU.
 *
 * Idea. The told variant of the code says each step; while a trace is on, what
 * the filter lets through goes into the ring of the CPU that did it: events,
 * notes (event/note.h), and the kernel's tracepoints of whole allocations and
 * frees, which are neither (below). When a ring is full the oldest entries go,
 * and their number is known.
 *
 * One number drawn by all rings gives their entries one order, so that a text
 * made of them has an object's allocation before its free, whichever CPUs did
 * the two.
 *
 * Ownership. A ring is written by whoever plays its CPU; all else needs a stop
 * of the lab. Host memory, no part of a lab's state: an undo does not take
 * back what was traced.
 *
 * Units. Times in ns of the lab's clock. `a` and `b` are an event's fields in
 * its row's order, then those of trace_more().
 */
#ifndef EVENT_TRACE_H
#define EVENT_TRACE_H

#include "event/note.h"

/* X(name, what just happened): kmem tracepoints whose fields are not those of one event. */
#define TRACEPOINTS(X)                                                              \
	X(kmalloc,          "kmalloc gave an object, or nothing")                   \
	X(kmem_cache_alloc, "a cache gave an object, or nothing")                   \
	X(kfree,            "an object is freed, whose cache was not said")         \
	X(kmem_cache_free,  "an object is freed to its cache")

#define TRACEPOINT_ENUM(name, text) TP_##name,
enum trace_point {
	TP_BEFORE_FIRST = NOTE_END - 1,
	TRACEPOINTS(TRACEPOINT_ENUM)
	TP_END,
};

/* Of a tracepoint: a is the object's region offset (0: none), b as here. */
enum trace_point_field { TPF_BYTES, TPF_GFP, TPF_NODE, TPF_CACHE, TPF_ORDER };

/* Places in b of what trace_more() adds to an event. */
enum trace_more_field {
	TPX_GFP = 2,		/* mm_page_alloc */
	TPX_MTYPE = 2,		/* mm_page_alloc_zone_locked */
	TPX_FALLBACK = 2,	/* mm_page_alloc_extfrag: order found, type taken from, did the pageblock change? */
};

struct trace_entry {
	uint64_t seq, ns, a;
	uint32_t b[5];
	uint16_t event, where;	/* where: as of a story's step */
};

struct trace_ring {
	struct trace *trace;
	uint64_t written, cleared;	/* entries ever; those that a clear took away */
	struct trace_entry *v;
	unsigned int cpu;
} __cacheline_aligned;

/* A cache that is no more: entries before `seq` mean it by its number. */
struct trace_gone {
	uint64_t seq;
	uint32_t cache, bytes;
	char name[128];
	struct trace_gone *next;	/* newest first */
};

struct trace {
	uint64_t seq __cacheline_aligned;	/* drawn by all */
	bool on;
	uint8_t wanted[(TP_END + 7) / 8];
	uint64_t size;			/* entries of a ring, a power of two */
	unsigned int nr;
	struct trace_ring *ring;
	struct trace_gone *gone;
};

#define TRACE_SIZE_DEFAULT 65536
#define TRACE_SIZE_MAX (1ULL << 24)

/* Rings for nr CPUs; memory is used as it is written. NULL with a sentence. */
struct trace *trace_make(unsigned int nr, uint64_t size);
void trace_free(struct trace *t);
void trace_clear(struct trace *t);
int trace_gone_add(struct trace *t, uint32_t cache, const char *name, uint32_t bytes);

/* Name of what an entry tells; NULL: no such number. */
const char *trace_name(unsigned int event);
const char *trace_text(unsigned int event);
/* Does the kernel trace it too, as kmem:NAME? */
bool trace_is_kernels(unsigned int event);

/*
 * Want what these globs name, of what the kernel traces too with "kmem:" before
 * it; none: everything but notes. -ENOENT with near names when one names nothing.
 */
int trace_filter(char *const *globs, unsigned int nr, uint8_t wanted[(TP_END + 7) / 8]);
bool trace_glob(const char *glob, const char *name);	/* `*` is any run of characters */

static inline bool trace_wants(const uint8_t *wanted, unsigned int event)
{
	return wanted[event / 8] >> event % 8 & 1;
}

/* ---- writing ---- */

void trace_put(struct trace_ring *r, uint64_t ns, unsigned int event, unsigned int where, uint64_t a,
	       const uint32_t b[5]);
/* Fields of the entry just written that its event has no room for, if that is what was written. */
void trace_more(struct trace_ring *r, unsigned int event, unsigned int from, const uint32_t *more, unsigned int nr);

/* ---- reading, in a stop ---- */

static inline uint64_t trace_kept(const struct trace *t, const struct trace_ring *r)
{
	uint64_t n = r->written - r->cleared;

	return n < t->size ? n : t->size;
}

uint64_t trace_lost(const struct trace *t, const struct trace_ring *r);

/* All rings' entries in order: begin with zeroed `at` (one a CPU); NULL at the end. */
const struct trace_entry *traced_next(const struct trace *t, uint64_t *at, unsigned int *cpu);

/* The same from the newest back. */
const struct trace_entry *traced_last(const struct trace *t, uint64_t *at, unsigned int *cpu);

/* The cache that this entry means by its number, if it is gone; NULL: it is there still. */
const struct trace_gone *trace_gone_find(const struct trace *t, uint32_t cache, uint64_t seq);

#endif
