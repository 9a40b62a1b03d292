/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading rows ahead.
 */
#include "oev_feed.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_query_open.h"

#define BLOCK_ROWS 512u /* the ring of both feeds together stays in the caches */
#define BLOCK_COUNT 8u

struct block {
	uint32_t count; /* 0 in a full block: the last */
	char *rows;
};

struct oev_feed {
	const struct oev_read_kind *kind;
	struct oev_segment segment; /* a copy that reads on a connection of its own; nothing else is owned */
	bool owns_db;
	struct oev_reader reader;
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
	struct block blocks[BLOCK_COUNT];
};

/* The SQL function oev_take(): fills the next row of the block at hand. Cheaper than asking for each column of
 * each row from outside. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct oev_feed *feed = sqlite3_user_data(context);
	struct block *block = feed->filling;

	if (block->count == BLOCK_ROWS) { /* more than one call for a row: the file bends the question */
		sqlite3_result_error(context, "not a table", -1);
		return;
	}
	feed->kind->fill(&feed->reader, block->rows + block->count * feed->kind->row_size, count, values);
	block->count++;
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
	oev_reader_fini(&feed->reader);
	if (feed->owns_db)
		sqlite3_close(feed->segment.db);
	for (size_t i = 0; i < BLOCK_COUNT; i++)
		free(feed->blocks[i].rows);
	pthread_cond_destroy(&feed->changed);
	pthread_mutex_destroy(&feed->lock);
	free(feed);
}

static struct oev_feed *make(const struct oev_read_kind *kind, const struct oev_segment *segment)
{
	struct oev_feed *feed = calloc(1, sizeof(*feed));

	if (feed == NULL)
		return NULL;
	pthread_mutex_init(&feed->lock, NULL);
	pthread_cond_init(&feed->changed, NULL);
	feed->kind = kind;
	feed->segment = *segment;
	feed->segment.db = segment->thread_db[kind->thread];
	feed->owns_db = feed->segment.db == NULL;
	for (size_t i = 0; i < BLOCK_COUNT; i++) {
		feed->blocks[i].rows = calloc(BLOCK_ROWS, kind->row_size);
		if (feed->blocks[i].rows == NULL) {
			release(feed);
			return NULL;
		}
	}
	return feed;
}

static int prepare(struct oev_feed *feed, const struct oev_times *times, uint64_t last, uint64_t skip,
		   char *error, size_t error_size)
{
	struct oev_segment *segment = &feed->segment;
	int rc = feed->owns_db ? oev_query_open(segment->path, &segment->db, error, error_size) : OC_OK;

	if (rc == OC_OK)
		rc = oev_reader_init(&feed->reader, feed->kind, segment, times);
	if (rc != OC_OK)
		return rc;
	if (sqlite3_create_function(segment->db, "oev_take", -1, SQLITE_UTF8, feed, take_row, NULL, NULL) ==
	    SQLITE_OK)
		feed->stmt = oev_query_new(segment, feed->kind->question);
	if (feed->stmt == NULL || sqlite3_bind_int64(feed->stmt, 1, (int64_t)last) != SQLITE_OK ||
	    sqlite3_bind_int64(feed->stmt, 2, (int64_t)skip) != SQLITE_OK)
		return OC_EIO;
	return OC_OK;
}

int oev_feed_start(struct oev_feed **out, const struct oev_read_kind *kind, const struct oev_segment *segment,
		   const struct oev_times *times, uint64_t last, uint64_t skip, char *error,
		   size_t error_size)
{
	struct oev_feed *feed = make(kind, segment);

	if (feed == NULL)
		return OC_ENOMEM;
	int rc = prepare(feed, times, last, skip, error, error_size);
	if (rc == OC_OK && pthread_create(&feed->thread, NULL, read_ahead, feed) != 0)
		rc = OC_EIO;
	if (rc == OC_EIO && error[0] == '\0')
		snprintf(error, error_size, "%s: decisions cannot be read", segment->path);
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

void *oev_feed_next(struct oev_feed *feed)
{
	/* inside a block nothing is shared: look at the lock only at its two ends */
	struct block *block = feed->at == 0 || feed->at == BLOCK_ROWS
				      ? current(feed)
				      : &feed->blocks[feed->emptied % BLOCK_COUNT];

	if (feed->at >= block->count)
		return NULL; /* a block that is not full is the last with rows */
	return block->rows + feed->at++ * feed->kind->row_size;
}

const void *oev_feed_peek(const struct oev_feed *feed)
{
	const struct block *block = &feed->blocks[feed->emptied % BLOCK_COUNT];
	uint32_t at = feed->at + OEV_FEED_AHEAD;

	return feed->at != 0 && at < block->count ? block->rows + at * feed->kind->row_size : NULL;
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
