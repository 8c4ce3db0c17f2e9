/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/units.h"

#include <errno.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* The digits at the front; the rest of the text is left to the caller. */
static int leading_u64(const char *text, uint64_t *value, const char **rest)
{
	char *end;

	if (text[0] == '-' && isdigit((unsigned char)text[1]))
		return fail(ERANGE, "%s is below 0", text);
	if (!isdigit((unsigned char)text[0]))
		return fail(EINVAL, "\"%s\" is not a number", text);
	errno = 0;
	*value = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
	if (errno == ERANGE)
		return fail(ERANGE, "%s does not fit in 64 bits", text);
	*rest = end;
	return 0;
}

int parse_u64(const char *text, uint64_t *value)
{
	static const char letters[] = "KMGT";
	const char *rest, *letter;
	unsigned int shift = 0;
	uint64_t n;
	int ret = leading_u64(text, &n, &rest);

	if (ret)
		return ret;
	if (*rest) {
		letter = strchr(letters, toupper((unsigned char)*rest));
		if (!letter || rest[1])
			return fail(EINVAL, "\"%s\" is not a number (K, M, G, T or 0x are understood)", text);
		shift = 10 * (unsigned int)(letter - letters + 1);
	}
	if (shift && n >> (64 - shift))
		return fail(ERANGE, "%s does not fit in 64 bits", text);
	*value = n << shift;
	return 0;
}

int parse_i64(const char *text, int64_t *value)
{
	bool minus = text[0] == '-';
	uint64_t n;
	int ret = parse_u64(text + minus, &n);

	if (ret)
		return ret;
	if (n > (uint64_t)INT64_MAX)
		return fail(ERANGE, "%s does not fit in 63 bits", text);
	*value = minus ? -(int64_t)n : (int64_t)n;
	return 0;
}

int parse_ns(const char *text, uint64_t *ns)
{
	static const struct { const char *unit; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	const char *rest;
	uint64_t n, part = 0, scale = 1;
	int ret = leading_u64(text, &n, &rest);

	if (ret)
		return ret;
	if (*rest == '.')
		for (rest++; isdigit((unsigned char)*rest); rest++)
			if (scale < 1000000000) {
				part = part * 10 + (uint64_t)(*rest - '0');
				scale *= 10;
			}
	if (!*rest && !n && !part) {
		*ns = 0;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(rest, units[i].unit)) {
			if (n > UINT64_MAX / units[i].ns / 2)
				return fail(ERANGE, "%s is longer than a lab can count", text);
			*ns = n * units[i].ns + part * units[i].ns / scale;
			return 0;
		}
	return fail(EINVAL, "\"%s\" is not a time (write 10us, 5ms, 1.5s)", text);
}

char *format_bytes(uint64_t bytes, char *buf, size_t size)
{
	static const char letters[] = "KMGTP";
	double v = (double)bytes;
	int i = -1;

	for (; v >= 1024 && i < 4; i++)
		v /= 1024;
	if (i < 0)
		snprintf(buf, size, "%llu", (unsigned long long)bytes);
	else
		snprintf(buf, size, v < 100 ? "%.1f%c" : "%.0f%c", v, letters[i]);
	return buf;
}

char *format_ns(uint64_t ns, char *buf, size_t size)
{
	if (ns < 1000)
		snprintf(buf, size, "%llu ns", (unsigned long long)ns);
	else if (ns < 1000000)
		snprintf(buf, size, "%.3f us", (double)ns / 1e3);
	else if (ns < 1000000000)
		snprintf(buf, size, "%.3f ms", (double)ns / 1e6);
	else
		snprintf(buf, size, "%.3f s", (double)ns / 1e9);
	return buf;
}
