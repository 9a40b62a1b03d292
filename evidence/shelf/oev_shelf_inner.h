/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of a shelf: what the folder holds, connections to it, texts and times of rows. Private to the folder.
 *
 * Functions that return a code fill @error, one sentence, when it is not OC_OK.
 */
#pragma once

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "../audit/oev_times.h"
#include "oev_shelf.h"
#include "oev_shelf_list.h"

#define OEV_SHELF_PATH_MAX 1024u
#define OEV_SHELF_CONNS 24u    /* connections kept open */
#define OEV_SHELF_MEMO_BITS 12 /* rows that others name, kept per kind and connection */
#define OEV_SHELF_TABLES_MAX 32u
#define OEV_SHELF_HELD_MAX ((size_t)256 << 20)

/* One segment as it was when the folder was looked at last. */
struct oev_shelf_part {
	struct oev_shelf_segment facts;
	char path[OEV_SHELF_PATH_MAX];
	uint64_t run_key;	/* hash of the run */
	uint64_t life_us;	/* beginning of its life, as far as the folder tells */
	uint64_t base_ns;	/* what at_ns counts from */
	uint64_t inode, octets; /* of the file, with... */
	int64_t changed_ns;	/* ... its time: whether it is still the same */
	uint32_t schema;
	bool may_pass; /* its trouble: it could not be opened, and is tried again */
	bool is_first; /* the folder holds no earlier part of its life: carried rows are told nowhere else */
	size_t carried_count;
	struct {
		char table[32];
		uint64_t rows;
	} carried[OEV_SHELF_TABLES_MAX];
};

/* In the order of time. Unchanged once made. */
struct oev_shelf_catalog {
	_Atomic unsigned refs;
	size_t count;
	struct oev_shelf_part parts[];
};

enum oev_shelf_stmt {
	OEV_SHELF_S_DOWN, /* ?1 highest, ?2 lowest number; likewise below */
	OEV_SHELF_S_UP,
	OEV_SHELF_S_DOWN_MORE, /* with session, subscriber and versions */
	OEV_SHELF_S_UP_MORE,
	OEV_SHELF_S_ONE,      /* ?1 number; likewise below */
	OEV_SHELF_S_AFTER,    /* the first decision from ?1 on: number, time */
	OEV_SHELF_S_SESSIONS, /* for the index: from ?1 to ?2 */
	OEV_SHELF_S_FLOW,
	OEV_SHELF_S_WAY,
	OEV_SHELF_S_ENDING,
	OEV_SHELF_S_NAME,
	OEV_SHELF_S_NAME_ID, /* ?1 text */
	OEV_SHELF_S_CLOCK,   /* the pair at or before ?1, and when the next one begins */
	OEV_SHELF_S_CLOCK_FIRST,
	OEV_SHELF_S_OUTCOME_AT,	  /* ?1 rowid */
	OEV_SHELF_S_OUTCOME_WHEN, /* likewise; when it came, if its request is here */
	OEV_SHELF_S_OUTCOMES,	  /* ?1 to ?2 */
	OEV_SHELF_S_OUTCOME_LAST,
	OEV_SHELF_S_VERSION,
	OEV_SHELF_S_REPORT,
	OEV_SHELF_S_RAW,
	OEV_SHELF_S_PROFILE,
	OEV_SHELF_S_CANDIDATES,
	OEV_SHELF_S_POLICY, /* in force at ?1 */
	OEV_SHELF_S_META,   /* what the segment says of itself; likewise below */
	OEV_SHELF_S_LAST,
	OEV_SHELF_S_CARRIED,
	OEV_SHELF_S_LISTS, /* from here on: two for each list, newest first and oldest first, and one for what it carries */
	OEV_SHELF_S_COUNT = OEV_SHELF_S_LISTS + 3 * OEV_SHELF_LIST_COUNT
};

/* Rows of one kind by number, as far as they were asked for lately. */
struct oev_shelf_memo {
	uint64_t *ids;
	char *items;
	size_t item_size;
};

struct oev_shelf_flow {
	uint32_t app_id, command, client, origin_host, origin_realm, dest_host, dest_realm, profile;
	uint8_t drmp, cc_request_type;
};

struct oev_shelf_way {
	uint32_t candidates, first_choice, next_hop, result_code;
	uint16_t flags;
	uint8_t verdict, why, selected_by, klass;
};

struct oev_shelf_ending {
	uint32_t result_code, answered_by, answered_realm, from_peer;
	uint16_t hints; /* enum oc_hint; of what the answer says of itself */
	uint8_t maker, attempts;
};

/* A connection to one segment, for one thread at a time. */
struct oev_shelf_conn {
	sqlite3 *db;
	sqlite3_stmt *stmts[OEV_SHELF_S_COUNT];
	struct oev_shelf_memo flows, ways, endings, names;
	char name[128];
	uint64_t inode, base_ns;
	int64_t changed_ns;
	uint32_t schema;
	bool is_sealed;
	bool is_copy;	 /* of a segment that could not be joined: it does not follow */
	bool is_passing; /* not kept: whoever wants to seal the segment waits for its readers */
	bool is_busy;
	uint64_t used;	   /* when, by the shelf's counter */
	uint64_t until_ns; /* a statement that runs longer is interrupted */
	struct {
		uint64_t from_ns, until_ns, offset_us;
	} clock;		/* the pair used last */
	struct oev_times times; /* all of them, once a window was asked for; of a live segment up to then */
};

struct oev_shelf_index;

struct oev_shelf {
	char folder[OEV_SHELF_PATH_MAX];
	pthread_mutex_t lock; /* of all below but the index */
	struct oev_shelf_catalog *catalog;
	uint64_t looked_ns; /* when at the folder */
	bool is_looking;    /* a thread is at it */
	uint64_t uses;
	struct oev_shelf_conn *conns[OEV_SHELF_CONNS];
	struct oev_shelf_index *index;
	_Atomic unsigned open_runs; /* files of the index that stay open */
	_Atomic size_t held; /* octets of the index that are in memory since no file could be written... */
	size_t held_max;     /* ... and may be */
};

/* oev_shelf_catalog.c: the segments, looked at again when that was a while ago. NULL: out of memory. */
struct oev_shelf_catalog *oev_shelf_catalog_get(struct oev_shelf *shelf);
/* As they were when somebody looked last. */
struct oev_shelf_catalog *oev_shelf_catalog_seen(struct oev_shelf *shelf);
void oev_shelf_catalog_put(struct oev_shelf_catalog *catalog);
/* The part of @run_key that has decision @id; NULL: none. */
const struct oev_shelf_part *oev_shelf_part_of(const struct oev_shelf_catalog *catalog, uint64_t run_key,
					       uint64_t id);
/* The next part of the same life; NULL: none. */
const struct oev_shelf_part *oev_shelf_part_after(const struct oev_shelf_catalog *catalog,
						  const struct oev_shelf_part *part);
uint64_t oev_shelf_carried(const struct oev_shelf_part *part, const char *table);

/* oev_shelf_facts.c: fills @part from its file; what is wrong is said in facts.trouble. */
void oev_shelf_facts(struct oev_shelf *shelf, struct oev_shelf_part *part);
/* What its seal says, when there is one. */
void oev_shelf_facts_seal(struct oev_shelf_part *part);

/* oev_shelf_conn.c. Take: begins a question; OC_OK, OC_EIO, OC_ENOMEM, OC_EMALFORMED (no segment). Give: ends it. */
int oev_shelf_conn_take(struct oev_shelf *shelf, const struct oev_shelf_part *part,
			struct oev_shelf_conn **out, char *error);
void oev_shelf_conn_give(struct oev_shelf *shelf, struct oev_shelf_conn *conn);
/* One of its own, which _free ends. */
int oev_shelf_conn_new(struct oev_shelf_conn **out, const struct oev_shelf_part *part, char *error);
void oev_shelf_conn_free(struct oev_shelf_conn *conn);
/* Says what is known of @conn's segment, when more became known than it was opened with. */
void oev_shelf_conn_describe(struct oev_shelf_conn *conn, const struct oev_shelf_part *part);
/* Closes idle ones that @catalog, the newest, has no use for. */
void oev_shelf_conns_sweep(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog);
void oev_shelf_conns_close(struct oev_shelf *shelf);

/* Ready to be bound and stepped; NULL: the segment lacks what it asks for. */
sqlite3_stmt *oev_shelf_stmt(struct oev_shelf_conn *conn, unsigned which);

/* oev_shelf_sql.c */
const char *oev_shelf_sql(unsigned which);

/* oev_shelf_value.c: what no node writes reads as the largest number, never as a harmless one. NULL is 0. */
uint64_t oev_shelf_number(sqlite3_stmt *stmt, int column);
/* Text that is UTF-8 without control characters, whatever the file holds: what is not reads as '?'. */
void oev_shelf_word(sqlite3_stmt *stmt, int column, char *buf, size_t size);
void oev_shelf_clean(char *text, bool keep_lines);
uint64_t oev_shelf_hash(uint64_t hash, const void *data, size_t size);
#define OEV_SHELF_HASH_FIRST 0xcbf29ce484222325ull
uint64_t oev_shelf_run_key(const char *run);
/* Whether @part cannot be read. Then @page notes that its rows are missing; the first one is named. */
bool oev_shelf_leave_out(struct oev_shelf_page *page, const struct oev_shelf_part *part);
int oev_shelf_say(char *error, int rc, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Says that a statement on @conn failed. */
int oev_shelf_fail(const struct oev_shelf_conn *conn, char *error);

/* oev_shelf_named.c: rows that others name; NULL: there is none (or it cannot be read). */
const struct oev_shelf_flow *oev_shelf_flow(struct oev_shelf_conn *conn, uint64_t id);
const struct oev_shelf_way *oev_shelf_way(struct oev_shelf_conn *conn, uint64_t id);
const struct oev_shelf_ending *oev_shelf_ending(struct oev_shelf_conn *conn, uint64_t id);
/* "" for 0. */
void oev_shelf_name(struct oev_shelf_conn *conn, uint32_t id, char out[static OEV_SHELF_NAME_MAX]);
/* 0: it does not occur. */
uint32_t oev_shelf_name_id(struct oev_shelf_conn *conn, const char *text);

/* oev_shelf_time.c. The monotonic time that column at_ns tells: what is told of late may be before the segment's beginning. */
uint64_t oev_shelf_at_ns(const struct oev_shelf_conn *conn, sqlite3_stmt *stmt, int column);
uint64_t oev_shelf_wall(struct oev_shelf_conn *conn, uint64_t mono_ns);
/* Narrows [*@low, *@high] to numbers of decisions outside which none is of [@from_us, @until_us): the clock may have been set.
 * OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_between(struct oev_shelf_conn *conn, uint64_t from_us, uint64_t until_us, uint64_t *low,
		      uint64_t *high);

/* oev_shelf_cursor.c: where a page ended: behind row @number of life @run_key. */
struct oev_shelf_at {
	bool is_set;
	uint64_t run_key;
	uint64_t number;
	uint64_t more; /* of lists: place among rows of the same number, or of sessions: the session */
};
void oev_shelf_cursor_text(char out[static OEV_SHELF_CURSOR_MAX], uint64_t filter_key,
			   const struct oev_shelf_at *at);
int oev_shelf_cursor_parse(const char *text, uint64_t filter_key, struct oev_shelf_at *at, char *error);
uint64_t oev_shelf_filter_key(const struct oev_shelf_filter *filter);

/* oev_shelf_pass.c: a filter in the numbers of one segment. */
struct oev_shelf_pass {
	const struct oev_shelf_filter *filter;
	bool is_none; /* nothing in this segment passes */
	bool of_flow, of_way, of_looks, of_identity, of_outcome, of_time;
	uint8_t verdict; /* OC_VERDICT_COUNT: any */
	uint32_t client, origin_host, origin_realm, dest_host, dest_realm, next_hop;
};
int oev_shelf_pass_init(struct oev_shelf_pass *pass, const struct oev_shelf_filter *filter, char *error);
void oev_shelf_pass_enter(struct oev_shelf_pass *pass, struct oev_shelf_conn *conn,
			  const struct oev_shelf_part *part);
/* What to scan with, and the row where that stands, without its outcome. */
enum oev_shelf_stmt oev_shelf_pass_scan(const struct oev_shelf_pass *pass);
bool oev_shelf_pass_row(const struct oev_shelf_pass *pass, struct oev_shelf_conn *conn, sqlite3_stmt *stmt);
bool oev_shelf_pass_outcome(const struct oev_shelf_pass *pass, const struct oev_shelf_decision *row);

/* oev_shelf_row.c: decision @id without its outcome; OC_OK, OC_ENOENT, OC_EIO. */
int oev_shelf_row(struct oev_shelf_conn *conn, const struct oev_shelf_part *part, uint64_t id,
		  struct oev_shelf_decision *out);

/* oev_shelf_outcome.c: finds outcomes of @rows, whose numbers rise or fall. @patience: rows of table outcome to look at. */
int oev_shelf_outcomes(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog,
		       struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		       struct oev_shelf_decision *rows, uint32_t count, uint64_t patience, char *error);
void oev_shelf_outcome_fill(struct oev_shelf_conn *conn, uint64_t took_ns, uint64_t ending,
			    struct oev_shelf_decision *row);
