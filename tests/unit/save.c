/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of labs: what was saved comes back to the byte; what was cut, altered or forged does not, and harms nobody. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "base/rand.h"
#include "cpu/cpu.h"
#include "op/file.h"
#include "op/op.h"
#include "page/zone.h"
#include "slab/slab.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

static char folder[] = "/tmp/slablab-save-XXXXXX";
static char path[64];

static struct lab *small_lab(void)
{
	struct lab *lab = test_lab("mem=4M,cpus=1");

	for (unsigned int i = 0; i < 60; i++) {
		struct op op = { .kind = OP_KMALLOC, .size = 64 << i % 4, .gfp = GFP_KERNEL, .node = -1 };
		struct op_result r;

		assert_int_equal(op_run(lab, &op, &r), 0);
		if (i % 3)
			continue;
		op = (struct op){ .kind = OP_KFREE, .off = r.off };
		assert_int_equal(op_run(lab, &op, &r), 0);
	}
	return lab;
}

static uint8_t *read_file(size_t *size)
{
	FILE *f = fopen(path, "r");
	uint8_t *bytes;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	bytes = malloc(*size);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

static void write_file(const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static uint8_t *saved_file(size_t *size)
{
	struct lab *lab = small_lab();

	assert_int_equal(lab_save(lab, path), 0);
	lab_drop(lab);
	return read_file(size);
}

static void what_was_saved_comes_back_to_the_byte(void **state)
{
	struct lab *lab = small_lab(), *again;

	(void)state;
	assert_int_equal(lab_save(lab, path), 0);
	if (lab_load(path, "again", NULL, &again))
		fail_msg("%s", fail_why());
	assert_int_equal(lab_hash(again), lab_hash(lab));
	assert_int_equal(lab_check(again), 0);
	assert_string_equal(again->name, "again");
	lab_drop(again);
	lab_drop(lab);
}

static void refused(const char *what, size_t at)
{
	struct lab *lab;

	if (!lab_load(path, "bad", NULL, &lab))
		fail_msg("%s at byte %zu: it was loaded", what, at);
	if (!strstr(fail_why(), "no lab to load"))
		fail_msg("%s at byte %zu: %s", what, at, fail_why());
}

static void a_file_cut_at_any_byte_is_refused(void **state)
{
	size_t size;
	uint8_t *bytes = saved_file(&size);

	(void)state;
	for (size_t cut = size; cut-- > 0; ) {
		assert_int_equal(truncate(path, (off_t)cut), 0);
		refused("cut", cut);
	}
	free(bytes);
}

static void alter(size_t at, uint8_t byte)
{
	int fd = open(path, O_WRONLY);

	assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
	close(fd);
}

static void a_file_altered_at_any_byte_is_refused(void **state)
{
	uint64_t rand = 3;
	size_t size;
	uint8_t *bytes = saved_file(&size);

	(void)state;
	for (size_t at = 0; at < size; at++) {
		uint8_t other = bytes[at] ^ (uint8_t)(1 + rand_below(&rand, 255));

		alter(at, other);
		refused("altered", at);
		alter(at, bytes[at]);
	}
	bytes = realloc(bytes, size + 1);
	bytes[size] = 0;
	write_file(bytes, size + 1);
	refused("something behind it", size);
	free(bytes);
}

static void foreign_files_are_refused(void **state)
{
	struct lab *lab;
	uint64_t rand = 5;
	uint8_t noise[5000];

	(void)state;
	for (unsigned int i = 0; i < 200; i++) {
		size_t size = rand_below(&rand, sizeof(noise));

		for (size_t b = 0; b < size; b++)
			noise[b] = (uint8_t)rand_below(&rand, 256);
		if (i % 2 && size > 8)
			memcpy(noise, FILE_MAGIC, 8);
		write_file(noise, size);
		refused("noise", i);
	}
	assert_int_equal(lab_load("/dev/null", "bad", NULL, &lab), -EINVAL);
	assert_int_equal(lab_load(folder, "bad", NULL, &lab), -EINVAL);
	assert_int_equal(lab_load("/nowhere/at/all", "bad", NULL, &lab), -ENOENT);
}

/* ---- forged: checksums that are right over content that is not ---- */

struct unpacked {
	struct file_header h;
	uint64_t index[512];
	uint8_t content[512][PAGE_SIZE];
};

static void unpack(const uint8_t *bytes, struct unpacked *u)
{
	const uint8_t *at = bytes + sizeof(u->h);

	memcpy(&u->h, bytes, sizeof(u->h));
	assert_true(u->h.pages <= 512);
	for (uint64_t i = 0; i < u->h.pages; i++) {
		struct file_page p;
		uLongf size = PAGE_SIZE;

		memcpy(&p, at, sizeof(p));
		assert_int_equal(uncompress(u->content[i], &size, at + sizeof(p), p.bytes), Z_OK);
		u->index[i] = p.index;
		at += sizeof(p) + p.bytes;
	}
}

static void put(FILE *f, uLong *crc, const void *bytes, size_t size)
{
	*crc = crc32(*crc, bytes, (uInt)size);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
}

static void pack(struct unpacked *u)
{
	FILE *f = fopen(path, "w");
	struct file_end end = { .magic = FILE_END_MAGIC };
	uLong crc = 0;

	assert_non_null(f);
	u->h.crc = (uint32_t)crc32(0, (const Bytef *)&u->h, offsetof(struct file_header, crc));
	put(f, &crc, &u->h, sizeof(u->h));
	for (uint64_t i = 0; i < u->h.pages; i++) {
		Bytef packed[PAGE_SIZE + 512];
		uLongf size = sizeof(packed);
		struct file_page p = { .index = u->index[i] };

		assert_int_equal(compress2(packed, &size, u->content[i], PAGE_SIZE, 1), Z_OK);
		p.bytes = (uint32_t)size;
		p.crc = file_page_crc(&p, u->content[i]);
		put(f, &crc, &p, sizeof(p));
		put(f, &crc, packed, size);
	}
	end.crc = (uint32_t)crc;
	put(f, &crc, &end, sizeof(end));
	assert_int_equal(fclose(f), 0);
}

static void a_forged_file_harms_nobody(void **state)
{
	static struct unpacked good, bad;
	unsigned int loaded = 0, tries = 150;
	uint64_t rand = 7;
	size_t size;
	uint8_t *bytes = saved_file(&size);
	struct lab *lab;

	(void)state;
	unpack(bytes, &good);
	bad = good;
	pack(&bad);
	assert_int_equal(lab_load(path, "same", NULL, &lab), 0);	/* the forger knows the format */
	lab_drop(lab);
	for (unsigned int i = 0; i < tries; i++) {
		bad = good;
		for (uint64_t n = 1 + rand_below(&rand, 3); n; n--) {
			uint8_t *page = bad.content[rand_below(&rand, bad.h.pages)];
			uint64_t word = rand_below(&rand, 4) ? rand_below(&rand, 256) : ~0ULL << rand_below(&rand, 64);

			memcpy(page + rand_below(&rand, PAGE_SIZE - 8), &word, 1 + rand_below(&rand, 8));
		}
		pack(&bad);
		if (lab_load(path, "forged", NULL, &lab))
			continue;
		/* what was taken in holds every rule: an event count or an object's bytes were changed */
		assert_int_equal(lab_check(lab), 0);
		lab_drop(lab);
		loaded++;
	}
	assert_true(loaded < tries);
	free(bytes);
}

static void a_forged_header_is_refused(void **state)
{
	static struct unpacked good, bad;
	static const size_t words[] = {
		offsetof(struct header, magic), offsetof(struct header, region_bytes),
		offsetof(struct header, offset[SEC_ARENA]), offsetof(struct header, bytes[SEC_CPU]),
		offsetof(struct header, shape.cpus), offsetof(struct header, shape.nodes),
		offsetof(struct header, shape.zones), offsetof(struct header, shape.pages),
		offsetof(struct header, shape.zone[0].managed),
	};
	static const uint64_t values[] = { 0, 1ULL << 40, UINT64_MAX };
	size_t size;
	uint8_t *bytes = saved_file(&size);

	(void)state;
	unpack(bytes, &good);
	for (size_t w = 0; w < ARRAY_SIZE(words); w++)
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			bad = good;
			memcpy(bad.content[0] + words[w], &values[v], 8);
			pack(&bad);
			refused("forged header", words[w]);
		}
	free(bytes);
}

/* The byte at this place of the region. */
static void forge(const struct unpacked *good, uint64_t at, uint8_t byte)
{
	static struct unpacked bad;
	uint64_t i = 0;

	bad = *good;
	while (bad.index[i] != at / PAGE_SIZE)
		assert_true(++i < bad.h.pages);
	bad.content[i][at % PAGE_SIZE] = byte;
	pack(&bad);
}

static void what_leads_astray_is_refused(void **state)
{
	static struct unpacked good;
	struct header h;
	size_t size;
	uint8_t *bytes = saved_file(&size);
	uint64_t cpu;

	(void)state;
	unpack(bytes, &good);
	memcpy(&h, good.content[0], sizeof(h));
	cpu = h.offset[SEC_CPU];
	const struct {
		uint64_t at;
		const char *what;
	} place[] = {
		{ offsetof(struct header, last_cpu), "last CPU" },
		{ offsetof(struct header, last_kind), "last kind" },
		{ cpu + offsetof(struct cpu_part, story_op[0].kind), "kind" },
		{ cpu + offsetof(struct cpu_part, story_op[0].cache) + 3, "cache" },
		{ cpu + offsetof(struct cpu_part, story[0].event) + 1, "event" },
		{ h.offset[SEC_ZONE] + offsetof(struct zone, lock.word), "lock" },
		{ offsetof(struct header, heap_top), "side memory given out" },
		{ offsetof(struct header, heap_free[7]), "free side memory" },
		{ offsetof(struct header, handles), "table of handles" },
		{ offsetof(struct header, handle_slots), "slots" },
		{ offsetof(struct header, oldest_handle), "oldest handle" },
		{ offsetof(struct header, handle_used), "handles in use" },
		{ h.handles, "free slots" },
		{ h.offset[SEC_CACHE] + sizeof(struct cache) + offsetof(struct cache, nr_stores), "stores of a cache" },
		{ h.offset[SEC_STORE] + sizeof(struct store) + offsetof(struct store, history), "history of a store" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(place); i++) {
		forge(&good, place[i].at, 0xee);
		refused(place[i].what, 0);
	}
	free(bytes);
}

static void saving_where_nothing_can_be_written_is_refused(void **state)
{
	struct lab *lab = small_lab();
	uint64_t hash = lab_hash(lab);

	(void)state;
	assert_true(lab_save(lab, "/nowhere/at/all") < 0);
	assert_true(lab_save(lab, "/dev/null") < 0);
	assert_true(lab_save(lab, "") < 0);
	assert_true(lab_save(lab, folder) < 0);
	assert_int_equal(lab_hash(lab), hash);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_saved_comes_back_to_the_byte),
		cmocka_unit_test(a_file_cut_at_any_byte_is_refused),
		cmocka_unit_test(a_file_altered_at_any_byte_is_refused),
		cmocka_unit_test(foreign_files_are_refused),
		cmocka_unit_test(a_forged_file_harms_nobody),
		cmocka_unit_test(a_forged_header_is_refused),
		cmocka_unit_test(what_leads_astray_is_refused),
		cmocka_unit_test(saving_where_nothing_can_be_written_is_refused),
	};
	int ret;

	if (!mkdtemp(folder))
		return 99;
	snprintf(path, sizeof(path), "%s/lab", folder);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(folder);
	return ret;
}
