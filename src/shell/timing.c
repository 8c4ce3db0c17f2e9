/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/timing.h"


#include "base/clock.h"
#include "base/units.h"

void timing_begin(struct timing *t, const struct lab *lab)
{
	t->lab = lab;
	t->lab_ns = lab ? lab_now(lab) : 0;
	t->host_ns = host_ns();
}

void timing_end(struct timing *t, struct shell *sh)
{
	uint64_t now;

	t->host_ns = host_ns() - t->host_ns;
	if (!labs_of(&sh->labs, t->lab))
		t->lab = NULL;
	now = t->lab ? lab_now(t->lab) : 0;
	t->lab_ns = now > t->lab_ns ? now - t->lab_ns : 0;	/* undo goes back */
}

json_t *timing_json(const struct timing *t)
{
	return json_pack("{s:I, s:I}", "host_ns", (json_int_t)t->host_ns, "lab_ns", (json_int_t)t->lab_ns);
}

void timing_print(const struct timing *t, FILE *to)
{
	char host[32], lab[32];

	fprintf(to, "time: %s (lab clock: %s)\n", format_ns(t->host_ns, host, sizeof(host)),
		format_ns(t->lab_ns, lab, sizeof(lab)));
}
