/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/evidence/counters: takes in what somebody else counted, as `doic import-counters` does.
 *
 * The body is bounded, and earlier imports are looked at for the time of its rows alone; one request at a time does it, so the other thread of
 * the server is free for everybody else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/audit/oev_samples.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

#define TOOL "doic " DOIC_VERSION

struct import {
	struct oev_samples samples;
	struct oev_sample_mistakes mistakes;
	struct oweb_actor by;
	const char *source; /* what the rows are from: the name of a file */
	bool is_check;
};

/* False: the reply says which parameter is missing. */
static bool take_word(struct oweb_request *request, const char *name, const char *why, const char **out)
{
	*out = oweb_query_text(&request->query, name);
	if (*out != NULL && (*out)[0] != '\0')
		return true;
	oweb_problem(request, OWEB_P_BAD_PARAMETER, "%s: is missing: %s", name, why);
	oweb_problem_at(request, "parameter", name, "is missing");
	return false;
}

static bool take_parameters(struct oweb_request *request, struct import *import)
{
	const char *reason = "";

	import->is_check = oweb_query_number(&request->query, "check", 0) != 0;
	import->samples.derived_us = oweb_query_number(&request->query, "interval", 0) * 1000000u;
	if (!take_word(request, "source", "the name of the file the rows are from", &import->source) ||
	    (!import->is_check && !take_word(request, "reason", "why they are taken in", &reason)))
		return false;
	snprintf(import->by.who, sizeof(import->by.who), "%s", request->who.name);
	snprintf(import->by.reason, sizeof(import->by.reason), "%s", reason);
	return true;
}

static int work(struct oweb_request *request, struct import *import)
{
	struct oev_samples *samples = &import->samples;
	const char *folder = request->server->conf.folder;

	samples->mistakes = &import->mistakes;
	int rc = oev_samples_read_text(samples, import->source, request->body, request->body_len);
	if (rc == OC_OK)
		rc = oev_samples_check(samples);
	if (rc == OC_OK)
		rc = oev_samples_compare(samples, folder);
	if (rc == OC_OK && !import->is_check)
		rc = oev_samples_store(samples, folder, TOOL, import->by.who, oweb_request_wall_us(request));
	return rc;
}

static const char *stored_name(const struct import *import)
{
	const char *slash = strrchr(import->samples.stored, '/');

	return slash != NULL ? slash + 1 : import->samples.stored;
}

static void put_window(json_t *object, const struct oev_samples *samples)
{
	uint64_t from_us = UINT64_MAX, until_us = 0, nodes = 0;

	for (size_t i = 0; i < samples->count; i++) {
		const struct oev_sample *at = &samples->items[i];
		nodes += i == 0 || at[-1].node != at->node;
		from_us = at->start_us < from_us ? at->start_us : from_us;
		until_us = at->start_us + at->span_us > until_us ? at->start_us + at->span_us : until_us;
	}
	oweb_json_number(object, "nodes", nodes);
	if (samples->count > 0) {
		oweb_json_time(object, "since", from_us);
		oweb_json_time(object, "until", until_us);
	}
}

static void reply(struct oweb_request *request, const struct import *import)
{
	const struct oev_samples *samples = &import->samples;
	const struct oev_sample_source *source = &samples->sources[0];
	bool is_stored = samples->stored[0] != '\0';
	json_t *object = json_object();

	oweb_json_text(object, "outcome",
		       samples->count == 0 ? "nothing_new"
		       : is_stored	   ? "imported"
					   : "importable");
	oweb_json_number(object, "rows", samples->count);
	oweb_json_number(object, "known", samples->known);
	oweb_json_number(object, "duplicates", source->duplicates);
	put_window(object, samples);
	oweb_json_text(object, "source", source->path);
	oweb_json_text(object, "sha256", source->sha256);
	oweb_json_text(object, "format", source->is_json ? "json" : "csv");
	oweb_json_text(object, "times", oev_time_unit_text(source->unit));
	if (is_stored)
		oweb_json_text(object, "stored", stored_name(import));
	oweb_reply_json(request, is_stored ? 201 : 200, object);
}

static void list_mistakes(struct oweb_request *request, const struct oev_sample_mistakes *mistakes)
{
	json_t *errors = json_object_get(request->reply.problem, "errors");

	for (size_t i = 0; i < mistakes->count; i++) {
		const struct oev_sample_mistake *at = &mistakes->list[i];
		json_array_append_new(errors,
				      json_pack("{s:I, s:I, s:o}", "line", (json_int_t)at->line, "column",
						(json_int_t)at->column, "detail", oweb_json_shown(at->what)));
	}
}

static void refuse(struct oweb_request *request, const struct import *import, int rc)
{
	json_t *shown = oweb_json_shown(import->samples.error);
	const char *error = json_is_string(shown) ? json_string_value(shown) : "it cannot be used";
	size_t count = import->mistakes.count;
	char more[48] = "";

	if (count > 1)
		snprintf(more, sizeof(more), " (%s%zu mistakes)", count == OEV_MISTAKES_MAX ? "first " : "",
			 count);
	if (rc == OC_ENOMEM)
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
	else if (rc == OC_EIO)
		oweb_problem(request, OWEB_P_UNAVAILABLE, "%s", error);
	else
		oweb_problem(request, rc == OC_EREFUSED ? OWEB_P_CONFLICT : OWEB_P_REFUSED, "%s%s", error,
			     more);
	if (rc == OC_EREFUSED)
		oweb_problem_try(request,
				 "An earlier import says otherwise of the same time; neither is altered.");
	list_mistakes(request, &import->mistakes);
	json_decref(shown);
}

static void take_in(struct oweb_request *request, struct import *import)
{
	int rc = work(request, import);

	if (rc != OC_OK) {
		refuse(request, import, rc);
		return;
	}
	if (import->samples.stored[0] != '\0' && request->node->act != NULL)
		request->node->act(request->node->ctx, "counters", stored_name(import), &import->by);
	reply(request, import);
}

void oweb_counters_post(struct oweb_request *request)
{
	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a folder and writes nothing into it");
		oweb_problem_try(request, "Use `doic import-counters FOLDER FILE`.");
		return;
	}
	if (!oweb_has_shelf(request))
		return;
	struct import *import = calloc(1, sizeof(*import));
	if (import == NULL) {
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return;
	}
	if (take_parameters(request, import)) {
		if (atomic_exchange(&request->server->is_importing, true)) {
			oweb_problem(request, OWEB_P_UNAVAILABLE, "other counters are being taken in");
			oweb_reply_header(request, "Retry-After", "1");
		} else {
			take_in(request, import);
			atomic_store(&request->server->is_importing, false);
		}
	}
	oev_samples_fini(&import->samples);
	free(import);
}
