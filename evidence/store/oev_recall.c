/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lists in the order of arrival, and a table to find by key.
 */
#include "oev_recall.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_hash.h"

#define FIRST_BUCKETS 1024u

int oev_recall_init(struct oev_recall *recall)
{
	*recall = (struct oev_recall){ .bucket_count = FIRST_BUCKETS };
	recall->buckets = calloc(FIRST_BUCKETS, sizeof(struct oev_recall_item *));
	return recall->buckets ? OC_OK : OC_ENOMEM;
}

void oev_recall_fini(struct oev_recall *recall)
{
	for (unsigned i = 0; i < OEV_RECALL_SORTS; i++) {
		while (recall->lists[i].first) {
			struct oev_recall_item *item = recall->lists[i].first;
			recall->lists[i].first = item->next;
			free(item);
		}
	}
	free(recall->buckets);
	*recall = (struct oev_recall){ 0 };
}

static struct oev_recall_item **bucket_of(const struct oev_recall *recall, unsigned sort, uint64_t key)
{
	return &recall->buckets[oc_hash(&key, sizeof(key), sort) & (recall->bucket_count - 1)];
}

static void link_last(struct oev_recall *recall, struct oev_recall_item *item)
{
	struct oev_recall_list *list = &recall->lists[item->sort];

	item->next = NULL;
	item->before = list->last;
	if (list->last)
		list->last->next = item;
	else
		list->first = item;
	list->last = item;
	list->count++;
}

static void unlink_item(struct oev_recall *recall, struct oev_recall_item *item)
{
	struct oev_recall_list *list = &recall->lists[item->sort];

	if (item->before)
		item->before->next = item->next;
	else
		list->first = item->next;
	if (item->next)
		item->next->before = item->before;
	else
		list->last = item->before;
	list->count--;
}

static void add_to_bucket(struct oev_recall *recall, struct oev_recall_item *item)
{
	struct oev_recall_item **bucket = bucket_of(recall, item->sort, item->key);

	item->same = *bucket;
	*bucket = item;
	recall->count++;
}

static void take_from_bucket(struct oev_recall *recall, const struct oev_recall_item *item)
{
	struct oev_recall_item **at = bucket_of(recall, item->sort, item->key);

	while (*at != item)
		at = &(*at)->same;
	*at = item->same;
	recall->count--;
}

/* Without memory for it, buckets get longer. */
static void grow(struct oev_recall *recall)
{
	struct oev_recall_item **larger =
		calloc((size_t)recall->bucket_count * 2, sizeof(struct oev_recall_item *));

	if (!larger)
		return;
	free(recall->buckets);
	recall->buckets = larger;
	recall->bucket_count *= 2;
	recall->count = 0;
	for (unsigned i = 0; i < OEV_RECALL_SORTS; i++)
		for (struct oev_recall_item *item = recall->lists[i].first; item; item = item->next)
			add_to_bucket(recall, item);
}

struct oev_recall_item *oev_recall_get(const struct oev_recall *recall, unsigned sort, uint64_t key)
{
	struct oev_recall_item *item = *bucket_of(recall, sort, key);

	while (item && (item->sort != sort || item->key != key))
		item = item->same;
	return item;
}

void oev_recall_drop(struct oev_recall *recall, struct oev_recall_item *item)
{
	if (!item)
		return;
	take_from_bucket(recall, item);
	unlink_item(recall, item);
	free(item);
}

/* Octets of @event that say something; there may be a million names, and they are short. */
static size_t octets_of(const struct oc_event *event)
{
	size_t octets = oc_event_size(event);

	if (event->kind != OC_EVENT_NAME)
		return octets;
	size_t text = offsetof(struct oc_event, u.name.text);
	size_t len = strnlen(event->u.name.text, sizeof(event->u.name.text));
	return text + len + 1 < octets ? text + len + 1 : octets;
}

struct oev_recall_item *oev_recall_put(struct oev_recall *recall, unsigned sort, uint64_t key,
				       const struct oc_event *event, int64_t offset_us)
{
	size_t octets = octets_of(event);
	struct oev_recall_item *item =
		octets > 0 ? calloc(1, offsetof(struct oev_recall_item, event) + octets) : NULL;

	if (!item)
		return NULL;
	oev_recall_drop(recall, oev_recall_get(recall, sort, key));
	item->sort = sort;
	item->key = key;
	item->offset_us = offset_us;
	memcpy(&item->event, event, octets);
	if (recall->count >= recall->bucket_count)
		grow(recall);
	link_last(recall, item);
	add_to_bucket(recall, item);
	return item;
}

void oev_recall_move(struct oev_recall *recall, struct oev_recall_item *item, unsigned sort)
{
	take_from_bucket(recall, item);
	unlink_item(recall, item);
	item->sort = sort;
	link_last(recall, item);
	add_to_bucket(recall, item);
}
