/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the messages of a story say, read from its words and written as octets.
 */
#pragma once

#include "scn_words.h"
#include "tests/unit/agent/help_wire.h"

#define SCN_OLRS_MAX 8u
#define SCN_LOADS_MAX 6u
#define SCN_GROUPS_MAX 12u
#define SCN_SPECIFICS_MAX 8u
#define SCN_NONE 0xffffffffu /* a number that is not there */

struct scn_world;

enum scn_caps_kind { SCN_CAPS_NONE = 0, SCN_CAPS_EMPTY, SCN_CAPS_BAD, SCN_CAPS_VECTOR };

/* OC-Supported-Features. Texts last as long as the world, here and below. */
struct scn_caps {
	enum scn_caps_kind kind;
	uint64_t vector;
	const char *source; /* SourceID, NULL = none */
	bool has_peer_algo;
	uint64_t peer_algo;
	bool has_extra;	  /* an AVP of ours inside that nobody knows */
	bool is_repeated; /* two of them */
};

struct scn_request {
	const char *client; /* peer it comes from */
	const char *origin; /* Origin-Host, NULL = the client */
	const char *origin_realm;
	const char *dest_host; /* NULL = none */
	const char *dest_realm;
	uint32_t app_id;
	uint32_t command;
	uint8_t flags;
	struct scn_caps caps;
	uint64_t session; /* 0 = no Session-Id */
	uint32_t drmp;	  /* or SCN_NONE, and so on */
	uint32_t cc_type;
	uint32_t reservation;
	uint32_t rx_type;
	uint32_t uar_flags;
	uint32_t ulr_flags;
	uint32_t assignment;
	uint32_t subsession;
	bool has_mps;
	bool releases;
	bool has_olr; /* a report where none belongs */
	const char *urn;
	const char *apn;
	uint32_t groups[SCN_GROUPS_MAX];
	uint32_t group_count;
};

/* One OC-OLR: what is not there is SCN_NONE, or of the sequence has_sequence. */
struct scn_olr {
	uint32_t type;
	bool has_sequence;
	uint64_t sequence;
	uint32_t pct;
	uint32_t validity;
	uint32_t rate;
	const char *source;
	const char *specific[SCN_SPECIFICS_MAX];
	uint32_t specific_count;
	bool is_bad;	  /* ends in an AVP that does not parse */
	bool has_extra;	  /* an AVP nobody knows */
	bool has_m_bit;	  /* all children with the M bit */
	bool is_backward; /* children in the opposite order */
};

struct scn_load {
	uint32_t type;
	uint64_t value;
	bool has_value;
	const char *source;
};

struct scn_answer {
	const char *host;  /* Origin-Host, NULL = the Destination-Host or the peer */
	const char *realm; /* NULL = the Destination-Realm */
	uint32_t result;
	uint32_t experimental; /* instead, or SCN_NONE */
	struct scn_caps caps;
	struct scn_olr olrs[SCN_OLRS_MAX];
	uint32_t olr_count;
	struct scn_load loads[SCN_LOADS_MAX];
	uint32_t load_count;
	uint32_t drmp;
};

/* --- scn_request.c --- */

/* A request of client c2 to example.net in the story's application, in @command's words. False: @words do not read. */
bool scn_request_read(struct scn_world *w, const struct scn_words *words, struct scn_request *out);

/* Applies "key" or "key=value" of one kind of requests (scn_send.c). False: unknown. */
bool scn_request_set(struct scn_world *w, struct scn_request *request, const char *key, const char *value);

void scn_request_build(const struct scn_request *request, struct help_wire *wire);

/* --- scn_answer.c --- */

/* A plain success with OC-Supported-Features (loss). */
void scn_answer_init(struct scn_answer *answer);
bool scn_answer_read(struct scn_world *w, const struct scn_words *words, struct scn_answer *out);

/* @app_id and @command: of the request. */
void scn_answer_build(const struct scn_answer *answer, uint32_t app_id, uint32_t command,
		      struct help_wire *wire);

/* --- scn_say.c --- */

/* FV[,sid=NAME][,pa=N][,extra][,twice], FV a number, 0 (none), empty, bad or zero. False: does not read. */
bool scn_caps_read(struct scn_world *w, const char *text, struct scn_caps *out);
void scn_caps_build(const struct scn_caps *caps, struct help_wire *wire);

/* TYPE,SEQ,PCT,SECONDS[,rate=N][,sid=NAME][,spec=...]...[,bad][,extra][,mbit][,backward] */
bool scn_olr_read(struct scn_world *w, const char *text, struct scn_olr *out);
void scn_olr_build(const struct scn_olr *olr, struct help_wire *wire);
