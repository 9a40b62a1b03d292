/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Patching of pre-encoded requests.
 */
#include "dt_tmpl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dt_tmpl_patch(struct dt_tmpl *tmpl, const struct dt_patch *patch)
{
	if (tmpl->patches == DT_PATCHES_MAX)
		return OC_ENOSPC;
	tmpl->patch[tmpl->patches++] = *patch;
	return OC_OK;
}

void dt_tmpl_session(struct dt_tmpl *tmpl, struct dt_out *out, const char *host, uint32_t high)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%s;%010u;0000000000;dt", host, high);
	tmpl->session_at = (uint32_t)(out->len + 8 + (size_t)len - 3 - DT_SESSION_DIGITS);
	dt_put_text(out, OC_AVP_SESSION_ID, 0, text);
}

int dt_tmpl_keep(struct dt_tmpl *tmpl, const struct dt_out *out)
{
	if (out->overflow)
		return OC_ENOSPC;
	tmpl->data = malloc(out->len ? out->len : 1);
	if (!tmpl->data)
		return OC_ENOMEM;
	memcpy(tmpl->data, out->data, out->len);
	tmpl->len = (uint32_t)out->len;
	return OC_OK;
}

void dt_tmpl_fini(struct dt_tmpl *tmpl)
{
	free(tmpl->data);
	tmpl->data = NULL;
}

static void put_digits(uint8_t *to, uint32_t len, uint64_t value)
{
	while (len > 0) {
		to[--len] = (uint8_t)('0' + value % 10);
		value /= 10;
	}
}

void dt_tmpl_emit(const struct dt_tmpl *tmpl, uint8_t *to, const struct dt_fill *fill)
{
	memcpy(to, tmpl->data, tmpl->len);
	dt_set_u32(to + 12, fill->hop);
	dt_set_u32(to + 16, fill->end_to_end);
	if (tmpl->session_at)
		put_digits(to + tmpl->session_at, DT_SESSION_DIGITS, fill->session);
	for (uint32_t i = 0; i < tmpl->patches; i++) {
		const struct dt_patch *patch = &tmpl->patch[i];
		uint64_t value = patch->base + fill->subscriber * patch->step;
		if (patch->kind == DT_PATCH_DIGITS)
			put_digits(to + patch->at, patch->len, value);
		else if (patch->kind == DT_PATCH_IPV4)
			dt_set_u32(to + patch->at, (uint32_t)value);
		else
			dt_set_u32(to + patch->at, patch->kind == DT_PATCH_DRMP ? fill->drmp : fill->step);
	}
}
