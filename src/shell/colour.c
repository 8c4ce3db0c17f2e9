/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/shell.h"

static const char *const sequences[] = {
	[MEANS_ERROR]   = "\033[1;31m",
	[MEANS_WARNING] = "\033[1;33m",
	[MEANS_NOTE]    = "\033[36m",
	[MEANS_NAME]    = "\033[1m",
	[MEANS_CHANGED] = "\033[1;33m",
	[MEANS_HINT]    = "\033[2m",
};

static bool terminal_can(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no && no[0]) && term && strcmp(term, "dumb");
}

bool colour_wanted(const struct shell *sh, FILE *to)
{
	if (sh->colour != COLOUR_AUTO)
		return sh->colour == COLOUR_ALWAYS;
	if (sh->pager && to == sh->pager->file)
		to = stdout;
	return (to == stdout || to == stderr) && isatty(fileno(to)) && terminal_can();
}

const char *colour_on(bool wanted, enum meaning m)
{
	return wanted ? sequences[m] : "";
}

const char *colour_off(bool wanted)
{
	return wanted ? "\033[0m" : "";
}
