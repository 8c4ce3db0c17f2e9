/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for cache flags, and the debug option string (slub_debug=). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "base/types.h"
#include "slab/policy.h"

const char *const partial_add_words[PARTIAL_CRITERION] = {
	"deactivate", "head", "tail", "half", "quarter", "emptier_head", "half_only", "fuller_head",
};

const char *const cache_flag_words[CF_WORDS] = {
	"HWCACHE", "RCU", "ACCOUNT", "RECLAIM", "DMA", "DMA32", "NOLEAK", "POISON",
	"REDZONE", "USER", "CONSIST", "TRACE", "SPREAD", "NOMERGE", "FAILSLAB",
};

static int flag_of(const char *word, size_t len)
{
	for (int i = 0; i < CF_WORDS; i++)
		if (strlen(cache_flag_words[i]) == len && !strncasecmp(word, cache_flag_words[i], len))
			return 1 << i;
	return 0;
}

int cache_flags_parse(const char *text, uint32_t *flags)
{
	uint32_t all = 0;

	for (const char *p = text; *p; ) {
		size_t len = strcspn(p, "|,");
		int flag = flag_of(p, len);

		if (!flag && len && !(len == 1 && *p == '0') && !(len == 4 && !strncasecmp(p, "none", 4)))
			return fail(EINVAL, "no cache flag is called \"%.*s\" (HWCACHE, RCU, ACCOUNT, RECLAIM, DMA, "
				    "DMA32, NOLEAK, POISON, REDZONE, USER, CONSIST, TRACE, SPREAD, NOMERGE)",
				    (int)len, p);
		all |= (uint32_t)flag;
		p += len + (p[len] != 0);
	}
	*flags = all;
	return 0;
}

char *cache_flags_print(uint32_t flags, char *buf, size_t size)
{
	size_t n = 0;

	snprintf(buf, size, "0");
	for (int i = 0; i < CF_WORDS; i++)
		if (flags & 1u << i && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? "|" : "", cache_flag_words[i]);
	return buf;
}

/* ---- the option string: blocks joined by `;`, each LETTERS[,NAME…] ---- */

struct block {
	uint32_t flags;
	bool drop_high;
	const char *names;	/* behind the comma, or NULL */
	size_t names_len;
};

#define ALL_DEBUG (CF_CONSIST | CF_REDZONE | CF_POISON | CF_USER)

static bool add_letter(char letter, struct block *b)
{
	static const struct { char letter; uint32_t flag; } letters[] = {
		{ 'F', CF_CONSIST }, { 'Z', CF_REDZONE }, { 'P', CF_POISON },
		{ 'U', CF_USER }, { 'T', CF_TRACE }, { 'A', CF_FAILSLAB },
	};

	letter = (char)toupper((unsigned char)letter);
	if (letter == 'O') {
		b->drop_high = true;
		return true;
	}
	if (letter == '-') {
		b->flags = 0;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].letter == letter) {
			b->flags |= letters[i].flag;
			return true;
		}
	return false;
}

/* One block from `p`; unknown letters are collected. Returns what follows the block. */
static const char *read_block(const char *p, struct block *b, char unknown[32])
{
	const char *end = p + strcspn(p, ";"), *comma = memchr(p, ',', (size_t)(end - p));
	const char *letters_end = comma ? comma : end;

	*b = (struct block){ 0 };
	if (p == letters_end)
		b->flags = ALL_DEBUG;
	for (const char *q = p; q < letters_end; q++) {
		size_t n = unknown ? strlen(unknown) : 0;

		if (!add_letter(*q, b) && unknown && n < 30 && !strchr(unknown, *q)) {
			unknown[n] = *q;
			unknown[n + 1] = 0;
		}
	}
	if (comma) {
		b->names = comma + 1;
		b->names_len = (size_t)(end - b->names);
	}
	return *end ? end + 1 : end;
}

static bool names_match(const struct block *b, const char *name)
{
	const char *p = b->names, *end = b->names + b->names_len;

	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		size_t len = (size_t)((comma ? comma : end) - p);

		if (len && p[len - 1] == '*' ? !strncmp(p, name, len - 1) :
		    strlen(name) == len && !strncmp(p, name, len))
			return true;
		p += len + 1;
	}
	return false;
}

uint32_t debug_string_flags(const char *string, const char *name, uint32_t flags, bool *drop_high)
{
	struct block b, global = { 0 };

	*drop_high = false;
	for (const char *p = string; *p; ) {
		p = read_block(p, &b, NULL);
		if (!b.names) {
			global = b;
			continue;
		}
		if (!names_match(&b, name))
			continue;
		*drop_high = b.drop_high;
		return flags | b.flags;
	}
	*drop_high = global.drop_high;
	/* a cache of the leak checker would fill memory with its own tracks */
	return flags | (flags & CF_NOLEAK ? global.flags & ~(uint32_t)CF_USER : global.flags);
}

int debug_string_check(const char *string, char unknown[32])
{
	struct block b;

	unknown[0] = 0;
	if (strlen(string) >= DEBUG_STRING)
		return fail(EINVAL, "the option string is longer than %d characters", DEBUG_STRING - 1);
	for (const char *p = string; *p; )
		p = read_block(p, &b, unknown);
	return 0;
}

void slab_policy_default(struct slab_policy *p)
{
	memset(p, 0, sizeof(*p));	/* padding too: it lies in the region */
	p->store.merge = MERGE_ON;
	p->store.era = ERA_6_1;
	p->store.max_order = p->store.slabq_max_order = ORDER_AUTO;
	p->store.min_partial = MIN_PARTIAL_AUTO;
	p->store.cpu_partial = CPU_PARTIAL_AUTO;
	p->store.defrag_ratio = 100;
	p->store.order_fallback = ORDER_NOKSWAPD;
	p->store.fallback_nomemalloc = 1;
	p->store.criterion_num = 1;
	p->store.criterion_den = 2;
	p->cas16 = 1;
	p->kmalloc_types = 0xf;
	p->shrink_promote = 32;
	p->store.bulk_form = BULK_5_18;
	p->store.slabq_limit = p->store.slabq_batchcount = p->store.slabq_shared = QUEUE_AUTO;
	p->store.slqb_hiwater = p->store.slqb_freebatch = QUEUE_AUTO;
	p->store.slabq_colour = p->store.slqb_colour = 1;
	p->store.slqb_min_objects = 1;
	p->slabq_alien = 1;
	p->slabq_reap_ms = 2000;
	p->slabq_reap_node_ms = 4000;
	p->slqb_trim_ms = 3000;
	p->barn_max_full = p->barn_max_empty = 10;
	p->fail = (struct fail_policy){ .interval = 1, .times = 1, .ignore_wait = 1 };
}
