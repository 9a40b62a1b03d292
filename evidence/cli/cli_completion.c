/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic completion: scripts for three shells, made of the verb table and of the verbs' option tables.
 */
#include <string.h>

#include "cli.h"

const char cli_completion_help[] = "doic completion bash > /usr/share/bash-completion/completions/doic\n\n"
				   "Prints a script that completes verbs, options and files of this command "
				   "line, for bash, zsh or fish.\n\n"
				   "  bash   source it, or save it as above\n"
				   "  zsh    save it as _doic in a folder of $fpath\n"
				   "  fish   save it as ~/.config/fish/completions/doic.fish\n\n"
				   "exit: 0 done, 2 usage\n"
				   "more: man doic\n";

/* What an option's value may be, by the name it has in the option tables: words, else a file or nothing to offer. */
static const struct {
	const char *arg, *words;
} values[] = {
	{ "WHEN", "auto always never" },
	{ "KIND", "auto bar plain json none" },
	{ "STEP", "asked held selected arrived useful" },
	{ "PART", "reduction scope recovery all" },
	{ "IDENTITY", "session subscriber" },
	{ "APP", "gx rx gy s6a cx swx gxx s9" },
};
#define VALUE_COUNT (sizeof(values) / sizeof(values[0]))

/* Words that follow a word of a verb; NULL where files do. */
static const struct {
	const char *verb, *word, *next;
} follows[] = {
	{ "ctl", "policy", "show history check diff apply rollback" },
	{ "ctl", "report", "set end list" },
	{ "ctl", "load", "set list" },
	{ "ctl", "check", NULL }, /* of "policy check", likewise below */
	{ "ctl", "apply", NULL },
};
#define FOLLOW_COUNT (sizeof(follows) / sizeof(follows[0]))

static bool has_follows(const struct cli_verb *verb)
{
	for (size_t i = 0; i < FOLLOW_COUNT; i++)
		if (strcmp(follows[i].verb, verb->name) == 0)
			return true;
	return false;
}

static const char *words_of(const char *arg)
{
	for (size_t i = 0; i < VALUE_COUNT; i++)
		if (strcmp(values[i].arg, arg) == 0)
			return values[i].words;
	return NULL;
}

static bool is_file(const char *arg)
{
	return strcmp(arg, "FILE") == 0 || strcmp(arg, "PATH") == 0 || strcmp(arg, "FOLDER") == 0;
}

static bool is_end(const struct argp_option *option)
{
	return option->name == NULL && option->key == 0;
}

static bool is_short(const struct argp_option *option)
{
	return option->key > ' ' && option->key <= '~';
}

/* Inside single quotes of any of the three shells. */
static void print_quoted(const char *text, const char *escaped)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\'", stdout);
		else if (strchr(escaped, *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
}

static void print_verb_names(void)
{
	for (size_t i = 0; cli_verb_at(i) != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", cli_verb_at(i)->name);
}

/* The arguments of @verb that are words; whether there are any. */
static bool print_words(const struct cli_verb *verb, const char *before, const char *after)
{
	if (verb->words == NULL || verb->words[0] == '\0')
		return false;
	fputs(before, stdout);
	if (strcmp(verb->words, "VERB") == 0)
		print_verb_names();
	else
		fputs(verb->words, stdout);
	fputs(after, stdout);
	return true;
}

/* What may follow an option; where that is not known, and the verb has words of its own, not those. */
static void bash_values(const struct cli_verb *verb)
{
	for (const struct argp_option *o = verb->options; o != NULL && !is_end(o); o++) {
		const char *words = o->arg != NULL ? words_of(o->arg) : NULL;
		if (o->name != NULL && o->arg != NULL && (words != NULL || verb->words != NULL))
			printf("\t'%s --%s') words='%s' ;;\n", verb->name, o->name,
			       words != NULL ? words : "");
	}
}

static void bash_follows(void)
{
	for (size_t i = 0; i < FOLLOW_COUNT; i++)
		printf("\t'%s %s') words='%s' ;;\n", follows[i].verb, follows[i].word,
		       follows[i].next != NULL ? follows[i].next : "");
}

static void bash_verb(const struct cli_verb *verb)
{
	printf("\t%s)\n\t\toptions='", verb->name);
	for (const struct argp_option *o = verb->options; o != NULL && !is_end(o); o++)
		if (o->name != NULL)
			printf("--%s ", o->name);
	printf("%s'\n", verb->options == NULL ? "--help" : "");
	print_words(verb, "\t\twords='", "'\n");
	printf("\t\t;;\n");
}

/* What it does not answer, bash completes as file names. */
static void print_bash(void)
{
	printf("# bash completion of doic; made by: doic completion bash\n_doic() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words='' options=''\n\tCOMPREPLY=()\n"
	       "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tmapfile -t COMPREPLY < <(compgen -W '");
	print_verb_names();
	printf(" --help --version' -- \"$cur\")\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n");
	for (size_t i = 0; cli_verb_at(i) != NULL; i++)
		bash_verb(cli_verb_at(i));
	printf("\tesac\n\tcase \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}\" in\n");
	for (size_t i = 0; cli_verb_at(i) != NULL; i++)
		bash_values(cli_verb_at(i));
	bash_follows();
	printf("\tesac\n\t[[ $cur != -* ]] || words=$options\n"
	       "\t[ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
	       "complete -o default -F _doic doic\n");
}

static void zsh_option(const struct argp_option *option)
{
	const char *words = option->arg != NULL ? words_of(option->arg) : NULL;

	if (is_short(option))
		printf(" \\\n\t\t\t'-%c%s%s%s'", option->key, option->arg != NULL ? ":" : "",
		       option->arg != NULL ? option->arg : "",
		       option->arg == NULL    ? ""
		       : is_file(option->arg) ? ":_files"
					      : ": ");
	printf(" \\\n\t\t\t'*--%s", option->name);
	if (option->arg != NULL)
		printf(":%s:%s%s%s", option->arg,
		       words != NULL	      ? "("
		       : is_file(option->arg) ? "_files"
					      : " ",
		       words != NULL ? words : "", words != NULL ? ")" : "");
	putchar('\'');
}

/* What follows the first word of @verb; two colons: $words has the words alone, without options. */
static void zsh_follows(const struct cli_verb *verb)
{
	printf(" \\\n\t\t\t'*:: :->next'\n\t\tif [[ $state = next ]]; then\n\t\t\tcase $words[CURRENT-1] "
	       "in\n");
	for (size_t i = 0; i < FOLLOW_COUNT; i++)
		if (strcmp(follows[i].verb, verb->name) == 0)
			printf("\t\t\t%s) %s%s ;;\n", follows[i].word,
			       follows[i].next != NULL ? "compadd " : "_files",
			       follows[i].next != NULL ? follows[i].next : "");
	printf("\t\t\tesac\n\t\tfi");
}

static void zsh_verb(const struct cli_verb *verb)
{
	printf("\t%s)\n\t\t_arguments", verb->name);
	if (verb->options == NULL)
		printf(" --help");
	for (const struct argp_option *o = verb->options; o != NULL && !is_end(o); o++)
		if (o->name != NULL)
			zsh_option(o);
	bool goes_on = has_follows(verb);
	if (!print_words(verb, goes_on ? " \\\n\t\t\t'1: :(" : " \\\n\t\t\t'*: :(", ")'") &&
	    verb->words == NULL)
		printf(" \\\n\t\t\t'*:file:_files'");
	if (goes_on)
		zsh_follows(verb);
	printf("\n\t\t;;\n");
}

static void print_zsh(void)
{
	printf("#compdef doic\n# zsh completion of doic; made by: doic completion zsh\n_doic() {\n\tlocal -a "
	       "verbs\n"
	       "\tverbs=(\n");
	for (size_t i = 0; cli_verb_at(i) != NULL; i++) {
		printf("\t\t'%s:", cli_verb_at(i)->name);
		print_quoted(cli_verb_at(i)->does, ":");
		printf("'\n");
	}
	printf("\t)\n\tif ((CURRENT == 2)); then\n\t\t_describe verb verbs\n\t\treturn\n\tfi\n"
	       "\tlocal verb=$words[2] state\n\tshift words\n\t((CURRENT--))\n\tcase $verb in\n");
	for (size_t i = 0; cli_verb_at(i) != NULL; i++)
		zsh_verb(cli_verb_at(i));
	printf("\tesac\n}\nif [ \"$funcstack[1]\" = _doic ]; then\n\t_doic \"$@\"\nelse\n\tcompdef _doic "
	       "doic\nfi\n");
}

static void fish_option(const struct cli_verb *verb, const struct argp_option *option)
{
	const char *words = option->arg != NULL ? words_of(option->arg) : NULL;

	printf("complete -c doic -n '__fish_seen_subcommand_from %s' -l %s", verb->name, option->name);
	if (is_short(option))
		printf(" -s %c", option->key);
	if (option->arg != NULL)
		printf(is_file(option->arg) ? " -r -F" : " -x");
	if (words != NULL)
		printf(" -a '%s'", words);
	putchar('\n');
}

static void fish_follows(const struct cli_verb *verb)
{
	for (size_t i = 0; i < FOLLOW_COUNT; i++) {
		if (strcmp(follows[i].verb, verb->name) != 0)
			continue;
		printf("complete -c doic -n '__fish_seen_subcommand_from %s; and __fish_prev_arg_in %s' ",
		       verb->name, follows[i].word);
		if (follows[i].next != NULL)
			printf("-f -a '%s'\n", follows[i].next);
		else
			printf("-F\n");
	}
}

/* Where the words of @verb are offered: not after one that others follow. */
static void fish_words(const struct cli_verb *verb)
{
	char before[256];
	size_t len = (size_t)snprintf(before, sizeof(before),
				      "complete -c doic -n '__fish_seen_subcommand_from %s", verb->name);

	if (has_follows(verb))
		len += (size_t)snprintf(before + len, sizeof(before) - len, "; and not __fish_prev_arg_in");
	for (size_t i = 0; i < FOLLOW_COUNT && len < sizeof(before); i++)
		if (strcmp(follows[i].verb, verb->name) == 0)
			len += (size_t)snprintf(before + len, sizeof(before) - len, " %s", follows[i].word);
	if (len < sizeof(before))
		snprintf(before + len, sizeof(before) - len, "' -f -a '");
	print_words(verb, before, "'\n");
}

static void print_fish(void)
{
	printf("# fish completion of doic; made by: doic completion fish\n");
	for (size_t i = 0; cli_verb_at(i) != NULL; i++) {
		const struct cli_verb *verb = cli_verb_at(i);
		printf("complete -c doic -n __fish_use_subcommand -f -a %s -d '", verb->name);
		print_quoted(verb->does, "\\");
		printf("'\n");
		for (const struct argp_option *o = verb->options; o != NULL && !is_end(o); o++)
			if (o->name != NULL)
				fish_option(verb, o);
		fish_words(verb);
		fish_follows(verb);
	}
}

int cli_completion(int argc, char **argv)
{
	static const struct {
		const char *shell;
		void (*print)(void);
	} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(cli_completion_help, stdout);
		return CLI_OK;
	}
	for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(argv[1], shells[i].shell) != 0)
			continue;
		shells[i].print();
		return fflush(stdout) == 0 && !ferror(stdout) ? CLI_OK : CLI_BUG;
	}
	fprintf(stderr, "doic completion: name one shell: bash, zsh or fish  (doic completion --help)\n");
	return CLI_USAGE;
}
