/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The running agent as the web server sees it: a table of questions and orders that the extension fills. A finished evidence
 * folder has none (NULL).
 *
 * Every function may be called from any thread of the web server, never waits for a callback of the daemon longer than the
 * core's lock is held, and copies what it gives. Names are numbers of names. Lists: up to @max into @out, which may be NULL when @max is 0;
 * returns how many there are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../agent/oc_agent.h"
#include "../evidence/watch/oev_watch.h"

#define OWEB_ERROR_MAX 512u
#define OWEB_WHO_MAX 32u
#define OWEB_REASON_MAX 96u

/* Facts that hardly change, and the state of recording. Strings are borrowed from the node and live as long as it does. */
struct oweb_facts {
	const char *identity;
	const char *realm;
	const char *label; /* "LAB", shown beside the name; "" none */
	const char *evidence_folder;
	uint64_t started_us;
	bool is_observing; /* policy mode observe */
	uint32_t policy_version;
	bool policy_file_is_older; /* what is in force came over HTTP, and its file has another document */
	bool policy_reload_failed; /* the last time the file was read again */
	uint64_t policy_reload_us; /* the last time that went well, or the start */
	uint64_t policy_refused_file, policy_refused_http; /* documents with mistakes */
	uint32_t journal_records;
	uint32_t journal_waiting;
	bool blocks_when_full;
	uint64_t rows, batches, gap_events, failures; /* of the recorder */
	uint64_t lag_us;	       /* age of the oldest event that is not recorded; 0 none waits */
	char recording_error[200];     /* "" it goes well */
	uint64_t disk_free, disk_size; /* octets */
	uint64_t checkpoint_us;	       /* last one; 0 none */
	uint64_t checkpoint_rows;
	char key[24]; /* short name of the signing key */
};

struct oweb_peer {
	uint32_t name;
	bool is_up;
	bool is_configured; /* in the daemon's configuration */
	bool is_out;	    /* wanted: out of selection */
	uint32_t outstanding;
	uint64_t since_us; /* of the state; 0 not known */
	char state[24];	   /* the daemon's word */
};

/* Who changes something, for the trail. */
struct oweb_actor {
	char who[OWEB_WHO_MAX]; /* name of the token; "uid 1000" on the UNIX socket */
	char reason[OWEB_REASON_MAX];
};

enum oweb_done { OWEB_DONE = 0, OWEB_REFUSED = 1, OWEB_NOT_FOUND = 2, OWEB_CONFLICT = 3, OWEB_FAILED = 4 };

struct oweb_node {
	void *ctx;
	const struct oc_names *names;
	struct oev_watch *watch;       /* NULL: nothing is recorded */
	uint64_t (*now_ns)(void *ctx); /* monotonic */
	uint64_t (*wall_us)(void *ctx);
	void (*facts)(void *ctx, struct oweb_facts *out);
	void (*stats)(void *ctx, struct oc_stats *out);
	uint32_t (*states)(void *ctx, struct oc_ocs_view *out, uint32_t max);
	uint32_t (*loads)(void *ctx, struct oc_load_view *out, uint32_t max);
	uint32_t (*orders)(void *ctx, struct oc_report_view *out, uint32_t max);
	uint32_t (*peers)(void *ctx, struct oweb_peer *out, uint32_t max);
	/* The policy document in force, word for word; free() it. NULL when out of memory. */
	char *(*policy_text)(void *ctx, uint32_t *version, uint64_t *since_us);

	/* Orders. On anything but OWEB_DONE *@error is one sentence and nothing changed. */

	/* Puts @text in force if version @expected still is; it becomes version @expected + 1. */
	enum oweb_done (*policy_apply)(void *ctx, const char *text, size_t len, uint32_t expected,
				       const struct oweb_actor *by, char error[static OWEB_ERROR_MAX]);
	/* Reads the document's file again, as SIGHUP does. */
	enum oweb_done (*policy_reload)(void *ctx, const struct oweb_actor *by,
					char error[static OWEB_ERROR_MAX]);
	/* Takes neighbour @peer out of selection for new sessions, or back. */
	enum oweb_done (*want)(void *ctx, const char *peer, bool is_out, const struct oweb_actor *by,
			       char error[static OWEB_ERROR_MAX]);
	/* A row in the trail for what the web server itself does ("unlock", "login refused"). */
	void (*act)(void *ctx, const char *what, const char *object, const struct oweb_actor *by);
};

/* Whether there is an agent that records: nothing recorded is not the same as recorded without fault. */
static inline bool oweb_node_records(const struct oweb_node *node)
{
	return node != NULL && node->watch != NULL;
}
