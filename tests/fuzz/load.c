/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load - any bytes as the file of a saved lab.
 *
 * Nearly all are refused, and nothing of them is left; what is taken in holds
 * every invariant and can be saved and loaded again.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "slablab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	const char *why = "";
	char command[80];
	slablab *lab;

	if (fd < 0 || write(fd, data, size) < 0)
		fuzz_bug("no file to load");
	lab = slablab_new("mem=4M,cpus=1", NULL);
	if (!lab)
		fuzz_bug("no lab");
	snprintf(command, sizeof(command), "lab load L /proc/self/fd/%d; @L lab check; @L kmalloc 64 x9; @L undo", fd);
	if (slablab_run(lab, command, &why) && !strstr(why, "lab load: "))
		fuzz_bug(why);
	slablab_drop(lab);
	close(fd);
	return 0;
}
