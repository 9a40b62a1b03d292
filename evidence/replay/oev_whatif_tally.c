/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fates, neighbours, reports, and which decisions changed.
 */
#include "oev_whatif_tally.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define NS_PER_S 1000000000u

void oev_book_fini(struct oev_whatif_book *book)
{
	oev_index_fini(&book->clients);
	oev_index_fini(&book->servers);
	for (unsigned side = 0; side < OEV_SIDES; side++)
		oev_index_fini(&book->versions[side]);
	free(book->pairs);
	book->pairs = NULL;
}

/* Room for one more zeroed item of @size at *@items, which has @count. NULL when out of memory. */
static void *grow(void **items, size_t *count, size_t size)
{
	bool is_full = (*count & (*count - 1)) == 0; /* at every power of two */

	if (is_full) {
		char *bigger = realloc(*items, (*count == 0 ? 1 : 2 * *count) * size);
		if (bigger == NULL)
			return NULL;
		*items = bigger;
	}
	char *item = (char *)*items + *count * size;
	memset(item, 0, size);
	(*count)++;
	return item;
}

/* An array that grows. */
struct items {
	void **first;
	size_t *count;
	size_t size;
};

/* Number of the life's name @id among all names; 0 when out of memory. */
static uint32_t name_of(struct oev_whatif_book *book, uint32_t id)
{
	uint32_t number = oev_names_put(&book->whatif->names, oc_names_text(book->life->conf.names, id));

	if (number == 0)
		book->rc = OC_ENOMEM;
	return number;
}

/* Remembers that @id of the life is at @place. */
static void note(struct oev_whatif_book *book, struct oev_index *index, uint64_t id, size_t place)
{
	if (oev_index_put(index, id, place + 1) != OC_OK)
		book->rc = OC_ENOMEM;
}

/* Items of which each begins with its name: the one of the life's name @id, made when there is none yet. NULL when out of memory. */
static void *item_of(struct oev_whatif_book *book, struct oev_index *index, uint32_t id,
		     const struct items *items)
{
	uint64_t place = oev_index_get(index, id);
	size_t i = 0;

	if (place != 0)
		return (char *)*items->first + (place - 1) * items->size;
	uint32_t name = name_of(book, id);
	while (i < *items->count && *(uint32_t *)((char *)*items->first + i * items->size) != name)
		i++;
	if (i == *items->count) {
		uint32_t *added = grow(items->first, items->count, items->size);
		if (added == NULL) {
			book->rc = OC_ENOMEM;
			return NULL;
		}
		*added = name;
	}
	note(book, index, id, i);
	return (char *)*items->first + i * items->size;
}

/* --- reports --- */

static size_t report_of(struct oev_whatif_book *book, const struct oc_event_ocs_version *version)
{
	struct oev_whatif *whatif = book->whatif;
	uint32_t subject = name_of(book, version->subject);

	for (size_t i = 0; i < whatif->report_count; i++) {
		const struct oev_whatif_report *at = &whatif->reports[i];
		if (at->subject == subject && at->app_id == version->app_id && at->type == version->type &&
		    at->algorithm == version->algorithm)
			return i;
	}
	struct oev_whatif_report *added =
		grow((void **)&whatif->reports, &whatif->report_count, sizeof(*added));
	if (added == NULL) {
		book->rc = OC_ENOMEM;
		return 0;
	}
	added->subject = subject;
	added->app_id = version->app_id;
	added->type = version->type;
	added->algorithm = version->algorithm;
	return whatif->report_count - 1;
}

void oev_book_version(struct oev_whatif_book *book, unsigned side, const struct oc_event_ocs_version *version)
{
	struct oev_index *versions = &book->versions[side];

	if (oev_index_get(versions, version->version) != 0) /* told again by a later part */
		return;
	size_t place = report_of(book, version);
	if (book->rc != OC_OK)
		return;
	book->whatif->reports[place].side[side].versions++;
	note(book, versions, version->version, place);
}

static void count_looks(struct oev_whatif_book *book, unsigned side, const struct oc_decision *d)
{
	const struct oc_look *looks[OC_SCOPE_COUNT] = {
		[OC_SCOPE_REALM] = &d->realm, [OC_SCOPE_HOST] = &d->host, [OC_SCOPE_PEER] = &d->peer
	};

	for (unsigned scope = OC_SCOPE_REALM; scope < OC_SCOPE_COUNT; scope++) {
		const struct oc_look *look = looks[scope];
		uint64_t place = look->nth != 0 ? oev_index_get(&book->versions[side], look->version) : 0;
		if (place == 0)
			continue;
		struct oev_whatif_report *report = &book->whatif->reports[place - 1];
		report->side[side].matched++;
		report->side[side].asked_ppm += look->share_ppm;
		report->side[side].selected += d->selected_by == scope;
	}
}

/* --- decisions --- */

static void add(struct oev_fate *fate, const struct oc_decision *d)
{
	fate->decisions++;
	fate->forwarded += d->verdict == OC_FORWARD;
	fate->diverted += d->verdict == OC_DIVERT;
	fate->refused += d->verdict == OC_REFUSE;
}

/* Times are in order but for some seconds at most, so the fullest one is found among few that are open. */
static void count_second(struct oev_whatif_server *server, unsigned side, uint64_t at_ns)
{
	uint64_t second = at_ns / NS_PER_S, place = second % OEV_SECONDS_OPEN;
	uint64_t *open = &server->side[side].second[place], *count = &server->side[side].count[place];

	if (*open != second) {
		if (*count > server->side[side].peak)
			server->side[side].peak = *count;
		*open = second;
		*count = 0;
	}
	(*count)++;
}

void oev_book_decision(struct oev_whatif_book *book, unsigned side, const struct oc_decision *d)
{
	struct oev_whatif *whatif = book->whatif;
	const struct items clients = { (void **)&whatif->clients, &whatif->client_count,
				       sizeof(*whatif->clients) };
	const struct items servers = { (void **)&whatif->servers, &whatif->server_count,
				       sizeof(*whatif->servers) };
	struct oev_whatif_client *client = item_of(book, &book->clients, d->client_peer, &clients);
	struct oev_whatif_server *server = NULL;

	if (d->verdict != OC_REFUSE && d->next_hop != OC_NAME_NONE)
		server = item_of(book, &book->servers, d->next_hop, &servers);
	add(&whatif->total[side], d);
	add(&whatif->class[d->klass < OC_CLASSES ? d->klass : OC_CLASSES - 1][side], d);
	whatif->full[side] += d->verdict == OC_REFUSE && d->why == OC_WHY_OUTSTANDING;
	if (client != NULL)
		add(&client->side[side], d);
	if (server != NULL) {
		server->side[side].requests++;
		count_second(server, side, d->out_ns != 0 ? d->out_ns : d->at_ns);
	}
	count_looks(book, side, d);
}

static struct oev_pair pair_of(unsigned side, const struct oc_decision *d)
{
	return (struct oev_pair){ .id = d->id,
				  .next_hop = d->next_hop,
				  .verdict = d->verdict,
				  .side = (uint8_t)side,
				  .is_moved = (d->flags & OC_DEC_MOVED) != 0 };
}

/* Where a request went that had to move is the host's doing, not the policy's. */
static void compare(struct oev_whatif *whatif, const struct oev_pair *before, const struct oev_pair *after)
{
	bool was_refused = before->verdict == OC_REFUSE, is_refused = after->verdict == OC_REFUSE;
	bool is_elsewhere = !was_refused && !is_refused && before->next_hop != after->next_hop &&
			    !before->is_moved && !after->is_moved;

	whatif->now_sent += was_refused && !is_refused;
	whatif->now_refused += is_refused && !was_refused;
	whatif->elsewhere += is_elsewhere;
	whatif->changed += was_refused != is_refused || is_elsewhere;
}

void oev_book_compare(struct oev_whatif_book *book, const struct oc_decision *before,
		      const struct oc_decision *after)
{
	const struct oev_pair pair[OEV_SIDES] = { pair_of(0, before), pair_of(1, after) };

	compare(book->whatif, &pair[0], &pair[1]);
}

void oev_book_pair(struct oev_whatif_book *book, unsigned side, const struct oc_decision *decision)
{
	struct oev_pair *waiting = &book->pairs[decision->id % OEV_PAIRS];
	struct oev_pair pair = pair_of(side, decision);

	if (waiting->id == decision->id && waiting->side != side) {
		compare(book->whatif, side == 0 ? &pair : waiting, side == 0 ? waiting : &pair);
		waiting->id = 0;
		return;
	}
	book->whatif->unpaired += waiting->id != 0;
	*waiting = pair;
}

void oev_whatif_settle(struct oev_whatif *whatif)
{
	for (size_t i = 0; i < whatif->server_count; i++)
		for (unsigned side = 0; side < OEV_SIDES; side++)
			for (unsigned at = 0; at < OEV_SECONDS_OPEN; at++)
				if (whatif->servers[i].side[side].count[at] >
				    whatif->servers[i].side[side].peak)
					whatif->servers[i].side[side].peak =
						whatif->servers[i].side[side].count[at];
}
