/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy - every policy variable, declared once as a row.
 *
 * Idea. A row says what a policy is called, which values it takes, which
 * plain field holds them, what a change brings about and which kernel
 * parameter it stands for. set, get, help, completion, the manual's table and
 * --boot read these rows; hot paths read the plain field, never the table.
 *
 * The functions here only read and write fields. What has to follow a change
 * (watermarks anew, caches that move to another store) is the work of
 * op_set(), which finds in the row what it needs: home, page_change and
 * store_field.
 *
 * Ownership. Fields are written with all CPUs stopped, by op_set() or while
 * the lab is being made.
 *
 * Files: table.c the rows, value.c texts to fields and back, custom.c the
 * values that need rules of their own, near.c names like an unknown one,
 * boot.c kernel command lines.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "lab/lab.h"
#include "page/policy.h"
#include "slab/policy.h"

/* lab: one value. cache: lab-wide, and an override for one cache. shape: fixed when the lab is made. */
enum policy_scope { SCOPE_LAB, SCOPE_CACHE, SCOPE_SHAPE };
enum policy_type { POLICY_BOOL, POLICY_INT, POLICY_ENUM, POLICY_AUTO_INT, POLICY_CUSTOM };
enum policy_home { HOME_PAGE, HOME_SLAB, HOME_STORE, HOME_HEADER };	/* which struct .field lies in */
enum takes_effect { EFFECT_NOW, EFFECT_RESTORE, EFFECT_NEXT_USE, EFFECT_SIZES, EFFECT_DRAIN, EFFECT_SHAPE };

#define POLICY_TEXT_MAX 320	/* longest value as text, with its NUL */

struct policy_row {
	const char *name;
	enum policy_scope scope;
	enum policy_type type;
	enum policy_home home;
	size_t field;			/* offsetof in the home struct */
	uint8_t bytes;			/* width of the field */
	int64_t min, max;		/* ENUM: first and last word that may be set */
	const char *const *words;	/* ENUM: value i is words[i], NULL-terminated */
	int64_t auto_value;		/* AUTO_INT: what the field holds for "auto" */
	const char *def;		/* linux-6.1 */
	bool def_by_host;		/* def holds where the host can do it; else the row stays off */
	/*
	 * Where def is only what most labs have: the field holds `unset` until
	 * somebody sets the policy, and what then counts is for by_rule to say.
	 */
	int64_t unset;
	int64_t (*by_rule)(const struct lab *lab, const struct store_policy *p);
	uint32_t store_field;		/* SF_* of a per-cache row; ~0: all caches are looked at again */
	enum page_change page_change;
	enum takes_effect effect;
	const char *effect_text;	/* in words, for the manual */
	const char *param;		/* kernel parameter, sysctl (vm.…) or sysfs attribute (/…); NULL: no kernel offers it */
	const char *source;		/* where rule and value come from */
	const char *text;		/* what it does */
	const char *detail;		/* what each value means, where that needs saying; else NULL */
	/*
	 * POLICY_CUSTOM: own range, reader and printer. home is the struct the
	 * field lies in. The …_cache forms are for overrides; where they are
	 * missing the others serve, home being the cache's struct store_policy.
	 */
	const char *range;
	int (*parse)(struct lab *lab, const struct policy_row *row, void *home, const char *value);
	void (*print)(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size);
	int (*parse_cache)(struct lab *lab, const struct policy_row *row, void *home, const char *value);
	void (*print_cache)(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
			    size_t size);
};

extern const struct policy_row policy_table[];
extern const unsigned int policy_nr;
#define POLICY_MOST 256		/* rows that there may be */

const struct policy_row *policy_find(const char *name);
/*
 * The per-cache row whose last part this is, for cache.NAME.PART. Where rows of
 * several engines share it, that of the cache's engine (by name); without one, SLUB's.
 */
const struct policy_row *policy_find_part_of(const char *part, const char *engine);
const struct policy_row *policy_find_part(const char *part);
/* The row that a path speaks of: slub.max_order or cache.NAME.max_order; NULL: none. */
const struct policy_row *policy_of_path(const char *path);
/* "max_order" of slub.max_order. */
const char *policy_part(const struct policy_row *row);
/* The row of this sysctl ("vm.min_free_kbytes") or sysfs attribute ("/min_partial"). */
const struct policy_row *policy_find_param(const char *param);

/* Value of a row now: lab-wide (cache 0), or what counts for that cache: its override, else the lab's value. */
void policy_print(struct lab *lab, const struct policy_row *row, uint32_t cache, char *buf, size_t size);

/* Did nobody set it, so that by_rule counts? False for rows that have none. */
bool policy_is_unset(struct lab *lab, const struct policy_row *row);

/* Does this cache have an override of its own? */
bool policy_is_overridden(struct lab *lab, const struct policy_row *row, uint32_t cache);

/*
 * Parse and store into the field only; what has to follow is op_set's work.
 * row->def itself (not its text) takes a row with a rule back to it.
 * For a cache, "auto" takes the override away. -EINVAL or -ERANGE with a
 * sentence that names policy, value and range; then nothing was stored.
 */
int policy_store(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value);

/*
 * A row whose field lies in the shape, before the lab is made. -EINVAL for
 * other rows; policy_is_of_shape() tells them apart.
 */
bool policy_is_of_shape(const struct policy_row *row);
int policy_store_shape(struct shape *shape, const struct policy_row *row, const char *value);

/* Range in words: "0 .. 10", "on, off", "auto or 1 .. 4096". */
char *policy_range(const struct policy_row *row, char *buf, size_t size);

/* Up to three names near an unknown one, ", "-joined; "" if none is near. */
char *policy_near(const char *name, char *buf, size_t size);

/*
 * Has every lab-wide field of a plain type a value that its row can have?
 * -EUCLEAN with a sentence.
 */
int policy_check(struct lab *lab);

/* Defaults of all rows into a fresh lab's structs (rows of the shape excepted). */
void policy_defaults(struct lab *lab);

/*
 * A kernel command line: policies are stored, shape words (nr_cpus, maxcpus,
 * possible_cpus, mem) change `shape` where it does not say. Unknown words are
 * joined in `warning` ("" if there are none); a bad value of a known one is
 * -EINVAL or -ERANGE. Whoever makes the lab calls the first before, the second after.
 */
int boot_shape(const char *line, struct shape *shape);
int boot_policies(struct lab *lab, const char *line, char warning[256]);

#endif
