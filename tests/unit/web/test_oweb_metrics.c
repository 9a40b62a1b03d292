/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the metrics and the probes.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "help_web.h"
#include "web/oweb_metrics.h"

void test_oweb_metrics_suite(void);

#define OPEN "Accept: application/openmetrics-text; version=1.0.0, text/plain;q=0.5\r\n"

static unsigned count_lines(const char *text, const char *beginning)
{
	unsigned count = 0;
	size_t len = strlen(beginning);

	for (const char *at = text; at != NULL && *at != '\0';
	     at = strchr(at, '\n'), at = at == NULL ? NULL : at + 1)
		count += strncmp(at, beginning, len) == 0;
	return count;
}

static void both_formats_are_spoken(void)
{
	struct help_reply plain = help_web_ask("GET", "/metrics", NULL, NULL);
	struct help_reply open = help_web_ask("GET", "/metrics", OPEN, NULL);

	CU_ASSERT(help_reply_has(&plain, "Content-Type", "text/plain; version=0.0.4; charset=utf-8"));
	CU_ASSERT_PTR_NOT_NULL(strstr(plain.body, "# TYPE doic_requests_total counter\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(plain.body, "doic_requests_total{outcome=\"refused\"} 300\n"));
	CU_ASSERT_PTR_NULL(strstr(plain.body, "# EOF"));
	CU_ASSERT(help_reply_has(&open, "Content-Type",
				 "application/openmetrics-text; version=1.0.0; charset=utf-8"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open.body, "# TYPE doic_requests counter\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open.body, "doic_requests_total{outcome=\"refused\"} 300\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open.body, "# UNIT doic_recorder_lag_seconds seconds\n"));
	CU_ASSERT_FATAL(open.body_len > 6);
	CU_ASSERT_STRING_EQUAL(open.body + open.body_len - 6, "# EOF\n");
	help_reply_drop(&plain);
	help_reply_drop(&open);
}

static void a_name_with_a_unit_ends_with_it(void)
{
	for (const struct oweb_metric *metric = oweb_metrics; metric->name != NULL; metric++) {
		size_t len = strlen(metric->name), unit = strlen(metric->unit);
		CU_ASSERT_EQUAL(strncmp(metric->name, "doic_", 5), 0);
		CU_ASSERT(metric->help[0] != '\0' && strchr(metric->help, '\n') == NULL);
		CU_ASSERT(unit == 0 || (len > unit && strcmp(metric->name + len - unit, metric->unit) == 0));
		CU_ASSERT_PTR_NULL(strstr(metric->name, "_total"));
	}
}

static void what_is_not_known_is_absent(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->facts.checkpoint_us = 0;
	help_web.agent->states = 0;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_PTR_NULL(strstr(reply.body, "doic_checkpoint_timestamp_seconds"));
	CU_ASSERT_PTR_NULL(strstr(reply.body, "doic_ocs_reduction_ratio"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "doic_ocs_active{type=\"host\"} 0\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(reply.body, "doic_load_value{peer=\"pcrf-1.example\",type=\"host\"} 48112\n"));
	CU_ASSERT_PTR_NULL(strstr(reply.body, "doic_load_value{peer=\"pcrf-2.example\""));
	help_reply_drop(&reply);
}

static void states_are_apart_from_what_is_wanted(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->peer[0].is_out = true;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(reply.body, "doic_node_wanted_state{peer=\"pcrf-1.example\",state=\"out\"} 1\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(reply.body, "doic_node_state{peer=\"pcrf-1.example\",state=\"up\"} 1\n"));
	help_reply_drop(&reply);
}

/* Strangers, and configured peers beyond the bound, have no series of their own. */
static void series_do_not_grow_with_strangers(void)
{
	char name[64];

	pthread_mutex_lock(&help_web.agent->lock);
	for (unsigned i = 0; i < HELP_PEERS_MAX; i++) {
		snprintf(name, sizeof(name), "p%u.example", i);
		help_web.agent->peer[i] = (struct oweb_peer){ .name = help_web_name(name),
							      .is_configured = i < 600,
							      .outstanding = 1 };
	}
	help_web.agent->peers = HELP_PEERS_MAX;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_EQUAL(count_lines(reply.body, "doic_node_outstanding_requests{"),
			OWEB_METRIC_PEERS_MAX + 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "doic_node_outstanding_requests{peer=\"other\"} 188\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "doic_series_dropped_total 188\n"));
	help_reply_drop(&reply);
}

static void the_page_about_metrics_is_up_to_date(void)
{
	struct oweb_text made = { 0 };
	char *stored = calloc(1, 100000);
	FILE *file = fopen(DOIC_SOURCE_DIR "/docs/metrics.md", "r");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT(fread(stored, 1, 99999, file) > 0);
	fclose(file);
	oweb_metrics_page(&made);
	if (strcmp(stored, made.data) != 0)
		fprintf(stderr, "make it anew: %s >docs/metrics.md\n", DOIC_METRICS_DOC);
	CU_ASSERT_STRING_EQUAL(stored, made.data);
	free(stored);
	oweb_text_free(&made);
}

static void promtool_finds_nothing_wrong(void)
{
	char command[256];

	CU_ASSERT_EQUAL_FATAL(system("command -v promtool >/dev/null"), 0); /* of package prometheus */
	snprintf(command, sizeof(command), "%s/metrics", help_web.folder);
	struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
	FILE *file = fopen(command, "w");
	CU_ASSERT_EQUAL(fwrite(reply.body, 1, reply.body_len, file), reply.body_len);
	fclose(file);
	help_reply_drop(&reply);
	snprintf(command, sizeof(command), "promtool check metrics <%s/metrics", help_web.folder);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void ready_says_which_check_failed(void)
{
	struct help_reply reply = help_web_ask("GET", "/readyz?verbose", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "ok     evidence is recorded\n"));
	help_reply_drop(&reply);
	pthread_mutex_lock(&help_web.agent->lock);
	snprintf(help_web.agent->facts.recording_error, sizeof(help_web.agent->facts.recording_error),
		 "disk full");
	pthread_mutex_unlock(&help_web.agent->lock);
	reply = help_web_ask("GET", "/readyz", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 503);
	CU_ASSERT_STRING_EQUAL(reply.body, "FAILED evidence is recorded\nnot ready\n");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
}

/* Unknown, nothing and stopped are three things. */
static void what_is_not_recorded_is_not_called_whole(void)
{
	struct oev_watch *watch = help_web.agent->watch;

	help_web.agent->watch = NULL;
	help_web.agent->node.watch = NULL;
	help_web_restart();
	struct help_reply reply = help_web_ask("GET", "/readyz?verbose", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(reply.body, "ok     nothing is recorded: evidence.enabled is false\nready\n");
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(json_object_get(reply.json, "node"));
	CU_ASSERT_PTR_NULL(json_object_get(reply.json, "recording"));
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\ndoic_recording 0\n"));
	CU_ASSERT_PTR_NULL(strstr(reply.body, "\ndoic_gap_events"));
	help_reply_drop(&reply);
	help_web_stop();
	help_web.agent->watch = watch;
}

void test_oweb_metrics_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_metrics", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "both formats are spoken", both_formats_are_spoken);
	CU_add_test(suite, "a name with a unit ends with it", a_name_with_a_unit_ends_with_it);
	CU_add_test(suite, "what is not known is absent", what_is_not_known_is_absent);
	CU_add_test(suite, "states are apart from what is wanted", states_are_apart_from_what_is_wanted);
	CU_add_test(suite, "series do not grow with strangers", series_do_not_grow_with_strangers);
	CU_add_test(suite, "the page about metrics is up to date", the_page_about_metrics_is_up_to_date);
	CU_add_test(suite, "promtool finds nothing wrong", promtool_finds_nothing_wrong);
	CU_add_test(suite, "ready says which check failed", ready_says_which_check_failed);
	CU_add_test(suite, "what is not recorded is not called whole",
		    what_is_not_recorded_is_not_called_whole);
}
