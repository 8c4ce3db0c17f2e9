/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/kmalloc.h"

const uint8_t kmalloc_small[24] = {
	3, 4, 5, 5, 6, 6, 6, 6, 1, 1, 1, 1, 7, 7, 7, 7, 2, 2, 2, 2, 2, 2, 2, 2,
};

const uint16_t kmalloc_class_size[KMALLOC_CLASSES] = {
	0, 96, 192, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192,
};
