/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hooks whose default handlers would format whole messages: silent for traffic, one rate-limited line for real errors.
 */
#include "ofd.h"

#include <stdlib.h>

#define PERIOD_NS 1000000000ull /* at most one line per kind of error in this time */
#define KINDS (HOOK_LAST + 1)

struct ofd_log {
	pthread_mutex_t mutex; /* guards the two arrays */
	uint64_t last_ns[KINDS];
	uint64_t suppressed[KINDS];
};

struct ofd_log *ofd_log_new(void)
{
	struct ofd_log *log = calloc(1, sizeof(*log));

	if (log && pthread_mutex_init(&log->mutex, NULL) != 0) {
		free(log);
		log = NULL;
	}
	return log;
}

void ofd_log_free(struct ofd_log *log)
{
	if (!log)
		return;
	pthread_mutex_destroy(&log->mutex);
	free(log);
}

/* Whether a line may be written now; *@suppressed gets how many were not since the last one. */
static bool may_speak(struct ofd_log *log, unsigned kind, uint64_t *suppressed)
{
	uint64_t now_ns = ofd_clock_mono_ns();
	bool speak;

	pthread_mutex_lock(&log->mutex);
	speak = log->last_ns[kind] == 0 || now_ns - log->last_ns[kind] >= PERIOD_NS;
	if (speak) {
		*suppressed = log->suppressed[kind];
		log->suppressed[kind] = 0;
		log->last_ns[kind] = now_ns;
	} else {
		log->suppressed[kind]++;
	}
	pthread_mutex_unlock(&log->mutex);
	return speak;
}

static const char *kind_text(enum fd_hook_type type)
{
	switch (type) {
	case HOOK_MESSAGE_PARSING_ERROR:
	case HOOK_MESSAGE_PARSING_ERROR2:
		return "parsing";
	case HOOK_MESSAGE_ROUTING_ERROR:
		return "routing";
	case HOOK_MESSAGE_DROPPED:
		return "dropped";
	default:
		return "failover";
	}
}

static void on_error(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
		     struct fd_hook_permsgdata *ctx, void *regdata)
{
	struct ofd *ofd = regdata;
	struct msg_hdr *hdr = NULL;
	uint64_t suppressed = 0;
	bool has_text = msg && other;

	(void)ctx;
	if (!may_speak(ofd->log, type, &suppressed))
		return;
	if (msg)
		(void)fd_msg_hdr(msg, &hdr);
	LOG_E("doic: error=%s peer=%s app=%u command=%u reason=\"%s\" suppressed=%llu", kind_text(type),
	      peer ? peer->info.pi_diamid : "-", hdr ? hdr->msg_appl : 0, hdr ? hdr->msg_code : 0,
	      has_text ? (const char *)other : "-", (unsigned long long)suppressed);
}

static void on_traffic(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
		       struct fd_hook_permsgdata *ctx, void *regdata)
{
	(void)type;
	(void)msg;
	(void)peer;
	(void)other;
	(void)ctx;
	(void)regdata;
}

int ofd_log_start(struct ofd *ofd)
{
	int rc = fd_hook_register(HOOK_MASK(HOOK_MESSAGE_LOCAL, HOOK_MESSAGE_SENT,
					    HOOK_MESSAGE_ROUTING_FORWARD, HOOK_MESSAGE_ROUTING_LOCAL),
				  on_traffic, ofd, NULL, &ofd->hook_quiet);

	if (rc != 0)
		return rc;
	return fd_hook_register(HOOK_MASK(HOOK_MESSAGE_PARSING_ERROR, HOOK_MESSAGE_PARSING_ERROR2,
					  HOOK_MESSAGE_ROUTING_ERROR, HOOK_MESSAGE_DROPPED,
					  HOOK_MESSAGE_FAILOVER),
				on_error, ofd, NULL, &ofd->hook_errors);
}

void ofd_log_recorder(void *ctx, int error, const char *text)
{
	(void)ctx;
	if (error)
		LOG_E("doic: evidence: %s", text);
	else
		LOG_N("doic: evidence: %s", text);
}
