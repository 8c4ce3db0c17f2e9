/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/slubdbg.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* ---- pieces of a line ---- */

/* The number behind `key`, decimal or 0x…; "(null)" is 0. */
static bool value_of(const char *line, const char *key, uint64_t *n)
{
	const char *s = strstr(line, key);
	char *end;

	if (!s)
		return false;
	s += strlen(key);
	if (!strncmp(s, "0x", 2) && s[2] == ' ')	/* "0x          (null)" */
		return *n = 0, true;
	if (!isdigit((unsigned char)*s))
		return false;
	*n = strtoull(s, &end, strncmp(s, "0x", 2) ? 10 : 16);
	return true;
}

static void copy(char to[SLUBDBG_TEXT], const char *from, size_t n)
{
	if (n >= SLUBDBG_TEXT)
		n = SLUBDBG_TEXT - 1;
	memcpy(to, from, n);
	to[n] = 0;
	while (n && isspace((unsigned char)to[n - 1]))
		to[--n] = 0;
}

/* `word` where it begins a word of the line. */
static const char *at_word(const char *line, const char *word)
{
	for (const char *s = line; (s = strstr(s, word)); s++)
		if (s == line || isspace((unsigned char)s[-1]) || s[-1] == '>' || s[-1] == ']')
			return s;
	return NULL;
}

/* "BUG NAME (STATE): MESSAGE", in old kernels "BUG NAME: MESSAGE". */
static bool bug_line(const char *line, struct slubdbg_report *r)
{
	const char *s = at_word(line, "BUG "), *name, *end, *message;

	if (!s)
		return false;
	name = s + 4;
	end = name + strcspn(name, " \t");
	if (end == name || !strncmp(name, "at ", 3) || !strncmp(name, "in ", 3))
		return false;
	memset(r, 0, sizeof(*r));
	if (end[-1] == ':') {
		copy(r->cache, name, (size_t)(end - 1 - name));
		message = end + 1;
	} else {
		const char *close = strstr(end, "): ");

		if (end[0] != ' ' || end[1] != '(' || !close)
			return false;
		copy(r->cache, name, (size_t)(end - name));
		copy(r->state, end + 2, (size_t)(close - end - 2));
		message = close + 3;
	}
	if (!isupper((unsigned char)*message) && !islower((unsigned char)*message))
		return false;
	copy(r->message, message, strlen(message));
	return true;
}

/* "0xA-0xB @offset=N. First byte 0xX instead of 0xY" */
static bool range_line(const char *line, struct slubdbg_report *r)
{
	const char *first = strstr(line, "First byte "), *range = strstr(line, "0x");
	char *end;

	if (!first || !range || range > first || !value_of(line, "First byte ", &r->found) ||
	    !value_of(line, "instead of ", &r->expected))
		return false;
	r->first = strtoull(range, &end, 16);
	if (*end != '-')
		return false;
	r->last = strtoull(end + 1, NULL, 16);
	r->has_range = true;
	r->has_offset = value_of(line, "@offset=", &r->offset);
	return true;
}

static bool track_line(const char *line, const char *what, struct slubdbg_track *t)
{
	const char *s = at_word(line, what), *end;

	if (!s || t->there)
		return false;
	s += strlen(what);
	end = strstr(s, " age=");
	if (!end)
		return false;
	t->there = true;
	copy(t->place, s, (size_t)(end - s));
	value_of(end, " age=", &t->age);
	value_of(end, " cpu=", &t->cpu);
	value_of(end, " pid=", &t->pid);
	return true;
}

static bool slab_line(const char *line, struct slubdbg_report *r)
{
	if (!at_word(line, "Slab 0x") || !value_of(line, " objects=", &r->objects) || r->has_slab)
		return false;
	value_of(line, "Slab ", &r->slab);
	value_of(line, " used=", &r->used);
	value_of(line, " fp=", &r->slab_fp);
	value_of(line, " flags=", &r->flags);
	return r->has_slab = true;
}

static bool object_line(const char *line, struct slubdbg_report *r)
{
	if (!at_word(line, "Object 0x") || !value_of(line, "@offset=", &r->object_offset) || r->has_object)
		return false;
	value_of(line, "Object ", &r->object);
	value_of(line, " fp=", &r->object_fp);
	return r->has_object = true;
}

static bool fix_line(const char *line, struct slubdbg_report *r)
{
	const char *s = at_word(line, "FIX "), *action = s ? strstr(s, ": ") : NULL;

	if (!action)
		return false;
	if (r->fixes < ARRAY_SIZE(r->fix))
		copy(r->fix[r->fixes], action + 2, strlen(action + 2));
	r->fixes++;
	return true;
}

/* "Redzone ffff…: bb bb": bytes that the report shows. */
static bool dump_line(const char *line, struct slubdbg_report *r)
{
	static const char *const labels[] = { "Redzone ", "Object ", "Padding ", "Bytes b4 " };
	const char *s = NULL;

	for (unsigned int i = 0; i < ARRAY_SIZE(labels) && !s; i++)
		if ((s = at_word(line, labels[i])))
			s += strlen(labels[i]);
	if (!s)
		return false;
	s += strspn(s, " ");
	if (strspn(s, "0123456789abcdef") < 8 || s[strspn(s, "0123456789abcdef")] != ':')
		return false;
	for (s = strchr(s, ':') + 1; *s == ' ' && isxdigit((unsigned char)s[1]) && isxdigit((unsigned char)s[2]) && (s[3] == ' ' || !s[3]); s += 3)
		r->dumped_bytes++;
	return true;
}

/* ---- no memory for a slab ---- */

static bool shortage_line(const char *line, struct slubdbg_shortage *s)
{
	const char *node = strstr(line, "Unable to allocate memory on node ");

	if (!node)
		return false;
	memset(s, 0, sizeof(*s));
	s->node = strtoll(node + strlen("Unable to allocate memory on node "), NULL, 10);
	value_of(node, "gfp=", &s->gfp);
	return true;
}

static bool shortage_cache(const char *line, struct slubdbg_shortage *s)
{
	const char *name = strstr(line, "cache: "), *end = name ? strstr(name, ", object size: ") : NULL;

	if (!end || s->cache[0])
		return false;
	copy(s->cache, name + 7, (size_t)(end - name - 7));
	value_of(end, "object size: ", &s->object_size);
	value_of(end, "buffer size: ", &s->buffer_size);
	value_of(end, "default order: ", &s->order);
	value_of(end, "min order: ", &s->min_order);
	return true;
}

static bool shortage_node(const char *line, struct slubdbg_shortage *s)
{
	struct slubdbg_node n = { 0 };
	const char *at = strstr(line, "node ");

	if (!at || s->nr_nodes == ARRAY_SIZE(s->nodes) || !value_of(at, "node ", &n.node) || !value_of(at, "slabs: ", &n.slabs) ||
	    !value_of(at, "objs: ", &n.objs))
		return false;
	value_of(at, "free: ", &n.free);
	s->nodes[s->nr_nodes++] = n;
	return true;
}

uint64_t slubdbg_fallback(const struct slubdbg_shortage *s, const struct slubdbg_node *n)
{
	uint64_t whole, per, least;

	if (!s->buffer_size || s->order > 32 || s->min_order > s->order)
		return 0;
	per = (PAGE_SIZE << s->order) / s->buffer_size;
	least = (PAGE_SIZE << s->min_order) / s->buffer_size;
	if (per <= least || __builtin_mul_overflow(n->slabs, per, &whole) || whole <= n->objs)
		return 0;
	return (whole - n->objs + (per - least) / 2) / (per - least);
}

/* ---- the whole ---- */

static int out_of_memory(void)
{
	return fail(ENOMEM, "no memory for the reports");
}

static bool belongs(const char *line, struct slubdbg_report *r)
{
	return range_line(line, r) || track_line(line, "Allocated in ", &r->alloc) || track_line(line, "Freed in ", &r->freed) ||
	       slab_line(line, r) || object_line(line, r) || fix_line(line, r) || dump_line(line, r);
}

static int parse_line(struct slubdbg *d, const char *line, uint32_t number)
{
	struct slubdbg_report r;
	struct slubdbg_shortage s;

	if (bug_line(line, &r)) {
		struct slubdbg_report *more = realloc(d->report, (d->reports + 1) * sizeof(*more));

		if (!more)
			return out_of_memory();
		r.line = number;
		d->report = more;
		d->report[d->reports++] = r;
		return 0;
	}
	if (shortage_line(line, &s)) {
		struct slubdbg_shortage *more = realloc(d->shortage, (d->shortages + 1) * sizeof(*more));

		if (!more)
			return out_of_memory();
		s.line = number;
		d->shortage = more;
		d->shortage[d->shortages++] = s;
		return 0;
	}
	if (d->shortages && (shortage_cache(line, &d->shortage[d->shortages - 1]) ||
			     shortage_node(line, &d->shortage[d->shortages - 1])))
		return 0;
	if (d->reports)
		belongs(line, &d->report[d->reports - 1]);
	return 0;
}

int slubdbg_parse(const struct paste *text, struct slubdbg *d)
{
	int ret = 0;

	memset(d, 0, sizeof(*d));
	for (uint32_t i = 0; i < text->nr && !ret; i++)
		ret = parse_line(d, text->line[i], i + 1);
	if (!ret && !d->reports && !d->shortages)
		ret = fail(ENOENT, "no line begins a report of SLUB (BUG CACHE (STATE): MESSAGE, or SLUB: Unable to allocate)");
	if (ret)
		slubdbg_free(d);
	return ret;
}

void slubdbg_free(struct slubdbg *d)
{
	free(d->report);
	free(d->shortage);
	memset(d, 0, sizeof(*d));
}

/* Fields of a line that belongs to a report: one that a mailer broke has fewer. */
static uint32_t fields(const char *line)
{
	static const char *const keys[] = { " age=", " cpu=", " pid=", " used=", " fp=", " flags=", "@offset=" };
	uint32_t nr = 1;

	for (unsigned int i = 0; i < ARRAY_SIZE(keys); i++)
		nr += strstr(line, keys[i]) != NULL;
	return nr;
}

uint32_t slubdbg_recognise(const struct paste *text)
{
	struct slubdbg_report r;
	struct slubdbg_shortage s;
	uint32_t nr = 0;

	memset(&s, 0, sizeof(s));
	for (uint32_t i = 0; i < text->nr; i++) {
		const char *line = text->line[i];

		if (bug_line(line, &r) || shortage_line(line, &s)) {
			nr += 2;
			continue;
		}
		memset(&r, 0, sizeof(r));
		nr += belongs(line, &r) || shortage_cache(line, &s) ? fields(line) : 0;
	}
	return nr;
}
