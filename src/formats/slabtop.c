/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/slabtop.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

#define WORDS_MOST 16

/* Words of a line, blanks between; the last keeps the rest where there are more than `most`. */
static unsigned int words_of(const char *line, char *buf, size_t size, char *word[WORDS_MOST])
{
	unsigned int nr = 0;

	snprintf(buf, size, "%s", line);
	for (char *save, *w = strtok_r(buf, " \t", &save); w && nr < WORDS_MOST; w = strtok_r(NULL, " \t", &save))
		word[nr++] = w;
	return nr;
}

static bool whole_number(const char *word, uint64_t *n)
{
	return paste_u64(&word, n) && !*word;
}

/* "0.19K", "45906648K", "16k" or "1.5M" in bytes, rounded. */
static bool size_word(const char *word, uint64_t *bytes)
{
	char *end;
	double n = strtod(word, &end);

	if (end == word || !(n >= 0) || n > 1e15)
		return false;
	switch (toupper((unsigned char)*end)) {
	case 'K':
		n *= 1024;
		break;
	case 'M':
		n *= 1024 * 1024;
		break;
	case 'G':
		n *= 1024.0 * 1024 * 1024;
		break;
	default:
		return false;
	}
	*bytes = (uint64_t)(n + 0.5);
	return !end[1];
}

static bool name_row(struct slabinfo_row *r, const char *name)
{
	if (!*name || strlen(name) >= sizeof(r->name))
		return false;
	strcpy(r->name, name);
	return true;
}

static uint64_t up_to_pages(uint64_t bytes)
{
	return bytes > PAGE_SIZE ? (bytes + PAGE_SIZE / 2) >> PAGE_SHIFT : 1;
}

/* "734506368 734506368 100%    0.06K 11476662       64  45906648K ebitmap_node" */
static bool slabtop_row(const char *line, struct slabinfo_row *r)
{
	char buf[512], *w[WORDS_MOST];
	uint64_t total;

	memset(r, 0, sizeof(*r));
	if (words_of(line, buf, sizeof(buf), w) < 8 || !strchr(w[2], '%'))
		return false;
	if (!whole_number(w[0], &r->num_objs) || !whole_number(w[1], &r->active_objs) || !size_word(w[3], &r->objsize) ||
	    !whole_number(w[4], &r->num_slabs) || !whole_number(w[5], &r->objperslab) || !size_word(w[6], &total))
		return false;
	if (!r->objsize || !r->objperslab || !name_row(r, w[7]))
		return false;
	r->pagesperslab = up_to_pages(r->num_slabs ? total / r->num_slabs : r->objsize * r->objperslab);
	return true;
}

/* "ffff893b3dce8e00     1112         49      3741    129    32k  nfs_inode_cache"; *unknown: it has a "?" */
static bool crash_row(const char *line, struct slabinfo_row *r, bool *unknown)
{
	char buf[512], *w[WORDS_MOST];
	uint64_t slab;
	unsigned int nr;

	memset(r, 0, sizeof(*r));
	nr = words_of(line, buf, sizeof(buf), w);
	*unknown = nr == 7 && strlen(w[0]) == 16 && w[2][0] == '?';
	if (nr != 7 || strlen(w[0]) < 8 || strspn(w[0], "0123456789abcdef") != strlen(w[0]))
		return false;
	if (!whole_number(w[1], &r->objsize) || !whole_number(w[2], &r->active_objs) || !whole_number(w[3], &r->num_objs) ||
	    !whole_number(w[4], &r->num_slabs) || !size_word(w[5], &slab) || !r->objsize || !name_row(r, w[6]))
		return false;
	r->pagesperslab = up_to_pages(slab);
	r->objperslab = slab / r->objsize ? slab / r->objsize : 1;
	return true;
}

static int parse(const struct paste *text, struct slabinfo *s, bool crash)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; i < text->nr && !ret; i++) {
		struct slabinfo_row r;
		bool unknown = false;

		if (!(crash ? crash_row(text->line[i], &r, &unknown) : slabtop_row(text->line[i], &r))) {
			if (text->line[i][0] && (unknown || s->nr) && !line_list_add(&s->skipped, i + 1))
				ret = fail(ENOMEM, "no memory for the list of skipped lines");
			continue;
		}
		r.line = i + 1;
		r.has_slabdata = r.slabs_told = !crash;	/* the debugger does not tell how many objects a slab has */
		r.active_slabs = r.num_slabs;
		if (r.active_objs > r.num_objs) {
			r.active_objs = r.num_objs;
			if (!line_list_add(&s->repaired, i + 1))
				ret = fail(ENOMEM, "no memory for the list of repaired lines");
		}
		if (!ret)
			ret = slabinfo_add(s, &r);
	}
	if (!ret && !s->nr)
		ret = fail(ENOENT, crash ? "no line reads as a cache of kmem -s" : "no line reads as a row of slabtop");
	if (ret)
		slabinfo_free(s);
	return ret;
}

int slabtop_parse(const struct paste *text, struct slabinfo *s)
{
	return parse(text, s, false);
}

int crash_kmem_parse(const struct paste *text, struct slabinfo *s)
{
	return parse(text, s, true);
}

uint32_t slabtop_recognise(const struct paste *text)
{
	struct slabinfo_row r;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < text->nr; i++)
		nr += slabtop_row(text->line[i], &r);
	return nr;
}

uint32_t crash_kmem_recognise(const struct paste *text)
{
	struct slabinfo_row r;
	uint32_t nr = 0;
	bool unknown;

	for (uint32_t i = 0; i < text->nr; i++)
		nr += crash_row(text->line[i], &r, &unknown) || unknown;
	return nr;
}
