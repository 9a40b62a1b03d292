/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading the node's own reports, and joining them with the orders behind them and the answers that carried them.
 */
#include "oev_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"
#include "oev_audit_parts.h"

static uint32_t app_of(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL ? OC_APP_ANY
								: oev_query_up_to(stmt, column, UINT32_MAX);
}

static bool number_of(sqlite3_stmt *stmt, int column, uint32_t *out)
{
	*out = oev_query_up_to(stmt, column, UINT32_MAX);
	return sqlite3_column_type(stmt, column) != SQLITE_NULL;
}

int oev_own_take_order(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_order *order = NULL;

	(void)segment;
	if (audit->order_count == OEV_ORDERS_MAX)
		return OC_OK;
	order = oev_audit_grow(&audit->orders, &audit->order_count, sizeof(*order));
	if (order == NULL)
		return OC_ENOMEM;
	order->life = life;
	order->mono_ns = (uint64_t)sqlite3_column_int64(stmt, 0);
	order->wall_us = (uint64_t)sqlite3_column_int64(stmt, 1);
	oev_query_copy(stmt, 2, order->how, sizeof(order->how));
	oev_query_copy(stmt, 3, order->type, sizeof(order->type));
	order->app_id = app_of(stmt, 4);
	oev_query_copy(stmt, 5, order->subject, sizeof(order->subject));
	order->has_reduction = number_of(stmt, 6, &order->reduction_pct);
	order->has_rate = number_of(stmt, 7, &order->rate_rps);
	order->validity_s = oev_query_up_to(stmt, 8, UINT32_MAX);
	order->until_ns = (uint64_t)sqlite3_column_int64(stmt, 9);
	oev_query_copy(stmt, 10, order->by, sizeof(order->by));
	order->actor = (uint64_t)sqlite3_column_int64(stmt, 11);
	order->calculation = (uint64_t)sqlite3_column_int64(stmt, 12);
	oev_query_copy(stmt, 13, order->reason, sizeof(order->reason));
	oev_query_copy(stmt, 14, order->inputs, sizeof(order->inputs));
	return OC_OK;
}

static void take_raw(struct oev_own *own, sqlite3_stmt *stmt, int column)
{
	size_t size = (size_t)sqlite3_column_bytes(stmt, column);

	own->raw_len = (uint32_t)(size < OEV_OWN_RAW_MAX ? size : OEV_OWN_RAW_MAX);
	if (own->raw_len > 0)
		memcpy(own->raw, sqlite3_column_blob(stmt, column), own->raw_len);
}

int oev_own_take_report(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	uint64_t wall_us = (uint64_t)sqlite3_column_int64(stmt, 2);
	struct oev_own *own = NULL;

	(void)segment;
	if (audit->own_count == OEV_OWN_MAX) {
		audit->own_unlisted++;
		return OC_OK;
	}
	own = oev_audit_grow(&audit->own, &audit->own_count, sizeof(*own));
	if (own == NULL)
		return OC_ENOMEM;
	own->life = life;
	oev_query_copy(stmt, 0, own->sequence, sizeof(own->sequence));
	own->mono_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	own->wall_us = wall_us;
	oev_query_copy(stmt, 3, own->type, sizeof(own->type));
	own->app_id = app_of(stmt, 4);
	oev_query_copy(stmt, 5, own->subject, sizeof(own->subject));
	oev_query_copy(stmt, 6, own->target, sizeof(own->target));
	oev_query_copy(stmt, 7, own->algorithm, sizeof(own->algorithm));
	own->has_reduction = number_of(stmt, 8, &own->reduction_pct);
	own->has_rate = number_of(stmt, 9, &own->rate_rps);
	own->validity_s = oev_query_up_to(stmt, 10, UINT32_MAX);
	oev_query_copy(stmt, 11, own->step, sizeof(own->step));
	take_raw(own, stmt, 12);
	own->order = -1;
	return OC_OK;
}

int oev_own_take_told(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_told *told = NULL;

	(void)segment;
	if (audit->told_count == OEV_TOLD_MAX)
		return OC_OK;
	told = oev_audit_grow(&audit->told, &audit->told_count, sizeof(*told));
	if (told == NULL)
		return OC_ENOMEM;
	told->life = life;
	oev_query_copy(stmt, 0, told->sequence, sizeof(told->sequence));
	oev_query_copy(stmt, 1, told->peer, sizeof(told->peer));
	oev_query_copy(stmt, 2, told->type, sizeof(told->type));
	told->first_ns = (uint64_t)sqlite3_column_int64(stmt, 3);
	told->last_ns = (uint64_t)sqlite3_column_int64(stmt, 4);
	told->count = (uint64_t)sqlite3_column_int64(stmt, 5);
	return OC_OK;
}

static int by_content(const void *a, const void *b)
{
	const struct oev_told *left = a, *right = b;
	int order = (left->life > right->life) - (left->life < right->life);

	order = order != 0 ? order : strcmp(left->sequence, right->sequence);
	return order != 0 ? order : strcmp(left->peer, right->peer);
}

/* Rows of one content and neighbour, from several parts, become one. */
static void merge_told(struct oev_audit *audit)
{
	size_t kept = 0;

	if (audit->told_count > 1)
		qsort(audit->told, audit->told_count, sizeof(*audit->told), by_content);
	for (size_t i = 0; i < audit->told_count; i++) {
		struct oev_told *last = kept > 0 ? &audit->told[kept - 1] : NULL, *at = &audit->told[i];
		if (last == NULL || by_content(last, at) != 0) {
			audit->told[kept++] = *at;
			continue;
		}
		last->count += at->count;
		last->first_ns = at->first_ns < last->first_ns ? at->first_ns : last->first_ns;
		last->last_ns = at->last_ns > last->last_ns ? at->last_ns : last->last_ns;
	}
	audit->told_count = kept;
}

/* "gone" tells that a content is no longer sent; what was told belongs to the rows before it. */
static void find_told(const struct oev_audit *audit, struct oev_own *own)
{
	size_t low = 0, high = audit->told_count;
	struct oev_told wanted = { .life = own->life };

	if (strcmp(own->step, "gone") == 0)
		return;
	memcpy(wanted.sequence, own->sequence, sizeof(wanted.sequence));
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (by_content(&audit->told[mid], &wanted) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	own->told_first = (uint32_t)low;
	for (; low < audit->told_count && audit->told[low].life == own->life &&
	       strcmp(audit->told[low].sequence, own->sequence) == 0;
	     low++) {
		own->told_count++;
		own->answers += audit->told[low].count;
	}
}

/* The last order about the same report before it. */
static void find_order(const struct oev_audit *audit, struct oev_own *own)
{
	for (size_t i = 0; i < audit->order_count; i++) {
		const struct oev_order *order = &audit->orders[i];
		if (order->life != own->life || order->mono_ns > own->mono_ns)
			continue;
		if (strcmp(order->type, own->type) == 0 && order->app_id == own->app_id &&
		    strcmp(order->subject, own->subject) == 0)
			own->order = (int32_t)i;
	}
}

void oev_own_end(struct oev_audit *audit)
{
	merge_told(audit);
	for (size_t i = 0; i < audit->own_count; i++) {
		find_told(audit, &audit->own[i]);
		find_order(audit, &audit->own[i]);
	}
}

void oev_own_fini(struct oev_audit *audit)
{
	free(audit->own);
	free(audit->orders);
	free(audit->told);
}
