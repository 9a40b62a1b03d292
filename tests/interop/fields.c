/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Prints what the agent's scanner reads in each Diameter message of a capture, one line per message, for comparison with
 * what another decoder reads (fields.jq makes the same lines of tshark's words).
 *
 * Usage: fields CAPTURE. A value that is absent is "-". Names are lower-cased, as the agent keeps them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "agent/wire/oc_names.h"
#include "tests/traffic/dt_capture.h"

#define NAMES_MAX 4096u

static void put_number(const char *label, bool is_there, uint64_t value)
{
	if (is_there)
		printf(" %s=%" PRIu64, label, value);
	else
		printf(" %s=-", label);
}

static void put_name(const char *label, const struct oc_names *names, uint32_t id)
{
	printf(" %s=%s", label, id == OC_NAME_NONE ? "-" : oc_names_text(names, id));
}

static void put_header(const struct oc_msg *msg, const struct oc_names *names)
{
	printf("len=%" PRIu32 " flags=0x%02x cmd=%" PRIu32 " app=%" PRIu32 " e2e=0x%08" PRIx32, msg->length,
	       msg->flags, msg->command, msg->app_id, msg->end_to_end);
	put_name("origin", names, msg->origin_host);
	put_name("realm", names, msg->origin_realm);
	put_name("dest", names, msg->dest_host);
	put_name("dest-realm", names, msg->dest_realm);
	put_number("result", msg->result_code != 0, msg->result_code);
	put_number("type", msg->cc_request_type != 0, msg->cc_request_type);
	put_number("drmp", msg->drmp != OC_DRMP_NONE, msg->drmp);
}

static void put_caps(const struct oc_caps *caps, const struct oc_names *names)
{
	if ((caps->has & OC_CAPS_PRESENT) == 0) {
		printf(" features=-");
		return;
	}
	printf(" features=[");
	put_number("vector", (caps->has & OC_CAPS_HAS_VECTOR) != 0, caps->vector);
	put_name("source", names, caps->source);
	put_number("algo", (caps->has & OC_CAPS_HAS_PEER_ALGO) != 0, caps->peer_algo);
	printf(" ]%s", (caps->has & OC_CAPS_REPEATED) != 0 ? "+" : "");
}

static void put_olr(const struct oc_olr *olr, const struct oc_names *names)
{
	printf(" report=[");
	put_number("seq", (olr->has & OC_OLR_HAS_SEQUENCE) != 0, olr->sequence);
	put_number("type", (olr->has & OC_OLR_HAS_TYPE) != 0, olr->type);
	put_number("pct", (olr->has & OC_OLR_HAS_REDUCTION) != 0, olr->reduction_pct);
	put_number("validity", (olr->has & OC_OLR_HAS_VALIDITY) != 0, olr->validity_s);
	put_number("rate", (olr->has & OC_OLR_HAS_RATE) != 0, olr->rate_rps);
	put_name("source", names, olr->source);
	printf(" ]");
}

static void put_load(const struct oc_load_avp *load, const struct oc_names *names)
{
	printf(" load=[");
	put_number("type", (load->has & OC_LOAD_HAS_TYPE) != 0, load->type);
	put_number("value", (load->has & OC_LOAD_HAS_VALUE) != 0, load->value);
	put_name("source", names, load->source);
	printf(" ]");
}

/* What an application says: requests only. */
static void put_application(const struct oc_msg *msg)
{
	if (!oc_msg_is_request(msg))
		return;
	printf(" apn=%.*s", msg->apn_len != 0 ? msg->apn_len : 1, msg->apn_len != 0 ? msg->apn : "-");
	for (uint8_t i = 0; i < msg->rating_group_count; i++)
		printf(" group=%" PRIu32, msg->rating_group[i]);
}

static void put_msg(const struct dt_cap_msg *raw, struct oc_names *names)
{
	struct oc_msg msg = { 0 };
	int rc = oc_msg_scan((struct oc_bytes){ raw->data, raw->len }, names, NULL, &msg, NULL);

	put_header(&msg, names);
	put_caps(&msg.caps, names);
	for (uint8_t i = 0; i < msg.olr_count; i++)
		put_olr(&msg.olr[i], names);
	for (uint8_t i = 0; i < msg.load_count; i++)
		put_load(&msg.load[i], names);
	put_application(&msg);
	printf("%s\n", rc == OC_OK ? "" : " malformed");
}

int main(int argc, char **argv)
{
	struct dt_capture capture = { .everything = true };
	char why[256] = "";
	int failed = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: fields CAPTURE\n");
		return 2;
	}
	struct oc_names *names = oc_names_new(NAMES_MAX, 1);
	if (!names || dt_capture_load(&capture, argv[1], why, sizeof(why)) != OC_OK) {
		fprintf(stderr, "fields: %s: %s\n", argv[1], why);
		failed = 1;
	}
	for (uint32_t i = 0; i < capture.count; i++)
		put_msg(&capture.msg[i], names);
	dt_capture_fini(&capture);
	oc_names_free(names);
	return failed;
}
