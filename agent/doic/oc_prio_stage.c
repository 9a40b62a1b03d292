/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of stages: where a request stands in the life of its session (spec section 3.3).
 *
 * One list of rows for each application, looked through in order; the first row that fits counts. The same command
 * code means different things in different applications, so nothing is ever told from the command alone.
 */
#include "oc_prio.h"

/* Command codes, as the applications use them. */
#define CMD_RA 258u  /* Re-Auth */
#define CMD_AA 265u  /* AA (Rx) */
#define CMD_CC 272u  /* Credit-Control */
#define CMD_AS 274u  /* Abort-Session */
#define CMD_ST 275u  /* Session-Termination */
#define CMD_UA 300u  /* User-Authorization (Cx) */
#define CMD_SA 301u  /* Server-Assignment (Cx, SWx) */
#define CMD_LI 302u  /* Location-Info (Cx) */
#define CMD_MA 303u  /* Multimedia-Auth (Cx, SWx) */
#define CMD_UL 316u  /* Update-Location (S6a) */
#define CMD_AI 318u  /* Authentication-Information (S6a) */
#define CMD_PUE 321u /* Purge-UE (S6a) */
#define CMD_NO 323u  /* Notify (S6a) */

/* Stands beside the hints of a message: the session was seen to begin. */
#define KNOWN 0x8000u

_Static_assert(OC_HINT_DRMP_ODD < KNOWN, "no hint of a message has this bit");

struct row {
	uint16_t command;
	uint16_t hint;		 /* enum oc_hint or KNOWN that must be there, 0 = none needed */
	uint8_t cc_request_type; /* that must be there, 0 = any or none */
	uint8_t stage;
};

/* Gx and Gxx. A RAR that brings Session-Release-Cause ends the session. */
static const struct row gx_rows[] = {
	{ CMD_CC, 0, 1, OC_STAGE_BINDING }, { CMD_CC, 0, 2, OC_STAGE_INSIDE },
	{ CMD_CC, 0, 3, OC_STAGE_END },	    { CMD_RA, OC_HINT_RELEASES, 0, OC_STAGE_END },
	{ CMD_RA, 0, 0, OC_STAGE_INSIDE },
};

/* An AAR both begins and changes a session: what it says of itself counts, else whether the session is known. An ASR asks the
 * AF to end it. */
static const struct row rx_rows[] = {
	{ CMD_AA, OC_HINT_RX_INITIAL, 0, OC_STAGE_INITIAL },
	{ CMD_AA, OC_HINT_RX_UPDATE, 0, OC_STAGE_INSIDE },
	{ CMD_AA, KNOWN, 0, OC_STAGE_INSIDE },
	{ CMD_AA, 0, 0, OC_STAGE_INITIAL },
	{ CMD_ST, 0, 0, OC_STAGE_END },
	{ CMD_RA, 0, 0, OC_STAGE_INSIDE },
	{ CMD_AS, 0, 0, OC_STAGE_END },
};

/* An update that opens a subsession lets new work in, whatever its request type says. */
static const struct row s9_rows[] = {
	{ CMD_CC, 0, 1, OC_STAGE_INITIAL }, { CMD_CC, OC_HINT_NEW_SUBSESSION, 2, OC_STAGE_INITIAL },
	{ CMD_CC, 0, 2, OC_STAGE_INSIDE },  { CMD_CC, 0, 3, OC_STAGE_END },
	{ CMD_RA, 0, 0, OC_STAGE_INSIDE },
};

/* A CCR of type 4 is a one-time event: independent. */
static const struct row gy_rows[] = {
	{ CMD_CC, 0, 1, OC_STAGE_INITIAL }, { CMD_CC, 0, 2, OC_STAGE_INSIDE }, { CMD_CC, 0, 3, OC_STAGE_END },
	{ CMD_RA, 0, 0, OC_STAGE_INSIDE },  { CMD_AS, 0, 0, OC_STAGE_END },
};

/* Pseudo-sessions: an AIR and the ULR of an attach begin one; any other ULR moves or restores one; PUR frees state. */
static const struct row s6a_rows[] = {
	{ CMD_UL, OC_HINT_INITIAL_ATTACH, 0, OC_STAGE_INITIAL },
	{ CMD_UL, 0, 0, OC_STAGE_INSIDE },
	{ CMD_AI, 0, 0, OC_STAGE_INITIAL },
	{ CMD_NO, 0, 0, OC_STAGE_INSIDE },
	{ CMD_PUE, 0, 0, OC_STAGE_END },
};

/* Cx and SWx, which has two of the commands. A SAR comes late: to refuse it wastes what went before (TS 29.273 C.3). */
static const struct row cx_rows[] = {
	{ CMD_UA, 0, 0, OC_STAGE_INITIAL }, { CMD_LI, 0, 0, OC_STAGE_INITIAL },
	{ CMD_MA, 0, 0, OC_STAGE_INITIAL }, { CMD_SA, OC_HINT_DEREGISTERS, 0, OC_STAGE_END },
	{ CMD_SA, 0, 0, OC_STAGE_INSIDE },
};

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct application {
	uint32_t app_id;
	uint32_t count;
	const struct row *rows;
} applications[] = {
	{ OC_APP_GX, COUNT(gx_rows), gx_rows },	 { OC_APP_RX, COUNT(rx_rows), rx_rows },
	{ OC_APP_GY, COUNT(gy_rows), gy_rows },	 { OC_APP_S6A, COUNT(s6a_rows), s6a_rows },
	{ OC_APP_CX, COUNT(cx_rows), cx_rows },	 { OC_APP_SWX, COUNT(cx_rows), cx_rows },
	{ OC_APP_GXX, COUNT(gx_rows), gx_rows }, { OC_APP_S9, COUNT(s9_rows), s9_rows },
};

static enum oc_stage stage_in(const struct application *application, const struct oc_msg *request,
			      uint32_t hints)
{
	for (uint32_t i = 0; i < application->count; i++) {
		const struct row *row = &application->rows[i];
		if (row->command == request->command && (row->hint == 0 || (row->hint & hints) != 0) &&
		    (row->cc_request_type == 0 || row->cc_request_type == request->cc_request_type))
			return row->stage;
	}
	return OC_STAGE_UNKNOWN;
}

enum oc_stage oc_prio_stage(const struct oc_msg *request, bool is_known)
{
	uint32_t hints = request->hints | (is_known ? KNOWN : 0);

	for (uint32_t i = 0; i < COUNT(applications); i++)
		if (applications[i].app_id == request->app_id)
			return stage_in(&applications[i], request, hints);
	return OC_STAGE_UNKNOWN;
}
