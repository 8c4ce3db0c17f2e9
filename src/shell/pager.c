/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/host.h"
#include "shell/shell.h"

/* ---- which, and whether ---- */

static bool is_installed(const char *program)
{
	const char *path = getenv("PATH");
	char *list = host_text(path ? path : "/usr/bin:/bin"), *save, full[4096];
	bool found = strchr(program, '/') && !access(program, X_OK);

	for (char *dir = strtok_r(list, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
		snprintf(full, sizeof(full), "%s/%s", dir, program);
		found = !access(full, X_OK);
	}
	free(list);
	return found;
}

/* The shell finds out too late, when it has our text already. A line like `A=b less` is left to it. */
static bool can_run(const char *line)
{
	size_t len = strcspn(line, " \t");
	char *word = strndupa(line, len);

	return strpbrk(word, "=$'\"\\(;~") || is_installed(word);
}

const char *pager_command(void)
{
	const char *own = getenv("PAGER");

	if (own)
		return own[0] && strcmp(own, "cat") && can_run(own) ? own : NULL;
	return is_installed("less") ? "less" : is_installed("more") ? "more" : NULL;
}

static bool screen_size(struct pager *p)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		return false;
	p->rows = w.ws_row;
	p->columns = w.ws_col;
	return true;
}

/* Bytes of an escape sequence at s, 0 if there is none: they move no cursor. */
static size_t escape(const char *s, size_t len)
{
	size_t n = 2;

	if (len < 2 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (n < len && (s[n] < '@' || s[n] > '~'))
		n++;
	return n + 1;
}

bool pager_overflows(struct pager *p, const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i++) {
		if ((n = escape(text + i, len - i))) {
			i += n - 1;
		} else if (text[i] == '\n') {
			p->row++;
			p->column = 0;
		} else if ((text[i] & 0xc0) != 0x80) {	/* a letter's first byte */
			p->row += p->column == p->columns;
			p->column = p->column == p->columns ? 1 : p->column + 1;
		}
	}
	return p->row + 1 >= p->rows;	/* the last row is the prompt's */
}

/* ---- holding and letting go ---- */

static void hold(struct pager *p, const char *text, size_t len)
{
	if (p->room - p->len < len) {
		p->room = (p->len + len) * 2;
		p->held = host_grow(p->held, p->room);
	}
	memcpy(p->held + p->len, text, len);
	p->len += len;
}

static void let_go(struct pager *p, FILE *to)
{
	p->to = to;
	if (p->len)
		fwrite(p->held, 1, p->len, to);
	p->len = 0;
}

static FILE *start(struct pager *p)
{
	FILE *to;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	to = fdopen(ends[1], "w");
	if (to && host_spawn(p->sh, pager_command(), ends[0], STDOUT_FILENO, &p->pid)) {
		fclose(to);
		to = NULL;
	} else if (!to) {
		close(ends[1]);
	}
	close(ends[0]);
	return to;
}

static void wait_for(struct pager *p)
{
	if (p->to && p->pid)
		fclose(p->to);
	while (p->pid && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	p->to = stdout;
	p->pid = 0;
}

/* The FILE's own write: never fails, for a user who left the pager has seen enough. */
static ssize_t take(void *cookie, const char *text, size_t len)
{
	struct pager *p = cookie;
	FILE *pager;

	if (p->to) {
		fwrite(text, 1, len, p->to);
		return (ssize_t)len;
	}
	hold(p, text, len);
	if (pager_overflows(p, text, len)) {
		fflush(stdout);
		pager = start(p);
		let_go(p, pager ? pager : stdout);
	}
	return (ssize_t)len;
}

/* Once: a PAGER that is not there is a slip that its user would want to know of. */
static void tell_if_missing(struct shell *sh)
{
	const char *own = getenv("PAGER");
	static bool told;

	if (told || !own || !own[0] || !strcmp(own, "cat"))
		return;
	told = true;
	warn(sh, "PAGER is \"%s\", which cannot be run: long texts are shown without", own);
}

void pager_begin(struct shell *sh, struct pager *p)
{
	*p = (struct pager){ .sh = sh, .before = sh->out };
	if (sh->out != stdout || !isatty(STDOUT_FILENO) || !screen_size(p))
		return;
	if (!pager_command()) {
		tell_if_missing(sh);
		return;
	}
	p->file = fopencookie(p, "w", (cookie_io_functions_t){ .write = take });
	if (!p->file)
		return;
	sh->out = p->file;
	sh->pager = p;
}

void pager_end(struct pager *p)
{
	if (!p->file)
		return;
	p->sh->out = p->before;
	p->sh->pager = NULL;
	fclose(p->file);
	if (!p->to)
		let_go(p, stdout);
	wait_for(p);
	fflush(stdout);
	free(p->held);
	p->file = NULL;
}

void pager_settle(struct shell *sh)
{
	struct pager *p = sh->pager;

	if (!p)
		return;
	fflush(p->file);
	if (!p->to)
		let_go(p, stdout);
	wait_for(p);
}
