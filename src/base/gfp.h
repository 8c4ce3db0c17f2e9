/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfp - the flags of a page or object request, and the migratetype they ask for.
 *
 * Idea. A request says with a set of bits where its memory may lie, what the
 * allocator may do to find it and what becomes of it. The lab keeps the bit
 * numbers of Linux 6.1, so a mode printed by such a kernel (`mode:0xcc0`) is the
 * number used here. Text is the kernel's: names joined by `|`, the compound name
 * first (`GFP_KERNEL|__GFP_ZERO`); what older kernels printed is understood too.
 *
 * A single bit is GFP_BIT_X here and `__GFP_X` in text; a usual set of bits has
 * the same name in both, `GFP_X`.
 */
#ifndef BASE_GFP_H
#define BASE_GFP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, bit) */
#define GFP_BITS(X)                        \
	X(DMA,            0x00000001)      \
	X(HIGHMEM,        0x00000002)      \
	X(DMA32,          0x00000004)      \
	X(MOVABLE,        0x00000008)      \
	X(RECLAIMABLE,    0x00000010)      \
	X(HIGH,           0x00000020)      \
	X(IO,             0x00000040)      \
	X(FS,             0x00000080)      \
	X(ZERO,           0x00000100)      \
	X(ATOMIC,         0x00000200)      \
	X(DIRECT_RECLAIM, 0x00000400)      \
	X(KSWAPD_RECLAIM, 0x00000800)      \
	X(WRITE,          0x00001000)      \
	X(NOWARN,         0x00002000)      \
	X(RETRY_MAYFAIL,  0x00004000)      \
	X(NOFAIL,         0x00008000)      \
	X(NORETRY,        0x00010000)      \
	X(MEMALLOC,       0x00020000)      \
	X(COMP,           0x00040000)      \
	X(NOMEMALLOC,     0x00080000)      \
	X(HARDWALL,       0x00100000)      \
	X(THISNODE,       0x00200000)      \
	X(ACCOUNT,        0x00400000)      \
	X(ZEROTAGS,       0x00800000)      \
	X(NOLOCKDEP,      0x08000000)      \
	/* to 4.14; no bit of 6.1 */       \
	X(COLD,           0x40000000)

#define GFP_BIT_ENUM(name, bit) GFP_BIT_##name = bit,
enum gfp_bit { GFP_BITS(GFP_BIT_ENUM) };

#define GFP_BIT_RECLAIM   (GFP_BIT_DIRECT_RECLAIM | GFP_BIT_KSWAPD_RECLAIM)

#define GFP_KERNEL           (GFP_BIT_RECLAIM | GFP_BIT_IO | GFP_BIT_FS)
#define GFP_KERNEL_ACCOUNT   (GFP_KERNEL | GFP_BIT_ACCOUNT)
#define GFP_ATOMIC           (GFP_BIT_HIGH | GFP_BIT_ATOMIC | GFP_BIT_KSWAPD_RECLAIM)
#define GFP_NOWAIT           (GFP_BIT_KSWAPD_RECLAIM)
#define GFP_NOIO             (GFP_BIT_RECLAIM)
#define GFP_NOFS             (GFP_BIT_RECLAIM | GFP_BIT_IO)
#define GFP_USER             (GFP_KERNEL | GFP_BIT_HARDWALL)
#define GFP_DMA              (GFP_BIT_DMA)
#define GFP_DMA32            (GFP_BIT_DMA32)
#define GFP_HIGHUSER         (GFP_USER | GFP_BIT_HIGHMEM)
#define GFP_HIGHUSER_MOVABLE (GFP_HIGHUSER | GFP_BIT_MOVABLE)
#define GFP_TRANSHUGE_LIGHT                                                    \
	((GFP_HIGHUSER_MOVABLE | GFP_BIT_COMP | GFP_BIT_NOMEMALLOC |           \
	  GFP_BIT_NOWARN) & ~GFP_BIT_RECLAIM)
#define GFP_TRANSHUGE        (GFP_TRANSHUGE_LIGHT | GFP_BIT_DIRECT_RECLAIM)

/* Longest text that gfp_print() can make, with its NUL. */
#define GFP_TEXT_MAX 512

/* What a pageblock is kept for, in the order in which kernels since 4.4 number it. */
enum mtype {
	MT_UNMOVABLE = 0,
	MT_MOVABLE = 1,
	MT_RECLAIMABLE = 2,
	MT_HIGHATOMIC = 3,
	MT_ISOLATE = 4,
	MT_NR = 5
};

/* "Unmovable" … as pagetypeinfo writes it; "?" outside the enum. */
const char *mtype_name(unsigned int type);

/* A name in any case, or a number. Returns the type or a negative errno with fail(). */
int mtype_parse(const char *text, size_t len);

/* MOVABLE and RECLAIMABLE together mean nothing: commands and interfaces refuse it. */
static inline bool gfp_is_valid(uint32_t gfp)
{
	const uint32_t both = GFP_BIT_MOVABLE | GFP_BIT_RECLAIMABLE;

	return (gfp & both) != both;
}

/* The migratetype a request asks for; Unmovable where gfp_is_valid() says no. */
static inline enum mtype gfp_mtype(uint32_t gfp)
{
	unsigned int type = gfp >> 3 & 3;

	return type == 3 ? MT_UNMOVABLE : (enum mtype)type;
}

/* The bits that make gfp_mtype() answer `type` (nothing for what no request can ask for). */
static inline uint32_t gfp_of_mtype(enum mtype type)
{
	return type == MT_MOVABLE || type == MT_RECLAIMABLE ? (uint32_t)type << 3 : 0;
}

/*
 * Read words joined by `|`, or a number (0x…, 0…, decimal) with the bits above.
 * gfp_parse() is for people: an unknown word or both type bits are -EINVAL with
 * fail(), and *gfp is left alone. gfp_read() is for kernel text: it takes what it
 * knows and returns false when a word was unknown; it never calls fail().
 */
int gfp_parse(const char *text, size_t len, uint32_t *gfp);
bool gfp_read(const char *text, size_t len, uint32_t *gfp);

/*
 * A number printed by kernel `major`.`minor`, in the bits above: their places
 * moved in 4.4, 4.10, 4.16 and 5.0. Bits with no place here are dropped.
 */
uint32_t gfp_from_kernel(uint64_t bits, unsigned int major, unsigned int minor);

/*
 * Write as the kernel would; bits without a name come last, as one number.
 * Returns the length without NUL, like snprintf(): >= size means it was cut.
 */
size_t gfp_print(uint32_t gfp, char *buf, size_t size);

/* Names that may be typed, for completion: the i-th, or NULL after the last. */
const char *gfp_word(size_t i);

#endif
