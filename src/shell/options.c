/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "policy/preset.h"

static const struct option long_options[] = {
	{ "lab",        required_argument, NULL, 'l' },
	{ "set",        required_argument, NULL, 's' },
	{ "preset",     required_argument, NULL, 'p' },
	{ "boot",       required_argument, NULL, 'b' },
	{ "json",       no_argument,       NULL, 'j' },
	{ "keep-going", no_argument,       NULL, 'k' },
	{ "quiet",      no_argument,       NULL, 'q' },
	{ "verbose",    no_argument,       NULL, 'v' },
	{ "color",      required_argument, NULL, 'C' },
	{ "complete",   required_argument, NULL, 'P' },
	{ "version",    no_argument,       NULL, 'V' },
	{ "help",       no_argument,       NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

void options_help(FILE *to)
{
	fputs("Usage: slablab [OPTION...]                      the shell, or commands from standard input\n"
	      "       slablab [OPTION...] FILE [ARG...]        runs a command file ($1 ... $9, $#, $@)\n"
	      "       slablab [OPTION...] -c 'CMDS' [ARG...]   runs these commands\n"
	      "       slablab [OPTION...] COMMAND [ARG...]     runs one command in a fresh lab\n"
	      "\n"
	      "  -l, --lab SHAPE       shape of the first lab (mem=1G,cpus=8); mem=256M,cpus=4,nodes=1 without\n"
	      "  -s, --set NAME=VALUE  a policy, before labs make their first caches; may be repeated\n"
	      "  -p, --preset NAME     the policies of this kernel: linux-2.5.9 ... linux-6.18 (preset lists them)\n"
	      "  -b, --boot 'WORDS'    the policies of a kernel booted with these parameters\n"
	      "  -j, --json            one JSON line per command\n"
	      "  -k, --keep-going      go on after a command failed\n"
	      "  -q, --quiet           no banner, notes or progress\n"
	      "  -v, --verbose         show each command of a file before it runs\n"
	      "      --color=WHEN      colours: auto (on a terminal, unless NO_COLOR is set), always, never\n"
	      "      --complete=LINE   print what could follow this command line, for the completion of a host's shell\n"
	      "  -V, --version         print the version\n"
	      "  -h, --help            print this\n"
	      "\n"
	      "`slablab help` lists the commands, `slablab COMMAND --help` tells of one.\n"
	      "Exit status: 0 all went well, 1 a command or an assert failed, 2 wrong usage or an\n"
	      "unreadable file, 128+N stopped by signal N.\n", to);
}

static int add_set(struct options *o, const char *text)
{
	size_t nr = 0;

	if (!strchr(text, '=') || text[0] == '=')
		return fail(EINVAL, "--set is written --set NAME=VALUE, not \"%s\"", text);
	while (o->sets && o->sets[nr])
		nr++;
	o->sets = host_grow(o->sets, (nr + 2) * sizeof(*o->sets));
	o->sets[nr] = text;
	o->sets[nr + 1] = NULL;
	return 0;
}

/* Several --boot are one line. */
static void add_boot(struct options *o, const char *text)
{
	size_t before = o->boot ? strlen(o->boot) : 0;

	o->boot = host_grow(o->boot, before + strlen(text) + 2);
	sprintf(o->boot + before, "%s%s", before ? " " : "", text);
}

static int read_colour(struct shell *sh, const char *when)
{
	static const char *const words[] = { "auto", "always", "never" };	/* as enum colour_when */

	for (unsigned int i = 0; i < 3; i++)
		if (!strcmp(when, words[i]))
			return sh->colour = (enum colour_when)i, 0;
	return fail(EINVAL, "--color is auto, always or never, not \"%s\"", when);
}

static int read_one(int c, const char *what, struct shell *sh, struct options *o)
{
	int ret;

	switch (c) {
	case 'l':
		ret = shape_parse(&sh->shape, optarg);
		sh->shape.given = true;
		return ret ? fail_in(ret, "--lab: ") : 0;
	case 's':
		return add_set(o, optarg);
	case 'p':
		sh->preset = preset_find(optarg);
		return sh->preset ? 0 : fail_in(-ENOENT, "--preset: ");
	case 'b':
		add_boot(o, optarg);
		return 0;
	case 'c':
		o->commands = optarg;
		return 0;
	case 'j':
		return sh->json = true, 0;
	case 'k':
		return sh->keep_going = true, 0;
	case 'q':
		return sh->quiet = true, 0;
	case 'v':
		return sh->verbose = true, 0;
	case 'C':
		return read_colour(sh, optarg);
	case 'P':
		o->complete = optarg;
		return 0;
	case 'V':
		return o->version = true, 0;
	case 'h':
		return o->help = true, 0;
	case ':':
		return fail(EINVAL, "option %s needs a value (slablab --help lists them)", what);
	default:
		return fail(EINVAL, "there is no option %s (slablab --help lists them)", what);
	}
}

int options_read(int argc, char **argv, struct shell *sh, struct options *o)
{
	char letter[3] = "-?";
	int c, ret = 0;

	memset(o, 0, sizeof(*o));
	opterr = 0;
	/* 0 has the GNU one start afresh; + ends options at the first word that is none. */
	for (optind = 0; !ret; ) {
		int at = optind ? optind : 1;

		c = getopt_long(argc, argv, "+:l:s:p:b:c:jkqvVh", long_options, NULL);
		if (c < 0)
			break;
		letter[1] = (char)optopt;
		ret = read_one(c, optopt && !(at < argc && !strncmp(argv[at], "--", 2)) ? letter : argv[at], sh, o);
	}
	sh->boot = o->boot;
	sh->sets = o->sets;
	o->rest = argv + optind;
	o->nr = (unsigned int)(argc - optind);
	return ret;
}

void options_free(struct options *o)
{
	free(o->sets);
	free(o->boot);
}
