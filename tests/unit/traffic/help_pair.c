/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Two processes for end-to-end tests.
 */
#include "help_pair.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dt_net.h"

#define IN_FOLDER(pair, field, name)                                                                         \
	snprintf((pair)->field, sizeof((pair)->field), "%s/" name, (pair)->folder)

static void set_paths(struct help_pair *pair)
{
	snprintf(pair->folder, sizeof(pair->folder), "/tmp/dt_pair_XXXXXX");
	if (!mkdtemp(pair->folder))
		abort();
	IN_FOLDER(pair, server_json, "s.json");
	IN_FOLDER(pair, client_json, "c.json");
	IN_FOLDER(pair, server_record, "s.jsonl");
	IN_FOLDER(pair, client_record, "c.jsonl");
	IN_FOLDER(pair, server_counters, "sc.json");
	IN_FOLDER(pair, client_counters, "cc.json");
	IN_FOLDER(pair, control, "ctl");
}

void help_pair_init(struct help_pair *pair)
{
	struct sockaddr_in any = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(any);

	memset(pair, 0, sizeof(*pair));
	set_paths(pair);
	pair->server = (struct dt_server_options){ .common = { .me = { .host = "s1.example.net",
								       .realm = "example.net",
								       .app_mask = UINT32_MAX },
							       .vector = 1,
							       .json_path = pair->server_json,
							       .counters_path = pair->server_counters,
							       .quiet = true,
							       .duration_ns = 30000000000u },
						   .work = { .queue_max = 1000 },
						   .mix = { { 2001 }, { 1 }, 1, 1 },
						   .control_path = pair->control,
						   .telemetry = true };
	pair->server.listen_fd = dt_listen_tcp(&any);
	if (pair->server.listen_fd < 0 ||
	    getsockname(pair->server.listen_fd, (struct sockaddr *)&any, &len) != 0)
		abort();
	pair->client = (struct dt_client_options){ .connect = any,
						   .common = { .me = { .host = "c1.example.net",
								       .realm = "example.net",
								       .app_mask = UINT32_MAX },
							       .vector = 1,
							       .json_path = pair->client_json,
							       .counters_path = pair->client_counters,
							       .quiet = true },
						   .window = 100,
						   .max_outstanding = 1000,
						   .timeout_ns = 5000000000u,
						   .drain_ns = 2000000000u,
						   .connections = 1,
						   .origins = 1,
						   .template = "gx",
						   .updates = 2,
						   .subscribers = 1000,

						   .multiply = 1 };
}

void help_pair_start_server(struct help_pair *pair)
{
	fflush(NULL);
	pair->server_pid = fork();
	if (pair->server_pid == 0)
		_exit(dt_server_run(&pair->server));
}

static int status_of(pid_t pid)
{
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int help_pair_run_client(const struct help_pair *pair)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(dt_client_run(&pair->client));
	return status_of(pid);
}

int help_pair_stop_server(struct help_pair *pair)
{
	kill(pair->server_pid, SIGTERM);
	return status_of(pair->server_pid);
}

void help_pair_control(const struct help_pair *pair, const char *line, char *reply, size_t size)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	const struct timespec pause = { .tv_nsec = 5000000 };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	size_t len = 0;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", pair->control);
	for (int tries = 0; tries < 400 && connect(fd, (struct sockaddr *)&addr, sizeof(addr)) != 0; tries++)
		nanosleep(&pause, NULL);
	dprintf(fd, "%s\n", line);
	while (len + 1 < size && (len == 0 || reply[len - 1] != '\n')) {
		ssize_t got = read(fd, reply + len, size - 1 - len);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	reply[len] = '\0';
	close(fd);
}

void help_pair_fini(struct help_pair *pair)
{
	const char *paths[] = { pair->server_json,   pair->client_json,	    pair->server_record,
				pair->client_record, pair->server_counters, pair->client_counters,
				pair->control };
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		unlink(paths[i]);
	rmdir(pair->folder);
	close(pair->server.listen_fd);
}

long long help_json_number(const char *path, const char *where)
{
	char copy[128];
	char *save = NULL;
	json_t *root = json_load_file(path, 0, NULL);
	json_t *at = root;

	snprintf(copy, sizeof(copy), "%s", where);
	for (char *key = strtok_r(copy, "/", &save); key && at; key = strtok_r(NULL, "/", &save))
		at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10))
				       : json_object_get(at, key);
	long long value = at && json_is_integer(at) ? json_integer_value(at) : -1;
	json_decref(root);
	return value;
}
