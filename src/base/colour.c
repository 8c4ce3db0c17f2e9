/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/colour.h"

static const char *const sequences[MEANS_NR] = {
	[MEANS_PLAIN]       = "",
	[MEANS_ERROR]       = "\033[1;31m",
	[MEANS_WARNING]     = "\033[1;33m",
	[MEANS_NOTE]        = "\033[36m",
	[MEANS_NAME]        = "\033[1m",
	[MEANS_CHANGED]     = "\033[1;33m",
	[MEANS_HINT]        = "\033[2m",
	[MEANS_TITLE]       = "\033[1m",
	[MEANS_NOTHING]     = "\033[2m",
	[MEANS_NEXT]        = "\033[1m",
	[MEANS_FULL]        = "\033[35m",
	[MEANS_PARTLY]      = "\033[36m",
	[MEANS_EMPTY]       = "\033[32m",
	[MEANS_DRAINING]    = "\033[33m",
	[MEANS_UNMOVABLE]   = "\033[33m",
	[MEANS_MOVABLE]     = "\033[36m",
	[MEANS_RECLAIMABLE] = "\033[32m",
	[MEANS_HIGHATOMIC]  = "\033[31m",
};

const char *colour_on(bool wanted, enum meaning m)
{
	return wanted ? sequences[m] : "";
}

const char *colour_off(bool wanted)
{
	return wanted ? "\033[0m" : "";
}

enum meaning meaning_of_type(const char *type)
{
	switch (type[0]) {
	case 'U': case 'u': return MEANS_UNMOVABLE;
	case 'M': case 'm': return MEANS_MOVABLE;
	case 'R': case 'r': return MEANS_RECLAIMABLE;
	case 'H': case 'h': return MEANS_HIGHATOMIC;
	default: return MEANS_PLAIN;
	}
}

enum meaning meaning_of_use(uint64_t inuse, uint64_t objects)
{
	if (!inuse)
		return MEANS_EMPTY;
	return inuse < objects ? MEANS_PARTLY : MEANS_FULL;
}
