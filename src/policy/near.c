/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/near.h"

#include <stdio.h>
#include <string.h>

#include "policy/policy.h"

#define BAND_MAX 7

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Restricted Damerau-Levenshtein over a band of 2 * limit + 1 cells around
 * the diagonal: cell k of a row stands for b's length i + k - limit.
 */
unsigned int edit_distance(const char *a, const char *b, unsigned int limit)
{
	size_t la = strlen(a), lb = strlen(b), gap = la > lb ? la - lb : lb - la;
	unsigned int row[3][2 * BAND_MAX + 3], far, *now, *last, *before;
	int width;

	if (limit > BAND_MAX)
		limit = BAND_MAX;
	far = limit + 1;
	width = 2 * (int)limit + 1;
	if (gap > limit)
		return far;
	for (int r = 0; r < 3; r++)
		for (int k = 0; k < width + 2; k++)
			row[r][k] = far;
	/* Cells are shifted by one, so that both neighbours of each exist. */
	for (int k = (int)limit; k < width; k++)
		row[0][k + 1] = (unsigned int)k - limit;
	for (size_t i = 1; i <= la; i++) {
		unsigned int best = far;

		now = row[i % 3];
		last = row[(i + 2) % 3];
		before = row[(i + 1) % 3];
		for (int k = 0; k < width; k++) {
			long j = (long)i + k - (long)limit;
			unsigned int d;

			if (j < 0 || j > (long)lb) {
				now[k + 1] = far;
				continue;
			}
			d = j ? last[k + 1] + (a[i - 1] != b[j - 1]) : (unsigned int)i;
			d = least(d, last[k + 2] + 1, j ? now[k] + 1 : far);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = least(d, before[k + 1] + 1, far);
			now[k + 1] = d < far ? d : far;
			best = now[k + 1] < best ? now[k + 1] : best;
		}
		if (best >= far)
			return far;
	}
	return row[la % 3][(long)lb - (long)la + (long)limit + 1];
}

void near_begin(struct near *n, const char *wanted)
{
	size_t len = strlen(wanted) / 3;

	n->wanted = wanted;
	n->limit = strlen(wanted) < 4 ? 1 : len < 2 ? 2 : len > 4 ? 4 : (unsigned int)len;
	n->nr = 0;
}

void near_offer(struct near *n, const char *name)
{
	unsigned int d = edit_distance(n->wanted, name, n->limit);

	if (d <= n->limit)
		near_offer_at(n, name, d);
}

void near_offer_at(struct near *n, const char *name, unsigned int distance)
{
	unsigned int at = n->nr;

	if (strlen(name) >= NEAR_LENGTH)
		return;
	while (at && (n->distance[at - 1] > distance ||
		      (n->distance[at - 1] == distance && strcmp(n->name[at - 1], name) > 0)))
		at--;
	if (at == NEAR_NAMES || (at && !strcmp(n->name[at - 1], name)))
		return;
	if (n->nr < NEAR_NAMES)
		n->nr++;
	for (unsigned int i = n->nr - 1; i > at; i--) {
		n->distance[i] = n->distance[i - 1];
		memcpy(n->name[i], n->name[i - 1], NEAR_LENGTH);
	}
	n->distance[at] = distance;
	strcpy(n->name[at], name);
}

char *near_join(const struct near *n, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = 0;
	for (unsigned int i = 0; i < n->nr; i++) {
		int more = snprintf(buf + used, size - used, "%s%s", i ? ", " : "", n->name[i]);

		if ((size_t)more >= size - used) {
			buf[used] = 0;	/* whole names only */
			break;
		}
		used += (size_t)more;
	}
	return buf;
}

/* A name without its first part ("max_order") is near to every row of that last part. */
static unsigned int row_distance(const char *name, const struct policy_row *row, unsigned int limit)
{
	unsigned int whole = edit_distance(name, row->name, limit), part;

	if (strchr(name, '.'))
		return whole;
	part = edit_distance(name, policy_part(row), limit < 2 ? limit : 2);
	return part <= 2 && part < whole ? part : whole;
}

char *policy_near(const char *name, char *buf, size_t size)
{
	struct near n;

	near_begin(&n, name);
	for (unsigned int i = 0; i < policy_nr; i++) {
		unsigned int d = row_distance(name, &policy_table[i], n.limit);

		if (d <= n.limit)
			near_offer_at(&n, policy_table[i].name, d);
	}
	return near_join(&n, buf, size);
}
