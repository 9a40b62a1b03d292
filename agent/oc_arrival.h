/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One received report on its way in, shared by those who judge it and those who tell of it.
 */
#pragma once

#include "doic/oc_specific.h"
#include "oc_agent_inner.h"

/* One received report on its way in. */
struct oc_arrival {
	const struct oc_msg *msg;
	const struct oc_olr *olr;
	const struct oc_txn *txn;
	uint32_t from_peer;
	uint32_t subject;
	uint32_t origin; /* who a rate is allotted to: the request's host or realm */
	uint64_t now_ns;
	enum oc_algo algorithm;
	enum oc_report_reason reason;
	enum oc_intake verdict;
	uint32_t version;
	struct oc_specific specific; /* of a Gy report; count 0 = none */
};

/* Equal for word-for-word repeats through the same peer. */
uint64_t oc_arrival_fingerprint(const struct oc_arrival *a);

/* Tells of the report, as number @report, with all its octets. */
void oc_arrival_tell(const struct oc_arrival *a, uint64_t report, struct oc_batch *batch);

/* Tells of the version it made: @entry, in place of version @replaces (0: of none). */
void oc_arrival_tell_version(const struct oc_ocs_entry *entry, const struct oc_ocs_record *record,
			     uint32_t replaces, struct oc_batch *batch);
