/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's own pulse: ten times a second, so that ends of reports are events when they happen.
 */
#include "ofd.h"

#include <time.h>

#define PERIOD_MS 100u

static void add_ms(struct timespec *ts, uint32_t ms)
{
	ts->tv_nsec += (long)ms * 1000000L;
	if (ts->tv_nsec >= 1000000000L) {
		ts->tv_nsec -= 1000000000L;
		ts->tv_sec++;
	}
}

static void *tick(void *arg)
{
	struct ofd *ofd = arg;
	struct timespec until;

	fd_log_threadname("doic tick");
	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	pthread_mutex_lock(&ofd->tick_mutex);
	while (!ofd->stopping) {
		add_ms(&until, PERIOD_MS);
		(void)pthread_cond_timedwait(&ofd->tick_cond, &ofd->tick_mutex, &until);
		pthread_mutex_unlock(&ofd->tick_mutex);
		oc_agent_tick(ofd->agent, ofd_clock_mono_ns());
		ofd_sequence_keep(ofd);
		ofd_policy_asked(ofd);
		pthread_mutex_lock(&ofd->tick_mutex);
	}
	pthread_mutex_unlock(&ofd->tick_mutex);
	return NULL;
}

int ofd_tick_start(struct ofd *ofd)
{
	pthread_condattr_t attr;
	int rc = pthread_condattr_init(&attr);

	ofd_policy_on_hangup();

	if (rc == 0)
		rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (rc == 0)
		rc = pthread_cond_init(&ofd->tick_cond, &attr);
	if (rc == 0)
		rc = pthread_mutex_init(&ofd->tick_mutex, NULL);
	if (rc == 0)
		rc = pthread_create(&ofd->tick_thread, NULL, tick, ofd);
	ofd->tick_started = rc == 0;
	return rc;
}

void ofd_tick_stop(struct ofd *ofd)
{
	if (!ofd->tick_started)
		return;
	pthread_mutex_lock(&ofd->tick_mutex);
	ofd->stopping = true;
	pthread_cond_signal(&ofd->tick_cond);
	pthread_mutex_unlock(&ofd->tick_mutex);
	pthread_join(ofd->tick_thread, NULL);
	ofd->tick_started = false;
}
