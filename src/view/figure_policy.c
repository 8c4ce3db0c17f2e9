/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_policy - every policy under its own name, with its lab-wide value. */
#include "view/figure_walk.h"

#include "policy/policy.h"

void figure_policy_walk(struct figure_walk *w)
{
	char value[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++)
		if (walk_leaf(w, policy_table[i].name)) {
			policy_print(w->lab, &policy_table[i], 0, value, sizeof(value));
			walk_text(w, value);
		}
}
