/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of doic ctl as a script sees it: exit codes, standard output, standard error.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/ctl/oev_ctl_server.h"

#define SECOND_NS 1000000000ull

void test_cli_ctl_suite(void);

static char folder[64];
static char path[96];
static char out[8192];
static struct oev_ctl_server *server;
static struct oev_ctl_command latest; /* as the server's thread got it */
static struct oev_ctl_command last;   /* the same, for the tests */
static pthread_mutex_t latest_lock = PTHREAD_MUTEX_INITIALIZER;
static struct oc_names *names;

static char *reports(void)
{
	const struct oc_report_view view = {
		.order = { .key = { .app_id = OC_APP_GX, .subject = 2, .type = OC_REPORT_HOST },
			   .has_reduction = true,
			   .reduction_pct = 20 },
		.sequence = 1234567,
		.told_until_ns = 20 * SECOND_NS,
		.sent = 42,
		.reduction_pct = 20
	};

	return oev_ctl_reply_reports(&view, 1, names, 10 * SECOND_NS);
}

static char *answer(void *ctx, const struct oev_ctl_command *command)
{
	static const struct oc_stats stats = { .value = { [OC_STAT_REFUSED] = 77 } };
	static const struct oev_ctl_own_load own = { .value = 40000 };

	(void)ctx;
	pthread_mutex_lock(&latest_lock);
	latest = *command;
	pthread_mutex_unlock(&latest_lock);
	switch (command->kind) {
	case OEV_CTL_REPORT_LIST:
		return reports();
	case OEV_CTL_STATES:
		return oev_ctl_reply_states(NULL, 0, names, 0);
	case OEV_CTL_LOAD_LIST:
		return oev_ctl_reply_loads(&own, NULL, 0, names);
	case OEV_CTL_STATS:
		return oev_ctl_reply_stats(&stats);
	case OEV_CTL_REPORT_END:
		return oev_ctl_reply_error(OEV_CTL_NOT_FOUND, "no such order");
	case OEV_CTL_PING:
		return oev_ctl_reply_pong("0.1", "dra1.example.net", 3);
	case OEV_CTL_POLICY_RELOAD:
		return strdup("neither JSON nor sense");
	default:
		return oev_ctl_reply_ok();
	}
}

static void set_up(void)
{
	char error[256];

	snprintf(folder, sizeof(folder), "/tmp/doic-ctl-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sock", folder);
	names = oc_names_new(64, 1);
	oc_names_id(names, (struct oc_bytes){ (const uint8_t *)"s3.example.net", 14 }, NULL);
	CU_ASSERT_EQUAL_FATAL(oev_ctl_server_start(&server, path, answer, NULL, error, sizeof(error)), OC_OK);
}

static void tear_down(void)
{
	oev_ctl_server_stop(server);
	oc_names_free(names);
	rmdir(folder);
}

/* Exit code of "doic ctl --socket PATH @args"; standard output in @out, and standard error where @more sends it. */
static int run(const char *args, const char *more)
{
	char command[1024];

	snprintf(command, sizeof(command), "timeout 20 %s ctl --socket %s %s %s", DOIC_COMMAND, path, args,
		 more);
	FILE *pipe = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
	out[fread(out, 1, sizeof(out) - 1, pipe)] = '\0';
	int status = pclose(pipe);
	pthread_mutex_lock(&latest_lock);
	last = latest;
	pthread_mutex_unlock(&latest_lock);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(const char *args, int code, const char *says)
{
	int got = run(args, "2>&1");

	CU_ASSERT_EQUAL(got, code);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, says));
	if (got != code || strstr(out, says) == NULL)
		fprintf(stderr, "  doic ctl %s: wanted %d \"%s\", got %d %s\n", args, code, says, got, out);
}

static void test_commands_arrive_as_meant(void)
{
	expect("report set host S3.example.net --app gx --reduction 20 --rate 500 --validity 60 --for 10m "
	       "--reason CHG-2",
	       0, "done");
	CU_ASSERT_STRING_EQUAL(last.reason, "CHG-2");
	CU_ASSERT(last.kind == OEV_CTL_REPORT_SET && last.type == OC_REPORT_HOST && last.app_id == OC_APP_GX);
	CU_ASSERT_STRING_EQUAL(last.subject, "s3.example.net");
	CU_ASSERT(last.reduction_pct == 20 && last.rate_rps == 500 && last.validity_s == 60 &&
		  last.for_s == 600);
	expect("load set 1000", 0, "done");
	CU_ASSERT(last.kind == OEV_CTL_LOAD_SET && last.load_value == 1000);
	expect("load set auto", 0, "done");
	CU_ASSERT(last.load_is_measured);
	expect("ping", 0, "dra1.example.net answers, policy version 3");
}

static void test_lists_are_tables(void)
{
	expect("report list", 0, "s3.example.net  Gx");
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "in_force"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "10.0 s"));
	expect("states", 0, "no overload report is held");
	expect("load list", 0, "own load 40000 (65535 = idle, 0 = full)");
	expect("stats", 0, "refused");
}

static void test_json_is_one_object_on_every_outcome(void)
{
	static const struct {
		const char *args;
		int code;
	} cases[] = { { "--json report list", 0 },
		      { "--json report end peer --reason CHG-1", 6 },
		      { "--json reload --reason CHG-1", 5 },
		      { "--json nonsense", 2 },
		      { "--json --socket /nowhere/sock ping", 5 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_EQUAL(run(cases[i].args, "2>/dev/null"), cases[i].code);
		json_t *root = json_loads(out, 0, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(root);
		CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "exit")), cases[i].code);
		CU_ASSERT_EQUAL(json_is_true(json_object_get(root, "ok")), cases[i].code == 0);
		CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "schema")), "doic.ctl/1");
		json_decref(root);
	}
}

static void test_exit_codes_say_whose_no_it_is(void)
{
	expect("report end peer --reason CHG-1", 6, "doic ctl: no such order");
	CU_ASSERT_STRING_EQUAL(last.reason, "CHG-1");
	expect("reload", 2, "give a --reason");
	expect("reload --reason CHG-1", 5, "the reply makes no sense");
	CU_ASSERT_STRING_EQUAL(last.reason, "CHG-1");
	expect("--socket /nowhere/sock ping", 5, "/nowhere/sock: nobody answers: No such file or directory");
	expect("", 2, "say what to do");
	expect("report", 2, "say what to do after report");
	expect("report sett", 2, "no command \"sett\"; did you mean \"set\"?");
	expect("stat", 2, "no command \"stat\"; did you mean \"stats\"?");
	expect("report set host --reduction 5", 2, "a report of type host needs a SUBJECT");
	expect("report set", 2, "report set needs a TYPE: host, realm or peer");
	expect("report set hots", 2, "type: \"hots\" is not one of the words (allowed: host, realm, peer)");
	expect("report set peer", 2, "report set needs --reduction, --rate or both");
	expect("report end peer --reduction 5", 2, "report end takes no --reduction");
	expect("report set peer --reduction 5 --app gz", 2, "--app: \"gz\" is unknown");
	expect("report set peer --reduction 5 --for 0", 2, "not a time above 0");
	expect("report set peer --reduction 101", 2, "--reduction: 101 is out of range (allowed: 0..100)");
	expect("report set peer --reduction 5%", 2, "--reduction \"5%\": not a whole number");
	expect("report set peer --rate 5 --for soon", 2, "not a time above 0 (90, 90s, 10m, 2h)");
	expect("report set peer --rate 5 --validty 5", 2, "did you mean \"--validity\"?");
	expect("load set", 2, "load set needs a VALUE: 0..65535 or auto");
	expect("load set 70000", 2, "value: 70000 is out of range");
	expect("ping pong", 2, "\"pong\": not expected here");
	expect("ping --reduction 5", 2, "ping takes no --reduction");
	expect("report set peer --reduction 5", 2,
	       "doic ctl: report set: give a --reason; it is kept in the evidence");
	expect("report end peer", 2, "doic ctl: report end: give a --reason; it is kept in the evidence");
	expect("report set peer --reduction 5 --reason ''", 2,
	       "--reason: not a text (allowed: 1..95 octets)");
	expect("--help", 0, "doic ctl out s3.example.net");
}

static void test_silent_daemon_times_out(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int mute = socket(AF_UNIX, SOCK_STREAM, 0);

	oev_ctl_server_stop(server);
	server = NULL;
	expect("ping", 5, "nobody answers");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	CU_ASSERT_EQUAL(bind(mute, (struct sockaddr *)&address, sizeof(address)), 0);
	CU_ASSERT_EQUAL(listen(mute, 4), 0); /* the kernel accepts, nobody reads */
	expect("--timeout 1 ping", 5, "no reply: Connection timed out");
	close(mute);
	unlink(path);
}

void test_cli_ctl_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("cli_ctl", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "commands_arrive_as_meant", test_commands_arrive_as_meant);
	CU_add_test(suite, "lists_are_tables", test_lists_are_tables);
	CU_add_test(suite, "json_is_one_object_on_every_outcome", test_json_is_one_object_on_every_outcome);
	CU_add_test(suite, "exit_codes_say_whose_no_it_is", test_exit_codes_say_whose_no_it_is);
	CU_add_test(suite, "silent_daemon_times_out", test_silent_daemon_times_out);
}
