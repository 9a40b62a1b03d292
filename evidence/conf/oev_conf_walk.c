/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Follows libyaml's events through one document, keeping the path of the key it is at.
 */
#include "oev_conf_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "../../agent/oc_err.h"
#include "oev_conf_check.h"
#include "oev_conf_syntax.h"

/* The table nests five deep; what is deeper was refused as the wrong shape before it could be entered. */
#define DEPTH_MAX 8u

struct frame {
	bool is_list;
	bool has_key;	 /* mapping: a key was read, its value is next */
	uint32_t items;	 /* list: entries so far */
	size_t path_len; /* of the list or mapping itself */
};

struct walk {
	struct oev_conf_doc *doc;
	struct frame frames[DEPTH_MAX];
	size_t depth;
	uint32_t documents;
	struct oev_conf_place at; /* path and key_line of the current key */
	uint32_t skipped_depth;	  /* lists and mappings open inside a value that is passed over */
	bool is_skipping;	  /* the next value belongs to a key that is wrong, or is being passed over */
};

static void move_to(struct oev_conf_place *at, const yaml_mark_t *mark)
{
	at->line = (uint32_t)mark->line + 1;
	at->column = (uint32_t)mark->column + 1;
}

/* One value is complete: back to the path of what holds it. */
static void leave_value(struct walk *walk)
{
	if (walk->depth == 0)
		return;
	walk->frames[walk->depth - 1].has_key = false;
	walk->at.path[walk->frames[walk->depth - 1].path_len] = '\0';
}

static int enter(struct walk *walk, bool is_list)
{
	if (walk->depth == DEPTH_MAX)
		return oev_conf_doc_fail(walk->doc, &walk->at, OC_EMALFORMED, "nested too deeply");
	walk->frames[walk->depth++] = (struct frame){ .is_list = is_list, .path_len = strlen(walk->at.path) };
	return OC_OK;
}

static int take_key(struct walk *walk, const yaml_event_t *event)
{
	struct frame *frame = &walk->frames[walk->depth - 1];
	char parent[OEV_CONF_NAME_MAX];
	char extract[OEV_CONF_EXTRACT_MAX];
	const char *key = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;
	size_t room = OEV_CONF_NAME_MAX - frame->path_len;

	memcpy(parent, walk->at.path, sizeof(parent));
	oev_conf_extract(key, len, extract);
	/* A path cut here cannot match: extract shows more than the longest key of the table. */
	snprintf(walk->at.path + frame->path_len, room, "%s%s", frame->path_len > 0 ? "." : "", extract);
	walk->at.key_line = walk->at.line;
	frame->has_key = true;
	return oev_conf_check_key(walk->doc, &walk->at, parent, key, len);
}

static void take_position(struct walk *walk)
{
	struct frame *frame = &walk->frames[walk->depth - 1];

	snprintf(walk->at.path + frame->path_len, OEV_CONF_NAME_MAX - frame->path_len, "[%" PRIu32 "]",
		 frame->items++);
	walk->at.key_line = walk->at.line;
}

static void node_from(struct oev_conf_node *node, const yaml_event_t *event)
{
	node->shape = OEV_SHAPE_MAPPING;
	if (event->type == YAML_SEQUENCE_START_EVENT)
		node->shape = OEV_SHAPE_LIST;
	if (event->type != YAML_SCALAR_EVENT)
		return;
	node->shape = OEV_SHAPE_SCALAR;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->text = (const char *)event->data.scalar.value;
	node->len = event->data.scalar.length;
}

static int take_value(struct walk *walk, const yaml_event_t *event)
{
	struct oev_conf_node node = { .at = walk->at };
	int err;

	node_from(&node, event);
	/* A document of comments only, or "---" alone, is an empty one: every key keeps its default. */
	if (walk->depth == 0 && node.shape == OEV_SHAPE_SCALAR && node.plain && node.len == 0)
		return OC_OK;
	err = oev_conf_check_node(walk->doc, &node);
	if (err == OC_OK && walk->depth > 0)
		err = oev_conf_doc_add(walk->doc, &node.at);
	if (err != OC_OK)
		return err;
	if (node.shape != OEV_SHAPE_SCALAR)
		return enter(walk, node.shape == OEV_SHAPE_LIST);
	leave_value(walk);
	return OC_OK;
}

/* Tags would change types and anchors open the door to self-expanding documents: neither is needed here. */
static int refuse_marks(struct walk *walk, const yaml_event_t *event)
{
	const yaml_char_t *anchor = event->data.scalar.anchor;
	const yaml_char_t *tag = event->data.scalar.tag;

	if (event->type == YAML_SEQUENCE_START_EVENT) {
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
	}
	if (anchor != NULL)
		return oev_conf_doc_fail(walk->doc, &walk->at, OC_EMALFORMED,
					 "anchors (&name) are not supported; write the value out");
	if (tag != NULL)
		return oev_conf_doc_fail(walk->doc, &walk->at, OC_EMALFORMED,
					 "tags (!name) are not supported; write the plain value");
	return OC_OK;
}

static int take_node(struct walk *walk, const yaml_event_t *event)
{
	struct frame *frame = walk->depth > 0 ? &walk->frames[walk->depth - 1] : NULL;
	int err = refuse_marks(walk, event);

	if (err != OC_OK)
		return err;
	if (frame != NULL && frame->is_list)
		take_position(walk);
	if (frame == NULL || frame->is_list || frame->has_key)
		return take_value(walk, event);
	if (event->type == YAML_SCALAR_EVENT)
		return take_key(walk, event);
	return oev_conf_doc_fail(walk->doc, &walk->at, OC_EMALFORMED,
				 "a key must be a word, not a list or keys");
}

static int take_event(struct walk *walk, const yaml_event_t *event)
{
	move_to(&walk->at, &event->start_mark);
	switch (event->type) {
	case YAML_SCALAR_EVENT:
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return take_node(walk, event);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		walk->depth--;
		oev_conf_note_missing(walk->doc, walk->at.path);
		leave_value(walk);
		return OC_OK;
	case YAML_ALIAS_EVENT:
		return oev_conf_doc_fail(
			walk->doc, &walk->at, OC_EMALFORMED,
			"aliases (*name) are not supported; quote a text that starts with *");
	case YAML_DOCUMENT_START_EVENT:
		if (++walk->documents > 1)
			return oev_conf_doc_fail(walk->doc, &walk->at, OC_EMALFORMED,
						 "a second document begins (allowed: one document)");
		return OC_OK;
	default:
		return OC_OK;
	}
}

/* Passes over a value; true when @event was part of it. */
static bool skip(struct walk *walk, const yaml_event_t *event)
{
	if (!walk->is_skipping)
		return false;
	if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT)
		walk->skipped_depth++;
	else if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT)
		walk->skipped_depth--;
	if (walk->skipped_depth == 0) {
		walk->is_skipping = false;
		leave_value(walk);
	}
	return true;
}

/* After a mistake at @event: notes it and finds the place to go on from. Returns @err when there is none. */
static int recover(struct walk *walk, const yaml_event_t *event, bool was_key, int err)
{
	bool is_value = event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
			event->type == YAML_MAPPING_START_EVENT || event->type == YAML_ALIAS_EVENT;

	if (!walk->doc->errors || err == OC_ENOMEM)
		return err;
	oev_conf_errors_add(walk->doc->errors, walk->doc->file, walk->doc->error);
	if (!is_value || walk->depth == 0 || (was_key && event->type != YAML_SCALAR_EVENT))
		return err;
	walk->is_skipping = true;
	if (!was_key)
		(void)skip(walk, event);
	return OC_OK;
}

/* Whether what comes next is a key. */
static bool awaits_key(const struct walk *walk)
{
	const struct frame *frame = walk->depth > 0 ? &walk->frames[walk->depth - 1] : NULL;

	return frame && !frame->is_list && !frame->has_key;
}

static int take(struct walk *walk, const yaml_event_t *event)
{
	bool was_key = awaits_key(walk);

	if (skip(walk, event))
		return OC_OK;
	int err = take_event(walk, event);
	return err == OC_OK ? OC_OK : recover(walk, event, was_key, err);
}

static int walk_events(struct walk *walk, yaml_parser_t *parser)
{
	yaml_event_t event;
	bool done = false;
	int err = OC_OK;

	while (err == OC_OK && !done) {
		if (!yaml_parser_parse(parser, &event)) {
			err = oev_conf_syntax_error(walk->doc, parser);
			if (walk->doc->errors)
				oev_conf_errors_add(walk->doc->errors, walk->doc->file, walk->doc->error);
			return err;
		}
		done = event.type == YAML_STREAM_END_EVENT;
		err = take(walk, &event);
		yaml_event_delete(&event);
	}
	return err;
}

int oev_conf_walk(struct oev_conf_doc *doc)
{
	struct walk walk = { .doc = doc, .at = { .line = 1, .column = 1 } };
	yaml_parser_t parser;
	int err = oev_conf_syntax_precheck(doc);

	if (err != OC_OK && doc->errors)
		oev_conf_errors_add(doc->errors, doc->file, doc->error);
	if (err != OC_OK)
		return err;
	if (!yaml_parser_initialize(&parser))
		return oev_conf_doc_fail(doc, &walk.at, OC_ENOMEM, "out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)doc->text, doc->len);
	err = walk_events(&walk, &parser);
	yaml_parser_delete(&parser);
	return err == OC_OK && doc->errors && doc->errors->all > 0 ? OC_EMALFORMED : err;
}
