/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of every key of doic.yaml and policy.yaml, and the phrase for what each allows.
 */
#include "oev_conf.h"

#include <inttypes.h>
#include <stdio.h>

/* Rows in the order of the samples and the manual pages. The defaults are text here and values in
 * oev_conf_process_init() and oc_policy_init(); a test proves that they agree. */
static const struct oev_conf_key keys[] = {
	{ OEV_CONF_PROCESS, "evidence.enabled", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether decisions are recorded; false decides all the same but keeps no evidence.", false },
	{ OEV_CONF_PROCESS, "evidence.folder", OEV_KEY_TEXT, "octets", 1, OEV_CONF_PATH_MAX - 1, NULL,
	  "/var/lib/doic/evidence",
	  "Folder of the evidence segments, made when absent; a relative path starts at the working folder.",
	  false },
	{ OEV_CONF_PROCESS, "evidence.journal_records", OEV_KEY_UINT, "records", 1024, 16777216, NULL,
	  "65536", "Events that may wait in memory for the recorder.", true },
	{ OEV_CONF_PROCESS, "evidence.when_full", OEV_KEY_WORD, "", 0, 0, "block|gap", "block",
	  "What a full journal does: block waits for room, gap counts the lost event at once.", false },
	{ OEV_CONF_PROCESS, "evidence.block_max_ms", OEV_KEY_UINT, "ms", 0, 60000, NULL, "1000",
	  "Longest wait of when_full: block before the event becomes part of a gap.", false },
	{ OEV_CONF_PROCESS, "evidence.batch_max_rows", OEV_KEY_UINT, "rows", 1, 1000000, NULL, "20000",
	  "Events after which one database transaction is committed.", false },
	{ OEV_CONF_PROCESS, "evidence.batch_max_ms", OEV_KEY_UINT, "ms", 1, 60000, NULL, "200",
	  "Time after which one database transaction is committed.", false },
	{ OEV_CONF_PROCESS, "evidence.synchronous", OEV_KEY_WORD, "", 0, 0, "off|normal|full", "normal",
	  "How hard the database pushes data to the disk, as SQLite's pragma of this name.", false },
	{ OEV_CONF_PROCESS, "relay.deadline_ms", OEV_KEY_UINT, "ms", 0, 600000, NULL, "10000",
	  "Time a relayed request may stay unanswered before it is answered with an error; 0 means no limit.",
	  false },
	{ OEV_CONF_PROCESS, "relay.tcp_nodelay", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether peer connections send small messages at once (TCP_NODELAY).", false },
	{ OEV_CONF_PROCESS, "relay.send_buffer_bytes", OEV_KEY_UINT, "octets", 0, 67108864, NULL, "0",
	  "Send buffer of peer connections (SO_SNDBUF); 0 keeps the system's.", false },
	{ OEV_CONF_PROCESS, "relay.strip_answer_route_record", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether the Route-Record that the daemon appends to relayed answers is taken out of them.",
	  false },
	{ OEV_CONF_PROCESS, "limits.names_max", OEV_KEY_UINT, "names", 64, 1048576, NULL, "16384",
	  "Different host and realm names the agent can tell apart.", false },
	{ OEV_CONF_PROCESS, "limits.ocs_max", OEV_KEY_UINT, "entries", 16, 1000000, NULL, "4096",
	  "Overload control states held at the same time.", false },
	{ OEV_CONF_PROCESS, "limits.retry_memory", OEV_KEY_UINT, "entries", 0, 1048576, NULL, "8192",
	  "Refused session attempts remembered, so that trying the same session again gets the same verdict; "
	  "0 remembers none.",
	  true },
	{ OEV_CONF_PROCESS, "policy", OEV_KEY_TEXT, "octets", 1, OEV_CONF_PATH_MAX - 1, NULL, "policy.yaml",
	  "The policy document; a relative path starts at the folder of doic.yaml.", false },

	{ OEV_CONF_POLICY, "mode", OEV_KEY_WORD, "", 0, 0, "enforce|observe", "enforce",
	  "Whether verdicts take effect; observe decides and records, but forwards everything.", false },
	{ OEV_CONF_POLICY, "sampler", OEV_KEY_WORD, "", 0, 0, "exact|random", "exact",
	  "How requests are selected: exact stays within one request of the asked share, random draws each "
	  "one.",
	  false },
	{ OEV_CONF_POLICY, "recovery.ended_memory_ms", OEV_KEY_UINT, "ms", 0, 3600000, NULL, "30000",
	  "How long an ended overload report is remembered, so that an old copy cannot revive it.", false },
	{ OEV_CONF_POLICY, "recovery.ramp_ms", OEV_KEY_UINT, "ms", 0, 600000, NULL, "30000",
	  "Time over which traffic returns after a report ran out; 0 returns it at once.", false },
	{ OEV_CONF_POLICY, "recovery.probe_interval_ms", OEV_KEY_UINT, "ms", 10, 60000, NULL, "1000",
	  "Time between single probe requests after a reduction of 100 % ran out, until one is answered.",
	  false },
	{ OEV_CONF_POLICY, "outstanding_max", OEV_KEY_UINT, "requests", 0, 1000000, NULL, "512",
	  "Unanswered requests allowed per peer; 0 means no limit.", false },
	{ OEV_CONF_POLICY, "refusal.host_report_code", OEV_KEY_WORD, "", 0, 0, "3004|5012", "5012",
	  "Result-Code of a request refused because of a host report.", false },
	{ OEV_CONF_POLICY, "refusal.realm_report_code", OEV_KEY_WORD, "", 0, 0, "3004|5012", "5012",
	  "Result-Code of a request refused because of a realm report.", false },
	{ OEV_CONF_POLICY, "refusal.outstanding_code", OEV_KEY_WORD, "", 0, 0, "3004|5012", "3004",
	  "Result-Code of a request refused because its peer holds outstanding_max requests.", false },
	{ OEV_CONF_POLICY, "trust.default.doic", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether DOIC AVPs of peers that no rule names count; false strips them.", false },
	{ OEV_CONF_POLICY, "trust.default.send_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether such peers may send reports about themselves.", false },
	{ OEV_CONF_POLICY, "trust.default.relay_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether such peers may pass on reports of nodes behind them.", false },
	{ OEV_CONF_POLICY, "trust.default.receive_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether reports may be forwarded to such peers.", false },
	{ OEV_CONF_POLICY, "trust.peers", OEV_KEY_LIST, "entries", 0, OC_POLICY_RULES_MAX, NULL, "[]",
	  "Rules for single peers or groups of peers; the first whose pattern fits is used.", false },
	{ OEV_CONF_POLICY, "trust.peers[].peer", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1, NULL,
	  NULL,
	  "Pattern of the peer's identity: a whole identity, \"*.suffix\" for every name below it, or \"*\".",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].doic", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether DOIC AVPs of this peer count.", false },
	{ OEV_CONF_POLICY, "trust.peers[].send_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether this peer may send reports about itself.", false },
	{ OEV_CONF_POLICY, "trust.peers[].relay_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether this peer may pass on reports of nodes behind it.", false },
	{ OEV_CONF_POLICY, "trust.peers[].receive_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether reports may be forwarded to this peer.", false },
	{ OEV_CONF_POLICY, "trust.peers[].realms", OEV_KEY_LIST, "entries", 0, OC_POLICY_REALMS_MAX, NULL,
	  "[]", "Realms this peer may speak for; an empty list means any realm.", false },
	{ OEV_CONF_POLICY, "trust.peers[].realms[]", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1,
	  NULL, NULL, "Pattern of a realm, written as patterns of peers are.", false },
};

const struct oev_conf_key *oev_conf_keys(size_t *count)
{
	*count = sizeof(keys) / sizeof(keys[0]);
	return keys;
}

static void allowed_words(const char *words, char *out, size_t size)
{
	size_t used = 0;

	for (; *words != '\0' && used + 3 < size; words++) {
		out[used++] = *words == '|' ? ',' : *words;
		if (*words == '|')
			out[used++] = ' ';
	}
	out[used] = '\0';
}

static void allowed_number(const struct oev_conf_key *key, char *out, size_t size)
{
	const char *space = key->unit[0] != '\0' ? " " : "";

	if (!key->power_of_two)
		snprintf(out, size, "%" PRIu64 "..%" PRIu64 "%s%s", key->min, key->max, space, key->unit);
	else if (key->min == 0)
		snprintf(out, size, "0, or a power of two up to %" PRIu64 "%s%s", key->max, space, key->unit);
	else
		snprintf(out, size, "a power of two, %" PRIu64 "..%" PRIu64 "%s%s", key->min, key->max, space,
			 key->unit);
}

void oev_conf_key_allowed(const struct oev_conf_key *key, char *out, size_t size)
{
	if (size == 0)
		return;
	out[0] = '\0';
	if (key->type == OEV_KEY_BOOL)
		snprintf(out, size, "true, false");
	else if (key->type == OEV_KEY_WORD)
		allowed_words(key->words, out, size);
	else
		allowed_number(key, out, size);
}
