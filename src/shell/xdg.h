/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xdg - where this user's files of ours are, by the XDG base directory rules. */
#ifndef SHELL_XDG_H
#define SHELL_XDG_H

/* malloc'ed; NULL when there is no home to put them in. Nothing is made. */
char *xdg_config(const char *file);	/* ~/.config/slablab/FILE */
char *xdg_state(const char *file);	/* ~/.local/state/slablab/FILE */

/* Make the folders that a file lies in, for the user alone. That it fails shows when the file is opened. */
void xdg_make_folders(const char *path);

#endif
