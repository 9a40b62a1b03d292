/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Composition root of doic.fdx: reads the two documents, builds the object graph in reading order, takes it
 * down in the reverse order.
 */
#include "ofd.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/proof/oev_hash.h"
#include "../../evidence/proof/oev_key.h"
#include "../../evidence/store/oev_core_facts.h"
#include "../../evidence/store/oev_place.h"
#include "../ofd_visibility.h"

/* Highest of the priorities that still runs after every other callback (the daemon's own are at 10). */
#define OUT_PRIORITY (-1000)

/* The host's exit point takes no argument, so the one instance has to be found from here. */
static struct ofd instance;

static int start_conf(struct ofd *ofd, const char *path)
{
	char error[OEV_CONF_ERROR_MAX] = "";
	char *text = NULL;
	size_t len = 0;
	int rc;

	if (!path) {
		LOG_F("doic: no configuration: write LoadExtension = \"doic.fdx\" : \"/path/to/doic.yaml\";");
		return EINVAL;
	}
	rc = oev_conf_read_file(path, &text, &len, error);
	if (rc == OC_OK)
		rc = oev_conf_process_parse(text, len, path, &ofd->conf, error);
	free(text);
	if (rc == OC_OK)
		rc = oev_conf_resolve(path, ofd->conf.policy_path, ofd->conf.policy_path);
	if (rc == OC_OK && ofd_policy_read(ofd, &ofd->policy, &ofd->policy_text, error) == 0)
		return 0;
	LOG_F("doic: %s", error);
	return EINVAL;
}

static int start_key(struct ofd *ofd)
{
	char path[OEV_PLACE_PATH_MAX];
	struct oev_why why;
	bool is_new = false;
	int rc = OC_OK;

	oev_gcrypt_ready();
	if (ofd->conf.key_path[0])
		snprintf(path, sizeof(path), "%s", ofd->conf.key_path);
	else
		rc = oev_place_beside(ofd->conf.evidence_folder, ".key", path);
	if (rc == OC_OK)
		rc = oev_key_open(path, &ofd->key, &is_new, &why);
	else
		(void)oev_why(&why, rc, "evidence.folder: the path is too long");
	if (rc == OC_OK && is_new)
		LOG_N("doic: a key of this node was made: %s", path);
	if (rc == OC_OK)
		return 0;
	LOG_F("doic: %s", why.text);
	return EIO;
}

/* How the agent will begin. The evidence says it, so this comes before. */
static int start_beginning(struct ofd *ofd)
{
	char error[OEV_CONF_ERROR_MAX] = "";

	/* the sequence file's place, unless it has one of its own */
	if (ofd->conf.evidence_enabled &&
	    oev_place_make(ofd->conf.evidence_folder, error, sizeof(error)) != OC_OK) {
		LOG_F("doic: %s", error);
		return EIO;
	}
	ofd_sequence_start(ofd);
	ofd->agent_conf = (struct oc_agent_conf){
		.identity = fd_g_config->cnf_diamid,
		.realm = fd_g_config->cnf_diamrlm,
		.now_ns = ofd_clock_mono_ns(),
		.first_sequence = ofd->sequence_first,
		.ocs_max = ofd->conf.ocs_max,
		.retry_memory = ofd->conf.retry_memory,
		.session_memory = ofd->conf.session_memory,
		.load_nodes = ofd->conf.load_nodes,
	};
	return 0;
}

static int start_recorder(struct ofd *ofd)
{
	char error[OEV_CONF_ERROR_MAX] = "";
	struct oev_core_facts facts;
	struct oev_recorder_conf conf = {
		.folder = ofd->conf.evidence_folder,
		.node = fd_g_config->cnf_diamid,
		.realm = fd_g_config->cnf_diamrlm,
		.policy_text = ofd->policy_text,
		.policy_version = ofd->policy.version,
		.facts = facts.facts,
		.fact_count = OEV_CORE_FACTS,
		.key = ofd->key,
		.checkpoint_path = ofd->conf.checkpoint_path,
		.checkpoint_syslog = ofd->conf.checkpoint_syslog,
		.checkpoint_s = ofd->conf.checkpoint_s,
		.segment_max_mb = ofd->conf.segment_max_mb,
		.segment_max_s = ofd->conf.segment_max_s,
		.keep_days = ofd->conf.keep_days,
		.keep_mb = ofd->conf.keep_mb,
		.batch_max_rows = ofd->conf.batch_max_rows,
		.batch_max_ms = ofd->conf.batch_max_ms,
		.synchronous = ofd->conf.synchronous,
		.log = ofd_log_recorder,
		.listener = ofd->watch ? &ofd->listener : NULL,
	};

	oev_core_facts_of(&ofd->agent_conf, &facts);
	if (oev_recorder_start(&ofd->recorder, ofd->journal, &conf, error, sizeof(error)) == OC_OK) {
		char path[OEV_PLACE_PATH_MAX];
		oev_recorder_path(ofd->recorder, path, sizeof(path));
		LOG_N("doic: evidence goes to %s", path);
		return 0;
	}
	LOG_F("doic: %s", error);
	return EIO;
}

/* The ring is a file of the evidence folder, and its lock keeps a second agent out of it. */
static int start_journal(struct ofd *ofd)
{
	char path[OEV_PLACE_PATH_MAX], error[OEV_CONF_ERROR_MAX] = "";
	const struct oev_journal_conf conf = { .path = path,
					       .records = ofd->conf.journal_records,
					       .when_full = ofd->conf.when_full,
					       .block_max_ms = ofd->conf.block_max_ms };
	int rc = oev_place_make(ofd->conf.evidence_folder, error, sizeof(error));

	snprintf(path, sizeof(path), "%s/%s", ofd->conf.evidence_folder, OEV_JOURNAL_FILE);
	if (rc == OC_OK)
		rc = oev_journal_open(&ofd->journal, &conf, error, sizeof(error));
	if (rc == OC_OK)
		return 0;
	LOG_F("doic: %s", error);
	return rc == OC_ENOMEM ? ENOMEM : EIO;
}

static int start_names(struct ofd *ofd)
{
	ofd->names = oc_names_new(ofd->conf.names_max, ofd->names_seed);
	int rc = ofd->names ? ofd_want_start(ofd) : ENOMEM;

	if (rc == 0)
		rc = ofd_policy_start(ofd);
	return rc == 0 ? ofd_web_prepare(ofd) : rc;
}

static int start_evidence(struct ofd *ofd)
{
	if (!ofd->conf.evidence_enabled)
		return 0;
	int rc = start_key(ofd);
	if (rc == 0)
		rc = start_journal(ofd);
	return rc == 0 ? start_recorder(ofd) : rc;
}

static int start_agent(struct ofd *ofd)
{
	struct oc_agent_conf conf = ofd->agent_conf;

	conf.names = ofd->names;
	conf.emit = ofd->journal ? oev_journal_emit : NULL;
	conf.emit_ctx = ofd->journal;
	ofd->agent = oc_agent_new(&conf, &ofd->policy);
	return ofd->agent ? 0 : ENOMEM;
}

static int start_callbacks(struct ofd *ofd)
{
	int rc = ofd_avp_start(&ofd->models, fd_g_config->cnf_diamid);

	if (rc == 0)
		rc = ofd_identity_start(ofd);
	if (rc == 0) {
		ofd->keep = ofd_keep_start();
		rc = ofd->keep ? 0 : ENOMEM;
	}
	if (rc == 0)
		rc = ofd_log_start(ofd);
	if (rc == 0)
		rc = ofd_gone_start(ofd);
	if (rc == 0)
		ofd_want_restore(ofd);
	if (rc == 0)
		rc = ofd_context_start(ofd);
	if (rc == 0)
		rc = ofd_leave_start(ofd);
	if (rc == 0)
		rc = ofd_peers_start(ofd);
	if (rc == 0)
		rc = ofd_drain_start(ofd);
	if (rc == 0)
		rc = fd_rt_fwd_register(ofd_route_request, ofd, RT_FWD_REQ, &ofd->route);
	if (rc == 0)
		rc = fd_rt_out_register(ofd_out_request, ofd, OUT_PRIORITY, &ofd->out);
	if (rc == 0)
		rc = ofd_tick_start(ofd);
	if (rc == 0)
		rc = ofd_control_start(ofd);
	if (rc == 0)
		ofd_web_start(ofd);
	return rc;
}

static void unhook(struct fd_hook_hdl **hook)
{
	if (*hook)
		(void)fd_hook_unregister(*hook);
	*hook = NULL;
}

static void stop_callbacks(struct ofd *ofd)
{
	ofd_web_stop(ofd);
	ofd_control_stop(ofd);
	ofd_tick_stop(ofd);
	if (ofd->out)
		(void)fd_rt_out_unregister(ofd->out, NULL);
	if (ofd->route)
		(void)fd_rt_fwd_unregister(ofd->route, NULL);
	ofd_drain_stop(ofd);
	unhook(&ofd->hook_peers);
	unhook(&ofd->hook_leave);
	unhook(&ofd->hook_in);
	unhook(&ofd->hook_mend);
	unhook(&ofd->hook_gone);
	unhook(&ofd->hook_errors);
	unhook(&ofd->hook_quiet);
	ofd_avp_stop(&ofd->models);
}

static void stop(struct ofd *ofd)
{
	struct oc_agent *agent = ofd->agent;

	stop_callbacks(ofd);
	ofd->agent = NULL; /* messages freed from here on owe no event */
	if (agent)
		oc_agent_free(agent, ofd_clock_mono_ns());
	oev_recorder_stop(ofd->recorder);
	ofd_web_free(ofd);
	ofd_want_stop(ofd);
	ofd_policy_stop(ofd);
	oc_names_free(ofd->names);
	oev_journal_free(ofd->journal);
	oev_key_free(ofd->key);
	ofd_identity_stop(ofd);
	ofd_log_free(ofd->log);
	free(ofd->policy_text);
	memset(ofd, 0, sizeof(*ofd));
}

static int doic_main(char *path)
{
	struct ofd *ofd = &instance;
	int rc = start_conf(ofd, path);

	if (rc == 0)
		rc = ofd_clock_seed(ofd);
	if (rc == 0) {
		ofd->log = ofd_log_new();
		rc = ofd->log ? start_beginning(ofd) : ENOMEM;
	}
	if (rc == 0)
		rc = start_names(ofd);
	if (rc == 0)
		rc = start_evidence(ofd);
	if (rc == 0 && ofd->key)
		oev_key_pseudonym(ofd->key, ofd->pseudonym_key.octets);
	if (rc == 0)
		rc = start_agent(ofd);
	if (rc == 0)
		rc = start_callbacks(ofd);
	if (rc == 0) {
		LOG_N("doic: agent started, identity=%s policy=%s rules=%u mode=%s", fd_g_config->cnf_diamid,
		      ofd->conf.policy_path, ofd->policy.rule_count,
		      ofd->policy.mode == OC_MODE_OBSERVE ? "observe" : "enforce");
		return 0;
	}
	LOG_F("doic: not started: %s", strerror(rc));
	stop(ofd);
	return rc;
}

void fd_ext_fini(void)
{
	stop(&instance);
}

EXTENSION_ENTRY("doic", doic_main);
