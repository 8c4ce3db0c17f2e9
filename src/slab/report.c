/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports and their texts: how they are kept and read. What is checked stands in slub_check.c. */
#include "slab/debug.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "event/stack.h"

#define MESSAGE_ROW(name, form, text) { #name, text, DEBUG_##form },
#define FIX_ROW(name, text) { #name, text },
const struct debug_message_row debug_messages[DEBUG_MESSAGE_NR] = { DEBUG_MESSAGES(MESSAGE_ROW) };
const struct debug_fix_row debug_fixes[FIX_NR] = { DEBUG_FIXES(FIX_ROW) };

/* ---- texts ---- */

static uint32_t text_hash(const char *text, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)text[i]) * 16777619u;
	return h;
}

/* With the lock held. 0 when there is no room for another. */
static uint32_t text_put(struct debug_state *d, const char *text)
{
	size_t len = strlen(text);
	uint32_t hash = text_hash(text, len), *bucket = &d->bucket[hash % DEBUG_BUCKETS], n;

	if (!len)
		return 0;
	for (n = *bucket; n && n <= d->texts; n = d->text[n].next)
		if (d->text[n].hash == hash && d->text[n].len == len && !memcmp(d->bytes + d->text[n].at, text, len))
			return n;
	if (d->texts + 1 >= DEBUG_TEXTS || d->text_bytes + len + 1 > DEBUG_TEXT_BYTES)
		return 0;
	n = ++d->texts;
	d->text[n].at = d->text_bytes;
	d->text[n].hash = hash;
	d->text[n].len = (uint32_t)len;
	d->text[n].next = *bucket;
	*bucket = n;
	memcpy(d->bytes + d->text_bytes, text, len + 1);
	d->text_bytes += (uint32_t)len + 1;
	return n;
}

const char *debug_text(const struct lab *lab, uint64_t number)
{
	const struct debug_state *d = debug_state(lab);

	return number && number <= d->texts ? d->bytes + d->text[number].at : "";
}

static void first_line(const char *text, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", (int)strcspn(text, "\n"), text);
}

/*
 * A command's words say more than the function that ran it, which is the first
 * frame of the stack below; a program's place is that frame, and a job's.
 */
static void here(struct cpu *cpu, bool of_caller, uint32_t *place, uint32_t *stack)
{
	struct debug_state *d = debug_state(cpu->lab);
	struct stack s;
	const char *text, *caller;
	char line[192];

	stack_take(&s);
	text = stack_text(&s);
	caller = stack_caller(text);
	if ((cpu->player == PLAYED_BY_CONTROL || cpu->held) && cpu->lab->label[0])
		snprintf(line, sizeof(line), "%s", cpu->lab->label);
	else
		first_line(caller, line, sizeof(line));
	*place = text_put(d, line);
	*stack = text_put(d, of_caller ? caller : text);
}

void debug_here(struct cpu *cpu, uint32_t *place, uint32_t *stack)
{
	struct debug_state *d = debug_state(cpu->lab);

	lock_take(cpu, &d->lock, false);
	here(cpu, true, place, stack);
	lock_give(cpu, &d->lock);
}

/* ---- records ---- */

/* Who plays a CPU has no process of its own: 1 for commands, as init; threads of CPUs have numbers of theirs. */
uint32_t debug_pid(const struct cpu *cpu)
{
	return cpu->player == PLAYED_BY_CONTROL ? 1 : 100 + cpu->id;
}

uint64_t debug_tick(const struct lab *lab)
{
	return lab_now(lab) / 1000000 + 1;
}

static uint32_t taints(enum debug_form form)
{
	switch (form) {
	case DEBUG_BUG:
	case DEBUG_SLAB_ERROR:
		return TAINT_BUG;
	case DEBUG_WARNING:
		return TAINT_WARN;
	case DEBUG_HALT:
		return TAINT_DIE;
	default:
		return 0;
	}
}

struct debug_report *debug_report_new(struct cpu *cpu, const struct store *s, enum debug_message message)
{
	struct debug_state *d = debug_state(cpu->lab);
	struct debug_report *r;

	__atomic_store_n(&d->reports, d->reports + 1, __ATOMIC_RELAXED);	/* a shell beside CPUs that run looks whether there is one more */
	r = &d->report[d->reports % DEBUG_REPORTS];
	memset(r, 0, offsetof(struct debug_report, data));
	r->serial = d->reports;
	r->time_ns = lab_now(cpu->lab);
	r->tick = debug_tick(cpu->lab);
	r->op = cpu->lab->hdr->ops;
	r->message = (uint8_t)message;
	r->taint = (uint8_t)d->taint;
	r->cpu = cpu->id;
	r->pid = debug_pid(cpu);
	r->store = s->serial;
	snprintf(r->cache, sizeof(r->cache), "%s", s->name);
	here(cpu, false, &r->place, &r->stack);
	d->errors[message]++;
	d->taint |= taints(debug_messages[message].form);
	return r;
}

struct debug_track debug_track_copy(const struct lab *lab, const struct debug_track *t)
{
	const struct debug_state *d = debug_state(lab);
	struct debug_track copy = *t;

	if (copy.place > d->texts)
		copy.place = 0;
	if (copy.stack > d->texts)
		copy.stack = 0;
	return copy;
}

uint64_t debug_reports(const struct lab *lab)
{
	return __atomic_load_n(&debug_state(lab)->reports, __ATOMIC_RELAXED);
}

void debug_reports_forget(struct lab *lab)
{
	debug_state(lab)->forgotten = debug_reports(lab);
}

const struct debug_report *debug_report_read(const struct lab *lab, uint64_t serial)
{
	const struct debug_report *r = &debug_state(lab)->report[serial % DEBUG_REPORTS];

	return serial > debug_state(lab)->forgotten && r->serial == serial ? r : NULL;
}

uint64_t debug_errors(const struct lab *lab, enum debug_message message)
{
	return debug_state(lab)->errors[message];
}

uint64_t debug_address(const struct lab *lab, uint64_t off)
{
	return off - lab->arena_off < lab->arena_bytes ? KERNEL_MAP + (off - lab->arena_off) : off;
}

/* ---- what a save file may not claim ---- */

static bool text_is_good(const struct debug_state *d, uint32_t n)
{
	return d->text[n].at < d->text_bytes && d->text[n].len < d->text_bytes - d->text[n].at &&
	       d->text[n].next < n && !d->bytes[d->text[n].at + d->text[n].len];
}

static bool names_texts(const struct debug_state *d, const struct debug_track *t)
{
	return t->place <= d->texts && t->stack <= d->texts;
}

static bool report_is_good(const struct debug_state *d, const struct debug_report *r)
{
	uint32_t bytes = 0;

	if (r->message >= DEBUG_MESSAGE_NR || r->nr_fixes > ARRAY_SIZE(r->fix) || r->nr_parts > REPORT_PARTS ||
	    r->data_bytes > REPORT_DATA || r->nr_live > REPORT_DATA / sizeof(struct debug_live))
		return false;
	if (strnlen(r->cache, sizeof(r->cache)) == sizeof(r->cache) || strnlen(r->other, sizeof(r->other)) == sizeof(r->other))
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(r->words); i++)
		if (r->words[i].user > d->texts)
			return false;
	if (!names_texts(d, &r->alloc) || !names_texts(d, &r->freed) || r->stack > d->texts || r->place > d->texts)
		return false;
	for (unsigned int i = 0; i < r->nr_live; i++)
		if (!names_texts(d, &((const struct debug_live *)r->data)[i].alloc))
			return false;
	for (unsigned int i = 0; i < r->nr_fixes; i++)
		if (r->fix[i].fix >= FIX_NR || r->fix[i].word >= DEBUG_MESSAGE_NR)
			return false;
	for (unsigned int i = 0; i < r->nr_parts; i++) {
		if (r->part[i].part >= PART_NR || r->part[i].bytes > REPORT_DATA)
			return false;
		bytes += r->part[i].bytes;
	}
	if (r->message == DEBUG_shortage && ((const struct debug_shortage *)r->data)->nr_nodes > MAX_NODES)
		return false;
	return bytes <= r->data_bytes || !r->nr_parts;
}

int debug_check(struct lab *lab)
{
	const struct debug_state *d = debug_state(lab);

	if (d->texts >= DEBUG_TEXTS || d->text_bytes > DEBUG_TEXT_BYTES || d->lock.word)
		return fail(EUCLEAN, "K1: more texts of slab debugging are kept than there is room for");
	for (uint32_t n = 1; n <= d->texts; n++)
		if (!text_is_good(d, n))
			return fail(EUCLEAN, "K1: text %u of slab debugging is broken", n);
	for (uint64_t n = 1; n <= DEBUG_REPORTS && n <= d->reports - d->forgotten; n++) {
		const struct debug_report *r = debug_report_read(lab, d->reports + 1 - n);

		if (!r || !report_is_good(d, r))
			return fail(EUCLEAN, "K1: report %llu of slab debugging is broken",
				    (unsigned long long)(d->reports + 1 - n));
	}
	return 0;
}
