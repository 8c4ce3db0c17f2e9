/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz - what a fuzz target defines, in libFuzzer's form.
 *
 * A target takes any bytes and must neither crash nor leave a lab broken; it
 * calls fuzz_bug() when a promise did not hold. With --enable-fuzzers the
 * program is libFuzzer's, else main.c feeds it changed copies of seed files.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_bug(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

#endif
