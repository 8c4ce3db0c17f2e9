/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/sysfs_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "slab/read.h"
#include "view/list.h"
#include "view/look.h"

static int host_error(const char *what)
{
	int err = errno ? errno : EIO;

	return fail(err, "%s: %s", what, strerror(err));
}

static int write_file(int folder, const char *name, const char *text, size_t len)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), ret = 0;

	if (fd < 0)
		return host_error(name);
	if (write(fd, text, len) != (ssize_t)len)
		ret = host_error(name);
	if (close(fd) && !ret)
		ret = host_error(name);
	return ret;
}

/* One attribute: its text and a line's end; of those that are only written to, nothing. */
static int write_attr(struct lab *lab, int folder, uint32_t cache, const char *attr)
{
	char text[16384];
	size_t len;

	if (cache_sysfs(lab, cache, attr, text, sizeof(text) - 1))
		return 0;		/* an engine without it */
	len = strlen(text);
	if (len)
		text[len++] = '\n';
	return write_file(folder, attr, text, len);
}

/* What debugfs has of caches with user tracking; slabinfo -t looks for it there, or here where both are mounted as one. */
static int write_traces(struct lab *lab, int folder, uint32_t cache, const struct view *view)
{
	struct view_args args = { .name = cache_name(lab, cache) };
	json_t *model = view->model(lab, &args);
	char *text = NULL;
	size_t len = 0;
	FILE *to = model ? open_memstream(&text, &len) : NULL;
	int ret;

	if (!to) {
		json_decref(model);
		return model ? host_error(view->name) : -EINVAL;
	}
	view->text(model, &args, to);
	json_decref(model);
	ret = fclose(to) ? host_error(view->name) : write_file(folder, view->name, text, len);
	free(text);
	return ret;
}

static int write_folder(struct lab *lab, int root, const char *name, uint32_t cache, bool tracks)
{
	int folder, ret = 0;

	if (mkdirat(root, name, 0755) && errno != EEXIST)
		return host_error(name);
	folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return host_error(name);
	for (unsigned int i = 0; sysfs_attrs[i] && !ret; i++)
		ret = write_attr(lab, folder, cache, sysfs_attrs[i]);
	if (!ret && tracks)
		ret = write_traces(lab, folder, cache, &view_alloc_traces);
	if (!ret && tracks)
		ret = write_traces(lab, folder, cache, &view_free_traces);
	close(folder);
	return ret;
}

/* A link of an earlier export gives way; a folder does not. */
static int write_link(int root, const char *to, const char *name)
{
	if (symlinkat(to, root, name)) {
		if (errno != EEXIST || unlinkat(root, name, 0) || symlinkat(to, root, name))
			return host_error(name);
	}
	return 0;
}

static int write_cache(struct lab *lab, int root, uint32_t cache, unsigned int *folders, unsigned int *links)
{
	struct cache_figures c;
	struct store_figures s;
	int ret = cache_figures(lab, cache, &c);

	if (!ret)
		ret = store_figures(lab, c.store, &s);
	if (ret)
		return ret;
	if (strcmp(s.dir, c.name)) {
		++*links;
		ret = write_link(root, s.dir, c.name);
		if (ret || strcmp(s.name, c.name))	/* the folder is written with its first cache */
			return ret;
	}
	++*folders;
	return write_folder(lab, root, s.dir, cache, s.has_tracks);
}

int sysfs_tree(struct lab *lab, const char *dir, unsigned int *folders, unsigned int *links)
{
	uint32_t cursor = 0, cache;
	int root, ret = 0;

	*folders = *links = 0;
	if (mkdir(dir, 0755) && errno != EEXIST)
		return host_error(dir);
	root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return host_error(dir);
	lab_stop(lab);
	while ((cache = cache_next(lab, &cursor)) && !ret)
		ret = write_cache(lab, root, cache, folders, links);
	lab_resume(lab);
	close(root);
	return ret ? fail_in(ret, "%s: ", dir) : 0;
}
