/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * topics - the words of the field, one paragraph each: `help TOPIC`.
 *
 * A topic says what the thing is and which commands show it. Its other names
 * lead to it too.
 */
#ifndef SHELL_TOPICS_H
#define SHELL_TOPICS_H

struct topic {
	const char *name;
	const char *others;	/* other names, ", " between them; "" for none */
	const char *text;
	const char *see;	/* commands that show it, ", " between them */
};

/* In order of their names; the last has no name. */
extern const struct topic topics[];

/* By a name of it, case ignored; NULL if there is none. */
const struct topic *topic_find(const char *name);

#endif
