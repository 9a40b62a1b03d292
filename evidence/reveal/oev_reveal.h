/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What an evidence folder holds of subscribers and sessions that somebody names, for whoever has the key of its pseudonyms.
 *
 * Forward: the pseudonyms of the identities are made as the agent makes them and looked for in all decisions. Backward: candidates are
 * tried until one has the pseudonym asked for; there is no other way. Where identities were kept clear, table identity has the texts
 * too, and no key is needed.
 *
 * The key must be the one of the folder: its public half is held against public-key.txt there. Nothing is written, the key is never shown,
 * and memory stays bounded whatever the folder holds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oev_asked.h"

enum oev_reveal_outcome {
	OEV_REVEAL_FOUND = 0,
	OEV_REVEAL_NOT_FOUND = 1,   /* one of several, too */
	OEV_REVEAL_CANNOT_TELL = 2, /* no key, another key, or a part that could not be read */
	OEV_REVEAL_UNUSABLE = 3,    /* no evidence, no list, no key file where one was named */
	OEV_REVEAL_USAGE = 4,
	OEV_REVEAL_INTERRUPTED = 5,
	OEV_REVEAL_BUG = 6,
	OEV_REVEAL_OUTCOME_COUNT
};

enum oev_reveal_key {
	OEV_REVEAL_KEY_NONE = 0,    /* there is none */
	OEV_REVEAL_KEY_UNKNOWN = 1, /* the folder has no public key to hold it against */
	OEV_REVEAL_KEY_SAME = 2,    /* it is the one of the folder */
	OEV_REVEAL_KEY_FOREIGN = 3, /* it is not */
};

#define OEV_REVEAL_IDENTITIES_MAX (1u << 18)
#define OEV_REVEAL_SESSIONS_MAX (1u << 19) /* of all subscribers asked for */
#define OEV_REVEAL_PSEUDONYMS_MAX 256u
#define OEV_REVEAL_ERROR_MAX 512u
#define OEV_REVEAL_NAME_MAX 128u /* of a file in the folder; longer ones are cut */
#define OEV_REVEAL_PRINT_MAX 24u /* a fingerprint and NUL */

struct oev_reveal_options {
	const char *path;	  /* a folder, or one segment */
	const char *key_path;	  /* NULL: FOLDER.key beside the folder */
	const char *const *words; /* identities, or candidates */
	size_t word_count;
	const char *list;		    /* file with more of them; "-" standard input; NULL none */
	const uint64_t *pseudonyms;	    /* backward: what they stand for */
	size_t pseudonym_count;		    /* 0: forward */
	bool kinds[OC_IDENTITY_KIND_COUNT]; /* which to look for */
	/* Now and then: octets of files done and in all; backward: candidates tried, and 0. May be NULL. */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	bool (*stop)(void *ctx); /* true: end early. May be NULL */
	void *ctx;
};

struct oev_reveal_segment {
	char *path;
	char name[OEV_REVEAL_NAME_MAX];
	char why[160]; /* why it was not read, or not to its end; "" all is well */
	uint64_t bytes;
	uint64_t decisions;  /* that were read */
	uint64_t identities; /* rows of table identity */
};

/* Backward: what one pseudonym stands for. */
struct oev_reveal_answer {
	uint64_t pseudonym;
	char *text; /* NULL: none of the candidates */
	uint8_t kind;
	bool in_table;
};

struct oev_reveal {
	struct oev_reveal_options options;
	enum oev_reveal_outcome outcome;
	char error[OEV_REVEAL_ERROR_MAX]; /* one sentence, also of CANNOT_TELL; "" none */
	enum oev_reveal_key key;
	char key_path[1024];
	char key_print[OEV_REVEAL_PRINT_MAX]; /* fingerprints: of the key file, of the folder; "" none */
	char folder_print[OEV_REVEAL_PRINT_MAX];
	struct oev_asked asked;
	struct oev_traces traces;   /* of what was asked for */
	struct oev_traces sessions; /* of subscribers among it */
	struct oev_reveal_answer *answers;
	size_t answer_count;
	struct oev_reveal_segment *segments; /* in order of their names */
	size_t segment_count;
	uint64_t candidates; /* that were named or tried */
	uint64_t decisions;  /* that were read */
	uint64_t gap_events; /* that the recorder could not keep */
	uint64_t identities; /* rows of table identity */
};

/* Fills *@out, which needs no preparation; free with _fini in every case. One thread; may take minutes. */
void oev_reveal_run(struct oev_reveal *out, const struct oev_reveal_options *options);
void oev_reveal_fini(struct oev_reveal *reveal);

/* What is to be said of one identity: FOUND, NOT_FOUND or CANNOT_TELL. */
enum oev_reveal_outcome oev_reveal_of(const struct oev_reveal *reveal, const struct oev_identity *identity);
enum oev_reveal_outcome oev_reveal_of_answer(const struct oev_reveal *reveal,
					     const struct oev_reveal_answer *answer);

int oev_reveal_exit(enum oev_reveal_outcome outcome);	       /* 0, 1, 3, 4, 2, 130, 70 */
const char *oev_reveal_text(enum oev_reveal_outcome outcome);  /* "not_found" */
const char *oev_reveal_title(enum oev_reveal_outcome outcome); /* "NOT FOUND" */

/* The object "doic.reveal/1", all keys present for every outcome; or one line for each identity or pseudonym, and a last one.
 * OC_OK, OC_ENOMEM, OC_EIO. */
int oev_reveal_json(const struct oev_reveal *reveal, const char *tool, FILE *out);
int oev_reveal_ndjson(const struct oev_reveal *reveal, const char *tool, FILE *out);
