/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting attempts by address.
 */
#include "oweb_throttle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oweb_link.h"

#define ADDRESSES 128u
#define MINUTE_NS (OWEB_ATTEMPTS_MINUTE_S * 1000000000ull)

struct attempts {
	char address[OWEB_ADDRESS_TEXT_MAX];
	uint64_t began_ns; /* of the minute; 0: free */
	uint32_t count;
	bool was_told;
};

struct oweb_throttle {
	pthread_mutex_t lock;
	struct attempts all;
	struct attempts of[ADDRESSES];
};

struct oweb_throttle *oweb_throttle_new(void)
{
	struct oweb_throttle *throttle = calloc(1, sizeof(*throttle));

	if (throttle != NULL)
		pthread_mutex_init(&throttle->lock, NULL);
	return throttle;
}

void oweb_throttle_free(struct oweb_throttle *throttle)
{
	if (throttle == NULL)
		return;
	pthread_mutex_destroy(&throttle->lock);
	free(throttle);
}

/* The place of @address; else the one whose minute began first. */
static struct attempts *find(struct oweb_throttle *throttle, const char *address)
{
	struct attempts *oldest = &throttle->of[0];

	for (uint32_t i = 0; i < ADDRESSES; i++) {
		struct attempts *at = &throttle->of[i];
		if (at->began_ns != 0 && strcmp(at->address, address) == 0)
			return at;
		if (at->began_ns < oldest->began_ns)
			oldest = at;
	}
	*oldest = (struct attempts){ 0 };
	snprintf(oldest->address, sizeof(oldest->address), "%s", address);
	return oldest;
}

static bool is_over(struct attempts *at, uint32_t most, uint64_t now_ns)
{
	if (at->began_ns == 0 || now_ns >= at->began_ns + MINUTE_NS) {
		at->began_ns = now_ns;
		at->count = 0;
		at->was_told = false;
	}
	return at->count >= most;
}

bool oweb_throttle_enter(struct oweb_throttle *throttle, const char *address, uint64_t now_ns, bool *is_first)
{
	pthread_mutex_lock(&throttle->lock);
	struct attempts *at = find(throttle, address);
	bool is_many = is_over(at, OWEB_ATTEMPTS_PER_ADDRESS, now_ns);
	is_many = is_over(&throttle->all, OWEB_ATTEMPTS_OF_ALL, now_ns) || is_many;
	*is_first = is_many && !at->was_told;
	if (is_many)
		at->was_told = true;
	else {
		at->count++;
		throttle->all.count++;
	}
	pthread_mutex_unlock(&throttle->lock);
	return !is_many;
}

void oweb_throttle_forgive(struct oweb_throttle *throttle, const char *address)
{
	pthread_mutex_lock(&throttle->lock);
	struct attempts *at = find(throttle, address);
	at->count -= at->count > 0;
	throttle->all.count -= throttle->all.count > 0;
	pthread_mutex_unlock(&throttle->lock);
}
