/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Base-protocol messages and the table of applications.
 */
#include "dt_base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct dt_app apps[] = {
	{ "gx", 16777238, DT_VENDOR_3GPP },  { "rx", 16777236, DT_VENDOR_3GPP }, { "gy", 4, 0 },
	{ "s6a", 16777251, DT_VENDOR_3GPP }, { "cx", 16777216, DT_VENDOR_3GPP }, { NULL, 0, 0 },
};

const struct dt_app *dt_apps(void)
{
	return apps;
}

int dt_app_parse(const char *text, uint32_t *app_id)
{
	char *end;

	for (const struct dt_app *app = apps; app->name; app++) {
		if (strcasecmp(app->name, text) == 0) {
			*app_id = app->id;
			return OC_OK;
		}
	}
	unsigned long value = strtoul(text, &end, 0);
	if (*text == '\0' || *end || value > UINT32_MAX)
		return OC_ENOENT;
	*app_id = (uint32_t)value;
	return OC_OK;
}

int dt_apps_mask(const char *text, uint32_t *mask)
{
	char copy[128];
	char *save = NULL;
	uint32_t found = 0;

	if (strcmp(text, "all") == 0) {
		*mask = UINT32_MAX;
		return OC_OK;
	}
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		uint32_t i = 0;
		while (apps[i].name && strcasecmp(apps[i].name, word) != 0)
			i++;
		if (!apps[i].name)
			return OC_ENOENT;
		found |= 1u << i;
	}
	*mask = found;
	return OC_OK;
}

static void put_origin(struct dt_out *out, const struct dt_identity *me)
{
	dt_put_text(out, OC_AVP_ORIGIN_HOST, 0, me->host);
	dt_put_text(out, OC_AVP_ORIGIN_REALM, 0, me->realm);
}

static void put_capabilities(struct dt_out *out, const struct dt_identity *me)
{
	uint8_t address[6] = { 0, 1 }; /* address family 1: IPv4 */

	put_origin(out, me);
	memcpy(address + 2, &me->addr, 4);
	dt_put(out, DT_AVP_HOST_IP_ADDRESS, 0, address, sizeof(address));
	dt_put_u32(out, DT_AVP_VENDOR_ID, 0, 0);
	dt_put_text(out, DT_AVP_PRODUCT_NAME | DT_OPTIONAL, 0, "doic-traffic");
	dt_put_u32(out, DT_AVP_SUPPORTED_VENDOR_ID, 0, DT_VENDOR_3GPP);
	dt_put_u32(out, DT_AVP_AUTH_APPLICATION_ID, 0, DT_APP_RELAY);
	for (uint32_t i = 0; apps[i].name; i++) {
		if (!(me->app_mask >> i & 1))
			continue;
		dt_put_u32(out, DT_AVP_AUTH_APPLICATION_ID, 0, apps[i].id);
		if (!apps[i].vendor)
			continue;
		size_t group = dt_group_begin(out, DT_AVP_VENDOR_SPECIFIC_APPLICATION_ID, 0);
		dt_put_u32(out, DT_AVP_VENDOR_ID, 0, apps[i].vendor);
		dt_put_u32(out, DT_AVP_AUTH_APPLICATION_ID, 0, apps[i].id);
		dt_group_end(out, group);
	}
	dt_put_u32(out, DT_AVP_INBAND_SECURITY_ID, 0, 0); /* NO_INBAND_SECURITY */
	dt_put_u32(out, DT_AVP_FIRMWARE_REVISION | DT_OPTIONAL, 0, 1);
}

static void answer_begin(struct dt_out *out, const uint8_t *request)
{
	dt_msg_begin(out, 0, dt_msg_command(request), dt_msg_app(request));
	if (!out->overflow)
		memcpy(out->data + out->msg_at + 12, request + 12, 8);
}

void dt_base_cer(struct dt_out *out, const struct dt_identity *me)
{
	dt_msg_begin(out, OC_FLAG_REQUEST, DT_CMD_CE, 0);
	put_capabilities(out, me);
	dt_msg_end(out);
}

void dt_base_cea(struct dt_out *out, const struct dt_identity *me, const uint8_t *request, uint32_t result)
{
	answer_begin(out, request);
	dt_put_u32(out, OC_AVP_RESULT_CODE, 0, result);
	put_capabilities(out, me);
	dt_msg_end(out);
}

void dt_base_reply(struct dt_out *out, const struct dt_identity *me, const uint8_t *request)
{
	answer_begin(out, request);
	dt_put_u32(out, OC_AVP_RESULT_CODE, 0, 2001);
	put_origin(out, me);
	dt_msg_end(out);
}

void dt_base_dpr(struct dt_out *out, const struct dt_identity *me)
{
	dt_msg_begin(out, OC_FLAG_REQUEST, DT_CMD_DP, 0);
	put_origin(out, me);
	dt_put_u32(out, DT_AVP_DISCONNECT_CAUSE, 0, 0);
	dt_msg_end(out);
}
