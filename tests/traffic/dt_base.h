/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who an end is, and the base-protocol messages it needs: CER, DWR, DPR and their answers (RFC 6733 sections 5.3-5.5).
 */
#pragma once

#include <netinet/in.h>

#include "dt_wire.h"

#define DT_NAME_MAX 256u
#define DT_APP_RELAY 0xffffffffu

struct dt_app {
	const char *name;
	uint32_t id;
	uint32_t vendor; /* 0: advertised as Auth-Application-Id only */
};

/* The known applications, ended by a NULL name. */
const struct dt_app *dt_apps(void);
/* By name ("gx") or by number; OC_OK or OC_ENOENT. */
int dt_app_parse(const char *text, uint32_t *app_id);

struct dt_identity {
	char host[DT_NAME_MAX];
	char realm[DT_NAME_MAX];
	struct in_addr addr;
	uint32_t app_mask; /* bit i: dt_apps()[i] is advertised */
};

/* "gx,rx" or "all" to a mask; OC_OK or OC_ENOENT. */
int dt_apps_mask(const char *text, uint32_t *mask);

void dt_base_cer(struct dt_out *out, const struct dt_identity *me);
void dt_base_cea(struct dt_out *out, const struct dt_identity *me, const uint8_t *request, uint32_t result);
/* DWA or DPA to @request. */
void dt_base_reply(struct dt_out *out, const struct dt_identity *me, const uint8_t *request);
/* Disconnect-Cause REBOOTING, so that a peer comes back by itself. */
void dt_base_dpr(struct dt_out *out, const struct dt_identity *me);
