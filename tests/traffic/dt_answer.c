/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Answers.
 */
#include "dt_answer.h"

#include <string.h>

static void echo(struct dt_out *out, const struct dt_avp *avp)
{
	static const uint8_t zeros[4];
	if (avp->code == 0)
		return;
	size_t exact = (size_t)(avp->data - avp->whole) + avp->len;
	dt_put_raw(out, avp->whole, exact);
	dt_put_raw(out, zeros, (4 - exact % 4) % 4);
}

static void put_loads(const struct dt_loads *loads, const char *source, struct dt_out *out)
{
	if (loads->has_host)
		dt_put_load(out, DT_LOAD_HOST, loads->host, source);
	if (loads->has_peer)
		dt_put_load(out, DT_LOAD_PEER, loads->peer,
			    loads->peer_source[0] ? loads->peer_source : source);
}

void dt_answer_put(struct dt_out *out, const struct dt_identity *me, const uint8_t *request,
		   const struct dt_scan *scan, const struct dt_answer *answer)
{
	uint8_t flags = request[4] & OC_FLAG_PROXIABLE;
	if (answer->result / 1000 == 3)
		flags |= OC_FLAG_ERROR;
	dt_msg_begin(out, flags, dt_msg_command(request), dt_msg_app(request));
	if (out->overflow)
		return;
	memcpy(out->data + out->msg_at + 12, request + 12, 8); /* hop-by-hop and end-to-end */
	echo(out, &scan->session);
	echo(out, &scan->vendor_app);
	echo(out, &scan->auth_app);
	echo(out, &scan->auth_state);
	dt_put_text(out, OC_AVP_ORIGIN_HOST, 0, me->host);
	dt_put_text(out, OC_AVP_ORIGIN_REALM, 0, me->realm);
	dt_put_u32(out, OC_AVP_RESULT_CODE, 0, answer->result);
	echo(out, &scan->cc_type);
	echo(out, &scan->cc_number);
	if (answer->with_sf)
		dt_put_features(out, answer->vector, answer->for_peer ? answer->source : NULL,
				answer->for_peer ? answer->peer_algo : 0);
	if (answer->reports)
		dt_reports_put(answer->reports, &answer->to, out);
	if (answer->loads)
		put_loads(answer->loads, answer->source, out);
	for (uint32_t i = 0; i < scan->proxies; i++)
		echo(out, &scan->proxy[i]);
	if (answer->raw)
		dt_put_raw(out, answer->raw->data, answer->raw->len);
	dt_msg_end(out);
}
