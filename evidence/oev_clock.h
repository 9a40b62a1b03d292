/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The system's clocks as plain functions, so that everything else takes time as a number.
 */
#pragma once

#include <stdint.h>

/* Two clocks read together: how wall time follows monotonic time at one moment. */
struct oev_moment {
	uint64_t mono_ns;
	uint64_t wall_us;
};

/* Monotonic nanoseconds since an arbitrary start (CLOCK_MONOTONIC). Any thread. */
uint64_t oev_clock_mono_ns(void);

/* UTC microseconds since 1970. Any thread. */
uint64_t oev_clock_wall_us(void);

/* Processor time the calling thread has used. */
uint64_t oev_clock_thread_ns(void);

/* Sleeps about @us microseconds, below one second; a signal may end it early. */
void oev_clock_sleep_us(uint32_t us);
