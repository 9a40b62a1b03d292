/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Nearest matches for mistyped words, and a look over the options before argp takes them.
 */
#include <string.h>

#include "cli.h"

#define WORD_MAX 64u
#define OPTIONS_MAX 64u

/* The option named by the first @length octets of @name: whole, or a beginning that fits only one. */
static const struct argp_option *find(const struct argp_option *options, const char *name, size_t length)
{
	const struct argp_option *found = NULL;

	for (; options->name != NULL || options->key != 0; options++) {
		if (options->name == NULL || strncmp(options->name, name, length) != 0)
			continue;
		if (strlen(options->name) == length)
			return options;
		if (found != NULL)
			return NULL;
		found = options;
	}
	return found;
}

static const struct argp_option *find_letter(const struct argp_option *options, char letter)
{
	for (; options->name != NULL || options->key != 0; options++)
		if (options->key == letter)
			return options;
	return NULL;
}

static void say_unknown(const char *name, size_t length, const struct argp_option *options, char *error,
			size_t size)
{
	const char *words[OPTIONS_MAX] = { NULL };
	char word[WORD_MAX];
	size_t count = 0;

	snprintf(word, sizeof(word), "%.*s", (int)(length < WORD_MAX ? length : WORD_MAX - 1), name);
	for (; (options->name != NULL || options->key != 0) && count + 1 < OPTIONS_MAX; options++)
		if (options->name != NULL)
			words[count++] = options->name;
	const char *near = oev_nearest(word, words);
	if (near != NULL)
		snprintf(error, size, "no option \"--%s\"; did you mean \"--%s\"?", word, near);
	else
		snprintf(error, size, "no option \"--%s\"", word);
}

int cli_check_options(int argc, char **argv, const struct argp_option *options, char *error, size_t size)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], "--", 2) != 0)
			continue;
		const char *name = argv[i] + 2;
		size_t length = strcspn(name, "=");
		const struct argp_option *option = find(options, name, length);
		if (option == NULL) {
			say_unknown(name, length, options, error, size);
			return CLI_USAGE;
		}
		if (option->arg == NULL || name[length] == '=')
			continue;
		if (++i >= argc) {
			snprintf(error, size, "option \"--%s\" needs a value (%s)", option->name,
				 option->arg);
			return CLI_USAGE;
		}
	}
	return CLI_OK;
}

/* Long options were right, so a letter is not: the first that is none, or has no value. */
static void say_short(int argc, char **argv, const struct argp_option *options, char *error, size_t size)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0' || argv[i][1] == '-')
			continue;
		for (const char *letter = argv[i] + 1; *letter != '\0'; letter++) {
			const struct argp_option *option = find_letter(options, *letter);
			if (option == NULL)
				snprintf(error, size, "no option \"-%c\"", *letter);
			else if (option->arg != NULL && letter[1] == '\0' && i + 1 >= argc)
				snprintf(error, size, "option \"-%c\" needs a value (%s)", *letter,
					 option->arg);
			if (error[0] != '\0')
				return;
			if (option->arg != NULL)
				break; /* what follows is its value */
		}
	}
	snprintf(error, size, "unknown or incomplete option");
}

int cli_parse_options(const struct argp *parser, int argc, char **argv, void *settings, char *error,
		      size_t size)
{
	int rc = cli_check_options(argc, argv, parser->options, error, size);

	if (rc != CLI_OK)
		return rc;
	if (argp_parse(parser, argc, argv, ARGP_SILENT, NULL, settings) == 0)
		return CLI_OK;
	if (error[0] == '\0')
		say_short(argc, argv, parser->options, error, size);
	return CLI_USAGE;
}

bool cli_wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}
