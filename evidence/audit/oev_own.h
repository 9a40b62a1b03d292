/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports that the recording node made itself: the decision to report, the exact octets, to whom they went and how often.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_OWN_MAX 4096u    /* contents listed; further ones are counted */
#define OEV_ORDERS_MAX 4096u /* likewise */
#define OEV_TOLD_MAX 65536u
#define OEV_OWN_RAW_MAX 256u

/* A report ordered or withdrawn: by whom, why, worked out how and from what. */
struct oev_order {
	uint64_t mono_ns, wall_us, until_ns;
	uint32_t life;
	uint32_t app_id;
	uint32_t reduction_pct, rate_rps, validity_s;
	uint64_t actor, calculation;
	bool has_reduction, has_rate;
	char how[16]; /* ordered, withdrawn */
	char type[8]; /* host, realm, peer */
	char by[16];  /* policy, control, law */
	char subject[128];
	char reason[100];
	char inputs[100];
};

/* One content that answers carried. */
struct oev_own {
	uint64_t mono_ns, wall_us;
	uint32_t life;
	uint32_t app_id;
	uint32_t reduction_pct, rate_rps, validity_s;
	int32_t order; /* place among the orders of the one that asked for it; -1 none is known */
	uint32_t told_first, told_count; /* place among audit->told */
	uint64_t answers;		 /* that carried it, to everybody */
	uint32_t raw_len;
	bool has_reduction, has_rate;
	char sequence[24];
	char step[16]; /* begun, changed, renewed, ended, gone */
	char type[8];
	char algorithm[16];
	char subject[128];
	char target[128]; /* reacting node a rate was allotted to; "" all */
	uint8_t raw[OEV_OWN_RAW_MAX];
};

/* One neighbour that was told one content. */
struct oev_told {
	uint32_t life;
	uint64_t first_ns, last_ns, count;
	char sequence[24];
	char type[8];
	char peer[128];
};
