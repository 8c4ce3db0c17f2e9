/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/twins.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/dispatch.h"
#include "shell/json.h"
#include "view/table.h"

/* What one lab printed. */
struct said {
	const char *lab;
	char *text;
	size_t size;
	char **line;		/* into text, newlines taken out */
	unsigned int lines;
	unsigned int width;	/* of the widest, at least the name's */
	int ret;
};

/* ---- on and off ---- */

int twins_on(struct shell *sh, char *const *names, unsigned int nr)
{
	struct twins t = { .nr = nr };

	if (nr < 2 || nr > MAX_TWINS)
		return fail(ERANGE, "2 to %d labs can be twins, not %u", MAX_TWINS, nr);
	for (unsigned int i = 0; i < nr; i++) {
		if (!labs_need(&sh->labs, names[i]))
			return -ENOENT;
		for (unsigned int k = 0; k < i; k++)
			if (!strcmp(names[k], names[i]))
				return fail(EINVAL, "lab %s is named twice", names[i]);
		strcpy(t.name[i], names[i]);
	}
	sh->twins = t;
	return 0;
}

void twins_off(struct shell *sh)
{
	sh->twins.nr = 0;
}

bool twins_have(const struct shell *sh, const char *lab)
{
	for (unsigned int i = 0; i < sh->twins.nr; i++)
		if (!strcmp(sh->twins.name[i], lab))
			return true;
	return false;
}

/* A twin that was dropped is none any more. */
static void forget_dropped(struct shell *sh)
{
	struct twins *t = &sh->twins;
	unsigned int kept = 0;

	for (unsigned int i = 0; i < t->nr; i++)
		if (labs_find(&sh->labs, t->name[i]))
			memmove(t->name[kept++], t->name[i], sizeof(t->name[i]));
	if (kept < t->nr)
		note(sh, kept < 2 ? "twins are off: a lab was dropped" : "a lab was dropped: it is no twin any more");
	t->nr = kept < 2 ? 0 : kept;
}

bool twins_take(const struct shell *sh, const struct request *rq)
{
	return sh->twins.nr && !sh->again && !rq->lab && rq->cmd->flags & CMD_NEEDS_LAB &&
	       !(rq->cmd->flags & (CMD_RUNS_COMMAND | CMD_OF_LABS));
}

/* ---- running ---- */

static void run_in(struct shell *sh, const struct request *asked, const char *lab, struct said *s)
{
	struct request rq = *asked;
	FILE *out = sh->out;
	struct pager *pager = sh->pager;

	*s = (struct said){ .lab = lab, .line = NULL };
	rq.lab = lab;
	fflush(out);
	sh->out = open_memstream(&s->text, &s->size);
	if (!sh->out)
		abort();
	sh->pager = NULL;
	sh->twins.now = lab;
	s->ret = dispatch(sh, &rq);
	sh->twins.now = NULL;
	fclose(sh->out);
	sh->out = out;
	sh->pager = pager;
}

/* ---- text ---- */

static void split(struct said *s)
{
	unsigned int room = 0;

	s->width = text_width(s->lab);
	for (char *at = s->text, *end; at < s->text + s->size; at = end + 1) {
		end = strchrnul(at, '\n');
		*end = 0;
		if (s->lines == room)
			s->line = host_grow(s->line, (room = room * 2 + 16) * sizeof(*s->line));
		s->line[s->lines++] = at;
		if (text_width(at) > s->width)
			s->width = text_width(at);
	}
}

static const char *line_of(const struct said *s, unsigned int i)
{
	return i < s->lines ? s->line[i] : "";
}

/* Bytes of the lab's own name where it stands as a word at `at`; 0: it does not. */
static size_t own_name(const char *text, const char *at, const char *lab)
{
	size_t n = strlen(lab);

	if (strncmp(at, lab, n) || (at > text && isalnum((unsigned char)at[-1])) || isalnum((unsigned char)at[n]))
		return 0;
	return n;
}

/* The same line, but for what each lab is called? */
static bool say_same(const char *a, const char *lab_a, const char *b, const char *lab_b)
{
	const char *at = a, *bt = b;

	for (;;) {
		size_t n = own_name(a, at, lab_a), m = own_name(b, bt, lab_b);

		if (n && m) {
			at += n;
			bt += m;
		} else if (*at != *bt) {
			return false;
		} else if (!*at) {
			return true;
		} else {
			at++;
			bt++;
		}
	}
}

static bool all_same(const struct said *s, unsigned int nr, unsigned int line)
{
	for (unsigned int i = 1; i < nr; i++)
		if (!say_same(line_of(&s[i], line), s[i].lab, line_of(&s[0], line), s[0].lab))
			return false;
	return true;
}

static unsigned int room_beside(const struct shell *sh)
{
	const char *said = getenv("COLUMNS");
	unsigned int columns = screen_columns(sh, sh->out);

	if (columns)
		return columns;
	return said && atoi(said) > 0 ? (unsigned int)atoi(said) : 80;
}

static void put_padded(const char *text, unsigned int width, FILE *to)
{
	fputs(text, to);
	for (unsigned int n = text_width(text); n < width; n++)
		fputc(' ', to);
}

/* "  " where all say the same, else a mark. */
static void put_row(const struct said *s, unsigned int nr, unsigned int line, const char *differs, FILE *to)
{
	const char *mark = all_same(s, nr, line) ? " " : differs;

	for (unsigned int i = 0; i < nr; i++) {
		bool last = i + 1 == nr;

		put_padded(line_of(&s[i], line), last ? 0 : s[i].width, to);
		if (!last)
			fprintf(to, " %s ", mark);
	}
	fputc('\n', to);
}

static void beside(const struct said *s, unsigned int nr, unsigned int lines, const char *differs, FILE *to)
{
	for (unsigned int i = 0; i < nr; i++)
		put_padded(s[i].lab, i + 1 < nr ? s[i].width + 3 : 0, to);
	fputc('\n', to);
	for (unsigned int line = 0; line < lines; line++)
		put_row(s, nr, line, differs, to);
}

static void below(const struct said *s, unsigned int nr, const char *differs, FILE *to)
{
	for (unsigned int i = 0; i < nr; i++) {
		fprintf(to, "%s:\n", s[i].lab);
		for (unsigned int line = 0; line < s[i].lines; line++)
			fprintf(to, "%s %s\n", all_same(s, nr, line) ? " " : differs, s[i].line[line]);
	}
}

static void show_text(struct shell *sh, struct said *s, unsigned int nr)
{
	char differs[32];
	unsigned int lines = 0, width = 0;
	bool same = true, colour = colour_wanted(sh, sh->out);

	snprintf(differs, sizeof(differs), "%s%s%s", colour_on(colour, MEANS_CHANGED), screen_is_utf8() ? "≠" : "!",
		 colour_off(colour));
	for (unsigned int i = 0; i < nr; i++) {
		split(&s[i]);
		lines = s[i].lines > lines ? s[i].lines : lines;
		width += s[i].width + (i ? 3 : 0);
	}
	for (unsigned int line = 0; line < lines; line++)
		for (unsigned int i = 1; i < nr; i++)
			same &= !strcmp(line_of(&s[i], line), line_of(&s[0], line));
	if (same)
		for (unsigned int line = 0; line < lines; line++)
			fprintf(sh->out, "%s\n", s[0].line[line]);
	else if (width <= room_beside(sh))
		beside(s, nr, lines, differs, sh->out);
	else
		below(s, nr, differs, sh->out);
}

/* ---- JSON ---- */

static void show_json(struct shell *sh, const struct request *rq, const struct said *s, unsigned int nr, bool good)
{
	json_t *line = json_object(), *labs = json_array(), *data = json_object(), *errors = json_object();

	for (unsigned int i = 0; i < nr; i++) {
		json_t *one = s[i].size ? json_loads(s[i].text, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
		json_t *mine = json_object_get(one, "data"), *error = json_object_get(one, "error");

		json_array_append_new(labs, json_text(s[i].lab));
		if (error)
			json_object_set(errors, s[i].lab, error);
		json_object_set(data, s[i].lab, mine ? mine : json_null());
		json_decref(one);
	}
	json_object_set_new(line, "command", json_text(rq->cmd->name));
	json_object_set_new(line, "lab", labs);
	json_object_set_new(line, "ok", json_boolean(good));
	json_object_set_new(line, "data", data);
	if (json_object_size(errors))
		json_object_set(line, "error", errors);
	json_decref(errors);
	json_line(sh, line);
}

int twins_dispatch(struct shell *sh, const struct request *rq, bool json)
{
	char name[MAX_TWINS][64];
	struct said said[MAX_TWINS];
	unsigned int nr;
	int ret = 0;

	forget_dropped(sh);
	if (!sh->twins.nr)
		return dispatch(sh, &(struct request){ .words = rq->words, .nr = rq->nr, .handle_name = rq->handle_name,
						       .on = rq->on });
	nr = sh->twins.nr;
	memcpy(name, sh->twins.name, sizeof(name));
	for (unsigned int i = 0; i < nr; i++) {
		run_in(sh, rq, name[i], &said[i]);
		if (said[i].ret)
			ret = -1;
	}
	if (json)
		show_json(sh, rq, said, nr, !ret);
	else
		show_text(sh, said, nr);
	for (unsigned int i = 0; i < nr; i++) {
		free(said[i].text);
		free(said[i].line);
	}
	return ret;
}
