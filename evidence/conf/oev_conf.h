/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two configuration documents, doic.yaml and policy.yaml: parsed by libcyaml, checked against one
 * table of keys, located by file, line and column when wrong.
 *
 * The table (oev_conf_keys) is the single truth: parser checks, `doic.yaml(5)`/`policy.yaml(5)` text and the test
 * that every key is consumed are made from it.
 */
#pragma once

#include "../../agent/oc_policy.h"
#include "../store/oev_recorder.h"

#define OEV_CONF_PATH_MAX 512u
#define OEV_CONF_ERROR_MAX 512u
#define OEV_CONF_SOCKET_MAX 108u /* of struct sockaddr_un */
#define OEV_CONF_ADDRESS_MAX 64u
#define OEV_CONF_NAMES_MAX 256u
#define OEV_CONF_LABEL_MAX 32u
#define OEV_CONF_APP_MAX 16u /* word or number of an application */

/* How sessions and subscribers appear in the evidence. */
enum oev_identities {
	OEV_IDENTITIES_PSEUDONYM = 0, /* as keyed pseudonyms */
	OEV_IDENTITIES_CLEAR = 1      /* the same, and their texts beside them */
};

/* Who may open a UNIX socket: the user of the daemon, or its group too. */
enum oev_socket_mode { OEV_SOCKET_OWNER = 0, OEV_SOCKET_GROUP = 1 };

/* doic.yaml: what the process needs. */
struct oev_process {
	char evidence_folder[OEV_CONF_PATH_MAX];
	char key_path[OEV_CONF_PATH_MAX]; /* "" = beside the evidence folder, its name and ".key" */
	uint32_t journal_records;
	enum oev_full when_full;
	uint32_t block_max_ms;
	uint32_t batch_max_rows;
	uint32_t batch_max_ms;
	enum oev_synchronous synchronous;
	uint32_t segment_max_mb; /* 0 = no limit, likewise below */
	uint32_t segment_max_s;
	uint32_t keep_days;
	uint32_t keep_mb;
	uint32_t checkpoint_s;
	char checkpoint_path
		[OEV_CONF_PATH_MAX]; /* "" = beside the evidence folder, its name and ".checkpoints" */
	bool checkpoint_syslog;
	enum oev_identities identities;
	bool evidence_enabled; /* false: decide, but record nothing */
	uint32_t deadline_ms;  /* of every relayed request; 0 = none */
	bool tcp_nodelay;
	uint32_t send_buffer_bytes; /* SO_SNDBUF of peer connections; 0 = the system's */
	bool strip_answer_route_record;
	uint32_t names_max;
	uint32_t ocs_max;
	uint32_t retry_memory;
	uint32_t session_memory;
	uint32_t load_nodes;
	char sequence_path[OEV_CONF_PATH_MAX];	/* "" = "sequence" in the evidence folder */
	char control_path[OEV_CONF_SOCKET_MAX]; /* "" = none */
	char policy_path[OEV_CONF_PATH_MAX];	/* relative paths are relative to doic.yaml */
	char http_bind[OEV_CONF_ADDRESS_MAX];	/* "127.0.0.1:8868"; "" = no TCP */
	char http_socket[OEV_CONF_SOCKET_MAX];	/* "" = none */
	enum oev_socket_mode http_socket_mode;
	bool http_write_policy;		       /* an order over HTTP may write the policy's file */
	char http_tls_cert[OEV_CONF_PATH_MAX]; /* PEM; both or none */
	char http_tls_key[OEV_CONF_PATH_MAX];
	char http_tokens[OEV_CONF_PATH_MAX]; /* "" = nobody has a token */
	bool http_reads_need_token;
	char http_names[OEV_CONF_NAMES_MAX]; /* further names it may be asked by, spaces between */
	char http_label[OEV_CONF_LABEL_MAX];
	char http_index_folder
		[OEV_CONF_PATH_MAX]; /* of the indexes of sessions and the history; "" = in memory */
};

enum oev_conf_document {
	OEV_CONF_PROCESS = 0, /* doic.yaml */
	OEV_CONF_POLICY = 1   /* policy.yaml */
};

enum oev_conf_type {
	OEV_KEY_UINT = 0,
	OEV_KEY_BOOL = 1,
	OEV_KEY_WORD = 2, /* one of words[] */
	OEV_KEY_TEXT = 3,
	OEV_KEY_DECIMAL = 4, /* thousandths in min and max */
	OEV_KEY_LIST = 5
};

#define OEV_CONF_ABSENT "absent"

/* One row per key. */
struct oev_conf_key {
	enum oev_conf_document document;
	const char *path; /* "evidence.batch_max_ms", "trust.peers[].send_reports" */
	enum oev_conf_type type;
	const char *unit; /* "ms", "rows", "octets", "" */
	uint64_t min;	  /* number, octets of a text, or entries of a list */
	uint64_t max;
	const char *words;    /* "block|gap" for OEV_KEY_WORD, NULL else */
	const char *fallback; /* the default as text; NULL = required; OEV_CONF_ABSENT = may be left out */
	const char *help;     /* one sentence */
	bool power_of_two;    /* OEV_KEY_UINT: 0 (when min is 0) or a power of two */
};

/* The table; *@count gets its length. */
const struct oev_conf_key *oev_conf_keys(size_t *count);

/* What @key allows, as one phrase: "1..60000 ms", "block, gap", "true, false". Cut to @size. */
void oev_conf_key_allowed(const struct oev_conf_key *key, char *out, size_t size);

/* Fill with the defaults of the table. */
void oev_conf_process_init(struct oev_process *out);

/* Parse @len octets of @text, called @file in messages. On failure @error holds one line
 * "FILE:LINE:COLUMN: KEY: reason and the allowed range" and *@out is untouched.
 * Returns OC_OK, OC_EMALFORMED (not YAML, unknown or duplicate key, wrong type), OC_ERANGE, OC_EINVAL
 * (keys that contradict each other), OC_ENOMEM. Any thread. */
int oev_conf_process_parse(const char *text, size_t len, const char *file, struct oev_process *out,
			   char error[static OEV_CONF_ERROR_MAX]);
int oev_conf_policy_parse(const char *text, size_t len, const char *file, struct oc_policy *out,
			  char error[static OEV_CONF_ERROR_MAX]);

/* Reads a whole file of at most 1 MiB into a fresh buffer (free() it), NUL added after *@len octets.
 * Returns OC_OK, OC_ENOENT, OC_EIO, OC_ERANGE (too large), OC_ENOMEM. */
int oev_conf_read_file(const char *path, char **text, size_t *len, char error[static OEV_CONF_ERROR_MAX]);

/* Where @path leads when it was written in @file: an absolute @path as it is, else below @file's folder.
 * Returns OC_OK, or OC_ERANGE (too long; *@out untouched). Any thread. */
int oev_conf_resolve(const char *file, const char *path, char out[static OEV_CONF_PATH_MAX]);
