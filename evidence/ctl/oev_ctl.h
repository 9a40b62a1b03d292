/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The language of the control socket, "doic.ctl/1": one JSON object per line, one reply per line.
 *
 *   {"do":"report.set","type":"host","subject":"s3.example.net","application":"gx","reduction_pct":20,"for_s":600,"reason":"work"}
 *   {"schema":"doic.ctl/1","ok":true}
 *   {"schema":"doic.ctl/1","ok":false,"error":"invalid","message":"reduction_pct: 120 is above 100"}
 *
 * A command is parsed whole or refused: unknown keys, wrong types and numbers out of range are errors, so that a
 * mistyped key never means "the default". An order by people needs a reason. Replies are made from the plain values of the agent; names come from its table.
 */
#pragma once

#include "../../agent/doic/oc_report.h"
#include "../../agent/oc_agent.h"

#define OEV_CTL_SCHEMA "doic.ctl/1"
#define OEV_CTL_LINE_MAX 65536u /* octets of a command, newline included */
#define OEV_CTL_ERROR_MAX 256u

enum oev_ctl_kind {
	OEV_CTL_PING = 0,
	OEV_CTL_REPORT_SET = 1,	   /* "report.set": put an order in force or change it */
	OEV_CTL_REPORT_END = 2,	   /* "report.end": withdraw it */
	OEV_CTL_REPORT_LIST = 3,   /* "report.list" */
	OEV_CTL_LOAD_SET = 4,	   /* "load.set": our own value, or back to measurement */
	OEV_CTL_LOAD_LIST = 5,	   /* "load.list" */
	OEV_CTL_STATES = 6,	   /* "states": overload control states held */
	OEV_CTL_STATS = 7,	   /* "stats" */
	OEV_CTL_POLICY_RELOAD = 8, /* "policy.reload" */
	OEV_CTL_KIND_COUNT
};

struct oev_ctl_command {
	enum oev_ctl_kind kind;
	/* report.set, report.end */
	enum oc_report_type type;
	char subject[OC_IDENT_MAX + 1]; /* lower case; "" none (type peer: every neighbour) */
	uint32_t app_id;		/* OC_APP_ANY when not given */
	char reason[OC_ORDER_TEXT_MAX]; /* of policy.reload too; "" in other commands */
	/* report.set */
	bool has_reduction;
	bool has_rate;
	uint32_t reduction_pct; /* 0..100 */
	uint32_t rate_rps;
	uint32_t validity_s; /* 1..86400; 0 the policy's */
	uint32_t for_s;	     /* withdrawn by itself after that; 0 stays */
	/* load.set */
	bool load_is_measured; /* "value":"auto" */
	uint32_t load_value;   /* 0..OC_LOAD_IDLE */
	/* not of the line: who sent it, by the system's word */
	uint32_t user;
};

/* Why a command was not carried out. */
enum oev_ctl_refusal {
	OEV_CTL_INVALID = 0,   /* the command makes no sense */
	OEV_CTL_REFUSED = 1,   /* policy says no, or the policy document is wrong */
	OEV_CTL_NOT_FOUND = 2, /* no such order */
	OEV_CTL_FULL = 3,      /* a table is full, or too many clients */
	OEV_CTL_INTERNAL = 4,
	OEV_CTL_REFUSAL_COUNT
};

/* Parses one line of @len octets (with or without its newline); out->user is 0. On failure *@error is one sentence and *@out is
 * undefined. Returns OC_OK, OC_EMALFORMED (no JSON object, a wrong type), OC_EINVAL (unknown command or key, a key that is
 * missing), OC_ERANGE. Any thread. */
int oev_ctl_parse(const char *line, size_t len, struct oev_ctl_command *out,
		  char error[static OEV_CTL_ERROR_MAX]);

/* The word of a command ("report.set") and of a refusal ("not_found"); "?" outside the enum. */
const char *oev_ctl_kind_text(unsigned kind);
const char *oev_ctl_refusal_text(unsigned refusal);

/* Own load, for the head of "load.list". */
struct oev_ctl_own_load {
	uint32_t value;
	bool is_set; /* by hand */
};

/* Replies: one line of JSON without its newline, to be freed with free(); NULL when out of memory. Times of the values are
 * monotonic; @now_ns is what they are counted from. Any thread. */
char *oev_ctl_reply_ok(void);
/* Done, with a @note for the person who asked. */
char *oev_ctl_reply_note(const char *note);
char *oev_ctl_reply_error(enum oev_ctl_refusal refusal, const char *message);
char *oev_ctl_reply_pong(const char *version, const char *identity, uint32_t policy_version);
/* @note: what is hardly meant in it; "" nothing. */
char *oev_ctl_reply_policy(uint32_t policy_version, const char *note);
char *oev_ctl_reply_reports(const struct oc_report_view *views, uint32_t count, const struct oc_names *names,
			    uint64_t now_ns);
char *oev_ctl_reply_states(const struct oc_ocs_view *views, uint32_t count, const struct oc_names *names,
			   uint64_t now_ns);
char *oev_ctl_reply_loads(const struct oev_ctl_own_load *own, const struct oc_load_view *loads,
			  uint32_t count, const struct oc_names *names);
char *oev_ctl_reply_stats(const struct oc_stats *stats);
