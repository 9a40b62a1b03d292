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

/* What a row asks for: hints of the message (enum oc_hint), and above them what is known besides. */
#define KNOWN 0x10000u			   /* the session was seen to begin */
#define CC_TYPE(type) (0x20000u << (type)) /* CC-Request-Type, 0 = absent or other */

_Static_assert(OC_HINT_DRMP_ODD < KNOWN, "hints keep to their bits");

struct row {
	uint16_t command;
	uint8_t stage;
	uint32_t marks; /* all must be there */
};

/* Gx and Gxx. A RAR that brings Session-Release-Cause ends the session. */
static const struct row gx_rows[] = {
	{ CMD_CC, OC_STAGE_BINDING, CC_TYPE(1) }, { CMD_CC, OC_STAGE_INSIDE, CC_TYPE(2) },
	{ CMD_CC, OC_STAGE_END, CC_TYPE(3) },	  { CMD_RA, OC_STAGE_END, OC_HINT_RELEASES },
	{ CMD_RA, OC_STAGE_INSIDE, 0 },
};

/* An AAR both begins and changes a session: what it says of itself counts, else whether the session is known. An ASR asks the
 * AF to end it. */
static const struct row rx_rows[] = {
	{ CMD_AA, OC_STAGE_INITIAL, OC_HINT_RX_INITIAL },
	{ CMD_AA, OC_STAGE_INSIDE, OC_HINT_RX_UPDATE },
	{ CMD_AA, OC_STAGE_INSIDE, KNOWN },
	{ CMD_AA, OC_STAGE_INITIAL, 0 },
	{ CMD_ST, OC_STAGE_END, 0 },
	{ CMD_RA, OC_STAGE_INSIDE, 0 },
	{ CMD_AS, OC_STAGE_END, 0 },
};

/* An update that opens a subsession lets new work in, whatever its request type says. */
static const struct row s9_rows[] = {
	{ CMD_CC, OC_STAGE_INITIAL, CC_TYPE(1) },
	{ CMD_CC, OC_STAGE_INITIAL, OC_HINT_NEW_SUBSESSION | CC_TYPE(2) },
	{ CMD_CC, OC_STAGE_INSIDE, CC_TYPE(2) },
	{ CMD_CC, OC_STAGE_END, CC_TYPE(3) },
	{ CMD_RA, OC_STAGE_INSIDE, 0 },
};

/* A CCR of type 4 is a one-time event: independent. */
static const struct row gy_rows[] = {
	{ CMD_CC, OC_STAGE_INITIAL, CC_TYPE(1) },
	{ CMD_CC, OC_STAGE_INSIDE, CC_TYPE(2) },
	{ CMD_CC, OC_STAGE_END, CC_TYPE(3) },
	{ CMD_RA, OC_STAGE_INSIDE, 0 },
	{ CMD_AS, OC_STAGE_END, 0 },
};

/* Pseudo-sessions: an AIR and the ULR of an attach begin one; any other ULR moves or restores one; PUR frees state. */
static const struct row s6a_rows[] = {
	{ CMD_UL, OC_STAGE_INITIAL, OC_HINT_INITIAL_ATTACH },
	{ CMD_UL, OC_STAGE_INSIDE, 0 },
	{ CMD_AI, OC_STAGE_INITIAL, 0 },
	{ CMD_NO, OC_STAGE_INSIDE, 0 },
	{ CMD_PUE, OC_STAGE_END, 0 },
};

/* Cx and SWx, which has two of the commands. A SAR comes late: to refuse it wastes what went before (TS 29.273 C.3). */
static const struct row cx_rows[] = {
	{ CMD_UA, OC_STAGE_INITIAL, 0 }, { CMD_LI, OC_STAGE_INITIAL, 0 },
	{ CMD_MA, OC_STAGE_INITIAL, 0 }, { CMD_SA, OC_STAGE_END, OC_HINT_DEREGISTERS },
	{ CMD_SA, OC_STAGE_INSIDE, 0 },
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

static enum oc_stage stage_in(const struct application *application, uint32_t command, uint32_t marks)
{
	for (uint32_t i = 0; i < application->count; i++) {
		const struct row *row = &application->rows[i];
		if (row->command == command && (row->marks & ~marks) == 0)
			return row->stage;
	}
	return OC_STAGE_UNKNOWN;
}

enum oc_stage oc_prio_stage(const struct oc_msg *request, bool is_known)
{
	/* Request types end at 4; the mask keeps the shift in bounds whatever the field says. */
	uint32_t marks = request->hints | (is_known ? KNOWN : 0) | CC_TYPE(request->cc_request_type & 7u);

	for (uint32_t i = 0; i < COUNT(applications); i++)
		if (applications[i].app_id == request->app_id)
			return stage_in(&applications[i], request->command, marks);
	return OC_STAGE_UNKNOWN;
}
