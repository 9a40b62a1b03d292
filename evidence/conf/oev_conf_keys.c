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
	{ OEV_CONF_PROCESS, "evidence.key_file", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL,
	  "\"\"",
	  "Secret key of this node, made (mode 0600) at the first start; \"\" means the folder's name and "
	  ".key "
	  "beside the folder.",
	  false },
	{ OEV_CONF_PROCESS, "evidence.journal_records", OEV_KEY_UINT, "records", 1024, 16777216, NULL,
	  "65536", "Events that may wait for the recorder, in a file that outlives the process.", true },
	{ OEV_CONF_PROCESS, "evidence.when_full", OEV_KEY_WORD, "", 0, 0, "block|gap", "block",
	  "What a full journal does: block waits for room, gap counts the lost event at once.", false },
	{ OEV_CONF_PROCESS, "evidence.block_max_ms", OEV_KEY_UINT, "ms", 0, 60000, NULL, "10000",
	  "Longest wait of when_full: block before the event becomes part of a gap.", false },
	{ OEV_CONF_PROCESS, "evidence.batch_max_rows", OEV_KEY_UINT, "rows", 1, 1000000, NULL, "20000",
	  "Events after which one database transaction is committed.", false },
	{ OEV_CONF_PROCESS, "evidence.batch_max_ms", OEV_KEY_UINT, "ms", 1, 60000, NULL, "200",
	  "Time after which one database transaction is committed.", false },
	{ OEV_CONF_PROCESS, "evidence.synchronous", OEV_KEY_WORD, "", 0, 0, "off|normal|full", "normal",
	  "How hard the database pushes data to the disk, as SQLite's pragma of this name.", false },
	{ OEV_CONF_PROCESS, "evidence.segment_max_mb", OEV_KEY_UINT, "MiB", 0, 1048576, NULL, "1024",
	  "Size at which a segment is finished and the next one begins; 0 means no limit.", false },
	{ OEV_CONF_PROCESS, "evidence.segment_max_s", OEV_KEY_UINT, "s", 0, 31536000, NULL, "86400",
	  "Age at which a segment is finished and the next one begins; 0 means no limit.", false },
	{ OEV_CONF_PROCESS, "evidence.keep_days", OEV_KEY_UINT, "days", 0, 36500, NULL, "0",
	  "Sealed segments older than this are removed, which the evidence tells; 0 keeps them for ever.",
	  false },
	{ OEV_CONF_PROCESS, "evidence.keep_mb", OEV_KEY_UINT, "MiB", 0, 1073741824, NULL, "0",
	  "The oldest sealed segments are removed while all of them take more than this; 0 keeps them for "
	  "ever.",
	  false },
	{ OEV_CONF_PROCESS, "evidence.checkpoint_s", OEV_KEY_UINT, "s", 1, 86400, NULL, "10",
	  "Time between signed checkpoints of the evidence.", false },
	{ OEV_CONF_PROCESS, "evidence.checkpoint_file", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1,
	  NULL, "\"\"",
	  "File outside the folder that each checkpoint is added to; \"\" means the folder's name and "
	  ".checkpoints beside the folder.",
	  false },
	{ OEV_CONF_PROCESS, "evidence.syslog", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether checkpoints go to syslog too.", false },
	{ OEV_CONF_PROCESS, "evidence.identities", OEV_KEY_WORD, "", 0, 0, "pseudonym|clear", "pseudonym",
	  "How sessions and subscribers appear: pseudonym, a number that only the holder of the key can "
	  "trace; "
	  "clear, their text beside it.",
	  false },
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
	  "Different host and realm names the agent can tell apart; one in 32 places is kept for neighbours "
	  "and orders.",
	  false },
	{ OEV_CONF_PROCESS, "limits.ocs_max", OEV_KEY_UINT, "entries", 16, 1000000, NULL, "4096",
	  "Overload control states held at the same time.", false },
	{ OEV_CONF_PROCESS, "limits.retry_memory", OEV_KEY_UINT, "entries", 0, 1048576, NULL, "8192",
	  "Refused session attempts remembered, so that trying the same session again gets the same verdict; "
	  "0 remembers none.",
	  true },
	{ OEV_CONF_PROCESS, "limits.session_memory", OEV_KEY_UINT, "entries", 0, 1048576, NULL, "65536",
	  "Sessions remembered with the class of the request that began them, so that later requests inherit "
	  "it; 0 remembers none.",
	  true },
	{ OEV_CONF_PROCESS, "limits.load_nodes", OEV_KEY_UINT, "nodes", 1, 1048576, NULL, "1024",
	  "Nodes whose load is remembered.", false },
	{ OEV_CONF_PROCESS, "reports.state_file", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL,
	  "\"\"",
	  "File that keeps the sequence numbers of our own reports rising across restarts; \"\" means the "
	  "file \"sequence\" in evidence.folder.",
	  false },
	{ OEV_CONF_PROCESS, "control.socket", OEV_KEY_TEXT, "octets", 0, OEV_CONF_SOCKET_MAX - 1, NULL,
	  "\"\"",
	  "UNIX socket for doic-ctl(1), made with mode 0600, its folder too when that is absent; \"\" makes "
	  "none.",
	  false },
	{ OEV_CONF_PROCESS, "http.bind", OEV_KEY_TEXT, "octets", 0, OEV_CONF_ADDRESS_MAX - 1, NULL,
	  "127.0.0.1:8868",
	  "Address and port of the HTTP server, \"[::1]:8868\" for IPv6; port 0 takes any; \"\" opens none. "
	  "An address others reach needs TLS or tokens, better both.",
	  false },
	{ OEV_CONF_PROCESS, "http.socket", OEV_KEY_TEXT, "octets", 0, OEV_CONF_SOCKET_MAX - 1, NULL,
	  "/run/doic/http.sock",
	  "UNIX socket of the same server: whoever may open it is administrator. \"\" makes none.", false },
	{ OEV_CONF_PROCESS, "http.socket_mode", OEV_KEY_WORD, "", 0, 0, "0600|0660", "0600",
	  "Mode of that socket: 0600 for the user of the daemon alone, 0660 for its group too.", false },
	{ OEV_CONF_PROCESS, "http.write_policy", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether a policy that is put in force over HTTP is written to the policy's file too. If not, the "
	  "next reload or start returns to the file.",
	  false },
	{ OEV_CONF_PROCESS, "http.tls_cert", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL, "\"\"",
	  "Certificate chain (PEM) for HTTPS; needs tls_key.", false },
	{ OEV_CONF_PROCESS, "http.tls_key", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL, "\"\"",
	  "Private key (PEM) of tls_cert.", false },
	{ OEV_CONF_PROCESS, "http.tokens", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL, "\"\"",
	  "File of salted hashes of tokens, one per line, made by doic-token(1); \"\": nobody has one, and "
	  "nothing can be changed over TCP.",
	  false },
	{ OEV_CONF_PROCESS, "http.reads_need_token", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether reading over TCP needs a token too.", false },
	{ OEV_CONF_PROCESS, "http.names", OEV_KEY_TEXT, "octets", 0, OEV_CONF_NAMES_MAX - 1, NULL, "\"\"",
	  "Further host names that requests may ask for, spaces between; other names are refused.", false },
	{ OEV_CONF_PROCESS, "http.label", OEV_KEY_TEXT, "octets", 0, OEV_CONF_LABEL_MAX - 1, NULL, "\"\"",
	  "A word shown beside the node's name, \"LAB\" or \"PRODUCTION\".", false },
	{ OEV_CONF_PROCESS, "http.index_folder", OEV_KEY_TEXT, "octets", 0, OEV_CONF_PATH_MAX - 1, NULL,
	  "\"\"",
	  "Where the indexes of sessions and the history of the charts are kept over a restart, outside "
	  "evidence.folder; \"\" keeps "
	  "them in memory.",
	  false },
	{ OEV_CONF_PROCESS, "policy", OEV_KEY_TEXT, "octets", 1, OEV_CONF_PATH_MAX - 1, NULL, "policy.yaml",
	  "The policy document; a relative path starts at the folder of doic.yaml.", false },

	{ OEV_CONF_POLICY, "mode", OEV_KEY_WORD, "", 0, 0, "enforce|observe", "enforce",
	  "Whether verdicts take effect; observe decides and records, but forwards everything.", false },
	{ OEV_CONF_POLICY, "shadow", OEV_KEY_LIST, "entries", 0, OC_POLICY_SHADOW_MAX, NULL, "[]",
	  "Hosts, realms and next hops for which the mode is observe: what is decided about them is recorded "
	  "as if it were done, and nothing is "
	  "altered.",
	  false },
	{ OEV_CONF_POLICY, "shadow[]", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1, NULL, NULL,
	  "An identity or realm, \"*.suffix\" for every name below suffix, or \"*\".", false },
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
	{ OEV_CONF_POLICY, "refusal.peer_report_code", OEV_KEY_WORD, "", 0, 0, "3004|5012", "5012",
	  "Result-Code of a request refused because of a report of its next hop, when no other may take it.",
	  false },
	{ OEV_CONF_POLICY, "standby_takes_all", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether a next hop under a report is left to its standby whole, not only by the reduction asked "
	  "for.",
	  false },
	{ OEV_CONF_POLICY, "rate.enabled", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether the rate algorithm is announced beside loss, and rate reports are obeyed and made.",
	  false },
	{ OEV_CONF_POLICY, "rate.anti_resonance", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether admissions that find the bucket empty fill it by a random amount, so that nodes do not "
	  "fall into step.",
	  false },
	{ OEV_CONF_POLICY, "rate.initial", OEV_KEY_DECIMAL, "T", 0, 1000000, NULL, "0",
	  "Content of the bucket when a rate report begins, in multiples of T = 1 / rate; at most the "
	  "smallest threshold.",
	  false },
	{ OEV_CONF_POLICY, "rate.thresholds", OEV_KEY_LIST, "entries", 5, 5, NULL, "[10, 8.75, 7.5, 6.25, 5]",
	  "Thresholds of the bucket for classes 0 to 4, never rising; equal ones make no difference between "
	  "classes.",
	  false },
	{ OEV_CONF_POLICY, "rate.thresholds[]", OEV_KEY_DECIMAL, "T", 0, 1000000, NULL, NULL,
	  "Content up to which requests of the class are admitted, in multiples of T; 0 keeps T between any "
	  "two.",
	  false },
	{ OEV_CONF_POLICY, "priorities.drmp", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether a trusted DRMP says how important a request is.", false },
	{ OEV_CONF_POLICY, "priorities.application", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether command and AVPs of known applications say it: emergency, priority service, place in the "
	  "session.",
	  false },
	{ OEV_CONF_POLICY, "priorities.default_drmp", OEV_KEY_UINT, "", 0, 15, NULL, "10",
	  "Priority of a request that neither says anything of.", false },
	{ OEV_CONF_POLICY, "priorities.reservation_priority_min", OEV_KEY_UINT, "", 0, 15, NULL, "8",
	  "Reservation-Priority from which a request counts as multimedia priority service; 0 means that "
	  "none does.",
	  false },
	{ OEV_CONF_POLICY, "priorities.slack_requests", OEV_KEY_UINT, "requests", 0, 4, NULL, "2",
	  "Requests that may wait per priority between theirs and the least important one, while others pay "
	  "the reduction; 0 treats all alike.",
	  false },
	{ OEV_CONF_POLICY, "priorities.emergency_apns", OEV_KEY_LIST, "entries", 0, OC_POLICY_APNS_MAX, NULL,
	  "[sos]", "Access points whose requests count as emergency.", false },
	{ OEV_CONF_POLICY, "priorities.emergency_apns[]", OEV_KEY_TEXT, "octets", 1, OC_POLICY_APN_MAX - 1,
	  NULL, NULL, "Network identifier of an access point, without the operator's suffix.", false },
	{ OEV_CONF_POLICY, "priorities.class_of_drmp", OEV_KEY_LIST, "entries", 16, 16, NULL,
	  "[0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4]",
	  "Class of each DRMP priority from 0 to 15, never falling.", false },
	{ OEV_CONF_POLICY, "priorities.class_of_drmp[]", OEV_KEY_UINT, "", 0, 4, NULL, NULL,
	  "Class of the priority with this position; 4 is given up first.", false },
	{ OEV_CONF_POLICY, "load.balance", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether equal next hops and servers are chosen by load; false takes the one with fewest "
	  "unanswered requests.",
	  false },
	{ OEV_CONF_POLICY, "load.send", OEV_KEY_WORD, "", 0, 0, "off|change|always", "change",
	  "When our own load goes into answers: never, after each change to every neighbour, or always.",
	  false },
	{ OEV_CONF_POLICY, "load.max_age_ms", OEV_KEY_UINT, "ms", 1000, 86400000, NULL, "60000",
	  "Age at which a load value counts as unknown.", false },
	{ OEV_CONF_POLICY, "load.neutral", OEV_KEY_UINT, "", 0, 65535, NULL, "32768",
	  "Load taken for a node without a known value; 65535 is idle, 0 full.", false },
	{ OEV_CONF_POLICY, "load.slow_start_ms", OEV_KEY_UINT, "ms", 0, 3600000, NULL, "10000",
	  "Time in which a node that came up gets its full share of requests; 0 gives it at once.", false },
	{ OEV_CONF_POLICY, "load.capacity_rps", OEV_KEY_UINT, "requests/s", 0, 10000000, NULL, "0",
	  "Requests per second this agent is meant to carry, from which its own load follows; 0 always says "
	  "idle.",
	  false },
	{ OEV_CONF_POLICY, "load.change_min", OEV_KEY_UINT, "", 1, 65535, NULL, "3277",
	  "Difference between two own values that is worth telling.", false },
	{ OEV_CONF_POLICY, "reports.validity_s", OEV_KEY_UINT, "s", 1, 86400, NULL, "30",
	  "Validity of our own reports; they are renewed at half of it.", false },
	{ OEV_CONF_POLICY, "reports.fall_step_pct", OEV_KEY_UINT, "%", 0, 100, NULL, "20",
	  "Largest step in which a reduction that is withdrawn or lowered falls; 0 falls at once.", false },
	{ OEV_CONF_POLICY, "reports.fall_interval_ms", OEV_KEY_UINT, "ms", 100, 3600000, NULL, "5000",
	  "Time between two such steps.", false },
	{ OEV_CONF_POLICY, "reports.target_idle_ms", OEV_KEY_UINT, "ms", 1000, 86400000, NULL, "60000",
	  "Time after which a client not heard of gives back its part of a rate.", false },
	{ OEV_CONF_POLICY, "reports.explicit_end", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether the end is told by a validity of 0; false lets reports expire.", false },
	{ OEV_CONF_POLICY, "reports.prefer", OEV_KEY_WORD, "", 0, 0, "loss|rate", "loss",
	  "Algorithm selected for a client that offers both.", false },
	{ OEV_CONF_POLICY, "reports.sole_path_to", OEV_KEY_LIST, "entries", 0, OC_POLICY_REALMS_MAX, NULL,
	  "[]", "Hosts all of whose traffic passes this agent, for which it may report in their place.",
	  false },
	{ OEV_CONF_POLICY, "reports.sole_path_to[]", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1,
	  NULL, NULL, "Identity of such a host.", false },
	{ OEV_CONF_POLICY, "reports.realms", OEV_KEY_LIST, "entries", 0, OC_POLICY_REALMS_MAX, NULL, "[]",
	  "Realms this agent is the only reporting node of.", false },
	{ OEV_CONF_POLICY, "reports.realms[]", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1, NULL,
	  NULL, "Name of such a realm.", false },
	{ OEV_CONF_POLICY, "reports.orders", OEV_KEY_LIST, "entries", 0, OC_POLICY_ORDERS_MAX, NULL, "[]",
	  "Reports this agent makes as long as this policy is in force.", false },
	{ OEV_CONF_POLICY, "reports.orders[].type", OEV_KEY_WORD, "", 0, 0, "host|realm|peer", NULL,
	  "What the report speaks of: a host, a realm, or this agent itself, told to its neighbours.",
	  false },
	{ OEV_CONF_POLICY, "reports.orders[].subject", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1,
	  NULL, "absent",
	  "The host or realm; of a peer report the one neighbour that is told, all of them when absent.",
	  false },
	{ OEV_CONF_POLICY, "reports.orders[].application", OEV_KEY_TEXT, "octets", 1, OEV_CONF_APP_MAX - 1,
	  NULL, "all", "Application-ID, or one of gx, rx, gy, s6a, cx, swx, gxx, s9, all.", false },
	{ OEV_CONF_POLICY, "reports.orders[].reduction_pct", OEV_KEY_UINT, "%", 0, 100, NULL, "absent",
	  "Reduction asked for by the loss algorithm.", false },
	{ OEV_CONF_POLICY, "reports.orders[].rate_rps", OEV_KEY_UINT, "requests/s", 0, 4294967295, NULL,
	  "absent", "Rate asked for by the rate algorithm: the total for all clients.", false },
	{ OEV_CONF_POLICY, "reports.orders[].validity_s", OEV_KEY_UINT, "s", 0, 86400, NULL, "0",
	  "Validity of this report; 0 means reports.validity_s.", false },
	{ OEV_CONF_POLICY, "trust.default.doic", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether DOIC AVPs of peers that no rule names count; false strips them.", false },
	{ OEV_CONF_POLICY, "trust.default.send_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether such peers may send reports about themselves.", false },
	{ OEV_CONF_POLICY, "trust.default.relay_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether such peers may pass on reports of nodes behind them.", false },
	{ OEV_CONF_POLICY, "trust.default.receive_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether reports may be forwarded to such peers.", false },
	{ OEV_CONF_POLICY, "trust.default.drmp", OEV_KEY_WORD, "", 0, 0, "none|own|relayed", "none",
	  "Whose DRMP counts in requests of such peers: nobody's (it is stripped), that of the peer itself, "
	  "or of nodes behind it too.",
	  false },
	{ OEV_CONF_POLICY, "trust.default.receive_drmp", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether DRMP may be sent to such peers; with border it is false unless written.", false },
	{ OEV_CONF_POLICY, "trust.default.load", OEV_KEY_WORD, "", 0, 0, "none|own|relayed", "none",
	  "Whose load counts in answers of such peers: nobody's, that of the peer itself, or of nodes behind "
	  "it too.",
	  false },
	{ OEV_CONF_POLICY, "trust.default.receive_load", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether load, ours and of others, may be sent to such peers.", false },
	{ OEV_CONF_POLICY, "trust.default.emergency", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether requests of such peers that say they are emergency or priority service are taken for it; "
	  "with border they are not unless written.",
	  false },
	{ OEV_CONF_POLICY, "trust.default.border", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether such peers belong to other operators.", false },
	{ OEV_CONF_POLICY, "trust.peers", OEV_KEY_LIST, "entries", 0, OC_POLICY_RULES_MAX, NULL, "[]",
	  "Rules for single peers or groups of peers; the first whose pattern fits is used.", false },
	{ OEV_CONF_POLICY, "trust.peers[].peer", OEV_KEY_TEXT, "octets", 1, OC_POLICY_PATTERN_MAX - 1, NULL,
	  NULL,
	  "Pattern of the peer's identity: a whole identity, \"*.suffix\" for every name below it, or \"*\".",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].doic", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether DOIC AVPs of this peer count; with border they do not unless written.", false },
	{ OEV_CONF_POLICY, "trust.peers[].send_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether this peer may send reports about itself.", false },
	{ OEV_CONF_POLICY, "trust.peers[].relay_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether this peer may pass on reports of nodes behind it.", false },
	{ OEV_CONF_POLICY, "trust.peers[].receive_reports", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether reports may be forwarded to this peer.", false },
	{ OEV_CONF_POLICY, "trust.peers[].drmp", OEV_KEY_WORD, "", 0, 0, "none|own|relayed", "none",
	  "Whose DRMP counts in requests and answers of this peer: nobody's (it is stripped), its own, or "
	  "that of nodes behind it too.",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].receive_drmp", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether DRMP may be sent to this peer; with border it is false unless written.", false },
	{ OEV_CONF_POLICY, "trust.peers[].load", OEV_KEY_WORD, "", 0, 0, "none|own|relayed", "own",
	  "Whose load counts in answers of this peer: nobody's, its own, or that of nodes behind it too; "
	  "with border it is none unless written.",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].receive_load", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether load, ours and of others, may be sent to this peer; with border it is false unless "
	  "written.",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].emergency", OEV_KEY_BOOL, "", 0, 1, NULL, "true",
	  "Whether requests of this peer that say they are emergency or priority service are taken for it; "
	  "with border they are not unless written.",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].border", OEV_KEY_BOOL, "", 0, 1, NULL, "false",
	  "Whether this peer belongs to another operator: every other key is then false or none unless "
	  "written.",
	  false },
	{ OEV_CONF_POLICY, "trust.peers[].drmp_map", OEV_KEY_LIST, "entries", 0, 16, NULL, "[]",
	  "What DRMP priorities 0 to 15 of this peer become here; empty leaves them.", false },
	{ OEV_CONF_POLICY, "trust.peers[].drmp_map[]", OEV_KEY_UINT, "", 0, 15, NULL, NULL,
	  "Priority that takes the place of the one with this position.", false },
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

	if (key->type == OEV_KEY_LIST && key->min == key->max)
		snprintf(out, size, "exactly %" PRIu64 " %s", key->min, key->unit);
	else if (key->type == OEV_KEY_DECIMAL)
		snprintf(out, size, "%" PRIu64 "..%" PRIu64 " %s, up to three decimals", key->min / 1000,
			 key->max / 1000, key->unit);
	else if (!key->power_of_two)
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
