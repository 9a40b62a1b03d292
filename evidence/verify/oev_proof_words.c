/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A decision said from its row and from the rows it names by number.
 */
#include "oev_proof_words.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../app/oev_app.h"

/* Columns of row @number of @table; NULL when the proof does not have it. */
static const json_t *columns_of(const json_t *rows, const char *table, json_int_t number)
{
	size_t i;
	json_t *at;

	json_array_foreach(rows, i, at)
	{
		const char *name = json_string_value(json_object_get(at, "table"));
		if (name != NULL && strcmp(name, table) == 0 &&
		    json_integer_value(json_object_get(at, "row")) == number)
			return json_object_get(at, "columns");
	}
	return NULL;
}

static json_int_t number_of(const json_t *columns, const char *key)
{
	return json_integer_value(json_object_get(columns, key));
}

static void put_name(FILE *out, const json_t *rows, const char *before, json_int_t number)
{
	const char *text = json_string_value(json_object_get(columns_of(rows, "name", number), "text"));

	if (number == 0)
		return;
	if (text == NULL)
		fprintf(out, "%sname %lld", before, (long long)number);
	else
		fprintf(out, "%s%s", before, text);
}

static void put_verdict(FILE *out, const json_t *rows, const json_t *way)
{
	json_int_t verdict = number_of(way, "verdict"), code = number_of(way, "result_code");

	if (verdict == OC_REFUSE) {
		fputs("refused", out);
		if (code != 0)
			fprintf(out, " with %lld", (long long)code);
		return;
	}
	fputs(verdict == OC_DIVERT    ? "diverted"
	      : verdict == OC_FORWARD ? "forwarded"
				      : "of unknown verdict",
	      out);
	put_name(out, rows, " to ", number_of(way, "next_hop"));
}

static void put_request(FILE *out, const json_t *rows, const json_t *flow)
{
	char app[32];

	if (flow == NULL)
		return;
	fprintf(out, "; %s request", oev_app_text((uint32_t)number_of(flow, "app_id"), app));
	put_name(out, rows, " of ", number_of(flow, "origin_host"));
	put_name(out, rows, number_of(flow, "dest_host") != 0 ? " to " : " to realm ",
		 number_of(flow, "dest_host") != 0 ? number_of(flow, "dest_host")
						   : number_of(flow, "dest_realm"));
}

static const char *reason(json_int_t why)
{
	switch (why) {
	case OC_WHY_OUTSTANDING:
		return "a next hop had as many unanswered requests as allowed";
	case OC_WHY_FAILOPEN:
		return "something went wrong in the agent, so it passed untouched";
	case OC_WHY_UNROUTED:
		return "there was nobody to send it to";
	case OC_WHY_OWN:
		return "this node had reported its own overload";
	default:
		return "of a reason this program does not know";
	}
}

static void put_report(FILE *out, const json_t *rows, const json_t *columns, json_int_t by)
{
	static const char *const versions[] = { NULL, "realm_version", "host_version", "peer_version" };
	json_int_t number = by >= 1 && by <= 3 ? number_of(columns, versions[by]) : 0;
	const json_t *version = columns_of(rows, "ocs_version", number);
	const char *sequence = json_string_value(json_object_get(version, "sequence"));

	fprintf(out, "; selected by the %s report", oc_scope_text((unsigned)by));
	if (version != NULL) {
		bool is_loss = json_is_integer(json_object_get(version, "reduction_pct"));
		put_name(out, rows, " about ", number_of(version, "subject"));
		fprintf(out, is_loss ? " (%lld %% less" : " (%lld/s",
			(long long)number_of(version, is_loss ? "reduction_pct" : "rate_rps"));
		fprintf(out, ", sequence %s)", sequence != NULL ? sequence : "-");
	}
	if (number != 0)
		fprintf(out, ", version #%lld", (long long)number);
}

char *oev_proof_words(json_int_t id, const json_t *columns, const json_t *rows)
{
	const json_t *way = columns_of(rows, "way", number_of(columns, "way"));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	fprintf(out, "decision %lld: ", (long long)id);
	if (way != NULL)
		put_verdict(out, rows, way);
	else
		fprintf(out, "its verdict is row %lld of table way, which is not in the file",
			(long long)number_of(columns, "way"));
	put_request(out, rows, columns_of(rows, "flow", number_of(columns, "flow")));
	json_int_t why = number_of(way, "why"), by = number_of(way, "selected_by");
	if (by != OC_SCOPE_NONE)
		put_report(out, rows, columns, by);
	else if (way != NULL && why != OC_WHY_NONE)
		fprintf(out, "; %s", reason(why));
	fclose(out);
	return text;
}
