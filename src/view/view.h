/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view - what people see of a lab.
 *
 * Idea. A view stops the lab, walks, fills a model (a JSON value) and lets
 * the lab go; text is then painted from that model alone, so text and JSON
 * cannot disagree. Integers in a model are exact; text rounds and shows
 * units. A view never changes state.
 *
 * Ownership. A model is the caller's; json_decref() it. What args point to
 * stays the caller's.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <jansson.h>
#include <stdio.h>

#include "lab/lab.h"

typedef unsigned long long ull;	/* what %llu takes */

struct view_args {
	const char *name;	/* cache, zone or what the view is asked about; NULL: none given */
	const char *const *words;	/* all words after the command, NULL-terminated */
	bool utf8, colour;
	unsigned int width;	/* columns of the terminal, 80 if unknown */
	bool screen;		/* is it known: lines beyond it would break anyhow */
	bool quiet;		/* no notes on standard error */
};

struct view {
	const char *name, *summary;
	/* NULL and a sentence in fail_why() when the arguments name nothing. */
	json_t *(*model)(struct lab *lab, const struct view_args *args);
	void (*text)(const json_t *model, const struct view_args *args, FILE *to);
	const char *usage;	/* words it takes, "" for none: "[ZONE|CPU]" */
};

/* By name; NULL-terminated list. */
extern const struct view *const views[];
const struct view *view_find(const char *name);

/* The model of that view, of the one named thing or (NULL) of all; NULL with a sentence as the view's own. */
json_t *view_model(struct lab *lab, const char *view, const char *name);

/* ---- models that the shell asks for with more than words ---- */

struct member;

/*
 * `where` of members that a slice chose: members[i] is index indexes[i] of
 * `handle` (NULL: not named in text). A JSON list of one entry a live member,
 * in the order given; freed ones are left out. Paint it with
 * view_find("where")->text. The view "where" itself takes, as args->name, a
 * whole handle's name or a place: pfn:N, addr:N, or a bare number, which is a
 * pfn where the lab has such a page and else an address (offset in the arena).
 */
json_t *view_where_members(struct lab *lab, const char *handle, const struct member *members,
			   const uint32_t *indexes, unsigned int n);

/* `why` of one member: how it was allocated, and where it is. Paint it with view_find("why")->text. */
struct handle;
json_t *view_why_member(struct lab *lab, const struct handle *h, uint32_t index);

/* `lab info`: one lab. */
json_t *view_lab_info(struct lab *lab);
void view_lab_info_text(const json_t *model, const struct view_args *args, FILE *to);

/* `lab list`: a line a lab, the current one marked. */
json_t *view_lab_list(struct lab *const *labs, unsigned int n, const struct lab *current, const bool *twin);
void view_lab_list_text(const json_t *model, const struct view_args *args, FILE *to);

#endif
