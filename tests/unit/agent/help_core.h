/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared by the core's tests: a seeded source of chance, names by text, and an agent with its events kept.
 */
#pragma once

#include "agent/oc_agent.h"
#include "help_life.h"

#define SECOND 1000000000ull
#define MS 1000000ull

/* splitmix64: small, seeded, the same everywhere. */
static inline uint64_t help_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

#define HELP_EVENTS_MAX 4096u

struct help_core {
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	uint64_t now_ns;
	uint64_t chance;
	uint32_t event_count;
	struct oc_event events[HELP_EVENTS_MAX]; /* the last ones */
	struct oc_event spare;
	struct help_life *life; /* lived again at the end, and must go as it went; NULL: not kept */
};

#define HELP_APP 16777238u

/* Everybody is trusted with everything; no ramp. */
struct help_core *help_core_new(void);
void help_core_free(struct help_core *core);

/* Its life is not to be kept: some requests in it are left without an end, or without a next hop, as no host would. */
void help_core_unkept(struct help_core *core);
void help_core_apply_policy(struct help_core *core);
uint32_t help_name(struct help_core *core, const char *text);
void help_trust(struct help_core *core, const char *peer, uint32_t flags, const char *realm);

/* A request of app HELP_APP from client.example.net to example.net; @dest_host may be NULL. */
struct oc_msg help_request(struct help_core *core, const char *dest_host);

/* An answer of @host with OC-Supported-Features (loss); reports are added by help_olr(). */
struct oc_msg help_answer(struct help_core *core, const char *host);
struct oc_olr *help_olr(struct oc_msg *answer, uint32_t type, uint64_t sequence, uint32_t pct,
			uint32_t validity_s);

/* Sends a request without OC-Supported-Features to @host and lets @answer come back from @peer. */
struct oc_answer_edit help_exchange(struct help_core *core, const struct oc_msg *answer, const char *peer);

/* Last event of @kind, or one that is all zero; how many there are. */
const struct oc_event *help_last(struct help_core *core, enum oc_event_kind kind);
uint32_t help_count(const struct help_core *core, enum oc_event_kind kind);
