/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/xdg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shell/arena.h"

/* Relative paths in these variables are to be ignored, say the rules. */
static const char *folder(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] == '/' ? value : NULL;
}

static char *in_folder(const char *variable, const char *below_home, const char *file)
{
	const char *base = folder(variable), *home = folder("HOME");
	char *path = NULL;

	if (!base && !home)
		return NULL;
	if (asprintf(&path, "%s/%s%sslablab/%s", base ? base : home, base ? "" : below_home, base ? "" : "/", file) < 0)
		return NULL;
	return path;
}

char *xdg_config(const char *file)
{
	return in_folder("XDG_CONFIG_HOME", ".config", file);
}

char *xdg_state(const char *file)
{
	return in_folder("XDG_STATE_HOME", ".local/state", file);
}

void xdg_make_folders(const char *path)
{
	char *part = host_text(path);

	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(part, 0700);
		*slash = '/';
	}
	free(part);
}
