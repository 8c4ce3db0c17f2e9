/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offer - the things of a session that a word may name, as candidates with their present values. */
#ifndef SHELL_OFFER_H
#define SHELL_OFFER_H

#include "shell/candidates.h"
#include "shell/shell.h"

struct policy_row;

struct offer {
	struct shell *sh;
	struct lab *lab;		/* NULL: what is of a lab is not offered */
	struct candidates *to;
};

void offer_words(const struct offer *o, const char *const *words);
void offer_gfp(const struct offer *o);
void offer_cache_flags(const struct offer *o);
void offer_mtypes(const struct offer *o);
void offer_orders(const struct offer *o);
void offer_nodes(const struct offer *o);
void offer_cpus(const struct offer *o);
void offer_zones(const struct offer *o);
void offer_caches(const struct offer *o);
void offer_labs(const struct offer *o);
void offer_snapshots(const struct offer *o);
void offer_presets(const struct offer *o);
/* The kinds of members that these words of a row stand for (struct arg), 0: none of them is one. */
unsigned int offer_kinds(const char *const *words);
/* Handles with members of such kinds, 0: of all; behind `NAME[` its members and slices. */
void offer_handles(const struct offer *o, unsigned int kinds);
void offer_paths(const struct offer *o);
/* Policies, and those of a cache behind `cache.`. */
void offer_policies(const struct offer *o);
/* The row of a policy's name, or of cache.NAME.PART with the cache's id; NULL: none. */
const struct policy_row *offer_policy_row(struct lab *lab, const char *policy, uint32_t *cache);
/* Values of this policy. */
void offer_values(const struct offer *o, const char *policy);
void offer_shape(const struct offer *o);
void offer_events(const struct offer *o);
/* What a trace can keep. */
void offer_traced(const struct offer *o);
/* KEY= of the workload of that name, but for those that are among the words. */
void offer_work_keys(const struct offer *o, const char *workload, char *const *words, unsigned int nr);

#endif
