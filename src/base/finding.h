/* SPDX-License-Identifier: GPL-3.0-or-later */
/* finding - what a free found out about the address it was given. */
#ifndef BASE_FINDING_H
#define BASE_FINDING_H

#define FINDING_BAD_FREE 1u	/* address of no object or block; nothing was freed */
#define FINDING_WRONG_CACHE 2u	/* the object is of another cache than named */
#define FINDING_ORDER 4u	/* freed with another order than allocated; the allocated one was used */
#define FINDING_REFUSED 8u	/* nothing was freed: slab.wrong_cache=refuse */
#define FINDING_WARNED 16u	/* wrong cache, and consistency checks would have said so */
#define FINDING_RAN_OUT 64u	/* not of a free: memory ran out, and reclaim.oom=stop says that runs are to stop */
#define FINDING_DEBUG 32u	/* checks of a debug store found it wrong; there is a report, and nothing was freed */

#endif
