/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report - findings of slab debugging, as records and in the kernel's words.
 *
 * In the model an address is the offset in the arena, as everywhere; beside
 * it stands the form that the text shows, which is the kernel's own: the
 * direct map of x86-64, so that 0 is nothing. (slab-debug.md section 5)
 */
#include "view/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/gfp.h"
#include "cpu/read.h"
#include "page/read.h"
#include "slab/read.h"
#include "view/look.h"

uint64_t view_reports(struct lab *lab)
{
	return debug_reports(lab);
}

/* ---- model ---- */

struct writing {
	char *buf;
	size_t size, at;
};

static void __printf_like(2, 3) put(struct writing *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	w->at += (size_t)vsnprintf(w->buf + w->at, w->size - w->at, fmt, ap);
	va_end(ap);
	if (w->at >= w->size)
		w->at = w->size - 1;
}

static void put_address(struct writing *w, const struct lab *lab, uint64_t off)
{
	put(w, "0x%016llx", (unsigned long long)debug_address(lab, off));
}

static const char *tainted(uint8_t taint, char buf[32])
{
	if (!taint)
		return strcpy(buf, "Not tainted");
	sprintf(buf, "Tainted: G    %c %c %c         ", taint & TAINT_BUG ? 'B' : ' ', taint & TAINT_DIE ? 'D' : ' ',
		taint & TAINT_WARN ? 'W' : ' ');
	return buf;
}

static void put_gfp(struct writing *w, uint32_t gfp)
{
	char words[GFP_TEXT_MAX];

	gfp_print(gfp, words, sizeof(words));
	put(w, "0x%x(%s)", gfp, words);
}

/* The message with its addresses, numbers and names in their places. */
static void put_message(struct writing *w, const struct lab *lab, const struct debug_report *r)
{
	unsigned int arg = 0;
	char taint[32];

	for (const char *s = debug_messages[r->message].text; *s; s++) {
		if (*s != '%') {
			put(w, "%c", *s);
			continue;
		}
		switch (*++s) {
		case 'A':
			put_address(w, lab, r->arg[arg++]);
			break;
		case 'N':
			put(w, "%llu", (unsigned long long)r->arg[arg++]);
			break;
		case 'I':
			put(w, "%lld", (long long)r->arg[arg++]);
			break;
		case 'G':
			put_gfp(w, (uint32_t)r->arg[arg++]);
			break;
		case 'C':
			put(w, "%s", r->cache);
			break;
		case 'O':
			put(w, "%s", r->other);
			break;
		case 'T':
			put(w, "%s", tainted(r->taint, taint));
			break;
		default:
			put(w, "%s", debug_text(lab, r->place));
		}
	}
}

static void set_address(json_t *o, const char *key, const struct lab *lab, uint64_t off)
{
	char text[32];
	struct writing w = { text, sizeof(text), 0 };

	put_address(&w, lab, off);
	look_set_text(o, key, text);
}

json_t *view_frames(const char *text)
{
	static const char *const own[] = { "here+", "debug_here+", "debug_report_new+", "debug_freed_twice+", "begin+",
					   "debug_begin+", "stack_take+" };
	json_t *list = json_array();
	bool inside = true;

	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		bool skip = false;

		for (unsigned int i = 0; inside && i < ARRAY_SIZE(own); i++)
			skip |= !strncmp(line, own[i], strlen(own[i]));
		inside = skip;
		if (!skip)
			json_array_append_new(list, json_stringn(line, (size_t)(end - line)));
	}
	return list;
}

static json_t *track_object(const struct lab *lab, const struct debug_track *t, uint64_t tick)
{
	json_t *o = json_object();

	look_set_text(o, "place", debug_text(lab, t->place));
	look_set(o, "age", tick - t->when);
	look_set(o, "cpu", t->cpu);
	look_set(o, "pid", t->pid);
	json_object_set_new(o, "stack", view_frames(debug_text(lab, t->stack)));
	return o;
}

/* As the kernel prints the flags of a page: number and names. */
static void put_page_flags(struct writing *w, const struct debug_report *r)
{
	uint64_t flags = 0x200ULL | (r->order ? 0x10000ULL : 0) | 0x1fffffULL << 30 | (uint64_t)r->zone_bits << 51 |
			 (uint64_t)r->node << 54;

	put(w, "0x%llx(slab%s|node=%u|zone=%u|lastcpupid=0x1fffff)", (unsigned long long)flags, r->order ? "|head" : "",
	    r->node, r->zone_bits);
}

static json_t *slab_object(const struct lab *lab, const struct debug_report *r)
{
	json_t *o = json_object();
	char text[128];
	struct writing w = { text, sizeof(text), 0 };

	look_set(o, "slab", r->slab_nr);
	look_set(o, "pfn", r->slab);
	put(&w, "0x%016llx", (unsigned long long)debug_slab_address(r->slab));
	look_set_text(o, "at", text);
	look_set(o, "objects", r->objects);
	look_set(o, "used", r->used);
	set_address(o, "fp", lab, r->slab_fp);
	w.at = 0;
	put_page_flags(&w, r);
	look_set_text(o, "flags", text);
	return o;
}

static uint64_t slab_start(const struct lab *lab, const struct debug_report *r)
{
	return lab->arena_off + ((uint64_t)r->slab << PAGE_SHIFT);
}

/* What engine slab knows of an object. */
static void set_words(json_t *o, const struct lab *lab, const struct debug_words *w)
{
	char text[32];

	if (w->has_red) {
		json_t *red = json_array();

		for (unsigned int i = 0; i < ARRAY_SIZE(w->red); i++) {
			snprintf(text, sizeof(text), "0x%llx", (unsigned long long)w->red[i]);
			json_array_append_new(red, json_string(text));
		}
		json_object_set_new(o, "redzones", red);
	}
	if (w->has_user)
		look_set_text(o, "last_user", debug_text(lab, w->user));
}

static json_t *object_object(const struct lab *lab, const struct debug_report *r)
{
	json_t *o = json_object();

	look_set(o, "address", r->object - lab->arena_off);
	set_address(o, "at", lab, r->object);
	look_set(o, "offset", r->object - slab_start(lab, r));
	set_address(o, "fp", lab, r->object_fp);
	set_words(o, lab, &r->words[0]);
	return o;
}

static void set_neighbour(json_t *o, const char *key, const struct lab *lab, const struct debug_words *w)
{
	json_t *n;

	if (!w->object)
		return;
	n = json_object();
	look_set(n, "address", w->object - lab->arena_off);
	set_address(n, "at", lab, w->object);
	set_words(n, lab, w);
	json_object_set_new(o, key, n);
}

static json_t *dump_array(const struct lab *lab, const struct debug_report *r)
{
	static const char *const labels[PART_NR] = { "Redzone", "Bytes b4", "Object", "Padding", "Previous", "Next" };
	json_t *list = json_array();
	const uint8_t *data = r->data;

	for (unsigned int i = 0; i < r->nr_parts; data += r->part[i++].bytes) {
		char hex[2 * PAGE_SIZE + 1];
		json_t *o = json_object();

		look_set_text(o, "part", labels[r->part[i].part]);
		set_address(o, "at", lab, r->part[i].at);
		for (uint32_t b = 0; b < r->part[i].bytes; b++)
			sprintf(hex + 2 * b, "%02x", data[b]);
		look_set_text(o, "bytes", hex);
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *live_array(const struct lab *lab, const struct debug_report *r)
{
	const struct debug_live *live = (const struct debug_live *)r->data;
	json_t *list = json_array();

	for (uint32_t i = 0; i < r->nr_live; i++) {
		json_t *o = json_object();

		look_set(o, "address", live[i].object - lab->arena_off);
		set_address(o, "at", lab, live[i].object);
		if (r->objects)
			look_set(o, "offset", live[i].object - slab_start(lab, r));
		if (live[i].alloc.place)
			json_object_set_new(o, "alloc", track_object(lab, &live[i].alloc, r->tick));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *fixes_array(const struct lab *lab, const struct debug_report *r)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < r->nr_fixes; i++) {
		const char *text = debug_fixes[r->fix[i].fix].text;
		char buf[192];
		struct writing w = { buf, sizeof(buf), 0 };

		for (; *text; text++) {
			if (*text != '%') {
				put(&w, "%c", *text);
			} else if (*++text == 'A') {
				put_address(&w, lab, r->fix[i].first);
			} else if (*text == 'W') {	/* the message without its "overwritten" */
				const char *what = r->fix[i].word == DEBUG_slab_padding ? "slab padding" :
						   debug_messages[r->fix[i].word].text;
				const char *end = strstr(what, " overwritten");

				put(&w, "%.*s", end ? (int)(end - what) : (int)strlen(what), what);
			} else {
				put_address(&w, lab, r->fix[i].first);
				put(&w, "-");
				put_address(&w, lab, r->fix[i].last);
				put(&w, "=0x%x", r->fix[i].value);
			}
		}
		json_array_append_new(list, json_string(buf));
	}
	return list;
}

static json_t *shortage_object(const struct debug_report *r)
{
	const struct debug_shortage *what = (const struct debug_shortage *)r->data;
	json_t *o = json_object(), *nodes = json_array(), *n;

	look_set(o, "object_size", what->object_size);
	look_set(o, "buffer_size", what->size);
	look_set(o, "default_order", what->order);
	look_set(o, "min_order", what->min_order);
	if (what->hint)
		look_set_text(o, "debugging_increased_min_order", what->hint == HINT_SLUB_DEBUG ? "slub_debug=O" : "slab_debug=O");
	for (uint32_t i = 0; i < what->nr_nodes; i++) {
		json_array_append_new(nodes, n = json_object());
		look_set(n, "node", i);
		look_set(n, "slabs", what->node[i].slabs);
		look_set(n, "objs", what->node[i].objects);
		look_set(n, "free", what->node[i].free);
	}
	json_object_set_new(o, "nodes", nodes);
	return o;
}

static const char *const form_words[] = {
	[DEBUG_BUG] = "bug", [DEBUG_WARNING] = "warning", [DEBUG_HALT] = "halt", [DEBUG_REMARK] = "remark",
	[DEBUG_SLAB_ERROR] = "slab error", [DEBUG_CORRUPTION] = "slab corruption",
	[DEBUG_SHORTAGE] = "shortage",
};

static json_t *report_object(const struct lab *lab, const struct debug_report *r)
{
	char text[512], taint[32];
	struct writing w = { text, sizeof(text), 0 };
	json_t *o = json_object();

	look_set(o, "serial", r->serial);
	look_set(o, "op", r->op);
	look_set(o, "time_ns", r->time_ns);
	look_set_text(o, "cache", r->cache);
	look_set(o, "store", r->store);
	look_set_text(o, "kind", debug_messages[r->message].name);
	put_message(&w, lab, r);
	look_set_text(o, "message", text);
	look_set_text(o, "form", form_words[debug_messages[r->message].form]);
	json_object_set_new(o, "bug", json_boolean(debug_messages[r->message].form == DEBUG_BUG));
	look_set_text(o, "tainted", tainted(r->taint, taint));
	json_object_set_new(o, "taints", json_boolean(!(r->taint & TAINT_BUG)));
	look_set(o, "cpu", r->cpu);
	look_set(o, "pid", r->pid);
	if (r->has_range) {
		look_set(o, "first", r->first - lab->arena_off);
		look_set(o, "last", r->last - lab->arena_off);
		set_address(o, "first_at", lab, r->first);
		set_address(o, "last_at", lab, r->last);
		look_set(o, "offset", r->first - slab_start(lab, r));
		look_set(o, "expected", r->expected);
		look_set(o, "found", r->found);
	}
	if (r->objects)
		json_object_set_new(o, "slab", slab_object(lab, r));
	if (r->has_object)
		json_object_set_new(o, "object", object_object(lab, r));
	else if (r->words[0].has_user)
		look_set_text(o, "last_user", debug_text(lab, r->words[0].user));
	set_neighbour(o, "previous", lab, &r->words[1]);
	set_neighbour(o, "next", lab, &r->words[2]);
	if (r->alloc.place)
		json_object_set_new(o, "alloc", track_object(lab, &r->alloc, r->tick));
	if (r->freed.place)
		json_object_set_new(o, "free", track_object(lab, &r->freed, r->tick));
	if (r->message == DEBUG_shortage)
		json_object_set_new(o, "shortage", shortage_object(r));
	if (r->nr_parts)
		json_object_set_new(o, "dump", dump_array(lab, r));
	if (r->nr_live)
		json_object_set_new(o, "remaining", live_array(lab, r));
	look_set_text(o, "place", debug_text(lab, r->place));
	json_object_set_new(o, "stack", view_frames(debug_text(lab, r->stack)));
	json_object_set_new(o, "fixes", fixes_array(lab, r));
	return o;
}

json_t *view_reports_after(struct lab *lab, uint64_t serial, const char *cache)
{
	json_t *list = json_array();
	uint64_t newest;

	lab_stop(lab);
	newest = debug_reports(lab);
	if (newest > DEBUG_REPORTS && serial < newest - DEBUG_REPORTS)
		serial = newest - DEBUG_REPORTS;
	while (serial++ < newest) {
		const struct debug_report *r = debug_report_read(lab, serial);

		if (r && (!cache || !strcmp(cache, r->cache) || !strcmp(cache, r->other)))
			json_array_append_new(list, report_object(lab, r));
	}
	lab_resume(lab);
	return list;
}

/* ---- text ---- */

struct log {
	FILE *to;
	uint64_t ns;
};

static void __printf_like(2, 3) line(const struct log *l, const char *fmt, ...)
{
	va_list ap;

	fprintf(l->to, "[%5llu.%06llu] ", (unsigned long long)(l->ns / 1000000000), (unsigned long long)(l->ns / 1000 % 1000000));
	va_start(ap, fmt);
	vfprintf(l->to, fmt, ap);
	va_end(ap);
	fputc('\n', l->to);
}

static void rule(const struct log *l, char c)
{
	char text[78];

	memset(text, c, 77);
	text[77] = 0;
	line(l, "%s", text);
}

static void frames(const struct log *l, const json_t *stack)
{
	json_t *f;
	size_t i;

	json_array_foreach(stack, i, f)
		line(l, " %s", json_string_value(f));
}

static void track(const struct log *l, const char *what, const json_t *t)
{
	if (!t)
		return;
	line(l, "%s in %s age=%llu cpu=%llu pid=%llu", what, look_get_text(t, "place"),
	     (unsigned long long)look_get(t, "age"), (unsigned long long)look_get(t, "cpu"),
	     (unsigned long long)look_get(t, "pid"));
	frames(l, json_object_get(t, "stack"));
}

static void slab_line(const struct log *l, const json_t *s)
{
	if (s)
		line(l, "Slab %s objects=%llu used=%llu fp=%s flags=%s", look_get_text(s, "at"),
		     (unsigned long long)look_get(s, "objects"), (unsigned long long)look_get(s, "used"),
		     look_get_text(s, "fp"), look_get_text(s, "flags"));
}

static unsigned int nibble(char c)
{
	return c <= '9' ? (unsigned int)(c - '0') : (unsigned int)(c - 'a' + 10);
}

/* Up to 16 bytes: in hex, then as letters. */
static void dump_line(const struct log *l, const char *label, uint64_t at, const char *hex, size_t n)
{
	char bytes[64] = "", ascii[17] = "";

	for (size_t i = 0; i < n; i++) {
		unsigned int c = nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]);

		sprintf(bytes + 3 * i, "%02x ", c);
		ascii[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
	}
	line(l, "%-9s%016llx: %-49s%.*s", label, (unsigned long long)at, bytes, (int)n, ascii);
}

static void dump(const struct log *l, const json_t *parts)
{
	json_t *p;
	size_t i;

	json_array_foreach(parts, i, p) {
		const char *hex = look_get_text(p, "bytes");
		uint64_t at = strtoull(look_get_text(p, "at"), NULL, 16);
		size_t n = strlen(hex) / 2;

		for (size_t b = 0; b < n; b += 16)
			dump_line(l, look_get_text(p, "part"), at + b, hex + 2 * b, n - b < 16 ? n - b : 16);
	}
}

static void reporter(const struct log *l, const json_t *r)
{
	line(l, "CPU: %llu PID: %llu Comm: slablab %s 6.1.0-lab #1", (unsigned long long)look_get(r, "cpu"),
	     (unsigned long long)look_get(r, "pid"), look_get_text(r, "tainted"));
	line(l, "Call Trace:");
	line(l, " <TASK>");
	frames(l, json_object_get(r, "stack"));
	line(l, " </TASK>");
}

static void remaining(const struct log *l, const json_t *list)
{
	json_t *o;
	size_t i;

	json_array_foreach(list, i, o) {
		line(l, "Object %s @offset=%llu", look_get_text(o, "at"), (unsigned long long)look_get(o, "offset"));
		track(l, "Allocated", json_object_get(o, "alloc"));
	}
}

static void fixes(const struct log *l, const json_t *r)
{
	json_t *f;
	size_t i;

	json_array_foreach(json_object_get(r, "fixes"), i, f)
		line(l, "FIX %s: %s", look_get_text(r, "cache"), json_string_value(f));
}

static void bug_text(const struct log *l, const json_t *r)
{
	const json_t *o = json_object_get(r, "object");

	rule(l, '=');
	line(l, "BUG %s (%s): %s", look_get_text(r, "cache"), look_get_text(r, "tainted"), look_get_text(r, "message"));
	rule(l, '-');
	line(l, "%s", "");
	if (json_object_get(r, "first"))
		line(l, "%s-%s @offset=%llu. First byte 0x%llx instead of 0x%llx", look_get_text(r, "first_at"),
		     look_get_text(r, "last_at"), (unsigned long long)look_get(r, "offset"),
		     (unsigned long long)look_get(r, "found"), (unsigned long long)look_get(r, "expected"));
	track(l, "Allocated", json_object_get(r, "alloc"));
	track(l, "Freed", json_object_get(r, "free"));
	slab_line(l, json_object_get(r, "slab"));
	if (o) {
		line(l, "Object %s @offset=%llu fp=%s", look_get_text(o, "at"), (unsigned long long)look_get(o, "offset"),
		     look_get_text(o, "fp"));
		line(l, "%s", "");
	}
	dump(l, json_object_get(r, "dump"));
	reporter(l, r);
	if (json_is_true(json_object_get(r, "taints")))
		line(l, "Disabling lock debugging due to kernel taint");
	remaining(l, json_object_get(r, "remaining"));
	fixes(l, r);
}

static void warning_text(const struct log *l, const json_t *r)
{
	line(l, "------------[ cut here ]------------");
	line(l, "%s", look_get_text(r, "message"));
	line(l, "WARNING: CPU: %llu PID: %llu at %s", (unsigned long long)look_get(r, "cpu"),
	     (unsigned long long)look_get(r, "pid"), json_string_value(json_array_get(json_object_get(r, "stack"), 0)));
	reporter(l, r);
	line(l, "---[ end trace 0000000000000000 ]---");
	track(l, "Allocated", json_object_get(r, "alloc"));
	if (json_object_get(r, "last_user"))
		line(l, "Last user: (%s)", look_get_text(r, "last_user"));
}

/* Here the kernel stops; the lab goes on. */
static void halt_text(const struct log *l, const json_t *r)
{
	line(l, "------------[ cut here ]------------");
	line(l, "%s", look_get_text(r, "message"));
	line(l, "invalid opcode: 0000 [#1] PREEMPT SMP NOPTI");
	reporter(l, r);
	slab_line(l, json_object_get(r, "slab"));
	line(l, "---[ end trace 0000000000000000 ]---");
	fixes(l, r);
}

/* A trace of flag T, or a count that validation found wrong. */
static void remark_text(const struct log *l, const json_t *r)
{
	line(l, "%s", look_get_text(r, "message"));
	dump(l, json_object_get(r, "dump"));
	if (!strncmp(look_get_text(r, "kind"), "trace_", 6))
		reporter(l, r);
}

static void shortage_text(const struct log *l, const json_t *r)
{
	const json_t *o = json_object_get(r, "shortage");
	json_t *n;
	size_t i;

	line(l, "%s", look_get_text(r, "message"));
	line(l, "  cache: %s, object size: %llu, buffer size: %llu, default order: %llu, min order: %llu", look_get_text(r, "cache"),
	     (unsigned long long)look_get(o, "object_size"), (unsigned long long)look_get(o, "buffer_size"),
	     (unsigned long long)look_get(o, "default_order"), (unsigned long long)look_get(o, "min_order"));
	if (json_object_get(o, "debugging_increased_min_order"))
		line(l, "  %s debugging increased min order, use %s to disable.", look_get_text(r, "cache"),
		     look_get_text(o, "debugging_increased_min_order"));
	json_array_foreach(json_object_get(o, "nodes"), i, n)
		line(l, "  node %llu: slabs: %llu, objs: %llu, free: %llu", (unsigned long long)look_get(n, "node"),
		     (unsigned long long)look_get(n, "slabs"), (unsigned long long)look_get(n, "objs"),
		     (unsigned long long)look_get(n, "free"));
}

/* ---- in the words of engine slab ---- */

static void red_words(const struct log *l, const char *fmt, const json_t *o)
{
	const json_t *red = json_object_get(o, "redzones");

	if (red)
		line(l, fmt, json_string_value(json_array_get(red, 0)), json_string_value(json_array_get(red, 1)));
}

static void object_info(const struct log *l, const json_t *o)
{
	const char *user = look_get_text(o, "last_user");

	red_words(l, "Redzone: %s/%s", o);
	if (json_object_get(o, "last_user"))
		line(l, "Last user: (%s)", *user ? user : "0x0");
}

static void slab_error_text(const struct log *l, const json_t *r)
{
	const json_t *o = json_object_get(r, "object");
	char fmt[96];

	line(l, "%s", look_get_text(r, "message"));
	reporter(l, r);
	if (json_is_true(json_object_get(r, "taints")))
		line(l, "Disabling lock debugging due to kernel taint");
	if (o) {
		snprintf(fmt, sizeof(fmt), "%s: redzone 1:%%s, redzone 2:%%s", look_get_text(o, "at"));
		red_words(l, fmt, o);
	}
	fixes(l, r);
}

static const char *part_bytes(const json_t *r, const char *part)
{
	json_t *p;
	size_t i;

	json_array_foreach(json_object_get(r, "dump"), i, p)
		if (!strcmp(look_get_text(p, "part"), part))
			return look_get_text(p, "bytes");
	return "";
}

/* Bytes from `at` on, at most 16, by their place in the object. */
static void hex_line(const struct log *l, const char *hex, size_t at)
{
	char bytes[64] = "", ascii[17] = "";

	for (size_t i = 0; i < 16 && hex[2 * (at + i)]; i++) {
		unsigned int c = nibble(hex[2 * (at + i)]) << 4 | nibble(hex[2 * (at + i) + 1]);

		sprintf(bytes + 3 * i, "%02x ", c);
		ascii[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
	}
	line(l, "%03zx: %-49s%s", at, bytes, ascii);
}

/* Bad bytes in a line of poison; of the last of them the bits. */
static unsigned int bad_bytes(const char *hex, size_t at, size_t size, unsigned int *bits)
{
	unsigned int bad = 0;

	for (size_t i = at; i < at + 16 && i < size; i++) {
		unsigned int c = nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]), want = i == size - 1 ? 0xa5 : 0x6b;

		if (c == want)
			continue;
		bad++;
		*bits = c ^ want;
	}
	return bad;
}

#define CORRUPTION_LINES 6

/* The lines of the object with the first bad bytes, and the beginnings of its neighbours. */
static void corruption_text(const struct log *l, const json_t *r)
{
	static const struct { const char *key, *part, *word; } beside[] = { { "previous", "Previous", "Prev" }, { "next", "Next", "Next" } };
	const char *hex = part_bytes(r, "Object");
	size_t size = strlen(hex) / 2;
	const json_t *object = json_object_get(r, "object");
	uint64_t start = look_get(object, "address"), first = look_get(r, "first") - start, last = look_get(r, "last") - start;
	unsigned int lines = 0;

	line(l, "%s", look_get_text(r, "message"));
	object_info(l, object);
	for (size_t at = first / 16 * 16; at <= last && at < size && lines < CORRUPTION_LINES; at += 16) {
		unsigned int bits = 0, bad = bad_bytes(hex, at, size, &bits);

		if (!bad)
			continue;
		hex_line(l, hex, at);
		lines++;
		if (bad == 1 && !(bits & (bits - 1)))
			line(l, "Single bit error detected. Probably bad RAM.");
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(beside); i++) {
		const json_t *o = json_object_get(r, beside[i].key);

		if (!o)
			continue;
		hex = part_bytes(r, beside[i].part);
		line(l, "%s obj: start=%s, len=%llu", beside[i].word, look_get_text(o, "at"), (unsigned long long)size);
		object_info(l, o);
		for (size_t at = 0; at < strlen(hex) / 2; at += 16)
			hex_line(l, hex, at);
	}
	fixes(l, r);
}

static void (*const of_form[])(const struct log *l, const json_t *r) = {
	[DEBUG_BUG] = bug_text, [DEBUG_WARNING] = warning_text, [DEBUG_HALT] = halt_text, [DEBUG_REMARK] = remark_text,
	[DEBUG_SLAB_ERROR] = slab_error_text, [DEBUG_CORRUPTION] = corruption_text,
	[DEBUG_SHORTAGE] = shortage_text,
};

void view_report_text(const json_t *r, FILE *to)
{
	struct log l = { to, look_get(r, "time_ns") };

	for (unsigned int f = 0; f < ARRAY_SIZE(form_words); f++)
		if (!strcmp(look_get_text(r, "form"), form_words[f]))
			of_form[f](&l, r);
}

bool view_is_shortage(const json_t *r)
{
	return json_object_get(r, "shortage") != NULL;
}

void view_shortages_text(struct lab *lab, const json_t *failure, FILE *to)
{
	json_t *reports = view_reports_after(lab, 0, NULL), *r;
	size_t i;

	json_array_foreach(reports, i, r)
		if (view_is_shortage(r) && look_get(r, "op") == look_get(failure, "op"))
			view_report_text(r, to);
	json_decref(reports);
}

void view_reports_text(const json_t *reports, FILE *to)
{
	json_t *r;
	size_t i;

	json_array_foreach((json_t *)reports, i, r)
		view_report_text(r, to);
}
