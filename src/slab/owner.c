/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/owner.h"

#include <errno.h>

#include "base/fail.h"
#include "page/zone.h"
#include "slab/audit.h"
#include "slab/store.h"

uint32_t *owner_word_out(const struct lab *lab, const struct store *s, uint64_t off)
{
	const struct page *slab = slab_of(lab, off);
	uint64_t at = off - slab_object(lab, s, page_pfn(lab, slab), 0);
	uint32_t *word;

	if (at % s->g.size || at / s->g.size >= slab_counts(slab).objects)
		return NULL;
	word = owner_words(lab, page_pfn(lab, slab)) + at / s->g.size;
	return *word && !(*word & OWNER_FREED) ? word : NULL;
}

bool owner_maps(const struct lab *lab)
{
	const struct slab_policy *p = lab_section(lab, SEC_SLAB_POLICY);

	return p->store.owner_map || slab_state(lab)->owner_maps;
}

/* ---- slab by slab ---- */

struct counting {
	const struct lab *lab;
	uint32_t cache;
	uint64_t nr;
};

static int count_slab(pfn_t slab, uint32_t objects, void *arg)
{
	struct counting *c = arg;
	const uint32_t *word = owner_words(c->lab, slab);

	for (uint32_t i = 0; i < objects; i++)
		c->nr += word[i] == c->cache;
	return 0;
}

uint64_t owner_count(const struct lab *lab, uint32_t cache)
{
	struct counting c = { .lab = lab, .cache = cache };

	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		if (lab_store(lab, i)->owner_map && store_had_cache(lab, lab_store(lab, i), cache))
			store_each_slab(lab, lab_store(lab, i), count_slab, &c);
	return c.nr;
}

static int check_slab(pfn_t slab, uint32_t objects, void *arg)
{
	struct audit *a = arg;
	const uint32_t *word = owner_words(a->lab, slab);

	if (slab_lost(a->s, lab_page(a->lab, slab)))
		return 0;		/* damage: what is lost is neither out nor free */
	for (uint32_t i = 0; i < objects; i++) {
		bool is_free = audit_marked(a, slab_object(a->lab, a->s, slab, i));
		uint32_t cache = word[i] & ~OWNER_FREED;

		if (cache >= MAX_CACHES)
			return audit_broken(a, "S13", "slab S%u: the owner of object %u is no cache", lab_page(a->lab, slab)->slab_nr, i);
		if (is_free != (!word[i] || word[i] & OWNER_FREED))
			return audit_broken(a, "S13", "slab S%u: object %u is %s, its owner map says otherwise",
					    lab_page(a->lab, slab)->slab_nr, i, is_free ? "free" : "out");
	}
	return 0;
}

int owner_check(struct audit *a)
{
	return a->s->owner_map ? store_each_slab(a->lab, a->s, check_slab, a) : 0;
}

/* ---- for views ---- */

bool object_owner(const struct lab *lab, uint64_t off, uint32_t *cache, bool *is_out)
{
	const struct page *page = lab_page(lab, off_pfn(lab, off));
	const struct store *s = lab_store(lab, page->store);
	uint32_t word;

	if (!page->store || !s->owner_map)
		return false;
	word = owner_words(lab, page->head)[object_index(lab, s, lab_page(lab, page->head), off)];
	*cache = word & ~OWNER_FREED;
	*is_out = !(word & OWNER_FREED);
	return word && *cache < MAX_CACHES && lab_cache(lab, *cache)->state == CACHE_LIVE;
}

unsigned int slab_owners(const struct lab *lab, pfn_t slab, struct owner_share *out, unsigned int max)
{
	uint32_t objects = slab_counts(lab_page(lab, slab)).objects;
	const uint32_t *word = owner_words(lab, slab);
	unsigned int nr = 0;

	if (!lab_store(lab, lab_page(lab, slab)->store)->owner_map)
		return 0;
	for (uint32_t i = 0; i < objects; i++) {
		unsigned int n = 0;

		if (!word[i] || word[i] & OWNER_FREED)
			continue;
		while (n < nr && out[n].cache != word[i])
			n++;
		if (n == max)
			continue;
		if (n == nr)
			out[nr++] = (struct owner_share){ .cache = word[i] };
		out[n].objects++;
	}
	return nr;
}
