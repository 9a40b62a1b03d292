/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Begin, pauses and end of a thread that is in no hurry.
 */
#define _DEFAULT_SOURCE /* setpriority */
#include "oev_idle.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "../agent/oc_err.h"

#define NICE 19
#define NS_PER_S 1000000000

static void *run(void *ctx)
{
	struct oev_idle *idle = ctx;

	(void)setpriority(PRIO_PROCESS, 0, NICE); /* of this thread, on Linux */
	idle->run(idle->ctx);
	return NULL;
}

int oev_idle_start(struct oev_idle *idle, void (*work)(void *ctx), void *ctx)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	*idle = (struct oev_idle){ .run = work, .ctx = ctx };
	pthread_mutex_init(&idle->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&idle->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	idle->is_running = pthread_create(&idle->thread, NULL, run, idle) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return idle->is_running ? OC_OK : OC_ENOMEM;
}

bool oev_idle_pause(struct oev_idle *idle, uint32_t pause_s, uint32_t pause_ns)
{
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += pause_ns;
	until.tv_sec += pause_s + until.tv_nsec / NS_PER_S;
	until.tv_nsec %= NS_PER_S;
	pthread_mutex_lock(&idle->lock);
	while (!atomic_load(&idle->is_over) && rc == 0)
		rc = pthread_cond_timedwait(&idle->wake, &idle->lock, &until);
	pthread_mutex_unlock(&idle->lock);
	return !atomic_load(&idle->is_over);
}

void oev_idle_stop(struct oev_idle *idle)
{
	if (idle->run == NULL)
		return;
	pthread_mutex_lock(&idle->lock);
	atomic_store(&idle->is_over, true);
	pthread_cond_broadcast(&idle->wake);
	pthread_mutex_unlock(&idle->lock);
	if (idle->is_running)
		pthread_join(idle->thread, NULL);
	pthread_mutex_destroy(&idle->lock);
	pthread_cond_destroy(&idle->wake);
}
