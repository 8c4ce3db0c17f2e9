/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work/run_report.h"

#include <string.h>

#include "base/units.h"

/* ---- figures ---- */

static uint64_t per_op(const struct run_figures *f)
{
	return f->ops ? (f->cpu_ns + f->ops / 2) / f->ops : 0;
}

static uint64_t per_second(const struct run_figures *f)
{
	return f->ns ? (uint64_t)((double)f->ops * 1e9 / (double)f->ns) : 0;
}

static const char *const names[] = {
	"ops", "allocs", "frees", "failed", "live", "cpus", "seed", "ns", "cpu_ns", "ns_per_op", "ops_per_s",
};

const char *run_figure_name(unsigned int i)
{
	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

uint64_t run_figure_value(const struct run_figures *f, unsigned int i)
{
	const uint64_t value[ARRAY_SIZE(names)] = {
		f->ops, f->allocs, f->frees, f->failed, f->live, f->cpus, f->seed, f->ns, f->cpu_ns, per_op(f),
		per_second(f),
	};

	return value[i];
}

/* ---- the model ---- */

static json_t *keys_json(const struct run *run)
{
	const struct workload *w = run_workload(run);
	json_t *keys = json_object();

	for (unsigned int i = 0; i < workload_keys(w); i++)
		json_object_set_new(keys, w->keys[i].name, json_integer((json_int_t)run_key_value(run, i)));
	return keys;
}

static const char *state_word(const struct run_figures *f, bool stopped)
{
	if (f->state == RUN_OVER)
		return stopped ? "stopped" : "done";
	return f->state == RUN_HELD ? "paused" : "running";
}

json_t *run_model(const struct run *run, const char *rest, bool stopped)
{
	json_t *m = json_object();
	struct run_figures f;

	run_figures(run, &f);
	json_object_set_new(m, "workload", json_string(run_workload(run)->name));
	json_object_set_new(m, "keys", keys_json(run));
	json_object_set_new(m, "mode", json_string(f.mode == RUN_PARALLEL ? "parallel" : "stepped"));
	json_object_set_new(m, "state", json_string(state_word(&f, stopped)));
	for (unsigned int i = 0; run_figure_name(i); i++)
		json_object_set_new(m, run_figure_name(i), json_integer((json_int_t)run_figure_value(&f, i)));
	if (f.of_ops)
		json_object_set_new(m, "of_ops", json_integer((json_int_t)f.of_ops));
	if (f.of_ns)
		json_object_set_new(m, "of_ns", json_integer((json_int_t)f.of_ns));
	json_object_set_new(m, "handle", rest ? json_string(rest) : json_null());
	if (f.state == RUN_OVER && f.failed)
		json_object_set_new(m, "first_failure", json_string(run_failed_why(run)));
	return m;
}

/* ---- text ---- */

static long long num(const json_t *m, const char *key)
{
	return json_integer_value(json_object_get(m, key));
}

static const char *word(const json_t *m, const char *key)
{
	return json_string_value(json_object_get(m, key));
}

static char *rate_text(double per_s, char *buf, size_t size)
{
	if (per_s >= 1e6)
		snprintf(buf, size, "%.1f M/s", per_s / 1e6);
	else if (per_s >= 1e4)
		snprintf(buf, size, "%.0f k/s", per_s / 1e3);
	else
		snprintf(buf, size, "%.0f/s", per_s);
	return buf;
}

static void text_keys(const json_t *m, FILE *to)
{
	const char *key;
	json_t *v;

	json_object_foreach(json_object_get(m, "keys"), key, v)
		fprintf(to, " %s=%lld", key, (long long)json_integer_value(v));
}

static void text_rest(const json_t *m, FILE *to)
{
	const char *handle = word(m, "handle");

	if (handle)
		fprintf(to, "  left    %lld in handle %s\n", num(m, "live"), handle);
	else if (!strcmp(word(m, "state"), "done") || !strcmp(word(m, "state"), "stopped"))
		fputs("  left    nothing\n", to);
	else
		fprintf(to, "  out     %lld\n", num(m, "live"));
}

void run_text(const json_t *m, FILE *to)
{
	char time[32], rate[32];

	fprintf(to, "%s%s%s %s on %lld CPU%s, seed %lld:", word(m, "workload"), !strcmp(word(m, "state"), "done") ? "" : " ",
		!strcmp(word(m, "state"), "done") ? "" : word(m, "state"), word(m, "mode"), num(m, "cpus"),
		plural(num(m, "cpus")), num(m, "seed"));
	text_keys(m, to);
	fprintf(to, "\n  ops     %lld in %s: %lld ns each, %s\n", num(m, "ops"),
		format_ns((uint64_t)num(m, "ns"), time, sizeof(time)), num(m, "ns_per_op"),
		rate_text((double)num(m, "ops_per_s"), rate, sizeof(rate)));
	fprintf(to, "  did     %lld allocations, %lld frees", num(m, "allocs"), num(m, "frees"));
	if (num(m, "failed"))
		fprintf(to, ", %lld that the lab could not serve", num(m, "failed"));
	fputc('\n', to);
	text_rest(m, to);
	if (word(m, "first_failure"))
		fprintf(to, "  failed  first because: %s\n", word(m, "first_failure"));
}

char *run_line(const struct workload *w, const struct run_figures *f, char *buf, size_t size)
{
	char rate[32];
	int at = snprintf(buf, size, "%s: %llu", w->name, (unsigned long long)f->ops);

	if (f->of_ops && at > 0 && (size_t)at < size)
		at += snprintf(buf + at, size - (size_t)at, " of %llu ops (%llu%%)", (unsigned long long)f->of_ops,
			       (unsigned long long)(f->ops * 100 / f->of_ops));
	else if (f->of_ns && at > 0 && (size_t)at < size)
		at += snprintf(buf + at, size - (size_t)at, " ops, %llu%% of the time", (unsigned long long)
			       ((f->mode == RUN_PARALLEL ? f->ns : f->ops * 1000) * 100 / f->of_ns));
	else if (at > 0 && (size_t)at < size)
		at += snprintf(buf + at, size - (size_t)at, " ops");
	if (at > 0 && (size_t)at < size)
		snprintf(buf + at, size - (size_t)at, ", %s",
			 f->state == RUN_HELD ? "paused" : rate_text((double)per_second(f), rate, sizeof(rate)));
	return buf;
}
