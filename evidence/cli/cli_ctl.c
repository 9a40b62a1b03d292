/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl: from words and options to one command line of the control socket, and its reply back.
 */
#include "cli_ctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../ctl/oev_ctl.h"
#include "cli_ctl_web.h"

#define SOCKET_DEFAULT "/run/doic/ctl.sock"
#define WORDS_MAX CLI_CTL_WORDS

const char cli_ctl_help[] =
	"doic ctl out s3.example.net --reason CHG-4411\n\n"
	"Asks and commands a running agent. Over HTTP (http.socket or http.bind in doic.yaml):\n"
	"  status, pools, peers        who asks for less and what we do; nodes, wanted and is; neighbours\n"
	"  sessions [WHO], why ID      sessions recorded, of a Session-Id or subscriber; what a decision "
	"(RUN-N), or the newest\n"
	"                              of a Session-Id, depended on (looking one up is an administrator's, "
	"and is recorded)\n"
	"  out|in NODE --reason TEXT   take a node out of selection for new sessions, or put it back\n"
	"  reports                     reports that came, and what became of them (-n N, 20)\n"
	"  policy show|history|check FILE|diff FILE|apply FILE|rollback [VERSION]   the last two need a "
	"--reason\n"
	"  metrics, tap [-n N]         figures for Prometheus; what happens, as it happens, N lines\n"
	"Over the control socket (control.socket); report set, report end and reload need a --reason:\n"
	"  report set TYPE [SUBJECT]   report an overload: host, realm, or peer (this agent; SUBJECT: one "
	"neighbour)\n"
	"    --reduction PCT, --rate RPS, --validity S   what is asked for (one or both), "
	"OC-Validity-Duration\n"
	"    --for T                   withdrawn after T: 90, 90s, 10m, 2h\n"
	"  report end TYPE [SUBJECT]   withdraw it: it falls in steps, then its end is told\n"
	"    --app A, --reason TEXT    gx, rx, gy, s6a, cx, swx, gxx, s9, all (default), a number; kept in "
	"the "
	"evidence\n"
	"  report list, load list      our own reports; own load and that of others\n"
	"  load set VALUE|auto         own load by hand (65535 idle, 0 full), or measured again\n"
	"  states, stats, ping, reload   reports obeyed here; counters; who answers; read the policy again\n"
	"  --socket PATH (default " CLI_HTTP_SOCKET ", " SOCKET_DEFAULT
	"), --url URL, --timeout S (5), --json\n"
	"A token for --url is read from the file that DOIC_TOKEN_FILE names (doic token makes one).\n"
	"exit: 0 done, 1 nothing found, 2 usage, 3 not looked at all, 4 file unusable, 5 daemon "
	"unreachable,\n"
	"      6 daemon refused, 70 bug, 130 interrupted\n"
	"more: man doic-ctl\n";

enum {
	KEY_SOCKET = 0x100,
	KEY_URL,
	KEY_TIMEOUT,
	KEY_JSON,
	KEY_HELP,
	KEY_APP,
	KEY_REDUCTION,
	KEY_RATE,
	KEY_VALIDITY,
	KEY_FOR,
	KEY_REASON
};

const struct argp_option cli_ctl_options[] = {
	{ .name = "socket", .key = KEY_SOCKET, .arg = "PATH" },
	{ .name = "url", .key = KEY_URL, .arg = "URL" },
	{ .name = "count", .key = 'n', .arg = "N" },
	{ .name = "timeout", .key = KEY_TIMEOUT, .arg = "SECONDS" },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ .name = "app", .key = KEY_APP, .arg = "APP" },
	{ .name = "reduction", .key = KEY_REDUCTION, .arg = "PCT" },
	{ .name = "rate", .key = KEY_RATE, .arg = "RPS" },
	{ .name = "validity", .key = KEY_VALIDITY, .arg = "SECONDS" },
	{ .name = "for", .key = KEY_FOR, .arg = "TIME" },
	{ .name = "reason", .key = KEY_REASON, .arg = "TEXT" },
	{ 0 },
};

struct settings {
	const char *socket, *url;
	const char *words[WORDS_MAX];
	size_t word_count;
	uint64_t timeout_s, limit;
	json_t *command; /* what is given so far */
	bool json, help;
	char error[512];
};

static int complain(struct settings *settings, const char *option, const char *text, const char *allowed)
{
	snprintf(settings->error, sizeof(settings->error), "%s \"%s\": not %s", option, text, allowed);
	return EINVAL;
}

/* Whole numbers only; ranges are the daemon's to judge. */
static int take_number(struct settings *settings, const char *option, const char *text, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || *out > INT64_MAX)
		return complain(settings, option, text, "a whole number");
	return 0;
}

static int unexpected(struct settings *settings, const char *word)
{
	snprintf(settings->error, sizeof(settings->error), "\"%.200s\": not expected here", word);
	return EINVAL;
}

static int give_number(struct settings *settings, const char *option, const char *key, const char *text)
{
	uint64_t value;
	int rc = take_number(settings, option, text, &value);

	if (rc == 0)
		json_object_set_new(settings->command, key, json_integer((json_int_t)value));
	return rc;
}

/* "90", "90s", "10m", "2h" in seconds. */
static int give_time(struct settings *settings, const char *text)
{
	static const struct {
		const char *unit;
		uint64_t seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };
	char *end;
	uint64_t value = strtoull(text, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[0] < '0' || text[0] > '9' || value == 0 || value > 100000000 ||
		    strcmp(end, units[i].unit) != 0)
			continue;
		json_int_t seconds = (json_int_t)value * (json_int_t)units[i].seconds;
		json_object_set_new(settings->command, "for_s", json_integer(seconds));
		return 0;
	}
	return complain(settings, "--for", text, "a time above 0 (90, 90s, 10m, 2h)");
}

static int give_app(struct settings *settings, const char *text)
{
	if (text[0] >= '0' && text[0] <= '9')
		return give_number(settings, "--app", "application", text);
	json_object_set_new(settings->command, "application", json_string(text));
	return 0;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_SOCKET:
		settings->socket = arg;
		return 0;
	case KEY_URL:
		settings->url = arg;
		return 0;
	case 'n':
		return take_number(settings, "-n", arg, &settings->limit);
	case KEY_TIMEOUT:
		return take_number(settings, "--timeout", arg, &settings->timeout_s);
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case KEY_APP:
		return give_app(settings, arg);
	case KEY_REDUCTION:
		return give_number(settings, "--reduction", "reduction_pct", arg);
	case KEY_RATE:
		return give_number(settings, "--rate", "rate_rps", arg);
	case KEY_VALIDITY:
		return give_number(settings, "--validity", "validity_s", arg);
	case KEY_FOR:
		return give_time(settings, arg);
	case KEY_REASON:
		json_object_set_new(settings->command, "reason", json_string(arg));
		return 0;
	case ARGP_KEY_ARG:
		if (settings->word_count == WORDS_MAX)
			return unexpected(settings, arg);
		settings->words[settings->word_count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The words of each command, and the keys that words after them fill. */
static const struct verb {
	const char *words[2];
	enum oev_ctl_kind kind;
	const char *keys[2];
} verbs[] = {
	{ { "report", "set" }, OEV_CTL_REPORT_SET, { "type", "subject" } },
	{ { "report", "end" }, OEV_CTL_REPORT_END, { "type", "subject" } },
	{ { "report", "list" }, OEV_CTL_REPORT_LIST, { NULL, NULL } },
	{ { "load", "set" }, OEV_CTL_LOAD_SET, { "value", NULL } },
	{ { "load", "list" }, OEV_CTL_LOAD_LIST, { NULL, NULL } },
	{ { "states", NULL }, OEV_CTL_STATES, { NULL, NULL } },
	{ { "stats", NULL }, OEV_CTL_STATS, { NULL, NULL } },
	{ { "reload", NULL }, OEV_CTL_POLICY_RELOAD, { NULL, NULL } },
	{ { "ping", NULL }, OEV_CTL_PING, { NULL, NULL } },
};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static const struct verb *verb_of(const struct settings *settings, size_t *used)
{
	for (size_t i = 0; i < VERB_COUNT; i++) {
		*used = verbs[i].words[1] != NULL ? 2 : 1;
		if (settings->word_count >= *used && strcmp(settings->words[0], verbs[i].words[0]) == 0 &&
		    (*used == 1 || strcmp(settings->words[1], verbs[i].words[1]) == 0))
			return &verbs[i];
	}
	return NULL;
}

/* "no command "report sett"; did you mean "set"?" */
static int unknown_verb(struct settings *settings)
{
	const char *candidates[VERB_COUNT + 16] = { NULL }, *near;
	size_t count = 0, level = 0;

	for (size_t i = 0; settings->word_count > 0 && i < VERB_COUNT; i++)
		level |= strcmp(verbs[i].words[0], settings->words[0]) == 0;
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (level == 0 ||
		    (strcmp(verbs[i].words[0], settings->words[0]) == 0 && verbs[i].words[1] != NULL))
			candidates[count++] = verbs[i].words[level];
	for (size_t i = 0; level == 0 && cli_ctl_web_words[i] != NULL; i++)
		candidates[count++] = cli_ctl_web_words[i];
	near = settings->word_count > level ? oev_nearest(settings->words[level], candidates) : NULL;
	if (settings->word_count <= level)
		snprintf(settings->error, sizeof(settings->error), "say what to do%s%s",
			 level > 0 ? " after " : "", level > 0 ? settings->words[0] : "");
	else
		snprintf(settings->error, sizeof(settings->error), "no command \"%.60s\"%s%s%s",
			 settings->words[level], near != NULL ? "; did you mean \"" : "",
			 near != NULL ? near : "", near != NULL ? "\"?" : "");
	return CLI_USAGE;
}

/* What the parser says of keys and commands of the socket, in the words of this command line. */
static void say_in_words(struct settings *settings, const char *error)
{
	static const struct {
		const char *socket, *line;
	} words[] = {
		{ "the key \"type\"", "a TYPE: host, realm or peer" },
		{ "the key \"subject\"", "a SUBJECT: its name" },
		{ "the key \"value\"", "a VALUE: 0..65535 or auto" },
		{ "key \"reduction_pct\"", "--reduction" },
		{ "key \"rate_rps\"", "--rate" },
		{ "key \"validity_s\"", "--validity" },
		{ "key \"for_s\"", "--for" },
		{ "key \"application\"", "--app" },
		{ "key \"reason\"", "--reason" },
		{ "give a reason", "give a --reason" },
		{ "reduction_pct", "--reduction" },
		{ "rate_rps", "--rate" },
		{ "validity_s", "--validity" },
		{ "for_s", "--for" },
		{ "application:", "--app:" },
		{ "reason:", "--reason:" },
		{ "report.", "report " },
		{ "load.", "load " },
		{ "policy.", "" },
	};
	size_t at = 0, i;

	while (*error != '\0' && at + 1 < sizeof(settings->error)) {
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strncmp(error, words[i].socket, strlen(words[i].socket)) == 0)
				break;
		bool found = i < sizeof(words) / sizeof(words[0]);
		const char *from = found ? words[i].line : error;
		size_t length = found ? strlen(from) : 1, room = sizeof(settings->error) - 1 - at;
		length = length < room ? length : room;
		memcpy(settings->error + at, from, length);
		at += length;
		error += found ? strlen(words[i].socket) : 1;
	}
	settings->error[at] = '\0';
}

/* Puts the words into the command, and lets the parser of the daemon judge it before it is sent. */
static int complete(struct settings *settings)
{
	struct oev_ctl_command parsed;
	char error[OEV_CTL_ERROR_MAX];
	size_t used = 0;
	const struct verb *verb = verb_of(settings, &used);

	if (verb == NULL)
		return unknown_verb(settings);
	if (settings->url != NULL || settings->limit != 0) {
		snprintf(settings->error, sizeof(settings->error),
			 "%s goes over the control socket: neither --url nor -n is for it", verb->words[0]);
		return CLI_USAGE;
	}
	json_object_set_new(settings->command, "do", json_string(oev_ctl_kind_text(verb->kind)));
	for (size_t i = used; i < settings->word_count; i++) {
		const char *key = i - used < 2 ? verb->keys[i - used] : NULL, *word = settings->words[i];
		bool digits = word[0] >= '0' && word[0] <= '9' && verb->kind == OEV_CTL_LOAD_SET;
		if (key == NULL)
			return unexpected(settings, word), CLI_USAGE;
		if (digits && give_number(settings, key, key, word) != 0)
			return CLI_USAGE;
		if (!digits)
			json_object_set_new(settings->command, key, json_string(word));
	}
	char *line = json_dumps(settings->command, JSON_COMPACT);
	int rc = line != NULL ? oev_ctl_parse(line, strlen(line), &parsed, error) : OC_ENOMEM;
	free(line);
	if (rc != OC_OK)
		say_in_words(settings, rc == OC_ENOMEM ? "not UTF-8" : error);
	return rc == OC_OK ? CLI_OK : CLI_USAGE;
}

static bool is_web(const struct settings *settings)
{
	return settings->word_count > 0 && cli_ctl_web_knows(settings->words[0]);
}

static struct cli_ctl_ask ask_of(const struct settings *settings)
{
	struct cli_ctl_ask ask = {
		.place = { settings->socket, settings->url, (unsigned)settings->timeout_s },
		.count = settings->word_count,
		.reason = json_string_value(json_object_get(settings->command, "reason")),
		.limit = settings->limit,
		.json = settings->json,
	};

	memcpy(ask.words, settings->words, sizeof(ask.words));
	return ask;
}

/* Words and options of a command that goes over HTTP. */
static int check_web(struct settings *settings)
{
	struct cli_ctl_ask ask = ask_of(settings);

	if (json_object_size(settings->command) > (ask.reason != NULL)) {
		snprintf(settings->error, sizeof(settings->error), "%s takes no options of a report",
			 ask.words[0]);
		return CLI_USAGE;
	}
	return cli_ctl_web_check(&ask, settings->error, sizeof(settings->error));
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_ctl_options, .parser = take };

	for (int i = 1; i < argc; i++) /* even a usage error is said in JSON when JSON was asked for */
		settings->json |= strcmp(argv[i], "--json") == 0;
	int rc = cli_parse_options(&parser, argc, argv, settings, settings->error, sizeof(settings->error));
	if (rc != CLI_OK)
		return rc;
	if (settings->help)
		return CLI_OK;
	if (settings->timeout_s < 1 || settings->timeout_s > 3600) {
		snprintf(settings->error, sizeof(settings->error),
			 "--timeout: out of range (allowed: 1..3600)");
		return CLI_USAGE;
	}
	return is_web(settings) ? check_web(settings) : complete(settings);
}

/* The reply @root of the agent (NULL: none) with its outcome, as one object on stdout, or for people; what went wrong goes to stderr. */
static int say(json_t *root, const struct settings *settings, int code)
{
	const char *message =
		root != NULL ? json_string_value(json_object_get(root, "message")) : settings->error;
	char text[1024];

	snprintf(text, sizeof(text), "%s", message != NULL ? message : "no reason given");
	if (code != CLI_OK)
		fprintf(stderr, "doic ctl: %s%s\n", cli_safe(text),
			code == CLI_USAGE ? "  (doic ctl --help)" : "");
	if (settings->json) {
		json_t *object =
			cli_ctl_outcome(settings->word_count > 0 ? settings->words[0] : NULL, code, text);
		json_object_update(object, root);
		return cli_ctl_put(object, false) == 0 ? code : CLI_BUG;
	}
	if (code == CLI_OK)
		cli_ctl_print(root, stdout);
	return fflush(stdout) == 0 ? code : CLI_BUG;
}

static int fail(const struct settings *settings, int code)
{
	return say(NULL, settings, code);
}

static int talk(struct settings *settings)
{
	const char *path = settings->socket != NULL ? settings->socket : SOCKET_DEFAULT;
	char *line = json_dumps(settings->command, JSON_COMPACT);
	char *reply = line != NULL ? cli_ctl_exchange(path, line, (int)settings->timeout_s * 1000,
						      settings->error, sizeof(settings->error))
				   : NULL;
	json_t *root = reply != NULL ? json_loads(reply, JSON_REJECT_DUPLICATES, NULL) : NULL;
	int code;

	if (reply == NULL) {
		code = fail(settings, CLI_UNREACHABLE);
	} else if (!json_is_object(root) || !json_is_boolean(json_object_get(root, "ok"))) {
		snprintf(settings->error, sizeof(settings->error),
			 "%.200s: the reply makes no sense; is this an agent?", path);
		code = fail(settings, CLI_UNREACHABLE);
	} else {
		bool ok = json_is_true(json_object_get(root, "ok"));
		code = say(root, settings, ok ? CLI_OK : CLI_REFUSED);
	}
	json_decref(root);
	free(reply);
	free(line);
	return code;
}

int cli_ctl(int argc, char **argv)
{
	struct settings settings = { .timeout_s = 5, .command = json_object() };
	int code = settings.command != NULL ? read_options(&settings, argc, argv) : CLI_BUG;

	if (code == CLI_USAGE)
		code = fail(&settings, CLI_USAGE);
	else if (code == CLI_OK && settings.help)
		fputs(cli_ctl_help, stdout);
	else if (code == CLI_OK && is_web(&settings)) {
		struct cli_ctl_ask ask = ask_of(&settings);
		code = cli_ctl_web(&ask);
	} else if (code == CLI_OK)
		code = talk(&settings);
	json_decref(settings.command);
	return code;
}
