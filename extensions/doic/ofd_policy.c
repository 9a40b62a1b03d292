/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The policy document: read at the start, and put in force again when somebody asks.
 *
 * Several threads may ask: the control socket, the HTTP server, the tick thread after SIGHUP. One lock makes reading, checking and
 * putting in force one step; it is never taken on the way of a message.
 */
#include "ofd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../../evidence/conf/oev_conf_errors.h"
#include "../../evidence/proof/oev_file.h"
#include "../../evidence/proof/oev_fresh.h"

/* A signal handler can reach nothing else; the process has one policy. */
static volatile sig_atomic_t hung_up;

static void on_hangup(int number)
{
	(void)number;
	hung_up = 1;
}

void ofd_policy_on_hangup(void)
{
	struct sigaction action = { .sa_handler = on_hangup, .sa_flags = SA_RESTART }, before;

	sigemptyset(&action.sa_mask);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		(void)sigaction(SIGHUP, &action, NULL);
}

void ofd_policy_asked(struct ofd *ofd)
{
	static const struct oweb_actor by = { .who = "system", .reason = "SIGHUP" };
	char error[OEV_CONF_ERROR_MAX] = "out of memory";

	if (!hung_up)
		return;
	hung_up = 0;
	(void)ofd_policy_reload(ofd, &by, error);
}

/* What a life that was killed left of the document's file. */
static void sweep(const struct ofd *ofd)
{
	char *path = ofd->conf.http_write_policy ? realpath(ofd->conf.policy_path, NULL) : NULL;

	if (path)
		oev_fresh_sweep(path);
	free(path);
}

int ofd_policy_read(const struct ofd *ofd, struct oc_policy *policy, char **text,
		    char error[static OEV_CONF_ERROR_MAX])
{
	size_t len = 0;
	sweep(ofd);
	int rc = oev_conf_read_file(ofd->conf.policy_path, text, &len, error);

	if (rc == OC_OK)
		rc = oev_conf_policy_parse(*text, len, ofd->conf.policy_path, policy, error);
	return rc == OC_OK ? 0 : EINVAL;
}

/* What is hardly meant in the document in force; "" nothing. Under the lock, or at the start. */
static void find_warning(const struct ofd *ofd, char out[static OEV_CONF_ERROR_MAX])
{
	struct oev_conf_errors *errors =
		oev_conf_policy_mistakes(ofd->policy_text, strlen(ofd->policy_text), "policy.yaml");

	out[0] = '\0';
	if (errors && errors->warned > 0)
		oev_conf_mistake_text(&errors->warning[0], "policy.yaml", out, OEV_CONF_ERROR_MAX);
	free(errors);
}

static void log_warning(const struct ofd *ofd)
{
	char warning[OEV_CONF_ERROR_MAX];

	find_warning(ofd, warning);
	if (warning[0])
		LOG_E("doic: policy version=%u: %s", ofd->policy.version, warning);
}

void ofd_policy_warning(struct ofd *ofd, char out[static OEV_CONF_ERROR_MAX])
{
	pthread_mutex_lock(&ofd->policy_lock);
	find_warning(ofd, out);
	pthread_mutex_unlock(&ofd->policy_lock);
}

int ofd_policy_start(struct ofd *ofd)
{
	int rc = pthread_mutex_init(&ofd->policy_lock, NULL);

	ofd->policy_lock_made = rc == 0;
	ofd->policy_since_us = ofd_clock_wall_us();
	ofd->policy_reads.success_us = ofd->policy_since_us;
	log_warning(ofd);
	return rc;
}

void ofd_policy_stop(struct ofd *ofd)
{
	if (ofd->policy_lock_made)
		pthread_mutex_destroy(&ofd->policy_lock);
	ofd->policy_lock_made = false;
}

/* Whether a reload would bring back another document. Looked at only while somebody's document is in force that was not written, and read only
 * when the file changed since. Under the lock. */
static bool is_file_other(struct ofd *ofd)
{
	struct ofd_policy_file *seen = &ofd->policy_file;
	char error[OEV_CONF_ERROR_MAX], *text = NULL;
	struct stat info = { 0 };
	size_t len = 0;

	if (!ofd->policy_by[0])
		return false;
	(void)stat(ofd->conf.policy_path, &info);
	if (seen->version == ofd->policy.version && seen->inode == info.st_ino &&
	    seen->size == info.st_size && seen->changed.tv_sec == info.st_mtim.tv_sec &&
	    seen->changed.tv_nsec == info.st_mtim.tv_nsec)
		return seen->is_other;
	bool is_read = oev_conf_read_file(ofd->conf.policy_path, &text, &len, error) == OC_OK;
	*seen = (struct ofd_policy_file){ .version = ofd->policy.version,
					  .inode = info.st_ino,
					  .size = info.st_size,
					  .changed = info.st_mtim,
					  .is_other = !is_read || strcmp(text, ofd->policy_text) != 0 };
	free(text);
	return seen->is_other;
}

void ofd_policy_facts(struct ofd *ofd, struct oweb_facts *out)
{
	pthread_mutex_lock(&ofd->policy_lock);
	out->policy_version = ofd->policy.version;
	out->is_observing = ofd->policy.mode == OC_MODE_OBSERVE;
	out->policy_file_is_older = is_file_other(ofd);
	out->policy_reload_failed = ofd->policy_reads.has_failed;
	out->policy_reload_us = ofd->policy_reads.success_us;
	out->policy_refused_file = ofd->policy_reads.refused;
	out->policy_refused_http = ofd->policy_refused;
	pthread_mutex_unlock(&ofd->policy_lock);
}

uint32_t ofd_policy_version(struct ofd *ofd)
{
	pthread_mutex_lock(&ofd->policy_lock);
	uint32_t version = ofd->policy.version;
	pthread_mutex_unlock(&ofd->policy_lock);
	return version;
}

static void tell_act(struct ofd *ofd, uint32_t version, const struct oweb_actor *by)
{
	char before[OC_ACT_STATE_MAX], after[OC_ACT_STATE_MAX];

	snprintf(before, sizeof(before), "version %u", version - 1);
	snprintf(after, sizeof(after), "version %u", version);
	ofd_act(ofd, "policy", "", before, after, by);
}

/* Puts *@next in force. Under the lock; takes @text over. */
static void put(struct ofd *ofd, struct oc_policy *next, char *text, const struct oweb_actor *by)
{
	next->version = ofd->policy.version + 1;
	uint64_t at_ns = oc_agent_set_policy(ofd->agent, next, ofd_clock_mono_ns());
	if (ofd->recorder && oev_recorder_policy(ofd->recorder, text, next->version, at_ns) != OC_OK)
		LOG_E("doic: policy version=%u has no row in the evidence: out of memory", next->version);
	free(ofd->policy_text);
	ofd->policy = *next;
	ofd->policy_text = text;
	ofd->policy_since_us = ofd_clock_wall_us();
	LOG_N("doic: policy version=%u in force, rules=%u", next->version, next->rule_count);
	log_warning(ofd);
	tell_act(ofd, next->version, by);
}

/* The document in force goes to the policy's file, in place of the one there and with its mode, if that is allowed. When it does not, the
 * file is older than what is in force. Under the lock. */
static void keep(struct ofd *ofd, const struct oweb_actor *by)
{
	char *path = ofd->conf.http_write_policy ? realpath(ofd->conf.policy_path, NULL) : NULL;
	struct stat info;
	bool is_written = path && stat(path, &info) == 0 &&
			  oev_file_put(path, ofd->policy_text, strlen(ofd->policy_text), info.st_mode & 0777,
				       OEV_FILE_OVER) == OC_OK;

	if (is_written)
		LOG_N("doic: policy version=%u written to %s", ofd->policy.version, path);
	else if (ofd->conf.http_write_policy)
		LOG_E("doic: policy version=%u is in force, but cannot be written to %s: %s",
		      ofd->policy.version, ofd->conf.policy_path, strerror(errno));
	snprintf(ofd->policy_by, sizeof(ofd->policy_by), "%s", is_written ? "" : by->who);
	free(path);
}

int ofd_policy_apply(struct ofd *ofd, const char *text, size_t len, uint32_t expected,
		     const struct oweb_actor *by, char error[static OEV_CONF_ERROR_MAX])
{
	struct oc_policy *next = calloc(1, sizeof(*next));
	char *copy = strndup(text, len);
	int rc = next && copy ? 0 : ENOMEM;

	if (rc == 0 && oev_conf_policy_parse(text, len, "policy.yaml", next, error) != OC_OK)
		rc = EINVAL;
	pthread_mutex_lock(&ofd->policy_lock);
	ofd->policy_refused += rc == EINVAL;
	if (rc == 0 && ofd->policy.version != expected) {
		snprintf(error, OEV_CONF_ERROR_MAX,
			 "version %u is in force, not %u: somebody else changed the policy meanwhile",
			 ofd->policy.version, expected);
		rc = ESTALE;
	}
	if (rc == 0) {
		put(ofd, next, copy, by);
		keep(ofd, by);
		copy = NULL;
	}
	pthread_mutex_unlock(&ofd->policy_lock);
	free(copy);
	free(next);
	return rc;
}

/* What the file's document @text takes the place of, when somebody had put that in force without the file. Under the lock. */
static void tell_replaced(struct ofd *ofd, const char *text)
{
	if (ofd->policy_by[0] && strcmp(text, ofd->policy_text) != 0)
		LOG_N("doic: policy version=%u, which %s had applied and the file had not, is replaced by "
		      "the file's",
		      ofd->policy.version, ofd->policy_by);
	ofd->policy_by[0] = '\0';
}

/* Under the lock. */
static void count_read(struct ofd *ofd, bool has_failed)
{
	ofd->policy_reads.has_failed = has_failed;
	ofd->policy_reads.refused += has_failed;
	if (!has_failed)
		ofd->policy_reads.success_us = ofd_clock_wall_us();
}

int ofd_policy_reload(struct ofd *ofd, const struct oweb_actor *by, char error[static OEV_CONF_ERROR_MAX])
{
	struct oc_policy *next = calloc(1, sizeof(*next));
	char *text = NULL;
	int rc = next ? 0 : ENOMEM;

	pthread_mutex_lock(&ofd->policy_lock);
	if (rc == 0)
		rc = ofd_policy_read(ofd, next, &text, error);
	count_read(ofd, rc != 0);
	if (rc == 0) {
		tell_replaced(ofd, text);
		put(ofd, next, text, by);
		text = NULL;
	}
	pthread_mutex_unlock(&ofd->policy_lock);
	if (rc != 0)
		LOG_E("doic: policy not reloaded: %s", error);
	free(text);
	free(next);
	return rc;
}
