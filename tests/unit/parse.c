/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command language: which bytes are which words, which words are which statements, and what is refused where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "base/fail.h"
#include "shell/parse.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static struct arena arena;
static struct input in;
static struct parser parser;
static char shown[4096];

/* ---- statements as text, so that a test can say what it expects ---- */

static void show(const char *text)
{
	strncat(shown, text, sizeof(shown) - strlen(shown) - 1);
}

static const char *value(void *from, const char *name, size_t len)
{
	(void)from;
	if (len == 1 && *name == 'x')
		return "v w";
	return NULL;
}

static void show_word(const struct word *w)
{
	const char *text = w->flags & WORD_DOLLAR ? word_expand(&arena, w->text, value, NULL) : w->text;

	show(w->flags & WORD_QUOTED ? "'" : "");
	show(text ? text : "?");
	show(w->flags & WORD_QUOTED ? "'" : "");
}

static void show_prefixes(const struct node *n)
{
	if (n->name.text) {
		show_word(&n->name);
		show(" = ");
	}
	if (n->lab.text) {
		show("@");
		show_word(&n->lab);
		show(" ");
	}
	if (n->on.text) {
		show("on ");
		show_word(&n->on);
		show(" ");
	}
}

static void show_node(const struct node *n)
{
	static const char *const kinds[] = { "(", "{", "repeat(", "for(" };

	show_prefixes(n);
	show(kinds[n->kind]);
	if (n->kind == NODE_FOR) {
		show(n->var);
		show(":");
	}
	for (unsigned int i = 0; i < n->nr; i++) {
		show(i ? "," : "");
		show_word(&n->words[i]);
	}
	if (n->kind != NODE_BLOCK)
		show(")");
	if (n->kind != NODE_COMMAND) {
		show(n->kind == NODE_BLOCK ? "" : "{");
		for (const struct node *b = n->body; b; b = b->next)
			show_node(b);
		show("}");
	}
	if (n->file.text) {
		show(n->append ? ">>" : ">");
		show_word(&n->file);
	}
	if (n->host) {
		show("|");
		show(n->host);
		show("|");
	}
}

static void begin(const char *text)
{
	input_text(&in, "test", text, strlen(text));
	parser_init(&parser, &in, &arena);
	shown[0] = 0;
}

static void end(void)
{
	parser_fini(&parser);
	input_close(&in);
	arena_free(&arena);
}

/* All lines of a text; a new line of it is shown as a `/`. */
static void parses(const char *text, const char *want)
{
	struct node *list;
	int got;

	begin(text);
	while ((got = parse_line(&parser, &list)) > 0) {
		show(shown[0] ? "/" : "");
		for (; list; list = list->next)
			show_node(list);
	}
	if (got)
		fail_msg("\"%s\": line %lu: %s", text, parser.wrong_line, parser.wrong);
	if (strcmp(shown, want))
		fail_msg("\"%s\" became %s, should be %s", text, shown, want);
	end();
}

/* A text whose only mistake is in this line, and what the sentence must speak of. */
static void refused(const char *text, unsigned long line, const char *about)
{
	struct node *list;
	int got;

	begin(text);
	while ((got = parse_line(&parser, &list)) > 0)
		;
	if (!got)
		fail_msg("\"%s\" was taken, should be refused", text);
	if (parser.wrong_line != line || !strstr(parser.wrong, about))
		fail_msg("\"%s\": line %lu: %s (should be line %lu and speak of \"%s\")", text, parser.wrong_line,
			 parser.wrong, line, about);
	end();
}

/* ---- words ---- */

static void words_stand_between_blanks(void **state)
{
	(void)state;
	parses("a b\tc", "(a,b,c)");
	parses("  a  \n\n\t\nb", "(a)/(b)");
	parses("a\r\nb\r\n", "(a)/(b)");
	parses("", "");
	parses(" \n # only a comment\n", "");
}

static void quotes_stand_around_a_word_or_a_part_of_it(void **state)
{
	(void)state;
	parses("'a  b' \"c ; d\" e'f g'h", "('a  b','c ; d','ef gh')");
	parses("'' \"\"", "('','')");
	parses("\"a'b\" 'c\"d'", "('a'b','c\"d')");
	parses("\"a\\\"b\\\\c\\$d\"", "('a\"b\\c$d')");
	parses("'a\\b$x'", "('a\\b$x')");
	parses("a\\;b c\\ d", "('a;b','c d')");
	parses("a\\b", "(a\\b)");
}

static void comments_begin_where_a_word_would(void **state)
{
	(void)state;
	parses("a # b", "(a)");
	parses("a#b", "(a#b)");
	parses("a '#' b", "(a,'#',b)");
	parses("a;#b\nc", "(a)/(c)");
}

static void a_backslash_at_the_end_goes_on(void **state)
{
	(void)state;
	parses("a \\\nb", "(a,b)");
	parses("a\\\nb", "(ab)");
	parses("\"a\\\nb\"", "('ab')");
	parses("a \\\r\nb", "(a,b)");
}

static void semicolons_end_statements_unless_quoted(void **state)
{
	(void)state;
	parses("a;b ; c", "(a)(b)(c)");
	parses(";;a;;", "(a)");
	parses("a ';' b", "(a,';',b)");
}

static void values_are_put_in_but_not_split(void **state)
{
	(void)state;
	parses("a $x", "(a,v w)");
	parses("a \"<$x>\" ${x}y", "(a,'<v w>',v wy)");
	parses("a $ $% a$", "(a,$,$%,a$)");
	parses("a '$x' \\$x", "(a,'$x','$x')");
	parses("a $y", "(a,?)");
}

/* ---- statements ---- */

static void prefixes_stand_in_their_order(void **state)
{
	(void)state;
	parses("a = kmalloc 64", "a = (kmalloc,64)");
	parses("a = @big on all kmalloc 64 x2", "a = @big on all (kmalloc,64,x2)");
	parses("@big on 1 kfree a", "@big on 1 (kfree,a)");
	parses("h$x = on $x c", "hv w = on v w (c)");
	parses("echo a = b", "(echo,a,=,b)");
	parses("echo '=' b", "(echo,'=',b)");
}

static void blocks_hold_statements(void **state)
{
	(void)state;
	parses("repeat 100 { kmalloc 64; alloc_pages 2 }", "repeat(100){(kmalloc,64)(alloc_pages,2)}");
	parses("repeat 2 {\n\ta\n\n\tb\n}\nc", "repeat(2){(a)(b)}/(c)");
	parses("for n in 1 2 $x { run n=$n }", "for(n:1,2,v w){(run,?)}");
	parses("for n in { a }", "for(n:){(a)}");
	parses("repeat 2 { repeat 3 { a } }; b", "repeat(2){repeat(3){(a)}}(b)");
	parses("@big { a; b }", "@big {(a)(b)}");
	parses("on all repeat 2 { a }", "on all repeat(2){(a)}");
	parses("repeat 2 { }", "repeat(2){}");
	parses("echo '{' a}b", "(echo,'{',a}b)");
}

static void a_pipe_has_blanks_on_both_sides(void **state)
{
	(void)state;
	parses("a | b 'c;d' | e ; f", "(a)|b 'c;d' | e|(f)");
	parses("a flags=X|Y", "(a,flags=X|Y)");
	parses("a '|' b", "(a,'|',b)");
	parses("a | awk '{ print $NF }' # comment\nb", "(a)|awk '{ print $NF }'|/(b)");
	parses("repeat 2 { a | b }", "repeat(2){(a)|b|}");
	parses("repeat 2 { a } | b", "repeat(2){(a)}|b|");
	parses("a | b '\n' c\nd", "(a)|b '\n' c|/(d)");
}

static void output_of_a_block_may_go_to_a_file(void **state)
{
	(void)state;
	parses("repeat 2 { a } > f", "repeat(2){(a)}>f");
	parses("{ a } >> f | b", "{(a)}>>f|b|");
	parses("assert a > 3", "(assert,a,>,3)");	/* in a command it is a word, and the command's to read */
}

/* ---- mistakes ---- */

static void mistakes_are_named_with_their_line(void **state)
{
	(void)state;
	refused("a\necho 'b", 2, "'");
	refused("echo \"b\n", 1, "\"");
	refused("a }", 1, "}");
	refused("a {", 1, "{");
	refused("a\nrepeat 2 {\nb\n", 4, "line 2");
	refused("repeat { a }", 1, "repeat");
	refused("repeat 2 a", 1, "repeat");
	refused("repeat 2\n{ a }", 1, "{");
	refused("for a b { c }", 1, "for");
	refused("for 1 in b { c }", 1, "letters");
	refused("1a = kmalloc 8", 1, "name");
	refused("a[0] = kmalloc 8", 1, "name");
	refused("a =", 1, "NAME =");
	refused("a = { b }", 1, "NAME =");
	refused("a = repeat 2 { b }", 1, "NAME =");
	refused("@big", 1, "@LAB");
	refused("on", 1, "on");
	refused("on 1", 1, "on CPU");
	refused("| b", 1, "|");
	refused("a |  \nb", 1, "|");
	refused("a | 'b", 1, "quote");
	refused("repeat 2 { a } b", 1, ";");
	refused("repeat 2 { a } >", 1, ">");
}

static void nul_bytes_are_refused(void **state)
{
	static const char text[] = "a\0b\nc";
	struct node *list;

	(void)state;
	input_text(&in, "test", text, sizeof(text) - 1);
	parser_init(&parser, &in, &arena);
	assert_int_equal(parse_line(&parser, &list), -EINVAL);
	assert_non_null(strstr(parser.wrong, "NUL"));
	assert_int_equal(parse_line(&parser, &list), 1);	/* the next line is sound */
	assert_string_equal(list->words[0].text, "c");
	end();
}

static void blocks_end_somewhere(void **state)
{
	char text[BLOCKS_DEEP * 4 * 2 + 8] = "";

	(void)state;
	for (int i = 0; i <= BLOCKS_DEEP; i++)
		strcat(text, "{ ");
	refused(text, 1, "deeper");
}

static void what_follows_a_mistake_is_read(void **state)
{
	struct node *list;

	(void)state;
	begin("a 'b\nc\nrepeat 2 x\nd");
	assert_int_equal(parse_line(&parser, &list), -EINVAL);
	assert_int_equal(parse_line(&parser, &list), 1);
	assert_string_equal(list->words[0].text, "c");
	assert_int_equal(parse_line(&parser, &list), -EINVAL);
	assert_int_equal(parse_line(&parser, &list), 1);
	assert_string_equal(list->words[0].text, "d");
	assert_int_equal(list->line, 4);
	assert_int_equal(parse_line(&parser, &list), 0);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_stand_between_blanks),
		cmocka_unit_test(quotes_stand_around_a_word_or_a_part_of_it),
		cmocka_unit_test(comments_begin_where_a_word_would),
		cmocka_unit_test(a_backslash_at_the_end_goes_on),
		cmocka_unit_test(semicolons_end_statements_unless_quoted),
		cmocka_unit_test(values_are_put_in_but_not_split),
		cmocka_unit_test(prefixes_stand_in_their_order),
		cmocka_unit_test(blocks_hold_statements),
		cmocka_unit_test(a_pipe_has_blanks_on_both_sides),
		cmocka_unit_test(output_of_a_block_may_go_to_a_file),
		cmocka_unit_test(mistakes_are_named_with_their_line),
		cmocka_unit_test(nul_bytes_are_refused),
		cmocka_unit_test(blocks_end_somewhere),
		cmocka_unit_test(what_follows_a_mistake_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
