/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main - a fuzzing driver for compilers without libFuzzer.
 *
 *   TARGET ROUNDS SEED FILE...
 *
 * Runs every file as it is, then ROUNDS changed copies: bytes flipped, pieces
 * cut, doubled, or taken from another file. The same SEED makes the same run;
 * the input under way is kept in `fuzz-input` when the target dies.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define INPUT_MAX 4096u

struct input {
	uint8_t bytes[INPUT_MAX];
	size_t size;
};

static struct input now;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(((state >> 33) * (uint64_t)below) >> 31);
}

static void keep_input(int sig)
{
	int fd = open("fuzz-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd >= 0 && write(fd, now.bytes, now.size) < 0)
		_exit(2);
	signal(sig, SIG_DFL);
	raise(sig);
}

static struct input read_file(const char *path)
{
	struct input in = { .size = 0 };
	FILE *f = fopen(path, "rb");

	if (!f) {
		perror(path);
		exit(2);
	}
	in.size = fread(in.bytes, 1, INPUT_MAX, f);
	fclose(f);
	return in;
}

static void change_bytes(struct input *in)
{
	static const uint8_t odd[] = { 0, '\n', ' ', '"', '\'', '{', '}', '[', ']', '$', '|', '>', ';', '=', '-', '9', 255 };

	for (uint32_t n = 1 + draw(8); n && in->size; n--)
		in->bytes[draw((uint32_t)in->size)] = draw(2) ? odd[draw(sizeof(odd))] : (uint8_t)draw(256);
}

static void cut_piece(struct input *in)
{
	uint32_t from = draw((uint32_t)in->size + 1), len = draw((uint32_t)(in->size - from) + 1);

	memmove(in->bytes + from, in->bytes + from + len, in->size - from - len);
	in->size -= len;
}

static void insert_piece(struct input *in, const struct input *other)
{
	uint32_t at = draw((uint32_t)in->size + 1), from = draw((uint32_t)other->size + 1);
	size_t len = draw((uint32_t)(other->size - from) + 1);

	if (len > INPUT_MAX - in->size)
		len = INPUT_MAX - in->size;
	memmove(in->bytes + at + len, in->bytes + at, in->size - at);
	memmove(in->bytes + at, other->bytes + from, len);
	in->size += len;
}

static void change(struct input *in, const struct input *files, uint32_t nr)
{
	for (uint32_t n = 1 + draw(4); n; n--) {
		switch (draw(3)) {
		case 0: change_bytes(in); break;
		case 1: cut_piece(in); break;
		case 2: insert_piece(in, &files[draw(nr)]); break;
		}
	}
}

int main(int argc, char **argv)
{
	uint32_t nr = argc > 3 ? (uint32_t)(argc - 3) : 0;
	struct input *files = calloc(nr ? nr : 1, sizeof(*files));
	unsigned long rounds;

	if (!files || !nr) {
		fprintf(stderr, "usage: %s ROUNDS SEED FILE...\n", argv[0]);
		return 2;
	}
	rounds = strtoul(argv[1], NULL, 0);
	state = strtoull(argv[2], NULL, 0);
	signal(SIGSEGV, keep_input);
	signal(SIGABRT, keep_input);
	for (uint32_t i = 0; i < nr; i++) {
		now = files[i] = read_file(argv[3 + i]);
		LLVMFuzzerTestOneInput(now.bytes, now.size);
	}
	for (unsigned long r = 0; r < rounds; r++) {
		now = files[draw(nr)];
		change(&now, files, nr);
		LLVMFuzzerTestOneInput(now.bytes, now.size);
	}
	fprintf(stderr, "%u files, %lu changed inputs: no harm\n", nr, rounds);
	free(files);
	return 0;
}
