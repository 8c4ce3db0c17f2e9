/* SPDX-License-Identifier: GPL-3.0-or-later */
#define UNW_LOCAL_ONLY
#include "event/stack.h"

#include <dlfcn.h>
#include <libunwind.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define ROOTS 8
#define FRAME_TEXT 160

struct known {
	struct known *next;
	uint64_t hash;
	struct stack stack;
	char *text;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct known *known[BUCKETS];
static const char *roots[ROOTS];

/* Functions that ask the allocators for somebody: what called the outermost of them is the caller. */
static const char *const askers[] = {
	"op_run", "op_play", "op_exec", "entry_kmalloc", "entry_kfree", "cache_alloc", "cache_free", "alloc_slow",
	"free_slow", "free_elsewhere", "free_odd", "entry_alloc_bulk", "entry_free_bulk", "entry_alloc_pages",
	"entry_free_pages", "lab_kmalloc", "lab_kfree", "lab_cache_alloc", "lab_cache_free",
};

void stack_root(const char *function)
{
	pthread_mutex_lock(&mutex);
	for (unsigned int i = 0; i < ROOTS; i++) {
		if (!roots[i])
			roots[i] = function;
		if (!strcmp(roots[i], function))
			break;
	}
	pthread_mutex_unlock(&mutex);
}

/*
 * Return addresses, this function's caller first. ThreadSanitizer is gone from a
 * thread before libunwind frees the cache that unw_backtrace() keeps for it,
 * so there the frames are walked one by one, which keeps none.
 */
#if defined(__SANITIZE_THREAD__)
static int addresses(void **ip, int most)
{
	unw_context_t here;
	unw_cursor_t cursor;
	int nr = 0;

	if (unw_getcontext(&here) || unw_init_local(&cursor, &here))
		return 0;
	while (nr < most && unw_step(&cursor) > 0) {
		unw_word_t at = 0;

		unw_get_reg(&cursor, UNW_REG_IP, &at);
		ip[nr++] = (void *)at;
	}
	return nr;
}
#else
#define addresses(ip, most) unw_backtrace((ip), (most))
#endif

/* Not inlined: its own frame and its caller's, which goes on from there, are left out. */
__attribute__((noinline)) void stack_take(struct stack *s)
{
	void *ip[STACK_DEPTH + 2];
	int nr = addresses(ip, STACK_DEPTH + 2);

	s->nr = nr > 2 ? (unsigned int)nr - 2 : 0;
	for (unsigned int i = 0; i < s->nr; i++)
		s->ip[i] = (uintptr_t)ip[i + 2];
}

static uint64_t hash_of(const struct stack *s)
{
	uint64_t h = s->nr;

	for (unsigned int i = 0; i < s->nr; i++)
		h = (h ^ s->ip[i]) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
	return h;
}

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

/* "entry_kmalloc_told" and "entry_kmalloc" are one function: variants have their name behind them. */
static bool is_named(const char *line, size_t n, const char *name)
{
	static const char *const variants[] = { "", "_bare", "_counted", "_told" };
	size_t own = strlen(name);

	for (unsigned int i = 0; i < ARRAY_SIZE(variants); i++)
		if (n == own + strlen(variants[i]) && !strncmp(line, name, own) && !strncmp(line + own, variants[i], n - own))
			return true;
	return false;
}

static bool is_root(const char *name)
{
	for (unsigned int i = 0; i < ROOTS && roots[i]; i++)
		if (is_named(name, strlen(name), roots[i]))
			return true;
	return false;
}

/* One frame as a line; false at the root. */
static bool frame_text(unw_cursor_t *at, uintptr_t ip, char *buf, size_t size)
{
	unw_word_t off = 0;
	unw_proc_info_t info = { 0 };
	Dl_info dl = { 0 };
	char name[96], *dot;

	dladdr((void *)(ip - 1), &dl);
	if (unw_get_proc_name(at, name, sizeof(name), &off) < 0) {
		snprintf(buf, size, "0x%zx [%s]\n", (size_t)(ip - (uintptr_t)dl.dli_fbase), file_name(dl.dli_fname));
		return true;
	}
	dot = strchr(name, '.');	/* what the compiler made of it: "f.part.0" is f */
	if (dot && dot != name)
		*dot = 0;
	if (is_root(name))
		return false;
	unw_get_proc_info(at, &info);
	snprintf(buf, size, "%s+0x%zx/0x%zx [%s]\n", name, (size_t)off, (size_t)(info.end_ip - info.start_ip),
		 file_name(dl.dli_fname));
	return true;
}

/* Walk again, this time with names. */
static char *name_frames(const struct stack *s)
{
	size_t at = 0, size = (size_t)s->nr * FRAME_TEXT + 1;
	char *text = calloc(1, size);
	unw_context_t here;
	unw_cursor_t cursor;

	if (!text || unw_getcontext(&here) || unw_init_local(&cursor, &here))
		return text;
	for (unsigned int i = 0; i < s->nr; ) {
		unw_word_t ip = 0;

		unw_get_reg(&cursor, UNW_REG_IP, &ip);
		if ((uintptr_t)ip == s->ip[i]) {
			if (!frame_text(&cursor, ip, text + at, size - at))
				break;
			at += strlen(text + at);
			i++;
		}
		if (unw_step(&cursor) <= 0)
			break;
	}
	return text;
}

const char *stack_text(const struct stack *s)
{
	uint64_t hash = hash_of(s);
	struct known *k;

	pthread_mutex_lock(&mutex);
	for (k = known[hash % BUCKETS]; k; k = k->next)
		if (k->hash == hash && k->stack.nr == s->nr && !memcmp(k->stack.ip, s->ip, s->nr * sizeof(s->ip[0])))
			break;
	if (!k && (k = calloc(1, sizeof(*k)))) {
		k->hash = hash;
		k->stack = *s;
		k->text = name_frames(s);
		k->next = known[hash % BUCKETS];
		known[hash % BUCKETS] = k;
	}
	pthread_mutex_unlock(&mutex);
	return k && k->text ? k->text : "";
}

const char *stack_caller(const char *text)
{
	const char *from = text;

	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		size_t n = strcspn(line, "+\n");

		for (unsigned int i = 0; i < ARRAY_SIZE(askers); i++)
			if (is_named(line, n, askers[i]))
				from = end + 1;
	}
	return from;
}
