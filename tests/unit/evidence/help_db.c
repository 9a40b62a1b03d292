/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The segment that tests of the write connection work on.
 */
#include "help_db.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_bind.h"

struct help_db help_db;

void help_db_set_up(void)
{
	static const struct oev_traffic_first first = { 1, 1, 1 };
	char error[HELP_TEXT_MAX] = "";

	help_folder_make(help_db.folder);
	snprintf(help_db.path, sizeof(help_db.path), "%s/x.db", help_db.folder);
	close(open(help_db.path, O_CREAT | O_RDWR, 0600));
	oev_gcrypt_ready();
	CU_ASSERT_EQUAL_FATAL(oev_db_create(&help_db.db, help_db.path, OEV_SYNC_NORMAL, error, sizeof(error)),
			      OC_OK);
	CU_ASSERT_EQUAL_FATAL(oev_db_commit(help_db.db), OC_OK);
	CU_ASSERT_EQUAL_FATAL(oev_traffic_init(&help_db.traffic, &first), OC_OK);
	oev_traffic_segment(&help_db.traffic, help_db.db, HELP_BASE_NS);
}

void help_db_tear_down(void)
{
	oev_traffic_fini(&help_db.traffic);
	oev_db_free(help_db.db);
	help_folder_remove(help_db.folder);
}

long long help_db_ask(const char *sql)
{
	return help_ask_int(help_db.path, sql);
}

static int put_event(const struct oc_event *event, uint64_t *refused)
{
	int rc;

	if (event->kind == OC_EVENT_DECISION)
		return oev_traffic_decision(&help_db.traffic, &event->u.decision);
	if (event->kind == OC_EVENT_OUTCOME)
		return oev_traffic_outcome(&help_db.traffic, &event->u.outcome);
	rc = oev_bind(help_db.db, event, 1000);
	*refused += rc == OC_EREFUSED;
	return rc == OC_EREFUSED ? OC_OK : rc;
}

int help_db_put_all(const struct oc_event *events, size_t count, uint64_t *refused)
{
	uint64_t left_out = 0;
	int rc = oev_db_begin(help_db.db);

	oev_traffic_begin(&help_db.traffic);
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = put_event(&events[i], &left_out);
	if (rc == OC_OK)
		rc = oev_traffic_end(&help_db.traffic);
	if (rc == OC_OK)
		rc = oev_db_commit(help_db.db);
	oev_db_rollback(help_db.db); /* nothing after a commit */
	if (rc == OC_OK)
		oev_traffic_keep(&help_db.traffic);
	else
		oev_traffic_undo(&help_db.traffic);
	if (refused)
		*refused = left_out + help_db.traffic.refused;
	return rc;
}

int help_db_put(const struct oc_event *event)
{
	uint64_t refused = 0;
	int rc = help_db_put_all(event, 1, &refused);

	return rc == OC_OK && refused ? OC_EREFUSED : rc;
}
