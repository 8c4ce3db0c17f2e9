/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * commands - any bytes as a command file.
 *
 * Whatever was typed, the lab's invariants hold afterwards. Host commands and
 * files would let the input reach the machine, so words that lead there are
 * taken out first.
 */
#include <string.h>

#include "fuzz.h"
#include "slablab.h"

/* Blank what runs host commands, writes files, reads them, or takes long. */
static void defuse(char *text)
{
	static const char *const words[] = {
		"|", ">", "<", "`", "source", "replay", "import", "export", "sleep", "repeat", "for", "watch", "run",
		"cpus", "mem", "zones", "possible",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (char *at = text; (at = strstr(at, words[i]));)
			memset(at, ' ', strlen(words[i]));
	for (char *at = text; (at = strpbrk(at, "xX")); at++)	/* no a = kmalloc 8 x99999999 */
		if (at[1] >= '0' && at[1] <= '9' && strspn(at + 1, "0123456789abcdefABCDEF") > 3)
			*at = '_';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	slablab *lab = slablab_new("mem=16M,cpus=2", NULL);
	char *text = malloc(size + 1);
	const char *why = "";

	if (!lab || !text)
		fuzz_bug("no lab or no memory");
	memcpy(text, data, size);
	text[size] = 0;
	for (size_t i = 0; i < size; i++)
		if (!text[i])
			text[i] = ' ';
	defuse(text);
	slablab_run(lab, text, &why);
	if (slablab_run(lab, "lab check", &why))
		fuzz_bug(why);
	free(text);
	slablab_drop(lab);
	return 0;
}
