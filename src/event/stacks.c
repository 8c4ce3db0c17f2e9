/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "event/stack.h"

static const char *const lock_names[] = { "zone_lock", "list_lock" };

/* Functions of the kernel whose calls are an event here. */
static const struct {
	const char *name;
	enum event_id event;
} functions[] = {
	{ "new_slab", EV_alloc_slab },
	{ "discard_slab", EV_free_slab },
};

int stacks_find(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(lock_names); i++)
		if (!strcmp(name, lock_names[i]))
			return (int)(STACK_ZONE_LOCK + i);
	for (unsigned int i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(name, functions[i].name))
			return (int)functions[i].event;
	return event_find(name);
}

const char *stacks_name(unsigned int event)
{
	return event < EV_NR ? event_table[event].name : lock_names[event - STACK_ZONE_LOCK];
}

/* libunwind prepares itself at its first use: with CPUs stopped, so that none meets it half done. */
static void warm_up(void)
{
	struct stack stack;

	stack_take(&stack);
}

struct stacks *stacks_make(void)
{
	struct stacks *s = calloc(1, sizeof(*s));

	if (s)
		pthread_mutex_init(&s->mutex, NULL);
	warm_up();
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	pthread_mutex_destroy(&s->mutex);
	free(s->entry);
	free(s);
}

bool stacks_wants(const struct stacks *s, unsigned int event)
{
	return s && s->wanted[event / 8] >> event % 8 & 1;
}

bool stacks_idle(const struct stacks *s)
{
	for (unsigned int i = 0; s && i < sizeof(s->wanted); i++)
		if (s->wanted[i])
			return false;
	return true;
}

static void insert(struct stacks *s, uint32_t i)
{
	uint32_t *bucket = &s->bucket[((uintptr_t)s->entry[i].text >> 4 ^ s->entry[i].event) % ARRAY_SIZE(s->bucket)];

	s->entry[i].next = *bucket;
	*bucket = i + 1;
}

static void forget(struct stacks *s, unsigned int event)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < s->nr; i++)
		if (s->entry[i].event != event)
			s->entry[nr++] = s->entry[i];
	s->nr = nr;
	memset(s->bucket, 0, sizeof(s->bucket));
	for (uint32_t i = 0; i < nr; i++)
		insert(s, i);
}

void stacks_want(struct stacks *s, unsigned int event, bool wanted)
{
	if (wanted) {
		s->wanted[event / 8] |= (uint8_t)(1u << event % 8);
		return;
	}
	s->wanted[event / 8] &= (uint8_t)~(1u << event % 8);
	forget(s, event);
}

static bool grow(struct stacks *s)
{
	uint32_t cap = s->cap ? 2 * s->cap : 64;
	struct stacks_entry *more = realloc(s->entry, cap * sizeof(*more));

	if (!more)
		return false;
	s->entry = more;
	s->cap = cap;
	return true;
}

static void count(struct stacks *s, unsigned int event, const char *text)
{
	uint32_t i = s->bucket[((uintptr_t)text >> 4 ^ event) % ARRAY_SIZE(s->bucket)];

	while (i && (s->entry[i - 1].text != text || s->entry[i - 1].event != event))
		i = s->entry[i - 1].next;
	if (i) {
		s->entry[i - 1].count++;
		return;
	}
	if (s->nr == s->cap && !grow(s)) {
		s->lost++;
		return;
	}
	s->entry[s->nr] = (struct stacks_entry){ .text = text, .count = 1, .event = event };
	insert(s, s->nr++);
}

/* Not inlined: its frame is the one that stack_take() leaves out. */
__attribute__((noinline)) void stacks_note_slow(struct stacks *s, unsigned int event)
{
	struct stack stack;
	const char *text;

	stack_take(&stack);
	text = stack_text(&stack);
	pthread_mutex_lock(&s->mutex);
	count(s, event, text);
	pthread_mutex_unlock(&s->mutex);
}
