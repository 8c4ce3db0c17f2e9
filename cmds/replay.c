/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay - what a kernel did, from the text of its kmem trace, done again in the lab.
 *
 * Reading, sizing and running are src/work's; here the lab is looked at before
 * and after, and the figures become paths (replay.…) of that lab.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/shape.h"
#include "shell/progress.h"
#include "view/figure.h"
#include "view/view.h"
#include "work/replay.h"
#include "work/replay_report.h"

static const char *const pages_words[] = { "other", "all", "off", NULL };	/* as enum replay_pages */
static const char *const mode_words[] = { "stepped", "parallel", NULL };
static const char *const ties_words[] = { "repair", "file", NULL };

static const struct arg replay_args[] = {
	{ "FILE",   ARG_FILE, NULL,      "trace: ftrace, perf script or trace-cmd text, plain or gzip; - is standard input",
	  NULL },
	{ "pages",  ARG_ENUM, "other",   "page events to run: those the slab layer did not cause, all (and no objects), "
					 "or none", pages_words },
	{ "mode",   ARG_ENUM, "stepped", "one op after the other, or each CPU's on its own thread", mode_words },
	{ "ties",   ARG_ENUM, "repair",  "lines with the same time: put into an order that can be true, or as they stand", ties_words },
	{ "kernel", ARG_WORD, "",        "version that wrote the file, where the text does not tell (e.g. 4.3)", NULL },
	{ 0 }
};

/* ---- figures: the last replay of each lab ---- */

struct kept {
	const struct lab *lab;
	uint64_t born_ns;
	struct replay *replay;
	struct kept *next;
};
static struct kept *kept;

static const struct replay *kept_find(const struct lab *lab)
{
	for (const struct kept *k = kept; k; k = k->next)
		if (k->lab == lab && k->born_ns == lab->born_ns)
			return k->replay;
	return NULL;
}

static int figures_read(struct lab *lab, const char *path, struct figure_value *v)
{
	const struct replay *r = kept_find(lab);
	uint64_t n;

	if (!r)
		return fail(ENOENT, "nothing was replayed in lab %s yet", lab->name);
	if (!replay_figure_read(r, path + strlen("replay."), &n))
		return fail(ENOENT, "there is no figure %s (get 'replay.*' lists them)", path);
	v->type = FIGURE_INT;
	v->i = (int64_t)n;
	v->d = (double)n;
	snprintf(v->text, sizeof(v->text), "%llu", (unsigned long long)n);
	return 0;
}

struct listing {
	void (*emit)(const char *path, void *arg);
	void *arg;
};

static void list_one(const struct replay_figure *f, void *arg)
{
	const struct listing *l = arg;
	char path[512] = "replay";
	size_t at = strlen(path);

	for (unsigned int i = 0; i < f->parts && at < sizeof(path); i++)
		at += (size_t)snprintf(path + at, sizeof(path) - at, ".%s", f->part[i]);
	if (at < sizeof(path))
		l->emit(path, l->arg);
}

static void figures_list(struct lab *lab, void (*emit)(const char *path, void *arg), void *arg)
{
	const struct replay *r = kept_find(lab);
	struct listing l = { emit, arg };

	if (r)
		replay_figures(r, list_one, &l);
}

static const struct figure_source figures = {
	.prefix = "replay.", .read = figures_read, .list = figures_list,
};

/* Takes the replay over. */
static int figures_keep(const struct lab *lab, struct replay *r)
{
	static bool added;
	struct kept *k;

	if (!added)
		figure_source_add(&figures);
	added = true;
	for (k = kept; k && k->lab != lab; k = k->next)
		;
	if (!k) {
		k = calloc(1, sizeof(*k));
		if (!k) {
			replay_close(r);
			return fail(ENOMEM, "no memory to keep the figures of the replay");
		}
		k->next = kept;
		kept = k;
	}
	replay_close(k->replay);
	k->lab = lab;
	k->born_ns = lab->born_ns;
	k->replay = r;
	return 0;
}

/* ---- progress ---- */

static bool tick(void *arg, enum replay_phase phase, uint64_t done, uint64_t total)
{
	static const char *const doing[] = { "reading", "running", "reading and running" };
	struct progress *p = arg;

	if (ctx_stopped(p->ctx))
		return true;
	if (!progress_is_due(p))
		return false;
	if (total)
		progress_show(p, "%s: %llu%%", doing[phase], (unsigned long long)(done * 100 / total));
	else
		progress_show(p, "%s: %llu MB", doing[phase], (unsigned long long)(done / 1000000));
	return false;
}

/* ---- the lab, before and after ---- */

/* The array `key` of a view's model, or NULL. */
static json_t *view_part(struct lab *lab, const char *name, const char *key)
{
	json_t *model = view_model(lab, name, NULL), *part = json_object_get(model, key);

	json_incref(part);
	json_decref(model);
	return part;
}

static int put_allocs(const char *path, const struct figure_value *v, void *arg)
{
	json_object_set_new((json_t *)arg, path, json_integer(v->i));
	return 0;
}

/* Allocations so far by the path of the figure. */
static json_t *allocs_now(struct lab *lab)
{
	json_t *all = json_object();

	figure_glob(lab, "cache.*.allocs", put_allocs, all);
	return all;
}

/* Did the trace take objects from it? */
static bool is_touched(struct lab *lab, const json_t *cache, const json_t *before)
{
	struct figure_value v;
	char path[256];

	snprintf(path, sizeof(path), "cache.%s.allocs", json_string_value(json_object_get(cache, "name")));
	return !figure_read(lab, path, &v) && v.i != json_integer_value(json_object_get(before, path));
}

/* Caches that hold memory or objects. */
static json_t *caches_in_use(struct lab *lab, const json_t *before)
{
	json_t *all = view_part(lab, "caches", "caches"), *used = json_array(), *c;
	size_t i;

	json_array_foreach(all, i, c)
		if (json_integer_value(json_object_get(c, "total_objects")) ||
		    json_integer_value(json_object_get(c, "objects"))) {
			json_object_set_new(c, "touched", json_boolean(is_touched(lab, c, before)));
			json_array_append(used, c);
		}
	json_decref(all);
	return used;
}

static json_t *counter(struct lab *lab, const char *name)
{
	struct figure_value v;
	char path[256];

	snprintf(path, sizeof(path), "event.%s", name);
	return figure_read(lab, path, &v) ? json_null() : json_integer(v.i);
}

static json_t *counter_by_order(struct lab *lab, const char *name)
{
	json_t *orders = json_array();

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		char path[128];

		snprintf(path, sizeof(path), "%s.%u", name, o);
		json_array_append_new(orders, counter(lab, path));
	}
	return json_pack("{s:o}", "order", orders);
}

/* The counters of replay_observed, by name. NULL while counters are off. */
static json_t *counters_now(struct lab *lab)
{
	json_t *all;

	if (!lab->hdr->counters)
		return NULL;
	all = json_object();
	for (const char *const *name = replay_observed; *name; name++) {
		const char *dot = strchr(*name, '.');
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)(dot ? dot - *name : (int)strlen(*name)), *name);
		json_object_set_new(all, key, dot ? counter_by_order(lab, *name) : counter(lab, *name));
	}
	return all;
}

/* after -= before, at every leaf */
static void subtract(json_t *after, const json_t *before)
{
	const char *key;
	json_t *v;
	size_t i;

	if (json_is_integer(after))
		json_integer_set(after, json_integer_value(after) - json_integer_value(before));
	json_object_foreach(after, key, v)
		subtract(v, json_object_get(before, key));
	json_array_foreach(after, i, v)
		subtract(v, json_array_get(before, i));
}

struct before {
	json_t *frag, *counters, *allocs;
};

static void look_before(struct lab *lab, struct before *b)
{
	b->frag = view_part(lab, "frag", "zones");
	b->counters = counters_now(lab);
	b->allocs = allocs_now(lab);
}

static json_t *report(struct lab *lab, const struct replay *r, const struct before *b)
{
	json_t *m = replay_model(r), *did = b->counters ? counters_now(lab) : NULL;
	char shape[4096];

	json_object_set_new(m, "shape", json_string(shape_print(&lab->hdr->shape, shape, sizeof(shape))));
	json_object_set_new(m, "caches", caches_in_use(lab, b->allocs));
	json_object_set_new(m, "frag", json_pack("{s:O?,s:o?}", "before", b->frag, "after",
						 view_part(lab, "frag", "zones")));
	if (did)
		subtract(did, b->counters);
	json_object_set_new(m, "lab_did", did ? did : json_null());
	return m;
}

/* ---- the command ---- */

/* An untouched lab whose shape nobody gave takes the one that the trace wants. */
static int size_lab(struct ctx *ctx, const struct replay *r)
{
	struct shape shape;
	char text[64];
	int ret;

	if (!ctx->lab->untouched_shape || ctx->lab->hdr->done_something)
		return replay_fits(r, ctx->lab);
	shape_default(&shape);
	ret = shape_parse(&shape, replay_shape(r, text, sizeof(text)));
	if (ret)
		return ret;
	shape.given = false;
	shape.seed = ctx->lab->hdr->shape.seed;
	return ctx_reshape(ctx, &shape);
}

static int run_and_report(struct ctx *ctx, struct replay *r, struct progress *progress)
{
	struct before b;
	char note[256];
	json_t *m;
	int ret;

	look_before(ctx->lab, &b);
	ret = replay_run(r, ctx->lab, note);
	progress_end(progress);
	if (note[0])
		ctx_note(ctx, "%s", note);
	if (!ret)
		ret = replay_check(r);
	if (!ret) {
		m = report(ctx->lab, r, &b);
		if (ctx->json)
			ctx_answer(ctx, m);
		else
			replay_text(m, ctx->out), json_decref(m);
	}
	json_decref(b.frag);
	json_decref(b.counters);
	json_decref(b.allocs);
	return ret;
}

static int replay_command(struct ctx *ctx, const struct args *args)
{
	struct progress progress;
	const struct replay_options options = {
		.pages     = (enum replay_pages)arg_enum(args, "pages"),
		.parallel  = arg_enum(args, "mode") == 1,
		.ties_file = arg_enum(args, "ties") == 1,
		.kernel    = arg_word(args, "kernel"),
		.tick      = tick,
		.arg       = &progress,
	};
	struct replay *r;
	int ret, kept_ret;

	progress_begin(&progress, ctx, PROGRESS_AFTER_NS);
	ret = replay_open(arg_word(args, "FILE"), &options, &r);
	progress_end(&progress);
	if (ret)
		return ret;
	ret = size_lab(ctx, r);
	if (ret) {
		replay_close(r);
		return ret;
	}
	ret = run_and_report(ctx, r, &progress);
	kept_ret = figures_keep(ctx->lab, r);
	return ret ? ret : kept_ret;
}

const struct cmd cmd_replay = {
	.name    = "replay",
	.summary = "do again in the lab what a kernel's kmem trace tells",
	.args    = replay_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES | CMD_READS_HOST,
	.run     = replay_command,
	.group   = "Work",
};
