/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lines, shades and marks of a claim's picture.
 */
#include "oev_page_chart.h"

#include <inttypes.h>

#include "../oev_time.h"
#include "oev_page_axis.h"
#include "oev_page_columns.h"
#include "oev_page_out.h"

#define WIDTH 960.0
#define LEFT 62.0
#define RIGHT 948.0
#define MARKS_TOP 10.0 /* four rows of labels above the plots */
#define MARK_ROW 13.0
#define RATE_TOP 66.0
#define RATE_BOTTOM 286.0
#define SHARE_TOP 318.0
#define SHARE_BOTTOM 418.0
#define HEIGHT 440.0

struct chart {
	FILE *out;
	const struct oev_claim *claim;
	const struct oev_series *series;
	struct oev_columns columns;
	struct oev_axis axis;
	size_t number;
};

static void shade(const struct chart *c, const char *class, uint64_t from_us, uint64_t until_us)
{
	double x = oev_axis_x(&c->axis, from_us), end = oev_axis_x(&c->axis, until_us);

	if (until_us > from_us && end > x)
		fprintf(c->out, "<rect class=%s x=%.1f y=%.1f width=%.1f height=%.1f />\n", class, x,
			RATE_TOP, end - x, SHARE_BOTTOM - RATE_TOP);
}

static void draw_intervals(const struct chart *c)
{
	for (size_t i = 0; i < c->series->interval_count; i++) {
		const struct oev_series_interval *at = &c->series->intervals[i];
		if (at->is_end)
			continue;
		shade(c, "held", at->from_us, at->until_us);
		shade(c, "ramp", at->until_us, at->normal_us);
	}
}

static void draw_instants(const struct chart *c)
{
	for (int i = 0; i < OEV_INSTANT_COUNT; i++) {
		uint64_t at_us = c->series->instant_us[i];
		char when[OEV_TIME_TEXT_MAX];
		if (at_us < c->axis.from_us || at_us > c->axis.until_us)
			continue;
		double x = oev_axis_x(&c->axis, at_us), y = MARKS_TOP + MARK_ROW * (i + 1);
		bool is_right = x > (LEFT + RIGHT) / 2;
		oev_time_text(at_us, when);
		fprintf(c->out,
			"<path class=mark d='M%.1f %.1fV%.1f'/><text class='%s' x=%.1f y=%.1f>%s "
			"%.12s</text>\n",
			x, y - 9, SHARE_BOTTOM, is_right ? "end lab" : "lab", is_right ? x - 4 : x + 4, y,
			oev_instant_text((enum oev_instant)i), when + 11);
	}
}

/* One line through the columns; a value nobody tells breaks it. */
static void draw_line(const struct chart *c, enum oev_column column, const struct oev_scale *scale)
{
	bool is_down = false;

	fprintf(c->out, "<path class='line l%d' d='", (int)column);
	for (uint32_t i = 0; i < c->columns.count; i++) {
		double value = c->columns.value[column][i];
		if (value < 0) {
			is_down = false;
			continue;
		}
		fprintf(c->out, "%c%.1f %.1f", is_down ? 'L' : 'M',
			oev_axis_x(&c->axis, oev_columns_middle_us(&c->columns, i)),
			oev_scale_y(scale, value));
		is_down = true;
	}
	fputs("'/>\n", c->out);
}

static void draw_rates(const struct chart *c)
{
	struct oev_scale scale = oev_scale_for(oev_columns_highest(&c->columns), RATE_TOP, RATE_BOTTOM);

	oev_scale_draw(c->out, &scale, &c->axis, "");
	fprintf(c->out, "<text x=%.1f y=%.1f class=lab>requests per second</text>\n", LEFT, RATE_TOP - 4);
	for (int i = 0; i < OEV_COLUMN_SHARE; i++)
		if (c->columns.is_used[i])
			draw_line(c, (enum oev_column)i, &scale);
}

/* What was asked: a step for each version in force. */
static void draw_asked(const struct chart *c, const struct oev_scale *scale)
{
	for (size_t i = 0; i < c->series->interval_count; i++) {
		const struct oev_series_interval *at = &c->series->intervals[i];
		double from = oev_axis_x(&c->axis, at->from_us), until = oev_axis_x(&c->axis, at->until_us);
		if (at->is_rate || at->is_end || until <= from)
			continue;
		fprintf(c->out, "<path class='line asked' d='M%.1f %.1fH%.1f'/>\n", from,
			oev_scale_y(scale, at->reduction_pct), until);
	}
}

static void draw_shares(const struct chart *c)
{
	struct oev_scale scale = { .max = 100, .step = 50, .top = SHARE_TOP, .bottom = SHARE_BOTTOM };

	oev_scale_draw(c->out, &scale, &c->axis, " %");
	fprintf(c->out,
		"<text x=%.1f y=%.1f class=lab>share of matching requests: asked (step), selected "
		"(line)</text>\n",
		LEFT, SHARE_TOP - 5);
	draw_asked(c, &scale);
	draw_line(c, OEV_COLUMN_SHARE, &scale);
}

static void say(const struct chart *c)
{
	char a[32], b[32];

	fprintf(c->out, "<title>%s over time. While it was in force %s of %s matching requests were selected",
		"The claim", oev_number_text(c->claim->active.selected, a),
		oev_number_text(c->claim->active.matched, b));
	fprintf(c->out, ", against %.2f asked.</title>\n", (double)c->claim->active.expected_ppm / 1e6);
}

static void draw_legend(const struct chart *c)
{
	fputs("<ul class=legend>", c->out);
	for (int i = 0; i < OEV_COLUMN_SHARE; i++) {
		if (!c->columns.is_used[i])
			continue;
		fprintf(c->out,
			"<li><svg width=34 height=8 aria-hidden=true><path class='line l%d' d='M1 "
			"4H33'/></svg> ",
			i);
		oev_page_text(c->out, oev_column_text((enum oev_column)i));
		fputs("</li>", c->out);
	}
	fputs("<li><span class='box held'></span> a version in force</li><li><span class='box ramp'></span> "
	      "controlled "
	      "return</li></ul>\n",
	      c->out);
}

static void draw_numbers(const struct chart *c)
{
	char when[OEV_TIME_TEXT_MAX];

	fprintf(c->out,
		"<details><summary>Numbers of the picture</summary><div class=wide><table><caption>per "
		"second, means of "
		"%.0f s</caption><thead><tr><th scope=col>from</th>",
		(double)c->columns.step_us / 1e6);
	for (int i = 0; i < OEV_COLUMN_COUNT; i++)
		fprintf(c->out, "<th scope=col class=n>%s</th>", oev_column_text((enum oev_column)i));
	fputs("</tr></thead><tbody>\n", c->out);
	for (uint32_t row = 0; row < c->columns.count; row++) {
		oev_time_text(c->columns.start_us + row * c->columns.step_us, when);
		fprintf(c->out, "<tr><td>%s", when);
		for (int i = 0; i < OEV_COLUMN_COUNT; i++)
			if (c->columns.value[i][row] < 0)
				fputs("<td class=n>\xe2\x80\x93", c->out);
			else
				fprintf(c->out, "<td class=n>%.1f", c->columns.value[i][row]);
		fputs("\n", c->out);
	}
	fputs("</tbody></table></div></details>\n", c->out);
}

void oev_page_chart(FILE *out, const struct oev_claim *claim, const struct oev_series *series, size_t number)
{
	struct chart c = { .out = out, .claim = claim, .series = series, .number = number };

	if (series->count == 0 || oev_columns_make(&c.columns, series) != 0)
		return;
	c.axis = (struct oev_axis){ .from_us = series->start_us,
				    .until_us = series->start_us + series->count * series->step_us,
				    .left = LEFT,
				    .right = RIGHT };
	fprintf(out, "<figure><svg viewBox='0 0 %.0f %.0f' role=img id=picture%zu>\n", WIDTH, HEIGHT, number);
	say(&c);
	draw_intervals(&c);
	oev_axis_draw(out, &c.axis, RATE_TOP, SHARE_BOTTOM);
	draw_rates(&c);
	draw_shares(&c);
	draw_instants(&c);
	fputs("</svg>\n", out);
	draw_legend(&c);
	draw_numbers(&c);
	fputs("</figure>\n", out);
	oev_columns_free(&c.columns);
}
