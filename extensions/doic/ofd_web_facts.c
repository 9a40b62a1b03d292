/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the HTTP server is told of the process and its neighbours.
 */
#include "ofd.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "../../evidence/proof/oev_public.h"

#define US_PER_S 1000000u

/* All before the last whole second that the watch was told is recorded. */
static uint64_t lag_us(struct ofd *ofd, uint32_t waiting)
{
	uint64_t told = ofd->watch ? oev_watch_latest(ofd->watch) : 0, now = ofd_clock_wall_us();

	return waiting && told && (told + 1) * US_PER_S < now ? now - (told + 1) * US_PER_S : 0;
}

static void recording(struct ofd *ofd, struct oweb_facts *out)
{
	struct oev_recorder_stats stats = { 0 };
	struct statvfs disk;
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	oev_recorder_stats(ofd->recorder, &stats);
	out->rows = stats.rows;
	out->batches = stats.batches;
	out->gap_events = stats.gap_events;
	out->failures = stats.failures;
	out->checkpoint_us = stats.checkpoint_us;
	out->checkpoint_rows = stats.checkpoint_rows;
	out->journal_records = ofd->conf.journal_records;
	out->journal_waiting = oev_journal_fill(ofd->journal);
	out->lag_us = lag_us(ofd, out->journal_waiting);
	if (ofd->watch)
		(void)oev_watch_trouble(ofd->watch, out->recording_error, sizeof(out->recording_error));
	if (statvfs(ofd->conf.evidence_folder, &disk) == 0) {
		out->disk_free = (uint64_t)disk.f_bavail * disk.f_frsize;
		out->disk_size = (uint64_t)disk.f_blocks * disk.f_frsize;
	}
	oev_public_fingerprint(oev_key_public(ofd->key), fingerprint);
	snprintf(out->key, sizeof(out->key), "%s", fingerprint);
}

void ofd_web_facts(void *ctx, struct oweb_facts *out)
{
	struct ofd *ofd = ctx;

	*out = (struct oweb_facts){ .identity = fd_g_config->cnf_diamid,
				    .realm = fd_g_config->cnf_diamrlm,
				    .label = ofd->conf.http_label,
				    .evidence_folder =
					    ofd->conf.evidence_enabled ? ofd->conf.evidence_folder : "",
				    .started_us = ofd->started_us,
				    .blocks_when_full = ofd->conf.when_full == OEV_FULL_BLOCK };
	ofd_policy_facts(ofd, out);
	if (ofd->recorder)
		recording(ofd, out);
}

static void take_peer(struct ofd *ofd, struct peer_hdr *peer, struct oweb_peer *out)
{
	int state = fd_peer_get_state(peer);

	*out = (struct oweb_peer){ .name = ofd_context_name(ofd, peer->info.pi_diamid,
							    peer->info.pi_diamidlen),
				   .is_up = state == STATE_OPEN,
				   .is_configured = peer->info.config.pic_flags.exp == PI_EXP_NONE };
	out->is_out = ofd_want_is_out(ofd, out->name);
	out->outstanding = oc_agent_outstanding(ofd->agent, out->name);
	snprintf(out->state, sizeof(out->state), "%s", STATE_STR(state));
}

uint32_t ofd_web_peers(void *ctx, struct oweb_peer *out, uint32_t max)
{
	struct ofd *ofd = ctx;
	uint32_t count = 0;

	if (pthread_rwlock_rdlock(&fd_g_peers_rw) != 0)
		return 0;
	for (struct fd_list *li = fd_g_peers.next; li != &fd_g_peers; li = li->next) {
		if (count < max)
			take_peer(ofd, (struct peer_hdr *)li->o, &out[count]);
		count++;
	}
	(void)pthread_rwlock_unlock(&fd_g_peers_rw);
	return count;
}
