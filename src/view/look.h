/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look - what all views share: the stop around a walk, words about zones and
 * CPUs, numbers for a model.
 *
 * A model function begins with look_begin(), which checks how many words it
 * was given and stops every CPU, and ends with look_end(). Between the two
 * the lab stands still. Nothing of the lab is read after that.
 */
#ifndef VIEW_LOOK_H
#define VIEW_LOOK_H

#include "page/read.h"
#include "view/view.h"

/* Stop the lab. -EINVAL with a sentence when there are more words than `words`. */
int look_begin(struct lab *lab, const struct view_args *args, const char *view, unsigned int words);
/* Let it go; returns the model, so that `return look_end(lab, m)` reads well. */
json_t *look_end(struct lab *lab, json_t *model);

static inline bool look_counting(const struct lab *lab)
{
	return lab->hdr->counters;
}

/*
 * Say once that the counters a kernel-format view prints stand still. Said
 * again only after they were on in between, or for another lab.
 */
void look_note_stopped(const struct lab *lab, const struct view_args *args);

/* A count as a JSON integer. */
json_t *look_int(uint64_t n);
void look_set(json_t *object, const char *key, uint64_t n);
void look_set_text(json_t *object, const char *key, const char *text);
/* Of a model: 0 or "" where the key is missing or null. */
uint64_t look_get(const json_t *object, const char *key);
const char *look_get_text(const json_t *object, const char *key);

/* Zones by words: "N0.Normal", "Normal", "N0". */
struct zone_choice {
	int node;		/* -1: any */
	int kind;		/* -1: any */
};
/* True when the word has the form of a zone's name and some zone fits it; NULL chooses all. */
bool zone_choose(struct lab *lab, const char *word, struct zone_choice *choice);
bool zone_chosen(const struct zone_choice *choice, const struct zone_figures *z);
/* "N0.Normal, N1.Normal" for error messages. Returns buf. */
char *zone_names(struct lab *lab, char *buf, size_t size);

/* Merges that the last switch of buddy.coalesce to eager made. */
uint64_t look_due_merges(struct lab *lab);

/* What the shell asks of a CPU before it gives it an op. */
bool look_online(const struct lab *lab, unsigned int cpu);
/* "cpu3" or "3" of a CPU that the lab has: its id; else -1. */
int cpu_choose(const struct lab *lab, const char *word);

/* A CPU's page list, by number: the order of its blocks, and their type as a word. */
unsigned int pcp_list_order(unsigned int list);
const char *pcp_list_type(unsigned int list);
/*
 * The object that a member of a handle is, cached or not. False: it is none,
 * or was freed, by a shrinker too.
 */
struct member;
bool member_is_object(const struct lab *lab, const struct member *m, uint64_t *off);

/* What a page is part of, in words. */
const char *look_role(enum page_role role);

/* Start a zone's object: "node" and "zone". */
json_t *zone_object(const struct zone_figures *z);
/* The counts by order as an array. */
json_t *order_array(const uint64_t counts[NR_PAGE_ORDERS]);

#endif
