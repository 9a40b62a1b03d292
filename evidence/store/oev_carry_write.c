/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writing what matters into the next segment, and forgetting what does not.
 */
#include "oev_carry_inner.h"

#include "../../agent/oc_err.h"
#include "oev_bind.h"

/* Where the rows of a sort go. */
static const enum oev_table tables[OEV_SORT_COUNT] = {
	[OEV_SORT_NAME] = OEV_TABLE_NAME,
	[OEV_SORT_PEER] = OEV_TABLE_PEER,
	[OEV_SORT_CAPABILITY] = OEV_TABLE_CAPABILITY,
	[OEV_SORT_REPORT] = OEV_TABLE_REPORT,
	[OEV_SORT_LOOSE_REPORT] = OEV_TABLE_REPORT,
	[OEV_SORT_RAW] = OEV_TABLE_REPORT_RAW,
	[OEV_SORT_VERSION] = OEV_TABLE_OCS_VERSION,
	[OEV_SORT_CHANGE] = OEV_TABLE_OCS_CHANGE,
	[OEV_SORT_PROFILE] = OEV_TABLE_PROFILE,
	[OEV_SORT_CANDIDATES] = OEV_TABLE_CANDIDATES,
	[OEV_SORT_ORDER] = OEV_TABLE_ORDER_CHANGE,
	[OEV_SORT_OWN_REPORT] = OEV_TABLE_OWN_REPORT,
	[OEV_SORT_LOAD] = OEV_TABLE_LOAD,
};

static bool is_over(const struct oev_recall_item *item, uint64_t now_ns)
{
	return item->over_ns != 0 && item->over_ns <= now_ns;
}

static void drop_version(struct oev_carry *carry, const struct oc_event_ocs_version *version)
{
	uint64_t report = version->report;
	uint32_t number = version->version;

	for (unsigned how = 0; how < OC_END_COUNT; how++)
		oev_carry_drop(carry, OEV_SORT_CHANGE, oev_carry_change_key(number, how));
	oev_carry_drop_report(carry, OEV_SORT_REPORT, report);
	oev_tally_drop(&carry->tally, number);
	oev_carry_drop(carry, OEV_SORT_VERSION, number); /* @version is gone with it */
}

/* Forgets those of a sort that are over. */
static void sweep(struct oev_carry *carry, unsigned sort, uint64_t now_ns)
{
	struct oev_recall_item *item = carry->recall.lists[sort].first;

	while (item) {
		struct oev_recall_item *next = item->next;
		if (is_over(item, now_ns) && sort == OEV_SORT_VERSION)
			drop_version(carry, &item->event.u.ocs_version);
		else if (is_over(item, now_ns))
			oev_recall_drop(&carry->recall, item);
		item = next;
	}
}

void oev_carry_sweep(struct oev_carry *carry, uint64_t now_ns)
{
	sweep(carry, OEV_SORT_VERSION, now_ns);
	sweep(carry, OEV_SORT_OWN_REPORT, now_ns);
	sweep(carry, OEV_SORT_ORDER, now_ns);
}

static bool is_carried(const struct oev_carry *carry, const struct oev_recall_item *item)
{
	bool is_numbered = item->sort == OEV_SORT_PROFILE || item->sort == OEV_SORT_CANDIDATES;

	return !is_numbered || item->used == carry->part;
}

static int write_sort(struct oev_carry *carry, struct oev_db *db, unsigned sort, uint64_t *count)
{
	int rc = OC_OK;

	for (struct oev_recall_item *item = carry->recall.lists[sort].first; rc == OC_OK && item;
	     item = item->next) {
		if (!is_carried(carry, item))
			continue;
		rc = oev_bind(db, &item->event, item->offset_us);
		*count += 1;
	}
	return rc;
}

static int write_counts(struct oev_carry *carry, struct oev_db *db)
{
	int rc = OC_OK;

	for (struct oev_recall_item *item = carry->recall.lists[OEV_SORT_VERSION].first; rc == OC_OK && item;
	     item = item->next) {
		struct oev_tally_counts counts;
		uint32_t version = item->event.u.ocs_version.version;
		oev_tally_get(&carry->tally, version, &counts);
		struct oev_row row = oev_db_row(db, OEV_TABLE_CARRIED_VERSION);
		oev_row_int(&row, version);
		oev_row_bits(&row, counts.matched);
		oev_row_bits(&row, counts.selected);
		oev_row_bits(&row, counts.expected_ppm);
		oev_row_bits(&row, counts.remembered);
		rc = oev_row_put(&row);
	}
	return rc;
}

static int write_carried(struct oev_db *db, enum oev_table table, uint64_t count)
{
	if (count == 0)
		return OC_OK;
	struct oev_row row = oev_db_row(db, OEV_TABLE_CARRIED);
	oev_row_text(&row, oev_table_shape(table)->name);
	oev_row_bits(&row, count);
	return oev_row_put(&row);
}

int oev_carry_write(struct oev_carry *carry, struct oev_db *db, uint64_t now_ns, unsigned policies)
{
	uint64_t counts[OEV_TABLE_COUNT] = { [OEV_TABLE_POLICY] = policies };
	int rc = OC_OK;

	oev_carry_sweep(carry, now_ns);
	for (unsigned sort = 0; rc == OC_OK && sort < OEV_SORT_COUNT; sort++)
		rc = write_sort(carry, db, sort, &counts[tables[sort]]);
	if (rc == OC_OK)
		rc = write_counts(carry, db);
	for (unsigned i = 1; rc == OC_OK && i < OEV_TABLE_COUNT; i++)
		rc = write_carried(db, (enum oev_table)i, counts[i]);
	return rc;
}

/* Which numbers have their row there now. */
static void mark_written(struct oev_carry *carry, unsigned sort, uint32_t part)
{
	for (struct oev_recall_item *item = carry->recall.lists[sort].first; item; item = item->next)
		if (is_carried(carry, item))
			item->written = part;
}

void oev_carry_begun(struct oev_carry *carry, uint32_t part)
{
	mark_written(carry, OEV_SORT_PROFILE, part);
	mark_written(carry, OEV_SORT_CANDIDATES, part);
	carry->part = part;
}
