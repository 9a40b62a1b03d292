/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The work of a job: what the command line does, with the same words and exit codes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/oc_err.h"
#include "../evidence/audit/oev_audit.h"
#include "../evidence/oev_time.h"
#include "../evidence/page/oev_page.h"
#include "../evidence/replay/oev_whatif.h"
#include "../evidence/verify/oev_verify.h"
#include "oweb_jobs.h"

#define TOOL "doic " DOIC_VERSION

/* What a writer makes of @object, as a text; NULL when that fails. */
struct text {
	char *data;
	size_t len;
	FILE *file;
};

static FILE *text_open(struct text *text)
{
	*text = (struct text){ 0 };
	return text->file = open_memstream(&text->data, &text->len);
}

static char *text_take(struct text *text, bool is_good)
{
	bool is_closed = text->file != NULL && fclose(text->file) == 0;

	if (is_closed && is_good)
		return text->data;
	free(text->data);
	return NULL;
}

static void on_verify(void *ctx, uint64_t done, uint64_t total, uint64_t rows)
{
	const struct oweb_job_watch *watch = ctx;

	(void)rows;
	watch->progress(watch->ctx, done, total);
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct oweb_job_watch *watch = ctx;

	watch->progress(watch->ctx, done, total);
}

static bool on_stop(void *ctx)
{
	const struct oweb_job_watch *watch = ctx;

	return watch->stop(watch->ctx);
}

static void run_verify(const struct oweb_task *task, const struct oweb_job_watch *watch,
		       struct oweb_result *out)
{
	struct oev_verify_result result;
	const struct oev_verify_options options = { .path = task->folder,
						    .key = task->key[0] != '\0' ? task->key : NULL,
						    .progress = on_verify,
						    .stop = on_stop,
						    .ctx = (void *)(uintptr_t)watch };
	struct text text;

	oev_verify_folder(&result, &options);
	out->exit = oev_verify_exit(result.outcome);
	if (result.error[0] != '\0')
		snprintf(out->line, sizeof(out->line), "%s", result.error);
	else
		oev_verify_line(&result, out->line, sizeof(out->line));
	out->json = text_open(&text)
			    ? text_take(&text, oev_verify_json(&result, TOOL, text.file, true) == OC_OK)
			    : NULL;
	oev_verify_fini(&result);
}

static void write_audit(const struct oev_audit *audit, const struct oweb_task *task, struct oweb_result *out)
{
	char command[OWEB_JOB_LINE_MAX];
	const struct oev_page_conf conf = { .tool = TOOL, .command = command };
	struct text text;

	oweb_job_command(task, command, sizeof(command));
	if (text_open(&text))
		out->json = text_take(&text, oev_audit_json(audit, TOOL, text.file) == OC_OK);
	if (text_open(&text))
		out->html = text_take(&text, oev_page_write(audit, &conf, text.file) == OC_OK);
}

static void run_audit(const struct oweb_task *task, const struct oweb_job_watch *watch,
		      struct oweb_result *out)
{
	const char *inputs[] = { task->folder };
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	const struct oev_audit_options options = { .inputs = inputs,
						   .input_count = 1,
						   .host = task->host[0] != '\0' ? task->host : NULL,
						   .realm = task->realm[0] != '\0' ? task->realm : NULL,
						   .has_app = task->has_app,
						   .app_id = task->app_id,
						   .from_us = task->since_us,
						   .until_us = task->until_us,
						   .parts = OEV_PART_ALL,
						   .required = task->required,
						   .strict = task->strict,
						   .verify = true,
						   .progress = on_progress,
						   .stop = on_stop,
						   .ctx = (void *)(uintptr_t)watch };

	if (audit == NULL) {
		snprintf(out->line, sizeof(out->line), "out of memory");
		out->exit = 70;
		return;
	}
	(void)oev_audit_run(audit, &options);
	out->exit = oev_audit_exit(audit->outcome);
	if (audit->error[0] != '\0')
		snprintf(out->line, sizeof(out->line), "%s", audit->error);
	else
		oev_audit_verdict(audit, NULL, out->line, sizeof(out->line));
	write_audit(audit, task, out);
	oev_audit_fini(audit);
	free(audit);
}

static void run_whatif(const struct oweb_task *task, const struct oweb_job_watch *watch,
		       struct oweb_result *out)
{
	const char *inputs[] = { task->folder };
	struct oev_whatif *whatif = calloc(1, sizeof(*whatif));
	const struct oev_whatif_options options = { .lives = { .inputs = inputs,
							       .input_count = 1,
							       .since_us = task->since_us,
							       .until_us = task->until_us,
							       .last_us = task->last_us,
							       .progress = on_progress,
							       .stop = on_stop,
							       .ctx = (void *)(uintptr_t)watch },
						    .policy_name = "candidate",
						    .policy = task->policy };
	struct text text;

	if (whatif == NULL) {
		snprintf(out->line, sizeof(out->line), "out of memory");
		out->exit = 70;
		return;
	}
	(void)oev_whatif_run(whatif, &options);
	out->exit = oev_whatif_exit(whatif->outcome);
	if (whatif->error[0] != '\0')
		snprintf(out->line, sizeof(out->line), "%s", whatif->error);
	else
		oev_whatif_verdict(whatif, out->line, sizeof(out->line));
	out->json =
		text_open(&text) ? text_take(&text, oev_whatif_json(whatif, TOOL, 0, text.file) == 0) : NULL;
	oev_whatif_fini(whatif);
	free(whatif);
}

void oweb_job_run(const struct oweb_task *task, const struct oweb_job_watch *watch, struct oweb_result *out)
{
	static void (*const run[OWEB_JOB_KIND_COUNT])(const struct oweb_task *, const struct oweb_job_watch *,
						      struct oweb_result *) = { run_verify, run_audit,
										run_whatif };

	*out = (struct oweb_result){ 0 };
	run[task->kind](task, watch, out);
}

/* " --NAME VALUE", if there is one; as a word of any shell: somebody copies the line, and somebody else chose the value. */
static void put_option(FILE *out, const char *name, const char *value)
{
	if (value[0] == '\0')
		return;
	fprintf(out, " --%s", name);
	oev_audit_put_word(value, out);
}

static void put_time(FILE *out, const char *name, uint64_t us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (us == 0 || us == UINT64_MAX)
		return;
	oev_time_text(us, text);
	put_option(out, name, text);
}

const char *oweb_job_file(uint64_t number, char buf[static OWEB_JOB_FILE_MAX])
{
	snprintf(buf, OWEB_JOB_FILE_MAX, "candidate-%" PRIu64 ".yaml", number);
	return buf;
}

void oweb_job_command(const struct oweb_task *task, char *out, size_t size)
{
	char file[OWEB_JOB_FILE_MAX];
	FILE *line = fmemopen(out, size, "w");

	out[0] = out[size - 1] = '\0';
	if (line == NULL)
		return;
	fprintf(line, "doic %s", oweb_job_kind_text(task->kind));
	oev_audit_put_word(task->folder, line);
	if (task->kind == OWEB_JOB_VERIFY)
		put_option(line, "key", task->key);
	if (task->kind == OWEB_JOB_WHATIF)
		put_option(line, "policy", oweb_job_file(task->number, file));
	if (task->last_us != 0)
		fprintf(line, " --window -%" PRIu64 "s", task->last_us / 1000000u);
	put_time(line, "since", task->since_us);
	put_time(line, "until", task->until_us);
	put_option(line, "host", task->host);
	put_option(line, "realm", task->realm);
	if (task->has_app)
		fprintf(line, " --app %" PRIu32, task->app_id);
	if (task->kind == OWEB_JOB_AUDIT)
		put_option(line, "require", oev_step_text(task->required));
	if (task->strict)
		fputs(" --strict", line);
	fclose(line);
	out[size - 1] = '\0';
}
