/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export - the present policies as a kernel would be told them.
 *
 * A kernel command line or a sysctl file: what differs from linux-6.1, in the
 * kernel's own words (column "Kernel" of slablab-policies(7)); below, as
 * remarks, what differs and cannot be said there: by another file, or by no
 * kernel at all. `--boot` reads the command line back.
 */
#ifndef POLICY_EXPORT_H
#define POLICY_EXPORT_H

#include <stdio.h>

#include "policy/policy.h"

void policy_export_cmdline(struct lab *lab, FILE *to);
void policy_export_sysctl(struct lab *lab, FILE *to);

#endif
