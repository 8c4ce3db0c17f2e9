/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/tracing.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/gfp.h"
#include "cpu/read.h"
#include "slab/policy.h"
#include "slab/read.h"
#include "view/look.h"

#define OBJECTS_AT 0xffff888000000000ULL
#define DESCRIPTORS_AT 0xffffea0000000000ULL

/* ---- fields ---- */

static void __printf_like(3, 4) put_text(struct traced_line *l, const char *key, const char *fmt, ...)
{
	struct traced_field *f = &l->field[l->nr++];
	va_list ap;

	f->key = key;
	f->number = false;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
}

static void put_number(struct traced_line *l, const char *key, long long n)
{
	struct traced_field *f = &l->field[l->nr++];

	f->key = key;
	f->number = true;
	f->n = n;
	snprintf(f->text, sizeof(f->text), "%lld", n);
}

static void put_gfp(struct traced_line *l, uint32_t gfp)
{
	char text[GFP_TEXT_MAX];

	gfp_print(gfp, text, sizeof(text));
	put_text(l, "gfp_flags", "%.159s", text);
}

static void put_block(struct traced_line *l, uint64_t pfn, uint32_t order)
{
	put_text(l, "page", "%016llx", DESCRIPTORS_AT + 64 * (ull)pfn);
	put_text(l, "pfn", "0x%llx", (ull)pfn);
	if (order != UINT32_MAX)
		put_number(l, "order", order);
}

/* ---- caches by the number of their day ---- */

struct named {
	char name[128];
	uint32_t bytes;
	bool accounted;
};

static void name_cache(struct lab *lab, const struct trace_entry *e, struct named *n)
{
	const struct trace_gone *gone = trace_gone_find(lab->trace, e->b[TPF_CACHE], e->seq);
	struct store_figures s;
	struct cache_figures c;

	*n = (struct named){ .name = "", .bytes = 0, .accounted = e->b[TPF_GFP] & GFP_BIT_ACCOUNT };
	if (gone) {
		snprintf(n->name, sizeof(n->name), "%s", gone->name);
		n->bytes = gone->bytes;
	} else if (e->b[TPF_CACHE] && !cache_figures(lab, e->b[TPF_CACHE], &c)) {
		snprintf(n->name, sizeof(n->name), "%s", c.name);
		n->bytes = store_figures(lab, c.store, &s) ? c.size_asked : s.size;
		n->accounted |= (c.flags_asked & CF_ACCOUNT) != 0;
	}
}

/* A word of its own: replay takes what stands before the slash for the place. */
static void put_site(struct traced_line *l, const char *name)
{
	char site[128];

	snprintf(site, sizeof(site), "%s", name[0] ? name : "kmalloc_large");
	for (char *p = site; *p; p++)
		if (*p == ' ' || *p == '/')
			*p = '_';
	put_text(l, "call_site", "%s+0x0/0x0", site);
}

static void put_ptr(const struct lab *lab, struct traced_line *l, uint64_t off)
{
	put_text(l, "ptr", "%016llx", off ? OBJECTS_AT + (ull)(off - lab->arena_off) : 0ULL);
}

static void line_alloc(struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	struct named n;
	uint32_t asked = e->b[TPF_BYTES];

	name_cache(lab, e, &n);
	if (!n.name[0])
		n.bytes = asked ? (uint32_t)PAGE_SIZE << get_order(asked) : 0;
	if (e->event == TP_kmem_cache_alloc || !asked)
		asked = n.bytes;
	put_site(l, n.name);
	put_ptr(lab, l, e->a);
	put_number(l, "bytes_req", asked);
	put_number(l, "bytes_alloc", n.bytes);
	put_gfp(l, e->b[TPF_GFP]);
	put_number(l, "node", (int32_t)e->b[TPF_NODE]);
	put_text(l, "accounted", "%s", n.accounted ? "true" : "false");
}

static void line_free(struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	struct named n;

	name_cache(lab, e, &n);
	put_site(l, e->event == TP_kfree ? "kfree" : n.name);
	put_ptr(lab, l, e->a);
	if (e->event == TP_kmem_cache_free)
		put_text(l, "name", "%s", n.name);
}

static void line_extfrag(const struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	unsigned int pageblock = lab->hdr->shape.pageblock_order, found = e->b[TPX_FALLBACK];

	put_block(l, e->a, UINT32_MAX);
	put_number(l, "alloc_order", e->b[0]);
	put_number(l, "fallback_order", found);
	put_number(l, "pageblock_order", pageblock);
	put_number(l, "alloc_migratetype", e->b[1]);
	put_number(l, "fallback_migratetype", e->b[TPX_FALLBACK + 1]);
	put_number(l, "fragmenting", found < pageblock);
	put_number(l, "change_ownership", e->b[TPX_FALLBACK + 2]);
}

/* ---- what the kernel traces too ---- */

static bool line_kernel(struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	switch (e->event) {
	case TP_kmalloc:
	case TP_kmem_cache_alloc:
		line_alloc(lab, e, l);
		return true;
	case TP_kfree:
	case TP_kmem_cache_free:
		line_free(lab, e, l);
		return true;
	case EV_mm_page_alloc:
		put_block(l, e->a, e->b[0]);
		put_number(l, "migratetype", e->b[1]);
		put_gfp(l, e->b[TPX_GFP]);
		return true;
	case EV_mm_page_free:
	case EV_mm_page_free_batched:
		put_block(l, e->a, e->b[0]);
		return true;
	case EV_mm_page_alloc_zone_locked:
		put_block(l, e->a, e->b[0]);
		put_number(l, "migratetype", e->b[TPX_MTYPE]);
		put_number(l, "percpu_refill", e->b[1]);
		return true;
	case EV_mm_page_pcpu_drain:
		put_block(l, e->a, e->b[0]);
		put_number(l, "migratetype", e->b[1]);
		return true;
	case EV_mm_page_alloc_extfrag:
		line_extfrag(lab, e, l);
		return true;
	default:
		return false;
	}
}

/* ---- our own ---- */

static void put_field(const struct lab *lab, struct traced_line *l, enum event_field f, uint64_t value)
{
	const char *key = event_fields[f].key;

	if (f == FIELD_OBJ)
		put_text(l, key, "0x%llx", (ull)(value - lab->arena_off));
	else if (event_fields[f].format[0] == '0')
		put_text(l, key, "0x%llx", (ull)value);
	else
		put_number(l, key, (long long)value);
}

/* Where it happened: the zone of page events and notes, the store of slab ones. */
static void put_where(struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	struct zone_figures z;
	struct store_figures s;

	if (event_is_of_zone(e->event) && e->where < lab->nr_zones) {
		zone_figures(lab, e->where, false, &z);
		put_text(l, "in", "N%u.%s", z.node, zone_kind_names[z.kind]);
	} else if (event_is_of_store(e->event) && !store_figures(lab, e->where, &s)) {
		put_number(l, "store", (long long)s.serial);
	}
}

static void line_own(struct lab *lab, const struct trace_entry *e, struct traced_line *l)
{
	unsigned int most = e->event < EV_NR ? 3 : NOTE_FIELDS_MAX;
	const enum event_field *f = e->event < EV_NR ? event_table[e->event].fields
						     : note_table[e->event - EV_NR].fields;

	put_where(lab, e, l);
	for (unsigned int i = 0; i < most; i++)
		if (f[i] != FIELD_NONE && strcmp(event_fields[f[i]].key, l->nr ? l->field[0].key : ""))
			put_field(lab, l, f[i], i ? e->b[i - 1] : e->a);
}

void traced_line(struct lab *lab, const struct trace_entry *e, unsigned int cpu, struct traced_line *l)
{
	l->name = trace_name(e->event);
	l->event = e->event;
	l->cpu = cpu;
	l->seq = e->seq;
	l->ns = e->ns;
	l->nr = 0;
	if (!line_kernel(lab, e, l))
		line_own(lab, e, l);
}

/* ---- text, JSON ---- */

void traced_line_text(const char *lab, const struct traced_line *l, FILE *to)
{
	fprintf(to, "%16s-1       [%03u] ..... %5llu.%06llu: %s:", lab, l->cpu, (ull)(l->ns / 1000000000),
		(ull)(l->ns % 1000000000 / 1000), l->name);
	for (unsigned int i = 0; i < l->nr; i++)
		fprintf(to, " %s=%s", l->field[i].key, l->field[i].text);
	putc('\n', to);
}

json_t *traced_line_json(const struct traced_line *l)
{
	json_t *o = json_pack("{s:s, s:i, s:I}", "event", l->name, "cpu", (int)l->cpu, "time_ns", (json_int_t)l->ns);

	for (unsigned int i = 0; i < l->nr; i++)
		json_object_set_new(o, l->field[i].key, l->field[i].number ? json_integer(l->field[i].n)
									   : json_string(l->field[i].text));
	return o;
}

/* ---- which lines ---- */

static bool is_chosen(const struct traced_choice *c, const struct trace_entry *e, unsigned int cpu)
{
	return (c->cpu < 0 || (unsigned int)c->cpu == cpu) && (!c->wanted || trace_wants(c->wanted, e->event));
}

/* Number of the first entry among the last n chosen; 0 when there are no more than that. */
static uint64_t first_of_last(const struct lab *lab, const struct traced_choice *c, uint64_t *at)
{
	const struct trace_entry *e;
	uint64_t n = 0, looked = 0, first = 0;
	unsigned int cpu;

	while (n < c->last && (!c->look || looked < c->look) && (e = traced_last(lab->trace, at, &cpu))) {
		n += is_chosen(c, e, cpu);
		looked++;
		first = e->seq;
	}
	return first;
}

/* What was looked at from the newest back becomes where to begin from the oldest on. */
static void turn_round(const struct trace *t, uint64_t *at)
{
	for (unsigned int i = 0; i < t->nr; i++)
		at[i] = trace_kept(t, &t->ring[i]) - at[i];
}

uint64_t traced_lines(struct lab *lab, const struct traced_choice *c,
		     int (*fn)(const struct traced_line *line, void *arg), void *arg)
{
	const struct trace_entry *e;
	struct traced_line line;
	uint64_t *at, n = 0, first = 0;
	unsigned int cpu;

	if (!lab->trace)
		return 0;
	at = calloc(lab->trace->nr, sizeof(*at));
	if (!at)
		return 0;
	lab_stop(lab);
	if (c->last) {
		first = first_of_last(lab, c, at);
		turn_round(lab->trace, at);
	}
	while ((e = traced_next(lab->trace, at, &cpu))) {
		if (!is_chosen(c, e, cpu) || e->seq < first)
			continue;
		traced_line(lab, e, cpu, &line);
		n++;
		if (fn(&line, arg))
			break;
	}
	lab_resume(lab);
	free(at);
	return n;
}

/* ---- the header ---- */

struct traced_totals traced_totals(const struct lab *lab)
{
	struct traced_totals all = { 0, 0 };

	for (unsigned int i = 0; lab->trace && i < lab->trace->nr; i++) {
		all.kept += trace_kept(lab->trace, &lab->trace->ring[i]);
		all.written += lab->trace->ring[i].written - lab->trace->ring[i].cleared;
	}
	return all;
}

void traced_header_text(struct lab *lab, FILE *to)
{
	struct traced_totals t;

	lab_stop(lab);
	t = traced_totals(lab);
	lab_resume(lab);
	fprintf(to, "# tracer: nop\n#\n# entries-in-buffer/entries-written: %llu/%llu   #P:%u\n#\n"
		    "#                                _-----=> irqs-off/BH-disabled\n"
		    "#                               / _----=> need-resched\n"
		    "#                              | / _---=> hardirq/softirq\n"
		    "#                              || / _--=> preempt-depth\n"
		    "#                              ||| / _-=> migrate-disable\n"
		    "#                              |||| /     delay\n"
		    "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
		    "#              | |         |   |||||     |         |\n",
		(ull)t.kept, (ull)t.written, lab->nr_cpus);
}

json_t *traced_header_json(struct lab *lab)
{
	json_t *cpus = json_array();
	struct traced_totals t;

	lab_stop(lab);
	t = traced_totals(lab);
	for (unsigned int i = 0; lab->trace && i < lab->trace->nr; i++) {
		const struct trace_ring *r = &lab->trace->ring[i];

		json_array_append_new(cpus, json_pack("{s:i, s:I, s:I}", "cpu", (int)i, "entries",
						      (json_int_t)trace_kept(lab->trace, r), "lost",
						      (json_int_t)trace_lost(lab->trace, r)));
	}
	lab_resume(lab);
	return json_pack("{s:b, s:I, s:I, s:I, s:I, s:o}", "on", lab->trace && lab->trace->on, "size",
			 (json_int_t)(lab->trace ? lab->trace->size : 0), "entries", (json_int_t)t.kept, "written",
			 (json_int_t)t.written, "lost", (json_int_t)(t.written - t.kept), "cpus", cpus);
}
