/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The event: what the core tells the evidence trail, as one fixed-size record.
 *
 * The core fills events and hands them to the oc_event_fn it was given, after it has released its
 * lock. An event points nowhere, so that it can lie in a ring or a file as it is; only its first
 * oc_event_size() octets need to be copied. Times are monotonic nanoseconds; the recorder adds the
 * wall clock. Names are numbers of oc_names.h, announced once by an OC_EVENT_NAME.
 */
#pragma once

#include "oc_types.h"

enum oc_event_kind {
	OC_EVENT_NONE = 0,
	OC_EVENT_NAME = 1,	    /* a name number was given out */
	OC_EVENT_PEER = 2,	    /* a peer came or went */
	OC_EVENT_CAPABILITY = 3,    /* a peer's announced features were seen first, or changed */
	OC_EVENT_REPORT = 4,	    /* an OC-OLR was received and judged */
	OC_EVENT_REPORT_RAW = 5,    /* more raw octets of the report with that id */
	OC_EVENT_REPORT_REPEAT = 6, /* n more receptions of a report already recorded */
	OC_EVENT_OCS_VERSION = 7,   /* a version of an overload control state began to be held */
	OC_EVENT_OCS_CHANGE = 8,    /* that version expired, was ended, replaced, recovered or forgotten */
	OC_EVENT_DECISION = 9,	    /* one request: what was decided, under which versions */
	OC_EVENT_OUTCOME = 10,	    /* the same request: how it was answered */
	OC_EVENT_OWN_REPORT = 11,   /* a report of our own got new contents */
	OC_EVENT_OWN_SENT = 12,	    /* answers that carried such contents to one neighbour */
	OC_EVENT_LOAD = 13,	    /* a node's load changed */
	OC_EVENT_PROFILE = 14,	    /* a number was given to what messages say of themselves */
	OC_EVENT_CANDIDATES = 15,   /* a number was given to a set of candidates */
	OC_EVENT_ORDER =
		16, /* a report of our own was ordered or withdrawn: by whom, why, from what inputs */
	OC_EVENT_IDENTITY = 17, /* the text behind a pseudonym; only when the policy keeps identities clear */
	OC_EVENT_ACT = 18,	/* somebody changed something, or tried to */
	OC_EVENT_KIND_COUNT
};

/* Raised with every change of an event that leaves all sizes as they are: events left in a file by another program are known
 * by their sizes and by this. */
#define OC_EVENT_LAYOUT 1u

#define OC_EVENT_RAW_MAX 184u /* raw octets in one REPORT or REPORT_RAW event */
#define OC_PROFILE_RATING_GROUPS_MAX 8u
#define OC_PROFILE_APN_MAX 64u

struct oc_event_name {
	uint32_t id;
	char text[OC_IDENT_MAX + 1];
};

struct oc_event_peer {
	uint32_t peer;
	uint8_t up; /* 1 open, 0 closed */
};

enum oc_direction {
	OC_DIR_REQUEST = 0, /* seen in a request: the peer speaks for reacting nodes */
	OC_DIR_ANSWER = 1   /* seen in an answer: a reporting node is there */
};

struct oc_event_capability {
	uint64_t vector;
	uint64_t peer_algo;
	uint32_t peer;
	uint32_t app_id;
	uint32_t source;
	uint32_t origin_host; /* who announced it, which need not be the peer */
	uint8_t direction;    /* enum oc_direction */
	uint8_t has;	      /* enum oc_caps_has */
};

/* What became of a received report. */
enum oc_intake {
	OC_INTAKE_NEW = 0,	/* a new condition: an OCS was created */
	OC_INTAKE_UPDATED = 1,	/* a newer sequence number: the OCS was replaced */
	OC_INTAKE_STALE = 2,	/* older sequence number: ignored (RFC 7683 section 5.2.1.3) */
	OC_INTAKE_REPEATED = 3, /* same sequence number: no change, the clock is not restarted */
	OC_INTAKE_REFUSED = 4,	/* not obeyed, for a reason below */
	OC_INTAKE_COUNT
};

enum oc_report_reason {
	OC_REASON_NONE = 0,
	OC_REASON_UNTRUSTED_PEER = 1,	   /* peer may not send reports (D-282, D-284) */
	OC_REASON_NOT_ADJACENT = 2,	   /* peer may send only its own reports (D-283) */
	OC_REASON_OUT_OF_SCOPE = 3,	   /* host or realm outside the peer's responsibility (D-281) */
	OC_REASON_NO_FEATURES = 4,	   /* answer without OC-Supported-Features (D-074) */
	OC_REASON_NOT_ANNOUNCED = 5,	   /* our side sent no OC-Supported-Features (D-075) */
	OC_REASON_IN_REQUEST = 6,	   /* OC-OLR in a request (D-073) */
	OC_REASON_TYPE_UNSUPPORTED = 7,	   /* unknown or unsupported report type (D-072) */
	OC_REASON_INCOMPLETE = 8,	   /* sequence number or report type missing (D-262) */
	OC_REASON_PERCENTAGE_RANGE = 9,	   /* above 100 (D-260) */
	OC_REASON_PERCENTAGE_MISSING = 10, /* loss report without percentage (D-261) */
	OC_REASON_ALGORITHM = 11,	   /* no algorithm we support was selected (D-028, D-029) */
	OC_REASON_MALFORMED = 12,	   /* the group's octets do not parse (D-263) */
	OC_REASON_SOURCE_MISMATCH = 13,	   /* PEER report whose SourceID is not the peer (D-202, D-203) */
	OC_REASON_TABLE_FULL = 14,	   /* no room for another OCS or name */
	OC_REASON_UNSOLICITED = 15,	   /* no pending request (D-280) */
	OC_REASON_RATE_MISSING = 16, /* rate was selected, OC-Maximum-Rate is missing (spec 2.1.1, point 7) */
	OC_REASON_CLASH = 17,	     /* about a realm or host this agent reports for itself (D-113, D-115) */
	OC_REASON_COUNT
};

struct oc_event_report {
	uint64_t report; /* number of this report in this agent's life, from 1 */
	uint64_t sequence;
	uint32_t version; /* OCS version it made, or the one it was compared with; 0 none */
	uint32_t peer;	  /* adjacent peer it came from */
	uint32_t app_id;
	uint32_t subject; /* host, realm or peer it speaks of */
	uint32_t origin_host;
	uint32_t origin_realm;
	uint32_t type;		/* as on the wire */
	uint32_t reduction_pct; /* as on the wire; look at has */
	uint32_t validity_s;
	uint32_t rate_rps;
	uint8_t has;	    /* enum oc_olr_has */
	uint8_t verdict;    /* enum oc_intake */
	uint8_t reason;	    /* enum oc_report_reason */
	uint8_t algorithm;  /* enum oc_algo selected in the same answer */
	uint16_t raw_total; /* octets of the whole AVP; the rest follows in REPORT_RAW events */
	uint16_t raw_len;   /* octets here */
	uint8_t raw[OC_EVENT_RAW_MAX];
};

struct oc_event_report_raw {
	uint64_t report;
	uint16_t at;
	uint16_t raw_len;
	uint8_t raw[OC_EVENT_RAW_MAX];
};

struct oc_event_report_repeat {
	uint64_t report;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t count;
};

struct oc_event_ocs_version {
	uint64_t report; /* the report that made it */
	uint64_t sequence;
	uint64_t expires_ns; /* monotonic; equal to the event's time when validity is 0 */
	uint32_t version;    /* number in this agent's life, from 1 */
	uint32_t replaces;   /* version it took the place of, 0 none */
	uint32_t app_id;
	uint32_t subject;
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t validity_s; /* after defaulting: absent or above 86400 is 30 */
	uint32_t origin;     /* client a HOST rate was allotted to, realm of a REALM rate; 0 = for all */
	uint8_t type;	     /* enum oc_report_type */
	uint8_t algorithm;   /* enum oc_algo */
};

enum oc_ocs_end {
	OC_END_EXPIRED = 0,   /* validity ran out; a ramp or probes may follow */
	OC_END_ENDED = 1,     /* explicit end, validity 0 */
	OC_END_REPLACED = 2,  /* a newer report took its place */
	OC_END_RECOVERED = 3, /* the ramp is over: full traffic again */
	OC_END_FORGOTTEN = 4, /* memory of the ended entry is over (D-070) */
	OC_END_SHUTDOWN = 5,  /* the agent stopped while it was held */
	OC_END_COUNT
};

struct oc_event_ocs_change {
	uint64_t matched;      /* requests compared with this version so far, drawn ones */
	uint64_t selected;     /* of these, selected by the draw */
	uint64_t expected_ppm; /* sum of the share applied to each of them, parts per million */
	uint64_t remembered;   /* verdicts repeated for retries, not drawn, not in the three above */
	uint32_t version;
	uint8_t how; /* enum oc_ocs_end */
};

/* One comparison of a request with an active (or recovering) OCS. */
struct oc_look {
	uint32_t version; /* 0 = no OCS of this scope matched */
	uint32_t
		share_ppm; /* chance this request was drawn at: the report's share, moved by priorities and by what other
			     * reports removed (oc_debt.h); under a rate report 0 admitted or OC_PPM not */
	uint32_t nth; /* number of this draw under that version, from 1; 0 = not drawn (probe, remembered) */
};

enum oc_scope { OC_SCOPE_NONE = 0, OC_SCOPE_REALM = 1, OC_SCOPE_HOST = 2, OC_SCOPE_PEER = 3, OC_SCOPE_COUNT };

enum oc_verdict {
	OC_FORWARD = 0,
	OC_DIVERT = 1, /* sent, but not where it would have gone */
	OC_REFUSE = 2, /* answered by the agent with an error: throttled */
	OC_VERDICT_COUNT
};

enum oc_why {
	OC_WHY_NONE = 0,
	OC_WHY_REPORT = 1,	/* selected by the report of decision.selected_by */
	OC_WHY_OUTSTANDING = 2, /* the peer has as many unanswered requests as allowed */
	OC_WHY_FAILOPEN = 3,	/* something went wrong in the agent; the request passed untouched */
	OC_WHY_UNROUTED = 4,	/* the daemon found nobody to send it to */
	OC_WHY_OWN = 5, /* this agent reports its own overload, and the client's side cannot be told */
	OC_WHY_COUNT
};

enum oc_decision_flag {
	OC_DEC_DOIC_CLIENT = 0x01,    /* request carried trusted OC-Supported-Features */
	OC_DEC_REALM_ROUTED = 0x02,   /* arrived without Destination-Host */
	OC_DEC_REMEMBERED = 0x04,     /* verdict repeated from the same session attempt, not drawn */
	OC_DEC_PROBE = 0x08,	      /* let through as a probe after a 100 % report ran out */
	OC_DEC_OBSERVED = 0x10,	      /* policy says observe: selected, but forwarded all the same */
	OC_DEC_RETRANSMIT = 0x20,     /* arrived with the T bit */
	OC_DEC_RECOVERING = 0x40,     /* a look was at an ended version on its ramp */
	OC_DEC_REACTING_FOR = 0x80,   /* the agent was the reacting node on behalf of the client */
	OC_DEC_PEER_CLIENT = 0x100,   /* the neighbour it came from supports peer reports (D-184) */
	OC_DEC_INHERITED = 0x200,     /* class taken from the request that began the session */
	OC_DEC_DRMP_STRIPPED = 0x400, /* it carried a DRMP that its sender is not trusted with (P-19) */
	OC_DEC_MOVED =
		0x800, /* it was sent elsewhere than step 3 first chose: a peer was lost, or the host chose */
	OC_DEC_NO_ROOM = 0x1000, /* another place would have done as well or better, but had no room for it */
	OC_DEC_UNASKED = 0x2000, /* the host answered or dropped it before step 1: held against nothing */
	OC_DEC_FULL = 0x4000	 /* its first choice had no room for it */
};

struct oc_decision {
	uint64_t id;		  /* number in this agent's life, from 1, in the order of at_ns */
	uint64_t at_ns;		  /* step 1: monotonic, and no other step of this agent has the same */
	uint64_t out_ns;	  /* step 3, when it was first done: likewise; 0 = it did not come that far */
	uint64_t session_hash;	  /* pseudonym of the Session-Id, below 2^47, 0 = none */
	uint64_t subscriber_hash; /* pseudonym of the subscriber, below 2^47, 0 = not known */
	uint64_t
		random; /* the chance given to this decision: low 32 bits for step 1, high 32 for step 3; 0 = none was used */
	struct oc_look realm;
	struct oc_look host;
	struct oc_look peer;
	uint32_t app_id;
	uint32_t command;
	uint32_t end_to_end;
	uint32_t client_peer; /* adjacent peer the request came from */
	uint32_t origin_host;
	uint32_t origin_realm;
	uint32_t dest_host; /* as on arrival, 0 none */
	uint32_t dest_realm;
	uint32_t profile;    /* number of what the request says of itself (OC_EVENT_PROFILE), 0 = nothing */
	uint32_t candidates; /* number of the set step 3 chose from (OC_EVENT_CANDIDATES), 0 = not known */
	uint32_t
		first_choice; /* peer it would have gone to before any report; of one that moved (OC_DEC_MOVED) the
				* one step 3 chose; 0 when refused earlier */
	uint32_t next_hop;    /* peer it was sent to; 0 when it was not sent */
	uint32_t result_code; /* of the refusal, 0 when not refused */
	uint8_t verdict;      /* enum oc_verdict */
	uint8_t why;	      /* enum oc_why */
	uint8_t selected_by;  /* enum oc_scope whose draw selected it */
	uint8_t klass;	      /* class of priority, 0 .. OC_CLASSES - 1 */
	uint8_t drmp;	      /* as received, OC_DRMP_NONE absent */
	uint8_t cc_request_type;
	uint16_t flags; /* enum oc_decision_flag */
};

enum oc_maker {
	OC_MADE_UPSTREAM = 0, /* the answer was relayed */
	OC_MADE_AGENT = 1,    /* refusal by this agent */
	OC_MADE_DEADLINE = 2, /* no answer before the deadline; the agent answered */
	OC_MADE_DAEMON = 3,   /* error made by the host daemon, e.g. 3002 without candidate */
	OC_MADE_LOST =
		4, /* no answer left: the client was gone or the daemon stopped; from_peer says whether one had come */
	OC_MADE_COUNT
};

struct oc_event_outcome {
	uint64_t id; /* decision this belongs to */
	uint64_t
		took_ns; /* from decision.at_ns to step 5 of the answer, which no other step shares; to its leaving when it was made here */
	uint32_t
		result_code; /* 0 when there was no answer; of one that was lost on its way out, what it said */
	uint32_t answered_by; /* Origin-Host of the answer */
	uint32_t answered_realm;
	uint32_t profile;   /* number of what the answer says of itself, 0 = nothing */
	uint32_t from_peer; /* adjacent peer that relayed it, 0 when made here */
	uint8_t maker;	    /* enum oc_maker */
	uint8_t attempts;   /* times the request was sent; above 1 after failover */
};

/* What happened to the contents of a report of our own. */
enum oc_report_step {
	OC_REPORT_BEGUN = 0,
	OC_REPORT_CHANGED = 1, /* another percentage, rate or validity, or a step of the fall (D-110) */
	OC_REPORT_RENEWED = 2, /* the same again for another validity */
	OC_REPORT_ENDED = 3,   /* validity 0 is told from now on */
	OC_REPORT_GONE = 4,    /* the last remote state is over: nothing more is told */
	OC_REPORT_STEP_COUNT
};

struct oc_event_own_report {
	uint64_t sequence;
	uint32_t app_id;  /* or OC_APP_ANY */
	uint32_t subject; /* host, realm; of a PEER report the neighbour it is for, 0 = every one */
	uint32_t target;  /* reacting node a rate was allotted to, 0 = all */
	uint32_t validity_s;
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint8_t type;	   /* enum oc_report_type */
	uint8_t algorithm; /* enum oc_algo */
	uint8_t step;	   /* enum oc_report_step */
	uint8_t raw_len;   /* octets of the whole OC-OLR kept here */
	uint8_t raw[OC_EVENT_RAW_MAX];
};

struct oc_event_own_sent {
	uint64_t sequence; /* of the contents */
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t count;
	uint32_t peer; /* neighbour the answers went to */
	uint8_t type;
};

struct oc_event_load {
	uint32_t node; /* who speaks: SourceID; ourselves for our own value */
	uint32_t peer; /* neighbour it came through, 0 = our own value */
	uint32_t value;
	uint8_t type; /* enum oc_load_type */
};

/* What a message says of itself and decisions depend on, beside the parties and the session: few messages differ in it. */
struct oc_profile {
	uint64_t vector; /* OC-Feature-Vector; look at caps_has */
	uint64_t peer_algo;
	uint32_t source;
	uint32_t rating_group[OC_PROFILE_RATING_GROUPS_MAX];
	uint16_t hints;	  /* enum oc_hint */
	uint8_t caps_has; /* enum oc_caps_has */
	uint8_t reservation_priority;
	uint8_t rating_group_count;
	uint8_t has_more_rating_groups;
	uint8_t apn_len;
	char apn[OC_PROFILE_APN_MAX];
};

struct oc_event_profile {
	uint32_t id; /* from 1; a number never changes its meaning, one meaning may get several numbers */
	struct oc_profile profile;
};

#define OC_CANDIDATES_MAX 30u /* of one recorded set; larger ones have no number */

struct oc_event_candidates {
	uint32_t id; /* as of oc_event_profile */
	uint32_t count;
	uint32_t peer[OC_CANDIDATES_MAX]; /* in the order they were given */
	int32_t score[OC_CANDIDATES_MAX];
};

/* Who asked for a report of our own. */
enum oc_order_by {
	OC_BY_POLICY = 0,  /* the policy document; actor is its version */
	OC_BY_CONTROL = 1, /* the control socket; actor is the user's number */
	OC_BY_LAW = 2,	   /* the control law; actor is its version */
	OC_BY_COUNT
};

#define OC_ORDER_TEXT_MAX 96u

enum oc_order_has { OC_ORDER_HAS_REDUCTION = 0x1, OC_ORDER_HAS_RATE = 0x2 };

/* The decision to report: what was ordered, by whom, why, by which version of which calculation, from what inputs. */
struct oc_event_order {
	uint64_t until_ns; /* withdrawn by itself then, 0 = stays */
	uint32_t app_id;   /* or OC_APP_ANY */
	uint32_t subject;  /* as of oc_event_own_report */
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t validity_s;
	uint32_t actor;
	uint32_t calculation; /* version of the way it was worked out; 0 = given by hand */
	uint8_t type;	      /* enum oc_report_type */
	uint8_t has;	      /* enum oc_order_has */
	uint8_t by;	      /* enum oc_order_by */
	uint8_t is_withdrawal;
	char reason[OC_ORDER_TEXT_MAX]; /* NUL-terminated, may be empty; likewise below */
	char inputs[OC_ORDER_TEXT_MAX]; /* "name=value name=value" */
};

#define OC_ACT_WHO_MAX 32u
#define OC_ACT_WHAT_MAX 16u
#define OC_ACT_OBJECT_MAX 64u
#define OC_ACT_STATE_MAX 24u
#define OC_ACT_REASON_MAX 96u

/* What a person, or a program on behalf of one, changed in this node: who, what, of which thing, before, after, why. Texts are
 * NUL-terminated and may be empty. */
struct oc_event_act {
	char who[OC_ACT_WHO_MAX];	/* name of a token; "uid 1000" on a UNIX socket; "system" */
	char what[OC_ACT_WHAT_MAX];	/* "policy", "want", "unlock", "login" */
	char object[OC_ACT_OBJECT_MAX]; /* "pcrf-3.example.net" */
	char before[OC_ACT_STATE_MAX];	/* "version 17", "in" */
	char after[OC_ACT_STATE_MAX];
	char reason[OC_ACT_REASON_MAX];
};

#define OC_IDENTITY_TEXT_MAX 128u

enum oc_identity_kind { OC_IDENTITY_SESSION = 0, OC_IDENTITY_SUBSCRIBER = 1, OC_IDENTITY_KIND_COUNT };

struct oc_event_identity {
	uint64_t pseudonym;
	uint8_t kind; /* enum oc_identity_kind */
	uint8_t len;
	char text[OC_IDENTITY_TEXT_MAX];
};

struct oc_event {
	uint16_t kind; /* enum oc_event_kind */
	uint16_t reserved;
	uint32_t reserved2;
	uint64_t mono_ns;
	union {
		struct oc_event_name name;
		struct oc_event_peer peer;
		struct oc_event_capability capability;
		struct oc_event_report report;
		struct oc_event_report_raw report_raw;
		struct oc_event_report_repeat report_repeat;
		struct oc_event_ocs_version ocs_version;
		struct oc_event_ocs_change ocs_change;
		struct oc_decision decision;
		struct oc_event_outcome outcome;
		struct oc_event_own_report own_report;
		struct oc_event_own_sent own_sent;
		struct oc_event_load load;
		struct oc_event_profile profile;
		struct oc_event_candidates candidates;
		struct oc_event_order order;
		struct oc_event_identity identity;
		struct oc_event_act act;
	} u;
};

/* Receives one event. @event is valid during the call only. Called without any lock of the core,
 * from the thread that called into the core; must not call back into the core. */
typedef void (*oc_event_fn)(void *ctx, const struct oc_event *event);

/* Octets of @event that carry meaning (a multiple of 8, header included); 0 for an unknown kind. */
size_t oc_event_size(const struct oc_event *event);

/* Short lower-case words for people and for the trail ("expired", "host"...); "?" outside the enum. */
const char *oc_event_kind_text(unsigned kind);
const char *oc_report_type_text(unsigned type);
const char *oc_algo_text(unsigned algo);
const char *oc_intake_text(unsigned verdict);
const char *oc_report_reason_text(unsigned reason);
const char *oc_ocs_end_text(unsigned how);
const char *oc_scope_text(unsigned scope);
const char *oc_verdict_text(unsigned verdict);
const char *oc_why_text(unsigned why);
const char *oc_maker_text(unsigned maker);
const char *oc_report_step_text(unsigned step);
const char *oc_load_type_text(unsigned type);
const char *oc_order_by_text(unsigned by);
const char *oc_identity_kind_text(unsigned kind);
