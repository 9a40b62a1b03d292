/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums of what could not be decoded, and their words.
 */
#include "oev_missed.h"

static const struct {
	const char *word, *text, *unit;
} kinds[OEV_MISSED_COUNT] = {
	[OEV_MISSED_TLS] = { "tls", "encrypted: TLS on a connection of Diameter", "octets" },
	[OEV_MISSED_DTLS] = { "dtls", "encrypted: DTLS over SCTP", "chunks" },
	[OEV_MISSED_ESP] = { "esp", "IPsec: what is inside is not known", "frames" },
	[OEV_MISSED_CUT] = { "cut", "captured in part: the snap length was too short", "frames" },
	[OEV_MISSED_LOST] = { "lost", "TCP segments that are not in the capture", "octets" },
	[OEV_MISSED_LOST_CHUNKS] = { "lost_chunks", "SCTP DATA chunks that are not in the capture",
				     "chunks" },
	[OEV_MISSED_OCTETS] = { "octets", "TCP payload in no whole message", "octets" },
	[OEV_MISSED_CHUNKS] = { "chunks", "SCTP payload in no whole message", "chunks" },
	[OEV_MISSED_MALFORMED] = { "malformed", "messages whose AVPs do not parse", "messages" },
	[OEV_MISSED_TRAILING] = { "trailing", "octets behind a message in its SCTP chunk", "octets" },
	[OEV_MISSED_ONE_WAY] = { "one_way", "connections captured in one direction only", "messages" },
	[OEV_MISSED_UNREADABLE] = { "unreadable", "what tshark said of a frame cannot be read", "frames" },
	[OEV_MISSED_FILE] = { "file", "the file ends in the middle or is broken", "files" },
	[OEV_MISSED_TABLE] = { "table", "more connections than can be followed", "frames" },
};

/* Keeps the lowest numbers, in order. False: @frame is there already. */
static bool list_frame(struct oev_missed_sum *sum, uint32_t frame)
{
	uint32_t at = 0;

	while (at < sum->listed && sum->frame[at] < frame)
		at++;
	if (at < sum->listed && sum->frame[at] == frame)
		return false;
	if (at == OEV_MISSED_LISTED)
		return true;
	sum->listed += sum->listed < OEV_MISSED_LISTED;
	for (uint32_t i = sum->listed - 1; i > at; i--)
		sum->frame[i] = sum->frame[i - 1];
	sum->frame[at] = frame;
	return true;
}

void oev_missed_add(struct oev_missed *missed, enum oev_missed_kind kind, uint64_t amount, uint32_t frame)
{
	struct oev_missed_sum *sum = &missed->sum[kind];

	sum->amount += amount;
	if (frame != 0)
		sum->frames += list_frame(sum, frame);
}

bool oev_missed_any(const struct oev_missed *missed)
{
	for (unsigned i = 0; i < OEV_MISSED_COUNT; i++)
		if (i != OEV_MISSED_ESP && missed->sum[i].amount > 0)
			return true;
	return false;
}

const char *oev_missed_word(enum oev_missed_kind kind)
{
	return kinds[kind].word;
}

const char *oev_missed_text(enum oev_missed_kind kind)
{
	return kinds[kind].text;
}

const char *oev_missed_unit(enum oev_missed_kind kind)
{
	return kinds[kind].unit;
}
