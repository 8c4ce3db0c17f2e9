/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import - bring the lab to what a kernel's report says.
 *
 * Kinds and what they do are src/work's; here a fresh lab may change its
 * shape, and the answer is told.
 */
#include <string.h>

#include "shell/cmd.h"
#include "base/units.h"
#include "view/view.h"
#include "work/import.h"

static const struct arg import_args[] = {
	{ "KIND", ARG_WORD, NULL, "auto, buddyinfo, pagetypeinfo, zoneinfo, slabinfo, slabtop, crash, slubdbg, allocfail, vmstat, meminfo or perfkmem",
	  import_kinds },
	{ "FILE", ARG_FILE, NULL, "the report, plain or gzip; - is standard input", NULL },
	{ "fill", ARG_ENUM, "no", "tables of caches: make the objects too", (const char *const[]){ "no", "yes", NULL } },
	{ 0 }
};

static int reshape(void *arg, const struct shape *shape, struct lab **lab)
{
	struct ctx *ctx = arg;
	int ret = ctx_reshape(ctx, shape);

	*lab = ctx->lab;
	return ret;
}

static bool stopped(void *arg)
{
	return ctx_stopped(arg);
}

static long long count(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* What a lab that is like the report had to take, and its shape. */
static void held_text(const json_t *data, FILE *to)
{
	long long blocks = count(data, "held_blocks"), pages = count(data, "held_pages");

	fprintf(to, "; %lld block%s (%lld page%s) %s held by `imported`\nlab: %s\n", blocks, plural(blocks), pages, plural(pages),
		blocks == 1 ? "is" : "are", json_string_value(json_object_get(data, "shape")));
}

static void text_buddyinfo(const json_t *data, FILE *to)
{
	size_t zones = json_array_size(json_object_get(data, "zones"));

	fprintf(to, "buddyinfo: %zu zone%s arranged", zones, plural(zones));
	held_text(data, to);
}

static void text_slabinfo(const json_t *data, FILE *to)
{
	const json_t *t = json_object_get(data, "totals");
	long long total = count(t, "total_objects");

	fprintf(to, "%s: %lld caches (%lld made, the others were there), %lld of %lld objects in use (%.1f%%), %lld KiB\n",
		json_string_value(json_object_get(data, "kind")), count(t, "caches"), count(data, "made"), count(t, "objects"), total,
		total ? 100.0 * (double)count(t, "objects") / (double)total : 0.0, count(t, "slab_kb"));
	fputs(json_is_true(json_object_get(data, "filled")) ?
	      "their objects belong to `imported`\n" : "the objects were not made (fill=yes makes them)\n", to);
}

/* Slabs of a smaller order than their cache asks for, by what is missing to them. */
static void text_fallback(const json_t *data, FILE *to)
{
	const json_t *c;
	size_t i;

	json_array_foreach(json_object_get(data, "caches"), i, c)
		if (count(c, "fallback_slabs"))
			fprintf(to, "%s: %lld objects are missing to its %lld slabs of %lld: %lld must have fallen back to a smaller order\n",
				json_string_value(json_object_get(c, "name")), count(c, "missing_objects"), count(c, "slabs"),
				count(c, "objs_per_slab"), count(c, "fallback_slabs"));
}

static const char *word(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static void text_slubdbg(const json_t *data, FILE *to)
{
	const json_t *r, *n;
	size_t i, k;

	json_array_foreach(json_object_get(data, "reports"), i, r) {
		fprintf(to, "line %lld: %s: %s", count(r, "line"), word(r, "cache"), word(r, "message"));
		if (json_object_get(r, "first"))
			fprintf(to, ", %lld byte%s from %s: 0x%llx where 0x%llx should be", count(r, "bytes"),
				plural(count(r, "bytes")), word(r, "first"), count(r, "found"), count(r, "expected"));
		if (json_object_get(r, "slab"))
			fprintf(to, "; %lld of %lld objects used", count(json_object_get(r, "slab"), "used"),
				count(json_object_get(r, "slab"), "objects"));
		fputc('\n', to);
	}
	json_array_foreach(json_object_get(data, "shortages"), i, r) {
		fprintf(to, "line %lld: no memory for a slab of %s (order %lld, then %lld)\n", count(r, "line"), word(r, "cache"),
			count(r, "order"), count(r, "min_order"));
		json_array_foreach(json_object_get(r, "nodes"), k, n)
			fprintf(to, "  node %lld: %lld slabs, %lld objects, %lld free; %lld slabs had fallen back\n", count(n, "node"),
				count(n, "slabs"), count(n, "total_objects"), count(n, "free_objects"), count(n, "fallback_slabs"));
	}
}

static void text_requests(const json_t *requests, FILE *to)
{
	const json_t *r, *z;
	size_t i, k;

	json_array_foreach(requests, i, r) {
		fprintf(to, "line %lld: %s%s", count(r, "line"), *word(r, "who") ? word(r, "who") : "a task",
			json_is_true(json_object_get(r, "oom")) ? " called the OOM killer" : " got no pages");
		if (json_object_get(r, "order"))
			fprintf(to, ", order %lld", count(r, "order"));
		fprintf(to, ", gfp 0x%llx\n", (unsigned long long)count(r, "gfp"));
		json_array_foreach(json_object_get(r, "suitable"), k, z)
			fprintf(to, "  N%lld.%s: %lld free block%s of that order or more%s\n", count(z, "node"), word(z, "zone"),
				count(z, "blocks"), plural(count(z, "blocks")), json_is_true(json_object_get(z, "set_aside")) ? ", all set aside" : "");
	}
}

static void text_zones(const json_t *zones, FILE *to)
{
	const json_t *o, *n;
	const char *key;
	size_t i;

	json_array_foreach(zones, i, o) {
		fprintf(to, "N%lld.%s:", count(o, "node"), word(o, "zone"));
		json_object_foreach((json_t *)o, key, n)
			if (json_is_integer(n) && strcmp(key, "node") && strcmp(key, "line"))
				fprintf(to, " %s %lld", key, (long long)json_integer_value(n));
		if (json_object_get(o, "below"))
			fprintf(to, ": below %s", word(o, "below"));
		fputc('\n', to);
	}
}

static void text_memreport(const json_t *data, FILE *to)
{
	const json_t *o;
	size_t i;

	text_requests(json_object_get(data, "requests"), to);
	text_zones(json_object_get(data, "zones"), to);
	json_array_foreach(json_object_get(data, "types"), i, o)
		if (count(o, "pages"))
			fprintf(to, "N%lld.%s %s: %lld pages free\n", count(o, "node"), word(o, "zone"), word(o, "type"), count(o, "pages"));
	json_array_foreach(json_object_get(data, "blocks"), i, o)
		fprintf(to, "N%lld.%s: %lld pageblocks\n", count(o, "node"), word(o, "zone"), count(o, "total"));
	json_array_foreach(json_object_get(data, "freelists"), i, o)
		fprintf(to, "free list of N%lld.%s: %lld orders, %lld kB (%s)\n", count(o, "node"), word(o, "zone"), count(o, "orders"),
			count(o, "sum_kb"), word(o, "verdict"));
	if (json_is_true(json_object_get(data, "arranged"))) {
		fprintf(to, "the lab is like it");
		held_text(data, to);
	}
	if (count(data, "min_free_kbytes"))
		fprintf(to, "its marks come from min_free_kbytes %lld (set zone.min_free_kbytes)\n", count(data, "min_free_kbytes"));
}

static void text_counters(const json_t *data, FILE *to)
{
	const json_t *n;
	const char *key;

	json_object_foreach(json_object_get(data, "counters"), key, n)
		fprintf(to, "%s %lld\n", key, (long long)json_integer_value(n));
}

static void text_perfkmem(const json_t *data, FILE *to)
{
	const json_t *t = json_object_get(data, "totals");

	fprintf(to, "perfkmem: %zu call sites%s asked for %lld bytes and got %lld: %lld lost (%.6f%%)\n",
		json_array_size(json_object_get(data, "sites")), json_is_true(json_object_get(t, "of_rows")) ? "" : "; all",
		count(t, "requested_bytes"), count(t, "allocated_bytes"), count(t, "waste_bytes"),
		json_real_value(json_object_get(t, "frag_pct")));
}

/* ---- filled caches beside the report ---- */

static const json_t *row_of(const json_t *rows, const char *name)
{
	const json_t *r;
	size_t i;

	json_array_foreach(rows, i, r)
		if (!strcmp(json_string_value(json_object_get(r, "name")), name))
			return r;
	return NULL;
}

/* Rows whose count of active objects is not the report's. */
static json_t *differing(struct lab *lab, const json_t *data)
{
	json_t *model = view_model(lab, "slabinfo", NULL), *all = json_array(), *row;
	size_t i;

	json_array_foreach(json_object_get(data, "caches"), i, row) {
		const char *name = json_string_value(json_object_get(row, "name"));
		const json_t *now = row_of(json_object_get(model, "caches"), name);

		if (now && count(now, "active_objs") != count(row, "objects"))
			json_array_append_new(all, json_pack("{s:s,s:I,s:I}", "name", name, "report",
				(json_int_t)count(row, "objects"), "lab", (json_int_t)count(now, "active_objs")));
	}
	json_decref(model);
	return all;
}

static void text_differing(const json_t *rows, FILE *to)
{
	const json_t *row;
	size_t i;

	if (!json_array_size(rows))
		return;
	fputs("slabinfo will count more objects as active than the report, since it takes slabs on CPU partial lists\n"
	      "for full:", to);
	json_array_foreach(rows, i, row) {
		if (i == 5) {
			fprintf(to, " and %zu more", json_array_size(rows) - i);
			break;
		}
		fprintf(to, "%s %s %lld (report: %lld)", i ? "," : "", json_string_value(json_object_get(row, "name")),
			count(row, "lab"), count(row, "report"));
	}
	fputc('\n', to);
}

static void text_lines(const json_t *data, const char *key, FILE *to)
{
	const json_t *lines = json_object_get(data, key), *line;
	size_t i;

	if (!json_array_size(lines))
		return;
	fprintf(to, "%s %zu line%s:", key, json_array_size(lines), plural(json_array_size(lines)));
	json_array_foreach(lines, i, line) {
		if (i == 10) {
			fputs(" …", to);
			break;
		}
		fprintf(to, " %lld", (long long)json_integer_value(line));
	}
	fputc('\n', to);
}

static void (*text_of(const char *kind))(const json_t *, FILE *)
{
	static const struct {
		const char *kind;
		void (*text)(const json_t *data, FILE *to);
	} texts[] = {
		{ "buddyinfo", text_buddyinfo }, { "slubdbg", text_slubdbg },
		{ "zoneinfo", text_memreport }, { "pagetypeinfo", text_memreport }, { "allocfail", text_memreport },
		{ "vmstat", text_counters }, { "meminfo", text_counters }, { "perfkmem", text_perfkmem },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(texts[i].kind, kind))
			return texts[i].text;
	return text_slabinfo;
}

static int import_command(struct ctx *ctx, const struct args *args)
{
	struct import im = {
		.lab = ctx->lab, .fill = arg_enum(args, "fill") == 1, .reshape = reshape, .stopped = stopped, .arg = ctx,
	};
	json_t *data;
	int ret = import_run(&im, arg_word(args, "KIND"), arg_word(args, "FILE"), &data);

	if (ret)
		return ret;
	if (im.note[0])
		ctx_note(ctx, "%s", im.note);
	if (json_is_true(json_object_get(data, "filled")))
		json_object_set_new(data, "differing", differing(ctx->lab, data));
	if (ctx->json) {
		ctx_answer(ctx, data);
		return 0;
	}
	text_of(word(data, "kind"))(data, ctx->out);
	text_fallback(data, ctx->out);
	text_differing(json_object_get(data, "differing"), ctx->out);
	text_lines(data, "skipped", ctx->out);
	text_lines(data, "repaired", ctx->out);
	json_decref(data);
	return 0;
}

const struct cmd cmd_import = {
	.name    = "import",
	.summary = "bring the lab to what a kernel's report says",
	.args    = import_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES | CMD_READS_HOST,
	.run     = import_command,
	.group   = "Work",
};
