/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the running agent holds now: /status, /ocs, /reports, /peers.
 */
#include <string.h>

#include "../oweb_fresh.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_view.h"

/* Refuses what only a running agent knows. */
static bool needs_agent(struct oweb_request *request)
{
	if (request->node != NULL)
		return true;
	oweb_problem(request, OWEB_P_NOT_SERVED, "this server shows a finished folder; no agent runs");
	return false;
}

static json_t *with_time(struct oweb_request *request, json_t *object)
{
	oweb_json_time(object, "time", oweb_request_wall_us(request));
	return object;
}

void oweb_status_get(struct oweb_request *request)
{
	uint64_t began_ns = oweb_server_now_ns(request->server);

	if (oweb_fresh_reply(request))
		return;
	oweb_reply_json(request, 200, with_time(request, oweb_view_state(request->server)));
	oweb_fresh_keep(request, began_ns);
}

/* An object by keys as a list, its keys under @name; NULL: not needed. */
static json_t *as_list(json_t *object, const char *name)
{
	json_t *list = json_array(), *value;
	const char *key;

	json_object_foreach(object, key, value)
	{
		if (name != NULL)
			json_object_set_new(value, name, json_string(key));
		json_array_append(list, value);
	}
	json_decref(object);
	return list;
}

static void reply_list(struct oweb_request *request, const char *key, json_t *object, const char *name)
{
	json_t *reply = json_pack("{s:o}", key, as_list(object, name));

	oweb_reply_json(request, 200, with_time(request, reply));
}

void oweb_ocs_list(struct oweb_request *request)
{
	if (needs_agent(request))
		reply_list(request, "ocs", oweb_view_states(request->server), NULL);
}

void oweb_ocs_get(struct oweb_request *request)
{
	if (!needs_agent(request))
		return;
	json_t *all = oweb_view_states(request->server);
	json_t *one = json_object_get(all, oweb_request_part(request, "version"));
	if (one != NULL)
		oweb_reply_json(request, 200, with_time(request, json_incref(one)));
	else
		oweb_problem(request, OWEB_P_NOT_FOUND, "no state of version %.20s is held",
			     oweb_request_part(request, "version"));
	json_decref(all);
}

void oweb_reports_get(struct oweb_request *request)
{
	if (needs_agent(request))
		reply_list(request, "reports", oweb_view_reports(request->server), NULL);
}

void oweb_peers_get(struct oweb_request *request)
{
	if (needs_agent(request))
		reply_list(request, "peers", oweb_view_peers(request->server), "peer");
}
