/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug - checks of stores with debug flags: bytes, links, counts, tracks.
 *
 * Idea. A debug store knows what every byte of a slot must be while its object
 * is out or free. Checks compare, report (slab/report.h), mend what can be
 * mended and say whether the object may be used or freed. Order, repairs and
 * words are those of Linux 6.1. (slab-debug.md sections 2 to 7)
 *
 *	| left red zone | object | right red zone | link | tracks | size | padding |
 *
 * Invariants (slab_check() reports them by these labels)
 *   K1  Reports name texts that there are, and a text is whole.
 *   K2  A slab's lost objects are neither out nor on its freelist; without
 *       debug flags a slab has none.
 *   K3  In debug stores of engines with queues an object's bit is set exactly
 *       while it is out.
 *
 * Engines. sheaves is SLUB without sheaves then. SLQB has SLUB's layout without
 * the left red zone, and checks what leaves its queues and what comes to them.
 * SLAB has a layout of its own (slabq_check.c), and so has each their path
 * (store.ops), so that queues of stores without flags know nothing of all this.
 *
 * Locks. SLUB: the node's list lock is held around checks, so objects and
 * freelist stand still. Behind queues an object that is checked is this CPU's
 * alone; the bit that says so changes in one exchange. debug_state.lock (RANK_DEBUG, the innermost) guards texts and
 * reports.
 */
#ifndef SLAB_DEBUG_H
#define SLAB_DEBUG_H

#include "cpu/cpu.h"
#include "cpu/lock.h"
#include "slab/report.h"
#include "slab/slab.h"

#define SLAB_BAD_BIT 2		/* page.flags: taken out of use after a failed check, the kernel's frozen = 1 */
#define RED_FREE 0xbb
#define RED_OUT 0xcc
#define POISON_BODY 0x6b
#define POISON_LAST 0xa5
#define POISON_UNUSED 0x5a

#define DEBUG_TEXTS 65536u
#define DEBUG_TEXT_BYTES (16u << 20)
#define DEBUG_BUCKETS 8192u

/* A member of a handle that a command freed; the last DEBUG_FREED are remembered. */
#define DEBUG_FREED 4096u
struct debug_freed {
	uint64_t handle, off;	/* serial of the handle; region offset */
	uint32_t index;
};

/* SEC_DEBUG. All-zero is the fresh state but for the lock's rank. */
struct debug_state {
	struct lock lock;
	uint64_t reports;			/* serial of the newest */
	uint64_t errors[DEBUG_MESSAGE_NR];
	uint32_t taint;				/* TAINT_* */
	uint32_t texts, text_bytes;		/* numbers given out, bytes used */
	uint64_t fail_asked, fail_hits;		/* failslab: requests counted for the interval; failed */
	uint64_t fail_rand;
	uint64_t shortage_ns;			/* first report of a shortage in the present five seconds, */
	uint64_t shortages;			/* and so many */
	uint64_t freed_nr;
	struct debug_freed freed[DEBUG_FREED];
	struct { uint32_t at, next, hash, len; } text[DEBUG_TEXTS];	/* by number; next in its bucket */
	uint32_t bucket[DEBUG_BUCKETS];
	uint64_t forgotten;	/* serial of the newest that dmesg --clear took away */
	struct debug_report report[DEBUG_REPORTS];	/* serial n at n % DEBUG_REPORTS */
	char bytes[DEBUG_TEXT_BYTES];
};

static inline struct debug_state *debug_state(const struct lab *lab)
{
	return lab_section(lab, SEC_DEBUG);
}

/* ---- where things are in a slot ---- */

static inline bool debug_outside_link(const struct geometry *g)
{
	return g->freeptr >= g->inuse;
}

static inline uint32_t debug_info_end(const struct geometry *g)
{
	return g->inuse + (debug_outside_link(g) ? WORD : 0);
}

static inline bool debug_has_size(const struct store *s)
{
	return s->wish.kmalloc && s->g.flags & CF_USER && s->era >= ERA_6_1;
}

/* Two records of who took an object and who gave it back. (slab: one word) */
static inline bool debug_has_tracks(const struct store *s)
{
	return s->g.flags & CF_USER && s->engine != ENGINE_SLAB;
}

/* Behind everything that a slot is for; padding begins here. */
static inline uint32_t debug_used_end(const struct store *s)
{
	return debug_info_end(&s->g) + (s->g.flags & CF_USER ? 2 * (uint32_t)sizeof(struct debug_track) : 0) +
	       (debug_has_size(s) ? 4 : 0);
}

/* Body poison: not where readers or constructors need the old contents. */
static inline bool debug_poisons(const struct store *s)
{
	return s->g.flags & CF_POISON && !(s->g.flags & CF_RCU) && !s->wish.ctor;
}

static inline struct debug_track *debug_track_of(const struct lab *lab, const struct store *s, uint64_t object, bool freed)
{
	return (struct debug_track *)(lab->base + object + debug_info_end(&s->g)) + freed;
}

static inline uint32_t *debug_size_of(const struct lab *lab, const struct store *s, uint64_t object)
{
	return (uint32_t *)(debug_track_of(lab, s, object, false) + 2);
}

/* ---- which objects are out, where queues hold free ones ---- */

static inline bool debug_has_bits(const struct store *s)
{
	return s->debug && !has_slub(s);
}

/* A bit a word of the arena; a byte of the map is of one slab. */
static inline uint8_t *debug_bit(const struct lab *lab, uint64_t object, uint8_t *bit)
{
	uint64_t word = (object - lab->arena_off) / WORD;

	*bit = (uint8_t)(1u << word % 8);
	return (uint8_t *)lab_section(lab, SEC_DEBUG_OUT) + word / 8;
}

static inline bool debug_is_out(const struct lab *lab, uint64_t object)
{
	uint8_t bit, *byte = debug_bit(lab, object, &bit);

	return __atomic_load_n(byte, __ATOMIC_RELAXED) & bit;
}

static inline void debug_set_out(const struct lab *lab, uint64_t object)
{
	uint8_t bit, *byte = debug_bit(lab, object, &bit);

	__atomic_fetch_or(byte, bit, __ATOMIC_RELAXED);
}

/* False: it was free already. */
static inline bool debug_clear_out(const struct lab *lab, uint64_t object)
{
	uint8_t bit, *byte = debug_bit(lab, object, &bit);

	return __atomic_fetch_and(byte, (uint8_t)~bit, __ATOMIC_RELAXED) & bit;
}

/* ---- one run of checks ---- */

struct check {
	struct cpu *cpu;
	struct store *s;
	struct page *slab;
	bool alloc;		/* an object is being taken */
	uint32_t errors;	/* reports made */
	uint64_t report;	/* serial of the last: fixes belong to it */
};

/* A new slab's bytes and tracks, before its freelist is built. */
void debug_init_slab(struct cpu *cpu, struct store *s, struct page *slab, uint32_t objects);

/* May the object just taken off the freelist be handed out? Prepares it then; else the slab is taken out of use. */
bool debug_take(struct check *ck, uint64_t object);
/* Who took it. */
void debug_track_alloc(struct cpu *cpu, struct store *s, uint64_t object);
void debug_set_size(const struct lab *lab, const struct store *s, uint64_t object, uint64_t bytes);

/* May this run go back? Prepares its objects then. *cnt may shrink to what the run has. */
bool debug_give(struct check *ck, uint64_t head, uint64_t tail, unsigned int *cnt);

/*
 * The same behind queues, of one object, which the caller alone has. slqb:
 * false when it may not be handed out (it is lost then), or not be freed; slab
 * hands out what it finds damaged.
 */
bool slqb_debug_take(struct check *ck, uint64_t object);
bool slqb_debug_give(struct check *ck, uint64_t object);
void slabq_debug_take(struct check *ck, uint64_t object);
bool slabq_debug_give(struct check *ck, uint64_t object);
/* A slab got full, so its free indexes, which lay in this object, are gone: it is poisoned again. */
void slabq_debug_home(struct cpu *cpu, const struct store *s, uint64_t object);

/* An empty slab goes back to the page layer. Reports made. */
uint32_t debug_check_empty(struct cpu *cpu, struct store *s, struct page *slab);

/* Objects on the slab's freelist as far as its links lead to objects of it. */
uint32_t debug_free_count(const struct lab *lab, const struct store *s, const struct page *slab);

/* `kmem_cache validate` of one store: in a stop, flushed. Returns reports made; *slabs and *objects looked at. */
uint32_t debug_validate(struct cpu *cpu, struct store *s, uint64_t *slabs, uint64_t *objects);

/* ---- reports from elsewhere ---- */

/* An object went to a cache it is not of. */
void debug_wrong_cache(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object, const char *given,
		       const char *owner);
/* A hardened store was to put an object on the freelist that begins with it. */
void debug_freed_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object);
/* A cache that still has objects is to be destroyed: what its engine's kernels say of them. (remaining.c) */
void debug_remaining(struct cpu *cpu, const struct cache *c);

/* No memory for a slab of this store, for a request with these flags for this node (-1: any). (shortage.c) */
void debug_shortage(struct cpu *cpu, const struct store *s, uint32_t gfp, int node);

/* ---- texts and records (report.c) ---- */

/* The place and the stack that call now, as numbers of texts. */
void debug_here(struct cpu *cpu, uint32_t *place, uint32_t *stack);
uint32_t debug_pid(const struct cpu *cpu);
uint64_t debug_tick(const struct lab *lab);
/* A track as it stands in a slot, where anything may have written: texts that there are not become none. */
struct debug_track debug_track_copy(const struct lab *lab, const struct debug_track *t);
/* A new record with what all have; the caller fills in the rest. With state->lock held. */
struct debug_report *debug_report_new(struct cpu *cpu, const struct store *s, enum debug_message message);
int debug_check(struct lab *lab);

/* ---- fault injection (failslab.c) ---- */

bool slab_decide_to_fail(struct cpu *cpu, const struct cache *c, uint32_t gfp);

/* Does this request fail before anything is tried? */
static inline bool slab_should_fail(struct cpu *cpu, const struct cache *c, uint32_t gfp)
{
	const struct slab_policy *p = lab_section(cpu->lab, SEC_SLAB_POLICY);

	return unlikely(p->fail.probability) && slab_decide_to_fail(cpu, c, gfp);
}

#endif
