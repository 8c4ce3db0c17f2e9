/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/handle_ref.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "base/units.h"
#include "policy/near.h"
#include "shell/arena.h"

#define NEAR_HANDLES 1000	/* more are not searched for a name that is like one */

void refs_free(struct ref_list *refs)
{
	free(refs->v);
	*refs = (struct ref_list){ 0 };
}

static void add(struct ref_list *refs, struct handle *h, uint32_t index)
{
	if (refs->nr == refs->room) {
		refs->room = refs->room ? refs->room * 2 : 16;
		refs->v = host_grow(refs->v, refs->room * sizeof(*refs->v));
	}
	refs->v[refs->nr++] = (struct ref){ h, index };
}

static bool is_live(struct lab *lab, const struct handle *h, uint32_t index)
{
	return handle_members(lab, h)[index].off != 0;
}

static int no_handle(struct lab *lab, const char *name)
{
	char near_names[NEAR_NAMES * NEAR_LENGTH];
	uint64_t cursor = 0;
	struct handle *h;
	struct near n;

	near_begin(&n, name);
	while (lab->hdr->handle_used < NEAR_HANDLES && (h = handle_next(lab, &cursor)))
		near_offer(&n, h->name);
	near_join(&n, near_names, sizeof(near_names));
	return fail(ENOENT, "there is no handle \"%s\"%s%s%s", name, near_names[0] ? " (near: " : "",
		    near_names, near_names[0] ? ")" : "");
}

/* ---- what stands in the brackets ---- */

struct slice {
	enum { SLICE_WHOLE, SLICE_ONE, SLICE_RANGE, SLICE_SHARE, SLICE_SOME } kind;
	int64_t from, to, step;
	bool has_from, has_to;
	uint64_t some;		/* SOME: members; SHARE: thousandths of a per cent */
};

/* An optional signed number at *s; -EINVAL when it is too long to mean anything. */
static int slice_number(const char **s, int64_t *n, bool *there)
{
	char *end;

	*there = isdigit((unsigned char)**s) || (**s == '-' && isdigit((unsigned char)(*s)[1]));
	if (!*there)
		return 0;
	errno = 0;
	*n = strtoll(*s, &end, 10);
	*s = end;
	return errno ? -EINVAL : 0;
}

/* "50%", "12.5%" or "10" behind the ~. */
static int read_choice(const char *s, struct slice *slice)
{
	uint64_t n = 0, scale = 1;
	unsigned int digits = 0;

	for (; isdigit((unsigned char)*s) && digits < 12; s++, digits++)
		n = n * 10 + (uint64_t)(*s - '0');
	if (!digits)
		return -EINVAL;
	slice->kind = SLICE_SOME;
	slice->some = n;
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s) && scale < 1000; s++, scale *= 10)
			n = n * 10 + (uint64_t)(*s - '0');
	if (*s == '%') {
		slice->kind = SLICE_SHARE;
		slice->some = n * (1000 / scale);
		s++;
	} else if (scale > 1) {
		return -EINVAL;
	}
	return *s == ']' && !s[1] && (slice->kind == SLICE_SOME || slice->some <= 100000) ? 0 : -EINVAL;
}

static int read_slice(const char *s, struct slice *slice)
{
	bool there;

	*slice = (struct slice){ .kind = SLICE_ONE, .step = 1 };
	if (*s == '~')
		return read_choice(s + 1, slice);
	if (slice_number(&s, &slice->from, &slice->has_from))
		return -EINVAL;
	if (*s == ']')
		return slice->has_from && !s[1] ? 0 : -EINVAL;
	slice->kind = SLICE_RANGE;
	if (*s++ != ':' || slice_number(&s, &slice->to, &slice->has_to))
		return -EINVAL;
	if (*s == ':') {
		s++;
		if (slice_number(&s, &slice->step, &there) || (there && !slice->step))
			return -EINVAL;
	}
	return *s == ']' && !s[1] ? 0 : -EINVAL;
}

/* ---- what it means for this handle ---- */

static int take(struct lab *lab, struct handle *h, int64_t index, struct ref_list *refs)
{
	if (!refs->freed_too && !is_live(lab, h, (uint32_t)index))
		return fail(EINVAL, "%s[%lld] was freed before", h->name, (long long)index);
	add(refs, h, (uint32_t)index);
	return 0;
}

static int take_one(struct lab *lab, struct handle *h, int64_t index, struct ref_list *refs)
{
	int64_t i = index < 0 ? index + h->nr : index;

	if (i < 0 || i >= h->nr)
		return fail(ERANGE, "%s[%lld] is out of range (%s has the indexes 0 .. %u)", h->name,
			    (long long)index, h->name, h->nr - 1);
	return take(lab, h, i, refs);
}

/* As Python clips a bound. */
static int64_t bound(bool there, int64_t i, int64_t nr, bool back, int64_t otherwise)
{
	if (!there)
		return otherwise;
	if (i < 0)
		i += nr;
	if (i < 0)
		return back ? -1 : 0;
	return i >= nr ? (back ? nr - 1 : nr) : i;
}

static int take_range(struct lab *lab, struct handle *h, const struct slice *s, struct ref_list *refs)
{
	bool back = s->step < 0;
	int64_t nr = h->nr, from = bound(s->has_from, s->from, nr, back, back ? nr - 1 : 0);
	int64_t to = bound(s->has_to, s->to, nr, back, back ? -1 : nr);
	int ret = 0;

	/* Steps beyond the handle's length end the walk; adding them could overflow. */
	for (int64_t i = from; !ret && (back ? i > to : i < to); i += s->step) {
		ret = take(lab, h, i, refs);
		if (s->step > nr || s->step < -nr)
			break;
	}
	return ret;
}

/* `wanted` of the live members, each choice equally likely, in the order of their indexes. */
static void take_some(struct lab *lab, struct handle *h, uint64_t wanted, uint64_t *rand, struct ref_list *refs)
{
	uint64_t left = h->live;

	if (wanted > left)
		wanted = left;
	for (uint32_t i = 0; i < h->nr && wanted; i++) {
		if (!is_live(lab, h, i))
			continue;
		if (rand_below(rand, left--) < wanted) {
			add(refs, h, i);
			wanted--;
		}
	}
}

static int take_slice(struct lab *lab, struct handle *h, const struct slice *s, uint64_t *rand,
		      struct ref_list *refs)
{
	switch (s->kind) {
	case SLICE_ONE:
		return take_one(lab, h, s->from, refs);
	case SLICE_RANGE:
		return take_range(lab, h, s, refs);
	case SLICE_SHARE:
		take_some(lab, h, ((uint64_t)h->live * s->some + 50000) / 100000, rand, refs);
		return 0;
	case SLICE_SOME:
		take_some(lab, h, s->some, rand, refs);
		return 0;
	default:
		take_some(lab, h, h->live, rand, refs);
		return 0;
	}
}

int refs_read(struct lab *lab, uint64_t *rand, const char *word, struct ref_list *refs)
{
	const char *bracket = strchr(word, '[');
	size_t len = bracket ? (size_t)(bracket - word) : strlen(word), before = refs->nr;
	struct slice slice = { .kind = SLICE_WHOLE };
	char name[HANDLE_NAME];
	struct handle *h;
	int ret;

	if (!len || len >= sizeof(name))
		return fail(EINVAL, "\"%s\" is no handle", word);
	memcpy(name, word, len);
	name[len] = 0;
	h = handle_find(lab, name);
	if (!h)
		return no_handle(lab, name);
	if (bracket && read_slice(bracket + 1, &slice))
		return fail(EINVAL, "\"%s\" is no slice (write %s[3], %s[10:20], %s[::2], %s[-1], %s[::-1], %s[~50%%])",
			    word, name, name, name, name, name, name);
	if (refs->freed_too && slice.kind == SLICE_WHOLE)
		slice = (struct slice){ .kind = SLICE_RANGE, .step = 1 };
	if (!h->live && (slice.kind == SLICE_WHOLE || slice.kind == SLICE_SHARE || slice.kind == SLICE_SOME))
		return fail(EINVAL, "%s has no live member: all were freed before", name);
	ret = take_slice(lab, h, &slice, rand, refs);
	if (!ret && refs->nr == before)
		ret = fail(EINVAL, "%s means no member (%s has the indexes 0 .. %u, %u live)", word, name,
			   h->nr ? h->nr - 1 : 0, h->live);
	if (ret)
		refs->nr = before;
	else
		refs->words++;
	return ret;
}

static int by_member(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;

	if (x->h != y->h)
		return x->h < y->h ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

int refs_check_twice(const struct ref_list *refs)
{
	struct ref *v;
	int ret = 0;

	if (refs->words < 2 || refs->freed_too)
		return 0;
	v = host_grow(NULL, refs->nr * sizeof(*v));
	memcpy(v, refs->v, refs->nr * sizeof(*v));
	qsort(v, refs->nr, sizeof(*v), by_member);
	for (size_t i = 1; i < refs->nr && !ret; i++)
		if (!by_member(&v[i - 1], &v[i]))
			ret = fail(EINVAL, "%s[%u] is named twice", v[i].h->name, v[i].index);
	free(v);
	return ret;
}
