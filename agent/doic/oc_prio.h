/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How much a request matters: its class and its rank (RFC 7944; RFC 7683 appendix C.4; spec sections 3.3, 3.4).
 *
 * The first that applies: a trusted DRMP; emergency; multimedia priority service; what the session began with; ends a
 * session; belongs to a session; begins one. A rank is a DRMP priority, own or of equal worth, so that all requests can be
 * compared; the class is what the trail and the rate thresholds speak of.
 *
 * Ranks of equal worth: class 0 is 0, class 1 is 5, class 2 is 8, class 3 is default_drmp (not below 8 nor above 12, so that
 * the order of the classes stands whatever the default), class 4 is 12. A request of no known stage gets default_drmp as it
 * is, and the class of that number.
 */
#pragma once

#include "../oc_policy.h"
#include "../wire/oc_msg.h"

enum oc_stage {
	OC_STAGE_UNKNOWN = 0, /* independent request, or an application the core does not know */
	OC_STAGE_INITIAL = 1, /* begins a session or pseudo-session */
	OC_STAGE_BINDING = 2, /* begins one and creates a binding: the most work */
	OC_STAGE_INSIDE = 3,  /* belongs to a session */
	OC_STAGE_END = 4      /* ends it and frees resources */
};

struct oc_prio {
	uint8_t klass; /* 0 .. OC_CLASSES - 1 */
	uint8_t rank;  /* 0 .. OC_RANKS - 1 */
	bool is_inherited;
};

/* What is known beside the request: of the session it belongs to (oc_sessions.h), and of its sender. */
struct oc_prio_session {
	bool is_known;
	uint8_t klass;	      /* of the request that began it */
	bool is_unbelievable; /* the sender is not to be believed when it says emergency or priority service */
};

/* Where @request stands in the life of its session, by (Application-ID, command, AVPs). @is_known: its session was
 * seen to begin (tells the first AAR of an Rx session from a later one). */
enum oc_stage oc_prio_stage(const struct oc_msg *request, bool is_known);

/* Class and rank of @request. @drmp: the priority that counts, OC_DRMP_NONE when there is none or its sender is not trusted
 * with it (P-19); above 15 is none (P-23). A session's class 0 or 1 is inherited when it is better than what @request gets by
 * itself, never over a DRMP. Without uses_application neither AVPs, commands nor sessions matter (D-270). */
struct oc_prio oc_prio_of(const struct oc_prio_policy *policy, const struct oc_msg *request, uint8_t drmp,
			  const struct oc_prio_session *session);

/* Whether @apn is one of the emergency APNs: without case, an operator suffix ".mncNNN.mccNNN.gprs" left out. */
bool oc_prio_is_emergency_apn(const struct oc_prio_policy *policy, const char *apn, uint32_t len);
