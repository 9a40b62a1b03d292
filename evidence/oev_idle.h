/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A thread of the lowest priority that does something now and then: neither messages nor those who look wait for it. Signals go to
 * others. Pauses are by the monotonic clock: a wall clock that is set back would stretch them by as much.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct oev_idle {
	pthread_t thread;
	bool is_running;
	_Atomic bool is_over; /* to be looked at in long work */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	void (*run)(void *ctx);
	void *ctx;
};

/* Begins @run(@ctx), which is to end soon once is_over. OC_OK, or OC_ENOMEM: there is no thread; _stop is to be called all the same. */
int oev_idle_start(struct oev_idle *idle, void (*run)(void *ctx), void *ctx);

/* In the thread: waits for @pause_s seconds and @pause_ns, or until it is over: then false. */
bool oev_idle_pause(struct oev_idle *idle, uint32_t pause_s, uint32_t pause_ns);

/* Returns when the thread has ended. One that was never begun (all zero) is over already. */
void oev_idle_stop(struct oev_idle *idle);
