/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/journal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "op/checkpoint.h"
#include "op/op.h"
#include "op/tracing.h"
#include "shell/dispatch.h"
#include "shell/spell.h"
#include "shell/jobs.h"

#define RERUN_NS 50000000ULL	/* what is to be run again may take so long */

/* Followed by its texts: the handle's name ("" for none), then the words. */
struct entry {
	uint64_t ops;		/* of the lab, behind it */
	uint32_t bytes;		/* with its texts, rounded up to 8 */
	uint32_t words;
	int16_t on;
	bool failed, counts;
	bool beside;		/* a job, which is the next entry that is not */
	bool once;		/* it will not repeat itself exactly */
};

/* Commands that lead to the state behind an entry, whatever stands before it. */
struct way {
	uint64_t entry;
	char *script;
};

struct journal {
	struct checkpoints checkpoints;
	uint64_t *at;		/* where each entry begins */
	uint64_t nr, cap;
	uint8_t *bytes;
	uint64_t used, room;
	struct way *way;	/* entries that went back to a snapshot, ascending */
	uint64_t nr_ways;
	char *went_back;	/* script of the state that the running command went back to, or NULL */
	uint64_t since_ns;	/* of running again from the last checkpoint */
	uint64_t too_small;	/* the lab.undo_mem that no checkpoint fitted, + 1; 0: none so far */
	char *origin, *file;	/* name and file that `lab load` made it of, or NULL */
	char *shape;		/* of the lab at its beginning */
	bool shape_given;	/* else a replay may have changed it, and does again */
};

/* ---- entries ---- */

static const struct entry *entry_at(const struct journal *j, uint64_t i)
{
	return (const struct entry *)(j->bytes + j->at[i]);
}

static uint64_t line_bytes(const struct journal_line *line, const char *times)
{
	uint64_t bytes = sizeof(struct entry) + strlen(line->handle_name ? line->handle_name : "") + 1 +
			 strlen(times) + 1;

	for (unsigned int i = 0; i < line->nr; i++)
		bytes += strlen(line->words[i]) + 1;
	return (bytes + 7) / 8 * 8;
}

static void make_room(struct journal *j, uint64_t bytes)
{
	if (j->nr == j->cap) {
		j->cap = j->cap ? j->cap * 2 : 256;
		j->at = host_grow(j->at, j->cap * sizeof(*j->at));
	}
	if (j->used + bytes > j->room) {
		j->room = (j->room + bytes) * 2;
		j->bytes = host_grow(j->bytes, j->room);
	}
}

static void add_way(struct journal *j, uint64_t entry, char *script)
{
	j->way = host_grow(j->way, (j->nr_ways + 1) * sizeof(*j->way));
	j->way[j->nr_ways++] = (struct way){ entry, script };
}

static void write_down(struct journal *j, const struct lab *lab, const struct journal_line *line, bool beside)
{
	char times[24] = "", *to;
	uint64_t bytes;
	struct entry e = {
		.ops = lab->hdr->ops, .words = line->nr + (line->times > 1), .on = (int16_t)line->on,
		.failed = line->failed, .counts = line->counts && !beside, .beside = beside, .once = line->once,
	};

	if (line->times > 1)
		snprintf(times, sizeof(times), "x%llu", (unsigned long long)line->times);
	bytes = line_bytes(line, times);
	e.bytes = (uint32_t)bytes;
	make_room(j, bytes);
	memcpy(j->bytes + j->used, &e, sizeof(e));
	to = (char *)j->bytes + j->used + sizeof(e);
	to = stpcpy(to, line->handle_name ? line->handle_name : "") + 1;
	for (unsigned int i = 0; i < line->nr; i++)
		to = stpcpy(to, line->words[i]) + 1;
	strcpy(to, times);
	if (j->went_back)
		add_way(j, j->nr, j->went_back);
	j->went_back = NULL;
	j->at[j->nr++] = j->used;
	j->used += bytes;
}

static void cut(struct journal *j, uint64_t nr)
{
	if (nr < j->nr)
		j->used = j->at[nr];
	j->nr = nr;
	while (j->nr_ways && j->way[j->nr_ways - 1].entry >= nr)
		free(j->way[--j->nr_ways].script);
	checkpoints_cut(&j->checkpoints, nr);
}

static const char *handle_of(const struct entry *e)
{
	return (const char *)(e + 1);
}

static const char *next_text(const char *text)
{
	return text + strlen(text) + 1;
}

/* ---- checkpoints ---- */

static void take_checkpoint(struct lab_slot *slot)
{
	struct journal *j = slot->journal;
	uint64_t limit = slot->lab->hdr->undo_mem;

	if (j->too_small == limit + 1) {	/* it did not fit before, and labs grow: do not copy it each time */
		checkpoints_drop(&j->checkpoints);
		return;
	}
	j->since_ns = 0;
	j->too_small = checkpoint_take(&j->checkpoints, slot->lab, j->nr) ? limit + 1 : 0;
}

static struct journal *journal_of(struct lab_slot *slot)
{
	char shape[8192];

	if (!slot->journal) {
		slot->journal = host_alloc(sizeof(*slot->journal));
		memset(slot->journal, 0, sizeof(*slot->journal));
		slot->journal->shape_given = !slot->lab->untouched_shape;
		slot->journal->shape = host_text(shape_print(&slot->lab->hdr->shape, shape, sizeof(shape)));
	}
	return slot->journal;
}

void journal_begin(struct lab_slot *slot, struct journal_mark *m)
{
	const struct header *h = slot->lab->hdr;

	if (!journal_of(slot)->checkpoints.nr && !slot->job)
		take_checkpoint(slot);
	lab_hold(slot->lab);	/* from a job, if there is one */
	*m = (struct journal_mark){ slot->lab, h->ops, h->rand, h->time_ns, host_ns(), slot->job };
	lab_release(slot->lab);
}

/*
 * A job moves the lab too, so that nothing tells whether this command did.
 * The one that began the job is written down when that is over.
 */
static void write_beside(struct lab_slot *slot, const struct journal_mark *m, const struct journal_line *line)
{
	if (!m->job)
		return;
	lab_hold(slot->lab);
	write_down(slot->journal, slot->lab, line, true);
	lab_release(slot->lab);
}

void journal_end(struct lab_slot *slot, const struct journal_mark *m, const struct journal_line *line)
{
	struct journal *j = slot->journal;
	const struct header *h = slot->lab->hdr;

	if (slot->job) {
		write_beside(slot, m, line);
		return;
	}
	if (slot->lab == m->lab && h->ops == m->ops && h->rand == m->rand && h->time_ns == m->time_ns) {
		free(j->went_back);
		j->went_back = NULL;
		return;
	}
	write_down(j, slot->lab, line, false);
	j->since_ns += host_ns() - m->host_ns;
	if (!line->repeatable || h->shape.clock_real || slot->lab->owned_cpus || j->since_ns > RERUN_NS)
		take_checkpoint(slot);
	checkpoints_fit(&j->checkpoints, h->undo_mem);	/* the command may have lowered it */
}

void journal_job_ended(struct lab_slot *slot, const struct journal_line *line)
{
	if (slot->adopted)
		return;
	write_down(journal_of(slot), slot->lab, line, false);
	take_checkpoint(slot);
	checkpoints_fit(&slot->journal->checkpoints, slot->lab->hdr->undo_mem);
}

/* ---- undo ---- */

uint64_t journal_reach(const struct lab_slot *slot)
{
	const struct journal *j = slot->journal;
	uint64_t nr = 0;

	if (!j || !j->checkpoints.nr)
		return 0;
	for (uint64_t i = j->checkpoints.v[0].at; i < j->nr; i++)
		nr += entry_at(j, i)->counts;
	return nr;
}

/* The entry that was the n-th of those that count, from the end. */
static uint64_t nth_from_end(const struct journal *j, uint64_t n)
{
	uint64_t i = j->nr;

	while (n)
		n -= entry_at(j, --i)->counts;
	while (i && entry_at(j, i - 1)->beside)
		i--;
	return i;
}

static int cannot_reach(const struct lab_slot *slot, uint64_t n, uint64_t reach)
{
	if (!slot->lab->hdr->undo_mem)
		return fail(ERANGE, "nothing can be undone: lab.undo_mem is 0");
	if (slot->journal && slot->journal->too_small == slot->lab->hdr->undo_mem + 1)
		return fail(ERANGE, "nothing can be undone: a checkpoint of this lab takes more than lab.undo_mem");
	if (!reach)
		return fail(ERANGE, "nothing that changed lab %s is left to undo", slot->lab->name);
	return fail(ERANGE, "%llu cannot be undone: undo reaches %llu command%s back", (unsigned long long)n,
		    (unsigned long long)reach, plural(reach));
}

static void run_again(struct shell *sh, const struct entry *e, const char *lab)
{
	struct arena_mark mark = arena_mark(&sh->arena);
	char **words = arena_get(&sh->arena, (e->words + 1) * sizeof(*words));
	const char *text = handle_of(e);
	struct request rq = {
		.words = words, .nr = e->words, .handle_name = *text ? text : NULL, .lab = lab, .on = e->on,
	};

	for (unsigned int i = 0; i < e->words; i++)
		words[i] = (char *)(text = next_text(text));
	words[e->words] = NULL;
	dispatch(sh, &rq);
	arena_reset(&sh->arena, mark);
}

/* Entries from..to once more, silently. */
static int run_all_again(struct shell *sh, struct lab_slot *slot, uint64_t from, uint64_t to)
{
	const struct journal *j = slot->journal;
	struct shell kept = *sh;
	bool traced = op_trace_hush(slot->lab);
	FILE *nowhere = fopen("/dev/null", "w");
	int ret = 0;

	if (!nowhere) {
		op_trace_unhush(slot->lab, traced);
		return fail(errno, "cannot open /dev/null: %s", strerror(errno));
	}
	sh->out = nowhere;
	sh->again = sh->quiet = sh->mute = true;
	sh->json = sh->interactive = false;
	sh->pager = NULL;
	for (uint64_t i = from; i < to && !ret; i++) {
		run_again(sh, entry_at(j, i), slot->lab->name);
		if (slot->lab->hdr->ops != entry_at(j, i)->ops)
			ret = fail(EUCLEAN, "command %llu did not repeat itself exactly", (unsigned long long)i + 1);
	}
	fclose(nowhere);
	op_trace_unhush(slot->lab, traced);
	kept.labs = sh->labs;
	kept.arena = sh->arena;
	*sh = kept;
	return ret;
}

static int go_to(struct shell *sh, struct lab_slot *slot, uint64_t to)
{
	struct journal *j = slot->journal;
	const struct checkpoint *c = checkpoint_before(&j->checkpoints, to);
	uint64_t from = c->at, start = host_ns();
	int ret = labs_become(slot, c->snap);

	if (ret)
		return ret;
	ret = run_all_again(sh, slot, from, to);
	if (ret) {	/* J1 is broken: at least the state and the journal shall agree */
		cut(j, from);
		labs_become(slot, checkpoint_before(&j->checkpoints, from)->snap);
	} else {
		cut(j, to);
	}
	j->since_ns = host_ns() - start;
	return ret;
}

int journal_undo(struct shell *sh, struct lab_slot *slot, uint64_t n)
{
	uint64_t reach = journal_reach(slot);
	sigset_t stops, before;
	int ret;

	if (slot->adopted)
		return fail(EBUSY, "lab %s belongs to a program, whose calls are in no journal", slot->lab->name);
	if (job_refuses(slot))
		return -EBUSY;
	if (sh->noting)
		return fail(EBUSY, "a command is in the midst of its work: Ctrl-C ends it, and then it can be undone");
	if (slot->lab->owned_cpus)
		return fail(EBUSY, "%u CPUs are bound by threads: addresses that they hold would mean other objects",
			    slot->lab->owned_cpus);
	if (n > reach)
		return cannot_reach(slot, n, reach);
	/* half an undo would be no state the lab ever had: Ctrl-C waits */
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &stops, &before);
	ret = go_to(sh, slot, nth_from_end(slot->journal, n));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

/* ---- as it was ---- */

/* The last checkpoint before it in a lab of its own, which is among the labs so that commands find it. */
static int begin_past(struct shell *sh, const struct lab_slot *slot, uint64_t to, const char *name, uint64_t *from)
{
	const struct checkpoint *c = checkpoint_before(&slot->journal->checkpoints, to);
	unsigned int cpu = slot->cpu;
	struct lab *lab;
	int ret = lab_from_snapshot(c->snap, name, &lab);

	if (ret)
		return ret;
	*from = c->at;
	labs_add(&sh->labs, lab)->cpu = cpu < lab->nr_cpus ? cpu : 0;
	return 0;
}

int journal_past(struct shell *sh, const char *lab, uint64_t n, const char *name)
{
	struct lab_slot *slot = labs_find(&sh->labs, lab), *past;
	uint64_t reach = journal_reach(slot), to, from;
	int ret;

	if (job_refuses(slot) || sh->noting)
		return fail(EBUSY, "what runs goes on; the past can be looked at when it is over");
	if (n > reach)
		return cannot_reach(slot, n, reach);
	to = nth_from_end(slot->journal, n);
	ret = begin_past(sh, slot, to, name, &from);
	if (ret)
		return ret;
	past = labs_find(&sh->labs, name);
	past->journal = labs_find(&sh->labs, lab)->journal;	/* lent: its entries are run again here */
	ret = run_all_again(sh, past, from, to);
	past = labs_find(&sh->labs, name);
	past->journal = NULL;
	if (ret)
		labs_drop(&sh->labs, past);
	return ret;
}

char *journal_entry_text(const struct lab_slot *slot, uint64_t n, char *buf, size_t size)
{
	const struct journal *j = slot->journal;
	const struct entry *e;
	const char *text;
	size_t len;

	buf[0] = 0;
	if (!n || n > journal_reach(slot))
		return buf;
	e = entry_at(j, nth_from_end(j, n));
	text = handle_of(e);
	len = (size_t)snprintf(buf, size, "%s%s", text, *text ? " =" : "");
	for (uint32_t i = 0; i < e->words && len < size; i++) {
		text = next_text(text);
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " " : "", text);
	}
	return buf;
}

/* ---- as a script ---- */

#define FAILED "# this failed, and will again\n"

static void write_entry(const struct entry *e, bool always_on, FILE *to)
{
	bool on = e->on == ON_ALL || e->on > 0 || (always_on && !e->on);
	const char *text = handle_of(e);

	if (e->failed)
		fputs(FAILED, to);
	if (e->once && !e->failed)
		fputs("# this will not repeat itself exactly\n", to);
	if (*text)
		fprintf(to, "%s = ", text);
	if (e->on == ON_ALL)
		fputs("on all", to);
	else if (on)
		fprintf(to, "on %d", e->on);
	for (unsigned int i = 0; i < e->words; i++) {
		text = next_text(text);
		if (!i && !on)
			fputs(text, to);
		else
			spell_word(text, to);
	}
	fputc('\n', to);
}

static void write_options(const struct shell *sh, FILE *to)
{
	if (sh->boot) {
		fputs(" --boot", to);
		spell_word(sh->boot, to);
	}
	for (const char *const *s = sh->sets; s && *s; s++) {
		fputs(" --set", to);
		spell_word(*s, to);
	}
}

/* What was done before the last way back to a snapshot is told by its script. */
static uint64_t first_entry(const struct journal *j)
{
	return j->nr_ways ? j->way[j->nr_ways - 1].entry + 1 : 0;
}

static void write_entries(const struct journal *j, FILE *to)
{
	uint64_t first = first_entry(j);
	bool cpus_change = first != 0;		/* the script may have changed it */

	if (first)
		fputs(j->way[j->nr_ways - 1].script, to);
	for (uint64_t i = first; i < j->nr; i++) {
		const struct entry *e = entry_at(j, i);

		cpus_change |= !strcmp(next_text(handle_of(e)), "cpu");
		write_entry(e, cpus_change, to);
	}
}

char *journal_script(struct lab_slot *slot)
{
	char *text = NULL;
	size_t size;
	FILE *to = slot->adopted ? NULL : open_memstream(&text, &size);

	if (!to)
		return NULL;
	write_entries(journal_of(slot), to);
	fclose(to);
	return text;
}

void journal_restored(struct lab_slot *slot, const char *script)
{
	struct journal *j = journal_of(slot);

	free(j->went_back);
	j->went_back = script ? host_text(script) : NULL;
}

static void write_head(const struct shell *sh, const struct lab_slot *slot, FILE *to)
{
	const struct journal *j = slot->journal;
	uint64_t first = first_entry(j);
	bool fails = first && strstr(j->way[j->nr_ways - 1].script, FAILED);

	for (uint64_t i = first; i < j->nr; i++)
		fails |= entry_at(j, i)->failed;
	fputs("#!/usr/bin/env slablab\n# Rebuilds lab ", to);
	fprintf(to, "%s. Run it with:\n# slablab%s", slot->lab->name, fails ? " -k" : "");
	if (j->shape_given)
		fprintf(to, " --lab %s", j->shape);
	write_options(sh, to);
	fputs(" FILE\n", to);
	if (j->file) {
		fprintf(to, "lab load %s", j->origin);
		spell_word(j->file, to);
		fprintf(to, "\nlab use %s\n", j->origin);
	}
}

int journal_write(struct shell *sh, struct lab *lab, FILE *to)
{
	struct lab_slot *slot = labs_of(&sh->labs, lab);

	if (slot->adopted)
		return fail(ENOENT, "lab %s belongs to a program, whose calls are in no journal", lab->name);
	journal_of(slot);
	write_head(sh, slot, to);
	write_entries(slot->journal, to);
	return 0;
}

/* ---- beginnings and ends ---- */

void journal_clone(const struct lab_slot *from, struct lab_slot *to)
{
	const struct journal *f = from->journal;
	struct journal *j = journal_of(to);

	if (!f)
		return;
	free(j->shape);
	j->shape = host_text(f->shape);
	j->shape_given = f->shape_given;
	j->origin = f->origin ? host_text(f->origin) : NULL;
	j->file = f->file ? host_text(f->file) : NULL;
	j->nr = j->cap = f->nr;
	j->used = j->room = f->used;
	j->at = host_alloc((f->nr + 1) * sizeof(*j->at));
	j->bytes = host_alloc(f->used + 1);
	if (f->nr) {
		memcpy(j->at, f->at, f->nr * sizeof(*j->at));
		memcpy(j->bytes, f->bytes, f->used);
	}
	for (uint64_t i = 0; i < f->nr_ways; i++)
		add_way(j, f->way[i].entry, host_text(f->way[i].script));
}

void journal_loaded(struct lab_slot *slot, const char *path)
{
	struct journal *j = journal_of(slot);
	char *full = realpath(path, NULL);

	j->origin = host_text(slot->lab->name);
	j->file = host_text(full ? full : path);
	free(full);
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	checkpoints_drop(&j->checkpoints);
	while (j->nr_ways)
		free(j->way[--j->nr_ways].script);
	free(j->way);
	free(j->went_back);
	free(j->at);
	free(j->bytes);
	free(j->origin);
	free(j->file);
	free(j->shape);
	free(j);
}
