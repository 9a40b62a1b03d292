/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * tshark as our reassembler: it reads captures and gives every Diameter message whole, and a line about every frame that may
 * hold some.
 *
 * One run does both: messages go to a file without a name (oev_pdu.h reads it), lines are handed on as they come. Several captures are
 * merged in order of time by mergecap, on the way and without a file. No name resolution, nobody's preferences, no shell.
 */
#pragma once

#include <stdio.h>

#include "oev_frame.h"

#define OEV_TSHARK_PORTS_MAX 16u
#define OEV_PORT_DIAMETER 3868u
#define OEV_PORT_DIAMETER_TLS 5868u /* RFC 6733 section 11.4 */

struct oev_tshark_conf {
	const char *const *files;
	size_t file_count;
	const uint16_t *ports; /* decoded as Diameter besides 3868, at most OEV_TSHARK_PORTS_MAX */
	size_t port_count;
	bool sorts_segments; /* let TCP segments wait for earlier ones: one that is missing stops its connection */
	uint32_t stall_ms; /* end tshark when it neither reads nor writes for so long */
	int (*on_frame)(void *ctx, const struct oev_frame *frame); /* not OC_OK: stop */
	void (*progress)(void *ctx, uint64_t done,
			 uint64_t total); /* octets read; total 0: not known; may be NULL */
	bool (*stop)(void *ctx);	  /* may be NULL */
	void *ctx;
};

struct oev_tshark_result {
	FILE *messages;	     /* the exported messages; the caller's */
	uint64_t frames;     /* lines taken in */
	uint64_t unreadable; /* lines that are none */
	int exit;	     /* tshark's exit code, above 128 a signal */
	char said[480];	     /* what it, or mergecap, had to say when it did not end well */
};

/* Runs it to the end. On failure *@error is one sentence and result->messages NULL. Returns OC_OK, also when tshark found the captures
 * broken (result->exit); OC_ENOENT: a file or a program is not there; OC_EINTERRUPTED; OC_EIO; OC_ENOMEM; what on_frame returned. */
int oev_tshark_run(const struct oev_tshark_conf *conf, struct oev_tshark_result *result, char *error,
		   size_t error_size);
