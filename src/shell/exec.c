/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/exec.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "shell/dispatch.h"
#include "shell/host.h"
#include "shell/json.h"
#include "shell/names.h"
#include "shell/pager.h"
#include "shell/signals.h"
#include "shell/spell.h"
#include "shell/timing.h"
#include "shell/usage.h"
#include "view/look.h"

/*
 * The prefixes in force: a block's count for what stands in it, unless that
 * says otherwise. The lab goes by name: a command in the block may drop it or
 * put another in its place.
 */
struct place {
	const char *lab;	/* NULL: the current one */
	int on;
	bool looping;	/* inside a block that runs more than once */
};

static int exec_in(struct shell *sh, struct node *list, const struct place *around);

static int report_why(struct shell *sh, const char *command)
{
	report(sh, command, sh->json, strdupa(fail_why()));
	return -1;
}

/* ---- words ---- */

static const char *text_of(struct shell *sh, const struct word *w)
{
	return w->flags & WORD_DOLLAR ? word_expand(&sh->arena, w->text, shell_value, sh) : w->text;
}

struct line {
	char **words;
	unsigned int nr, room;
	const char *file;	/* behind > or >>, or NULL */
	bool append;
};

static void add(struct shell *sh, struct line *l, const char *word)
{
	if (l->nr + 1 >= l->room) {
		unsigned int room = l->room * 2 + 16;
		char **more = arena_get(&sh->arena, room * sizeof(*more));

		if (l->nr)
			memcpy(more, l->words, l->nr * sizeof(*more));
		l->words = more;
		l->room = room;
	}
	l->words[l->nr++] = (char *)word;
	l->words[l->nr] = NULL;
}

static bool is_all_args(const struct word *w)
{
	return w->flags & WORD_DOLLAR && (!strcmp(w->text, "$@") || !strcmp(w->text, "\"$@\""));
}

static int add_expanded(struct shell *sh, struct line *l, const struct word *w)
{
	const char *text;

	if (is_all_args(w)) {
		for (unsigned int i = 0; sh->frame && i < sh->frame->argc; i++)
			add(sh, l, sh->frame->argv[i]);
		return 0;
	}
	text = text_of(sh, w);
	if (!text)
		return -1;
	add(sh, l, text);
	return 0;
}

static bool is_redirection(const struct word *w)
{
	return !w->flags && (!strcmp(w->text, ">") || !strcmp(w->text, ">>"));
}

/* `> FILE` at w[0]; leaves in l where it goes. */
static int take_redirection(struct shell *sh, struct line *l, const struct word *w, unsigned int left)
{
	if (l->file)
		return fail(EINVAL, "its output goes to two files");
	if (left < 2)
		return fail(EINVAL, "a file's name follows %s", w->text);
	l->append = w->text[1] == '>';
	l->file = text_of(sh, &w[1]);
	return l->file ? 0 : -1;
}

static int fill_in(struct shell *sh, const struct word *words, unsigned int nr, bool command, struct line *l)
{
	for (unsigned int i = 0; i < nr; i++) {
		if (command && is_redirection(&words[i]) && !cmd_takes_gt(l->words, l->nr)) {
			if (take_redirection(sh, l, &words[i], nr - i))
				return -1;
			i++;
		} else if (add_expanded(sh, l, &words[i])) {
			return -1;
		}
	}
	return 0;
}

/* ---- prefixes ---- */

static struct lab *lab_of(struct shell *sh, const struct place *here)
{
	struct lab_slot *slot;

	if (shell_first_lab(sh))
		return NULL;
	slot = here->lab ? labs_need(&sh->labs, here->lab) : labs_current(&sh->labs);
	return slot ? slot->lab : NULL;
}

static int read_on(struct shell *sh, const char *word, struct place *here)
{
	struct lab *lab = lab_of(sh, here);
	unsigned int cpu;

	if (!lab)
		return -1;
	if (!strcmp(word, "all")) {
		here->on = ON_ALL;
		return 0;
	}
	if (name_cpu(lab, word, &cpu))
		return -1;
	here->on = (int)cpu;
	return 0;
}

static int read_place(struct shell *sh, const struct node *n, const struct place *around, struct place *here)
{
	const char *word;

	*here = *around;
	if (n->lab.text) {
		here->lab = text_of(sh, &n->lab);
		if (!here->lab || !lab_of(sh, here))
			return -1;
		here->on = ON_NOTHING;
	}
	if (!n->on.text)
		return 0;
	word = text_of(sh, &n->on);
	return word ? read_on(sh, word, here) : -1;
}

/* ---- statements ---- */

/* Only what a user typed as one command and may want to read at leisure. */
static bool may_be_paged(const struct shell *sh, const struct place *here, const struct line *l)
{
	unsigned int used;
	const struct cmd *cmd;

	if (!sh->interactive || here->looping || !sh->frame || sh->frame->file)
		return false;
	cmd = cmd_find(l->words, l->nr, &used);
	return cmd && !(cmd->flags & (CMD_RUNS_COMMAND | CMD_SHOWS_LIVE));
}

/* As it would be typed, behind the prompt; rounds of a block would drown what they print. */
static void show_command(struct shell *sh, const struct place *here, const char *handle, const struct line *l)
{
	bool colour = colour_wanted(sh, sh->out);
	const struct lab *lab = lab_of(sh, here);
	unsigned int used;
	const struct cmd *cmd = cmd_find(l->words, l->nr, &used);

	if (here->looping || sh->json || sh->mute || !sh->frame || !sh->frame->file || !cmd || cmd->flags & CMD_FOR_READER)
		return;
	fprintf(sh->out, "%s%s>%s", colour_on(colour, MEANS_NAME), lab ? lab->name : "", colour_off(colour));
	if (handle)
		fprintf(sh->out, " %s =", handle);
	if (here->on >= 0)
		fprintf(sh->out, " on %d", here->on);
	else if (here->on == ON_ALL)
		fputs(" on all", sh->out);
	for (unsigned int i = 0; i < l->nr; i++)
		spell_word(l->words[i], sh->out);
	if (l->file)
		fprintf(sh->out, " %s %s", l->append ? ">>" : ">", l->file);
	fputc('\n', sh->out);
}

/* What stands before its `=`; NULL with a sentence. */
static const char *handle_name(struct shell *sh, const struct node *n)
{
	const char *name = text_of(sh, &n->name);

	if (!name || is_name(name))
		return name;
	fail(EINVAL, "\"%s\" is no name for a handle", name);
	return NULL;
}

static int exec_command(struct shell *sh, const struct node *n, const struct place *here)
{
	struct request rq = { .lab = here->lab, .on = here->on };
	struct output file = { 0 };
	struct pager pager = { 0 };
	struct line l = { 0 };
	int ret;

	if (n->name.text) {
		rq.handle_name = handle_name(sh, n);
		if (!rq.handle_name)
			return report_why(sh, NULL);
	}
	if (fill_in(sh, n->words, n->nr, true, &l))
		return report_why(sh, l.nr ? l.words[0] : NULL);
	if (!l.nr)
		return 0;
	rq.words = l.words;
	rq.nr = l.nr;
	if (sh->verbose)
		show_command(sh, here, rq.handle_name, &l);
	if (l.file && output_to_file(sh, &file, l.file, l.append))
		return report_why(sh, l.words[0]);
	if (may_be_paged(sh, here, &l))
		pager_begin(sh, &pager);
	ret = dispatch(sh, &rq);
	pager_end(&pager);
	if (file.before && output_end(sh, &file))
		ret = report_why(sh, l.words[0]);
	return ret;
}

static int exec_repeat(struct shell *sh, const struct node *n, const struct place *here)
{
	const char *word = text_of(sh, &n->words[0]);
	struct round round = { .outer = sh->rounds };
	struct place inside = *here;
	uint64_t times;
	int ret = 0;

	if (!word || parse_u64(word, &times))
		return report_why(sh, "repeat");
	inside.looping = true;
	sh->rounds = &round;
	for (uint64_t i = 0; i < times && !sh->quit && !shell_stopped(); i++) {
		round.n = i + 1;
		if (exec_in(sh, n->body, &inside))
			ret = -1;
		if (ret && !sh->keep_going)
			break;
	}
	sh->rounds = round.outer;
	return ret;
}

static int exec_for(struct shell *sh, const struct node *n, const struct place *here)
{
	struct round round = { .name = n->var, .outer = sh->rounds };
	struct var var = { .name = n->var, .outer = sh->vars };
	struct place inside = *here;
	struct line l = { 0 };
	int ret = 0;

	if (fill_in(sh, n->words, n->nr, false, &l))
		return report_why(sh, "for");
	inside.looping = true;
	sh->vars = &var;
	sh->rounds = &round;
	for (unsigned int i = 0; i < l.nr && !sh->quit && !shell_stopped(); i++) {
		var.value = l.words[i];
		round.value = l.words[i];
		round.n = i + 1;
		if (exec_in(sh, n->body, &inside))
			ret = -1;
		if (ret && !sh->keep_going)
			break;
	}
	sh->vars = var.outer;
	sh->rounds = round.outer;
	return ret;
}

static int exec_body(struct shell *sh, const struct node *n, const struct place *here)
{
	switch (n->kind) {
	case NODE_REPEAT:
		return exec_repeat(sh, n, here);
	case NODE_FOR:
		return exec_for(sh, n, here);
	case NODE_BLOCK:
		return exec_in(sh, n->body, here);
	default:
		return exec_command(sh, n, here);
	}
}

/* A block `on all` runs whole on each CPU in turn; a command sees to it itself, for its handle is one. */
static int exec_on_all(struct shell *sh, const struct node *n, const struct place *here)
{
	struct place one = *here;
	struct lab *lab;
	int ret = 0;

	for (unsigned int i = 0; (lab = lab_of(sh, here)) && i < lab->nr_cpus && !sh->quit && !shell_stopped(); i++) {
		if (!look_online(lab, i))
			continue;
		one.on = (int)i;
		one.looping = true;
		if (exec_body(sh, n, &one))
			ret = -1;
		if (ret && !sh->keep_going)
			break;
	}
	return lab ? ret : report_why(sh, NULL);
}

static int exec_everywhere(struct shell *sh, const struct node *n, const struct place *here)
{
	bool each = n->kind != NODE_COMMAND && n->on.text && here->on == ON_ALL;

	return each ? exec_on_all(sh, n, here) : exec_body(sh, n, here);
}

static int exec_timed(struct shell *sh, const struct node *n, const struct place *here)
{
	struct timing t;
	int ret;

	timing_begin(&t, lab_of(sh, here));
	ret = exec_everywhere(sh, n, here);
	timing_end(&t, sh);
	if (ret)
		return ret;
	if (sh->json)
		json_success(sh, "time", t.lab, timing_json(&t));
	else
		timing_print(&t, sh->out);
	return 0;
}

/* The words that an error of a statement is shown under. */
static const char *label(const struct node *n)
{
	char *words[2] = { NULL, NULL };
	unsigned int nr = 0, used;
	const struct cmd *cmd;

	if (n->kind != NODE_COMMAND)
		return n->kind == NODE_REPEAT ? "repeat" : n->kind == NODE_FOR ? "for" : NULL;
	for (; nr < n->nr && nr < 2 && !n->words[nr].flags; nr++)
		words[nr] = (char *)n->words[nr].text;
	cmd = nr ? cmd_find(words, nr, &used) : NULL;
	return cmd ? cmd->name : words[0];
}

static int exec_placed(struct shell *sh, const struct node *n, const struct place *around)
{
	struct place here;

	if (read_place(sh, n, around, &here))
		return report_why(sh, label(n));
	return n->timed ? exec_timed(sh, n, &here) : exec_everywhere(sh, n, &here);
}

static int exec_node(struct shell *sh, const struct node *n, const struct place *around)
{
	struct output host = { 0 }, file = { 0 };
	const char *path;
	int ret;

	if (n->host && output_to_host(sh, &host, n->host))
		return report_why(sh, label(n));
	if (n->file.text) {
		path = text_of(sh, &n->file);
		if (!path || output_to_file(sh, &file, path, n->append)) {
			ret = report_why(sh, label(n));
			goto out;
		}
	}
	ret = exec_placed(sh, n, around);
	if (file.before && output_end(sh, &file))
		ret = report_why(sh, label(n));
out:
	if (host.before && output_end(sh, &host))
		ret = ret ? ret : report_why(sh, label(n));
	return ret;
}

static int exec_in(struct shell *sh, struct node *list, const struct place *around)
{
	int ret = 0;

	for (struct node *n = list; n && !sh->quit && !shell_stopped(); n = n->next) {
		struct arena_mark mark = arena_mark(&sh->arena);
		unsigned long line = sh->line;
		int one;

		sh->line = n->line;
		one = exec_node(sh, n, around);
		sh->line = line;
		arena_reset(&sh->arena, mark);
		if (one)
			ret = -1;
		if (ret && !sh->keep_going)
			break;
	}
	return ret;
}

int exec_list(struct shell *sh, struct node *list)
{
	const struct place nowhere = { .lab = NULL, .on = ON_NOTHING };

	return exec_in(sh, list, &nowhere);
}
