/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A recorder for lives on a virtual clock: what the core tells goes through journal and recorder into a folder.
 */
#pragma once

#include "agent/oc_agent.h"
#include "evidence/store/oev_recorder.h"

struct help_record {
	struct oev_key *key;
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	oc_event_fn watch; /* hears every event too; set after the beginning */
	void *watch_ctx;
};

/* Time of the recorder's clocks from now on; wall time is HELP_WALL_US at time 0. */
#define HELP_WALL_US 1796000000000000ull /* 2026-11-30T00:53:20Z */
void help_record_clock(uint64_t mono_ns);

/* Size at which recorders begun from now on begin the next segment; 0, as at first: never. */
void help_record_segment_mib(uint32_t mib);

/* A new folder below TMPDIR or /tmp. */
#define HELP_FOLDER_MAX 256
void help_record_folder(char out[static HELP_FOLDER_MAX]);
/* Removes it and all in it. */
void help_record_remove(const char *folder);

/* A life that begins as @conf says, under the document @policy; its segment goes to @folder. Aborts when that fails. */
void help_record_begin(struct help_record *record, const char *folder, const struct oc_agent_conf *conf,
		       const char *policy);
/* Writes what is left, and closes. */
void help_record_end(struct help_record *record);

/* An oc_event_fn: @ctx is the record. */
void help_record_event(void *ctx, const struct oc_event *event);
