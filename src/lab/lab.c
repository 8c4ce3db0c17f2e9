/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/lab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/fail.h"

/* Sections follow each other; the arena starts on a top-order block so that pfn and address align. */
static uint64_t place_sections(struct header *h, const uint64_t bytes[SEC_NR])
{
	uint64_t at = 0;

	for (int s = 0; s < SEC_NR; s++) {
		at = round_up(at, s == SEC_ARENA ? PAGE_SIZE << MAX_PAGE_ORDER : PAGE_SIZE);
		h->offset[s] = at;
		h->bytes[s] = round_up(bytes[s], PAGE_SIZE);
		at += h->bytes[s];
	}
	return at;
}

void lab_attach(struct lab *lab)
{
	lab->hdr = (struct header *)lab->base;
	lab->pages = lab_section(lab, SEC_PAGES);
	lab->blocks = lab_section(lab, SEC_BLOCK);
	lab->pageblocks = lab_section(lab, SEC_PAGEBLOCK);
	lab->zones = lab_section(lab, SEC_ZONE);
	lab->nodes = lab_section(lab, SEC_NODE);
	lab->arena = lab_section(lab, SEC_ARENA);
	lab->arena_off = lab->hdr->offset[SEC_ARENA];
	lab->arena_bytes = lab->hdr->bytes[SEC_ARENA];
	lab->nr_zones = lab->hdr->shape.zones;
	lab->nr_nodes = lab->hdr->shape.nodes;
	lab->nr_cpus = lab->hdr->shape.possible;
}

int lab_map(const struct shape *shape, uint64_t bytes[SEC_NR], struct lab **out)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	struct header h = { .magic = LAB_MAGIC, .version = LAB_VERSION, .header_bytes = sizeof(h) };
	pthread_mutexattr_t recursive;

	if (!lab)
		return fail(ENOMEM, "the host has no memory for a lab");
	bytes[SEC_HEADER] = sizeof(struct header);
	h.region_bytes = place_sections(&h, bytes);
	lab->base = mmap(NULL, h.region_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (lab->base == MAP_FAILED) {
		free(lab);
		return fail(ENOMEM, "the host refuses to reserve %llu GiB of address space for the lab",
			    (unsigned long long)(h.region_bytes >> 30));
	}
	/* huge host pages would commit 2 MiB for each descriptor touched */
	madvise(lab->base, h.region_bytes, MADV_NOHUGEPAGE);
	h.shape = *shape;
	h.rand = shape->seed;
	memcpy(lab->base, &h, sizeof(h));
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lab->control, &recursive);
	pthread_mutexattr_destroy(&recursive);
	lab->born_ns = host_ns();
	lab_attach(lab);
	*out = lab;
	return 0;
}

void lab_unmap(struct lab *lab)
{
	munmap(lab->base, lab->hdr->region_bytes);
	pthread_mutex_destroy(&lab->control);
	free(lab);
}

uint64_t lab_now(const struct lab *lab)
{
	return lab->hdr->shape.clock_real ? host_ns() - lab->born_ns : lab->hdr->time_ns;
}
