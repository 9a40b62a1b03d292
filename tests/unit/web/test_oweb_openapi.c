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

void test_oweb_openapi_suite(void)
{
	CU_pSuite suite = CU_add_suite("oweb_openapi", open_document, close_document);

	CU_add_test(suite, "every route is described", every_route_is_described);
	CU_add_test(suite, "everything described is a route", everything_described_is_a_route);
	CU_add_test(suite, "parameters are the same in both", parameters_are_the_same);
	CU_add_test(suite, "refusals are described", refusals_are_described);
}
