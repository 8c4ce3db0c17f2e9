/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/args.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/units.h"
#include "policy/policy.h"
#include "shell/names.h"
#include "shell/usage.h"

/* ---- one word by its type ---- */

static int wrong_enum(const struct arg *a, const char *word)
{
	char there[256];
	size_t at = 0;

	there[0] = 0;
	for (const char *const *w = a->words; *w && at < sizeof(there); w++)
		at += (size_t)snprintf(there + at, sizeof(there) - at, "%s%s", w == a->words ? "" : ", ", *w);
	return fail(EINVAL, "\"%s\" is not one of %s", word, there);
}

static int read_enum(const struct arg *a, const char *word, uint64_t *n)
{
	for (*n = 0; a->words[*n]; ++*n)
		if (!strcmp(a->words[*n], word))
			return 0;
	return wrong_enum(a, word);
}

static int read_order(const char *word, uint64_t *n)
{
	int ret = parse_u64(word, n);

	if (!ret && *n > MAX_PAGE_ORDER)
		ret = fail(ERANGE, "%s is out of range (0 .. %d)", word, MAX_PAGE_ORDER);
	return ret;
}

static int read_mtype(const char *word, uint64_t *n)
{
	int type = mtype_parse(word, strlen(word));

	if (type < 0 || type > MT_RECLAIMABLE)
		return fail(EINVAL, "\"%s\" is not one of unmovable, movable, reclaimable", word);
	*n = (uint64_t)type;
	return 0;
}

static int read_count(const char *word, uint64_t *n)
{
	int ret = parse_u64(word, n);

	return !ret && !*n ? fail(ERANGE, "0 is out of range (from 1 on)") : ret;
}

static int read_u32(int ret, uint32_t from, uint64_t *n)
{
	*n = from;
	return ret;
}

/* The word's meaning in v->n; v->word is set already. */
static int read_word(struct shell *sh, struct lab *lab, const struct arg *a, struct arg_value *v)
{
	uint32_t bits = 0;
	int ret;

	switch (a->type) {
	case ARG_ENUM:
		return read_enum(a, v->word, &v->n);
	case ARG_SIZE:
	case ARG_NUMBER:
		return parse_u64(v->word, &v->n);
	case ARG_COUNT:
		return read_count(v->word, &v->n);
	case ARG_TIME:
		return parse_ns(v->word, &v->n);
	case ARG_ORDER:
		return read_order(v->word, &v->n);
	case ARG_GFP:
		ret = gfp_parse(v->word, strlen(v->word), &bits);
		return read_u32(ret, bits, &v->n);
	case ARG_MTYPE:
		return read_mtype(v->word, &v->n);
	case ARG_NODE:
		ret = name_node(lab, v->word, &bits);
		return read_u32(ret, bits, &v->n);
	case ARG_CPU:
		ret = name_cpu(lab, v->word, &bits);
		return read_u32(ret, bits, &v->n);
	case ARG_CACHE:
		v->n = name_cache(lab, v->word);
		return v->n ? 0 : -ENOENT;
	case ARG_CACHE_FLAGS:
		ret = cache_flags_parse(v->word, &bits);
		return read_u32(ret, bits, &v->n);
	case ARG_LAB:
		return labs_need(&sh->labs, v->word) ? 0 : -ENOENT;
	default:
		return 0;
	}
}

/* ---- which row a word belongs to ---- */

static unsigned int rows(const struct cmd *cmd)
{
	unsigned int n = 0;

	while (cmd->args && cmd->args[n].name)
		n++;
	return n;
}

/* The row of `key=…` or of a bare flag; -1 if there is none. *value is what follows the =. */
static int row_by_key(const struct cmd *cmd, const char *word, const char **value)
{
	const char *eq = strchr(word, '=');

	for (unsigned int i = 0; i < rows(cmd); i++) {
		const struct arg *a = &cmd->args[i];
		size_t len = strlen(a->name);

		if (arg_by_place(a))
			continue;
		if (a->type == ARG_FLAG ? !strcmp(word, a->name)
					: eq && (size_t)(eq - word) == len && !memcmp(word, a->name, len)) {
			*value = a->type == ARG_FLAG ? word : eq + 1;
			return (int)i;
		}
	}
	return -1;
}

int args_place(const struct args *args)
{
	for (unsigned int i = 0; i < rows(args->cmd); i++) {
		const struct arg *a = &args->cmd->args[i];

		if (arg_by_place(a) && (!args->value[i].given || arg_takes_many(a)))
			return (int)i;
	}
	return -1;
}

int args_row(const struct args *args, const char *word, const char **value)
{
	int row = row_by_key(args->cmd, word, value);

	if (row >= 0)
		return row;
	*value = word;
	return args_place(args);
}

int args_option(const struct args *args, const char *word)
{
	for (unsigned int i = 0; i < rows(args->cmd); i++) {
		const struct arg *a = &args->cmd->args[i];

		if (a->name[0] == '-' && a->type != ARG_FLAG && !strcmp(a->name, word))
			return (int)i;
	}
	return -1;
}

unsigned int args_before_command(const struct cmd *cmd, char *const *words, unsigned int nr)
{
	struct args args = { .cmd = cmd, .words = words, .nr = nr };

	for (unsigned int i = 0; i < nr; i++) {
		int row = args_place(&args);
		const char *value;

		if (row >= 0 && cmd->args[row].type == ARG_COMMAND)
			return i;
		row = args_option(&args, words[i]);
		if (row >= 0)
			i++;
		else
			row = args_row(&args, words[i], &value);
		if (row < 0)
			break;
		args.value[row].given = true;
	}
	return nr;
}

static int too_many(const struct cmd *cmd, const char *word)
{
	char usage[512];

	usage_line(cmd, usage, sizeof(usage));
	if (cmd->flags & CMD_MAKES_HANDLE && word[0] == 'x' && word[1] && !word[1 + strspn(word + 1, "0123456789")])
		return fail(EINVAL, "%s has to be the last word (usage: %s)", word, usage);
	return fail(EINVAL, strchr(word, '=') ? "there is no argument \"%s\" (usage: %s)"
					      : "\"%s\" is one word too many (usage: %s)", word, usage);
}

static int missing(const struct args *args, const struct arg *a)
{
	const char *eq = args->nr ? strchr(args->words[0], '=') : NULL;
	char usage[512];

	usage_line(args->cmd, usage, sizeof(usage));
	if (eq && eq > args->words[0] && eq[1] && arg_by_place(a))
		return fail(EINVAL, "%s is missing (here a blank parts the two: %s %.*s %s)", a->name, args->cmd->name,
			    (int)(eq - args->words[0]), args->words[0], eq + 1);
	return fail(EINVAL, "%s is missing (usage: %s)", a->name, usage);
}

static void add_word(struct shell *sh, struct args *args, struct arg_value *v, char *word)
{
	if (!v->words)
		v->words = arena_get(&sh->arena, (args->nr + 1) * sizeof(*v->words));
	v->words[v->nr++] = word;
	v->given = true;
}

static int take(struct shell *sh, struct lab *lab, struct args *args, uint64_t *rand, unsigned int row, char *word)
{
	const struct arg *a = &args->cmd->args[row];
	struct arg_value *v = &args->value[row];
	int ret;

	if (a->type == ARG_WORDS) {
		add_word(sh, args, v, word);
		return 0;
	}
	if (a->type == ARG_HANDLES || a->type == ARG_HANDLE) {
		v->given = true;
		return refs_read(lab, rand, word, &args->refs);
	}
	if (v->given)
		return fail(EINVAL, "%s is given twice", a->name);
	v->given = true;
	v->word = word;
	ret = read_word(sh, lab, a, v);
	return ret ? fail_in(ret, "%s%s", a->name, arg_by_place(a) ? ": " : "=: ") : 0;
}

static int take_all(struct shell *sh, struct lab *lab, struct args *args, uint64_t *rand)
{
	for (unsigned int i = 0; i < args->nr; i++) {
		const char *value;
		int place = args_place(args), row, ret;

		if (place >= 0 && args->cmd->args[place].type == ARG_COMMAND) {
			for (; i < args->nr; i++)
				add_word(sh, args, &args->value[place], args->words[i]);
			return 0;
		}
		row = args_option(args, args->words[i]);
		if (row < 0)
			row = args_row(args, args->words[i], &value);
		else if (!(value = args->words[++i]))
			return missing(args, &args->cmd->args[row]);
		if (row < 0)
			return too_many(args->cmd, args->words[i]);
		ret = take(sh, lab, args, rand, (unsigned int)row, (char *)value);
		if (ret)
			return ret;
	}
	return 0;
}

/* What was not given has its default; what has none is missing. */
static int fill_in(struct shell *sh, struct lab *lab, struct args *args)
{
	for (unsigned int i = 0; i < rows(args->cmd); i++) {
		const struct arg *a = &args->cmd->args[i];
		struct arg_value *v = &args->value[i];

		if (v->given || a->type == ARG_FLAG)
			continue;
		if (!a->def)
			return missing(args, a);
		if (a->type == ARG_ENUM || a->type == ARG_GFP || (a->def[0] >= '0' && a->def[0] <= '9')) {
			v->word = a->def;
			if (!a->def[0] || read_word(sh, lab, a, v))
				v->word = NULL;
		}
	}
	return 0;
}

static const struct arg_value *value_of_type(const struct args *args, enum arg_type type)
{
	for (unsigned int i = 0; i < rows(args->cmd); i++)
		if (args->cmd->args[i].type == type)
			return &args->value[i];
	return NULL;
}

/* gfp= and type= may say the same, not two things. */
static int check_types(const struct args *args)
{
	const struct arg_value *gfp = value_of_type(args, ARG_GFP), *type = value_of_type(args, ARG_MTYPE);
	enum mtype said;

	if (!gfp || !type || !gfp->given || !type->given)
		return 0;
	said = gfp_mtype((uint32_t)gfp->n);
	if (said == (enum mtype)type->n)
		return 0;
	return fail(EINVAL, "gfp=%s asks for %s blocks, type=%s for others: leave one of them out", gfp->word,
		    mtype_name(said), type->word);
}

static bool has_word(char *const *words, unsigned int nr, const char *word)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

int args_read(struct shell *sh, struct lab *lab, const struct cmd *cmd, char *const *words, unsigned int nr,
	      struct args *args)
{
	uint64_t rand = lab ? lab->hdr->rand : 0;
	const char *forced;
	int ret;

	memset(args, 0, sizeof(*args));
	args->cmd = cmd;
	args->words = words;
	args->nr = nr;
	args->refs.freed_too = row_by_key(cmd, "--force", &forced) >= 0 && has_word(words, nr, "--force");
	ret = take_all(sh, lab, args, &rand);
	if (!ret)
		ret = fill_in(sh, lab, args);
	if (!ret)
		ret = check_types(args);
	if (!ret)
		ret = refs_check_twice(&args->refs);
	if (ret)
		args_free(args);
	else if (lab && cmd->flags & CMD_CHANGES)
		lab->hdr->rand = rand;	/* a look at a[~50%] shows the half that the next change takes */
	return ret;
}

void args_free(struct args *args)
{
	refs_free(&args->refs);
}

/* ---- what handlers ask ---- */

static const struct arg_value *value_of(const struct args *args, const char *name)
{
	for (unsigned int i = 0; i < rows(args->cmd); i++)
		if (!strcmp(args->cmd->args[i].name, name))
			return &args->value[i];
	__builtin_trap();	/* a handler asks for a row that its own table lacks */
}

bool arg_given(const struct args *args, const char *name)
{
	return value_of(args, name)->given;
}

const char *arg_word(const struct args *args, const char *name)
{
	return value_of(args, name)->word;
}

bool arg_flag(const struct args *args, const char *name)
{
	return value_of(args, name)->given;
}

uint64_t arg_u64(const struct args *args, const char *name)
{
	return value_of(args, name)->n;
}

unsigned int arg_order(const struct args *args, const char *name)
{
	return (unsigned int)value_of(args, name)->n;
}

uint32_t arg_gfp(const struct args *args, const char *name)
{
	return (uint32_t)value_of(args, name)->n;
}

uint32_t arg_mtype(const struct args *args, const char *name)
{
	const struct arg_value *v = value_of(args, name);

	return v->given ? gfp_of_mtype((enum mtype)v->n) : 0;
}

int32_t arg_node(const struct args *args, const char *name)
{
	const struct arg_value *v = value_of(args, name);

	return v->given ? (int32_t)v->n : -1;
}

unsigned int arg_enum(const struct args *args, const char *name)
{
	return (unsigned int)value_of(args, name)->n;
}

uint32_t arg_cache(const struct args *args, const char *name)
{
	return (uint32_t)value_of(args, name)->n;
}

struct refs arg_refs(const struct args *args, const char *name)
{
	(void)value_of(args, name);
	return (struct refs){ args->refs.v, args->refs.nr };
}

char *const *arg_words(const struct args *args, const char *name, unsigned int *nr)
{
	static char *const none[] = { NULL };
	const struct arg_value *v = name ? value_of(args, name) : NULL;

	if (nr)
		*nr = v ? v->nr : args->nr;
	if (!v)
		return args->words;
	return v->words ? v->words : none;
}
