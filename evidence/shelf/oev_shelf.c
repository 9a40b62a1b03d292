/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opening and closing a shelf, and what lies on it.
 */
#include "oev_shelf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"
#include "oev_shelf_inner.h"

static int check_folder(struct oev_shelf *shelf, const char *folder, char *error)
{
	struct stat info;
	size_t len = strlen(folder);

	if (len == 0 || len + sizeof(((struct oev_shelf_segment *)NULL)->name) >= sizeof(shelf->folder))
		return oev_shelf_say(error, OC_EIO, "the path of the folder is empty or too long");
	if (stat(folder, &info) != 0)
		return oev_shelf_say(error, errno == ENOENT ? OC_ENOENT : OC_EIO, "%.400s: %s", folder,
				     strerror(errno));
	if (!S_ISDIR(info.st_mode))
		return oev_shelf_say(error, OC_EIO, "%.400s: not a folder", folder);
	memcpy(shelf->folder, folder, len + 1);
	return OC_OK;
}

/* So that from now on something is known, whoever looks again meanwhile. */
static int look_first(struct oev_shelf *shelf, char *error)
{
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);

	if (catalog == NULL)
		return oev_shelf_say(error, OC_EIO, "%.400s cannot be read", shelf->folder);
	oev_shelf_catalog_put(catalog);
	return OC_OK;
}

int oev_shelf_open(struct oev_shelf **out, const char *folder, const char *index_folder,
		   char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf *shelf = calloc(1, sizeof(*shelf));
	int rc;

	*out = NULL;
	error[0] = '\0';
	if (shelf == NULL)
		return oev_shelf_say(error, OC_ENOMEM, "out of memory");
	pthread_mutex_init(&shelf->lock, NULL);
	shelf->held_max = OEV_SHELF_HELD_MAX;
	rc = check_folder(shelf, folder, error);
	if (rc == OC_OK)
		rc = look_first(shelf, error);
	if (rc == OC_OK)
		rc = oev_shelf_index_start(&shelf->index, shelf, index_folder, error);
	if (rc != OC_OK) {
		oev_shelf_close(shelf);
		return rc;
	}
	*out = shelf;
	return OC_OK;
}

void oev_shelf_close(struct oev_shelf *shelf)
{
	if (shelf == NULL)
		return;
	oev_shelf_index_stop(shelf->index);
	oev_shelf_conns_close(shelf);
	oev_shelf_catalog_put(shelf->catalog);
	pthread_mutex_destroy(&shelf->lock);
	free(shelf);
}

int oev_shelf_segments(struct oev_shelf *shelf, struct oev_shelf_segment **out, size_t *count)
{
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);

	*out = NULL;
	*count = 0;
	if (catalog == NULL)
		return OC_EIO;
	*out = calloc(catalog->count + 1, sizeof(**out));
	for (size_t i = 0; *out != NULL && i < catalog->count; i++)
		(*out)[i] = catalog->parts[i].facts;
	*count = *out != NULL ? catalog->count : 0;
	oev_shelf_catalog_put(catalog);
	return *out != NULL ? OC_OK : OC_ENOMEM;
}
