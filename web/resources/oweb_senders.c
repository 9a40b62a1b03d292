/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/senders: whether those who send do what they were told to.
 */
#include <math.h>
#include <stdlib.h>

#include "../../evidence/app/oev_app.h"
#include "../oweb_inner.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"
#include "../oweb_view.h"

#define SENDERS_DEFAULT 200u

/* "usual" is absent where nothing tells it, "ignored" where nothing tells whether there is any. */
static json_t *view(const struct oweb_server *server, const struct oev_watch_sender *s)
{
	enum oev_obedience heeding = s->judgement.obedience;
	double expected = s->judgement.expected;
	json_t *object = json_object();
	char app[16];

	oweb_json_text(object, "sender", oweb_view_name(server, s->name));
	oweb_json_number(object, "version", s->version);
	oweb_json_text(object, "type", oc_report_type_text(s->type));
	oweb_json_text(object, "subject", oweb_view_name(server, s->subject));
	oweb_json_text(object, "application", s->app_id == OC_APP_ANY ? "all" : oev_app_text(s->app_id, app));
	oweb_json_text(object, "heeding", oev_obedience_text(heeding));
	oweb_json_text(object, "why", oev_obedience_why(heeding));
	json_object_set_new(object, "seconds", json_real(round(s->for_s * 10) / 10));
	oweb_json_number(object, "offered", s->during);
	oweb_json_number(object, "unaddressed", s->unaddressed);
	oweb_json_number(object, "told", s->told);
	if (heeding != OEV_UNKNOWN) {
		json_object_set_new(object, "usual", json_real(round(s->judgement.usual)));
		json_object_set_new(object, "expected", json_real(round(expected)));
	}
	if (heeding == OEV_WENT_ON || heeding == OEV_PARTLY)
		json_object_set_new(object, "ignored", json_real(round((double)s->during - expected)));
	else if (heeding == OEV_OBEYED)
		json_object_set_new(object, "ignored", json_real(0));
	return object;
}

void oweb_senders_get(struct oweb_request *request)
{
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", SENDERS_DEFAULT);
	uint64_t unlisted = 0;

	if (request->watch == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "nothing is recorded, so nothing is known of senders");
		return;
	}
	struct oev_watch_sender *senders = calloc(OEV_WATCH_SENDERS_MAX, sizeof(*senders));
	json_t *list = json_array();
	uint32_t count = senders == NULL ? 0
					 : oev_watch_senders(request->watch, senders, OEV_WATCH_SENDERS_MAX,
							     &unlisted);
	for (uint32_t i = 0; i < count && i < limit; i++)
		json_array_append_new(list, view(request->server, &senders[i]));
	free(senders);
	json_t *object = json_pack("{s:o, s:I, s:I}", "senders", list, "count", (json_int_t)count,
				   "requests_unlisted", (json_int_t)unlisted);
	oweb_json_time(object, "time", oweb_request_wall_us(request));
	oweb_reply_json(request, 200, object);
}
