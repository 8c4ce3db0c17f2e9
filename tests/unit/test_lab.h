/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lab - a whole lab of a shape, as `lab new` makes it; the test drops it. */
#ifndef TESTS_TEST_LAB_H
#define TESTS_TEST_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "op/op.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static inline struct lab *test_lab(const char *text)
{
	struct lab *lab = NULL;
	struct shape shape;

	shape_default(&shape);
	if (shape_parse(&shape, text) || lab_new(&shape, NULL, "test", &lab, NULL))
		fail_msg("%s: %s", text, fail_why());
	return lab;
}

#endif
