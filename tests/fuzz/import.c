/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import - any bytes through every importer.
 *
 * The first byte chooses the kind, the rest is the file. Whatever it held, the
 * lab's invariants hold afterwards.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "slablab.h"

static const char *const kinds[] = {
	"auto", "buddyinfo", "slabinfo", "allocfail", "pagetypeinfo", "zoneinfo", "vmstat", "meminfo", "perfkmem",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = size ? memfd_create("fuzz", 0) : -1;
	const char *why = "";
	char command[80];
	slablab *lab;

	if (!size)
		return 0;
	if (fd < 0 || write(fd, data + 1, size - 1) < 0)
		fuzz_bug("no file to import");
	lab = slablab_new("mem=16M,cpus=1", NULL);
	if (!lab)
		fuzz_bug("no lab");
	snprintf(command, sizeof(command), "import %s /proc/self/fd/%d",
		 kinds[data[0] % (sizeof(kinds) / sizeof(*kinds))], fd);
	slablab_run(lab, command, &why);
	if (slablab_run(lab, "lab check", &why))
		fuzz_bug(why);
	slablab_drop(lab);
	close(fd);
	return 0;
}
