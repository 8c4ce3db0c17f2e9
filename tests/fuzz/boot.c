/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boot - any text as a kernel command line: neither call crashes, errors have a
 * sentence, and whatever was stored prints to a value that may be set again.
 */
#include <string.h>

#include "base/fail.h"
#include "fuzz.h"
#include "op/op.h"
#include "policy/policy.h"

static struct lab *lab_once(void)
{
	static struct lab *lab;
	struct shape shape;
	char warning[256];

	shape_default(&shape);
	if (!lab && lab_new(&shape, NULL, "main", &lab, warning))
		fuzz_bug("no lab");
	return lab;
}

static void all_values_may_be_set_again(struct lab *lab)
{
	char text[POLICY_TEXT_MAX], again[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		/* The kernel takes strings with letters that it does not know; set does not. */
		if (policy_is_of_shape(row) || !strcmp(row->name, "slub.debug"))
			continue;
		policy_print(lab, row, 0, text, sizeof(text));
		if (policy_store(lab, row, 0, text))
			fuzz_bug(fail_why());
		policy_print(lab, row, 0, again, sizeof(again));
		if (strcmp(text, again))
			fuzz_bug("a value came back as another");
	}
}

static void shape_is_sound(const struct shape *s)
{
	if (!s->cpus || s->possible < s->cpus || !s->zones || !s->pages)
		fuzz_bug("a shape that no lab can have");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lab *lab = lab_once();
	char *line = malloc(size + 1), warning[256];
	struct shape shape;

	if (!line)
		return 0;
	memcpy(line, data, size);
	line[size] = 0;
	shape_default(&shape);
	if (boot_shape(line, &shape) && !fail_why()[0])
		fuzz_bug("an error without a sentence");
	shape_is_sound(&shape);
	policy_defaults(lab);
	if (boot_policies(lab, line, warning) && !fail_why()[0])
		fuzz_bug("an error without a sentence");
	if (strnlen(warning, sizeof(warning)) == sizeof(warning))
		fuzz_bug("a warning without an end");
	all_values_may_be_set_again(lab);
	free(line);
	return 0;
}
