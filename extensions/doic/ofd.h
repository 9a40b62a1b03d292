/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The one live object graph of the extension, and the contracts between its files.
 *
 * The way of a message (docs/architecture.md has the picture):
 *   octets   ofd_context: one bounded scan (DATA_RECEIVED), then the peer is known (MESSAGE_RECEIVED)
 *   request  ofd_route (rt_fwd) -> ofd_out (rt_out, last) -> ofd_leave (MESSAGE_SENDING)
 *   answer   ofd_context (reports in) -> ofd_leave (MESSAGE_SENDING: what the client may see)
 * Every callback returns 0 and fails open: when something goes wrong inside, the message passes as
 * the daemon would have sent it, and OC_STAT_FAILOPEN counts it.
 */
#pragma once

#include <freeDiameter/extension.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "../../agent/oc_agent.h"
#include "../../evidence/conf/oev_conf.h"
#include "../../evidence/ctl/oev_ctl_server.h"
#include "../../evidence/store/oev_journal.h"
#include "../../evidence/store/oev_recorder.h"
#include "../../evidence/watch/oev_watch_past.h"
#include "../../web/oweb_server.h"

struct ofd_identity;
struct ofd_keep;
struct ofd_log;
struct ofd_want;

#define OFD_GONE_MARKS 1024u

/* What the two sides of ofd_gone.c tell each other of a peer; monotonic times, 0 never. */
struct ofd_gone_mark {
	atomic_uint_fast64_t broken_ns;	  /* a connection was told to be broken */
	atomic_uint_fast64_t answered_ns; /* the daemon was about to answer it with a routing error */
};

/* Models of the AVPs this extension makes or removes; containers are OctetString in a private dictionary, so
 * that another dictionary in the same daemon may define them as true groups (docs/architecture.md). */
struct ofd_models {
	struct dictionary *private_dict;
	struct dict_object *caps;	/* OC-Supported-Features (621), private like the next three */
	struct dict_object *olr;	/* OC-OLR (623) */
	struct dict_object *load;	/* Load (650) */
	struct dict_object *drmp;	/* DRMP (301) */
	struct dict_object *session_id; /* from the daemon's dictionary */
	struct oc_group usual[2];	/* values of the OC-Supported-Features nearly every request gets */
};

/* What came of reading the policy's file. */
struct ofd_policy_reads {
	bool has_failed;     /* the last time */
	uint64_t success_us; /* the last that did not */
	uint64_t refused;    /* that did */
};

/* What the policy's file was found to be, when it was last read beside a document in force that is not its own. */
struct ofd_policy_file {
	uint32_t version; /* in force then; 0: not looked at yet */
	ino_t inode;
	off_t size;
	struct timespec changed;
	bool is_other;
};

struct ofd {
	struct oev_process conf;
	pthread_mutex_t
		policy_lock; /* over the next eight, which several threads change; the core has its own copy */
	struct oc_policy policy;
	char *policy_text;
	uint64_t policy_since_us;
	char policy_by
		[OWEB_WHO_MAX]; /* who put it in force over HTTP without the file; "" it is that of the file */
	struct ofd_policy_reads policy_reads;
	struct ofd_policy_file policy_file;
	uint64_t policy_refused; /* documents that came over HTTP and were none */
	bool policy_lock_made;
	struct oc_agent_conf agent_conf; /* how the agent begins */
	struct oc_names *names;
	struct oc_agent *agent;
	struct oev_key *
		key; /* signs the evidence; oev_key_pseudonym() gives the subkey for pseudonyms; NULL: no evidence */
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	struct oev_watch *watch;     /* NULL: no evidence, or no server */
	struct oev_watch_past *past; /* NULL: the watch begins anew with each process */
	struct oev_listener listener;
	struct ofd_want *want;
	struct oweb_node node;
	struct oweb_server *web; /* NULL: no HTTP server */
	uint64_t started_us;
	struct ofd_log *log;
	struct ofd_models models;
	uint64_t names_seed;
	struct oc_keyed_key
		pseudonym_key; /* of sessions and subscribers; at random unless the evidence has one */
	struct ofd_identity *identity; /* NULL: identities stay pseudonyms */
	atomic_uint_fast64_t chance;   /* state of ofd_clock_random */
	struct ofd_keep *keep;
	struct fd_hook_data_hdl *data_hdl;
	struct ofd_gone_mark gone[OFD_GONE_MARKS];
	struct fd_hook_hdl *hook_mend;
	struct fd_hook_hdl *hook_gone;
	struct fd_hook_hdl *hook_in;
	struct fd_hook_hdl *hook_leave;
	struct fd_hook_hdl *hook_peers;
	struct fd_hook_hdl *hook_errors;
	struct fd_hook_hdl *hook_quiet;
	struct fd_rt_fwd_hdl *route;
	struct fd_rt_out_hdl *out;
	pthread_t tick_thread;
	bool tick_started;
	pthread_mutex_t tick_mutex;
	pthread_cond_t tick_cond;
	bool stopping;			/* guarded by tick_mutex */
	struct oev_ctl_server *control; /* NULL: no control socket */
	char sequence_path[OEV_CONF_PATH_MAX];
	uint64_t sequence_first; /* of this life */
	uint64_t sequence_mark;	 /* numbers below are reserved; tick thread */
	pthread_key_t drain_key; /* value set in the routing-out thread, see ofd_drain.c */
	bool drain_started;
};

enum ofd_fate {
	OFD_FATE_NONE = 0,
	OFD_FATE_REFUSED = 1, /* this agent answers */
	OFD_FATE_EXPIRED = 2  /* its deadline passed; this agent answers */
};

/* What is kept beside one message, made when its octets arrive, freed with the message. (The tag is the host library's
 * opaque type for such data.) All of it is zero at first, except the reports and what follows them in msg. */
struct fd_hook_permsgdata {
	struct ofd_keep *keep; /* where it came from */
	struct ofd *ofd;       /* set once the message is a request this agent follows; NULL else */
	struct oc_txn txn;
	uint32_t peer;		  /* name number of the adjacent peer the message came from */
	uint8_t scanned;	  /* 1: came from the network and parsed; 2: came, but is malformed */
	uint8_t fate;		  /* enum ofd_fate */
	uint8_t answered;	  /* 1: an answer came from upstream since the request was last sent */
	uint8_t answer_doic_avps; /* AVPs 621 and 623 in that answer */
	uint8_t answer_olrs;	  /* AVPs 623 in it */
	uint8_t answer_loads;	  /* AVPs 650 in it */
	struct oc_answer_edit
		*edit; /* what ofd_leave changes in the answer, from its arrival until it leaves; NULL else */
	struct oc_msg msg;
};

/* --- ofd_keep.c: room for contexts --- */

struct ofd_keep *ofd_keep_start(void);
/* A new context, or NULL when out of memory. Any thread, as is ofd_keep_free. */
struct fd_hook_permsgdata *ofd_keep_new(struct ofd_keep *keep);
void ofd_keep_free(struct fd_hook_permsgdata *ctx);

/* Room for what is to be changed in one answer. Few answers are on their way at a time, however many requests wait for
 * theirs, so it is not kept beside the request. All of it is zero at first, except the reports and what follows them. NULL when out of
 * memory. Any thread, as is ofd_keep_edit_free, which takes NULL too. */
struct oc_answer_edit *ofd_keep_edit_new(struct ofd_keep *keep);
void ofd_keep_edit_free(struct ofd_keep *keep, struct oc_answer_edit *edit);

/* --- ofd_context.c: what is known of a message --- */

/* Registers the per-message data and the hooks of intake. 0 or a positive errno. */
int ofd_context_start(struct ofd *ofd);

/* Context of the request @req that this agent follows, or NULL. Any thread that owns the message. */
struct fd_hook_permsgdata *ofd_context_of_request(struct msg *req);

/* Name number of a DiameterIdentity of the host library; tells the trail when it is new. */
uint32_t ofd_context_name(struct ofd *ofd, const char *id, size_t len);

/* --- callbacks of the way of a message --- */
int ofd_route_request(void *ofd, struct msg **pmsg);			       /* rt_fwd, requests */
int ofd_out_request(void *ofd, struct msg **pmsg, struct fd_list *candidates); /* rt_out, runs last */
int ofd_leave_start(struct ofd *ofd);
void ofd_peers_goodbye(struct ofd *ofd, struct peer_hdr *peer); /* a DPA is sent to it */
int ofd_peers_start(struct ofd *ofd);

/* --- ofd_answer.c: answers this agent makes itself --- */

/* Turns the request *@pmsg into an error answer with @result_code and Error-Message @text. On success *@pmsg is the answer
 * (its query attached). 0 or a positive errno; then *@pmsg is still the request. */
int ofd_answer_make(struct ofd *ofd, struct msg **pmsg, uint32_t result_code, const char *text);

/* Host library callback for a request whose deadline passed. @data is its context. */
void ofd_answer_expired(void *data, DiamId_t sent_to, size_t sent_to_len, struct msg **pmsg);

/* Turns the request *@pmsg of @ctx into the refusal its decision asks for; the caller sends it. False: it could not be made,
 * *@pmsg is still the request and passes (failing open, counted). */
bool ofd_answer_refuse(struct ofd *ofd, struct msg **pmsg, struct fd_hook_permsgdata *ctx);

/* --- ofd_avp.c: AVPs added and removed --- */
int ofd_avp_start(struct ofd_models *models, const char *identity);
void ofd_avp_stop(struct ofd_models *models);
int ofd_avp_add_caps(const struct ofd_models *models, struct msg *msg, const struct oc_group *group);
void ofd_avp_remove_all(struct msg *msg, uint32_t code);
/* What the strips of an edit are about: AVPs of an answer, 255 means 255 or more. */
struct ofd_avp_counts {
	uint8_t doic;  /* 621 and 623 */
	uint8_t olrs;  /* 623 */
	uint8_t loads; /* 650 */
};
/* Removes what @edit says from an answer. */
void ofd_avp_edit_answer(struct msg *msg, const struct oc_answer_edit *edit,
			 const struct ofd_avp_counts *counts);
/* Adds what @edit says: features, reports and load of ours. 0 or a positive errno. */
int ofd_avp_dress_answer(const struct ofd *ofd, struct msg *msg, const struct oc_answer_edit *edit);
/* The one DRMP of @msg becomes @priority. */
int ofd_avp_set_drmp(const struct ofd_models *models, struct msg *msg, uint8_t priority);
/* Removes the Route-Record that the daemon appended to an answer (it belongs on requests, RFC 6733 6.7.1). */
void ofd_avp_remove_stray_route_record(struct msg *msg);

/* --- ofd_identity.c: texts behind pseudonyms, when the operator wants them in the evidence --- */

/* 0 or a positive errno. Nothing is started when identities stay pseudonyms. */
int ofd_identity_start(struct ofd *ofd);
void ofd_identity_stop(struct ofd *ofd);
/* Tells the texts of @msg that were not told lately. Any thread. */
void ofd_identity_meet(struct ofd *ofd, const struct oc_msg *msg, const struct oc_msg_found *found);

/* --- ofd_clock.c: the only place that asks for time and chance --- */
uint64_t ofd_clock_mono_ns(void);
uint64_t ofd_clock_wall_us(void);
void ofd_clock_deadline(uint32_t after_ms,
			struct timespec *out); /* absolute CLOCK_REALTIME, as the host wants it */
int ofd_clock_seed(struct ofd *ofd);
uint64_t ofd_clock_random(struct ofd *ofd);

/* --- ofd_log.c --- */
struct ofd_log *ofd_log_new(void);
void ofd_log_free(struct ofd_log *log);
/* Registers the hooks whose default handlers would format whole messages: real errors become one
 * rate-limited line each, the rest is silent. 0 or a positive errno. */
int ofd_log_start(struct ofd *ofd);
/* oev_recorder's log callback. */
void ofd_log_recorder(void *ctx, int error, const char *text);

/* --- ofd_sequence.c: numbers of our own reports, rising from life to life --- */
void ofd_sequence_start(struct ofd *ofd);
/* Reserves more when it is time. Tick thread: it may wait for the disk. */
void ofd_sequence_keep(struct ofd *ofd);

/* --- ofd_policy.c: the policy document --- */
/* Reads the document at ofd->conf.policy_path. 0, or EINVAL with a located reason in @error. The caller frees *@text. */
int ofd_policy_read(const struct ofd *ofd, struct oc_policy *policy, char **text,
		    char error[static OEV_CONF_ERROR_MAX]);
int ofd_policy_start(struct ofd *ofd);
void ofd_policy_stop(struct ofd *ofd);
/* Puts the document in force as its file is now; a wrong one changes nothing. 0, EINVAL, ENOMEM. Any thread. */
int ofd_policy_reload(struct ofd *ofd, const struct oweb_actor *by, char error[static OEV_CONF_ERROR_MAX]);
/* Puts @text in force, if version @expected still is; @file is what messages call it. 0, EINVAL, ESTALE, ENOMEM. Any thread. */
int ofd_policy_apply(struct ofd *ofd, const char *text, size_t len, uint32_t expected,
		     const struct oweb_actor *by, char error[static OEV_CONF_ERROR_MAX]);
/* The part of *@out that is about the policy. Any thread. */
void ofd_policy_facts(struct ofd *ofd, struct oweb_facts *out);
/* Version in force. Any thread. */
uint32_t ofd_policy_version(struct ofd *ofd);
/* What is hardly meant in the document in force, in words; "" nothing. */
void ofd_policy_warning(struct ofd *ofd, char out[static OEV_CONF_ERROR_MAX]);
/* SIGHUP asks for a reload from now on; ofd_policy_asked() does it. Tick thread. */
void ofd_policy_on_hangup(void);
void ofd_policy_asked(struct ofd *ofd);

/* Peers looked at for one request; with more usable ones the rest is left to the daemon's own scores. */
#define OFD_CANDIDATES_MAX 64u

/* --- ofd_want.c: neighbours that an administrator took out of selection --- */
int ofd_want_start(struct ofd *ofd);
void ofd_want_stop(struct ofd *ofd);
bool ofd_want_is_out(const struct ofd *ofd, uint32_t peer);
/* Any thread; true when that was new. */
bool ofd_want_set(struct ofd *ofd, uint32_t peer, bool is_out);
/* ofd_want_keep.c: writes down who is out, for the next life; false: it will not know. */
bool ofd_want_keep(struct ofd *ofd);
/* Takes out again who was out when the life before ended. Before the first message. */
void ofd_want_restore(struct ofd *ofd);
/* Takes those out of @candidates (OFD_CANDIDATES_MAX at most) that are wanted out, but for @only, the Destination-Host. With nothing left all stay: a request
 * is never lost to an administrator's wish. Returns how many are left, @entry in the same order. */
uint32_t ofd_want_sift(const struct ofd *ofd, struct oc_candidate *candidates, struct rtd_candidate **entry,
		       uint32_t count, uint32_t only);

/* --- ofd_act.c: what people change, as rows of the trail --- */
void ofd_act(struct ofd *ofd, const char *what, const char *object, const char *before, const char *after,
	     const struct oweb_actor *by);

/* --- ofd_web.c, ofd_web_facts.c: the HTTP server --- */
/* Makes the watch that the recorder will tell; before the evidence. 0 or ENOMEM. */
int ofd_web_prepare(struct ofd *ofd);
/* Starts the server. What it cannot do is logged: the relay relays without it. */
void ofd_web_start(struct ofd *ofd);
void ofd_web_stop(struct ofd *ofd);
void ofd_web_free(struct ofd *ofd);
void ofd_web_facts(void *ctx, struct oweb_facts *out);
uint32_t ofd_web_peers(void *ctx, struct oweb_peer *out, uint32_t max);

/* --- ofd_control.c: the control socket --- */
int ofd_control_start(struct ofd *ofd);
void ofd_control_stop(struct ofd *ofd);

/* --- ofd_gone.c --- */
int ofd_gone_start(struct ofd *ofd);
/* A connection of @peer opened, or is about to be taken down; called in the thread that will do so. */
void ofd_gone_peer(struct ofd *ofd, const struct peer_hdr *peer, bool up);

/* --- ofd_tick.c --- */
int ofd_tick_start(struct ofd *ofd);
void ofd_tick_stop(struct ofd *ofd);

/* --- ofd_drain.c --- */
int ofd_drain_start(struct ofd *ofd);
void ofd_drain_watch(struct ofd *ofd); /* called in the routing-out thread */
/* Called in a peer's own thread when a DPR leaves for it: returns when the routing threads have left their queues, if the
 * daemon is stopping. The peer is closing, nobody else waits. */
void ofd_drain_farewell(void);
void ofd_drain_stop(struct ofd *ofd);
