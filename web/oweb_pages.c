/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of the evidence as JSON, a page at a time: for replies, for streams, and for the command line.
 */
#include <stdio.h>

#include "../agent/oc_err.h"
#include "oweb_evidence.h"

struct taking {
	enum oev_shelf_list list;
	json_t *rows;
};

static bool take_decision(void *ctx, const struct oev_shelf_decision *row)
{
	json_array_append_new(ctx, oweb_view_decision(row));
	return true;
}

int oweb_read_decisions(struct oev_shelf *shelf, const struct oev_shelf_filter *filter, const char *cursor,
			uint32_t limit, json_t *rows, struct oev_shelf_page *page,
			char error[static OEV_SHELF_TEXT_MAX])
{
	return oev_shelf_decisions(shelf, filter, cursor, limit, OEV_SHELF_EXAMINE, take_decision, rows, page,
				   error);
}

static bool take_row(void *ctx, const struct oev_shelf_list_row *row)
{
	const struct taking *taking = ctx;

	json_array_append_new(taking->rows, oweb_view_row(taking->list, row));
	return true;
}

int oweb_read_list(struct oev_shelf *shelf, enum oev_shelf_list list,
		   const struct oev_shelf_list_filter *filter, const char *cursor, uint32_t limit,
		   json_t *rows, struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX])
{
	struct taking taking = { list, rows };
	int rc = OC_OK;

	if (list == OEV_SHELF_GAPS && cursor[0] == '\0')
		rc = oweb_put_missing(rows, shelf, filter, error);
	return rc != OC_OK
		       ? rc
		       : oev_shelf_list(shelf, list, filter, cursor, limit, take_row, &taking, page, error);
}

json_t *oweb_read_gaps(struct oev_shelf *shelf, const struct oev_shelf_list_filter *filter, char *left_out,
		       size_t size)
{
	struct oev_shelf_page page = { 0 };
	char error[OEV_SHELF_TEXT_MAX] = "";
	json_t *rows = json_array();

	if (oweb_read_list(shelf, OEV_SHELF_GAPS, filter, "", OWEB_PAGE_MAX, rows, &page, error) != OC_OK) {
		json_decref(rows);
		snprintf(left_out, size, "the gaps could not be read");
		return json_null();
	}
	if (!page.is_end)
		snprintf(left_out, size, "only the newest %u gaps are listed", OWEB_PAGE_MAX);
	return rows;
}
