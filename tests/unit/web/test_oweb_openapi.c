/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Holds web/openapi.yaml and the table of routes against each other, both ways.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "help_web.h"
#include "web/oweb_evidence.h"
#include "web/oweb_route.h"

void test_oweb_openapi_suite(void);

static yaml_document_t document;

static int open_document(void)
{
	FILE *file = fopen(DOIC_SOURCE_DIR "/web/openapi.yaml", "r");
	yaml_parser_t parser;

	yaml_parser_initialize(&parser);
	if (file != NULL)
		yaml_parser_set_input_file(&parser, file);
	int ok = file != NULL && yaml_parser_load(&parser, &document);
	yaml_parser_delete(&parser);
	if (file != NULL)
		fclose(file);
	return !ok;
}

static int close_document(void)
{
	yaml_document_delete(&document);
	return 0;
}

static const char *text_of(const yaml_node_t *node)
{
	return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* What @map has at @key; NULL. */
static yaml_node_t *at(yaml_node_t *map, const char *key)
{
	if (map == NULL || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top;
	     pair++)
		if (strcmp(text_of(yaml_document_get_node(&document, pair->key)), key) == 0)
			return yaml_document_get_node(&document, pair->value);
	return NULL;
}

static yaml_node_t *paths(void)
{
	return at(yaml_document_get_root_node(&document), "paths");
}

static yaml_node_t *operation_of(const struct oweb_route *route)
{
	char method[16] = "";

	for (size_t i = 0; route->method[i] != '\0' && i + 1 < sizeof(method); i++)
		method[i] = (char)(route->method[i] | 0x20);
	return at(at(paths(), route->pattern), method);
}

static const struct oweb_route *route_of(const char *path, const char *method)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++)
		if (strcmp(route->pattern, path) == 0 && strcasecmp(route->method, method) == 0)
			return route;
	return NULL;
}

static void every_route_is_described(void)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		yaml_node_t *operation = operation_of(route);
		if (operation == NULL || strcmp(text_of(at(operation, "summary")), route->summary) != 0)
			fprintf(stderr, "not described, or otherwise: %s %s\n", route->method,
				route->pattern);
		CU_ASSERT_PTR_NOT_NULL(operation);
		CU_ASSERT_STRING_EQUAL(text_of(at(operation, "summary")), route->summary);
		CU_ASSERT_PTR_NOT_NULL(at(operation, "operationId"));
		bool takes_body = route->flags & (OWEB_TAKES_JSON | OWEB_TAKES_YAML | OWEB_TAKES_TABLE);
		CU_ASSERT_EQUAL(at(operation, "requestBody") != NULL, takes_body);
	}
}

static void everything_described_is_a_route(void)
{
	yaml_node_t *all = paths();

	CU_ASSERT_FATAL(all != NULL && all->type == YAML_MAPPING_NODE);
	for (yaml_node_pair_t *path = all->data.mapping.pairs.start; path < all->data.mapping.pairs.top;
	     path++) {
		yaml_node_t *methods = yaml_document_get_node(&document, path->value);
		for (yaml_node_pair_t *pair = methods->data.mapping.pairs.start;
		     pair < methods->data.mapping.pairs.top; pair++) {
			const char *pattern = text_of(yaml_document_get_node(&document, path->key));
			const char *method = text_of(yaml_document_get_node(&document, pair->key));
			if (route_of(pattern, method) == NULL)
				fprintf(stderr, "no such route: %s %s\n", method, pattern);
			CU_ASSERT_PTR_NOT_NULL(route_of(pattern, method));
		}
	}
}

/* The parameter @name in @place of @operation. */
static bool has_parameter(yaml_node_t *operation, const char *place, const char *name)
{
	yaml_node_t *list = at(operation, "parameters");

	if (list == NULL)
		return false;
	for (yaml_node_item_t *item = list->data.sequence.items.start; item < list->data.sequence.items.top;
	     item++) {
		yaml_node_t *node = yaml_document_get_node(&document, *item);
		const char *reference = text_of(at(node, "$ref"));
		const char *known = strrchr(reference, '/');
		if (known != NULL && strcmp(place, "path") == 0 && strcmp(known + 1, name) == 0)
			return true;
		if (strcmp(text_of(at(node, "name")), name) == 0 &&
		    strcmp(text_of(at(node, "in")), place) == 0)
			return true;
	}
	return false;
}

static uint32_t count_query(yaml_node_t *operation)
{
	yaml_node_t *list = at(operation, "parameters");
	uint32_t count = 0;

	if (list == NULL)
		return 0;
	for (yaml_node_item_t *item = list->data.sequence.items.start; item < list->data.sequence.items.top;
	     item++)
		count += strcmp(text_of(at(yaml_document_get_node(&document, *item), "in")), "query") == 0;
	return count;
}

static void parameters_are_the_same(void)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		yaml_node_t *operation = operation_of(route);
		uint32_t count = 0;
		for (const struct oweb_param *param = route->params; param != NULL && param->name != NULL;
		     param++, count++)
			CU_ASSERT(has_parameter(operation, "query", param->name));
		CU_ASSERT_EQUAL(count_query(operation), count);
		for (const char *open = strchr(route->pattern, '{'); open != NULL;
		     open = strchr(open + 1, '{')) {
			char name[24];
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(open + 1, "}"), open + 1);
			CU_ASSERT(has_parameter(operation, "path", name));
		}
		bool needs_match = route->flags & OWEB_IF_MATCH;
		CU_ASSERT_EQUAL(has_parameter(operation, "header", "If-Match"), needs_match);
	}
}

static void refusals_are_described(void)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		yaml_node_t *responses = at(operation_of(route), "responses");
		if (route->role == OWEB_ROLE_ADMINISTRATOR) {
			CU_ASSERT_PTR_NOT_NULL(at(responses, "401"));
			CU_ASSERT_PTR_NOT_NULL(at(responses, "403"));
		}
		if (route->flags & OWEB_IF_MATCH) {
			CU_ASSERT_PTR_NOT_NULL(at(responses, "412"));
			CU_ASSERT_PTR_NOT_NULL(at(responses, "428"));
		}
	}
}

static yaml_node_t *schema(const char *name)
{
	return at(at(at(yaml_document_get_root_node(&document), "components"), "schemas"), name);
}

/* The words of the parameter "list". */
static yaml_node_t *list_names(void)
{
	yaml_node_t *parameters = at(at(at(paths(), "/api/v1/evidence/{list}"), "get"), "parameters");

	CU_ASSERT_FATAL(parameters != NULL && parameters->type == YAML_SEQUENCE_NODE);
	for (yaml_node_item_t *item = parameters->data.sequence.items.start;
	     item < parameters->data.sequence.items.top; item++) {
		yaml_node_t *parameter = yaml_document_get_node(&document, *item);
		if (strcmp(text_of(at(parameter, "name")), "list") == 0)
			return at(at(parameter, "schema"), "enum");
	}
	return NULL;
}

static bool has_word(const yaml_node_t *words, const char *word)
{
	for (yaml_node_item_t *item = words->data.sequence.items.start; item < words->data.sequence.items.top;
	     item++)
		if (strcmp(text_of(yaml_document_get_node(&document, *item)), word) == 0)
			return true;
	return false;
}

/* A row with something in every column, as the API gives it. */
static json_t *full_row(enum oev_shelf_list list)
{
	struct oev_shelf_cell cells[OEV_SHELF_COLUMNS_MAX] = { 0 };
	const struct oev_shelf_list_row row = {
		.run = "r", .segment = "seg-1.db", .row = 1, .wall_us = 1796000000000000, .cells = cells
	};
	size_t count;
	const struct oev_shelf_column *columns = oev_shelf_list_columns(list, &count);

	for (size_t i = 0; i < count; i++)
		cells[i] = (struct oev_shelf_cell){ .kind = columns[i].kind, .number = 1, .text = "x" };
	return oweb_view_row(list, &row);
}

static const char *type_of(const json_t *value)
{
	return json_is_integer(value) ? "integer" : json_is_real(value) ? "number" : "string";
}

/* Every list of the code, with every member of its rows, and its type. */
static void every_list_is_described(void)
{
	const yaml_node_t *names = list_names();
	char text[64];

	CU_ASSERT_FATAL(names != NULL && names->type == YAML_SEQUENCE_NODE);
	CU_ASSERT_EQUAL(names->data.sequence.items.top - names->data.sequence.items.start,
			OEV_SHELF_LIST_COUNT);
	for (int list = 0; list < OEV_SHELF_LIST_COUNT; list++) {
		const char *name = oev_shelf_list_text((enum oev_shelf_list)list), *key;
		json_t *row = full_row((enum oev_shelf_list)list), *value;
		CU_ASSERT_TRUE(has_word(names, name));
		snprintf(text, sizeof(text), "row_%s", name);
		yaml_node_t *properties = at(schema(text), "properties");
		CU_ASSERT_PTR_NOT_NULL(properties);
		json_object_foreach(row, key, value)
		{
			yaml_node_t *property = at(properties, key);
			bool is_known = strcmp(key, "id") == 0 || strcmp(key, "time") == 0 ||
					strcmp(text_of(at(property, "type")), type_of(value)) == 0;
			if (property == NULL || !is_known)
				fprintf(stderr, "not described, or otherwise: %s.%s\n", text, key);
			CU_ASSERT_TRUE(property != NULL && is_known);
		}
		json_decref(row);
	}
}

void test_oweb_openapi_suite(void)
{
	CU_pSuite suite = CU_add_suite("oweb_openapi", open_document, close_document);

	CU_add_test(suite, "every route is described", every_route_is_described);
	CU_add_test(suite, "everything described is a route", everything_described_is_a_route);
	CU_add_test(suite, "parameters are the same in both", parameters_are_the_same);
	CU_add_test(suite, "every list is described", every_list_is_described);
	CU_add_test(suite, "refusals are described", refusals_are_described);
}
