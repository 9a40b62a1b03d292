/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * lab_quiet.fdx: registers hooks that do nothing, the fair baseline for measuring an extension.
 *
 * A hook type without any registration makes the daemon format every message for its log, whether or not the
 * log level shows it: three quarters of a stock relay's work. Any extension that registers hooks wins that back,
 * so what an extension costs is its distance from this one, not from a stock relay.
 */
#include "../ofd_visibility.h"

static void ignore(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
		   struct fd_hook_permsgdata *pmd, void *regdata)
{
	(void)type;
	(void)msg;
	(void)peer;
	(void)other;
	(void)pmd;
	(void)regdata;
}

static const enum fd_hook_type silenced[] = {
	HOOK_DATA_RECEIVED,	    HOOK_MESSAGE_RECEIVED,
	HOOK_MESSAGE_LOCAL,	    HOOK_MESSAGE_SENDING,
	HOOK_MESSAGE_SENT,	    HOOK_MESSAGE_FAILOVER,
	HOOK_MESSAGE_ROUTING_ERROR, HOOK_MESSAGE_ROUTING_FORWARD,
	HOOK_MESSAGE_ROUTING_LOCAL, HOOK_MESSAGE_DROPPED,
};

static int quiet_init(char *conffile)
{
	uint32_t mask = 0;
	struct fd_hook_hdl *handle = NULL; /* kept by the daemon until it ends */

	(void)conffile;
	for (size_t i = 0; i < sizeof(silenced) / sizeof(silenced[0]); i++)
		mask |= (uint32_t)HOOK_MASK(silenced[i]);
	return fd_hook_register(mask, ignore, NULL, NULL, &handle);
}

/* The daemon destroys its hook table itself, after the last message. */
void fd_ext_fini(void)
{
}

EXTENSION_ENTRY("lab_quiet", quiet_init);
