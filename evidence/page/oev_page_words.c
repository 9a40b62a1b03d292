/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the words of the page mean.
 */
#include "oev_page_out.h"
#include "oev_page_parts.h"

void oev_page_words(FILE *out)
{
	static const struct {
		const char *word, *meaning;
	} words[] = {
		{ "asked", "an overload report was received, or ordered here: kept octet for octet" },
		{ "held", "the node made it an overload control state, from then until it expired, ended or "
			  "was replaced" },
		{ "selected", "requests that the state took away: refused, or sent elsewhere. The share is "
			      "of those compared with it" },
		{ "arrived", "what came to the node that asked, by its own count or by the answers it gave" },
		{ "useful", "what was answered with success within the client's patience, by its own word or "
			    "by these answers" },
		{ "bound", "selected minus the sum of the shares asked; it may never reach 1 in either "
			   "direction. Priorities may let a "
			   "named number of requests wait" },
		{ "controlled return",
		  "after a state expires the share runs down, so that no wave comes back at once" },
		{ "version", "one content of a state; a newer report makes the next one" },
		{ "gap", "events that were made but could not be kept" },
	};

	fputs("<section><h2>Words</h2><dl>\n", out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fputs("<dt>", out);
		oev_page_text(out, words[i].word);
		fputs("</dt><dd>", out);
		oev_page_text(out, words[i].meaning);
		fputs("</dd>\n", out);
	}
	fputs("</dl></section>\n", out);
}
