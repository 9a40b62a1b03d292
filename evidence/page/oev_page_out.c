/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Escaping and cells.
 */
#include "oev_page_out.h"

#include <inttypes.h>

#include "../audit/oev_audit.h"

/* Octets of a well-formed UTF-8 character at @c, 0 for anything else. */
static unsigned utf8_length(const unsigned char *c)
{
	unsigned length = c[0] >= 0xf0 && c[0] <= 0xf4	 ? 4
			  : c[0] >= 0xe0 && c[0] <= 0xef ? 3
			  : c[0] >= 0xc2 && c[0] <= 0xdf ? 2
							 : 0;

	for (unsigned i = 1; i < length; i++)
		if ((c[i] & 0xc0u) != 0x80u)
			return 0;
	return length;
}

void oev_page_text(FILE *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
		unsigned length = *c >= 0x80 ? utf8_length(c) : 1;
		if (length == 0 || *c < 0x20 || *c == 0x7f)
			fputs("&#xFFFD;", out);
		else if (*c == '<' || *c == '>' || *c == '&' || *c == '"' || *c == '\'')
			fprintf(out, "&#%u;", *c);
		else
			fwrite(c, 1, length, out);
		c += length != 0 ? length : 1;
	}
}

void oev_page_cell(FILE *out, const char *text, bool is_number)
{
	fputs(is_number ? "<td class=n>" : "<td>", out);
	oev_page_text(out, text);
	fputs("</td>", out);
}

void oev_page_number(FILE *out, uint64_t value)
{
	char text[32];

	oev_page_cell(out, oev_number_text(value, text), true);
}

void oev_page_rate(FILE *out, uint64_t count, uint64_t span_us)
{
	char text[40] = "\xe2\x80\x93"; /* en dash: nothing is known */

	if (span_us != 0)
		snprintf(text, sizeof(text), "%.1f/s", (double)count * 1e6 / (double)span_us);
	oev_page_cell(out, text, true);
}

void oev_page_duration(FILE *out, uint64_t us)
{
	char text[40] = "\xe2\x80\x93";

	if (us >= 120000000u)
		snprintf(text, sizeof(text), "%" PRIu64 " min %02" PRIu64 " s", us / 60000000u,
			 us / 1000000u % 60u);
	else if (us != 0)
		snprintf(text, sizeof(text), "%.3f s", (double)us / 1e6);
	oev_page_cell(out, text, true);
}

void oev_page_table(FILE *out, const char *caption, const char *const *heads)
{
	fputs("<div class=wide><table><caption>", out);
	oev_page_text(out, caption);
	fputs("</caption><thead><tr>", out);
	for (; *heads != NULL; heads++) {
		bool is_number = **heads == '>';
		fputs(is_number ? "<th scope=col class=n>" : "<th scope=col>", out);
		oev_page_text(out, *heads + is_number);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>\n", out);
}

void oev_page_table_end(FILE *out)
{
	fputs("</tbody></table></div>\n", out);
}
