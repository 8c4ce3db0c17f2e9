/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why - how an allocation or a free came out: the model, and its page of text.
 *
 * Without words the last allocation or free of the lab; with a handle's member
 * the op that allocated it, found among the ops whose stories are still kept,
 * and where the member is now.
 */
#include "view/why.h"

#include <string.h>

#include "base/colour.h"
#include "lab/handle.h"
#include "slab/read.h"
#include "view/flow.h"
#include "view/look.h"

static const char *const kind_words[TOLD_KINDS] = {
	"", "alloc_pages", "alloc_pages_bulk", "free_pages", "free_pages", "kmalloc", "kfree", "kmem_cache alloc",
	"kmem_cache free", "kmem_cache alloc_bulk", "kmem_cache free_bulk", "kmem_cache shrink", "kmem_cache destroy",
	"drain", "kmem_cache reap", "lru add", "lru touch", "lru drop", "reclaim", "compact",
	"lru cache", "kmem_cache free",
	"kfree --rcu", "kmem_cache free --rcu", "kmem_cache prefill", "kmem_cache alloc_from", "kmem_cache refill",
	"kmem_cache return", "the end of a grace period", "a parallel run",
};

struct found {
	unsigned int cpu;
	const struct story_op *o;
};

/* ---- which op ---- */

static bool is_bulk(const struct story_op *o)
{
	return o->kind == TOLD_ALLOC_PAGES_BULK || o->kind == TOLD_CACHE_ALLOC_BULK;
}

/* The op of that number as a CPU tells it; with `call` a call of the C interface after it. */
static const struct story_op *op_on(const struct lab *lab, unsigned int cpu, uint64_t op, bool call)
{
	const struct story_op *o;

	for (unsigned int back = 0; (o = story_read(lab, cpu, back)) && o->op >= op; back++)
		if (o->op == op && o->is_call == call)
			return o;
	return NULL;
}

/* The newest story: the last op's if that was told, unless a call came after it. */
static struct found newest(const struct lab *lab)
{
	const struct header *h = lab->hdr;
	struct found f = { h->last_cpu, NULL };

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct story_op *o = story_read(lab, i, 0);

		if (o && o->is_call && o->op >= h->last_op)
			return (struct found){ i, o };
	}
	if (h->last_told)
		f.o = op_on(lab, h->last_cpu, h->last_op, false);
	return f;
}

/* A bulk op's members have no addresses of their own in a story: they are counted from the handle's first op on. */
static struct found bulk_giver(const struct lab *lab, const struct handle *h, uint32_t index)
{
	uint64_t given = 0;

	for (uint64_t op = h->op; ; op++) {
		const struct story_op *o = NULL;
		unsigned int cpu;

		for (cpu = 0; cpu < lab->nr_cpus && !o; cpu++)
			o = op_on(lab, cpu, op, false);
		if (!o || !is_bulk(o))
			return (struct found){ 0, NULL };
		given += o->got;
		if (given > index)
			return (struct found){ cpu - 1, o };
	}
}

/* Did this op hand out what it names: by a request, or for what reclaim had taken? */
static bool gave_one(const struct story_op *o)
{
	return told_is_alloc(o->kind) || o->kind == TOLD_LRU_ADD || (o->kind == TOLD_LRU_TOUCH && o->got);
}

static struct found giver_of(const struct lab *lab, const struct handle *h, uint32_t index, const struct member *m)
{
	struct found f = { 0, NULL };
	uint64_t off;

	if (m->kind != MEMBER_CACHED)
		off = m->off;
	else if (!member_is_object(lab, m, &off))
		return f;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct story_op *o;

		for (unsigned int back = 0; (o = story_read(lab, i, back)) && o->op >= h->op; back++)
			if (gave_one(o) && o->off == off && !o->is_call && (!f.o || o->op > f.o->op))
				f = (struct found){ i, o };
	}
	return f.o ? f : bulk_giver(lab, h, index);
}

/* ---- the model ---- */

static void fields_fill(json_t *o, const struct step *s)
{
	const enum event_field *fields = step_is_note(s) ? note_table[s->event - EV_NR].fields :
							   event_table[s->event].fields;

	for (unsigned int i = 0; i < (step_is_note(s) ? NOTE_FIELDS_MAX : 3) && fields[i] != FIELD_NONE; i++)
		if (fields[i] == FIELD_MTYPE || fields[i] == FIELD_VICTIM)
			look_set_text(o, event_fields[fields[i]].key, mtype_name((unsigned int)step_field(s, i)));
		else
			look_set(o, event_fields[fields[i]].key, step_field(s, i));
}

static json_t *step_model(struct lab *lab, const struct step *s)
{
	json_t *o = json_object();
	char text[WHY_TEXT];
	struct store_figures store;
	struct choice c;
	bool said;

	look_set_text(o, "event", step_is_note(s) ? note_table[s->event - EV_NR].name : event_table[s->event].name);
	json_object_set_new(o, "counted", json_boolean(!step_is_note(s)));
	if (event_is_of_zone(s->event)) {
		why_zone(lab, s->where, text, sizeof(text));
		look_set_text(o, "of_zone", text);
	} else if (event_is_of_store(s->event) && !store_figures(lab, s->where, &store)) {
		look_set(o, "of_store", store.serial);
	}
	fields_fill(o, s);
	said = why_words(lab, s, text);
	look_set_text(o, "text", text);
	json_object_set_new(o, "count_only", json_boolean(!said));
	if (why_choice(s, &c)) {
		look_set_text(o, "policy", c.policy);
		look_set_text(o, "value", c.value);
		look_set_text(o, "otherwise", c.otherwise);
	}
	return o;
}

static void steps_fill(struct lab *lab, json_t *list, unsigned int cpu, const struct story_op *o)
{
	uint32_t kept = story_kept(lab, cpu, o), missing = o->steps - kept;

	for (uint32_t i = 0; i < kept; i++) {
		json_t *step = step_model(lab, story_step_read(lab, cpu, o, i));

		if (i >= STORY_FIRST && missing && !json_is_true(json_object_get(step, "count_only"))) {
			look_set(step, "missing_before", missing);
			missing = 0;
		}
		json_array_append_new(list, step);
	}
}

static void address_fill(struct lab *lab, json_t *m, const char *key, uint64_t off)
{
	if (off >= lab->arena_off)
		look_set(m, key, off - lab->arena_off);
}

static void asked_fill(struct lab *lab, json_t *m, const struct story_op *o)
{
	char gfp[GFP_TEXT_MAX];
	const char *name = o->cache ? cache_name(lab, o->cache) : NULL;

	if (name && *name)
		look_set_text(m, "cache", name);
	if (o->kind == TOLD_KMALLOC && o->n)	/* a call tells its class alone */
		look_set(m, "bytes", o->n);
	if (o->kind == TOLD_ALLOC_PAGES || o->kind == TOLD_FREE_PAGES)
		look_set(m, "order", o->order);
	if (is_bulk(o) || o->kind == TOLD_CACHE_FREE_BULK || o->kind == TOLD_FREE_PAGES_LIST)
		look_set(m, "count", o->n);
	if (told_is_alloc(o->kind)) {
		gfp_print(o->gfp, gfp, sizeof(gfp));
		look_set_text(m, "gfp", gfp);
	}
	if (told_is_alloc(o->kind) && o->node >= 0)
		look_set(m, "node", (uint64_t)o->node);
	if (is_bulk(o))
		look_set(m, "got", o->got);
	address_fill(lab, m, "address", o->off);
	json_object_set_new(m, "failed", json_boolean(o->error != 0));
}

static json_t *untold(json_t *m, const char *note)
{
	json_object_set_new(m, "told", json_false());
	look_set_text(m, "note", note);
	json_object_set_new(m, "steps", json_array());
	return m;
}

#define HOW_TO "to have the next ones told: set event.story auto (those of commands) or on (all), with event.counters on"

/* Has this CPU told so much since that op that it is not among the last any more? */
static bool is_long_ago(const struct lab *lab, unsigned int cpu, uint64_t op)
{
	const struct story_op *oldest = story_read(lab, cpu, STORY_OPS - 1), *o = op_on(lab, cpu, op, false);

	return o ? !story_kept(lab, cpu, o) : oldest && oldest->op > op;
}

static void told_fill(struct lab *lab, json_t *m, const struct found *f)
{
	json_t *steps = json_array();

	look_set(m, "op", f->o->op);
	look_set_text(m, "kind", kind_words[f->o->kind]);
	json_object_set_new(m, "call", json_boolean(f->o->is_call));
	look_set(m, "cpu", f->cpu);
	asked_fill(lab, m, f->o);
	steps_fill(lab, steps, f->cpu, f->o);
	why_fold(steps);
	json_object_set_new(m, "told", json_true());
	look_set(m, "steps_told", f->o->steps);
	json_object_set_new(m, "steps", steps);
}

static json_t *last_model(struct lab *lab)
{
	json_t *m = json_object();
	struct found f = newest(lab);
	char note[320];

	if (f.o) {
		told_fill(lab, m, &f);
		return m;
	}
	if (!lab->hdr->last_op && !lab->hdr->last_kind)
		return untold(m, "nothing was allocated or freed in this lab yet");
	look_set(m, "op", lab->hdr->last_op);
	look_set_text(m, "kind", kind_words[lab->hdr->last_kind]);
	if (lab->hdr->last_kind != TOLD_RUN)
		look_set(m, "cpu", lab->hdr->last_cpu);
	snprintf(note, sizeof(note), "the last operation (%s, op %llu) was not told; %s",
		 kind_words[lab->hdr->last_kind], (ull)lab->hdr->last_op, HOW_TO);
	return untold(m, note);
}

static bool is_shrunk(const struct lab *lab, const struct member *m)
{
	uint64_t off;

	return m->kind == MEMBER_CACHED && m->off && !member_is_object(lab, m, &off);
}

static json_t *member_model(struct lab *lab, const struct handle *h, uint32_t index)
{
	const struct member *mb = handle_members(lab, h) + index;
	struct found f = giver_of(lab, h, index, mb);
	json_t *m = json_object();
	char note[320];

	look_set_text(m, "handle", h->name);
	look_set(m, "index", index);
	if (f.o && story_kept(lab, f.cpu, f.o)) {
		told_fill(lab, m, &f);
	} else {
		look_set(m, "cpu", mb->cpu);
		if (mb->cache)
			look_set_text(m, "cache", cache_name(lab, mb->cache));
		if (is_shrunk(lab, mb))
			snprintf(note, sizeof(note), "%s[%u] has no object: a shrinker freed it (lru touch has another one allocated)", h->name, index);
		else if (is_long_ago(lab, mb->cpu, h->op))
			snprintf(note, sizeof(note), "how %s[%u] was allocated (op %llu or soon after) is no longer kept: cpu%u has told more since than the %d ops that it keeps",
				 h->name, index, (ull)h->op, mb->cpu, STORY_OPS);
		else
			snprintf(note, sizeof(note), "how %s[%u] was allocated (on cpu%u, op %llu) was not told; %s", h->name, index,
				 mb->cpu, (ull)h->op, HOW_TO);
		untold(m, note);
	}
	json_object_set_new(m, "now", view_where_members(lab, h->name, mb, &index, 1));
	return m;
}

json_t *view_why_member(struct lab *lab, const struct handle *h, uint32_t index)
{
	if (look_begin(lab, NULL, "why", 1))
		return NULL;
	return look_end(lab, member_model(lab, h, index));
}

static json_t *why_model(struct lab *lab, const struct view_args *args)
{
	if (look_begin(lab, args, "why", 0))
		return NULL;
	return look_end(lab, last_model(lab));
}

/* ---- text ---- */

static void heading(const json_t *m, bool colour, FILE *to)
{
	fputs(colour_on(colour, MEANS_TITLE), to);
	if (json_object_get(m, "handle"))
		fprintf(to, "%s[%llu]: ", look_get_text(m, "handle"), (ull)look_get(m, "index"));
	fputs(look_get_text(m, "kind"), to);
	if (json_object_get(m, "bytes"))
		fprintf(to, " of %llu bytes", (ull)look_get(m, "bytes"));
	if (json_object_get(m, "order"))
		fprintf(to, " of order %llu", (ull)look_get(m, "order"));
	if (json_object_get(m, "count"))
		fprintf(to, " of %llu", (ull)look_get(m, "count"));
	if (json_object_get(m, "cache"))
		fprintf(to, ", %s", look_get_text(m, "cache"));
	if (json_object_get(m, "gfp"))
		fprintf(to, ", %s", look_get_text(m, "gfp"));
	fprintf(to, ", on cpu%llu (%s %llu)", (ull)look_get(m, "cpu"),
		json_is_true(json_object_get(m, "call")) ? "a call after op" : "op", (ull)look_get(m, "op"));
	fputs(colour_off(colour), to);
	if (json_is_true(json_object_get(m, "failed")))
		fprintf(to, ": %sfailed%s", colour_on(colour, MEANS_ERROR), colour_off(colour));
	else if (json_object_get(m, "address"))
		fprintf(to, ": address 0x%llx", (ull)look_get(m, "address"));
	fputc('\n', to);
}

static void step_text(const json_t *s, unsigned int nr, const struct view_args *args, FILE *to)
{
	struct flow f;

	flow_begin(&f, args, to, "%3u. ", nr);
	flow_unbroken_off_screen(&f, args);
	flow_sentence(&f, MEANS_PLAIN, look_get_text(s, "text"));
	flow_end(&f);
	if (!json_object_get(s, "policy"))
		return;
	flow_begin(&f, args, to, "       ");
	flow_unbroken_off_screen(&f, args);
	flow_means(&f, MEANS_NAME);
	flow_word(&f, "%s:", look_get_text(s, "policy"));
	flow_word(&f, *look_get_text(s, "otherwise") ? "%s;" : "%s", look_get_text(s, "value"));
	flow_sentence(&f, MEANS_HINT, look_get_text(s, "otherwise"));
	flow_end(&f);
}

static void steps_text(const json_t *m, const struct view_args *args, FILE *to)
{
	const json_t *steps = json_object_get(m, "steps"), *step;
	unsigned int nr = 0;
	char between[96];
	size_t i;

	json_array_foreach(steps, i, step) {
		if (json_is_true(json_object_get(step, "count_only")))
			continue;
		nr++;
		if (json_is_true(json_object_get(step, "folded")))
			continue;
		if (*why_between(step, between, sizeof(between)))
			fprintf(to, "       %s\n", between);
		step_text(step, nr, args, to);
	}
}

static void why_text(const json_t *m, const struct view_args *args, FILE *to)
{
	const json_t *now = json_object_get(m, "now");

	if (json_is_true(json_object_get(m, "told"))) {
		heading(m, args->colour, to);
		steps_text(m, args, to);
	} else {
		fprintf(to, "%s\n", look_get_text(m, "note"));
	}
	if (now && json_array_size(now)) {
		fputs("Now:\n", to);
		view_find("where")->text(now, args, to);
	}
}

const struct view view_why = {
	.name = "why",
	.summary = "how the last allocation or free came out, step by step",
	.usage = "",
	.model = why_model,
	.text = why_text,
};
