/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/bar.h"

#include <string.h>

#include "base/bits.h"

/* Cells that stand for `used`: at least one for something, all only for everything. */
static unsigned int cells_used(uint64_t used, uint64_t total, unsigned int cells)
{
	uint64_t n;

	if (!used || !total)
		return 0;
	if (used >= total)
		return cells;
	n = (uint64_t)((double)used * cells / (double)total + 0.5);
	return (unsigned int)clamp_u64(n, 1, cells > 1 ? cells - 1 : 1);
}

char *bar_fill(char buf[BAR_MAX], uint64_t used, uint64_t total, unsigned int cells, bool utf8)
{
	unsigned int n;
	char *p = buf;

	if (cells > 64)
		cells = 64;
	n = cells_used(used, total, cells);
	p = stpcpy(p, utf8 ? "▕" : "[");
	for (unsigned int i = 0; i < cells; i++)
		p = stpcpy(p, i < n ? (utf8 ? "■" : "#") : (utf8 ? "□" : "."));
	stpcpy(p, utf8 ? "▏" : "]");
	return buf;
}

const char *bar_level(uint64_t value, uint64_t max, bool utf8)
{
	static const char *const tall[] = { "·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { ".", "-", "=", "#", "@" };

	if (utf8)
		return tall[cells_used(value, max, ARRAY_SIZE(tall) - 1)];
	return plain[cells_used(value, max, ARRAY_SIZE(plain) - 1)];
}
