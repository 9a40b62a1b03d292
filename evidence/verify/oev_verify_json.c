/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The result as one JSON object, the same keys for every outcome.
 */
#include "oev_verify.h"

#include <jansson.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"

/* Texts come from files somebody else wrote: what is no UTF-8 becomes '?'. */
static json_t *text_or_null(const char *text)
{
	char safe[OEV_VERIFY_TEXT_MAX];

	if (text[0] == '\0')
		return json_null();
	json_t *value = json_string(text);
	if (value != NULL)
		return value;
	size_t len = 0;
	for (; text[len] != '\0' && len + 1 < sizeof(safe); len++)
		safe[len] = text[len] >= ' ' && text[len] <= '~' ? text[len] : '?';
	safe[len] = '\0';
	return json_string(safe);
}

static json_t *time_or_null(uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0)
		return json_null();
	oev_time_text(wall_us, text);
	return json_string(text);
}

static json_t *number_or_null(uint64_t value)
{
	return value != 0 ? json_integer((json_int_t)value) : json_null();
}

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *finding_json(const struct oev_verify_finding *finding)
{
	json_t *good =
		finding->good_batch != 0
			? json_pack("{s:o, s:o, s:o}", "batch", integer(finding->good_batch), "time",
				    time_or_null(finding->good_us), "rows", integer(finding->good_rows))
			: json_null();

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "outcome",
			 oev_verify_outcome_text(finding->outcome), "kind",
			 oev_verify_kind_text(finding->kind), "what", text_or_null(finding->what), "segment",
			 text_or_null(finding->segment), "table", text_or_null(finding->table), "row",
			 finding->table[0] != '\0' && finding->has_row ? json_integer(finding->row)
								       : json_null(),
			 "page", number_or_null(finding->page), "batch", number_or_null(finding->batch),
			 "time", time_or_null(finding->wall_us), "expected", text_or_null(finding->expected),
			 "found", text_or_null(finding->found), "last_good_checkpoint", good);
}

static json_t *segment_json(const struct oev_verify_segment *segment)
{
	return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
			 text_or_null(segment->name), "outcome", oev_verify_outcome_text(segment->outcome),
			 "state", oev_verify_state_text(segment->state), "sha256",
			 text_or_null(segment->sha256), "bytes", integer(segment->bytes), "rows",
			 integer(segment->rows), "first_batch", number_or_null(segment->first_batch),
			 "last_batch", number_or_null(segment->last_batch), "checkpoints",
			 integer(segment->checkpoints), "tail_rows", integer(segment->tail_rows), "signed_at",
			 time_or_null(segment->signed_us));
}

static json_t *findings_json(const struct oev_verify_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; list != NULL && i < result->finding_count; i++)
		json_array_append_new(list, finding_json(&result->findings[i]));
	return list;
}

static json_t *segments_json(const struct oev_verify_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; list != NULL && i < result->segment_count; i++)
		json_array_append_new(list, segment_json(&result->segments[i]));
	return list;
}

static json_t *checked_json(const struct oev_verify_result *result)
{
	double rate = result->seconds > 0 ? (double)result->rows / result->seconds : 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:f}", "segments", integer(result->segment_count),
			 "rows", integer(result->rows), "batches", integer(result->batches), "checkpoints",
			 integer(result->checkpoints), "bytes", integer(result->bytes), "seconds",
			 result->seconds, "rows_per_s", rate);
}

static json_t *key_json(const struct oev_verify_result *result)
{
	return json_pack("{s:o, s:s, s:b}", "fingerprint", text_or_null(result->key), "trust",
			 oev_verify_trust_text(result->trust), "of_folder", result->is_key_of_folder);
}

static json_t *witness_json(const struct oev_verify_result *result)
{
	if (result->witness == OEV_WITNESS_NONE)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o}", "source", oev_verify_witness_text(result->witness), "path",
			 text_or_null(result->witness_path), "batch", integer(result->witness_batch), "time",
			 time_or_null(result->witness_us));
}

static json_t *tail_json(const struct oev_verify_result *result)
{
	return result->tail_rows == 0 ? json_null()
				      : json_pack("{s:o, s:o}", "rows", integer(result->tail_rows), "since",
						  time_or_null(result->tail_us));
}

static json_t *result_json(const struct oev_verify_result *result, const char *tool)
{
	return json_pack(
		"{s:s, s:s, s:s, s:i, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:{s:o, s:o}, s:o, s:o, s:o, s:o, s:o}",
		"schema", "doic.verify/1", "tool", tool, "outcome", oev_verify_outcome_text(result->outcome),
		"exit", oev_verify_exit(result->outcome), "error", text_or_null(result->error), "path",
		text_or_null(result->path), "deep", result->deep, "node", text_or_null(result->node),
		"origin", text_or_null(result->origin), "key", key_json(result), "outside_checkpoint",
		witness_json(result), "signed_at", time_or_null(result->signed_us), "signed_batch",
		number_or_null(result->signed_batch), "checked", checked_json(result), "standing_rows",
		integer(result->standing_rows), "open_tail", tail_json(result), "removed", "segments",
		integer(result->removed_segments), "batches", integer(result->removed_batches),
		"recorded_gap_events", integer(result->gap_events), "recoveries", integer(result->recoveries),
		"findings_total", integer(result->findings_all), "findings", findings_json(result),
		"segments", segments_json(result));
}

int oev_verify_json(const struct oev_verify_result *result, const char *tool, FILE *out, bool one_line)
{
	json_t *object = result_json(result, tool);
	size_t flags = JSON_REAL_PRECISION(9) | (one_line ? JSON_COMPACT : JSON_INDENT(1));

	if (object == NULL)
		return OC_ENOMEM;
	int rc = json_dumpf(object, out, flags) == 0 && fputc('\n', out) != EOF ? OC_OK : OC_EIO;
	json_decref(object);
	return rc;
}
