/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads captures of Diameter and tells what they show: of every node that sends requests the reports it got, the states it should
 * hold, and its traffic; and what could not be decoded.
 *
 * tshark is run once (twice when TCP segments are out of order, see sorts_segments), what it exports is read twice: to learn who is who, then
 * to tell. Memory does not grow with the number of messages, except for the figures of sessions and the requests that wait.
 */
#pragma once

#include "oev_capture_count.h"
#include "oev_capture_model.h"
#include "oev_missed.h"
#include "oev_tshark.h"

enum oev_capture_phase { OEV_PHASE_TSHARK = 0, OEV_PHASE_LEARN = 1, OEV_PHASE_TELL = 2 };

struct oev_capture;

struct oev_capture_options {
	const char *const *files; /* pcap, pcapng and what else tshark reads; may be compressed */
	size_t file_count;
	const uint16_t *ports; /* of Diameter, besides 3868 and, for TLS, 5868 */
	size_t port_count;
	struct oc_keyed_key pseudonym_key; /* of sessions and subscribers */
	uint32_t names_max; /* different identities kept apart, 0 = 262144; further ones are as if unknown */
	const struct oev_capture_sink *sink; /* may be NULL */
	/* @total 0: not known. Octets of the files, then messages. May be NULL, like the next. */
	void (*progress)(void *ctx, enum oev_capture_phase phase, uint64_t done, uint64_t total);
	bool (*stop)(void *ctx);
	/* All is learnt, names and what is missed, and nothing told yet. Not OC_OK: stop. May be NULL. */
	int (*ready)(void *ctx, const struct oev_capture *capture);
	void *ctx;
};

struct oev_capture {
	struct oc_names *names;
	struct oev_connections *connections;
	struct oev_capture_walk *walk;
	struct oev_capture_model *model;
	struct oev_missed missed;
	struct oev_capture_count count;
	uint64_t exported;   /* messages tshark counted; 0 not known */
	bool sorts_segments; /* more was decoded by letting TCP segments wait for earlier ones */
	char said[480];	     /* by tshark, when it did not like the end of the input */
	char error[640];     /* one sentence when it failed */
};

/* Fills *@out (zeroed by the caller, freed with _fini, also after failure). OC_OK; OC_ENOENT: a file or program is not there;
 * OC_EMALFORMED: no capture; OC_EINTERRUPTED, OC_EIO, OC_ENOMEM; what the sink returned. */
int oev_capture_run(struct oev_capture *out, const struct oev_capture_options *options);

/* The second half alone: tells what @messages holds, as tshark exported it; owns it from now on. The same returns. */
int oev_capture_tell(struct oev_capture *out, FILE *messages, const struct oev_capture_options *options);

void oev_capture_fini(struct oev_capture *capture);
