/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The columns of decision, outcome, and of the three dictionaries they point to.
 */
#include "oev_traffic.h"

#include "../../agent/oc_err.h"
#include "oev_bulk.h"

int oev_traffic_init(struct oev_traffic *traffic, const struct oev_traffic_first *first)
{
	*traffic = (struct oev_traffic){ 0 };
	int rc = oev_numbering_init(&traffic->flows, first->flow);

	if (rc == OC_OK)
		rc = oev_numbering_init(&traffic->ways, first->way);
	if (rc == OC_OK)
		rc = oev_numbering_init(&traffic->endings, first->ending);
	if (rc != OC_OK)
		oev_traffic_fini(traffic);
	return rc;
}

void oev_traffic_fini(struct oev_traffic *traffic)
{
	oev_numbering_fini(&traffic->flows);
	oev_numbering_fini(&traffic->ways);
	oev_numbering_fini(&traffic->endings);
}

void oev_traffic_segment(struct oev_traffic *traffic, struct oev_db *db, uint64_t base_ns)
{
	traffic->db = db;
	traffic->base_ns = base_ns;
	oev_numbering_clear(&traffic->flows);
	oev_numbering_clear(&traffic->ways);
	oev_numbering_clear(&traffic->endings);
}

void oev_traffic_begin(struct oev_traffic *traffic)
{
	traffic->refused = 0;
	oev_db_bulk(traffic->db, OEV_TABLE_DECISION)->count = 0;
	oev_db_bulk(traffic->db, OEV_TABLE_OUTCOME)->count = 0;
}

/* What a new row of a dictionary points to has its row in this segment too. */
static int put_used(struct oev_traffic *traffic, enum oev_carry_use what, uint32_t id)
{
	return traffic->carry ? oev_carry_use(traffic->carry, traffic->db, what, id) : OC_OK;
}

static int put_flow(struct oev_traffic *traffic, uint64_t number, const struct oc_decision *d)
{
	struct oev_row row = oev_db_row(traffic->db, OEV_TABLE_FLOW);

	oev_row_bits(&row, number);
	oev_row_int(&row, d->app_id);
	oev_row_int(&row, d->command);
	oev_row_int(&row, d->client_peer);
	oev_row_int(&row, d->origin_host);
	oev_row_int(&row, d->origin_realm);
	oev_row_int_or_null(&row, d->dest_host);
	oev_row_int_or_null(&row, d->dest_realm);
	if (d->drmp == OC_DRMP_NONE)
		oev_row_null(&row);
	else
		oev_row_int(&row, d->drmp);
	oev_row_int_or_null(&row, d->cc_request_type);
	oev_row_int_or_null(&row, d->profile);
	int rc = oev_row_put(&row);
	return rc == OC_OK ? put_used(traffic, OEV_CARRY_PROFILE, d->profile) : rc;
}

static int flow_of(struct oev_traffic *traffic, const struct oc_decision *d, uint64_t *number)
{
	const struct oev_numbering_key key = { { d->app_id, d->command, d->client_peer, d->origin_host,
						 d->origin_realm, d->dest_host, d->dest_realm,
						 d->drmp | (uint32_t)d->cc_request_type << 8, d->profile } };
	bool is_new;

	*number = oev_numbering_of(&traffic->flows, &key, &is_new);
	return is_new ? put_flow(traffic, *number, d) : OC_OK;
}

static int put_way(struct oev_traffic *traffic, uint64_t number, const struct oc_decision *d)
{
	struct oev_row row = oev_db_row(traffic->db, OEV_TABLE_WAY);

	oev_row_bits(&row, number);
	oev_row_int(&row, d->verdict);
	oev_row_int(&row, d->why);
	oev_row_int(&row, d->selected_by);
	oev_row_int(&row, d->klass);
	oev_row_int(&row, d->flags);
	oev_row_int_or_null(&row, d->candidates);
	oev_row_int_or_null(&row, d->first_choice);
	oev_row_int_or_null(&row, d->next_hop);
	oev_row_int_or_null(&row, d->result_code);
	int rc = oev_row_put(&row);
	return rc == OC_OK ? put_used(traffic, OEV_CARRY_CANDIDATES, d->candidates) : rc;
}

static int way_of(struct oev_traffic *traffic, const struct oc_decision *d, uint64_t *number)
{
	const struct oev_numbering_key key = {
		{ d->verdict | (uint32_t)d->why << 8 | (uint32_t)d->selected_by << 16 |
			  (uint32_t)d->klass << 24,
		  d->flags, d->candidates, d->first_choice, d->next_hop, d->result_code }
	};
	bool is_new;

	*number = oev_numbering_of(&traffic->ways, &key, &is_new);
	return is_new ? put_way(traffic, *number, d) : OC_OK;
}

static int put_ending(struct oev_traffic *traffic, uint64_t number, const struct oc_event_outcome *e)
{
	struct oev_row row = oev_db_row(traffic->db, OEV_TABLE_ENDING);

	oev_row_bits(&row, number);
	oev_row_int_or_null(&row, e->result_code);
	oev_row_int(&row, e->maker);
	oev_row_int_or_null(&row, e->answered_by);
	oev_row_int_or_null(&row, e->answered_realm);
	oev_row_int_or_null(&row, e->from_peer);
	oev_row_int(&row, e->attempts);
	oev_row_int_or_null(&row, e->profile);
	int rc = oev_row_put(&row);
	return rc == OC_OK ? put_used(traffic, OEV_CARRY_PROFILE, e->profile) : rc;
}

static int ending_of(struct oev_traffic *traffic, const struct oc_event_outcome *e, uint64_t *number)
{
	const struct oev_numbering_key key = { { e->result_code, e->maker | (uint32_t)e->attempts << 8,
						 e->answered_by, e->answered_realm, e->from_peer,
						 e->profile } };
	bool is_new;

	*number = oev_numbering_of(&traffic->endings, &key, &is_new);
	return is_new ? put_ending(traffic, *number, e) : OC_OK;
}

static void set_look(struct oev_bulk_row *row, unsigned at, const struct oc_look *look)
{
	oev_bulk_set(row, at, look->version, look->version != 0);
	oev_bulk_set(row, at + 1, look->share_ppm, look->version != 0);
	oev_bulk_set(row, at + 2, look->nth, look->nth != 0);
}

static void set_decision(struct oev_bulk_row *row, const struct oc_decision *d, uint64_t base_ns)
{
	oev_bulk_set(row, 0, (int64_t)d->id, true);
	oev_bulk_set(row, 1, (int64_t)(d->at_ns - base_ns), true);
	oev_bulk_set(row, 2, (int64_t)(d->out_ns - d->at_ns), d->out_ns != 0);
	set_look(row, 5, &d->realm);
	set_look(row, 8, &d->host);
	set_look(row, 11, &d->peer);
	oev_bulk_set(row, 14, d->end_to_end, true);
	oev_bulk_set(row, 15, (int64_t)d->session_hash, d->session_hash != 0);
	oev_bulk_set(row, 16, (int64_t)d->subscriber_hash, d->subscriber_hash != 0);
	oev_bulk_set(row, 17, (int64_t)d->random, d->random != 0);
}

int oev_traffic_decision(struct oev_traffic *traffic, const struct oc_decision *decision)
{
	struct oev_bulk *bulk = oev_db_bulk(traffic->db, OEV_TABLE_DECISION);
	uint64_t flow, way;

	if (decision->id > INT64_MAX) { /* no number that is given here: a ring left by others may hold it */
		traffic->refused++;
		return OC_OK;
	}
	int rc = flow_of(traffic, decision, &flow);
	if (rc == OC_OK)
		rc = way_of(traffic, decision, &way);
	if (rc != OC_OK)
		return OC_EIO; /* a dictionary's number is new, so that nothing but the disk can refuse it */
	struct oev_bulk_row *row = oev_bulk_next(bulk);
	set_decision(row, decision, traffic->base_ns);
	oev_bulk_set(row, 3, (int64_t)flow, true);
	oev_bulk_set(row, 4, (int64_t)way, true);
	if (traffic->carry)
		oev_tally_add(&traffic->carry->tally, decision);
	return oev_bulk_is_full(bulk) ? oev_bulk_put(bulk, &traffic->refused) : OC_OK;
}

int oev_traffic_outcome(struct oev_traffic *traffic, const struct oc_event_outcome *outcome)
{
	struct oev_bulk *bulk = oev_db_bulk(traffic->db, OEV_TABLE_OUTCOME);
	uint64_t ending;

	if (ending_of(traffic, outcome, &ending) != OC_OK)
		return OC_EIO;
	struct oev_bulk_row *row = oev_bulk_next(bulk);
	oev_bulk_set(row, 0, oev_bulk_rowid(bulk), true);
	oev_bulk_set(row, 1, (int64_t)outcome->id, true);
	oev_bulk_set(row, 2, (int64_t)outcome->took_ns, true);
	oev_bulk_set(row, 3, (int64_t)ending, true);
	return oev_bulk_is_full(bulk) ? oev_bulk_put(bulk, &traffic->refused) : OC_OK;
}

int oev_traffic_end(struct oev_traffic *traffic)
{
	int rc = oev_bulk_put(oev_db_bulk(traffic->db, OEV_TABLE_DECISION), &traffic->refused);

	if (rc == OC_OK)
		rc = oev_bulk_put(oev_db_bulk(traffic->db, OEV_TABLE_OUTCOME), &traffic->refused);
	return rc;
}

void oev_traffic_keep(struct oev_traffic *traffic)
{
	oev_numbering_keep(&traffic->flows);
	oev_numbering_keep(&traffic->ways);
	oev_numbering_keep(&traffic->endings);
}

void oev_traffic_undo(struct oev_traffic *traffic)
{
	oev_numbering_undo(&traffic->flows);
	oev_numbering_undo(&traffic->ways);
	oev_numbering_undo(&traffic->endings);
}
