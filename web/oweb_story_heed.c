/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who was told to send less and goes on, or does so only in part.
 */
#include <stdlib.h>

#include "oweb_inner.h"
#include "oweb_story.h"
#include "oweb_view.h"
#include "oweb_words.h"

/* The worst, of @count alike. */
static json_t *say(const struct oweb_server *server, const struct oev_watch_sender *worst, uint32_t count)
{
	bool is_part = worst->judgement.obedience == OEV_PARTLY;
	double for_s = worst->for_s > 0 ? worst->for_s : 1;
	struct oweb_sentence sentence = { 0 };
	char text[OWEB_WORDS_MAX];

	oweb_sentence_node(&sentence, oweb_view_name(server, worst->name));
	oweb_sentence_say(&sentence,
			  " was told to send less to %s and %s: ", oweb_view_name(server, worst->subject),
			  is_part ? "does so only in part" : "goes on");
	oweb_sentence_say(&sentence, "%s where ", oweb_words_rate((double)worst->during / for_s, text));
	oweb_sentence_say(&sentence, "%s would obey",
			  oweb_words_rate(worst->judgement.expected / for_s, text));
	if (count > 1)
		oweb_sentence_say(&sentence, ", and %s more", oweb_words_count(count - 1, text));
	oweb_sentence_say(&sentence, ".");
	return oweb_sentence_end(&sentence, is_part ? "warn" : "bad");
}

json_t *oweb_story_heed(const struct oweb_server *server)
{
	struct oev_watch_sender *sender =
		server->watch == NULL ? NULL : calloc(OEV_WATCH_SENDERS_MAX, sizeof(*sender));
	uint64_t unlisted;
	uint32_t count = sender == NULL
				 ? 0
				 : oev_watch_senders(server->watch, sender, OEV_WATCH_SENDERS_MAX, &unlisted),
		 alike = 0;

	while (alike < count && sender[alike].judgement.obedience == sender[0].judgement.obedience &&
	       oev_obedience_rank(sender[0].judgement.obedience) < 2)
		alike++;
	json_t *told = alike > 0 ? say(server, &sender[0], alike) : NULL;
	free(sender);
	return told;
}
