/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit as one JSON object, "doic.audit/1": the same keys on every outcome.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"
#include "oev_json_parts.h"

/* Those that are not judged: how many, and the first by name. */
static json_t *aside_json(const struct oev_aside *aside)
{
	json_t *list = json_array();

	for (size_t i = 0; i < aside->count && i < OEV_ASIDE_NAMED; i++)
		json_array_append_new(list, json_pack("{s:o, s:s, s:I}", "subject",
						      oev_json_text(aside->named[i].subject), "report_type",
						      oc_report_type_text(aside->named[i].type),
						      "application_id", (json_int_t)aside->named[i].app_id));
	return json_pack("{s:o, s:o}", "count", oev_json_number(aside->count), "named", list);
}

static json_t *root_json(const struct oev_audit *audit, const char *tool)
{
	bool failed =
		audit->outcome == OEV_UNUSABLE || audit->outcome == OEV_USAGE || audit->outcome == OEV_BUG;
	json_t *root =
		json_pack("{s:s, s:s, s:s, s:i, s:s, s:s}", "schema", "doic.audit/1", "tool", tool, "outcome",
			  oev_outcome_text(audit->outcome), "exit", oev_audit_exit(audit->outcome), "reached",
			  audit->reached >= 0 ? oev_step_text((enum oev_step)audit->reached) : "nothing",
			  "required", oev_step_text(audit->options.required));
	char verdict[1024], *repeat = oev_audit_repeat(audit);

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	json_object_set_new(root, "verdict", oev_json_text(verdict));
	json_object_set_new(root, "repeat", repeat != NULL ? oev_json_text(repeat) : json_null());
	free(repeat);
	json_object_set_new(root, "window",
			    json_pack("{s:o, s:o}", "since", oev_json_time(audit->from_us), "until",
				      oev_json_time(audit->until_us)));
	json_object_set_new(root, "claims", oev_json_claims(audit));
	json_object_set_new(root, "filtered_out", aside_json(&audit->filtered));
	json_object_set_new(root, "ended_before", aside_json(&audit->ended));
	json_object_set_new(root, "population", oev_json_population(&audit->population));
	json_object_set_new(root, "counters", oev_json_counters(audit));
	json_object_set_new(root, "gaps", oev_json_gaps(audit));
	json_object_set_new(root, "exceptions", oev_json_exceptions(audit));
	json_object_set_new(root, "exception_count", oev_json_number(audit->exception_count));
	json_object_set_new(root, "refused_reports", oev_json_refused_reports(audit));
	json_object_set_new(root, "integrity", oev_json_integrity(audit));
	json_object_set_new(root, "incidents", oev_json_incidents(audit));
	json_object_set_new(root, "servers", oev_json_hops(audit));
	json_object_set_new(root, "own_reports", oev_json_own_reports(audit));
	json_object_set_new(root, "imported_outside_evidence", oev_json_number(audit->telemetry_outside));
	json_object_set_new(root, "not_claimed",
			    json_pack("[s, s]", "recovery_of_the_subject", "other_nodes"));
	json_object_set_new(root, "inputs", oev_json_inputs(audit));
	json_object_set_new(root, "decisions_read", oev_json_number(audit->scanned));
	json_object_set_new(root, "error", failed ? oev_json_text(audit->error) : json_null());
	return root;
}

int oev_audit_json(const struct oev_audit *audit, const char *tool, FILE *out)
{
	json_t *root = root_json(audit, tool);

	if (root == NULL)
		return OC_ENOMEM;
	int rc =
		json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 && fputc('\n', out) != EOF
			? OC_OK
			: OC_EIO;
	json_decref(root);
	return rc;
}
