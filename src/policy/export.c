/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/export.h"

#include <string.h>

enum place { PLACE_NONE, PLACE_BOOT, PLACE_SYSCTL, PLACE_SYSFS };

/* Since 6.8 this word is SLUB's, and the queued engine's has none. */
static bool is_taken(struct lab *lab, const struct policy_row *row)
{
	return !strcmp(row->param, "slab_max_order") && lab_slab_policy(lab)->store.era >= ERA_6_8;
}

static enum place place_of(struct lab *lab, const struct policy_row *row)
{
	if (!row->param || is_taken(lab, row))
		return PLACE_NONE;
	return row->param[0] == '/' ? PLACE_SYSFS : !strncmp(row->param, "vm.", 3) ? PLACE_SYSCTL : PLACE_BOOT;
}

static bool differs(struct lab *lab, const struct policy_row *row, char *now)
{
	policy_print(lab, row, 0, now, POLICY_TEXT_MAX);
	return strcmp(now, row->def) && !row->def_by_host && !policy_is_unset(lab, row);
}

/* "failslab" and "interval" */
static const char *value_of(struct lab *lab, const char *param, const char *field, char *value)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.%s", param, field);
	policy_print(lab, policy_find(name), 0, value, POLICY_TEXT_MAX);
	return value;
}

/* Parameters that are words of their own, or hold several policies; else NAME=VALUE. */
static void boot_word(struct lab *lab, const struct policy_row *row, const char *now, FILE *to)
{
	char v[4][POLICY_TEXT_MAX];

	if (!strcmp(row->param, "slab_nomerge") || !strcmp(row->param, "noaliencache"))
		fputs(row->param, to);	/* stands for off, which is not the default */
	else if (!strcmp(row->param, "failslab") || !strcmp(row->param, "fail_page_alloc"))
		fprintf(to, "%s=%s,%s,%s,%s", row->param, value_of(lab, row->param, "interval", v[0]),
			value_of(lab, row->param, "probability", v[1]), value_of(lab, row->param, "space", v[2]),
			value_of(lab, row->param, "times", v[3]));
	else if (row->type == POLICY_BOOL)
		fprintf(to, "%s=%d", row->param, !strcmp(now, "on"));
	else
		fprintf(to, "%s=%s", row->param, now);
}

/* A parameter that holds several policies is said at the first of them that differs. */
static bool is_said_before(struct lab *lab, const struct policy_row *row)
{
	char now[POLICY_TEXT_MAX];

	for (const struct policy_row *r = policy_table; r < row && row->param; r++)
		if (r->param && !strcmp(r->param, row->param) && differs(lab, r, now))
			return true;
	return false;
}

static const char *instead(enum place place)
{
	static const char *const where[] = {
		[PLACE_NONE] = "no kernel offers it", [PLACE_BOOT] = "a boot parameter (export cmdline)",
		[PLACE_SYSCTL] = "a sysctl (export sysctl)", [PLACE_SYSFS] = "an attribute of each cache in /sys/kernel/slab",
	};

	return where[place];
}

/* What differs and has its word elsewhere, or nowhere. */
static void remarks(struct lab *lab, enum place here, FILE *to)
{
	char now[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];
		enum place place = place_of(lab, row);

		if (place == here || !differs(lab, row, now) || is_said_before(lab, row))
			continue;
		if (!strncmp(row->name, "lab.", 4) || !strncmp(row->name, "event.", 6))
			continue;	/* how this lab is watched */
		fprintf(to, "# %s %s: %s\n", row->name, *now ? now : "\"\"", instead(place));
	}
}

void policy_export_cmdline(struct lab *lab, FILE *to)
{
	char now[POLICY_TEXT_MAX];
	const char *between = "";

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (place_of(lab, row) != PLACE_BOOT || !differs(lab, row, now) || is_said_before(lab, row))
			continue;
		fputs(between, to);
		boot_word(lab, row, now, to);
		between = " ";
	}
	fputc('\n', to);
	remarks(lab, PLACE_BOOT, to);
}

/* A kernel takes lists with blanks, and 0 where there is no reserve. */
static void sysctl_value(const char *now, FILE *to)
{
	if (!strcmp(now, "none"))
		now = "0,0,0,0";
	for (; *now; now++)
		fputc(*now == ',' ? ' ' : *now, to);
	fputc('\n', to);
}

void policy_export_sysctl(struct lab *lab, FILE *to)
{
	char now[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (place_of(lab, row) != PLACE_SYSCTL || !differs(lab, row, now))
			continue;
		fprintf(to, "%s = ", row->param);
		sysctl_value(now, to);
	}
	remarks(lab, PLACE_SYSCTL, to);
}
