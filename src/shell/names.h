/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names - words of the user that name something of a lab, found or refused with near names. */
#ifndef SHELL_NAMES_H
#define SHELL_NAMES_H

#include "lab/lab.h"

/* The cache's id; 0 and a sentence when there is none of that name. */
uint32_t name_cache(struct lab *lab, const char *name);

/* A CPU that the lab has: "3". Negative errno with a sentence. */
int name_cpu(const struct lab *lab, const char *word, unsigned int *cpu);

/* A node: "1" or "N1". */
int name_node(const struct lab *lab, const char *word, unsigned int *node);

/* Is it a proper name for this kind of thing ("lab"), which has room for `size` bytes? -EINVAL with a sentence. */
int name_proper(const char *name, const char *kind, size_t size);

#endif
