/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tables - the parts of the manual that are tables of the program.
 *
 *   tables policies    rows of the policy table, as mdoc
 *   tables events      rows of the event list, as mdoc
 *   tables figures     rows of the figures' texts, as mdoc
 *   tables run         workloads and their keys, as mdoc
 *   tables unknown     of the paths on standard input those without a text
 *   tables commands    NAME, a tab and a word of its argument table, a line each
 *
 * "make man-tables" puts the first four into their pages; tests/manual.sh holds
 * the pages against all of them.
 */
#include <stdio.h>
#include <string.h>

#include "event/event.h"
#include "policy/policy.h"
#include "shell/cmd.h"
#include "view/figure_text.h"
#include "work/workload.h"

/* One word of text; nothing in it may be taken for a macro or an escape. */
static void say_word(const char *word, size_t len)
{
	if (*word == '.' || *word == '\'')
		fputs("\\&", stdout);
	for (; len; len--, word++)
		*word == '\\' ? (void)fputs("\\e", stdout) : (void)putchar(*word);
}

/*
 * Text between macros, after `column` characters of its first line: lines of at
 * most 76 columns, a sentence ends its line.
 */
static void say(const char *text, size_t column)
{
	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > 76) {
			putchar('\n');
			column = 0;
		}
		if (column) {
			putchar(' ');
			column++;
		}
		say_word(text, len);
		column += len;
		if (text[len] && len > 1 && text[len - 1] == '.' && text[len - 2] != '.') {
			putchar('\n');
			column = 0;
		}
		text += len + strspn(text + len, " ");
	}
	putchar('\n');
}

/* A line of its own: "Name: text". */
static void say_line(const char *name, const char *text)
{
	printf(".br\n%s:", name);
	say(text, strlen(name) + 1);
}

static const char *scope_text(enum policy_scope scope)
{
	switch (scope) {
	case SCOPE_LAB: return "one value for a lab";
	case SCOPE_CACHE: return "one value for a lab, and an override for each cache";
	case SCOPE_SHAPE: return "fixed when the lab is made";
	}
	return "";
}

static void policy_item(const struct policy_row *p)
{
	char range[512];

	printf(".It Cm %s\n", p->name);
	say(p->text, 0);
	if (p->detail)
		say(p->detail, 0);
	say_line("Values", policy_range(p, range, sizeof(range)));
	say_line("Default", p->def);
	say_line("Scope", scope_text(p->scope));
	say_line("Takes effect", p->effect_text);
	if (p->param)
		say_line("Kernel", p->param);
	if (p->source)
		say_line("From", p->source);
}

/* Rows stand in groups by the part of the name before the dot. */
static void policies(void)
{
	char group[64] = "";

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *p = &policy_table[i];
		size_t len = strcspn(p->name, ".");

		if (strncmp(group, p->name, len) || group[len]) {
			if (*group)
				puts(".El");
			snprintf(group, sizeof(group), "%.*s", (int)len, p->name);
			printf(".Ss %s\n.Bl -tag -width Ds\n", group);
		}
		policy_item(p);
	}
	puts(".El");
}

static void event_item(const struct event_row *e)
{
	const char *sep = "";

	printf(".It Cm %s\n", e->name);
	say(e->text, 0);
	printf(".br\nFields: ");
	for (unsigned int f = 0; f < 3; f++)
		if (e->fields[f] != FIELD_NONE) {
			printf("%s%s", sep, event_fields[e->fields[f]].key);
			sep = ", ";
		}
	puts(*sep ? "." : "none.");
	if (e->ordered)
		puts(".br\nCounted by order too.");
}

static void events(void)
{
	static const char *const rooms[] = {
		[ROOM_PAGE] = "Pages: counted for the zone and the CPU",
		[ROOM_SLAB] = "Slabs: counted for the store and the CPU",
		[ROOM_LAB] = "The lab: counted for the CPU",
	};

	for (unsigned int room = 0; room < 3; room++) {
		printf(".Ss %s\n.Bl -tag -width Ds\n", rooms[room]);
		for (unsigned int i = 0; i < EV_NR; i++)
			if (event_table[i].room == room)
				event_item(&event_table[i]);
		puts(".El");
	}
}

/* "zone.N<node>.x" as `zone.N Ns Ar node Ns Cm .x`. */
static void say_form(const char *form)
{
	const char *sep = "Cm ";

	printf(".It ");
	while (*form) {
		size_t len = strcspn(form, "<");

		if (len) {
			printf("%s%s%.*s%s", sep, *form == '.' ? "\\&" : "", (int)len, form,
			       form[len - 1] == '.' ? "\\&" : "");
			sep = " Ns Cm ";
			form += len;
		}
		if (*form) {
			len = strcspn(form, ">");
			printf(" Ns Ar %.*s", (int)len - 1, form + 1);
			form += len + 1;
		}
	}
	putchar('\n');
}

/* Rows stand in groups by what is before the first dot. */
static void figures(void)
{
	char group[64] = "";

	for (const struct figure_text *t = figure_texts; t->form; t++) {
		size_t len = strcspn(t->form, ".");

		if (strncmp(group, t->form, len) || group[len]) {
			if (*group)
				puts(".El");
			snprintf(group, sizeof(group), "%.*s", (int)len, t->form);
			printf(".Ss %s\n.Bl -tag -width Ds\n", group);
		}
		say_form(t->form);
		say(t->text, 0);
	}
	puts(".El");
}

static void workloads(void)
{
	puts(".Bl -tag -width Ds");
	for (unsigned int i = 0; i < workload_nr; i++) {
		const struct workload *w = workload_table[i];

		printf(".It Cm %s\n", w->name);
		say(w->summary, 0);
		puts(".Bl -tag -width Ds -compact");
		for (unsigned int k = 0; k < workload_keys(w); k++) {
			const struct work_key *key = &w->keys[k];

			printf(".It Cm %s Ns = Ns Ar N\n", key->name);
			say(key->text, 0);
			printf("(%llu to %llu, default %llu)\n", (unsigned long long)key->min,
			       (unsigned long long)key->max, (unsigned long long)key->def);
		}
		puts(".El");
	}
	puts(".El");
}

/* Paths from standard input that no text is about. Policies and overrides have texts of their own. */
static int without_text(void)
{
	char path[512];
	int found = 0;

	while (fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = 0;
		if (figure_text_find(path) || policy_of_path(path))
			continue;
		puts(path);
		found = 1;
	}
	return found;
}

static void commands(void)
{
	for (unsigned int i = 0; i < cmd_nr; i++) {
		const struct arg *a = cmd_table[i]->args;

		printf("%s\t\n", cmd_table[i]->name);
		for (; a && a->name; a++)
			printf("%s\t%s\n", cmd_table[i]->name, a->name);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (!strcmp(what, "policies"))
		policies();
	else if (!strcmp(what, "events"))
		events();
	else if (!strcmp(what, "figures"))
		figures();
	else if (!strcmp(what, "run"))
		workloads();
	else if (!strcmp(what, "unknown"))
		return without_text();
	else if (!strcmp(what, "commands"))
		commands();
	else
		return fprintf(stderr, "usage: tables policies | events | figures | run | unknown | commands\n"), 2;
	return 0;
}
