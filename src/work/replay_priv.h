/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_priv - what the pieces of the replay share.
 *
 *   replay_spots.c    address → what lives there: one table for objects, one for pages
 *   replay_sites.c    who allocates (key K), and the names of caches
 *   replay_events.c   records become events; a window of them; folding
 *   replay_ties.c     lines of one time
 *   replay_book.c     events become steps, and everything is counted
 *   replay_program.c  steps kept until they run
 *   replay_caches.c   the lab's caches for the sites
 *   replay_run.c      steps become ops: one after the other
 *   replay_parallel.c the same on the CPUs' own threads
 *   replay_left.c     handles for what lives at the end
 *   replay_figures.c  what came out, by path
 *   replay_report.c   the same as JSON and as text
 *   replay.c          the interface: readings and runs
 *
 * Memory. The window, the line before each CPU's next and the program's buffers
 * are of fixed size (below 2 MiB together); the tables grow with what lives at
 * once, never with the length of the trace.
 */
#ifndef WORK_REPLAY_PRIV_H
#define WORK_REPLAY_PRIV_H

#include "formats/trace.h"
#include "op/op.h"
#include "work/replay.h"

#define REPLAY_ORDERS (TRACE_ORDER_MAX + 1)
#define REPLAY_TICK 32768u		/* events between two calls of options.tick */

/* ---- events: a record without its text ---- */

enum event_flag {
	EVENT_RUN       = 1 << 0,	/* moved forward by the tie repair, already done */
	EVENT_ASKS      = 1 << 1,	/* large block or not? the CPU's next line tells */
	EVENT_LARGE     = 1 << 2,	/* pages of a large kmalloc */
	EVENT_SLAB      = 1 << 3,	/* pages of a new slab */
	EVENT_TIMED     = 1 << 4,	/* the line has a time */
	EVENT_FAILED    = 1 << 5,
	EVENT_ACCOUNTED = 1 << 6,
	EVENT_REFILL    = 1 << 7,
};

struct event {
	uint64_t addr;			/* object pointer or pfn */
	uint64_t time_ns, line;
	uint64_t text;			/* hash of what of the line is kept nowhere else */
	uint32_t gfp, site, name;	/* site: allocations of objects; name: cache frees */
	uint32_t bytes_req, bytes_alloc;
	int32_t node;
	uint16_t cpu;
	uint8_t kind;			/* enum trace_event */
	uint8_t order, mtype, flags;
	uint8_t context;		/* 'h', 's', 'H', 'Z' in an interrupt */
};

static inline bool event_is_object(const struct event *ev)
{
	return ev->kind <= TRACE_KMEM_CACHE_FREE;
}

static inline bool event_is_alloc(const struct event *ev)
{
	return ev->kind == TRACE_KMALLOC || ev->kind == TRACE_KMEM_CACHE_ALLOC ||
	       ev->kind == TRACE_PAGE_ALLOC;
}

static inline bool event_is_free(const struct event *ev)
{
	return ev->kind == TRACE_KFREE || ev->kind == TRACE_KMEM_CACHE_FREE ||
	       ev->kind == TRACE_PAGE_FREE;
}

/* ---- spots: what lives at an address ---- */

enum spot_state { SPOT_NONE, SPOT_LIVE, SPOT_FREED };	/* FREED: pages whose batched line may follow */
enum spot_flag { SPOT_SLAB = 1, SPOT_LARGE = 2, SPOT_AWAITS = 4 };

struct spot {
	uint64_t addr;
	uint64_t seq;			/* allocations before this one */
	uint32_t slot;			/* where the run keeps its address; SLOT_NONE: not run */
	uint32_t site;
	uint16_t cpu;
	uint8_t order, state, flags;
};
_Static_assert(sizeof(struct spot) == 32, "two spots a cache line");

struct spots {
	struct spot *slot;
	uint64_t mask, nr;
	unsigned int shift;
};
int spots_init(struct spots *t);
void spots_fini(struct spots *t);
void spots_clear(struct spots *t);
/* Add an address that is not there. NULL: out of memory. Other spots may move. */
struct spot *spots_add(struct spots *t, uint64_t addr);
void spots_remove(struct spots *t, struct spot *s);

static inline uint64_t spots_home(const struct spots *t, uint64_t addr)
{
	return addr * 0x9e3779b97f4a7c15ULL >> t->shift;
}

static inline void spots_prefetch(const struct spots *t, uint64_t addr)
{
	__builtin_prefetch(&t->slot[spots_home(t, addr)], 1);
}

static inline struct spot *spots_find(const struct spots *t, uint64_t addr)
{
	for (uint64_t i = spots_home(t, addr);; i = (i + 1) & t->mask) {
		struct spot *s = &t->slot[i];

		if (s->state == SPOT_NONE)
			return NULL;
		if (s->addr == addr)
			return s;
	}
}

/* ---- sites and names ---- */

enum site_kind { SITE_CACHE, SITE_KMALLOC, SITE_LARGE };

struct site {				/* one cache line: looked up and counted at every allocation */
	uint32_t len, bytes_req, bytes_alloc;
	uint32_t name;			/* 0: no free has told it yet */
	uint32_t unnamed;		/* name that it goes by until then */
	uint8_t kind;			/* enum site_kind */
	bool accounted;			/* each of its allocations was */
	uint64_t allocs, matched, reused;	/* of this reading */
	const char *text;		/* call site up to the slash; kmalloc: prefix of the class */
	uint64_t hash;
};
_Static_assert(sizeof(struct site) == CACHE_LINE, "a site is one cache line");

struct target {				/* of a site's steps, apart: all that a run looks at */
	uint32_t cache;			/* the lab's; 0: not made yet, or large */
	uint8_t kind;			/* enum site_kind */
	bool made;			/* cache was asked for */
};

struct name {
	const char *text;
	uint64_t hash;
	uint32_t len;
	uint64_t unmatched;		/* frees of objects older than the trace */
};

struct index_slot {
	uint64_t hash;
	uint32_t at;			/* number, 0: empty */
};
struct index {				/* hash → number, open addressing */
	struct index_slot *slot;
	uint32_t mask, nr;
};

struct sites {
	struct site *site;		/* from 1, in order of first appearance */
	struct target *target;		/* by site */
	struct name *name;		/* from 1 */
	uint32_t nr, cap, names, name_cap;
	struct index by_key, by_name;
	struct text_block *texts;	/* memory of the texts */
};
int sites_init(struct sites *s);
void sites_fini(struct sites *s);
void sites_clear_counts(struct sites *s);
/* Number of the site of an allocation, of the name of a free; 0: out of memory. */
uint32_t sites_of(struct sites *s, const struct trace_record *rec);
uint32_t names_of(struct sites *s, const char *text, size_t len);
uint64_t text_hash(const char *text, size_t len);

/* Number of the name it goes by: "dentry", "kmalloc-cg-64", "unnamed-128". */
static inline uint32_t site_name(const struct site *site)
{
	return site->name ? site->name : site->unnamed;
}

/* ---- steps and the program ---- */

enum step_kind { STEP_KMALLOC, STEP_CACHE_ALLOC, STEP_FREE, STEP_ALLOC_PAGES, STEP_FREE_PAGES };
#define SLOT_NONE UINT32_MAX

struct step {
	uint64_t line;
	uint32_t slot, site, gfp, bytes;
	uint16_t cpu;
	int16_t node;
	uint8_t kind, order;		/* enum step_kind */
};
_Static_assert(sizeof(struct step) == 32, "two steps a cache line");

static inline bool step_allocates(const struct step *st)
{
	return st->kind != STEP_FREE && st->kind != STEP_FREE_PAGES;
}

struct stream {				/* one CPU's steps, or all */
	struct step *buf;		/* the block being filled */
	uint32_t nr;
	uint64_t *block;		/* where the full ones lie in the file */
	uint32_t blocks, cap;
	uint64_t ran;			/* steps of it that were run */
};

struct program {
	int fd;				/* of a file without a name, -1: not needed yet */
	bool lost;			/* too long, or no room: read the trace again instead */
	uint32_t block_steps;
	uint64_t end;			/* bytes written */
	struct stream *stream;
	uint32_t streams;
};

struct program_cursor {
	struct program *p;
	struct stream *s;
	struct step *buf;
	const struct step *at, *end;
	uint32_t block;
};
int program_init(struct program *p, unsigned int streams);
void program_fini(struct program *p);
void program_add_slow(struct program *p, struct stream *s, const struct step *st);
int program_rewind(struct program *p, unsigned int stream, struct program_cursor *c);
/* Steps at->end, one block; false at the end. Sets *error when the file fails. */
bool program_next_block(struct program_cursor *c, int *error);
void program_cursor_fini(struct program_cursor *c);

static inline void program_add(struct program *p, unsigned int stream, const struct step *st)
{
	struct stream *s = &p->stream[stream];

	if (likely(s->buf && s->nr < p->block_steps))
		s->buf[s->nr++] = *st;
	else
		program_add_slow(p, s, st);
}

/* ---- figures ---- */

struct page_count {
	uint64_t allocs, frees, matched, unmatched, reused, live;
	uint64_t slab_allocs, slab_frees, large_allocs, large_frees;
	uint64_t ops, run_allocs;	/* of what is run */
};

struct counts {				/* of one reading */
	uint64_t folded, folded_frees, tie_moves, null_frees, failed_allocs;
	uint64_t allocs, bytes_req, bytes_alloc, matched, remote, unmatched, reused, live, peak;
	uint64_t interrupt_allocs;
	uint64_t order_mismatch, batched_alone;
	uint64_t object_ops, page_ops;
	struct page_count order[REPLAY_ORDERS];
	uint64_t refills, refill_pages[REPLAY_ORDERS], drain_pages[REPLAY_ORDERS], locked[REPLAY_ORDERS];
	uint64_t fallbacks[REPLAY_ORDERS], claims;
	uint64_t live_bytes, peak_bytes;	/* objects and pages that the run must hold */
	uint64_t slots;
	uint64_t seq;
};

struct run_counts {
	uint64_t lab_failed, lab_failed_line;
	char lab_failed_why[200];
	uint64_t class_differs;
	uint64_t large_allocs[REPLAY_ORDERS];	/* by the lab's kmalloc */
	uint64_t steps;
	uint64_t read_ns, run_ns;
};

/* ---- the window of events ---- */

#define WINDOW 8192u			/* events, a power of two */
#define TIE_MAX 4096u			/* lines of one time that are repaired */

struct last {				/* the line before, of one CPU */
	struct event ev;
	uint64_t asks;			/* 1 + number of the event that wants to know the next line */
	bool any;
};

struct window {
	struct trace_reader *reader;
	struct sites *sites;
	struct counts *counts;
	struct spots *objects, *pages;	/* to prefetch */
	struct event *ring;
	uint64_t head, tail;		/* numbers of events: first kept, next to come */
	uint64_t endless;		/* events left of a group that is too long to repair */
	struct last *last;
	uint32_t cpus;			/* entries of last */
	bool eof, stuck;		/* stuck: the time of the last group ran past TIE_MAX */
};
int window_init(struct window *w);
void window_fini(struct window *w);
void window_clear(struct window *w);
/* Take one record in: 1, 0 at the end, negative errno. */
int window_read(struct window *w);
/* Number of events of the next run of one time from head on; *one_cpu: no ties in it. */
int window_group(struct window *w, uint32_t *nr, bool *one_cpu);
/* Know whether this event is a large block: reads ahead. */
int window_answer(struct window *w, uint64_t number);

static inline struct event *window_at(const struct window *w, uint64_t number)
{
	return &w->ring[number & (WINDOW - 1)];
}

/* ---- the book ---- */

struct runner;

struct book {
	struct spots objects, pages;
	struct sites sites;
	struct counts counts;
	enum replay_pages mode;
	uint64_t group_seq;		/* seq when the present group of one time began */
	uint32_t *free_slot;		/* ring of slots to use again */
	uint32_t free_mask, free_nr, free_head, reuse_after;
	/* where steps go: a program, or a run that goes on meanwhile */
	struct program *program;
	unsigned int by_cpu;		/* streams of the program are CPUs */
	struct runner *runner;
};
int book_init(struct book *b);
void book_fini(struct book *b);
void book_clear(struct book *b);
int book_event(struct book *b, const struct event *ev);
/* Does the table contradict this event: an allocation of what lives, a free of what does not? */
bool book_contradicts(const struct book *b, const struct event *ev);
bool book_lives(const struct book *b, const struct event *ev);

/* Run one group of nr events from the window's head (ties repaired unless in_file_order). */
int ties_run(struct window *w, struct book *b, uint32_t nr, bool in_file_order);

/* ---- running ---- */

#define SLOT_FAILED 1			/* the lab could not serve it: no offset is 1 */

struct runner {
	struct lab *lab;
	struct sites *sites;
	uint64_t *slot;
	uint64_t slots;
	struct run_counts *counts;
	bool streaming;			/* caches are made when they are first used */
	uint32_t nodes;
};
int runner_init(struct runner *r, struct lab *lab, struct sites *sites, uint64_t slots,
		struct run_counts *counts);
void runner_fini(struct runner *r);
int runner_step(struct runner *r, const struct step *st);
int runner_program(struct runner *r, struct program *p, const struct replay_options *o, uint64_t total);
int runner_parallel(struct runner *r, struct program *p, unsigned int cpus,
		    const struct replay_options *o, uint64_t total);
/* The op of a step; what is freed is put in off. */
void step_to_op(const struct runner *r, const struct step *st, uint64_t off, struct op *op);
/* Note a failed allocation or another class; the offset to keep. */
uint64_t step_allocated(struct runner *r, struct run_counts *c, const struct step *st,
			const struct op_result *res);
int step_freed(const struct step *st, const struct op_result *res);
int step_ran_out(const struct step *st, const struct op_result *res);
/* Handles `replayed` and `replayed_pages`; stopped: the program, if it did not run to its end. */
int runner_handles(struct runner *r, struct book *b, struct program *stopped, char note[256]);

int caches_make(struct sites *s, struct lab *lab);
int cache_make_for(struct sites *s, struct lab *lab, uint32_t site);
int caches_rename(struct sites *s, struct lab *lab);

/* ---- a replay ---- */

struct replay {
	struct replay_options options;
	struct trace_reader *reader;
	struct window window;
	struct book book;
	struct program program;
	struct runner runner;
	struct run_counts run;
	struct trace_stats text;	/* of the last reading */
	uint32_t cpus;
	bool pipe;			/* cannot be read twice */
	bool read_through;		/* all of it was read */
	uint64_t events;
};

uint64_t replay_clock_ns(void);

#endif
