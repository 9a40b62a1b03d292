/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The import from its first frame to its last message.
 */
#include "oev_capture.h"

#include <stdlib.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_tracks.h"

#define NAMES_MAX 262144u
#define STALL_MS 120000u
#define NAMES_SEED 0x636170747572656full
#define PROGRESS_EVERY 4096u

/* One run of tshark and the accounts of its frames. */
struct pass {
	const struct oev_capture_options *options;
	struct oev_connections *connections;
	struct oev_tracks *tracks;
	struct oev_missed missed;
	uint64_t messages;
	struct oev_tshark_result result;
};

static int on_frame(void *ctx, const struct oev_frame *frame)
{
	struct pass *pass = ctx;
	struct oev_sender sender;
	int rc = oev_connections_note(pass->connections, frame, &sender);

	pass->messages += frame->messages;
	if (rc == OC_ENOSPC) {
		oev_missed_add(&pass->missed, OEV_MISSED_TABLE, 1, frame->number);
		return OC_OK;
	}
	if (rc != OC_OK && rc != OC_ENOENT)
		return rc;
	return oev_tracks_frame(pass->tracks, frame, rc == OC_OK ? &sender : NULL, &pass->missed);
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct pass *pass = ctx;

	if (pass->options->progress != NULL)
		pass->options->progress(pass->options->ctx, OEV_PHASE_TSHARK, done, total);
}

static bool on_stop(void *ctx)
{
	const struct pass *pass = ctx;

	return pass->options->stop != NULL && pass->options->stop(pass->options->ctx);
}

static void end_pass(struct pass *pass)
{
	oev_connections_free(pass->connections);
	oev_tracks_free(pass->tracks);
	if (pass->result.messages != NULL)
		fclose(pass->result.messages);
	*pass = (struct pass){ 0 };
}

static int run_pass(struct pass *pass, const struct oev_capture_options *options, bool sorts_segments,
		    char *error, size_t error_size)
{
	uint16_t ports[OEV_TSHARK_PORTS_MAX + 2] = { OEV_PORT_DIAMETER, OEV_PORT_DIAMETER_TLS };
	struct oev_tshark_conf conf = { .files = options->files,
					.file_count = options->file_count,
					.ports = options->ports,
					.port_count = options->port_count,
					.sorts_segments = sorts_segments,
					.stall_ms = STALL_MS,
					.on_frame = on_frame,
					.progress = on_progress,
					.stop = on_stop,
					.ctx = pass };

	*pass = (struct pass){ .options = options, .connections = oev_connections_new() };
	for (size_t i = 0; i < options->port_count; i++)
		ports[2 + i] = options->ports[i];
	pass->tracks = oev_tracks_new(ports, 2 + options->port_count);
	int rc = pass->connections != NULL && pass->tracks != NULL ? OC_OK : OC_ENOMEM;
	if (rc == OC_OK)
		rc = oev_tshark_run(&conf, &pass->result, error, error_size);
	if (rc != OC_OK)
		return rc;
	oev_tracks_end(pass->tracks, &pass->missed);
	oev_missed_add(&pass->missed, OEV_MISSED_UNREADABLE, pass->result.unreadable, 0);
	return OC_OK;
}

/* TCP payload is in no message: it may have come out of order. Of two readings the one that decodes more counts. */
static int run_again(struct pass *pass, struct oev_capture *out, const struct oev_capture_options *options)
{
	struct pass sorted;
	int rc = run_pass(&sorted, options, true, out->error, sizeof(out->error));

	if (rc == OC_OK && sorted.messages > pass->messages) {
		struct pass worse = *pass;
		*pass = sorted;
		sorted = worse;
		out->sorts_segments = true;
	}
	end_pass(&sorted);
	return rc;
}

/* tshark found nothing to read, or not to the end. */
static int judge_exit(struct oev_capture *out, const struct pass *pass,
		      const struct oev_capture_options *options)
{
	if (pass->result.exit == 0)
		return OC_OK;
	snprintf(out->said, sizeof(out->said), "%s", pass->result.said);
	if (pass->result.frames > 0 || pass->result.exit > 128) {
		oev_missed_add(&out->missed, OEV_MISSED_FILE, 1, 0);
		if (out->said[0] == '\0')
			snprintf(out->said, sizeof(out->said), "tshark ended with code %d",
				 pass->result.exit);
		return OC_OK;
	}
	snprintf(out->error, sizeof(out->error), "%s%s: %s", options->files[0],
		 options->file_count > 1 ? " and others" : "",
		 out->said[0] != '\0' ? out->said : "tshark cannot read it");
	return OC_EMALFORMED;
}

static void on_request(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange)
{
	struct oev_capture *capture = ctx;

	oev_capture_count_message(&capture->count, walked, exchange);
	oev_capture_model_request(capture->model, walked, exchange);
}

static void on_answer(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange)
{
	struct oev_capture *capture = ctx;

	oev_capture_count_message(&capture->count, walked, exchange);
	oev_capture_model_answer(capture->model, walked, exchange);
}

static void on_unanswered(void *ctx, const struct oev_exchange *exchange, uint64_t now_ns)
{
	struct oev_capture *capture = ctx;

	oev_capture_count_unanswered(&capture->count, exchange);
	oev_capture_model_unanswered(capture->model, exchange, now_ns);
}

static int ignore_begin(void *ctx, uint32_t node, uint32_t name, uint64_t now_ns)
{
	(void)ctx, (void)node, (void)name, (void)now_ns;
	return OC_OK;
}

static int ignore_event(void *ctx, uint32_t node, const struct oc_event *event)
{
	(void)ctx, (void)node, (void)event;
	return OC_OK;
}

static int ignore_end(void *ctx, uint32_t node, uint64_t now_ns)
{
	(void)ctx, (void)node, (void)now_ns;
	return OC_OK;
}

static int make_parts(struct oev_capture *out, const struct oev_capture_options *options)
{
	static const struct oev_capture_sink nowhere = { .begin = ignore_begin,
							 .event = ignore_event,
							 .end = ignore_end };
	const struct oev_walk_hearer hearer = {
		.ctx = out, .request = on_request, .answer = on_answer, .unanswered = on_unanswered
	};

	out->names = oc_names_new(options->names_max != 0 ? options->names_max : NAMES_MAX, NAMES_SEED);
	if (out->connections == NULL)
		out->connections = oev_connections_new();
	if (out->names == NULL || out->connections == NULL)
		return OC_ENOMEM;
	out->walk = oev_capture_walk_new(&(struct oev_walk_conf){ .names = out->names,
								  .connections = out->connections,
								  .pseudonym_key = options->pseudonym_key,
								  .hearer = hearer });
	out->model = oev_capture_model_new(&(struct oev_model_conf){
		.names = out->names, .sink = options->sink != NULL ? options->sink : &nowhere });
	return out->walk != NULL && out->model != NULL ? OC_OK : OC_ENOMEM;
}

/* One reading of all messages. */
struct reading {
	struct oev_capture *out;
	const struct oev_capture_options *options;
	enum oev_capture_phase phase;
	uint64_t done;
};

static int learn(struct reading *reading, const struct oev_pdu *pdu)
{
	struct oev_capture *out = reading->out;
	struct oev_message message;
	int rc = oev_capture_walk_learn(out->walk, pdu, &message);

	if (rc == OC_EMALFORMED || (rc == OC_OK && message.is_malformed))
		oev_missed_add(&out->missed, OEV_MISSED_MALFORMED, 1, pdu->frame);
	if (rc == OC_OK && message.trailing > 0)
		oev_missed_add(&out->missed, OEV_MISSED_TRAILING, message.trailing, pdu->frame);
	return rc;
}

static int tell(struct reading *reading, const struct oev_pdu *pdu)
{
	struct oev_message message;
	int rc = oev_capture_walk_step(reading->out->walk, pdu, &message);

	return rc == OC_OK ? oev_capture_model_error(reading->out->model) : rc;
}

static int check(struct reading *reading)
{
	const struct oev_capture_options *options = reading->options;

	if (++reading->done % PROGRESS_EVERY != 0)
		return OC_OK;
	if (options->progress != NULL)
		options->progress(options->ctx, reading->phase, reading->done, reading->out->exported);
	return options->stop != NULL && options->stop(options->ctx) ? OC_EINTERRUPTED : OC_OK;
}

static int read_all(struct reading *reading, FILE *messages,
		    int (*take)(struct reading *reading, const struct oev_pdu *pdu))
{
	struct oev_capture *out = reading->out;
	struct oev_pdu_file *file = NULL;
	struct oev_pdu pdu = { 0 };
	FILE *again = fdopen(dup(fileno(messages)), "rb");
	int rc = again != NULL ? oev_pdu_open(&file, again, out->error, sizeof(out->error)) : OC_EIO;

	while (rc == OC_OK && (rc = oev_pdu_next(file, &pdu)) == OC_OK) {
		rc = take(reading, &pdu);
		if (rc == OC_EMALFORMED)
			rc = OC_OK;
		if (rc == OC_OK)
			rc = check(reading);
	}
	if (rc == OC_EMALFORMED && file != NULL) { /* the rest of the file is lost, what came before stands */
		rc = OC_ENOENT;
		oev_missed_add(&out->missed, OEV_MISSED_UNREADABLE, reading->phase == OEV_PHASE_LEARN, 0);
	}
	if (file != NULL && reading->phase == OEV_PHASE_LEARN)
		oev_missed_add(&out->missed, OEV_MISSED_UNREADABLE, oev_pdu_broken(file), 0);
	oev_pdu_close(file);
	return rc == OC_ENOENT ? OC_OK : rc;
}

static void note_one_way(struct oev_capture *out)
{
	const struct oev_contacts *contacts = oev_capture_walk_contacts(out->walk);

	for (uint32_t i = 1; i <= oev_contacts_count(contacts); i++) {
		const struct oev_contact *contact = oev_contacts_get(contacts, i);
		if (contact->messages[0] == 0 || contact->messages[1] == 0)
			oev_missed_add(&out->missed, OEV_MISSED_ONE_WAY,
				       contact->messages[0] + contact->messages[1], contact->first_frame);
	}
}

static int tell_all(struct oev_capture *out, FILE *messages, const struct oev_capture_options *options)
{
	struct reading reading = { .out = out, .options = options, .phase = OEV_PHASE_LEARN };
	int rc = read_all(&reading, messages, learn);

	if (rc != OC_OK)
		return rc;
	oev_capture_walk_again(out->walk);
	note_one_way(out);
	if (options->ready != NULL)
		rc = options->ready(options->ctx, out);
	reading = (struct reading){ .out = out, .options = options, .phase = OEV_PHASE_TELL };
	if (rc == OC_OK)
		rc = read_all(&reading, messages, tell);
	if (rc != OC_OK)
		return rc;
	oev_capture_walk_end(out->walk);
	oev_capture_model_end(out->model, out->count.last_ns);
	return oev_capture_model_error(out->model);
}

int oev_capture_tell(struct oev_capture *out, FILE *messages, const struct oev_capture_options *options)
{
	int rc = make_parts(out, options);

	if (rc == OC_OK)
		rc = tell_all(out, messages, options);
	fclose(messages);
	if (rc != OC_OK && out->error[0] == '\0')
		snprintf(out->error, sizeof(out->error), "%s", oc_err_text(rc));
	return rc;
}

int oev_capture_run(struct oev_capture *out, const struct oev_capture_options *options)
{
	struct pass pass;
	FILE *messages = NULL;
	int rc = run_pass(&pass, options, false, out->error, sizeof(out->error));

	if (rc == OC_OK && pass.missed.sum[OEV_MISSED_OCTETS].amount > 0)
		rc = run_again(&pass, out, options);
	if (rc == OC_OK) {
		out->missed = pass.missed;
		rc = judge_exit(out, &pass, options);
	}
	if (rc == OC_OK) {
		out->connections = pass.connections;
		messages = pass.result.messages;
		out->exported = pass.messages;
		pass.connections = NULL;
		pass.result.messages = NULL;
	}
	end_pass(&pass);
	if (rc != OC_OK && out->error[0] == '\0')
		snprintf(out->error, sizeof(out->error), "%s", oc_err_text(rc));
	return rc == OC_OK ? oev_capture_tell(out, messages, options) : rc;
}

void oev_capture_fini(struct oev_capture *capture)
{
	oev_capture_model_free(capture->model);
	oev_capture_walk_free(capture->walk);
	oev_connections_free(capture->connections);
	oc_names_free(capture->names);
	oev_capture_count_fini(&capture->count);
	*capture = (struct oev_capture){ 0 };
}
