/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writing evidence out of a capture: batch by batch, in the thread of the import.
 */
#include "oev_capture_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "../store/oev_commit.h"
#include "../store/oev_scribe.h"
#include "../store/oev_sealing.h"
#include "oev_capture_folder.h"
#include "oev_event_names.h"

#define RING 8192u
#define BATCH 4096u
#define NO_SLOT UINT32_MAX
#define SLOTS_MAX 4096u /* nodes known, written or not */

static const char policy_text[] = "# How this capture was read. No agent decided anything: reports of "
				  "whoever answered are believed, and end when\n"
				  "# they say so.\n"
				  "mode: observe\n"
				  "recovery: {ramp_ms: 0}\n";

/* One node being written. */
struct slot {
	struct oev_journal *journal;
	struct oev_scribe scribe;
	struct oev_writer segment;
	struct oev_ledger ledger;
	struct oev_signer signer;
	uint64_t position; /* events stored */
	uint64_t last_ns;  /* of the capture */
	uint8_t *told;	   /* bit per name number */
	bool is_open;
	char folder[OEV_PLACE_PATH_MAX];
};

struct oev_capture_store {
	struct oev_capture_store_conf conf;
	struct oev_capture_sink sink;
	const struct oc_names *names;
	struct oev_fact *facts;
	size_t fact_count;
	uint32_t slot_count, left_out;
	uint64_t run_id;
	char folder[OEV_PLACE_PATH_MAX];
	char error[OEV_PLACE_PATH_MAX + 256];
	uint32_t slot_of[SLOTS_MAX]; /* by node, + 1; 0 not written */
	struct slot *slots[OEV_CAPTURE_FOLDERS_MAX];
};

static int fail(struct oev_capture_store *store, int rc, const char *what, const char *why)
{
	snprintf(store->error, sizeof(store->error), "%s: %s", what, why);
	return rc;
}

static struct oev_moment at(uint64_t time_ns)
{
	return (struct oev_moment){ .mono_ns = time_ns, .wall_us = time_ns / 1000 };
}

static struct oev_moment now(void)
{
	return at(oev_clock_wall_us() * 1000);
}

static bool is_taken(const struct oev_capture_store *store, const char *folder)
{
	for (uint32_t i = 0; i < store->slot_count; i++)
		if (strcmp(store->slots[i]->folder, folder) == 0)
			return true;
	return false;
}

/* The place of a slot's evidence: a folder of its name, and a number when another one looks the same. */
static int choose_folder(const struct oev_capture_store *store, const char *name, char *out)
{
	for (unsigned number = 1; number <= OEV_CAPTURE_FOLDERS_MAX; number++) {
		int rc = oev_capture_folder_path(store->folder, name, number, out);
		if (rc != OC_OK || !is_taken(store, out))
			return rc;
	}
	return OC_EINVAL;
}

static int put_public_key(struct oev_capture_store *store, const struct slot *slot)
{
	struct oev_public public_key = { .node = "" };
	struct oev_why why = { .text = "" };

	snprintf(public_key.node, sizeof(public_key.node), "%s", slot->signer.node);
	memcpy(public_key.key, oev_key_public(slot->signer.key), sizeof(public_key.key));
	int rc = oev_public_write(slot->folder, &public_key, &why);
	return rc == OC_OK ? rc : fail(store, rc, slot->folder, why.text);
}

static int commit(struct slot *slot, const struct oev_haul *haul, const struct oev_signer *signer, char *note)
{
	const struct oev_commit batch = { .first_ns = haul != NULL ? haul->first_ns : 0,
					  .last_ns = haul != NULL ? haul->last_ns : 0,
					  .journal = slot->position + (haul != NULL ? haul->events : 0),
					  .now = now(),
					  .signer = signer,
					  .note = note };
	return oev_commit(&slot->segment, &slot->ledger, &batch);
}

/* The segment with its first batch: meta, codes, policy, clock. */
static int begin_segment(struct oev_capture_store *store, struct slot *slot, uint64_t now_ns)
{
	const struct oev_moment begun = at(now_ns);
	const struct oev_recorder_conf conf = { .folder = slot->folder,
						.node = slot->signer.node,
						.realm = "",
						.kind = "capture",
						.facts = store->facts,
						.fact_count = store->fact_count,
						.synchronous = OEV_SYNC_NORMAL };
	const struct oev_part part = { .run_id = store->run_id + store->slot_count,
				       .number = 1,
				       .now = begun,
				       .flow_from = 1,
				       .way_from = 1,
				       .ending_from = 1,
				       .ledger = &slot->ledger,
				       .previous = "" };
	int rc = oev_writer_open(&slot->segment, &conf, begun.wall_us, store->error, sizeof(store->error));

	if (rc != OC_OK)
		return rc;
	slot->is_open = true;
	rc = oev_writer_put_first(&slot->segment, &conf, &part);
	if (rc == OC_OK)
		rc = oev_writer_put_policy(&slot->segment, policy_text, 1, &begun);
	if (rc == OC_OK)
		rc = oev_writer_put_clock(&slot->segment, &begun);
	if (rc == OC_OK)
		rc = commit(slot, NULL, NULL, NULL);
	oev_scribe_segment(&slot->scribe, &slot->segment, now_ns);
	return rc == OC_OK ? rc : fail(store, rc, slot->segment.path, oev_db_error(slot->segment.db));
}

static struct slot *new_slot(const struct oev_capture_store *store)
{
	static const struct oev_traffic_first first = { 1, 1, 1 };
	struct slot *slot = calloc(1, sizeof(*slot));

	if (slot == NULL)
		return NULL;
	slot->journal = oev_journal_new(RING, OEV_FULL_GAP, 0);
	slot->told = calloc(oc_names_capacity(store->names) / 8 + 1, 1);
	if (slot->journal != NULL && slot->told != NULL &&
	    oev_scribe_init(&slot->scribe, slot->journal, NULL, BATCH, &first) == OC_OK)
		return slot;
	oev_journal_free(slot->journal);
	free(slot->told);
	free(slot);
	return NULL;
}

static void free_slot(struct slot *slot)
{
	if (slot->is_open)
		oev_writer_close(&slot->segment);
	oev_scribe_fini(&slot->scribe);
	oev_journal_free(slot->journal);
	free(slot->told);
	free(slot);
}

/* Whether node number @node called @name is to be written. */
static bool is_wanted(struct oev_capture_store *store, uint32_t node, const char *name)
{
	if (store->conf.only != NULL && strcasecmp(store->conf.only, name) != 0)
		return false;
	if (node < SLOTS_MAX && store->slot_count < OEV_CAPTURE_FOLDERS_MAX)
		return true;
	store->left_out++;
	return false;
}

static int on_begin(void *ctx, uint32_t node, uint32_t name, uint64_t now_ns)
{
	struct oev_capture_store *store = ctx;
	const char *text = oc_names_text(store->names, name);

	if (!is_wanted(store, node, text))
		return OC_OK;
	struct slot *slot = new_slot(store);
	if (slot == NULL)
		return fail(store, OC_ENOMEM, text, "out of memory");
	slot->signer = (struct oev_signer){ .key = store->conf.key, .node = text };
	slot->last_ns = now_ns;
	if (choose_folder(store, text, slot->folder) != OC_OK) {
		free_slot(slot);
		return fail(store, OC_EINVAL, store->folder, "the path is too long");
	}
	store->slots[store->slot_count++] = slot;
	store->slot_of[node] = store->slot_count;
	int rc = oev_place_make(slot->folder, store->error, sizeof(store->error));
	if (rc == OC_OK)
		rc = put_public_key(store, slot);
	return rc == OC_OK ? begin_segment(store, slot, now_ns) : rc;
}

/* One batch of what waits. */
static int write_batch(struct oev_capture_store *store, struct slot *slot)
{
	uint64_t refused = 0;
	int rc = oev_db_begin(slot->segment.db);

	if (rc == OC_OK)
		rc = oev_scribe_write(&slot->scribe, &refused);
	if (rc == OC_OK && refused > 0)
		rc = OC_EREFUSED;
	if (rc == OC_OK) {
		const struct oev_moment last = at(slot->last_ns);
		rc = oev_writer_put_clock(&slot->segment, &last);
	}
	if (rc == OC_OK)
		rc = commit(slot, &slot->scribe.haul, NULL, NULL);
	if (rc != OC_OK)
		return fail(store, rc, slot->segment.path, oev_db_error(slot->segment.db));
	oev_scribe_keep(&slot->scribe);
	slot->position += slot->scribe.haul.events;
	oev_journal_pop_n(slot->journal, slot->scribe.haul.events);
	return OC_OK;
}

static int append(struct oev_capture_store *store, struct slot *slot, const struct oc_event *event)
{
	if (oev_journal_fill(slot->journal) >= BATCH) {
		int rc = write_batch(store, slot);
		if (rc != OC_OK)
			return rc;
	}
	return oev_journal_append(slot->journal, event);
}

/* Tells what number @id means before it is first used. */
static int tell_name(struct oev_capture_store *store, struct slot *slot, uint32_t id, uint64_t now_ns)
{
	struct oc_event event = { .kind = OC_EVENT_NAME, .mono_ns = now_ns };

	if (id <= OC_NAME_OVERFLOW || id >= oc_names_capacity(store->names) ||
	    (slot->told[id / 8] & 1u << id % 8) != 0)
		return OC_OK;
	slot->told[id / 8] |= (uint8_t)(1u << id % 8);
	event.u.name.id = id;
	snprintf(event.u.name.text, sizeof(event.u.name.text), "%s", oc_names_text(store->names, id));
	return append(store, slot, &event);
}

static int on_event(void *ctx, uint32_t node, const struct oc_event *event)
{
	struct oev_capture_store *store = ctx;
	uint32_t number = node < SLOTS_MAX ? store->slot_of[node] : 0, names[OEV_EVENT_NAMES_MAX];

	if (number == 0)
		return OC_OK;
	struct slot *slot = store->slots[number - 1];
	uint32_t count = oev_event_names(event, names);
	int rc = OC_OK;
	for (uint32_t i = 0; rc == OC_OK && i < count; i++)
		rc = tell_name(store, slot, names[i], event->mono_ns);
	slot->last_ns = event->mono_ns > slot->last_ns ? event->mono_ns : slot->last_ns;
	return rc == OC_OK ? append(store, slot, event) : rc;
}

/* Last rows, checkpoint, seal: then the segment is one read-only file. */
static int end_segment(struct oev_capture_store *store, struct slot *slot, uint64_t now_ns)
{
	const struct oev_moment last = at(now_ns);
	char note[OEV_NOTE_MAX];
	struct oev_seal seal = { .first = 1 };
	struct oev_why why = { .text = "" };
	int rc = oev_db_begin(slot->segment.db);

	if (rc == OC_OK)
		rc = oev_writer_put_clock(&slot->segment, &last);
	if (rc == OC_OK)
		rc = oev_writer_put_end(&slot->segment, &last, "stopped");
	if (rc == OC_OK)
		rc = commit(slot, NULL, &slot->signer, note);
	if (rc == OC_OK)
		rc = oev_db_fold(slot->segment.db);
	if (rc != OC_OK)
		return fail(store, rc, slot->segment.path, oev_db_error(slot->segment.db));
	oev_writer_close(&slot->segment);
	slot->is_open = false;
	seal.last = slot->ledger.number;
	oev_frontier_root(&slot->ledger.frontier, &seal.root);
	rc = oev_sealing(slot->segment.path, &seal, &slot->signer, oev_clock_wall_us(), note, &why);
	return rc == OC_OK ? rc : fail(store, rc, slot->segment.path, why.text);
}

static int on_end(void *ctx, uint32_t node, uint64_t now_ns)
{
	struct oev_capture_store *store = ctx;
	uint32_t number = node < SLOTS_MAX ? store->slot_of[node] : 0;

	if (number == 0)
		return OC_OK;
	struct slot *slot = store->slots[number - 1];
	int rc = OC_OK;
	while (rc == OC_OK && oev_journal_fill(slot->journal) > 0)
		rc = write_batch(store, slot);
	return rc == OC_OK ? end_segment(store, slot, now_ns > slot->last_ns ? now_ns : slot->last_ns) : rc;
}

int oev_capture_store_open(struct oev_capture_store **out, const struct oev_capture_store_conf *conf,
			   char *error, size_t error_size)
{
	int rc = oev_capture_folder_check(conf->folder, error, error_size);

	if (rc != OC_OK)
		return rc;
	if (strlen(conf->folder) >= OEV_PLACE_PATH_MAX - 256) {
		snprintf(error, error_size, "%.80s...: the path is too long", conf->folder);
		return OC_EINVAL;
	}
	rc = oev_place_make(conf->folder, error, error_size);
	if (rc != OC_OK)
		return rc;
	struct oev_capture_store *store = calloc(1, sizeof(*store));
	if (store == NULL)
		return OC_ENOMEM;
	oev_gcrypt_ready();
	store->conf = *conf;
	store->run_id = oev_clock_wall_us();
	snprintf(store->folder, sizeof(store->folder), "%s", conf->folder);
	store->sink = (struct oev_capture_sink){
		.ctx = store, .begin = on_begin, .event = on_event, .end = on_end
	};
	*out = store;
	return OC_OK;
}

int oev_capture_store_describe(struct oev_capture_store *store, const struct oc_names *names,
			       const struct oev_fact *facts, size_t fact_count)
{
	store->names = names;
	store->facts = calloc(fact_count + 1, sizeof(*store->facts));
	for (size_t i = 0; store->facts != NULL && i < fact_count; i++) {
		store->facts[i].key = strdup(facts[i].key);
		store->facts[i].value = strdup(facts[i].value);
		store->fact_count = i + 1;
		if (store->facts[i].key == NULL || store->facts[i].value == NULL)
			return OC_ENOMEM;
	}
	return store->facts != NULL ? OC_OK : OC_ENOMEM;
}

const struct oev_capture_sink *oev_capture_store_sink(const struct oev_capture_store *store)
{
	return &store->sink;
}

const char *oev_capture_store_folder(const struct oev_capture_store *store, uint32_t index)
{
	return index < store->slot_count ? store->slots[index]->folder : NULL;
}

uint32_t oev_capture_store_left_out(const struct oev_capture_store *store)
{
	return store->left_out;
}

const char *oev_capture_store_error(const struct oev_capture_store *store)
{
	return store->error;
}

void oev_capture_store_free(struct oev_capture_store *store)
{
	if (store == NULL)
		return;
	for (uint32_t i = 0; i < store->slot_count; i++)
		free_slot(store->slots[i]);
	for (size_t i = 0; i < store->fact_count; i++) {
		free((char *)store->facts[i].key);
		free((char *)store->facts[i].value);
	}
	free(store->facts);
	free(store);
}
