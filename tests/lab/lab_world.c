/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Nodes, links, the clock, and notes of what arrived.
 */
#include "lab_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_node.h"
#include "lab_trace.h"

#define TICK_NS (LAB_NS / 10)

uint64_t lab_chance(struct lab_world *w)
{
	uint64_t z = (w->chance += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

double lab_chance_unit(struct lab_world *w)
{
	return (double)(lab_chance(w) >> 11) / 9007199254740992.0;
}

struct lab_world *lab_world_new(void)
{
	struct lab_world *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->names = oc_names_new(512, 1);
	w->now_ns = LAB_BIRTH_NS;
	w->ticked_ns = w->now_ns;
	w->chance = 20260101;
	w->app_id = OC_APP_GX;
	return w;
}

uint32_t lab_world_free(struct lab_world *w)
{
	while (w->calls)
		lab_call_free(w, w->calls);
	for (struct lab_call *next; w->spare; w->spare = next) {
		next = w->spare->next;
		free(w->spare);
	}
	for (uint32_t i = 0; i < w->node_count; i++)
		lab_agent_stop(w, &w->nodes[i]);
	uint32_t failed = w->lives_failed;
	oc_names_free(w->names);
	free(w->notes);
	free(w);
	return failed;
}

uint32_t lab_name(struct oc_names *names, const char *text)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };

	return oc_names_id(names, bytes, NULL);
}

void lab_full_name(const char *word, char out[LAB_NAME_MAX])
{
	snprintf(out, LAB_NAME_MAX, "%.40s%s", word, strchr(word, '.') ? "" : ".example.net");
}

struct lab_node *lab_node_of(struct lab_world *w, const char *word)
{
	size_t len = strlen(word);

	for (uint32_t i = 0; i < w->node_count; i++) {
		const char *id = w->nodes[i].id;
		if (strcmp(id, word) == 0 || (strncmp(id, word, len) == 0 && id[len] == '.'))
			return &w->nodes[i];
	}
	return NULL;
}

struct lab_node *lab_node_add(struct lab_world *w, const char *word, enum lab_kind kind)
{
	if (w->node_count == LAB_NODES_MAX || lab_node_of(w, word))
		return NULL;
	struct lab_node *node = &w->nodes[w->node_count++];
	lab_full_name(word, node->id);
	snprintf(node->realm, sizeof(node->realm), "%s", strchr(node->id, '.') + 1);
	node->kind = kind;
	node->is_up = true;
	node->name = lab_name(w->names, node->id);
	node->patience_s = 1.0;
	node->host_load = -1;
	node->peer_load = -1;
	return kind != LAB_AGENT || lab_agent_start(w, node) ? node : NULL;
}

bool lab_link_add(struct lab_world *w, struct lab_node *x, struct lab_node *y, int32_t score)
{
	if (x->link_count == LAB_LINKS_MAX)
		return false;
	x->links[x->link_count++] = (struct lab_link){ .to = y, .score = score };
	if (x->agent)
		oc_agent_on_peer(x->agent, lab_name(x->names, y->id), true, w->now_ns);
	if (y->agent)
		oc_agent_on_peer(y->agent, lab_name(y->names, x->id), true, w->now_ns);
	return true;
}

/* Whether there is a way from @node to a server that @call may mean, along nodes it has not passed. */
static bool leads(const struct lab_call *call, const struct lab_node *node, uint32_t left)
{
	if (!node->is_up)
		return false;
	for (uint32_t i = 0; i < call->depth; i++)
		if (call->hops[i].node == node)
			return false;
	if (node->kind == LAB_SERVER)
		return call->dest_host[0] ? strcmp(node->id, call->dest_host) == 0
					  : strcmp(node->realm, call->dest_realm) == 0;
	for (uint32_t i = 0; left > 0 && i < node->link_count; i++)
		if (leads(call, node->links[i].to, left - 1))
			return true;
	return false;
}

uint32_t lab_ways(struct lab_world *w, const struct lab_call *call, const struct lab_node *node,
		  struct lab_link out[LAB_LINKS_MAX])
{
	uint32_t count = 0;

	(void)w;
	for (uint32_t i = 0; i < node->link_count; i++)
		if (leads(call, node->links[i].to, LAB_HOPS_MAX - call->depth))
			out[count++] = node->links[i];
	return count;
}

static void tick(struct lab_world *w)
{
	for (uint32_t i = 0; i < w->node_count; i++) {
		struct lab_node *node = &w->nodes[i];
		if (node->agent)
			oc_agent_tick(node->agent, w->now_ns);
		if (node->kind == LAB_SERVER)
			lab_server_tick(w, node);
	}
}

/* The server whose first answer is ready next, by @until_ns. */
static struct lab_node *next_ready(struct lab_world *w, uint64_t until_ns)
{
	struct lab_node *next = NULL;

	for (uint32_t i = 0; i < w->node_count; i++) {
		struct lab_node *node = &w->nodes[i];
		if (!node->service.first || node->service.is_mute || node->service.first->ready_ns > until_ns)
			continue;
		if (!next || node->service.first->ready_ns < next->service.first->ready_ns)
			next = node;
	}
	return next;
}

/* The next thing that is due by @until_ns happens. False: there is none. */
static bool step(struct lab_world *w, uint64_t until_ns)
{
	struct lab_node *server = next_ready(w, until_ns);
	struct lab_call *again = w->retry_first;
	uint64_t answer_ns = server ? server->service.first->ready_ns : UINT64_MAX;
	uint64_t retry_ns = again && again->ready_ns <= until_ns ? again->ready_ns : UINT64_MAX;
	uint64_t tick_ns = w->ticked_ns + TICK_NS <= until_ns ? w->ticked_ns + TICK_NS : UINT64_MAX;

	if (tick_ns <= answer_ns && tick_ns <= retry_ns && tick_ns != UINT64_MAX) {
		w->now_ns = w->ticked_ns = tick_ns;
		tick(w);
	} else if (retry_ns < answer_ns) {
		w->now_ns = retry_ns;
		w->retry_first = again->queue_next;
		lab_client_send(w, again);
	} else if (server) {
		/* A server that was mute answers late, not in the past. */
		w->now_ns = answer_ns > w->now_ns ? answer_ns : w->now_ns;
		lab_server_ready(w, server);
	} else {
		return false;
	}
	return true;
}

void lab_run_until(struct lab_world *w, uint64_t until_ns)
{
	while (step(w, until_ns))
		;
	w->now_ns = until_ns;
}

void lab_forget(struct lab_world *w)
{
	w->note_count = 0;
	for (uint32_t i = 0; i < w->node_count; i++)
		w->nodes[i].counts = (struct lab_counts){ 0 };
}

void lab_note_add(struct lab_world *w, struct lab_node *node, struct lab_node *from,
		  const struct lab_octets *octets)
{
	if (w->note_count == w->note_room) {
		size_t room = w->note_room ? w->note_room * 2 : 4096;
		struct lab_note *notes = realloc(w->notes, room * sizeof(*notes));
		if (!notes)
			abort();
		w->notes = notes;
		w->note_room = room;
	}
	struct lab_note *note = &w->notes[w->note_count++];
	struct oc_bytes bytes = { .data = octets->data, .len = octets->len };
	struct oc_msg msg = { 0 };
	if (oc_msg_scan(bytes, w->names, NULL, &msg, NULL) != 0)
		abort();
	*note = (struct lab_note){ .node = node,
				   .from = from,
				   .caps = msg.caps,
				   .origin_host = msg.origin_host,
				   .result_code = msg.result_code,
				   .flags = msg.flags,
				   .drmp = msg.hints & OC_HINT_DRMP ? msg.drmp : OC_DRMP_NONE,
				   .olr_count = msg.olr_count,
				   .load_count = msg.load_count };
	memcpy(note->olr, msg.olr, sizeof(note->olr));
	memcpy(note->load, msg.load, sizeof(note->load));
	if (w->is_tracing)
		lab_trace(w, node, from, &msg);
}
