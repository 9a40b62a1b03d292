/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading decisions ahead.
 */
#include "oev_audit_feed.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_query_open.h"

#define BLOCK_ROWS 4096u
#define BLOCK_COUNT 8u
#define DECISION_VALUES 24

struct block {
	uint32_t count; /* 0 in a full block: the last */
	struct oev_row rows[BLOCK_ROWS];
};

struct oev_feed {
	struct oev_segment segment; /* a connection of its own; nothing else is owned */
	sqlite3_stmt *stmt;
	pthread_t thread;
	pthread_mutex_t lock; /* guards filled, emptied, stopping */
	pthread_cond_t changed;
	uint64_t filled;  /* blocks given to the scan since the start */
	uint64_t emptied; /* blocks given back */
	bool stopping;
	bool failed;
	struct block *filling; /* reader side: the block being filled */
	uint32_t at;	       /* scan side: row in the block it holds */
	struct block *blocks;
};

/* What no node writes reads as the largest value, not as a harmless one: never a number cut to fit. */
static inline uint32_t up_to(sqlite3_value *value, uint32_t most)
{
	int64_t number = sqlite3_value_int64(value); /* NULL reads as 0, which means none */

	return (uint64_t)number < most ? (uint32_t)number : most;
}

static void fill_row(struct oev_row *row, sqlite3_value **values)
{
	row->id = (uint64_t)sqlite3_value_int64(values[0]);
	row->mono_ns = (uint64_t)sqlite3_value_int64(values[1]);
	row->wall_us = (uint64_t)sqlite3_value_int64(values[2]);
	row->app_id = up_to(values[3], UINT32_MAX);
	row->client = up_to(values[4], UINT32_MAX);
	row->dest_host = up_to(values[5], UINT32_MAX);
	row->dest_realm = up_to(values[6], UINT32_MAX);
	for (int scope = OC_SCOPE_REALM; scope <= OC_SCOPE_PEER; scope++) {
		row->version[scope] = up_to(values[5 + 2 * scope], UINT32_MAX);
		row->share_ppm[scope] = 0;
		row->nth[scope] = 0;
		if (row->version[scope] == 0)
			continue;
		row->share_ppm[scope] = up_to(values[6 + 2 * scope], OC_PPM + 1);
		row->nth[scope] = up_to(values[19 + scope], UINT32_MAX);
	}
	row->verdict = (uint8_t)up_to(values[13], UINT8_MAX);
	row->why = (uint8_t)up_to(values[14], UINT8_MAX);
	row->selected_by = (uint8_t)up_to(values[15], UINT8_MAX);
	row->klass = (uint8_t)up_to(values[16], UINT8_MAX);
	row->flags = (uint16_t)up_to(values[17], UINT16_MAX);
	row->first_choice = up_to(values[18], UINT32_MAX);
	row->next_hop = up_to(values[19], UINT32_MAX);
	row->origin_host = up_to(values[23], UINT32_MAX);
}

/* The SQL function oev_take(): fills the next row of the block at hand. Cheaper than asking for each column of
 * each row from outside. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct oev_feed *feed = sqlite3_user_data(context);

	(void)count;
	fill_row(&feed->filling->rows[feed->filling->count++], values);
}

/* A block to fill; NULL when told to stop. */
static struct block *take_empty(struct oev_feed *feed)
{
	struct block *block = NULL;

	pthread_mutex_lock(&feed->lock);
	while (!feed->stopping && feed->filled - feed->emptied == BLOCK_COUNT)
		pthread_cond_wait(&feed->changed, &feed->lock);
	if (!feed->stopping)
		block = &feed->blocks[feed->filled % BLOCK_COUNT];
	pthread_mutex_unlock(&feed->lock);
	return block;
}

static void give_full(struct oev_feed *feed)
{
	pthread_mutex_lock(&feed->lock);
	feed->filled++;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
}

static void *read_ahead(void *ctx)
{
	struct oev_feed *feed = ctx;
	struct block *block;
	int step = SQLITE_ROW;

	while (step == SQLITE_ROW && (block = take_empty(feed)) != NULL) {
		block->count = 0;
		feed->filling = block;
		while (block->count < BLOCK_ROWS && (step = sqlite3_step(feed->stmt)) == SQLITE_ROW)
			continue;
		give_full(feed);
	}
	if (step != SQLITE_ROW && (block = take_empty(feed)) != NULL) {
		block->count = 0;
		feed->failed = step != SQLITE_DONE; /* read after the join */
		give_full(feed);
	}
	return NULL;
}

/* Frees what start made, thread apart. */
static void release(struct oev_feed *feed)
{
	sqlite3_finalize(feed->stmt);
	sqlite3_close(feed->segment.db);
	free(feed->blocks);
	pthread_cond_destroy(&feed->changed);
	pthread_mutex_destroy(&feed->lock);
	free(feed);
}

int oev_feed_start(struct oev_feed **out, const struct oev_segment *segment, char *error, size_t error_size)
{
	struct oev_feed *feed = calloc(1, sizeof(*feed));

	if (feed == NULL)
		return OC_ENOMEM;
	pthread_mutex_init(&feed->lock, NULL);
	pthread_cond_init(&feed->changed, NULL);
	feed->blocks = calloc(BLOCK_COUNT, sizeof(*feed->blocks));
	int rc = feed->blocks == NULL ? OC_ENOMEM
				      : oev_query_open(segment->path, &feed->segment.db, error, error_size);
	if (rc == OC_OK) {
		if (sqlite3_create_function(feed->segment.db, "oev_take", DECISION_VALUES, SQLITE_UTF8, feed,
					    take_row, NULL, NULL) == SQLITE_OK)
			feed->stmt = oev_query_new(&feed->segment, OEV_Q_DECISION_TAKE);
		if (feed->stmt == NULL ||
		    sqlite3_bind_int64(feed->stmt, 1, (int64_t)segment->decisions) != SQLITE_OK ||
		    pthread_create(&feed->thread, NULL, read_ahead, feed) != 0) {
			snprintf(error, error_size, "%s: decisions cannot be read", segment->path);
			rc = OC_EIO;
		}
	}
	if (rc == OC_OK)
		*out = feed;
	else
		release(feed);
	return rc;
}

/* Waits for the block the scan stands in; gives back the one before when it is used up. */
static struct block *current(struct oev_feed *feed)
{
	pthread_mutex_lock(&feed->lock);
	if (feed->at == BLOCK_ROWS) {
		feed->at = 0;
		feed->emptied++;
		pthread_cond_broadcast(&feed->changed);
	}
	while (feed->filled == feed->emptied)
		pthread_cond_wait(&feed->changed, &feed->lock);
	pthread_mutex_unlock(&feed->lock);
	return &feed->blocks[feed->emptied % BLOCK_COUNT];
}

struct oev_row *oev_feed_next(struct oev_feed *feed)
{
	/* inside a block nothing is shared: look at the lock only at its two ends */
	struct block *block = feed->at == 0 || feed->at == BLOCK_ROWS
				      ? current(feed)
				      : &feed->blocks[feed->emptied % BLOCK_COUNT];

	if (feed->at >= block->count)
		return NULL; /* a block that is not full is the last with rows */
	return &block->rows[feed->at++];
}

int oev_feed_stop(struct oev_feed *feed)
{
	if (feed == NULL)
		return OC_OK;
	pthread_mutex_lock(&feed->lock);
	feed->stopping = true;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	pthread_join(feed->thread, NULL);
	int rc = feed->failed ? OC_EIO : OC_OK;
	release(feed);
	return rc;
}
