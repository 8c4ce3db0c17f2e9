/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report - findings of slab debugging as models, and as the kernel prints them. */
#ifndef VIEW_REPORT_H
#define VIEW_REPORT_H

#include "view/view.h"

/* Serial of the newest report of a lab, 0: none. */
uint64_t view_reports(struct lab *lab);

/*
 * Reports after that serial, oldest first, of those that are still kept: a
 * list. cache NULL: of all. Paint it with view_reports_text().
 */
json_t *view_reports_after(struct lab *lab, uint64_t serial, const char *cache);
void view_reports_text(const json_t *reports, FILE *to);

/* A report that there was no memory for a slab: nobody did anything wrong, and it stands behind the failed request for pages. */
bool view_is_shortage(const json_t *report);
/* What was said of slabs in the op of this failure, as the text. */
void view_shortages_text(struct lab *lab, const json_t *failure, FILE *to);

/*
 * The newest request for pages that came to nothing, as a kernel reports it,
 * with the counts of pages of now. NULL: there was none, or it said that nobody
 * need be warned (__GFP_NOWARN).
 */
json_t *view_failure(struct lab *lab);
/* Of the last requests that failed and wanted a report what is kept, oldest first; in a stop. *ever: of all. */
json_t *view_failures(struct lab *lab, uint64_t *ever);
/* One of them, in two lines; and one report of slab debugging. */
void view_stamp(const json_t *told, FILE *to);	/* as a kernel's log begins each line */
void view_failure_line(const json_t *failure, FILE *to);
void view_report_text(const json_t *report, FILE *to);
void view_failure_text(const json_t *failure, FILE *to);

/* A text of frames as a list, one string each; what made the report itself is left out. */
json_t *view_frames(const char *text);

#endif
