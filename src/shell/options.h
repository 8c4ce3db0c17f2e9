/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options - the program's command line, read into a shell's settings. */
#ifndef SHELL_OPTIONS_H
#define SHELL_OPTIONS_H

#include "shell/shell.h"

struct options {
	const char *commands;	/* -c */
	const char *complete;	/* --complete: the line so far */
	bool help, version;
	char *const *rest;	/* words behind the options */
	unsigned int nr;
	const char **sets;
	char *boot;
};

/* 0, or a negative errno with a sentence: wrong usage. Options go into sh, what is to run into o. */
int options_read(int argc, char **argv, struct shell *sh, struct options *o);
void options_free(struct options *o);

void options_help(FILE *to);

#endif
