/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Missing parts of the evidence as rows of the list of gaps: nobody could write them down.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/oc_err.h"
#include "../evidence/shelf/oev_shelf_missing.h"
#include "oweb_evidence.h"
#include "oweb_json.h"

static bool passes(const struct oev_shelf_list_filter *filter, const struct oev_shelf_missing *at)
{
	bool is_named = filter->has_number || (filter->name != NULL && filter->name[0] != '\0');
	bool is_of_run = filter->run == NULL || filter->run[0] == '\0' || strcmp(filter->run, at->run) == 0;

	return !at->is_removed && !is_named && is_of_run && at->until_us >= filter->from_us &&
	       (filter->until_us == 0 || at->since_us < filter->until_us);
}

static json_t *view(const struct oev_shelf_missing *at)
{
	json_t *object = json_object();
	char text[OEV_SHELF_RUN_MAX + 160];

	snprintf(text, sizeof(text), "%s-before-%s", at->run, at->segment);
	oweb_json_text(object, "id", text);
	oweb_json_time(object, "time", at->until_us);
	oweb_json_text(object, "segment", at->segment);
	if (at->since_us != 0)
		oweb_json_time(object, "since", at->since_us);
	if (at->first != 0) {
		oweb_json_number(object, "first_part", at->first);
		oweb_json_number(object, "last_part", at->last);
	}
	if (at->first_batch != 0) {
		oweb_json_number(object, "first_batch", at->first_batch);
		oweb_json_number(object, "last_batch", at->last_batch);
	}
	if (at->first == 0)
		snprintf(text, sizeof(text), "batches %" PRIu64 " to %" PRIu64 " are not here%s",
			 at->first_batch, at->last_batch, at->may_be_here ? ", or cannot be read" : "");
	else if (at->first == at->last)
		snprintf(text, sizeof(text), "part %" PRIu64 " of this life is not here%s", at->first,
			 at->may_be_here ? ", or cannot be read" : "");
	else
		snprintf(text, sizeof(text), "parts %" PRIu64 " to %" PRIu64 " of this life are not here%s",
			 at->first, at->last, at->may_be_here ? ", or cannot be read" : "");
	oweb_json_text(object, "reason", text);
	return object;
}

int oweb_put_missing(json_t *rows, struct oev_shelf *shelf, const struct oev_shelf_list_filter *filter,
		     char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_missing *missing = NULL;
	size_t count = 0;
	int rc = oev_shelf_missing(shelf, &missing, &count, error);

	for (size_t i = 0; i < count; i++) {
		const struct oev_shelf_missing *at = &missing[filter->oldest_first ? i : count - 1 - i];
		if (passes(filter, at))
			json_array_append_new(rows, view(at));
	}
	free(missing);
	return rc;
}
