/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic serve: the HTTP server over a finished evidence folder; nothing is written there, and no agent runs.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../evidence/audit/oev_query.h"
#include "../../evidence/cli/cli_say.h"
#include "../../evidence/shelf/oev_shelf.h"
#include "../../evidence/watch/oev_watch_feed.h"
#include "../oweb_server.h"

const char cli_serve_help[] =
	"doic serve /mnt/usb/evidence --open\n\n"
	"Shows an evidence folder over HTTP, for looking and for programs: the dashboard and the API that a "
	"running agent\n"
	"has, read-only. Prints the address and ends with Ctrl-C (or SIGTERM). Nothing is written to the "
	"folder.\n\n"
	"  --bind HOST:PORT   default 127.0.0.1:0, any free port; [::1]:0 for IPv6; \"\" none\n"
	"  --socket PATH      a UNIX socket too, mode 0600\n"
	"  --tokens FILE      who reads over TCP needs one of these (doic token)\n"
	"  --tls-cert FILE, --tls-key FILE   HTTPS, with this certificate chain and key (PEM)\n"
	"  --open             also open it in a browser\n"
	"  --for SECONDS      end by itself\n"
	"  --json             the address as one object\n\n"
	"An address that other machines reach needs --tokens or TLS; with TLS alone whoever reaches it may "
	"read.\n\n"
	"exit: 0 ended, 2 usage, 4 no evidence there, or the address cannot be used, 70 bug\n"
	"more: man doic-serve\n";

enum {
	KEY_BIND = 0x100,
	KEY_SOCKET,
	KEY_TOKENS,
	KEY_CERT,
	KEY_TLS_KEY,
	KEY_OPEN,
	KEY_FOR,
	KEY_JSON,
	KEY_HELP
};

const struct argp_option cli_serve_options[] = {
	{ .name = "bind", .key = KEY_BIND, .arg = "ADDRESS" },
	{ .name = "socket", .key = KEY_SOCKET, .arg = "PATH" },
	{ .name = "tokens", .key = KEY_TOKENS, .arg = "FILE" },
	{ .name = "tls-cert", .key = KEY_CERT, .arg = "FILE" },
	{ .name = "tls-key", .key = KEY_TLS_KEY, .arg = "FILE" },
	{ .name = "open", .key = KEY_OPEN },
	{ .name = "for", .key = KEY_FOR, .arg = "SECONDS" },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	struct oweb_conf conf;
	unsigned folders;
	uint64_t for_s; /* 0: until told */
	bool open, json, help;
	char error[OWEB_ERROR_MAX + 64];
};

static error_t copy(struct settings *settings, char *out, size_t size, const char *text)
{
	if (snprintf(out, size, "%s", text) < (int)size)
		return 0;
	snprintf(settings->error, sizeof(settings->error), "\"%.40s...\" is too long", text);
	return EINVAL;
}

static error_t take_time(struct settings *settings, const char *text)
{
	char *end;

	errno = 0;
	settings->for_s = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && settings->for_s > 0 &&
	    settings->for_s <= 31536000)
		return 0;
	snprintf(settings->error, sizeof(settings->error),
		 "--for \"%.40s\": not a number of seconds (1..31536000)", text);
	return EINVAL;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;
	struct oweb_conf *conf = &settings->conf;

	switch (key) {
	case KEY_BIND:
		return copy(settings, conf->bind, sizeof(conf->bind), arg);
	case KEY_SOCKET:
		return copy(settings, conf->socket_path, sizeof(conf->socket_path), arg);
	case KEY_TOKENS:
		return copy(settings, conf->tokens_path, sizeof(conf->tokens_path), arg);
	case KEY_CERT:
		return copy(settings, conf->tls_cert, sizeof(conf->tls_cert), arg);
	case KEY_TLS_KEY:
		return copy(settings, conf->tls_key, sizeof(conf->tls_key), arg);
	case KEY_OPEN:
		settings->open = true;
		return 0;
	case KEY_FOR:
		return take_time(settings, arg);
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case ARGP_KEY_ARG:
		settings->folders++;
		return copy(settings, conf->folder, sizeof(conf->folder), arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_serve_options, .parser = take };
	const struct oweb_conf *conf = &settings->conf;
	int rc = cli_parse_options(&parser, argc, argv, settings, settings->error, sizeof(settings->error));

	if (rc != CLI_OK || settings->help)
		return rc;
	if (settings->folders != 1)
		snprintf(settings->error, sizeof(settings->error), "%s",
			 settings->folders == 0 ? "name an evidence folder" : "name one folder at a time");
	else if (conf->bind[0] == '\0' && conf->socket_path[0] == '\0')
		snprintf(settings->error, sizeof(settings->error), "without --bind it needs a --socket");
	return settings->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static int fail(const struct settings *settings, int code, const char *outcome)
{
	return cli_fail("serve", settings->json, code, outcome, settings->error);
}

/* Whether segments are there; else CLI_INPUT, said. */
static int check_folder(struct settings *settings)
{
	const char *folder = settings->conf.folder;
	char **paths = NULL;
	size_t count = 0;
	int rc = oev_paths_list(folder, "seg-", ".db", &paths, &count);

	oev_paths_free(paths, count);
	if (rc == OC_OK && count > 0)
		return CLI_OK;
	if (rc == OC_OK)
		snprintf(settings->error, sizeof(settings->error),
			 "%.300s holds no evidence (no seg-*.db); of an import, name the folder of one node",
			 folder);
	else
		snprintf(settings->error, sizeof(settings->error), "%.300s cannot be read: %s", folder,
			 strerror(errno));
	return fail(settings, CLI_INPUT, rc == OC_OK ? "not_evidence" : "not_found");
}

static void log_line(void *ctx, int error, const char *text)
{
	(void)ctx;
	(void)error;
	fprintf(stderr, "doic serve: %s\n", text);
}

/* "http://127.0.0.1:41234/"; the UNIX socket when there is no TCP. */
static void address_of(const struct settings *settings, const struct oweb_server *server, char *out,
		       size_t size)
{
	const struct oweb_conf *conf = &settings->conf;
	const char *colon = strrchr(conf->bind, ':');

	if (colon != NULL)
		snprintf(out, size, "%s://%.*s:%u/", conf->tls_cert[0] != '\0' ? "https" : "http",
			 (int)(colon - conf->bind), conf->bind, oweb_server_port(server));
	else
		snprintf(out, size, "unix:%s", conf->socket_path);
}

static int announce(const struct settings *settings, const char *address)
{
	if (settings->json) {
		json_t *object = cli_object("serve", CLI_OK, "serving");
		json_object_set_new(object, "address", json_string(address));
		json_object_set_new(object, "socket",
				    settings->conf.socket_path[0] != '\0'
					    ? json_string(settings->conf.socket_path)
					    : json_null());
		json_object_set_new(object, "folder", json_string(settings->conf.folder));
		return cli_put_object(object, stdout);
	}
	puts(address);
	return fflush(stdout);
}

/* A browser that cannot be started is no reason to end. */
static void open_browser(const char *address)
{
	pid_t pid = fork();

	if (pid == 0) {
		sigset_t none;
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
			_exit(127);
		execlp("xdg-open", "xdg-open", address, (char *)NULL);
		_exit(127);
	}
	int status = 0;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		fprintf(stderr, "doic serve: no browser could be opened; the address is above\n");
}

/* Until SIGINT or SIGTERM, or the time is over. */
static void wait_for_end(const sigset_t *ends, uint64_t for_s)
{
	double until_s = cli_now_s() + (double)for_s;

	for (;;) {
		double left_s = for_s > 0 ? until_s - cli_now_s() : 3600;
		if (left_s <= 0)
			return;
		struct timespec wait = { .tv_sec = (time_t)left_s, .tv_nsec = 1000000 };
		if (sigtimedwait(ends, NULL, &wait) > 0)
			return;
	}
}

static int serve_watch(struct settings *settings, struct oev_watch *watch)
{
	struct oweb_server *server = NULL;
	char error[OWEB_ERROR_MAX] = "", address[256];
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	settings->conf.reads_need_token = settings->conf.tokens_path[0] != '\0';
	int rc = oweb_server_start(&server, &settings->conf, NULL, watch, log_line, NULL, error);
	if (rc != OC_OK) {
		snprintf(settings->error, sizeof(settings->error), "%s", error);
		return rc == OC_EINVAL ? fail(settings, CLI_USAGE, "usage")
				       : fail(settings, CLI_INPUT, "cannot_listen");
	}
	address_of(settings, server, address, sizeof(address));
	int code = announce(settings, address) == 0 ? CLI_OK : CLI_BUG;
	if (code == CLI_OK && settings->open)
		open_browser(address);
	if (code == CLI_OK)
		wait_for_end(&ends, settings->for_s);
	oweb_server_stop(server);
	return code;
}

/* The end of the folder; NULL: they cannot be read, which is said, and the rest is shown. */
static struct oev_watch_feed *feed_of(const char *folder)
{
	struct oev_watch_feed *feed = NULL;
	struct oev_shelf *shelf = NULL;
	char error[OEV_SHELF_TEXT_MAX] = "";
	int rc = oev_shelf_open(&shelf, folder, NULL, error);

	if (rc == OC_OK)
		rc = oev_watch_feed_new(&feed, shelf, NULL, error);
	if (rc != OC_OK)
		fprintf(stderr, "doic serve: the last minutes are not shown: %s\n", error);
	oev_shelf_close(shelf);
	return rc == OC_OK ? feed : NULL;
}

static int serve(struct settings *settings)
{
	struct oev_watch_feed *feed = feed_of(settings->conf.folder);
	int code = serve_watch(settings, feed != NULL ? oev_watch_feed_watch(feed) : NULL);

	oev_watch_feed_free(feed);
	return code;
}

int cli_serve(int argc, char **argv)
{
	struct settings settings = { .conf = { .bind = "127.0.0.1:0" }, .json = cli_wants_json(argc, argv) };
	int code = read_options(&settings, argc, argv);

	if (code == CLI_USAGE)
		return fail(&settings, CLI_USAGE, "usage");
	if (settings.help) {
		fputs(cli_serve_help, stdout);
		return CLI_OK;
	}
	code = check_folder(&settings);
	return code == CLI_OK ? serve(&settings) : code;
}
