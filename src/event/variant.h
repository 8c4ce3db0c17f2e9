/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * variant - one source, three machine codes.
 *
 * Idea. A file that has a hot path is compiled three times, with VARIANT set
 * to bare, counted or told. Its exported names go through V(), so a function
 * of one variant calls only its own kind, and no hot path asks whether
 * anybody is counting. Constant tables (one row a variant) let the outside
 * choose: see page/ops.h and slab/ops.h.
 *
 *   bare     events compile to nothing; state (lists, counts) stays exact
 *   counted  events add to counters
 *   told     counted, and each step goes to the story of the op
 */
#ifndef EVENT_VARIANT_H
#define EVENT_VARIANT_H

enum variant { VARIANT_BARE, VARIANT_COUNTED, VARIANT_TOLD, VARIANT_NR };

#ifdef VARIANT
#define V_PASTE2(name, variant) name##_##variant
#define V_PASTE(name, variant) V_PASTE2(name, variant)
#define V(name) V_PASTE(name, VARIANT)

#define VARIANT_IS_bare VARIANT_BARE
#define VARIANT_IS_counted VARIANT_COUNTED
#define VARIANT_IS_told VARIANT_TOLD
#define THIS_VARIANT V_PASTE(VARIANT_IS, VARIANT)
#define COUNTING (THIS_VARIANT != VARIANT_BARE)
#define TELLING (THIS_VARIANT == VARIANT_TOLD)
#endif

#endif
