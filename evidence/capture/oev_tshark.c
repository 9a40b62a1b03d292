/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Starting tshark, and hearing what it says.
 */
#include "oev_tshark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_child.h"

#define POLL_MS 250
#define ARGS_FIXED 24u
#define PORT_ARGS 4u /* "-d" and its value, for TCP and for SCTP */
#define PORT_TEXT 32u

/* Payload of TCP and SCTP, and what hides it; not what an ICMP message quotes. */
static const char filter[] = "(tcp.len > 0 or sctp.data_tsn or esp or diameter) and not icmp and not icmpv6";

struct run {
	const struct oev_tshark_conf *conf;
	struct oev_tshark_result *result;
	struct oev_child tshark, merge;
	bool has_merge;
	int input; /* its place tells how far tshark is; -1 with mergecap */
	uint64_t size;
	char *error;
	size_t error_size;
};

static int fail(const struct run *run, int rc, const char *what, const char *why)
{
	snprintf(run->error, run->error_size, "%s: %s", what, why);
	return rc;
}

/* Opens a capture: regular files only, since a device or a pipe has no beginning to come back to. */
static int open_capture(const struct run *run, const char *path, uint64_t *size, int *out)
{
	struct stat info;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0)
		return fail(run, OC_ENOENT, path, strerror(errno));
	if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
		close(file);
		return fail(run, OC_ENOENT, path, "not a regular file");
	}
	*size += (uint64_t)info.st_size;
	*out = file;
	return OC_OK;
}

static int start(const struct run *run, struct oev_child *child, const struct oev_child_conf *conf)
{
	int rc = oev_child_start(child, conf);

	if (rc == OC_ENOENT)
		return fail(run, rc, conf->argv[0], "not found; install it with: apt-get install tshark");
	return rc == OC_OK ? rc : fail(run, rc, conf->argv[0], oc_err_text(rc));
}

/* mergecap writes into a pipe, of which *@out is the other end. Every file was opened once, to be sure that it can be. */
static int start_merge(struct run *run, int *out)
{
	const struct oev_tshark_conf *conf = run->conf;
	const char **argv = calloc(conf->file_count + 5, sizeof(*argv));
	int ends[2], none = open("/dev/null", O_RDONLY | O_CLOEXEC);
	size_t count = 0;

	if (argv == NULL || none < 0 || pipe(ends) != 0) {
		free(argv);
		if (none >= 0)
			close(none);
		return fail(run, OC_EIO, "mergecap", "cannot be started");
	}
	argv[count++] = "mergecap";
	argv[count++] = "-w";
	argv[count++] = "-";
	argv[count++] = "--";
	for (size_t i = 0; i < conf->file_count; i++)
		argv[count++] = conf->files[i];
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	int rc = start(run, &run->merge,
		       &(struct oev_child_conf){ .argv = argv, .in = none, .out = ends[1], .extra = -1 });
	close(ends[1]);
	close(none);
	free(argv);
	run->has_merge = rc == OC_OK;
	*out = ends[0];
	if (rc != OC_OK)
		close(ends[0]);
	return rc;
}

static int open_input(struct run *run, int *out)
{
	int rc = OC_OK, file = -1;

	for (size_t i = 0; rc == OC_OK && i < run->conf->file_count; i++) {
		if (file >= 0)
			close(file);
		file = -1;
		rc = open_capture(run, run->conf->files[i], &run->size, &file);
	}
	if (rc != OC_OK || run->conf->file_count == 1) {
		run->input = *out = file;
		return rc;
	}
	close(file);
	return start_merge(run, out);
}

/* "-d tcp.port==3870,diameter" and so on. @texts keeps the words. */
static size_t add_ports(const struct oev_tshark_conf *conf, const char **argv, char (*texts)[PORT_TEXT])
{
	size_t count = 0;

	for (size_t i = 0; i < conf->port_count; i++) {
		snprintf(texts[2 * i], PORT_TEXT, "tcp.port==%u,diameter", (unsigned)conf->ports[i]);
		snprintf(texts[2 * i + 1], PORT_TEXT, "sctp.port==%u,diameter", (unsigned)conf->ports[i]);
		for (size_t k = 0; k < 2; k++) {
			argv[count++] = "-d";
			argv[count++] = texts[2 * i + k];
		}
	}
	return count;
}

static int start_tshark(struct run *run, int input, int messages)
{
	static const char *const fixed[] = { "tshark",
					     "-n",
					     "-r",
					     "-",
					     "-U",
					     "OSI layer 7",
					     "-w",
					     "/dev/fd/3",
					     "-F",
					     "nsecpcap",
					     "-P",
					     "-T",
					     "fields",
					     "-Y",
					     filter,
					     "-o",
					     "tcp.desegment_tcp_streams:TRUE",
					     "-o",
					     "sctp.reassembly:TRUE",
					     "-o" };
	const size_t fixed_count = sizeof(fixed) / sizeof(fixed[0]);
	const char *argv[ARGS_FIXED + PORT_ARGS * OEV_TSHARK_PORTS_MAX + 2 * OEV_FIELD_COUNT + 1];
	char texts[2 * OEV_TSHARK_PORTS_MAX][PORT_TEXT];
	size_t count = fixed_count;

	memcpy(argv, fixed, sizeof(fixed));
	argv[count++] = run->conf->sorts_segments ? "tcp.reassemble_out_of_order:TRUE"
						  : "tcp.reassemble_out_of_order:FALSE";
	count += add_ports(run->conf, argv + count, texts);
	for (unsigned i = 0; i < OEV_FIELD_COUNT; i++) {
		argv[count++] = "-e";
		argv[count++] = oev_field_name((enum oev_field)i);
	}
	argv[count] = NULL;
	return start(run, &run->tshark,
		     &(struct oev_child_conf){ .argv = argv, .in = input, .out = -1, .extra = messages });
}

static uint64_t place_of(const struct run *run)
{
	off_t at = run->input >= 0 ? lseek(run->input, 0, SEEK_CUR) : 0;

	return at > 0 ? (uint64_t)at : 0;
}

static void tell_progress(const struct run *run)
{
	if (run->conf->progress != NULL)
		run->conf->progress(run->conf->ctx, place_of(run), run->input >= 0 ? run->size : 0);
}

/* Takes one line in. */
static int take_line(struct run *run, struct oev_frame *frame, const char *line, size_t len)
{
	run->result->frames++;
	if (oev_frame_parse(frame, line, len) == OC_OK)
		return run->conf->on_frame(run->conf->ctx, frame);
	run->result->unreadable++;
	return OC_OK;
}

/* Nothing was heard for POLL_MS: whether that goes on too long. */
static int check_stall(const struct run *run, uint64_t *place, uint32_t *silent_ms)
{
	uint64_t now = place_of(run);

	*silent_ms = now != *place ? 0 : *silent_ms + POLL_MS;
	*place = now;
	if (run->conf->stall_ms == 0 || *silent_ms < run->conf->stall_ms)
		return OC_OK;
	return fail(run, OC_EIO, "tshark", "stands still, and was ended");
}

static int hear(struct run *run)
{
	struct oev_frame *frame = malloc(sizeof(*frame));
	const char *line = NULL;
	uint64_t place = 0;
	uint32_t silent_ms = 0;
	size_t len = 0;
	int rc = frame != NULL ? OC_OK : OC_ENOMEM;

	while (rc == OC_OK) {
		int heard = oev_child_line(&run->tshark, POLL_MS, &line, &len);
		if (heard == OC_ENOENT)
			break;
		if (heard == OC_OK) {
			silent_ms = 0;
			rc = take_line(run, frame, line, len);
		} else if (heard == OC_EBUSY) {
			rc = check_stall(run, &place, &silent_ms);
		} else if (heard != OC_EINTERRUPTED) {
			run->result->unreadable++;
		}
		if (heard != OC_OK || run->result->frames % 1024 == 0)
			tell_progress(run);
		if (run->conf->stop != NULL && run->conf->stop(run->conf->ctx))
			rc = OC_EINTERRUPTED;
	}
	free(frame);
	return rc;
}

/* The words after tshark's remark about root, which it makes to whoever runs as root. */
static const char *words_of(const struct oev_child *child)
{
	static const char remark[] = "This could be dangerous.";
	const char *after = strstr(child->said, remark);
	const char *words = after != NULL ? after + sizeof(remark) - 1 : child->said;

	return words + strspn(words, " ");
}

static void finish(struct run *run, bool kill_it)
{
	struct oev_tshark_result *result = run->result;

	result->exit = oev_child_end(&run->tshark, kill_it);
	if (result->exit != 0)
		snprintf(result->said, sizeof(result->said), "%s", words_of(&run->tshark));
	if (!run->has_merge)
		return;
	int merged = oev_child_end(&run->merge, kill_it);
	if (merged != 0 && result->exit == 0) {
		result->exit = merged;
		snprintf(result->said, sizeof(result->said), "%s", words_of(&run->merge));
	}
}

static int run_all(struct run *run, int messages)
{
	int input = -1;
	int rc = open_input(run, &input);

	if (rc != OC_OK)
		return rc;
	rc = start_tshark(run, input, messages);
	if (run->has_merge)
		close(input);
	if (rc == OC_OK) {
		rc = hear(run);
		finish(run, rc != OC_OK);
	} else if (run->has_merge) {
		(void)oev_child_end(&run->merge, true);
	}
	return rc;
}

int oev_tshark_run(const struct oev_tshark_conf *conf, struct oev_tshark_result *result, char *error,
		   size_t error_size)
{
	struct run run = {
		.conf = conf, .result = result, .input = -1, .error = error, .error_size = error_size
	};

	*result = (struct oev_tshark_result){ .messages = tmpfile() };
	if (result->messages == NULL)
		return fail(&run, OC_EIO, "a temporary file", strerror(errno));
	int rc = run_all(&run, fileno(result->messages));
	if (run.input >= 0)
		close(run.input);
	if (rc != OC_OK) {
		if (error[0] == '\0')
			snprintf(error, error_size, "%s", oc_err_text(rc));
		fclose(result->messages);
		result->messages = NULL;
	}
	return rc;
}
