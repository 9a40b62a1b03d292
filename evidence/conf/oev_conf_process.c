/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic.yaml: its schema, its defaults, its parser.
 */
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_conf_load.h"
#include "oev_conf_walk.h"

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define STRICT (CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT)

static const cyaml_strval_t full_words[] = { { "block", OEV_FULL_BLOCK }, { "gap", OEV_FULL_GAP } };

static const cyaml_strval_t mode_words[] = {
	{ "0600", OEV_SOCKET_OWNER },
	{ "0660", OEV_SOCKET_GROUP },
};

static const cyaml_strval_t synchronous_words[] = {
	{ "off", OEV_SYNC_OFF },
	{ "normal", OEV_SYNC_NORMAL },
	{ "full", OEV_SYNC_FULL },
};

static const cyaml_strval_t identities_words[] = {
	{ "pseudonym", OEV_IDENTITIES_PSEUDONYM },
	{ "clear", OEV_IDENTITIES_CLEAR },
};

static const cyaml_schema_field_t evidence_fields[] = {
	CYAML_FIELD_BOOL("enabled", OPTIONAL, struct oev_process, evidence_enabled),
	CYAML_FIELD_STRING("folder", OPTIONAL, struct oev_process, evidence_folder, 1),
	CYAML_FIELD_STRING("key_file", OPTIONAL, struct oev_process, key_path, 0),
	CYAML_FIELD_UINT("journal_records", OPTIONAL, struct oev_process, journal_records),
	CYAML_FIELD_ENUM("when_full", STRICT, struct oev_process, when_full, full_words,
			 CYAML_ARRAY_LEN(full_words)),
	CYAML_FIELD_UINT("block_max_ms", OPTIONAL, struct oev_process, block_max_ms),
	CYAML_FIELD_UINT("batch_max_rows", OPTIONAL, struct oev_process, batch_max_rows),
	CYAML_FIELD_UINT("batch_max_ms", OPTIONAL, struct oev_process, batch_max_ms),
	CYAML_FIELD_ENUM("synchronous", STRICT, struct oev_process, synchronous, synchronous_words,
			 CYAML_ARRAY_LEN(synchronous_words)),
	CYAML_FIELD_UINT("segment_max_mb", OPTIONAL, struct oev_process, segment_max_mb),
	CYAML_FIELD_UINT("segment_max_s", OPTIONAL, struct oev_process, segment_max_s),
	CYAML_FIELD_UINT("keep_days", OPTIONAL, struct oev_process, keep_days),
	CYAML_FIELD_UINT("keep_mb", OPTIONAL, struct oev_process, keep_mb),
	CYAML_FIELD_UINT("checkpoint_s", OPTIONAL, struct oev_process, checkpoint_s),
	CYAML_FIELD_STRING("checkpoint_file", OPTIONAL, struct oev_process, checkpoint_path, 0),
	CYAML_FIELD_BOOL("syslog", OPTIONAL, struct oev_process, checkpoint_syslog),
	CYAML_FIELD_ENUM("identities", STRICT, struct oev_process, identities, identities_words,
			 CYAML_ARRAY_LEN(identities_words)),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t relay_fields[] = {
	CYAML_FIELD_UINT("deadline_ms", OPTIONAL, struct oev_process, deadline_ms),
	CYAML_FIELD_BOOL("tcp_nodelay", OPTIONAL, struct oev_process, tcp_nodelay),
	CYAML_FIELD_UINT("send_buffer_bytes", OPTIONAL, struct oev_process, send_buffer_bytes),
	CYAML_FIELD_BOOL("strip_answer_route_record", OPTIONAL, struct oev_process,
			 strip_answer_route_record),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t limits_fields[] = {
	CYAML_FIELD_UINT("names_max", OPTIONAL, struct oev_process, names_max),
	CYAML_FIELD_UINT("ocs_max", OPTIONAL, struct oev_process, ocs_max),
	CYAML_FIELD_UINT("retry_memory", OPTIONAL, struct oev_process, retry_memory),
	CYAML_FIELD_UINT("session_memory", OPTIONAL, struct oev_process, session_memory),
	CYAML_FIELD_UINT("load_nodes", OPTIONAL, struct oev_process, load_nodes),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t reports_fields[] = {
	CYAML_FIELD_STRING("state_file", OPTIONAL, struct oev_process, sequence_path, 0),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t control_fields[] = {
	CYAML_FIELD_STRING("socket", OPTIONAL, struct oev_process, control_path, 0),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t http_fields[] = {
	CYAML_FIELD_STRING("bind", OPTIONAL, struct oev_process, http_bind, 0),
	CYAML_FIELD_STRING("socket", OPTIONAL, struct oev_process, http_socket, 0),
	CYAML_FIELD_ENUM("socket_mode", STRICT, struct oev_process, http_socket_mode, mode_words,
			 CYAML_ARRAY_LEN(mode_words)),
	CYAML_FIELD_BOOL("write_policy", OPTIONAL, struct oev_process, http_write_policy),
	CYAML_FIELD_STRING("tls_cert", OPTIONAL, struct oev_process, http_tls_cert, 0),
	CYAML_FIELD_STRING("tls_key", OPTIONAL, struct oev_process, http_tls_key, 0),
	CYAML_FIELD_STRING("tokens", OPTIONAL, struct oev_process, http_tokens, 0),
	CYAML_FIELD_BOOL("reads_need_token", OPTIONAL, struct oev_process, http_reads_need_token),
	CYAML_FIELD_STRING("names", OPTIONAL, struct oev_process, http_names, 0),
	CYAML_FIELD_STRING("label", OPTIONAL, struct oev_process, http_label, 0),
	CYAML_FIELD_STRING("index_folder", OPTIONAL, struct oev_process, http_index_folder, 0),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t process_fields[] = {
	OEV_CONF_SECTION("evidence", struct oev_process, evidence_fields),
	OEV_CONF_SECTION("relay", struct oev_process, relay_fields),
	OEV_CONF_SECTION("limits", struct oev_process, limits_fields),
	OEV_CONF_SECTION("reports", struct oev_process, reports_fields),
	OEV_CONF_SECTION("control", struct oev_process, control_fields),
	OEV_CONF_SECTION("http", struct oev_process, http_fields),
	CYAML_FIELD_STRING("policy", OPTIONAL, struct oev_process, policy_path, 1),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t process_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct oev_process, process_fields),
};

void oev_conf_process_init(struct oev_process *out)
{
	memset(out, 0, sizeof(*out));
	snprintf(out->evidence_folder, sizeof(out->evidence_folder), "/var/lib/doic/evidence");
	out->journal_records = 65536;
	out->when_full = OEV_FULL_BLOCK;
	out->block_max_ms = 10000;
	out->batch_max_rows = 20000;
	out->batch_max_ms = 200;
	out->synchronous = OEV_SYNC_NORMAL;
	out->segment_max_mb = 1024;
	out->segment_max_s = 86400;
	out->checkpoint_s = 10;
	out->identities = OEV_IDENTITIES_PSEUDONYM;
	out->evidence_enabled = true;
	out->deadline_ms = 10000;
	out->strip_answer_route_record = true;
	out->names_max = 16384;
	out->ocs_max = 4096;
	out->retry_memory = 8192;
	out->session_memory = 65536;
	out->load_nodes = 1024;
	snprintf(out->policy_path, sizeof(out->policy_path), "policy.yaml");
	snprintf(out->http_bind, sizeof(out->http_bind), "127.0.0.1:8868");
	snprintf(out->http_socket, sizeof(out->http_socket), "/run/doic/http.sock");
	out->http_socket_mode = OEV_SOCKET_OWNER;
}

/* @to: a struct oev_process. */
static int parse(struct oev_conf_doc *doc, void *to)
{
	struct oev_process *out = to;
	void *loaded = NULL;
	int err = oev_conf_walk(doc);

	if (err == OC_OK)
		err = oev_conf_load(doc, &process_schema, &loaded);
	if (err == OC_OK) {
		oev_conf_process_init(out);
		oev_conf_merge(doc, &process_schema, loaded, out);
	}
	oev_conf_unload(&process_schema, loaded);
	oev_conf_doc_fini(doc);
	return err;
}

int oev_conf_process_parse(const char *text, size_t len, const char *file, struct oev_process *out,
			   char error[static OEV_CONF_ERROR_MAX])
{
	struct oev_conf_doc doc = {
		.kind = OEV_CONF_PROCESS, .file = file, .text = text, .len = len, .error = error
	};

	return parse(&doc, out);
}

int oev_conf_process_check(const char *text, size_t len, const char *file, struct oev_process *out,
			   struct oev_conf_errors *errors)
{
	struct oev_conf_doc doc = { .kind = OEV_CONF_PROCESS, .file = file, .text = text, .len = len };

	return oev_conf_doc_check(&doc, parse, out, errors);
}
