/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exchange - a slab's freelist and counters change as one unit.
 *
 * One 16-byte compare-exchange where the host has it (slab.cas16); else, and
 * under ThreadSanitizer, a lock bit in the descriptor stands in for it, with
 * the same results. Readers take the two words apart and let the exchange
 * find out. (slab-observables.md section 5, C2 and C8)
 */
#ifndef SLAB_EXCHANGE_H
#define SLAB_EXCHANGE_H

#include "slab/emit.h"

#define SLAB_LOCK_BIT 1		/* page.flags */

struct slab_pair {
	uint64_t freelist, counters;
};

static inline struct slab_pair slab_read(const struct page *slab)
{
	struct slab_pair p;

	p.counters = __atomic_load_n(&slab->counters, __ATOMIC_ACQUIRE);
	p.freelist = __atomic_load_n(&slab->freelist, __ATOMIC_ACQUIRE);
	return p;
}

static inline bool exchange_locked(struct page *slab, struct slab_pair old, struct slab_pair new)
{
	bool same;

	while (__atomic_fetch_or(&slab->flags, SLAB_LOCK_BIT, __ATOMIC_ACQUIRE) & SLAB_LOCK_BIT)
		cpu_relax();
	same = __atomic_load_n(&slab->freelist, __ATOMIC_RELAXED) == old.freelist &&
	       __atomic_load_n(&slab->counters, __ATOMIC_RELAXED) == old.counters;
	if (same) {
		__atomic_store_n(&slab->freelist, new.freelist, __ATOMIC_RELEASE);
		__atomic_store_n(&slab->counters, new.counters, __ATOMIC_RELEASE);
	}
	__atomic_fetch_and(&slab->flags, (uint8_t)~SLAB_LOCK_BIT, __ATOMIC_RELEASE);
	return same;
}

static inline bool exchange_16(struct page *slab, struct slab_pair old, struct slab_pair new)
{
#if defined(__x86_64__) && !CPU_MARKS_ARE_LOCKS
	bool same;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(same), "+m"(slab->both), "+a"(old.freelist), "+d"(old.counters)
			 : "b"(new.freelist), "c"(new.counters)
			 : "memory");
	return same;
#else
	return exchange_locked(slab, old, new);
#endif
}

/*
 * A CPU's freelist and transaction number, by whoever plays the CPU: the
 * exchange that the kernel has at this place, without the lock prefix, since
 * no other CPU writes there. (slub.md section 1)
 */
static inline bool exchange_own(struct slub_cpu *c, uint64_t object, uint64_t tid, uint64_t next, uint64_t next_tid)
{
#if defined(__x86_64__) && !CPU_MARKS_ARE_LOCKS
	bool same;

	__asm__ volatile("cmpxchg16b %1"
			 : "=@ccz"(same), "+m"(*(unsigned __int128 *)&c->freelist), "+a"(object), "+d"(tid)
			 : "b"(next), "c"(next_tid)
			 : "memory");
	return same;
#else
	if (c->freelist != object || c->tid != tid)
		return false;
	c->freelist = next;
	c->tid = next_tid;
	return true;
#endif
}

/*
 * The commonest case, asked once for a whole slow path: nobody meets this CPU,
 * and the store has nothing that slub_fast.h and slub.c would have to look at
 * again and again (store.plain: no debug flags, coded links, lock bits, or
 * rules of before 3.4).
 */
static inline bool is_plain(const struct cpu *cpu, const struct store *s)
{
	return likely(s->plain) && likely(cpu->alone);
}

/* The same, from the CPU's part of the store. */
static inline bool is_plain_part(const struct cpu *cpu, const struct slub_cpu *c)
{
	return likely(c->plain & cpu->alone);
}

/* The slab CAS of slub.md section 1. ev: slab_events(); plain: is_plain(), where it is known. */
static inline __attribute__((always_inline)) bool slab_exchange(struct cpu *cpu, struct store *s, uint64_t *ev, struct page *slab,
								struct slab_pair old, struct slab_pair new, bool plain)
{
	bool same;

	if (!plain && unlikely(!s->cas16))
		emit_slab_in(ev, cpu, s, EV_slab_lock_taken, slab->slab_nr, 0, 0);
	if (plain || likely(cpu->alone)) {
		same = true;		/* nobody changed it since it was read */
		__atomic_store_n(&slab->freelist, new.freelist, __ATOMIC_RELAXED);
		__atomic_store_n(&slab->counters, new.counters, __ATOMIC_RELAXED);
	} else if (CPU_MARKS_ARE_LOCKS || unlikely(!s->cas16)) {
		same = exchange_locked(slab, old, new);
	} else {
		same = exchange_16(slab, old, new);
	}
	if (likely(same))
		emit_slab_in(ev, cpu, s, EV_slab_cas, slab->slab_nr, 0, 0);
	else
		emit_slab_in(ev, cpu, s, EV_cmpxchg_double_fail, slab->slab_nr, 0, 0);
	return same;
}

#endif
