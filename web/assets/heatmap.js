// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// All peers, one line each, up to ten minutes wide: a share from 0 to 1 as a shade. One octet per cell is kept, so a picture is a look-up.
import { el, fill, mark, save, say, speak } from "./dom.js";
import { clock, count, percent } from "./format.js";
import { SECONDS, STARTING_S } from "./ring.js";
import { csvText } from "./table.js";

const UNKNOWN = 255;
const NONE = 254; // known, but there was nothing to take a share of
const STEPS = 200;
const REORDER_TICKS = 10;
const STEP_MAX = 10;
const LABELS_MAX = 10;
const ALIKE = STEPS / 50;

// What can be looked at: a share of two counts of a node.
export const QUANTITIES = {
	refused: { label: "refused share of what each sender offers", side: "client", part: "refused", whole: "requests" },
	failed: { label: "share of requests to each server without a useful answer", side: "server", part: "useful", whole: "sent", inverse: true },
};

// One way only: from nearly the paper to what stands out most from it, in lightness alone too.
const light = [[238, 241, 245], [254, 217, 118], [253, 141, 60], [189, 0, 38], [74, 0, 24]];
const dark = [[38, 41, 48], [110, 30, 50], [201, 66, 30], [250, 160, 60], [255, 247, 200]];

function shade(part, isDark) {
	const anchors = isDark ? dark : light;
	const at = part * (anchors.length - 1);
	const i = Math.min(anchors.length - 2, Math.floor(at));
	return anchors[i].map((c, k) => Math.round(c + (anchors[i + 1][k] - c) * (at - i)));
}

function pack([r, g, b]) {
	return (255 << 24) | (b << 16) | (g << 8) | r; // canvas octets are R, G, B, A
}

export class Heatmap {
	constructor({ onOpen, quantity = "refused", height = 200 }) {
		this.onOpen = onOpen;
		this.quantity = quantity;
		this.maxLines = height;
		this.cells = new Map(); // name -> one octet per second
		this.window = SECONDS; // columns that are shown, the newest ones
		this.told = 0;
		this.ticks = 0;
		this.names = [];
		this.row = 0;
		this.column = SECONDS - 1;
		this.isFocused = false;
		this.canvas = el("canvas", { class: "heat", role: "img", tabindex: "0", width: SECONDS, height: 1, "aria-label": "Peers",
			"aria-description": "Up and down arrow: next peer. Left and right: a second; with Shift ten. Home, End: oldest, newest. Enter: the peer.",
			on: { keydown: (event) => this.keys(event), focus: () => this.focus(true), blur: () => this.focus(false),
				click: (event) => this.click(event), mousemove: (event) => this.hover(event), mouseleave: () => this.leave() } });
		this.context = this.canvas.getContext("2d", { willReadFrequently: true }) /* small pictures, made by the processor */;
		this.labels = el("ol", { class: "heatnames", "aria-hidden": "true", hidden: true });
		this.readout = el("span", { class: "readout" });
		this.numbers = el("div", { class: "numbers scroller", tabindex: "0", role: "group", "aria-label": "Peers, numbers", hidden: true });
		this.scale = el("canvas", { class: "scale", width: STEPS, height: 8, "aria-hidden": "true" });
		this.caption = el("span", { class: "caption" });
		this.nobody = el("p", { class: "note", text: "No peer was seen in traffic yet." });
		this.button = el("button", { type: "button", class: "small", "aria-pressed": "false", text: "Table", "aria-label": "Peers as a table", on: { click: () => this.toggleTable() } });
		this.choice = el("select", { "aria-label": "What the shades show", on: { change: () => this.choose(this.choice.value) } },
			Object.entries(QUANTITIES).map(([key, each]) => el("option", { value: key, text: each.label, selected: key === quantity })));
		this.element = el("figure", { class: "chart heatbox" },
			el("figcaption", {}, this.caption, this.choice, this.button), this.nobody, el("div", { class: "heatrow" }, this.labels, this.canvas), this.numbers,
			el("p", { class: "scalebar" }, "0 % ", this.scale, " 100 %; hatched: not known. Worst on top. ", this.readout));
	}

	choose(quantity) {
		this.quantity = quantity;
		this.cells.clear();
		this.told = 0;
		this.isStale = true;
		this.draw();
	}

	octet(node, second) {
		const place = second % SECONDS;
		const { side, part, whole, inverse } = QUANTITIES[this.quantity];
		const of = node[side][whole][place], some = node[side][part][place];
		if (Number.isNaN(of) || Number.isNaN(some))
			return second <= this.ring.startedAt + STARTING_S ? NONE : UNKNOWN;
		if (of === 0)
			return NONE;
		const share = inverse ? 1 - some / of : some / of;
		return Math.round(Math.min(1, Math.max(0, share)) * STEPS);
	}

	// Shows the last @seconds alone.
	show(seconds) {
		const window = Math.min(SECONDS, seconds);
		this.isStale = this.isStale || window !== this.window;
		this.window = window;
		this.column = Math.max(this.first, this.column);
	}

	// The oldest column that is shown.
	get first() {
		return SECONDS - this.window;
	}

	// Takes what is new in @ring; all of it when older seconds changed.
	take(ring) {
		const isAll = this.version !== ring.version || this.told === 0;
		const from = isAll ? ring.last - SECONDS + 1 : Math.max(this.told + 1, ring.last - SECONDS + 1);
		this.isStale = this.isStale || isAll;
		this.ring = ring;
		this.version = ring.version;
		for (const [name, node] of ring.nodes) {
			let cells = this.cells.get(name);
			const begin = cells ? from : ring.last - SECONDS + 1;
			if (!cells)
				this.cells.set(name, cells = new Uint8Array(SECONDS).fill(UNKNOWN));
			for (let s = begin; s <= ring.last; s++)
				if (s > 0)
					cells[s % SECONDS] = this.octet(node, s);
		}
		this.told = ring.last;
		if (this.ticks++ % REORDER_TICKS === 0 || isAll || this.names.length === 0)
			this.reorder();
	}

	// Worst of the last minute first. Not while somebody walks through it: lines would move away under the cursor.
	reorder() {
		if (this.isFocused && this.names.length > 0)
			return;
		const before = this.names;
		const worst = (cells) => {
			let sum = 0, seen = 0;
			for (let s = this.told - 59; s <= this.told; s++) {
				const value = cells[((s % SECONDS) + SECONDS) % SECONDS];
				if (value <= STEPS) {
					sum += value;
					seen++;
				}
			}
			return seen === 0 ? -1 : Math.round(sum / seen / ALIKE); // about as bad: by name, so that lines stay where they are
		};
		this.names = [...this.cells].map(([name, cells]) => [name, worst(cells)]).filter(([, need]) => need >= 0)
			.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
		this.row = Math.min(this.row, Math.max(0, this.names.length - 1));
		this.changed = before.length === this.names.length ? this.names.map((name, i) => name !== before[i]) : null;
		this.isStale = this.isStale || this.changed === null;
	}

	// Several peers share a line when there are more of them than lines; the worst of them is shown.
	perLine() {
		return Math.max(1, Math.ceil(this.names.length / this.maxLines));
	}

	draw() {
		if (this.ring)
			this.take(this.ring);
		this.nobody.hidden = this.names.length > 0;
		this.canvas.hidden = this.names.length === 0 || !this.numbers.hidden;
		this.label();
		const per = this.perLine(), lines = Math.max(1, Math.ceil(this.names.length / per));
		if (this.canvas.height !== lines || this.canvas.width !== this.window || !this.image) {
			this.canvas.height = lines;
			this.canvas.width = this.window;
			this.image = this.context.createImageData(SECONDS, lines);
			this.pixels = new Uint32Array(this.image.data.buffer);
			this.isStale = true;
		}
		const step = this.told - this.drawn;
		if (this.palette && !this.isFocused && !this.isStale && step >= 0 && step <= STEP_MAX) {
			if (step > 0)
				this.move(step, lines, per);
			this.drawChanged(lines, per);
		} else
			this.drawAll(lines, per);
		this.changed = null;
		this.drawn = this.told;
		this.isStale = this.isFocused;
		say(this.caption, `Peers (${this.names.length})`);
		if (!this.numbers.hidden)
			this.fillTable();
	}

	// Few peers: their names stand beside their lines.
	label() {
		this.labels.hidden = this.canvas.hidden || this.names.length > LABELS_MAX;
		const key = this.labels.hidden ? "" : this.names.join(" ");
		if (key === this.labelsKey)
			return;
		this.labelsKey = key;
		fill(this.labels, this.labels.hidden ? [] : this.names.map((name) => el("li", {}, el("span", { text: name, title: name }))));
	}

	// The picture one or a few seconds to the left, and the new ones beside it.
	move(step, lines, per) {
		this.context.drawImage(this.canvas, -step, 0);
		const strip = this.context.createImageData(step, lines);
		const pixels = new Uint32Array(strip.data.buffer);
		for (let line = 0; line < lines; line++)
			this.drawLine(line, per, pixels, SECONDS - step);
		this.context.putImageData(strip, this.window - step, 0);
	}

	// The lines that are of other peers than before.
	drawChanged(lines, per) {
		for (let line = 0; this.changed && line < lines; line++) {
			let isOther = false;
			for (let i = line * per; i < (line + 1) * per; i++)
				isOther = isOther || this.changed[i];
			if (!isOther)
				continue;
			this.line = this.line || this.context.createImageData(SECONDS, 1);
			this.drawLine(line, per, new Uint32Array(this.line.data.buffer), 0, 0);
			this.context.putImageData(this.line, -this.first, line);
		}
	}

	drawAll(lines, per) {
		this.palette = this.palette || this.colors();
		for (let line = 0; line < lines; line++)
			this.drawLine(line, per, this.pixels, 0);
		this.context.putImageData(this.image, -this.first, 0);
		if (this.isFocused)
			this.drawCursor(per);
	}

	// Seconds from column @first on, into @pixels, which are as wide as that.
	drawLine(line, per, pixels, first, row = line) {
		const group = [];
		for (let i = line * per; i < Math.min(this.names.length, (line + 1) * per); i++)
			group.push(this.cells.get(this.names[i]));
		const { shades, other, none } = this.palette;
		const unknown = this.names.length > LABELS_MAX ? this.palette.unknown : this.palette.pale; // broad stripes would shout
		const second = this.told + 1;
		let place = (this.told + 1 + first) % SECONDS; // the oldest is left
		for (let x = first, at = row * (SECONDS - first); x < SECONDS; x++, at++, place = place + 1 === SECONDS ? 0 : place + 1) {
			let value = UNKNOWN;
			for (const cells of group) {
				const each = cells[place];
				if (each <= STEPS)
					value = value > STEPS || each > value ? each : value;
				else if (value === UNKNOWN)
					value = each;
			}
			pixels[at] = value <= STEPS ? shades[value] : value === NONE ? none : (second + x + line) % 3 === 0 ? unknown : other; // stays with its second
		}
	}

	colors() {
		const isDark = document.documentElement.dataset.dark === "yes";
		const shades = new Uint32Array(STEPS + 1);
		for (let i = 0; i <= STEPS; i++)
			shades[i] = pack(shade(i / STEPS, isDark));
		const paper = isDark ? [24, 26, 30] : [255, 255, 255];
		const scale = this.scale.getContext("2d");
		const image = scale.createImageData(STEPS, 8);
		const pixels = new Uint32Array(image.data.buffer);
		for (let i = 0; i < pixels.length; i++)
			pixels[i] = shades[i % STEPS];
		scale.putImageData(image, 0, 0);
		return { shades, unknown: pack(isDark ? [150, 150, 150] : [120, 120, 120]), pale: pack(isDark ? [70, 72, 78] : [205, 205, 205]), other: pack(paper), none: pack(paper) };
	}

	recolor() {
		this.palette = null;
		this.isStale = true;
		this.draw();
	}

	drawCursor(per) {
		const line = Math.floor(this.row / per);
		this.context.fillStyle = document.documentElement.dataset.dark === "yes" ? "rgba(255,255,255,.55)" : "rgba(0,0,0,.55)";
		this.context.fillRect(this.column - this.first, 0, 1, this.canvas.height);
		if (this.canvas.height > 3)
			this.context.fillRect(0, line, this.window, 1);
	}

	value(name, second) {
		const value = this.cells.get(name)?.[((second % SECONDS) + SECONDS) % SECONDS] ?? UNKNOWN;
		if (value === UNKNOWN)
			return "not known";
		if (value === NONE)
			return "nothing sent";
		const { side, whole } = QUANTITIES[this.quantity];
		const node = this.ring?.nodes.get(name);
		return `${percent(value / STEPS)} of ${count(node?.[side][whole][((second % SECONDS) + SECONDS) % SECONDS])}/s`;
	}

	describe() {
		const worst = this.names.slice(0, 3).map((name) => `${name} ${this.value(name, this.told)}`);
		this.canvas.setAttribute("aria-label", this.names.length === 0 ? "Peers: none was seen in traffic."
			: `${this.names.length} peers, ${QUANTITIES[this.quantity].label}. Worst: ${worst.join("; ")}.`);
	}

	focus(isOn) {
		this.isFocused = isOn;
		mark(this.element, "focused", isOn);
		if (isOn)
			this.describe();
		else
			say(this.readout, "");
		this.draw();
	}

	tell() {
		const name = this.names[this.row];
		if (name === undefined)
			return;
		const second = this.told - (SECONDS - 1) + this.column;
		say(this.readout, `${name} ${clock(second * 1000)}: ${this.value(name, second)}`);
	}

	keys(event) {
		const step = event.shiftKey ? 10 : 1;
		const moves = { ArrowUp: [-step, 0], ArrowDown: [step, 0], ArrowLeft: [0, -step], ArrowRight: [0, step], Home: [0, -SECONDS], End: [0, SECONDS] };
		if (event.key === "Enter" && this.names[this.row] !== undefined)
			this.onOpen?.(this.names[this.row]);
		const move = moves[event.key];
		if (!move || this.names.length === 0)
			return;
		event.preventDefault();
		this.row = Math.min(this.names.length - 1, Math.max(0, this.row + move[0]));
		this.column = Math.min(SECONDS - 1, Math.max(this.first, this.column + move[1]));
		this.draw();
		this.tell();
		speak(this.readout.textContent);
	}

	place(event) {
		const box = this.canvas.getBoundingClientRect();
		const line = Math.floor((event.clientY - box.top) / box.height * this.canvas.height);
		this.row = Math.min(this.names.length - 1, Math.max(0, line * this.perLine()));
		this.column = Math.min(SECONDS - 1, Math.max(this.first, this.first + Math.floor((event.clientX - box.left) / box.width * this.window)));
	}

	hover(event) {
		if (this.isFocused)
			return;
		this.place(event);
		this.tell();
	}

	leave() {
		if (!this.isFocused)
			say(this.readout, "");
	}

	click(event) {
		this.place(event);
		if (this.names[this.row] !== undefined)
			this.onOpen?.(this.names[this.row]);
	}

	toggleTable() {
		const isOn = this.numbers.hidden;
		this.numbers.hidden = !isOn;
		this.canvas.hidden = isOn;
		this.label();
		this.button.setAttribute("aria-pressed", String(isOn));
		if (isOn)
			this.fillTable();
	}

	summary(name) {
		const cells = this.cells.get(name);
		let sum = 0, seen = 0, most = 0;
		for (const value of cells)
			if (value <= STEPS) {
				sum += value;
				seen++;
				most = Math.max(most, value);
			}
		return { name, last: this.value(name, this.told), mean: seen ? sum / seen / STEPS : NaN, most: seen ? most / STEPS : NaN };
	}

	fillTable() {
		const rows = this.names.map((name) => this.summary(name));
		const columns = [{ label: "peer", value: (row) => row.name }, { label: "last", value: (row) => row.last },
			{ label: "mean ratio", value: (row) => row.mean }, { label: "most ratio", value: (row) => row.most }];
		fill(this.numbers, el("button", { type: "button", class: "small", text: "CSV", "aria-label": "Save peers as CSV",
			on: { click: () => save("peers.csv", "text/csv", csvText(columns, rows, () => "")) } }),
		el("table", { class: "rows" }, el("caption", { class: "quiet", text: QUANTITIES[this.quantity].label }),
			el("thead", {}, el("tr", {}, ["Peer", "Last second", "Mean", "Most"].map((text, i) => el("th", { scope: "col", class: i ? "num" : "", text })))),
			el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row", text: row.name }), el("td", { class: "num", text: row.last }),
				el("td", { class: "num", text: percent(row.mean) }), el("td", { class: "num", text: percent(row.most) }))))));
	}
}
