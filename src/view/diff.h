/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diff - two states of a lab side by side: what of it changed.
 *
 * Figures are those of zones, page lists and caches, but for counters, which
 * every operation moves. Lists are free lists and partial lists with their
 * order. Slabs are told by their number in their store, also those of stores
 * that a cache has left ("draining": not its present one).
 *
 *   {"figures":{PATH:{"then":1,"now":2}},
 *    "lists":{NAME:{"then":[…],"now":[…]}},
 *    "slabs":{CACHE:[{"store":55,"slab":0,"draining":false,"then":{"on":…,"inuse":…,"objects":…},"now":null}]}}
 *
 * What is there only on one side has null on the other.
 */
#ifndef VIEW_DIFF_H
#define VIEW_DIFF_H

#include <jansson.h>
#include <stdio.h>

struct lab;
struct view_args;

json_t *view_diff(struct lab *then, struct lab *now);
void view_diff_text(const json_t *model, const struct view_args *args, FILE *to);

#endif
