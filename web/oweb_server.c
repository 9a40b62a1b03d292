/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Start and stop: checks of the configuration, the listening sockets, libmicrohttpd's two daemons, the thread that ticks.
 */
#include "oweb_server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../agent/oc_err.h"
#include "../evidence/oev_clock.h"
#include "../evidence/proof/oev_hash.h"
#include "../evidence/shelf/oev_shelf.h"
#include "oweb_fresh.h"
#include "oweb_inner.h"
#include "oweb_route.h"

#define CONNECTIONS 256u
#define PER_ADDRESS 64u
#define SOCKET_MODE 0600u
#define TIMEOUT_S 15u
#define BODY_MAX 1048576u
#define MEMORY_PER_CONNECTION 32768u
#define POOL 2u
#define LOCAL_CONNECTIONS 64u
#define PEM_MAX 262144u
#define TLS_PRIORITIES "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

void oweb_log(const struct oweb_server *server, int error, const char *text)
{
	if (server->log != NULL)
		server->log(server->log_ctx, error, text);
}

uint64_t oweb_server_wall_us(const struct oweb_server *server)
{
	return server->node != NULL ? server->node->wall_us(server->node->ctx) : oev_clock_wall_us();
}

uint64_t oweb_server_now_ns(const struct oweb_server *server)
{
	return server->node != NULL ? server->node->now_ns(server->node->ctx) : oev_clock_mono_ns();
}

static void set_defaults(struct oweb_conf *conf)
{
	conf->connections_max = conf->connections_max != 0 ? conf->connections_max : CONNECTIONS;
	conf->connections_per_address =
		conf->connections_per_address != 0 ? conf->connections_per_address : PER_ADDRESS;
	conf->socket_mode = conf->socket_mode != 0 ? conf->socket_mode : SOCKET_MODE;
	conf->timeout_s = conf->timeout_s != 0 ? conf->timeout_s : TIMEOUT_S;
	conf->body_max = conf->body_max != 0 ? conf->body_max : BODY_MAX;
}

static int fail(char error[static OWEB_ERROR_MAX], int rc, const char *text)
{
	snprintf(error, OWEB_ERROR_MAX, "%s", text);
	return rc;
}

/* The text of a PEM file; NULL. */
static char *read_pem(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = file == NULL ? NULL : calloc(1, PEM_MAX);
	size_t len = text == NULL ? 0 : fread(text, 1, PEM_MAX - 1, file);

	if (file != NULL)
		fclose(file);
	if (len > 0)
		return text;
	free(text);
	return NULL;
}

static int load_tls(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	const struct oweb_conf *conf = &server->conf;
	struct stat info;

	if ((conf->tls_cert[0] == '\0') != (conf->tls_key[0] == '\0'))
		return fail(error, OC_EINVAL, "TLS needs both a certificate and its key");
	if (conf->tls_cert[0] == '\0')
		return OC_OK;
	if (stat(conf->tls_key, &info) == 0 && (info.st_mode & S_IRWXO) != 0)
		oweb_log(server, 1, "the key of the certificate may be read by anybody (chmod 0600)");
	server->tls_cert = read_pem(conf->tls_cert);
	server->tls_key = read_pem(conf->tls_key);
	if (server->tls_cert != NULL && server->tls_key != NULL)
		return OC_OK;
	snprintf(error, OWEB_ERROR_MAX, "the certificate \"%.200s\" or its key \"%.200s\" cannot be read",
		 conf->tls_cert, conf->tls_key);
	return OC_EIO;
}

/* An address others reach needs a reason to be trusted. */
static int check_reach(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	bool has_tokens = server->conf.tokens_path[0] != '\0', has_tls = server->tls_cert != NULL;

	if (server->address.is_loopback)
		return OC_OK;
	if (!has_tls && !has_tokens)
		return fail(error, OC_EINVAL,
			    "an address that other machines reach needs TLS or tokens: set both, or bind to "
			    "127.0.0.1");
	if (!has_tls)
		oweb_log(server, 1,
			 "listening for other machines without TLS: tokens and replies can be read on the "
			 "way");
	if (!server->conf.reads_need_token)
		oweb_log(server, 1,
			 "listening for other machines, and reading needs no token: whoever reaches it may "
			 "read");
	return OC_OK;
}

static struct MHD_Daemon *start_daemon(struct oweb_server *server, int fd, bool is_tcp)
{
	const struct oweb_conf *conf = &server->conf;
	bool is_tls = is_tcp && server->tls_cert != NULL;
	unsigned flags =
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (is_tls ? MHD_USE_TLS : 0);
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, server->tls_cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, server->tls_key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES },
		{ MHD_OPTION_END, 0, NULL },
	};
	struct MHD_OptionItem shares[] = {
		{ MHD_OPTION_THREAD_POOL_SIZE, POOL, NULL },
		{ MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)conf->connections_per_address, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};

	return MHD_start_daemon(
		flags, 0, NULL, NULL, oweb_http_request, server, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, is_tcp ? conf->connections_max : LOCAL_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, conf->timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)MEMORY_PER_CONNECTION, MHD_OPTION_URI_LOG_CALLBACK, oweb_http_begin, server,
		MHD_OPTION_NOTIFY_COMPLETED, oweb_http_end, server, MHD_OPTION_NOTIFY_CONNECTION,
		oweb_http_connection, server, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY,
		is_tcp ? shares : &shares[2], MHD_OPTION_ARRAY, is_tls ? tls : &tls[3], MHD_OPTION_END);
}

/* Signals are the program's, not those of the library's threads. When it cannot start, the library has closed the socket or
 * not, depending on why. */
static struct MHD_Daemon *start_quiet(struct oweb_server *server, int fd, bool is_tcp)
{
	struct stat mine = { 0 }, after;
	sigset_t all, before;

	(void)fstat(fd, &mine);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	struct MHD_Daemon *daemon = start_daemon(server, fd, is_tcp);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (daemon == NULL && fstat(fd, &after) == 0 && after.st_ino == mine.st_ino)
		close(fd);
	return daemon;
}

static int start_tcp(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	int fd = -1;

	if (server->conf.bind[0] == '\0')
		return OC_OK;
	int rc = oweb_bind_parse(server->conf.bind, &server->address, error);
	if (rc == OC_OK)
		rc = check_reach(server, error);
	if (rc == OC_OK)
		rc = oweb_listen_tcp(&server->address, &fd, &server->port, error);
	if (rc != OC_OK)
		return rc;
	server->tcp = start_quiet(server, fd, true);
	return server->tcp != NULL
		       ? OC_OK
		       : fail(error, OC_EIO,
			      "the HTTP server cannot start (is the key that of the certificate?)");
}

static int start_local(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	int fd = -1;

	if (server->conf.socket_path[0] == '\0')
		return OC_OK;
	int rc = oweb_listen_local(server->conf.socket_path, server->conf.socket_mode, &fd, &server->local,
				   error);
	if (rc != OC_OK)
		return rc;
	server->over_unix = start_quiet(server, fd, false);
	return server->over_unix != NULL ? OC_OK : fail(error, OC_EIO, "the HTTP server cannot start");
}

/* Whoever may not write to /run has no socket, and the page all the same. */
static int start_local_or_go_on(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	int rc = start_local(server, error);

	if (rc != OC_EIO || server->conf.bind[0] == '\0')
		return rc;
	oweb_log(server, 1, error);
	return OC_OK;
}

static int open_shelf(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	const struct oweb_conf *conf = &server->conf;

	_Static_assert(OWEB_ERROR_MAX >= OEV_SHELF_TEXT_MAX, "one buffer serves both");
	if (conf->folder[0] == '\0')
		return OC_OK;
	return oev_shelf_open(&server->shelf, conf->folder,
			      conf->index_folder[0] != '\0' ? conf->index_folder : NULL, error);
}

static int start_parts(struct oweb_server *server, char error[static OWEB_ERROR_MAX])
{
	server->links = oweb_links_new();
	server->fresh = oweb_fresh_new();
	if (server->links == NULL || server->fresh == NULL ||
	    oweb_auth_open(&server->auth, server->conf.tokens_path, server->log, server->log_ctx) != OC_OK)
		return fail(error, OC_ENOMEM, "out of memory");
	if (oweb_events_start(&server->events, server) != OC_OK)
		return fail(error, OC_EIO, "the thread of live events cannot start");
	if (open_shelf(server, error) != OC_OK)
		return OC_EIO;
	if (oweb_jobs_start(&server->jobs) != OC_OK)
		return fail(error, OC_EIO, "the thread of jobs cannot start");
	int rc = load_tls(server, error);
	if (rc == OC_OK)
		rc = start_local_or_go_on(server, error);
	return rc == OC_OK ? start_tcp(server, error) : rc;
}

int oweb_server_start(struct oweb_server **out, const struct oweb_conf *conf, const struct oweb_node *node,
		      struct oev_watch *watch, void (*log)(void *ctx, int error, const char *text),
		      void *log_ctx, char error[static OWEB_ERROR_MAX])
{
	struct oweb_server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return fail(error, OC_ENOMEM, "out of memory");
	oev_gcrypt_ready();
	server->conf = *conf;
	set_defaults(&server->conf);
	server->node = node;
	server->routes = oweb_routes;
	server->watch = node != NULL ? node->watch : watch;
	server->log = log;
	server->log_ctx = log_ctx;
	server->started_us = oweb_server_wall_us(server);
	int rc = start_parts(server, error);
	if (rc == OC_OK)
		*out = server;
	else
		oweb_server_stop(server);
	return rc;
}

unsigned oweb_server_port(const struct oweb_server *server)
{
	return server->port;
}

/* Streams end first: the library takes a sleeping connection at its stop for a mistake. */
void oweb_server_stop(struct oweb_server *server)
{
	if (server == NULL)
		return;
	oweb_events_end(server->events);
	if (server->tcp != NULL)
		MHD_stop_daemon(server->tcp);
	if (server->over_unix != NULL)
		MHD_stop_daemon(server->over_unix);
	oweb_jobs_stop(server->jobs);
	oev_shelf_close(server->shelf);
	oweb_local_remove(&server->local);
	oweb_events_free(server->events);
	oweb_auth_close(&server->auth);
	oweb_links_free(server->links);
	oweb_fresh_free(server->fresh);
	free(server->tls_cert);
	if (server->tls_key != NULL)
		explicit_bzero(server->tls_key, strlen(server->tls_key));
	free(server->tls_key);
	free(server);
}
