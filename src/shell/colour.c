/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/shell.h"

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
