/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack - call stacks at an event: a tree from the outermost caller inwards,
 * with counts, or folded lines as flame graphs take them.
 *
 * A model lists stacks, most first; frames stand outermost first, functions by
 * their names in the source (variants of one code count as one function).
 */
#include "view/stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "event/stacks.h"
#include "view/look.h"

/* "slub_new_slab" of "slub_new_slab_told+0x1a/0x40 [slablab]". */
static json_t *function_name(const char *line, size_t n)
{
	static const char *const variants[] = { "_bare", "_counted", "_told" };
	size_t len = strcspn(line, "+ \n");

	len = len < n ? len : n;
	for (unsigned int i = 0; i < ARRAY_SIZE(variants); i++) {
		size_t v = strlen(variants[i]);

		if (len > v && !strncmp(line + len - v, variants[i], v))
			return json_stringn(line, len - v);
	}
	return json_stringn(line, len);
}

/* What only tells of the event, where the compiler made it a function of its own. */
static bool is_teller(const char *line)
{
	static const char *const tellers[] = { "story_add+", "lock_stack+", "lock_take+", "stacks_note+" };

	for (unsigned int i = 0; i < ARRAY_SIZE(tellers); i++)
		if (!strncmp(line, tellers[i], strlen(tellers[i])))
			return true;
	return false;
}

/* How the C library starts threads and programs, mostly by wrong names, as it keeps only those of what it exports. */
static bool is_start(const char *line, const char *end)
{
	const char *module = memchr(line, '[', (size_t)(end - line));

	return module && (!strncmp(module, "[libc.so", 8) || !strncmp(module, "[libc-", 6) || !strncmp(module, "[ld-", 4));
}

static json_t *frames_of(const char *text)
{
	json_t *list = json_array();

	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		if (!is_teller(line) && !is_start(line, end))
			json_array_insert_new(list, 0, function_name(line, (size_t)(end - line)));
	return list;
}

/* Stacks that differ only in where in a function they were are one. */
static void add(json_t *list, json_t *frames, uint64_t count)
{
	json_t *s;
	size_t i;

	json_array_foreach(list, i, s)
		if (json_equal(json_object_get(s, "frames"), frames)) {
			look_set(s, "count", look_get(s, "count") + count);
			json_decref(frames);
			return;
		}
	json_array_append_new(list, json_pack("{s:I,s:o}", "count", (json_int_t)count, "frames", frames));
}

static int by_count(const void *a, const void *b)
{
	uint64_t x = look_get(*(json_t *const *)a, "count"), y = look_get(*(json_t *const *)b, "count");

	return x > y ? -1 : x < y;
}

static json_t *sorted(json_t *list)
{
	size_t nr = json_array_size(list), i;
	json_t **v = calloc(nr + 1, sizeof(*v)), *out = json_array(), *s;

	if (!v) {
		json_decref(out);
		return list;
	}
	json_array_foreach(list, i, s)
		v[i] = s;
	qsort(v, nr, sizeof(*v), by_count);
	for (i = 0; i < nr; i++)
		json_array_append(out, v[i]);
	free(v);
	json_decref(list);
	return out;
}

bool view_stack_kept(const struct lab *lab, unsigned int event)
{
	return stacks_wants(lab->stacks, event);
}

json_t *view_stack(struct lab *lab, unsigned int event, uint64_t most)
{
	json_t *list = json_array(), *o;
	uint64_t total = 0, left_out = 0;
	const struct stacks *s;

	look_begin(lab, NULL, "stack", 1);
	s = lab->stacks;
	for (uint32_t i = 0; s && i < s->nr; i++) {
		if (s->entry[i].event != event)
			continue;
		total += s->entry[i].count;
		add(list, frames_of(s->entry[i].text), s->entry[i].count);
	}
	list = sorted(list);
	while (json_array_size(list) > most) {
		left_out++;
		json_array_remove(list, json_array_size(list) - 1);
	}
	o = json_pack("{s:s,s:I,s:I,s:o}", "event", stacks_name(event), "count", (json_int_t)total, "left_out", (json_int_t)left_out,
		      "stacks", list);
	return look_end(lab, o);
}

/* ---- text ---- */

static const char *frame(const json_t *stack, size_t depth)
{
	return json_string_value(json_array_get(json_object_get(stack, "frames"), depth));
}

static bool same_until(const json_t *a, const json_t *b, size_t depth)
{
	for (size_t i = 0; i <= depth; i++)
		if (!frame(a, i) || !frame(b, i) || strcmp(frame(a, i), frame(b, i)))
			return false;
	return true;
}

static uint64_t below(const json_t *stacks, const json_t *like, size_t depth)
{
	uint64_t count = 0;
	json_t *s;
	size_t i;

	json_array_foreach((json_t *)stacks, i, s)
		count += same_until(s, like, depth) ? look_get(s, "count") : 0;
	return count;
}

/* Children of one frame, in the order of the first stack that has each. */
static void branch(const json_t *stacks, const json_t *like, size_t depth, uint64_t total, FILE *to)
{
	json_t *s, *before;
	size_t i, k;

	json_array_foreach((json_t *)stacks, i, s) {
		uint64_t count;
		bool shown = false;

		if ((depth && !same_until(s, like, depth - 1)) || !frame(s, depth))
			continue;
		json_array_foreach((json_t *)stacks, k, before) {
			if (k == i)
				break;
			shown |= same_until(before, s, depth);
		}
		if (shown)
			continue;
		count = below(stacks, s, depth);
		fprintf(to, "%8llu %5.1f%%  %*s%s\n", (unsigned long long)count, 100.0 * (double)count / (double)total,
			(int)(2 * depth), "", frame(s, depth));
		branch(stacks, s, depth + 1, total, to);
	}
}

void view_stack_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *stacks = json_object_get(model, "stacks");
	uint64_t total = look_get(model, "count"), left = look_get(model, "left_out");

	(void)args;
	fprintf(to, "%s: %llu times, by %zu path%s\n", look_get_text(model, "event"), (unsigned long long)total,
		json_array_size(stacks) + (size_t)left, json_array_size(stacks) + left == 1 ? "" : "s");
	if (total)
		branch(stacks, NULL, 0, total, to);
	if (left)
		fprintf(to, "%llu more path%s (n=)\n", (unsigned long long)left, left == 1 ? "" : "s");
}

void view_stack_folded(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *s;
	size_t i, d;

	(void)args;
	json_array_foreach(json_object_get(model, "stacks"), i, s) {
		for (d = 0; frame(s, d); d++)
			fprintf(to, "%s%s", d ? ";" : "", frame(s, d));
		fprintf(to, " %llu\n", (unsigned long long)look_get(s, "count"));
	}
}
