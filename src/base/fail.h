/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fail - the sentence that goes with an error.
 *
 * The lowest layer that knows the cause words it; whoever talks to the user
 * decides where it is shown. One sentence per thread, valid until the next.
 */
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

#include "base/types.h"

/* Keep the sentence; returns -err so that `return fail(EINVAL, "...")` reads well. */
int fail(int err, const char *fmt, ...) __printf_like(2, 3);

/* The last sentence of this thread, "" if there was none. */
const char *fail_why(void);

/* Put words in front of the present sentence ("in block 3: "). Returns `ret` unchanged. */
int fail_in(int ret, const char *fmt, ...) __printf_like(2, 3);

#endif
