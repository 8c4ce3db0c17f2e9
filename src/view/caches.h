/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caches - the model of view "caches" painted otherwise: where the memory goes that no object asked for. */
#ifndef VIEW_CACHES_H
#define VIEW_CACHES_H

#include "view/view.h"

void view_caches_waste_text(const json_t *model, const struct view_args *args, FILE *to);

#endif
