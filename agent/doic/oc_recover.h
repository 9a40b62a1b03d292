/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The life of one report in time: active, then a controlled return to full traffic (spec section R).
 *
 *   ACTIVE --validity over--> PROBE  (only after 100 %: silence taught us nothing, RFC 7683 section 6.3)
 *                        \--> RAMP   (share falls in a straight line from the last one to 0)
 *   PROBE  --answer to a probe without news, or 10 ramps without any answer--> RAMP
 *   RAMP   --ramp_ms later--> OVER   (at once when the last share was 0: D-252, or ramp_ms is 0)
 *
 * An explicit end starts in RAMP from the share in force. While in PROBE one request per probe interval passes
 * and the rest is treated. The ramp's length is taken from the policy when the ramp begins, so a later
 * policy cannot make the share rise again (D-256). The bound on PROBE keeps the whole return finite: with the
 * default ramp at most 5 min 30 s after expiry.
 */
#pragma once

#include "../oc_policy.h"

#define OC_RECOVER_PROBE_RAMPS 10ull /* PROBE lasts at most this many ramps */

enum oc_phase { OC_PHASE_ACTIVE = 0, OC_PHASE_PROBE = 1, OC_PHASE_RAMP = 2, OC_PHASE_OVER = 3 };

struct oc_recover {
	uint64_t until_ns;	 /* when the present phase ends; of OVER: never */
	uint32_t share_ppm : 24; /* of ACTIVE and PROBE; of RAMP the share it began with */
	uint32_t phase : 6;	 /* enum oc_phase */
	uint32_t is_rate : 1; /* while ACTIVE a bucket decides, and share_ppm is what it took away lately */
	uint32_t is_specific : 1; /* some requests have shares of their own, share_ppm is the highest */
	uint32_t ramp_ms;	  /* length of the present RAMP */
};

/* What PROBE needs to remember; all-zero at first. */
struct oc_probe {
	uint64_t next_ns;  /* no probe before this */
	uint64_t first_ns; /* when the first probe was let through, 0 = not yet */
};

/* A report of @share_ppm in force until @expires_ns. */
void oc_recover_begin(struct oc_recover *r, uint32_t share_ppm, uint64_t expires_ns);

/* An explicit end at @now_ns, when @share_ppm was in force. */
void oc_recover_end(struct oc_recover *r, uint32_t share_ppm, const struct oc_policy *policy,
		    uint64_t now_ns);

/* Enters the next phase if the present one is over at @now_ns; *@at_ns is when it was over. To be repeated
 * until false: several phases may have passed. */
bool oc_recover_step(struct oc_recover *r, const struct oc_policy *policy, uint64_t now_ns, uint64_t *at_ns);

/* Share of requests to treat at @now_ns, for a state that oc_recover_step() has brought up to date. */
uint32_t oc_recover_share(const struct oc_recover *r, uint64_t now_ns);

/* The same for a state that may lag behind, which is left as it is. */
uint32_t oc_recover_share_later(const struct oc_recover *r, const struct oc_policy *policy, uint64_t now_ns);

/* In PROBE: whether the request at hand may pass as a probe; if so the next may not before the interval. */
bool oc_recover_take_probe(const struct oc_recover *r, struct oc_probe *probe, const struct oc_policy *policy,
			   uint64_t now_ns);

/* An answer without news, to a request sent at @sent_ns, came at @now_ns. In PROBE this is the go-ahead when the
 * request left no earlier than the first probe. */
void oc_recover_answered(struct oc_recover *r, const struct oc_probe *probe, const struct oc_policy *policy,
			 uint64_t sent_ns, uint64_t now_ns);
