/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[512];

int fail(int err, const char *fmt, ...)
{
	char text[sizeof(sentence)];	/* arguments may point into the old sentence */
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memcpy(sentence, text, sizeof(sentence));
	return -err;
}

int fail_in(int ret, const char *fmt, ...)
{
	char text[sizeof(sentence)];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(text))
		snprintf(text + n, sizeof(text) - (size_t)n, "%s", sentence);
	memcpy(sentence, text, sizeof(sentence));
	return ret;
}

const char *fail_why(void)
{
	return sentence;
}
