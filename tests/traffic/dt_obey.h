/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A reacting node, plain: takes reports out of answers and says which requests they allow to be sent.
 *
 * RFC 7683 for HOST and REALM reports, RFC 8581 for PEER reports, RFC 8582 for the rate algorithm. Entries are found by
 * (Application-ID, report type, identity). A report with a sequence number not above the stored one is ignored, but
 * for the wrap-around (RFC 7683 section 5.2.1.3); its validity counts from the first reception (section 7.5). When
 * it is over traffic is back at once. Priorities are not looked at. Time is a parameter, in monotonic ns.
 */
#pragma once

#include "dt_rng.h"
#include "dt_scan.h"

#define DT_OBEY_MAX 128u

struct dt_obey;

struct dt_obey_counts {
	uint64_t accepted; /* reports that made or changed an entry */
	uint64_t repeated; /* the same sequence number again */
	uint64_t old;	   /* a lower one */
	uint64_t foreign;  /* PEER reports not of the peer the answer came from */
	uint64_t
		useless; /* without features, without what its algorithm needs, of an unknown type, or no room */
};

/* Heap; NULL when out of memory. */
struct dt_obey *dt_obey_new(uint64_t seed);
void dt_obey_free(struct dt_obey *obey);

/* Takes the reports of an answer to a request of application @app_id. @peer: identity of the peer it came from when
 * peer reports were announced, or NULL: then they are foreign. */
void dt_obey_answer(struct dt_obey *obey, const struct dt_scan *answer, uint32_t app_id, const char *peer,
		    uint64_t now_ns);
/* Whether @request may be sent to @peer now. Counts it as sent if so: to be asked once per request. */
bool dt_obey_allows(struct dt_obey *obey, const struct dt_scan *request, uint32_t app_id, const char *peer,
		    uint64_t now_ns);

const struct dt_obey_counts *dt_obey_counts(const struct dt_obey *obey);
