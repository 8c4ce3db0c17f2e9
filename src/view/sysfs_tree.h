/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sysfs_tree - the tree /sys/kernel/slab of a lab, as folders and links of the host. */
#ifndef VIEW_SYSFS_TREE_H
#define VIEW_SYSFS_TREE_H

#include "lab/lab.h"

/*
 * Write it into folder `dir`, which is made if it is not there. A store that
 * can be shared has a folder named as the kernel names it (:0000192), and each
 * of its caches is a link to that; any other has its cache's name. -errno with
 * a sentence; what was written stays.
 */
int sysfs_tree(struct lab *lab, const char *dir, unsigned int *folders, unsigned int *links);

#endif
