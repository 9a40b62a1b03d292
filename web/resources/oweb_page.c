/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The page and what it loads. Who has scripts off finds the first screen's sentences and nodes in it.
 */
#include <string.h>

#include "../assets/oweb_assets.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_sentence.h"
#include "../oweb_text.h"
#include "../oweb_view.h"

#define NODES_MAX 50u

static const char mark[] = "<!--@SENTENCES@-->";

static const struct oweb_asset *find(const char *path)
{
	for (const struct oweb_asset *asset = oweb_assets; asset->path != NULL; asset++)
		if (strcmp(asset->path, path) == 0)
			return asset;
	return NULL;
}

static void put_escaped(struct oweb_text *text, const char *plain)
{
	for (; *plain != '\0'; plain++) {
		const char *entity = *plain == '<'   ? "&lt;"
				     : *plain == '>' ? "&gt;"
				     : *plain == '&' ? "&amp;"
				     : *plain == '"' ? "&quot;"
						     : NULL;
		if (entity != NULL)
			oweb_text_put(text, entity);
		else
			oweb_text_add(text, plain, 1);
	}
}

static void put_sentences(struct oweb_text *text, const json_t *state)
{
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(state, "sentences"), i, one)
	{
		struct oweb_text plain = { 0 };
		oweb_sentence_text(one, &plain);
		oweb_text_put(text, "<p>");
		put_escaped(text, plain.data != NULL ? plain.data : "");
		oweb_text_put(text, "</p>\n");
		oweb_text_free(&plain);
	}
}

static void put_cell(struct oweb_text *text, const json_t *of, const char *key)
{
	const json_t *value = json_object_get(of, key);

	if (json_is_integer(value))
		oweb_text_format(text, "<td>%" JSON_INTEGER_FORMAT "</td>", json_integer_value(value));
	else
		oweb_text_put(text, "<td>&#8211;</td>"); /* not known is no 0 */
}

static void put_node(struct oweb_text *text, const char *name, const json_t *node)
{
	const json_t *client = json_object_get(node, "client"), *server = json_object_get(node, "server");

	oweb_text_put(text, "<tr><th>");
	put_escaped(text, name);
	oweb_text_format(text, "</th><td>%s</td>",
			 json_is_true(json_object_get(node, "up")) ? "connected" : "&#8211;");
	put_cell(text, client, "requests");
	put_cell(text, client, "refused");
	put_cell(text, server, "sent");
	put_cell(text, server, "answers");
	put_cell(text, server, "useful");
	oweb_text_put(text, "</tr>\n");
}

/* What nodes sent, were sent and answered in the last second. */
static void put_nodes(struct oweb_text *text, const json_t *state)
{
	json_t *node, *nodes = json_object_get(state, "nodes");
	unsigned rows = 0;
	const char *name;

	if (json_object_size(nodes) > 0)
		oweb_text_put(text,
			      "<table><tr><th>Node</th><th>Is</th><th>Requests/s from it</th><th>refused</th>"
			      "<th>Sent/s to it</th><th>answers</th><th>useful</th></tr>\n");
	json_object_foreach(nodes, name, node)
	{
		if (rows++ < NODES_MAX)
			put_node(text, name, node);
	}
	if (rows > 0)
		oweb_text_put(text, "</table>\n");
	if (rows > NODES_MAX)
		oweb_text_format(text, "<p>and %u more</p>\n", rows - NODES_MAX);
}

/* What is said of the agent is for those who may read it. */
static void put_state(struct oweb_text *text, const struct oweb_request *request)
{
	if (request->who.role < OWEB_ROLE_OBSERVER) {
		oweb_text_put(text, "<p>reading needs a token here</p>\n");
		return;
	}
	json_t *state = oweb_view_state(request->server);

	put_sentences(text, state);
	put_nodes(text, state);
	json_decref(state);
}

void oweb_page_get(struct oweb_request *request)
{
	const struct oweb_asset *page = find("/");
	struct oweb_text text = { 0 };

	if (page == NULL) {
		oweb_problem(request, OWEB_P_NOT_FOUND, "there is no page in this build");
		return;
	}
	const char *whole = (const char *)page->data, *at = memmem(whole, page->len, mark, sizeof(mark) - 1);
	size_t head = at != NULL ? (size_t)(at - whole) : page->len;
	oweb_text_add(&text, whole, head);
	if (at != NULL) {
		put_state(&text, request);
		oweb_text_add(&text, at + sizeof(mark) - 1, page->len - head - (sizeof(mark) - 1));
	}
	oweb_reply_text(request, 200, page->mime, text.failed ? NULL : text.data, text.len);
	request->reply.is_page = true;
}

void oweb_asset_get(struct oweb_request *request)
{
	const struct oweb_asset *asset = find(request->path);

	if (asset == NULL) {
		oweb_problem(request, OWEB_P_NOT_FOUND, "there is no such file; load the page again");
		return;
	}
	oweb_reply_constant(request, 200, asset->mime, (const char *)asset->data, asset->len);
	oweb_reply_etag(request, asset->etag);
	request->reply.is_page = true;
	request->reply.is_immutable = asset->is_immutable;
}
