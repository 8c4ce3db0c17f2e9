/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_sites - who allocates, and what the caches are called.
 *
 * An allocation line does not name its cache. For kmem_cache_alloc the key is
 * (call site up to the slash, bytes asked, bytes given): frees teach its name.
 * For kmalloc the name follows from size and flags, so all its lines of one
 * class are one site.
 *
 * Texts are kept as long as the replay; each is short, and there are as many
 * as the kernel has places that allocate.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "work/replay_priv.h"

#define TEXT_BLOCK 16384u
#define KMALLOC_MAX_CACHE 8192u
#define FIRST_INDEX 256u

struct text_block {
	struct text_block *next;
	size_t used, size;
	char text[];
};

/* ---- texts ---- */

static const char *text_keep(struct sites *s, const char *text, size_t len)
{
	struct text_block *b = s->texts;
	char *copy;

	if (!b || b->size - b->used < len + 1) {
		size_t size = len + 1 > TEXT_BLOCK ? len + 1 : TEXT_BLOCK;

		b = malloc(sizeof(*b) + size);
		if (!b)
			return NULL;
		*b = (struct text_block){ s->texts, 0, size };
		s->texts = b;
	}
	copy = b->text + b->used;
	memcpy(copy, text, len);
	copy[len] = 0;
	b->used += len + 1;
	return copy;
}

static inline uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

/* Never 0. */
uint64_t text_hash(const char *text, size_t len)
{
	uint64_t h = len + 1, word;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&word, text, 8);
		h = mix(h, word);
	}
	if (len) {
		word = 0;
		memcpy(&word, text, len);
		h = mix(h, word);
	}
	return h | 1;
}

/* ---- hash → number ---- */

static int index_init(struct index *x, uint32_t size)
{
	x->slot = calloc(size, sizeof(*x->slot));
	x->mask = size - 1;
	x->nr = 0;
	return x->slot ? 0 : fail(ENOMEM, "no memory for the names in the trace");
}

static int index_add(struct index *x, uint64_t hash, uint32_t at)
{
	uint32_t i;

	if (x->nr * 2 > x->mask) {
		struct index old = *x;

		if (index_init(x, (old.mask + 1) * 2)) {
			*x = old;
			return -ENOMEM;
		}
		for (i = 0; i <= old.mask; i++)
			if (old.slot[i].at)
				index_add(x, old.slot[i].hash, old.slot[i].at);
		free(old.slot);
	}
	for (i = (uint32_t)(hash >> 8) & x->mask; x->slot[i].at; i = (i + 1) & x->mask)
		;
	x->slot[i] = (struct index_slot){ hash, at };
	x->nr++;
	return 0;
}

#define index_each(x, h, i) \
	for (uint32_t i = (uint32_t)((h) >> 8) & (x)->mask; (x)->slot[i].at; i = (i + 1) & (x)->mask) \
		if ((x)->slot[i].hash == (h))

/* ---- names ---- */

static uint32_t name_add(struct sites *s, const char *text, size_t len, uint64_t hash)
{
	struct name *n;

	if (s->names + 1 >= s->name_cap) {
		uint32_t cap = s->name_cap ? s->name_cap * 2 : 64;

		n = realloc(s->name, cap * sizeof(*n));
		if (!n)
			return 0;
		s->name = n;
		s->name_cap = cap;
	}
	n = &s->name[s->names + 1];
	*n = (struct name){ .text = text_keep(s, text, len), .hash = hash, .len = (uint32_t)len };
	if (!n->text || index_add(&s->by_name, hash, s->names + 1))
		return 0;
	return ++s->names;
}

uint32_t names_of(struct sites *s, const char *text, size_t len)
{
	uint64_t hash = text_hash(text, len);

	index_each(&s->by_name, hash, i) {
		const struct name *n = &s->name[s->by_name.slot[i].at];

		if (n->len == len && !memcmp(n->text, text, len))
			return s->by_name.slot[i].at;
	}
	return name_add(s, text, len, hash);
}

/* ---- sites ---- */

static const char *kmalloc_prefix(uint32_t gfp)
{
	if (gfp & GFP_BIT_DMA)
		return "dma-kmalloc-";
	if (gfp & GFP_BIT_RECLAIMABLE)
		return "kmalloc-rcl-";
	if (gfp & GFP_BIT_ACCOUNT)
		return "kmalloc-cg-";
	return "kmalloc-";
}

static uint32_t kmalloc_name(struct sites *s, uint32_t gfp, uint32_t bytes)
{
	char text[64];
	int len;

	if (bytes >= 1024 && bytes % 1024 == 0)
		len = snprintf(text, sizeof(text), "%s%uk", kmalloc_prefix(gfp), bytes / 1024);
	else
		len = snprintf(text, sizeof(text), "%s%u", kmalloc_prefix(gfp), bytes);
	return names_of(s, text, (size_t)len);
}

static uint32_t unnamed_name(struct sites *s, uint32_t bytes)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "unnamed-%u", bytes);

	return names_of(s, text, (size_t)len);
}

static bool sites_grow(struct sites *s)
{
	uint32_t cap = s->cap ? s->cap * 2 : 128;
	struct target *target = realloc(s->target, cap * sizeof(*target));
	struct site *site = target ? aligned_alloc(CACHE_LINE, cap * sizeof(*site)) : NULL;

	if (target)
		s->target = target;
	if (!site)
		return false;
	if (s->site)
		memcpy(site, s->site, (s->nr + 1) * sizeof(*site));
	free(s->site);
	s->site = site;
	s->cap = cap;
	return true;
}

static uint32_t site_add(struct sites *s, const struct site *like, uint32_t gfp)
{
	struct site *site;

	if (s->nr + 1 >= s->cap && !sites_grow(s))
		return 0;
	site = &s->site[s->nr + 1];
	*site = *like;
	s->target[s->nr + 1] = (struct target){ .kind = like->kind };
	site->text = text_keep(s, like->text, like->len);
	if (like->kind == SITE_KMALLOC)
		site->name = kmalloc_name(s, gfp, like->bytes_alloc);
	else if (like->kind == SITE_LARGE)
		site->name = names_of(s, "kmalloc-large", strlen("kmalloc-large"));
	else
		site->unnamed = unnamed_name(s, like->bytes_alloc);
	if (!site->text || !site_name(site) || index_add(&s->by_key, like->hash, s->nr + 1))
		return 0;
	return ++s->nr;
}

static uint32_t size_u32(uint64_t bytes)
{
	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* What makes two allocations be of one site. */
static void site_key(struct site *k, const struct trace_record *rec)
{
	struct trace_slice at = { "", 0 };

	k->bytes_req = size_u32(rec->bytes_req);
	k->bytes_alloc = size_u32(rec->bytes_alloc);
	k->accounted = true;
	if (rec->event == TRACE_KMEM_CACHE_ALLOC) {
		k->kind = SITE_CACHE;
		at = trace_key(rec);
		k->hash = mix(text_hash(at.s, at.len), (uint64_t)k->bytes_req << 32 | k->bytes_alloc);
	} else {
		k->bytes_req = 0;
		k->kind = rec->bytes_alloc > KMALLOC_MAX_CACHE ? SITE_LARGE : SITE_KMALLOC;
		if (k->kind == SITE_LARGE)
			k->bytes_alloc = 0;
		else	/* the class's prefix is a part of the key */
			at.s = kmalloc_prefix(rec->gfp), at.len = strlen(at.s);
		k->hash = mix(text_hash(at.s, at.len) + k->kind, k->bytes_alloc);
	}
	k->text = at.s;
	k->len = (uint32_t)at.len;
}

/*
 * The same site? The texts themselves are not compared: 64 bits of hash, equal
 * lengths and sizes are enough (two of a million sites alike by chance: 1 in
 * 2^25), and the text would be one more cache line for every event.
 */
static bool site_is(const struct site *a, const struct site *b)
{
	return a->kind == b->kind && a->len == b->len && a->bytes_req == b->bytes_req &&
	       a->bytes_alloc == b->bytes_alloc;
}

uint32_t sites_of(struct sites *s, const struct trace_record *rec)
{
	struct site key = { 0 };

	site_key(&key, rec);
	index_each(&s->by_key, key.hash, i)
		if (site_is(&s->site[s->by_key.slot[i].at], &key))
			return s->by_key.slot[i].at;
	return site_add(s, &key, rec->gfp);
}

int sites_init(struct sites *s)
{
	int ret;

	memset(s, 0, sizeof(*s));
	if (!sites_grow(s))
		return fail(ENOMEM, "no memory for the names in the trace");
	s->target[0] = (struct target){ 0 };	/* pages are of no site */
	ret = index_init(&s->by_key, FIRST_INDEX);
	return ret ? ret : index_init(&s->by_name, FIRST_INDEX);
}

void sites_fini(struct sites *s)
{
	for (struct text_block *b = s->texts, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(s->by_key.slot);
	free(s->by_name.slot);
	free(s->site);
	free(s->target);
	free(s->name);
	memset(s, 0, sizeof(*s));
}

/* Before the trace is read again: names stay. */
void sites_clear_counts(struct sites *s)
{
	for (uint32_t i = 1; i <= s->nr; i++)
		s->site[i].allocs = s->site[i].matched = s->site[i].reused = 0;
	for (uint32_t i = 1; i <= s->names; i++)
		s->name[i].unmatched = 0;
}
