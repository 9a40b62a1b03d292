/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The evidence folder, its key, and how long the disk lasts.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "cli_check.h"

#define MB (1024.0 * 1024.0)
#define JOURNAL_RECORD 320.0

/* The folder that @path is in. */
static void parent_of(const char *path, char out[static OEV_CONF_PATH_MAX])
{
	snprintf(out, OEV_CONF_PATH_MAX, "%s", path);
	size_t len = strlen(out);
	while (len > 1 && out[len - 1] == '/')
		out[--len] = '\0';
	char *slash = strrchr(out, '/');
	if (slash == NULL)
		snprintf(out, OEV_CONF_PATH_MAX, ".");
	else
		slash[slash == out] = '\0';
}

void cli_check_folder(struct cli_check *check)
{
	char parent[OEV_CONF_PATH_MAX];
	struct stat info;

	if (!check->conf.evidence_enabled) {
		cli_check_note(check, CLI_CHECK_WARN, "evidence.enabled, doic.yaml(5)",
			       "nothing is recorded: no audit will be possible");
		return;
	}
	parent_of(check->folder, parent);
	if (stat(check->folder, &info) == 0 && !S_ISDIR(info.st_mode))
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.folder, doic.yaml(5)", "%s is no folder",
			       check->folder);
	else if (access(check->folder, R_OK | W_OK | X_OK) == 0)
		cli_check_note(check, CLI_CHECK_OK, "", "evidence folder %s can be written", check->folder);
	else if (errno != ENOENT)
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.folder, doic.yaml(5)",
			       "evidence folder %s cannot be written: %s", check->folder, strerror(errno));
	else if (access(parent, W_OK | X_OK) == 0)
		cli_check_note(check, CLI_CHECK_OK, "", "evidence folder %s will be made at the start",
			       check->folder);
	else
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.folder, doic.yaml(5)",
			       "evidence folder %s is not there and cannot be made: %s", check->folder,
			       strerror(errno));
}

/* Beside the folder, unless it is named. */
static void key_path(const struct cli_check *check, char out[static OEV_CONF_PATH_MAX + 8])
{
	size_t len = strlen(check->folder);

	while (len > 1 && check->folder[len - 1] == '/')
		len--;
	if (check->conf.key_path[0] != '\0')
		snprintf(out, OEV_CONF_PATH_MAX + 8, "%s", check->conf.key_path);
	else
		snprintf(out, OEV_CONF_PATH_MAX + 8, "%.*s.key", (int)len, check->folder);
}

static size_t segments(const struct cli_check *check, double *octets, double *seconds)
{
	char **paths = NULL;
	size_t count = 0;
	struct stat info;
	time_t first = 0, last = 0;

	*octets = *seconds = 0;
	if (oev_paths_list(check->folder, "seg-", ".db", &paths, &count) != OC_OK)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (stat(paths[i], &info) != 0)
			continue;
		*octets += (double)info.st_size;
		first = first == 0 || info.st_ctime < first ? info.st_ctime : first;
		last = info.st_mtime > last ? info.st_mtime : last;
	}
	*seconds = last > first ? (double)(last - first) : 0;
	oev_paths_free(paths, count);
	return count;
}

void cli_check_key(struct cli_check *check)
{
	char path[OEV_CONF_PATH_MAX + 8];
	struct stat info;
	double octets, seconds;

	if (!check->conf.evidence_enabled)
		return;
	key_path(check, path);
	if (stat(path, &info) == 0) {
		bool is_open = (info.st_mode & (S_IRWXG | S_IRWXO)) != 0;
		cli_check_note(check, is_open ? CLI_CHECK_FAIL : CLI_CHECK_OK,
			       is_open ? "chmod 0600; evidence.key_file, doic.yaml(5)" : "",
			       "key %s has mode %04o%s", path, (unsigned)info.st_mode & 07777u,
			       is_open ? ": others may sign and reveal" : "");
	} else if (errno == ENOENT && segments(check, &octets, &seconds) == 0) {
		cli_check_note(check, CLI_CHECK_OK, "", "key %s will be made at the first start", path);
	} else if (errno == ENOENT) {
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.key_file, doic.yaml(5)",
			       "key %s is gone, and there is evidence signed with it", path);
	} else {
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.key_file, doic.yaml(5)", "key %s: %s", path,
			       strerror(errno));
	}
}

/* "2 h", "3 days". */
static const char *span_text(double seconds, char *out, size_t size)
{
	if (seconds < 7200)
		snprintf(out, size, "%.0f min", seconds / 60);
	else if (seconds < 172800)
		snprintf(out, size, "%.0f h", seconds / 3600);
	else
		snprintf(out, size, "%.0f days", seconds / 86400);
	return out;
}

static void note_free(struct cli_check *check, double free_ratio, double free_octets, double rate)
{
	char lasts[64] = "", span[32];
	bool is_kept_for_ever = check->conf.keep_mb == 0 && check->conf.keep_days == 0;
	double left_s = rate > 0 ? free_octets / rate : -1;

	if (left_s >= 0 && is_kept_for_ever)
		snprintf(lasts, sizeof(lasts), ", full in about %s", span_text(left_s, span, sizeof(span)));
	bool is_soon = is_kept_for_ever && left_s >= 0 && left_s < 86400;
	enum cli_check_state state = free_ratio < 0.05 || (is_soon && left_s < 7200) ? CLI_CHECK_FAIL
				     : free_ratio < 0.10 || is_soon		     ? CLI_CHECK_WARN
										     : CLI_CHECK_OK;
	cli_check_note(check, state,
		       state != CLI_CHECK_OK ? "evidence.keep_mb, evidence.keep_days, doic.yaml(5)" : "",
		       "evidence folder: %.0f %% of the disk free (%.0f MiB)%s", 100 * free_ratio,
		       free_octets / MB, lasts);
}

static void note_retention(struct cli_check *check, double room_octets, double used_octets, double rate)
{
	const struct oev_process *conf = &check->conf;
	double wanted = conf->keep_mb * MB + conf->segment_max_mb * MB;
	double by_days = conf->keep_days * 86400.0 * rate;
	char need[48];

	if (conf->keep_mb == 0 && conf->keep_days == 0) {
		cli_check_note(check, CLI_CHECK_WARN, "evidence.keep_mb, evidence.keep_days, doic.yaml(5)",
			       "evidence is kept for ever: some day the disk is full");
		return;
	}
	double needs = conf->keep_mb > 0 ? wanted : by_days;
	if (conf->keep_mb > 0 && conf->keep_days > 0 && by_days > 0 && by_days < wanted)
		needs = by_days;
	bool is_too_much = needs > room_octets + used_octets;
	snprintf(need, sizeof(need), "%.0f MiB", needs / MB);
	cli_check_note(check, is_too_much ? CLI_CHECK_FAIL : CLI_CHECK_OK,
		       is_too_much ? "evidence.keep_mb, evidence.keep_days, doic.yaml(5)" : "",
		       "retention needs %s, there is room for %.0f MiB",
		       needs > 0 ? need : "as much as the traffic of these days",
		       (room_octets + used_octets) / MB);
}

void cli_check_room(struct cli_check *check)
{
	char parent[OEV_CONF_PATH_MAX];
	struct statvfs disk;
	double used, seconds;

	if (!check->conf.evidence_enabled)
		return;
	parent_of(check->folder, parent);
	if (statvfs(check->folder, &disk) != 0 && statvfs(parent, &disk) != 0)
		return; /* said before: there is no folder */
	double room = (double)disk.f_bavail * (double)disk.f_frsize;
	double whole = (double)disk.f_blocks * (double)disk.f_frsize;
	segments(check, &used, &seconds);
	double rate = seconds >= 60 ? used / seconds : 0; /* of less than a minute nothing follows */
	note_free(check, whole > 0 ? room / whole : 1, room, rate);
	note_retention(check, room, used, rate);
	double journal = check->conf.journal_records * JOURNAL_RECORD;
	if (journal > room + used)
		cli_check_note(check, CLI_CHECK_FAIL, "evidence.journal_records, doic.yaml(5)",
			       "the journal needs %.0f MiB, and %.0f MiB are free", journal / MB, room / MB);
}
