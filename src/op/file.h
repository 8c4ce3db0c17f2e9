/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file - a lab as a file: what save.c writes and load.c reads.
 *
 *   struct file_header
 *   per page of the region that holds something, in order:
 *       struct file_page, then its bytes by zlib
 *   struct file_end
 *
 * Words are the host's. Each part carries a CRC-32 of itself, the end one of
 * everything before it. Page 0 is the region's header.
 */
#ifndef OP_FILE_H
#define OP_FILE_H

#include "lab/lab.h"

#define FILE_MAGIC "slablab\n"
#define FILE_END_MAGIC 0x646e656cU
#define FILE_VERSION 1

struct file_header {
	char magic[8];
	uint32_t version;
	uint32_t page_bytes;
	uint64_t layout;	/* of the structures in the region: see file_layout() */
	uint64_t pages;		/* that follow */
	uint64_t region_bytes;
	uint32_t untouched_shape;
	uint32_t crc;		/* of what stands before it */
};

struct file_page {
	uint64_t index;
	uint32_t bytes;		/* compressed */
	uint32_t crc;		/* of index, bytes and the page as it was */
};

struct file_end {
	uint32_t magic;
	uint32_t crc;		/* of all before this structure */
};

/* A number for the sizes of structures: regions of another build are not read. */
uint64_t file_layout(void);
uint32_t file_page_crc(const struct file_page *p, const uint8_t *content);

#endif
