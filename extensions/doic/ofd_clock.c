/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Time and chance for the core: the only file that asks the system for either.
 */
#include "ofd.h"

#include <sys/random.h>
#include <time.h>

uint64_t ofd_clock_mono_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t ofd_clock_wall_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

void ofd_clock_deadline(uint32_t after_ms, struct timespec *out)
{
	(void)clock_gettime(CLOCK_REALTIME, out);
	out->tv_sec += after_ms / 1000u;
	out->tv_nsec += (long)(after_ms % 1000u) * 1000000L;
	if (out->tv_nsec >= 1000000000L) {
		out->tv_nsec -= 1000000000L;
		out->tv_sec++;
	}
}

int ofd_clock_seed(struct ofd *ofd)
{
	uint64_t seed[2];

	if (getrandom(seed, sizeof(seed), 0) != (ssize_t)sizeof(seed) ||
	    getrandom(&ofd->pseudonym_key, sizeof(ofd->pseudonym_key), 0) !=
		    (ssize_t)sizeof(ofd->pseudonym_key))
		return EIO;
	ofd->names_seed = seed[0];
	atomic_store_explicit(&ofd->chance, seed[1], memory_order_relaxed);
	return 0;
}

/* SplitMix64 over an atomic counter: one add and a few multiplications, from any thread. */
uint64_t ofd_clock_random(struct ofd *ofd)
{
	uint64_t z = atomic_fetch_add_explicit(&ofd->chance, 0x9e3779b97f4a7c15ull, memory_order_relaxed);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}
