/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Choosing segments by their seals.
 */
#include "oev_retain.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_sealing.h"

#define DAY_US 86400000000u
#define MIB_OCTETS 1048576u

struct list {
	struct oev_removal *all;
	size_t count;
};

static int add(struct list *list, const char *folder, const char *name, const struct oev_public *self)
{
	struct oev_removal one = { .is_by_age = false };

	if (snprintf(one.path, sizeof(one.path), "%s/%s", folder, name) >= (int)sizeof(one.path) ||
	    oev_sealing_read(one.path, self, &one.seal, NULL) != OC_OK)
		return OC_OK;
	struct oev_removal *larger = realloc(list->all, (list->count + 1) * sizeof(*larger));
	if (!larger)
		return OC_ENOMEM;
	list->all = larger;
	list->all[list->count++] = one;
	return OC_OK;
}

static int by_age(const void *a, const void *b)
{
	const struct oev_seal *x = &((const struct oev_removal *)a)->seal;
	const struct oev_seal *y = &((const struct oev_removal *)b)->seal;

	if (x->wall_us != y->wall_us)
		return x->wall_us > y->wall_us ? 1 : -1;
	return (x->last > y->last) - (x->last < y->last);
}

static int list_sealed(struct list *list, const char *folder, const struct oev_public *self)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	int rc = OC_OK;

	if (!dir)
		return OC_EIO;
	while (rc == OC_OK && (entry = readdir(dir)) != NULL)
		if (oev_place_is_segment(entry->d_name))
			rc = add(list, folder, entry->d_name, self);
	closedir(dir);
	if (list->count > 0)
		qsort(list->all, list->count, sizeof(*list->all), by_age);
	return rc;
}

/* Up to when it is certain that time has passed: the clock says so now, and so did it at two seals. One wrong clock alone, and the
 * one seal that a start makes under it, make nothing old. */
static uint64_t confirmed_us(const struct list *list, uint64_t now_us)
{
	if (list->count < 2)
		return 0;
	uint64_t sealed_us = list->all[list->count - 2].seal.wall_us;
	return sealed_us < now_us ? sealed_us : now_us;
}

static int by_place(const void *a, const void *b)
{
	const struct oev_seal *x = &((const struct oev_removal *)a)->seal;
	const struct oev_seal *y = &((const struct oev_removal *)b)->seal;

	return (x->last > y->last) - (x->last < y->last);
}

static int by_order(const void *a, const void *b)
{
	const struct oev_removal *x = a, *y = b;

	return x->order_us != y->order_us ? (x->order_us > y->order_us ? 1 : -1) : by_place(a, b);
}

/* The one segment whose batches @all[@at] follows, of those before it by place; NULL: none, or another log has one too. */
static const struct oev_removal *before(const struct oev_removal *all, size_t at)
{
	uint64_t last = all[at].seal.first > 1 ? all[at].seal.first - 1 : 0;
	size_t i = at;

	while (last > 0 && i > 0 && all[i - 1].seal.last > last)
		i--;
	if (last == 0 || i == 0 || all[i - 1].seal.last != last || (i > 1 && all[i - 2].seal.last == last))
		return NULL;
	return &all[i - 1];
}

/* Oldest first by the log, and by the clock where the log does not say: the clock may have been set back, and then the newest segment has the
 * lowest time. */
static void arrange(struct oev_removal *all, size_t count)
{
	if (count == 0)
		return;
	qsort(all, count, sizeof(*all), by_place);
	for (size_t i = 0; i < count; i++) {
		const struct oev_removal *earlier = before(all, i);
		all[i].order_us = all[i].seal.wall_us;
		if (earlier && earlier->order_us > all[i].order_us)
			all[i].order_us = earlier->order_us;
	}
	qsort(all, count, sizeof(*all), by_order);
}

/* How many of the oldest by the clock go by their age; *@octets is what is left. */
static size_t choose_old(const struct list *list, const struct oev_retain_limits *limits, uint64_t now_us,
			 uint64_t *octets)
{
	uint64_t sure_us = confirmed_us(list, now_us);
	size_t gone = 0;

	for (; gone < list->count; gone++) {
		struct oev_removal *one = &list->all[gone];
		one->is_by_age = limits->keep_days > 0 &&
				 one->seal.wall_us + limits->keep_days * (uint64_t)DAY_US < sure_us;
		if (!one->is_by_age || one->seal.wall_us >= limits->before_us)
			break;
		*octets -= one->seal.bytes;
	}
	return gone;
}

/* How many of the oldest go. */
static size_t choose(const struct list *list, const struct oev_retain_limits *limits, uint64_t now_us)
{
	uint64_t octets = 0;

	for (size_t i = 0; i < list->count; i++)
		octets += list->all[i].seal.bytes;
	size_t gone = choose_old(list, limits, now_us, &octets);
	arrange(list->all + gone, list->count - gone);
	for (; gone < list->count; gone++) {
		struct oev_removal *one = &list->all[gone];
		bool is_too_much = limits->keep_mb > 0 && octets > limits->keep_mb * (uint64_t)MIB_OCTETS;
		if (!is_too_much || one->seal.wall_us >= limits->before_us)
			break;
		one->is_by_age = false;
		octets -= one->seal.bytes;
	}
	return gone;
}

/* Whether the clock would have all of them removed. */
static bool is_doubted(const struct list *list, const struct oev_retain_limits *limits, uint64_t now_us)
{
	return limits->keep_days > 0 && list->count > 0 &&
	       list->all[list->count - 1].seal.wall_us + limits->keep_days * (uint64_t)DAY_US < now_us;
}

int oev_retain(const char *folder, const struct oev_public *self, const struct oev_retain_limits *limits,
	       uint64_t now_us, struct oev_retained *out)
{
	struct list list = { .count = 0 };
	int rc = OC_OK;

	*out = (struct oev_retained){ .count = 0 };
	if (limits->keep_days > 0 || limits->keep_mb > 0)
		rc = list_sealed(&list, folder, self);
	if (rc == OC_OK) {
		out->is_doubted = is_doubted(&list, limits, now_us); /* choosing puts them in another order */
		out->count = choose(&list, limits, now_us);
	}
	if (out->count > 0)
		out->removals = list.all;
	else
		free(list.all);
	return rc;
}

/* The seal goes last: a segment without one would be sealed again. */
int oev_retain_remove(const struct oev_removal *removal)
{
	char seal[OEV_PLACE_PATH_MAX + 8];

	if (unlink(removal->path) != 0 && errno != ENOENT)
		return OC_EIO;
	snprintf(seal, sizeof(seal), "%s" OEV_SEAL_SUFFIX, removal->path);
	return unlink(seal) == 0 || errno == ENOENT ? OC_OK : OC_EIO;
}
