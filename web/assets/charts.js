// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Line charts over dygraphs, with what it lacks: a sentence, a table of the same numbers, a legend that is a table with checkboxes, and
// a cursor for the keyboard. Seconds that are not known are hatched and have no line.
import { el, fill, save, say, speak } from "./dom.js";
import { clock, dateTime } from "./format.js";
import { csvText } from "./table.js";

const { Dygraph } = window;
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

const dashes = { solid: null, dash: [7, 3], dot: [2, 3], dashdot: [8, 3, 2, 3] };

const known = new Map(); // colours of the theme as it is

export function color(name) {
	const theme = document.documentElement.dataset.dark;
	if (known.get("theme") !== theme)
		known.clear();
	known.set("theme", theme);
	if (!known.has(name))
		known.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "gray");
	return known.get(name);
}

let phases = 0;

// Chart({ title, unit, series: [{ key, label, color, dash, step, points, scale }], range, format(value), onOpen(second) })
export class Chart {
	constructor(options) {
		Object.assign(this, options);
		this.phase = phases++;
		this.shown = this.series.map(() => true);
		this.rows = [];
		this.cursor = null;
		this.plot = el("div", { class: "plot", role: "img", tabindex: "0", "aria-label": this.title,
			"aria-description": "Left and right arrow: move by a second. Shift: ten seconds. Home, End: oldest, newest. Enter: decisions of that second.",
			on: { keydown: (event) => this.keys(event), focus: () => this.describe(), blur: () => this.leave() } });
		this.tableButton = el("button", { type: "button", class: "small", "aria-pressed": "false", text: "Table", "aria-label": `${this.title} as a table`,
			on: { click: () => this.toggleTable() } });
		this.readout = el("span", { class: "readout" });
		this.numbers = el("div", { class: "numbers scroller", tabindex: "0", role: "group", "aria-label": `${this.title}, numbers`, hidden: true });
		this.element = el("figure", { class: `chart ${this.className || ""}` },
			el("figcaption", {}, el("span", { class: "caption", text: this.title }), this.readout, this.tableButton),
			this.plot, this.numbers, this.legend());
	}

	legend() {
		this.values = this.series.map(() => el("span", { class: "value", text: "–" }));
		const cells = this.series.map((series, i) => {
			const check = el("input", { type: "checkbox", checked: true, on: { change: () => this.show(i, check.checked) } });
			const swatch = el("span", { class: `swatch ${series.dash || "solid"} c-${series.color}`, "aria-hidden": "true" });
			return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, el("label", {}, check, swatch, series.label)),
				el("td", { role: "cell" }, this.values[i]));
		});
		return el("table", { class: "legend", role: "table", "aria-label": `${this.title}: lines and newest values` },
			el("tbody", { role: "rowgroup" }, cells));
	}

	show(i, isOn) {
		this.shown[i] = isOn;
		this.graph?.setVisibility(i, isOn);
	}

	// Dygraphs needs an element that has a size.
	begin() {
		const options = { labels: ["time", ...this.series.map((series) => series.label)], legend: "never", labelsUTC: true,
			connectSeparatedPoints: false, drawPoints: false, strokeWidth: 1.6, highlightCircleSize: 3, gridLineWidth: 1,
			xAxisHeight: 16, rightGap: 4, xRangePad: 0, includeZero: true, interactionModel: {}, hideOverlayOnMouseOut: true,
			underlayCallback: (canvas, area, graph) => this.underlay(canvas, area, graph),
			highlightCallback: (event, x) => this.point(x), unhighlightCallback: () => this.leave(),
			clickCallback: (event, x) => this.onOpen?.(Math.round(x / 1000), this.step),
			axes: { x: { axisLabelFormatter: (x) => this.timeText(x), pixelsPerLabel: 75, axisLabelWidth: 64 },
				y: { axisLabelFormatter: (y) => this.axisText(y), axisLabelWidth: this.labelWidth || 40, pixelsPerLabel: this.className === "half" ? 15 : 24 } },
			series: Object.fromEntries(this.series.map((series) => [series.label, { strokePattern: dashes[series.dash || "solid"],
				stepPlot: Boolean(series.step), drawPoints: Boolean(series.points), pointSize: 1.5, strokeWidth: series.points ? 0.01 : 1.6 }])),
			...this.colors() };
		if (this.range)
			options.valueRange = this.range;
		this.graph = new Dygraph(this.plot, this.rows, options);
		this.watch = new ResizeObserver(() => this.plot.offsetWidth > 0 && this.graph.resize());
		this.watch.observe(this.plot);
		this.hidden();
	}

	// The picture has its sentence; its pieces are not read out one by one.
	hidden() {
		for (const child of this.plot.children)
			child.setAttribute("aria-hidden", "true");
	}

	// How many seconds a point stands for.
	get step() {
		return this.marks?.step || 1;
	}

	// Over more than a day the date is wanted, too.
	timeText(x) {
		const span = this.rows.length > 1 ? this.rows[this.rows.length - 1][0] - this.rows[0][0] : 0;
		return span > 86400000 ? dateTime(x).slice(5, 16) : clock(x).slice(0, 8);
	}

	axisText(y) {
		return this.axis ? this.axis(y) : y >= 1e6 ? `${y / 1e6}M` : y >= 10000 ? `${y / 1000}k` : String(Math.round(y * 1000) / 1000);
	}

	colors() {
		return { colors: this.series.map((series) => color(series.color)), gridLineColor: color("grid"), axisLineColor: color("grid") };
	}

	recolor() {
		this.drawn = null;
		this.graph?.updateOptions(this.colors());
	}

	end() {
		this.watch?.disconnect();
		this.graph?.destroy();
		this.graph = null;
	}

	// marks: { holes, gaps, held: [[from, until]], flags: [seconds], step, key } ; @key changes when something but time moved on.
	set(rows, marks) {
		this.rows = rows;
		this.marks = marks;
		if (rows.length === 0)
			return;
		if (!this.graph) {
			if (this.plot.offsetWidth > 0)
				this.begin();
		} else if (!this.plot.hidden && this.hasMoved(rows, marks))
			this.graph.updateOptions({ file: rows, dateWindow: [rows[0][0], rows[rows.length - 1][0]] });
		if (this.cursor !== null)
			this.select(this.cursor);
		this.series.forEach((series, i) => say(this.values[i], this.valueText(i, this.lastOf(i))));
		if (!this.numbers.hidden)
			this.fillTable();
	}

	// Ten minutes on half as many pixels: a second moves the picture by half of one. It is drawn again when it moves by a whole one,
	// or when something else changed; not all charts in the same second.
	hasMoved(rows, marks) {
		const from = rows[0][0], last = rows[rows.length - 1][0];
		const key = `${marks.key} ${rows.length}`;
		const period = Math.max(1, Math.round((last - from) / 1000 / Math.max(1, this.graph.getArea().w)));
		if (this.step > 1) { // what moves on comes with another key
			const isOther = this.drawn?.key !== key;
			this.drawn = { key, last };
			return isOther;
		}
		const since = this.drawn ? (last - this.drawn.last) / 1000 : -1;
		if (this.drawn?.key === key && since >= 0 && since < period && (last / 1000 + this.phase) % period !== 0)
			return false;
		this.drawn = { key, last };
		return true;
	}

	lastOf(i) {
		const row = this.rows[this.rows.length - 1];
		return row ? row[i + 1] : null;
	}

	valueText(i, value) {
		return value === null || value === undefined ? "–" : this.format(value);
	}

	underlay(canvas, area, graph) {
		if (!this.marks || this.rows.length === 0)
			return;
		const { holes, gaps, held, flags } = this.marks;
		const x = (second) => graph.toDomXCoord(second * 1000);
		const spans = (list, paint) => {
			for (const [from, until] of list || [])
				paint(x(from - (this.step === 1 ? 0.5 : 0)), x(until + (this.step === 1 ? 0.5 : 1)));
		};
		canvas.save();
		canvas.beginPath();
		canvas.rect(area.x, area.y, area.w, area.h);
		canvas.clip();
		canvas.fillStyle = color("heldshade");
		spans(held, (a, b) => canvas.fillRect(a, area.y, Math.max(1, b - a), area.h));
		spans(holes, (a, b) => hatch(canvas, a, area.y, b - a, area.h, color("unknown")));
		spans(gaps, (a, b) => hatch(canvas, a, area.y, Math.max(2, b - a), area.h, color("bad")));
		for (const second of flags || [])
			flag(canvas, x(second), area);
		canvas.restore();
	}

	point(x) {
		const row = this.rows.find((each) => each[0] === x);
		if (!row)
			return;
		say(this.readout, `${clock(x)} ${this.series.map((series, i) => this.shown[i] ? `${series.label} ${this.valueText(i, row[i + 1])}` : "").filter(Boolean).join(", ")}`);
	}

	leave() {
		this.cursor = null;
		say(this.readout, "");
		this.graph?.clearSelection();
	}

	keys(event) {
		if (this.rows.length === 0)
			return;
		const last = this.rows.length - 1;
		const at = this.cursor === null ? last : Math.max(0, this.rows.findIndex((row) => row[0] === this.cursor));
		const step = event.shiftKey ? 10 : 1;
		const to = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: last }[event.key];
		if (event.key === "Enter" && this.cursor !== null)
			this.onOpen?.(Math.round(this.cursor / 1000), this.step);
		if (event.key === "Escape")
			this.leave();
		if (to === undefined)
			return;
		event.preventDefault();
		this.select(this.rows[Math.min(last, Math.max(0, to))][0]);
		speak(this.readout.textContent);
	}

	select(x) {
		const index = this.rows.findIndex((row) => row[0] === x);
		if (index < 0 || !this.graph)
			return;
		this.cursor = x;
		this.graph.setSelection(index);
		this.point(x);
	}

	// The sentence: newest, least, most, and where it goes. Made when somebody looks, not each second.
	sentence() {
		const parts = this.series.map((series, i) => {
			const values = this.rows.map((row) => row[i + 1]).filter((value) => value !== null);
			if (values.length === 0)
				return `${series.label}: nothing known`;
			const newest = values[values.length - 1];
			const half = Math.max(1, Math.floor(values.length / 2));
			const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
			const early = mean(values.slice(0, half)), late = mean(values.slice(-half));
			const trend = late > early * 1.1 + 1e-9 ? "rising" : late < early * 0.9 - 1e-9 ? "falling" : "level";
			return `${series.label}: last ${this.format(newest)}, least ${this.format(Math.min(...values))}, most ${this.format(Math.max(...values))}, ${trend}`;
		});
		const holes = (this.marks?.holes || []).reduce((sum, [from, until]) => sum + until - from + 1, 0);
		return `${this.title}, ${this.rows.length * this.step} seconds${this.step > 1 ? `, means of ${this.step}` : ""}. ${parts.join(". ")}.${holes ? ` ${holes} seconds are not known.` : ""}`;
	}

	describe() {
		this.plot.setAttribute("aria-label", this.sentence());
	}

	toggleTable() {
		const isOn = this.numbers.hidden;
		this.numbers.hidden = !isOn;
		this.plot.hidden = isOn;
		this.tableButton.setAttribute("aria-pressed", String(isOn));
		if (isOn)
			this.fillTable();
		else
			this.set(this.rows, this.marks);
	}

	fillTable() {
		const columns = [{ label: "time", value: (row) => new Date(row[0]).toISOString() },
			...this.series.map((series, i) => ({ label: `${series.label} (${this.unit})`, value: (row) => row[i + 1] }))];
		const body = [...this.rows].reverse().map((row) => el("tr", {}, el("th", { scope: "row", text: clock(row[0]) }),
			this.series.map((series, i) => el("td", { class: "num", text: this.valueText(i, row[i + 1]) }))));
		fill(this.numbers, el("button", { type: "button", class: "small", text: "CSV", "aria-label": `Save ${this.title} as CSV`,
			on: { click: () => save(`${this.title.replace(/[^a-z0-9]+/gi, "-")}.csv`, "text/csv", csvText(columns, this.rows, () => "")) } }),
		el("table", { class: "rows" }, el("caption", { class: "quiet", text: this.title }),
			el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Time" }), this.series.map((series) => el("th", { scope: "col", class: "num", text: `${series.label} (${this.unit})` })))),
			el("tbody", {}, body)));
	}
}

export function hatch(canvas, x, y, w, h, stroke) {
	canvas.save();
	canvas.beginPath();
	canvas.rect(x, y, w, h);
	canvas.clip();
	canvas.strokeStyle = stroke;
	canvas.lineWidth = 1;
	canvas.beginPath();
	for (let at = x - h; at < x + w; at += 7) {
		canvas.moveTo(at, y + h);
		canvas.lineTo(at + h, y);
	}
	canvas.stroke();
	canvas.restore();
}

function flag(canvas, x, area) {
	canvas.fillStyle = canvas.strokeStyle = color("ink");
	canvas.beginPath();
	canvas.moveTo(x, area.y + area.h);
	canvas.lineTo(x, area.y + 1);
	canvas.stroke();
	canvas.beginPath();
	canvas.moveTo(x, area.y + 1);
	canvas.lineTo(x + 7, area.y + 4);
	canvas.lineTo(x, area.y + 7);
	canvas.fill();
}
