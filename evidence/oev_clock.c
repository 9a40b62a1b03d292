/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Clock reading by clock_gettime().
 */
#include "oev_clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t oev_clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t oev_clock_wall_us(void)
{
	return read_ns(CLOCK_REALTIME) / 1000u;
}

uint64_t oev_clock_thread_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

void oev_clock_sleep_us(uint32_t us)
{
	struct timespec pause = { .tv_sec = 0, .tv_nsec = (long)us * 1000 };

	nanosleep(&pause, NULL);
}
