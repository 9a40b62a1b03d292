/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making the folder and the files of segments.
 */
#include "oev_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"

#define FOLDER_MODE 0750
#define FILE_MODE 0640
#define SAME_SECOND_MAX 1000u
#define STAMP_MAX 32
#define SUFFIX_MAX 24
#define PREFIX "seg-"
#define ENDING ".db"

/* Where a sentence about a failure goes. */
struct complaint {
	char *text;
	size_t size;
};

__attribute__((format(printf, 3, 4))) static int complain(const struct complaint *to, int err,
							  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(to->text, to->size, format, args);
	va_end(args);
	return err;
}

/* Makes the folders above @folder that are not there, as the default needs on a new machine. What goes wrong here
 * is told by making @folder itself. */
static void make_parents(const char *folder)
{
	char path[OEV_PLACE_PATH_MAX];

	if (snprintf(path, sizeof(path), "%s", folder) >= (int)sizeof(path))
		return;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, FOLDER_MODE);
		*slash = '/';
	}
}

int oev_place_make(const char *folder, char *error, size_t size)
{
	struct complaint complaint = { .text = error, .size = size };
	struct stat found;

	if (!folder || !*folder)
		return complain(&complaint, OC_EINVAL, "no evidence folder is given");
	make_parents(folder);
	if (mkdir(folder, FOLDER_MODE) == 0)
		return OC_OK;
	if (errno != EEXIST)
		return complain(&complaint, OC_EIO, "evidence folder \"%s\" cannot be made: %s", folder,
				strerror(errno));
	if (stat(folder, &found) != 0)
		return complain(&complaint, OC_EIO, "evidence folder \"%s\": %s", folder, strerror(errno));
	if (!S_ISDIR(found.st_mode))
		return complain(&complaint, OC_EIO, "evidence folder \"%s\" is not a folder", folder);
	return OC_OK;
}

static void stamp_of(uint64_t wall_us, char out[static STAMP_MAX])
{
	time_t seconds = (time_t)(wall_us / 1000000u);
	struct tm utc = { 0 };

	gmtime_r(&seconds, &utc);
	strftime(out, STAMP_MAX, "%Y%m%dT%H%M%S", &utc);
}

/* The @n-th name for this second: "seg-20260807T101500.db", then "-2", "-3"... */
static bool name_file(const char *folder, uint64_t wall_us, unsigned n, char path[static OEV_PLACE_PATH_MAX])
{
	char stamp[STAMP_MAX];
	char suffix[SUFFIX_MAX] = "";

	stamp_of(wall_us, stamp);
	if (n > 1)
		snprintf(suffix, sizeof(suffix), "-%u", n);
	int len = snprintf(path, OEV_PLACE_PATH_MAX, "%s/" PREFIX "%s%s" ENDING, folder, stamp, suffix);
	return len > 0 && len < (int)OEV_PLACE_PATH_MAX;
}

/* O_EXCL decides between recorders that start in the same second. */
int oev_place_segment(const char *folder, uint64_t wall_us, char path[static OEV_PLACE_PATH_MAX], char *error,
		      size_t size)
{
	struct complaint complaint = { .text = error, .size = size };
	int fd = -1;

	for (unsigned n = 1; fd < 0 && n <= SAME_SECOND_MAX; n++) {
		if (!name_file(folder, wall_us, n, path))
			return complain(&complaint, OC_EINVAL,
					"the evidence folder's path is too long: \"%s\"", folder);
		fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, FILE_MODE);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return complain(&complaint, OC_EIO, "evidence segment \"%s\" cannot be made: %s", path,
				strerror(errno));
	/* The umask may have taken bits that the auditors' group needs; SQLite gives -wal and -shm the same mode. */
	int rc = fchmod(fd, FILE_MODE);
	close(fd);
	return rc == 0 ? OC_OK : complain(&complaint, OC_EIO, "mode of \"%s\": %s", path, strerror(errno));
}

void oev_place_discard(const char *path)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	char file[OEV_PLACE_PATH_MAX + SUFFIX_MAX];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (snprintf(file, sizeof(file), "%s%s", path, suffixes[i]) < (int)sizeof(file))
			unlink(file);
	}
}

int oev_place_beside(const char *folder, const char *suffix, char path[static OEV_PLACE_PATH_MAX])
{
	size_t len = strlen(folder);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	if (len == 0 || len >= OEV_PLACE_PATH_MAX)
		return OC_EINVAL;
	int octets = snprintf(path, OEV_PLACE_PATH_MAX, "%.*s%s", (int)len, folder, suffix);
	return octets < (int)OEV_PLACE_PATH_MAX ? OC_OK : OC_EINVAL;
}

bool oev_place_is_segment(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(PREFIX ENDING) && strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
	       strcmp(name + len - strlen(ENDING), ENDING) == 0;
}

const char *oev_place_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
