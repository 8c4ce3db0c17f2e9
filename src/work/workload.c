/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work/workload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"

#define DECLARE(name) extern const struct workload workload_##name;
WORKLOADS(DECLARE)

#define ROW(name) &workload_##name,
const struct workload *const workload_table[] = { WORKLOADS(ROW) };
const unsigned int workload_nr = ARRAY_SIZE(workload_table);

#define NAME(name) #name,
const char *const workload_names[] = { WORKLOADS(NAME) NULL };

unsigned int workload_keys(const struct workload *w)
{
	unsigned int n = 0;

	while (n < WORK_KEYS_MAX && w->keys[n].name)
		n++;
	return n;
}

const struct work_key *workload_key(const struct workload *w, const char *name, size_t len)
{
	char there[256];
	size_t at = 0;

	there[0] = 0;
	for (unsigned int i = 0; i < workload_keys(w); i++) {
		const char *key = w->keys[i].name;

		if (strlen(key) == len && !memcmp(key, name, len))
			return &w->keys[i];
		if (at < sizeof(there))
			at += (size_t)snprintf(there + at, sizeof(there) - at, "%s%s", i ? ", " : "", key);
	}
	fail(EINVAL, "%s has no key \"%.*s\" (its own are %s)", w->name, (int)len, name, there);
	return NULL;
}
