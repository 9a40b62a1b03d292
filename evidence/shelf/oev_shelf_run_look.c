/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Searches in a run, in memory or in its file.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oev_shelf_run.h"

#define BLOCK 64u /* entries read at once */
#define KEY_MAX                                                                                              \
	((uint64_t)1 << 47) /* pseudonyms are spread below it; more may be there, and is found by halves */
#define GUESSES_MAX 8u	    /* then by halves: keys are not spread evenly here */

/* A search, with the file it reads; -1: in memory, or the file cannot be opened. */
struct search {
	struct oev_shelf_run *run;
	int fd;
	bool is_missed; /* it could have been opened at another moment */
};

/* The file that was there before; another one has other places. */
static int open_again(const struct oev_shelf_run *run)
{
	struct stat info;
	int fd = open(run->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0 || (fstat(fd, &info) == 0 && info.st_dev == run->device && info.st_ino == run->inode))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

/* For want of descriptors or memory, of this process or of the system. */
static bool is_passing(int number)
{
	return number == EMFILE || number == ENFILE || number == ENOMEM;
}

static struct search begin(struct oev_shelf_run *run)
{
	struct search s = { .run = run, .fd = run->path != NULL ? open_again(run) : run->fd };

	s.is_missed = run->path != NULL && s.fd < 0 && is_passing(errno);
	if (s.is_missed)
		atomic_fetch_add(&run->misses, 1);
	return s;
}

static void end(const struct search *s)
{
	if (s->run->path != NULL && s->fd >= 0)
		close(s->fd);
}

static bool read_at(const struct search *s, size_t at, void *out, size_t size)
{
	if (s->run->fd < 0 && s->run->path == NULL) {
		memcpy(out, (const char *)s->run->head + at, size);
		return true;
	}
	bool is_read = s->fd >= 0 && pread(s->fd, out, size, (off_t)at) == (ssize_t)size;
	if (!is_read && !s->is_missed)
		s->run->is_broken = true;
	return is_read;
}

/* Entry number @at, by session. */
static bool entry_at(const struct search *s, size_t at, struct oev_shelf_entry *out)
{
	return at < s->run->head->entries &&
	       read_at(s, oev_shelf_run_layout(s->run->head).entries + at * sizeof(*out), out, sizeof(*out));
}

/* Entry number @at in the order of @order. */
static bool entry_of(const struct search *s, enum oev_shelf_order order, size_t at,
		     struct oev_shelf_entry *out)
{
	const struct oev_shelf_run_head *head = s->run->head;
	const struct oev_shelf_layout layout = oev_shelf_run_layout(head);
	bool is_by_last = order == OEV_SHELF_BY_LAST;
	size_t count = is_by_last ? head->entries : head->known;
	size_t front = is_by_last ? layout.by_last : layout.by_subscriber;
	uint32_t number;

	return at < count && read_at(s, front + at * sizeof(number), &number, sizeof(number)) &&
	       entry_at(s, number, out);
}

/* What a search knows: keys before @low are below the wanted one, that at @high and behind are not. */
struct span {
	size_t low, high;
	uint64_t low_key, high_key;
};

/* Where @wanted would lie if keys were spread evenly, as pseudonyms are: a few guesses do where halves take one for each power of two. */
static size_t guess(const struct span *span, uint64_t wanted)
{
	size_t count = span->high - span->low;
	double width = (double)(span->high_key - span->low_key);
	double share = width > 0 ? (double)(wanted - span->low_key) / width : 0;
	size_t at = (size_t)(share * (double)count);

	return span->low + (at < count ? at : count - 1);
}

/* Where to look next: by halves once guesses came to nothing. */
static size_t look_next(const struct span *span, uint64_t wanted, unsigned *guesses)
{
	return (*guesses)++ < GUESSES_MAX ? guess(span, wanted) : span->low + (span->high - span->low) / 2;
}

/* Entry of @session among @count of @block; NULL: it is not there. */
static const struct oev_shelf_entry *in_block(const struct oev_shelf_entry *block, size_t count,
					      uint64_t session)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (block[mid].session < session)
			low = mid + 1;
		else
			high = mid;
	}
	return low < count && block[low].session == session ? &block[low] : NULL;
}

/* Reads what lies around the place a session should have, until it is there or cannot be. */
static bool find(const struct search *s, uint64_t session, struct oev_shelf_entry *out)
{
	size_t entries = oev_shelf_run_layout(s->run->head).entries;
	struct span span = { .high = s->run->head->entries, .high_key = KEY_MAX };
	struct oev_shelf_entry block[BLOCK];
	unsigned guesses = 0;

	while (span.low < span.high) {
		size_t at = look_next(&span, session, &guesses);
		size_t from = at > span.low + BLOCK / 2 ? at - BLOCK / 2 : span.low;
		size_t count = span.high - from < BLOCK ? span.high - from : BLOCK;
		if (!read_at(s, entries + from * sizeof(*out), block, count * sizeof(*out)))
			return false;
		if (session < block[0].session) {
			span.high = from;
			span.high_key = block[0].session;
		} else if (session > block[count - 1].session) {
			span.low = from + count;
			span.low_key = block[count - 1].session;
		} else {
			const struct oev_shelf_entry *found = in_block(block, count, session);
			if (found != NULL)
				*out = *found;
			return found != NULL;
		}
	}
	return false;
}

bool oev_shelf_run_find(struct oev_shelf_run *run, uint64_t session, struct oev_shelf_entry *out)
{
	const struct search s = begin(run);
	bool is_there = find(&s, session, out);

	end(&s);
	return is_there;
}

uint32_t oev_shelf_run_hits(struct oev_shelf_run *run, const struct oev_shelf_entry *entry, uint32_t from,
			    uint32_t count, uint64_t *out)
{
	uint64_t at = (uint64_t)entry->at + from, hits = run->head->hits;
	uint32_t offs[OEV_SHELF_HITS_AT_ONCE];

	if (count > OEV_SHELF_HITS_AT_ONCE)
		count = OEV_SHELF_HITS_AT_ONCE;
	if (from >= entry->count || at >= hits)
		return 0;
	if (count > entry->count - from)
		count = entry->count - from;
	if (count > hits - at)
		count = (uint32_t)(hits - at);
	const struct search s = begin(run);
	if (!read_at(&s, oev_shelf_run_layout(run->head).hits + at * sizeof(*offs), offs,
		     count * sizeof(*offs)))
		count = 0;
	end(&s);
	for (uint32_t i = 0; i < count; i++)
		out[i] = run->head->first + offs[i];
	return count;
}

bool oev_shelf_run_entry(struct oev_shelf_run *run, enum oev_shelf_order order, size_t at,
			 struct oev_shelf_entry *out)
{
	const struct search s = begin(run);
	bool is_there = entry_of(&s, order, at, out);

	end(&s);
	return is_there;
}

/* Whose entry @at is, in the order of subscribers. */
static bool subscriber_at(const struct search *s, size_t at, uint64_t *subscriber)
{
	struct oev_shelf_entry entry;
	bool is_read = entry_of(s, OEV_SHELF_BY_SUBSCRIBER, at, &entry);

	*subscriber = is_read ? entry.subscriber : 0;
	return is_read;
}

/* The first place whose subscriber is not below @wanted. */
static size_t place(const struct search *s, uint64_t wanted)
{
	struct span span = { .high = s->run->head->known, .high_key = KEY_MAX };
	unsigned guesses = 0;
	uint64_t key;

	while (span.low < span.high) {
		size_t at = look_next(&span, wanted, &guesses);
		if (!subscriber_at(s, at, &key))
			break;
		if (key < wanted)
			span = (struct span){ at + 1, span.high, key, span.high_key };
		else
			span = (struct span){ span.low, at, span.low_key, key };
	}
	return span.low;
}

/* Behind the last entry of @subscriber, whose first one is @from: few have many. */
static size_t behind(const struct search *s, size_t from, uint64_t subscriber)
{
	size_t low = from, step = 1, known = s->run->head->known;
	uint64_t key;

	while (low + step <= known && subscriber_at(s, low + step - 1, &key) && key == subscriber) {
		low += step;
		step *= 2;
	}
	size_t high = low + step <= known ? low + step - 1 : known;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (!subscriber_at(s, mid, &key))
			break;
		if (key == subscriber)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void oev_shelf_run_range(struct oev_shelf_run *run, uint64_t subscriber, size_t *from, size_t *to)
{
	const struct search s = begin(run);

	*from = place(&s, subscriber);
	*to = behind(&s, *from, subscriber);
	end(&s);
}

uint32_t oev_shelf_run_place(struct oev_shelf_run *run, uint64_t id)
{
	uint64_t at = id - run->head->first;
	uint32_t place = 0;

	if (at >= run->head->places)
		return 0;
	const struct search s = begin(run);
	read_at(&s, oev_shelf_run_layout(run->head).places + at * sizeof(place), &place, sizeof(place));
	end(&s);
	return place;
}
