/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /livez: this server answers. /readyz: what its work depends on, one line for each check with ?verbose.
 */
#include <stdio.h>
#include <string.h>

#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_text.h"

#define JOURNAL_FULL_PERCENT 95u
#define LAG_MAX_US 10000000u

static const char plain[] = "text/plain; charset=utf-8";

void oweb_livez_get(struct oweb_request *request)
{
	oweb_reply_constant(request, 200, plain, "ok\n", 3);
}

static bool is_recording(const struct oweb_facts *facts)
{
	return facts->recording_error[0] == '\0';
}

static bool has_room(const struct oweb_facts *facts)
{
	return (uint64_t)facts->journal_waiting * 100 <=
	       (uint64_t)facts->journal_records * JOURNAL_FULL_PERCENT;
}

static bool is_in_time(const struct oweb_facts *facts)
{
	return facts->lag_us <= LAG_MAX_US;
}

static const struct {
	const char *name;
	bool (*holds)(const struct oweb_facts *facts);
} checks[] = {
	{ "evidence is recorded", is_recording },
	{ "journal has room", has_room },
	{ "recorder keeps up", is_in_time },
};

void oweb_readyz_get(struct oweb_request *request)
{
	struct oweb_text text = { 0 };
	struct oweb_facts facts = { 0 };
	bool is_verbose = oweb_query_number(&request->query, "verbose", 0) != 0, all_hold = true;

	if (request->node != NULL)
		request->node->facts(request->node->ctx, &facts);
	if (request->node == NULL && is_verbose)
		oweb_text_put(&text, "ok     a finished folder is shown; no agent runs\n");
	bool is_recorded = oweb_node_records(request->node);
	if (request->node != NULL && !is_recorded && is_verbose)
		oweb_text_put(&text, "ok     nothing is recorded: evidence.enabled is false\n");
	for (size_t i = 0; is_recorded && i < sizeof(checks) / sizeof(checks[0]); i++) {
		bool holds = checks[i].holds(&facts);
		all_hold = all_hold && holds;
		if (is_verbose || !holds)
			oweb_text_format(&text, "%s %s\n", holds ? "ok    " : "FAILED", checks[i].name);
	}
	oweb_text_put(&text, all_hold ? "ready\n" : "not ready\n");
	oweb_reply_text(request, all_hold ? 200 : 503, plain, text.data, text.len);
}
