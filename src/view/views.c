/* SPDX-License-Identifier: GPL-3.0-or-later */
/* views - the list of views, by name. */
#include "view/view.h"

#include <string.h>

#include "view/list.h"

#define VIEW_POINTER(name) &view_##name,
const struct view *const views[] = { VIEWS(VIEW_POINTER) NULL };

const struct view *view_find(const char *name)
{
	for (unsigned int i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}

json_t *view_model(struct lab *lab, const char *view, const char *name)
{
	const char *const words[] = { name, NULL };
	const struct view_args args = { .name = name, .words = words, .width = 80 };

	return view_find(view)->model(lab, &args);
}
