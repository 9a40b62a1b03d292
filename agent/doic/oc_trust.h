/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Trust: whether a report may be believed, from whom and about whom (RFC 7683 section 10; spec section T).
 */
#pragma once

#include "../oc_event.h"
#include "../oc_policy.h"

/* Flags (enum oc_trust_flag) of the peer called @name. */
uint32_t oc_trust_flags(const struct oc_policy *policy, const char *name);

/* Everything about the way a report came that decides whether it is believed. */
struct oc_trust_case {
	uint32_t flags;	     /* of the adjacent peer */
	bool is_answer_due;  /* answers a pending request, on the connection that request left on (D-280) */
	bool is_announced;   /* that request carried OC-Supported-Features from our side (D-075) */
	bool has_features;   /* the answer carries OC-Supported-Features (D-074) */
	bool is_from_origin; /* the adjacent peer is the Origin-Host itself (D-283) */
	const char *peer;    /* texts, lower case */
	const char *realm;   /* Origin-Realm */
};

/* D-280, D-282, D-284, D-290: questions that do not depend on what the report says. */
enum oc_report_reason oc_trust_check_way(const struct oc_trust_case *c);

/* D-281, D-283: whether the peer may speak for this host or realm. */
enum oc_report_reason oc_trust_check_scope(const struct oc_policy *policy, const struct oc_trust_case *c);

/* Whether a report refused for @reason may still travel on to a client that reacts itself: only when nothing about
 * its sender or its form was wrong (D-282, D-263). */
bool oc_trust_may_forward(enum oc_report_reason reason);
