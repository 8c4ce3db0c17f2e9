/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keep - room for the pages of snapshots, in the host's memory.
 *
 * Idea. A checkpoint of a large lab copies tens of thousands of pages at
 * once, and an undo gives them back at once. Chunks of 2 MiB, aligned, make
 * both cheap: the host maps and takes back a chunk in one step (as a huge
 * page, where it likes), and a page knows its chunk by its address.
 *
 * Invariants
 *   V1  a chunk is on the list exactly when it has a free page.
 *   V2  a chunk without a page in use is given back, but for one.
 *
 * Locks. One mutex: several labs may be saved by several threads.
 */
#ifndef OP_KEEP_H
#define OP_KEEP_H

struct kept_page;

/* NULL when the host has no memory. Its content is anything. */
struct kept_page *keep_get(void);
void keep_put(struct kept_page *p);

#endif
