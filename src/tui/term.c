/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>
#undef tone		/* one of its thousand macros */

#include "base/fail.h"
#include "shell/signals.h"

static struct {
	bool open, ascii;
	int fd;
	FILE *in, *out;
	SCREEN *screen;
	enum depth depth;
	struct termios before;
	struct grid last;
	char restore[512];	/* bytes that bring the main screen, cursor and mouse back */
	size_t restore_len;
} t = { .fd = -1 };

static volatile sig_atomic_t resized, suspended;

/* ---- signals ---- */

static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static struct sigaction before[ARRAY_SIZE(deadly)], before_winch, before_tstp;

static void note_winch(int sig)
{
	(void)sig;
	resized = 1;
}

static void note_tstp(int sig)
{
	(void)sig;
	suspended = 1;
}

/* For handlers and exits: by write() alone. */
static void give_back(void)
{
	if (!t.open)
		return;
	if (write(t.fd, t.restore, t.restore_len) < 0)
		return;
	tcsetattr(t.fd, TCSANOW, &t.before);
}

/* The terminal first; then whoever was to be told, as if we had not been here. */
static void dying(int sig)
{
	give_back();
	for (unsigned int i = 0; i < ARRAY_SIZE(deadly); i++)
		if (deadly[i] == sig)
			sigaction(sig, &before[i], NULL);
	raise(sig);
}

static void set_handler(int sig, void (*handler)(int), struct sigaction *old)
{
	struct sigaction sa = { .sa_handler = handler };

	sigemptyset(&sa.sa_mask);
	if (handler == dying)
		sa.sa_flags = SA_NODEFER;
	sigaction(sig, &sa, old);
}

static void take_signals(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(deadly); i++)
		set_handler(deadly[i], dying, &before[i]);
	set_handler(SIGWINCH, note_winch, &before_winch);
	set_handler(SIGTSTP, note_tstp, &before_tstp);
	if (before_tstp.sa_handler == SIG_IGN)	/* without job control nobody could bring us back */
		sigaction(SIGTSTP, &before_tstp, NULL);
	signals_before_exit(give_back);
}

static void give_signals(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaction(deadly[i], &before[i], NULL);
	sigaction(SIGWINCH, &before_winch, NULL);
	sigaction(SIGTSTP, &before_tstp, NULL);
	signals_before_exit(NULL);
}

/* ---- what the terminal can do ---- */

/* A string capability without the delays that only real hardware needs. */
static void add_restore(const char *name)
{
	const char *s = tigetstr((char *)name);

	if (!s || s == (char *)-1)
		return;
	while (*s && t.restore_len + 1 < sizeof(t.restore))
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			t.restore[t.restore_len++] = *s++;
}

static void add_bytes(const char *s)
{
	size_t len = strlen(s);

	if (t.restore_len + len < sizeof(t.restore)) {
		memcpy(t.restore + t.restore_len, s, len);
		t.restore_len += len;
	}
}

static void learn_restore(void)
{
	t.restore_len = 0;
	if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1)
		add_bytes("\033[?1006l\033[?1000l");
	add_restore("sgr0");
	add_restore("rmkx");
	add_restore("cnorm");
	add_restore("rmcup");
}

/* The form of this terminal that takes colours as they are, where its maker says that it can. */
static const char *name_of_terminal(void)
{
	static char name[128];
	const char *term = getenv("TERM"), *says = getenv("COLORTERM");
	char *end;
	int err;

	if (!term || !says || (strcmp(says, "truecolor") && strcmp(says, "24bit")))
		return term;
	snprintf(name, sizeof(name), "%s", term);
	end = strstr(name, "-256color");
	if (!end)
		return term;
	snprintf(end, sizeof(name) - (size_t)(end - name), "-direct");
	if (setupterm(name, t.fd, &err) == OK) {
		del_curterm(cur_term);
		return name;
	}
	return term;
}

static enum depth learn_depth(void)
{
	if (!has_colors() || (getenv("NO_COLOR") && getenv("NO_COLOR")[0]))
		return DEPTH_MONO;
	start_color();
	use_default_colors();
	return COLORS >= DEPTH_TRUE && tigetflag("RGB") > 0 ? DEPTH_TRUE : COLORS >= 256 ? DEPTH_256 :
	       COLORS >= 16 ? DEPTH_16 : DEPTH_8;
}

static void make_pairs(void)
{
	for (int tone = 0; t.depth != DEPTH_MONO && tone < TONE_NR; tone++)
		init_extended_pair(tone + 1, tone_colour((enum tone)tone, t.depth), -1);
}

/* ---- opening ---- */

static int check_terminal(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return fail(ENOTTY, "it needs a terminal: standard input and output are none");
	if (!term || !*term)
		return fail(ENOTSUP, "TERM is not set: which terminal this is cannot be known");
	if (!strcmp(term, "dumb"))
		return fail(ENOTSUP, "a dumb terminal (TERM=dumb) cannot place the cursor; views such as buddyinfo, slabs and watch work there");
	return 0;
}

static void close_files(void)
{
	if (t.in)
		fclose(t.in);
	if (t.out)
		fclose(t.out);
	if (t.fd >= 0)
		close(t.fd);
	t.in = t.out = NULL;
	t.fd = -1;
}

static void set_modes(void)
{
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

static int open_screen(void)
{
	const char *term;

	t.fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	if (t.fd < 0 || tcgetattr(t.fd, &t.before))
		return fail(EIO, "cannot ask the terminal: %s", strerror(errno));
	t.in = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10), "r");
	t.out = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), "w");
	if (!t.in || !t.out)
		return fail(EIO, "cannot open the terminal: %s", strerror(errno));
	term = name_of_terminal();
	t.screen = newterm((char *)term, t.out, t.in);
	if (!t.screen)
		return fail(ENOTSUP, "nothing is known of a terminal \"%s\" (TERM): see infocmp -D for where it is looked up", term);
	set_term(t.screen);
	return 0;
}

int term_open(void)
{
	static bool at_exit;
	int ret = check_terminal();

	if (ret)
		return ret;
	ret = open_screen();
	if (ret) {
		close_files();
		return ret;
	}
	learn_restore();
	if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
		endwin();
		delscreen(t.screen);
		close_files();
		return fail(ENOTSUP, "the terminal \"%s\" (TERM) cannot place the cursor", getenv("TERM"));
	}
	t.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	set_modes();
	t.depth = learn_depth();
	make_pairs();
	resized = suspended = 0;
	take_signals();
	t.open = true;
	if (!at_exit)
		atexit(term_close);
	at_exit = true;
	return 0;
}

void term_close(void)
{
	if (!t.open)
		return;
	give_signals();
	curs_set(1);
	mousemask(0, NULL);
	endwin();
	tcsetattr(t.fd, TCSADRAIN, &t.before);
	t.open = false;
	delscreen(t.screen);
	close_files();
	grid_free(&t.last);
}

bool term_is_ascii(void)
{
	return t.ascii;
}

enum depth term_depth(void)
{
	return t.depth;
}

int term_fd(void)
{
	return t.fd;
}

void term_size(int *w, int *h)
{
	struct winsize ws;

	if (resized && !ioctl(t.fd, TIOCGWINSZ, &ws) && ws.ws_row && ws.ws_col) {
		resized = 0;
		resizeterm(ws.ws_row, ws.ws_col);
		grid_free(&t.last);
		clearok(stdscr, TRUE);
	}
	getmaxyx(stdscr, *h, *w);
}

/* ---- showing ---- */

static void put_cell(int x, int y, const struct cell *c)
{
	unsigned int attrs = style_attrs(c->style, t.depth);
	attr_t a = (attrs & ATTR_BOLD ? A_BOLD : 0) | (attrs & ATTR_REVERSE ? A_REVERSE : 0) |
		   (attrs & ATTR_DIM ? A_DIM : 0) | (attrs & ATTR_UNDERLINE ? A_UNDERLINE : 0);
	int pair = t.depth == DEPTH_MONO ? 0 : (int)STYLE_TONE(c->style) + 1;
	wchar_t text[2] = { (wchar_t)c->ch, 0 };
	cchar_t cc;

	if (STYLE_TONE(c->style) == TONE_PLAIN)
		pair = 0;
	setcchar(&cc, text, a, 0, &pair);
	mvadd_wch(y, x, &cc);
}

void term_put(const struct grid *g, bool again)
{
	if (g->w != t.last.w || g->h != t.last.h || !t.last.cell) {
		grid_size(&t.last, g->w, g->h);
		again = true;
	}
	for (int y = 0; y < g->h; y++)
		for (int x = 0; x < g->w; x++) {
			const struct cell *c = grid_at(g, x, y), *old = grid_at(&t.last, x, y);

			if (again || c->ch != old->ch || c->style != old->style)
				put_cell(x, y, c);
		}
	memcpy(t.last.cell, g->cell, (size_t)g->w * (size_t)g->h * sizeof(*g->cell));
	refresh();
}

void term_cursor(int x, int y)
{
	curs_set(x >= 0);
	if (x >= 0)
		move(y, x);
	refresh();
}

/* ---- keys ---- */

static int translate(int code)
{
	static const struct { int nc, key; } table[] = {
		{ KEY_UP, K_UP }, { KEY_DOWN, K_DOWN }, { KEY_LEFT, K_LEFT }, { KEY_RIGHT, K_RIGHT },
		{ KEY_HOME, K_HOME }, { KEY_END, K_END }, { KEY_PPAGE, K_PAGE_UP }, { KEY_NPAGE, K_PAGE_DOWN },
		{ KEY_BACKSPACE, K_BACKSPACE }, { KEY_DC, K_DELETE }, { KEY_BTAB, K_BACKTAB },
		{ KEY_RESIZE, K_RESIZE }, { KEY_MOUSE, K_MOUSE }, { KEY_ENTER, KEY_RETURN },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].nc == code)
			return table[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return K_F1 + code - KEY_F(1);
	return KEY_NONE_YET;
}

static bool read_mouse(struct mouse *m)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return false;
	*m = (struct mouse){ .x = e.x, .y = e.y };
	if (e.bstate & BUTTON4_PRESSED)
		m->kind = MOUSE_WHEEL_UP;
	else if (e.bstate & BUTTON5_PRESSED)
		m->kind = MOUSE_WHEEL_DOWN;
	else if (e.bstate & BUTTON1_DOUBLE_CLICKED)
		m->kind = MOUSE_DOUBLE;
	else if (e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		m->kind = MOUSE_PRESS;
	else
		return false;
	return true;
}

int term_key(int timeout_ms, struct mouse *m)
{
	wint_t ch;
	int ret, key;

	if (resized)
		return K_RESIZE;
	timeout(timeout_ms);
	ret = get_wch(&ch);
	if (ret == ERR)
		return resized ? K_RESIZE : KEY_NONE_YET;
	if (ret != KEY_CODE_YES)
		return ch == 0x7f || ch == 8 ? K_BACKSPACE : ch == '\n' ? KEY_RETURN : (int)ch;
	key = translate((int)ch);
	if (key == K_MOUSE && !read_mouse(m))
		return KEY_NONE_YET;
	return key;
}

void term_suspend_if_asked(void)
{
	if (!suspended)
		return;
	suspended = 0;
	def_prog_mode();
	endwin();
	tcsetattr(t.fd, TCSADRAIN, &t.before);
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(SIGTSTP);
	set_handler(SIGTSTP, note_tstp, NULL);
	reset_prog_mode();
	resized = 1;	/* the window may have changed meanwhile */
	clearok(stdscr, TRUE);
	refresh();
}
