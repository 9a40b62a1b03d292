/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of evidence written out of a capture, and of the names events use.
 */
#include <CUnit/CUnit.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_capture_store.h"
#include "evidence/capture/oev_event_names.h"
#include "evidence/proof/oev_hash.h"
#include "help_capture.h"

void test_oev_capture_store_suite(void);

#define FOLDER_MAX 128

struct scene {
	char work[64];
	char folder[FOLDER_MAX];
	struct oev_key *key;
	struct oc_names *names;
	struct oev_capture_store *store;
	char error[512];
};

static struct scene scene;

static uint32_t name(const char *text)
{
	return oc_names_id(scene.names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static int open_store(const char *only)
{
	const struct oev_capture_store_conf conf = { .folder = scene.folder, .key = scene.key, .only = only };
	const struct oev_fact fact = { .key = "capture.1.file", .value = "x.pcap" };
	int rc = oev_capture_store_open(&scene.store, &conf, scene.error, sizeof(scene.error));

	return rc == OC_OK ? oev_capture_store_describe(scene.store, scene.names, &fact, 1) : rc;
}

static void begin(void)
{
	char path[FOLDER_MAX];
	struct oev_why why;
	bool made;

	memset(&scene, 0, sizeof(scene));
	strcpy(scene.work, "/tmp/oev_capture_XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(scene.work));
	snprintf(scene.folder, sizeof(scene.folder), "%s/ev", scene.work);
	snprintf(path, sizeof(path), "%s/key", scene.work);
	oev_gcrypt_ready();
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &scene.key, &made, &why), OC_OK);
	scene.names = oc_names_new(256, 1);
}

static void end(void)
{
	char command[FOLDER_MAX + 32];

	oev_capture_store_free(scene.store);
	oev_key_free(scene.key);
	oc_names_free(scene.names);
	snprintf(command, sizeof(command), "rm -rf %s", scene.work);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void tell_request(uint32_t node, uint64_t id, uint64_t at_ns)
{
	const struct oev_capture_sink *sink = oev_capture_store_sink(scene.store);
	struct oc_event decision = { .kind = OC_EVENT_DECISION, .mono_ns = at_ns };
	struct oc_event outcome = { .kind = OC_EVENT_OUTCOME, .mono_ns = at_ns + 5 };

	decision.u.decision = (struct oc_decision){ .id = id,
						    .at_ns = at_ns,
						    .app_id = 4,
						    .command = 272,
						    .client_peer = name("c1.example.net"),
						    .origin_host = name("c1.example.net"),
						    .next_hop = name("s1.example.net"),
						    .drmp = OC_DRMP_NONE };
	outcome.u.outcome = (struct oc_event_outcome){
		.id = id, .took_ns = 5, .result_code = 2001, .answered_by = name("s1.example.net")
	};
	CU_ASSERT_EQUAL_FATAL(sink->event(sink->ctx, node, &decision), OC_OK);
	CU_ASSERT_EQUAL_FATAL(sink->event(sink->ctx, node, &outcome), OC_OK);
}

/* The one segment of folder number @index. */
static sqlite3 *open_segment(uint32_t index)
{
	const char *folder = oev_capture_store_folder(scene.store, index);
	char path[512] = "";
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	sqlite3 *db = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
	while ((entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, "seg-", 4) == 0 && strstr(entry->d_name, ".seal") == NULL)
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
	closedir(dir);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	return db;
}

static int64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static void test_more_events_than_a_batch_holds_are_all_there(void)
{
	const struct oev_capture_sink *sink;

	begin();
	CU_ASSERT_EQUAL_FATAL(open_store(NULL), OC_OK);
	sink = oev_capture_store_sink(scene.store);
	CU_ASSERT_EQUAL_FATAL(sink->begin(sink->ctx, 0, name("c1.example.net"), HELP_START), OC_OK);
	for (uint64_t i = 1; i <= 10000; i++)
		tell_request(0, i, HELP_START + i * 1000);
	CU_ASSERT_EQUAL_FATAL(sink->end(sink->ctx, 0, HELP_START + HELP_S), OC_OK);
	sqlite3 *db = open_segment(0);
	CU_ASSERT_EQUAL(number(db, "select count(*) from decision"), 10000);
	CU_ASSERT_EQUAL(
		number(db, "select count(*) from decision join outcome on outcome.decision = decision.id"),
		10000);
	CU_ASSERT_EQUAL(number(db, "select count(*) from name"), 2); /* each once, and before its first use */
	CU_ASSERT_EQUAL(
		number(db, "select count(*) from v_decision where client = 'c1.example.net' and next_hop = "
			   "'s1.example.net'"),
		10000);
	CU_ASSERT_EQUAL(number(db, "select count(*) from meta where key = 'kind' and value = 'capture'"), 1);
	CU_ASSERT_EQUAL(
		number(db, "select count(*) from meta where key = 'capture.1.file' and value = 'x.pcap'"), 1);
	CU_ASSERT_EQUAL(number(db, "select value from meta where key = 'started_us'"),
			(int64_t)(HELP_START / 1000));
	CU_ASSERT_EQUAL(number(db, "select value from meta where key = 'closed_us'"),
			(int64_t)((HELP_START + HELP_S) / 1000));
	CU_ASSERT_EQUAL(number(db, "select count(*) from gap"), 0);
	CU_ASSERT_TRUE(number(db, "select count(*) from batch") >= 4);
	CU_ASSERT_EQUAL(number(db, "select count(*) from checkpoint"), 1);
	sqlite3_close(db);
	end();
}

static void test_every_node_has_a_folder_and_no_name_leads_out_of_it(void)
{
	static const char *const names[] = { "c1.example.net", "../../etc", "a/b", "..",
					     "10.0.0.1:3868",  "a_b" };
	static const char *const folders[] = { "c1.example.net", "_._.._etc", "a_b", "_.",
					       "10.0.0.1_3868",	 "a_b-2" };
	const struct oev_capture_sink *sink;
	struct stat info;

	begin();
	CU_ASSERT_EQUAL_FATAL(open_store(NULL), OC_OK);
	sink = oev_capture_store_sink(scene.store);
	for (uint32_t i = 0; i < 6; i++) {
		CU_ASSERT_EQUAL(sink->begin(sink->ctx, i, name(names[i]), HELP_START), OC_OK);
		CU_ASSERT_EQUAL(sink->end(sink->ctx, i, HELP_START), OC_OK);
		const char *folder = oev_capture_store_folder(scene.store, i);
		CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
		CU_ASSERT_TRUE(strncmp(folder, scene.folder, strlen(scene.folder)) == 0);
		CU_ASSERT_STRING_EQUAL(strrchr(folder, '/') + 1, folders[i]);
		CU_ASSERT_EQUAL(stat(folder, &info), 0);
	}
	CU_ASSERT_PTR_NULL(oev_capture_store_folder(scene.store, 6));
	end();
}

static void test_nodes_beyond_the_limit_are_counted(void)
{
	const struct oev_capture_sink *sink;
	char text[32];

	begin();
	CU_ASSERT_EQUAL_FATAL(open_store(NULL), OC_OK);
	sink = oev_capture_store_sink(scene.store);
	for (uint32_t i = 0; i < OEV_CAPTURE_FOLDERS_MAX + 3; i++) {
		snprintf(text, sizeof(text), "n%u.example.net", i);
		CU_ASSERT_EQUAL(sink->begin(sink->ctx, i, name(text), HELP_START), OC_OK);
		tell_request(i, 1, HELP_START);
		CU_ASSERT_EQUAL(sink->end(sink->ctx, i, HELP_START), OC_OK);
	}
	CU_ASSERT_EQUAL(oev_capture_store_left_out(scene.store), 3);
	end();
}

static void test_one_node_can_be_picked(void)
{
	const struct oev_capture_sink *sink;

	begin();
	CU_ASSERT_EQUAL_FATAL(open_store("C2.example.net"), OC_OK);
	sink = oev_capture_store_sink(scene.store);
	CU_ASSERT_EQUAL(sink->begin(sink->ctx, 0, name("c1.example.net"), HELP_START), OC_OK);
	CU_ASSERT_EQUAL(sink->begin(sink->ctx, 1, name("c2.example.net"), HELP_START), OC_OK);
	tell_request(0, 1, HELP_START);
	tell_request(1, 1, HELP_START);
	CU_ASSERT_EQUAL(sink->end(sink->ctx, 0, HELP_START), OC_OK);
	CU_ASSERT_EQUAL(sink->end(sink->ctx, 1, HELP_START), OC_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_capture_store_folder(scene.store, 0), "/c2.example.net"));
	CU_ASSERT_PTR_NULL(oev_capture_store_folder(scene.store, 1));
	end();
}

static void test_a_folder_with_something_in_it_is_left_alone(void)
{
	begin();
	CU_ASSERT_EQUAL(mkdir(scene.folder, 0700), 0);
	CU_ASSERT_EQUAL(open_store(NULL), OC_OK); /* empty */
	oev_capture_store_free(scene.store);
	scene.store = NULL;
	char inner[FOLDER_MAX + 8];
	snprintf(inner, sizeof(inner), "%s/mine", scene.folder);
	CU_ASSERT_EQUAL(mkdir(inner, 0700), 0);
	CU_ASSERT_EQUAL(open_store(NULL), OC_EREFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.error, "not empty"));
	end();
}

/* Fills every octet of every kind of event with 7: what it names must be 7 as well, so that no name is forgotten. */
static void test_names_of_an_event_are_those_it_holds(void)
{
	struct oc_event event;
	uint32_t names[OEV_EVENT_NAMES_MAX];

	for (unsigned kind = 0; kind < OC_EVENT_KIND_COUNT; kind++) {
		memset(&event, 7, sizeof(event));
		event.kind = (uint16_t)kind;
		uint32_t count = oev_event_names(&event, names);
		CU_ASSERT_TRUE(count <= OEV_EVENT_NAMES_MAX);
		for (uint32_t i = 0; i < count; i++)
			CU_ASSERT_EQUAL(names[i], 0x07070707u);
	}
	event = (struct oc_event){ .kind = OC_EVENT_DECISION };
	CU_ASSERT_EQUAL(oev_event_names(&event, names), 6);
	event.kind = OC_EVENT_REPORT;
	CU_ASSERT_EQUAL(oev_event_names(&event, names), 4);
}

void test_oev_capture_store_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_capture_store", NULL, NULL);

	CU_add_test(suite, "more events than a batch holds are all there",
		    test_more_events_than_a_batch_holds_are_all_there);
	CU_add_test(suite, "every node has a folder, and no name leads out of it",
		    test_every_node_has_a_folder_and_no_name_leads_out_of_it);
	CU_add_test(suite, "nodes beyond the limit are counted", test_nodes_beyond_the_limit_are_counted);
	CU_add_test(suite, "one node can be picked", test_one_node_can_be_picked);
	CU_add_test(suite, "a folder with something in it is left alone",
		    test_a_folder_with_something_in_it_is_left_alone);
	CU_add_test(suite, "names of an event are those it holds", test_names_of_an_event_are_those_it_holds);
}
