/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the control socket can ask for: reports of our own, our load, what is held, the policy. On the socket's own thread.
 */
#include "ofd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define NS_PER_S 1000000000ull
#define STATES_MAX 4096u /* listed at once */

static char *refusal_of(int rc)
{
	switch (rc) {
	case OC_OK:
		return oev_ctl_reply_ok();
	case OC_EREFUSED:
		return oev_ctl_reply_error(
			OEV_CTL_REFUSED,
			"the policy does not let this agent report for that subject: host "
			"reports need it in reports.sole_path_to, realm reports in reports.realms");
	case OC_ENOENT:
		return oev_ctl_reply_error(OEV_CTL_NOT_FOUND, "no such report is in force");
	case OC_ENOSPC:
		return oev_ctl_reply_error(OEV_CTL_FULL, "the table of reports is full");
	default:
		return oev_ctl_reply_error(OEV_CTL_INVALID, "the report is not valid");
	}
}

/* Number of the subject a command names; a name nobody used before gets one. */
static struct oc_report_key key_of(struct ofd *ofd, const struct oev_ctl_command *command)
{
	size_t len = strlen(command->subject);

	return (struct oc_report_key){ .app_id = command->app_id,
				       .subject = len ? ofd_context_name(ofd, command->subject, len)
						      : OC_NAME_NONE,
				       .type = (uint8_t)command->type };
}

/* A mistyped neighbour would never be told, and nobody would notice. One that is away now may come. */
static bool is_nobody(const struct oev_ctl_command *command)
{
	struct peer_hdr *peer = NULL;
	size_t len = strlen(command->subject);

	if (command->type != OC_REPORT_PEER || len == 0)
		return false;
	return fd_peer_getbyid((DiamId_t)(uintptr_t)command->subject, len, 0, &peer) == 0 && !peer;
}

/* Whoever may open the socket, and the reason given. */
static struct oc_order_origin origin_of(const struct oev_ctl_command *command)
{
	return (struct oc_order_origin){ .by = OC_BY_CONTROL,
					 .actor = command->user,
					 .reason = command->reason };
}

static char *set_report(struct ofd *ofd, const struct oev_ctl_command *command)
{
	uint64_t now_ns = ofd_clock_mono_ns();
	struct oc_report_order order = { .key = key_of(ofd, command),
					 .has_reduction = command->has_reduction,
					 .has_rate = command->has_rate,
					 .reduction_pct = command->reduction_pct,
					 .rate_rps = command->rate_rps,
					 .validity_s = command->validity_s,
					 .until_ns =
						 command->for_s ? now_ns + command->for_s * NS_PER_S : 0 };

	const struct oc_order_origin origin = origin_of(command);
	int rc = oc_agent_order(ofd->agent, &order, &origin, now_ns);
	if (rc == OC_OK && is_nobody(command))
		return oev_ctl_reply_note("but no neighbour of that name is known now");
	return refusal_of(rc);
}

static char *end_report(struct ofd *ofd, const struct oev_ctl_command *command)
{
	const struct oc_order_origin origin = origin_of(command);
	struct oc_report_key key = key_of(ofd, command);

	return refusal_of(oc_agent_withdraw(ofd->agent, &key, &origin, ofd_clock_mono_ns()));
}

static char *list_reports(struct ofd *ofd)
{
	struct oc_report_view views[OC_REPORT_ORDERS_MAX];
	uint32_t count = oc_agent_orders(ofd->agent, views, OC_REPORT_ORDERS_MAX);

	return oev_ctl_reply_reports(views, count < OC_REPORT_ORDERS_MAX ? count : OC_REPORT_ORDERS_MAX,
				     ofd->names, ofd_clock_mono_ns());
}

static char *list_states(struct ofd *ofd)
{
	uint64_t now_ns = ofd_clock_mono_ns();
	struct oc_ocs_view *views = calloc(STATES_MAX, sizeof(*views));
	char *reply = NULL;

	if (views) {
		uint32_t count = oc_agent_snapshot(ofd->agent, now_ns, views, STATES_MAX);
		reply = oev_ctl_reply_states(views, count < STATES_MAX ? count : STATES_MAX, ofd->names,
					     now_ns);
	}
	free(views);
	return reply;
}

static char *list_loads(struct ofd *ofd)
{
	uint64_t now_ns = ofd_clock_mono_ns();
	struct oc_load_view *views = calloc(STATES_MAX, sizeof(*views));
	struct oev_ctl_own_load own;
	char *reply = NULL;

	if (views) {
		uint32_t count = oc_agent_loads(ofd->agent, now_ns, views, STATES_MAX);
		own.value = oc_agent_own_load(ofd->agent, now_ns, &own.is_set);
		reply = oev_ctl_reply_loads(&own, views, count < STATES_MAX ? count : STATES_MAX, ofd->names);
	}
	free(views);
	return reply;
}

static char *reload(struct ofd *ofd, const struct oev_ctl_command *command)
{
	char error[OEV_CONF_ERROR_MAX] = "out of memory", warning[OEV_CONF_ERROR_MAX];
	struct oweb_actor by = { 0 };

	snprintf(by.who, sizeof(by.who), "uid %u", command->user);
	snprintf(by.reason, sizeof(by.reason), "%s", command->reason);
	if (ofd_policy_reload(ofd, &by, error) == 0) {
		ofd_policy_warning(ofd, warning);
		return oev_ctl_reply_policy(ofd_policy_version(ofd), warning);
	}
	return oev_ctl_reply_error(OEV_CTL_REFUSED, error);
}

static char *list_stats(struct ofd *ofd)
{
	struct oc_stats stats;

	oc_agent_stats(ofd->agent, &stats);
	return oev_ctl_reply_stats(&stats);
}

static char *answer(void *ctx, const struct oev_ctl_command *command)
{
	struct ofd *ofd = ctx;

	switch (command->kind) {
	case OEV_CTL_PING:
		return oev_ctl_reply_pong(DOIC_VERSION, fd_g_config->cnf_diamid, ofd_policy_version(ofd));
	case OEV_CTL_REPORT_SET:
		return set_report(ofd, command);
	case OEV_CTL_REPORT_END:
		return end_report(ofd, command);
	case OEV_CTL_REPORT_LIST:
		return list_reports(ofd);
	case OEV_CTL_LOAD_SET:
		oc_agent_set_load(ofd->agent, command->load_is_measured ? UINT32_MAX : command->load_value);
		return oev_ctl_reply_ok();
	case OEV_CTL_LOAD_LIST:
		return list_loads(ofd);
	case OEV_CTL_STATES:
		return list_states(ofd);
	case OEV_CTL_STATS:
		return list_stats(ofd);
	case OEV_CTL_POLICY_RELOAD:
		return reload(ofd, command);
	default:
		return oev_ctl_reply_error(OEV_CTL_INVALID, "not known here");
	}
}

int ofd_control_start(struct ofd *ofd)
{
	char error[OEV_CTL_ERROR_MAX] = "";

	if (!ofd->conf.control_path[0])
		return 0;
	if (oev_ctl_server_start(&ofd->control, ofd->conf.control_path, answer, ofd, error, sizeof(error)) ==
	    OC_OK) {
		LOG_N("doic: control socket %s", ofd->conf.control_path);
		return 0;
	}
	LOG_F("doic: %s", error);
	return EIO;
}

void ofd_control_stop(struct ofd *ofd)
{
	oev_ctl_server_stop(ofd->control);
	ofd->control = NULL;
}
