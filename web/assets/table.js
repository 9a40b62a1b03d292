// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A table of rows: sorted by any column, filtered by the page's one box, saved as CSV, walked by arrow keys. A tick changes cells, not
// rows, and rows stay where they are while the keyboard is among them.
import { el, fill, mark, save, say, status } from "./dom.js";
import { UNKNOWN } from "./format.js";

// columns: { key, label, title, num, value(row), text(row), title(row), status(row) -> {kind, word}, href(row), act(row) -> {label, run, pressed}, node(row) }
export class Table {
	constructor({ caption, columns, key, csv, empty, sort, limit, calm }) {
		Object.assign(this, { columns, key, csv, empty, limit: limit || 1000, calm: calm || 1 });
		this.draws = 0;
		this.sorted = sort || null;
		this.rows = [];
		this.lines = new Map();
		this.filter = "";
		this.body = el("tbody");
		this.heads = columns.map((column) => this.head(column));
		this.table = el("table", { class: "rows" }, el("caption", { class: "quiet", text: caption }),
			el("thead", {}, el("tr", {}, this.heads.map((head) => head.cell))), this.body);
		this.note = el("p", { class: "note", hidden: true });
		this.tools = csv ? el("p", { class: "tools" },
			el("button", { type: "button", text: "CSV", "aria-label": `Save ${caption} as CSV`, on: { click: () => this.save() } })) : null;
		this.element = el("div", { class: "tablebox" },
			el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": `${caption}, table` }, this.table), this.note, this.tools);
		this.body.addEventListener("keydown", (event) => this.keys(event));
	}

	head(column) {
		const button = el("button", { type: "button", title: column.title, on: { click: () => this.sort(column) } }, column.label);
		const cell = el("th", { scope: "col", class: kindOf(column) }, column.plain ? column.label : button);
		return { column, cell };
	}

	sort(column) {
		const was = this.sorted;
		this.sorted = { key: column.key, down: was?.key === column.key ? !was.down : Boolean(column.num) };
		this.draw(true);
	}

	set(rows, filter = this.filter) {
		this.rows = rows;
		this.filter = filter;
		this.draw(false);
	}

	text(column, row) {
		if (column.status)
			return column.status(row).word;
		if (column.act)
			return column.act(row)?.label ?? "";
		const value = column.text ? column.text(row) : column.value(row);
		return value === undefined || value === null || value === "" ? UNKNOWN : String(value);
	}

	matching() {
		const wanted = this.filter.toLowerCase();
		if (!wanted)
			return [...this.rows];
		return this.rows.filter((row) => this.columns.some((column) => this.text(column, row).toLowerCase().includes(wanted)));
	}

	order(rows) {
		const column = this.sorted && this.columns.find((each) => each.key === this.sorted.key);
		if (!column)
			return rows;
		const value = column.value || ((row) => this.text(column, row));
		const sign = this.sorted.down ? -1 : 1;
		return rows.sort((a, b) => {
			const x = value(a), y = value(b);
			const isX = x === undefined || x === null || Number.isNaN(x), isY = y === undefined || y === null || Number.isNaN(y);
			if (isX || isY)
				return isX - isY;
			return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
		});
	}

	draw(isAsked) {
		const shown = this.order(this.matching());
		const rows = shown.slice(0, this.limit);
		const wanted = rows.map((row) => this.line(row).tr);
		const isHeld = !isAsked && this.body.contains(document.activeElement);
		// Rows that come and go are seen at once; a mere change of order now and then.
		const isCalm = !isAsked && this.draws++ % this.calm !== 0 && wanted.length === this.body.children.length && wanted.every((tr) => tr.parentNode === this.body);
		this.drop(new Set(rows.map(this.key)), isHeld);
		if (!isHeld && !isCalm && (wanted.length !== this.body.children.length || wanted.some((tr, i) => this.body.children[i] !== tr)))
			this.body.replaceChildren(...wanted);
		if (isHeld)
			this.insert(wanted);
		for (const { column, cell } of this.heads) {
			const isBy = this.sorted?.key === column.key;
			if (isBy)
				cell.setAttribute("aria-sort", this.sorted.down ? "descending" : "ascending");
			else
				cell.removeAttribute("aria-sort");
		}
		this.explain(shown.length);
	}

	// New rows beside one that has the focus, which stays where it is.
	insert(wanted) {
		for (let i = wanted.length - 1, next = null; i >= 0; next = wanted[i], i--)
			if (wanted[i].parentNode !== this.body)
				this.body.insertBefore(wanted[i], next);
	}

	drop(keys, isHeld) {
		for (const [key, line] of this.lines) {
			if (keys.has(key))
				continue;
			if (!isHeld || !line.tr.contains(document.activeElement))
				line.tr.remove();
			this.lines.delete(key);
		}
	}

	// Why there is nothing to see, or not all of it.
	explain(count) {
		const isEmpty = this.rows.length === 0;
		let text = "";
		if (isEmpty)
			text = typeof this.empty === "function" ? this.empty() : this.empty || "Nothing yet.";
		else if (count === 0)
			text = `Nothing matches "${this.filter}"; without the filter there are ${this.rows.length}.`;
		else if (count > this.limit)
			text = `The first ${this.limit} of ${count} are shown; filter to see others.`;
		say(this.note, text);
		this.note.hidden = text === "";
		this.table.hidden = this.table.parentNode.hidden = isEmpty;
		if (this.tools)
			this.tools.hidden = isEmpty;
	}

	line(row) {
		const key = this.key(row);
		let line = this.lines.get(key);
		if (!line) {
			line = { cells: this.columns.map((column, i) => el(i === 0 ? "th" : "td",
				{ scope: i === 0 ? "row" : undefined, class: kindOf(column) })), told: [] };
			line.tr = el("tr", {}, line.cells);
			this.lines.set(key, line);
		}
		line.row = row;
		this.columns.forEach((column, i) => this.cell(column, row, line, i));
		mark(line.tr, "chosen", Boolean(row.isChosen));
		return line;
	}

	cell(column, row, line, i) {
		const told = column.told ? column.told(row) : `${column.status ? column.status(row).kind : ""}${this.text(column, row)}${column.href?.(row) ?? ""}${column.act?.(row)?.why ?? ""}${column.hint?.(row) ?? ""}`;
		if (line.told[i] === told)
			return;
		line.told[i] = told;
		const cell = line.cells[i];
		if (column.status) {
			const { kind, word } = column.status(row);
			fill(cell, status(kind, word, column.hint?.(row)));
		} else if (column.node)
			fill(cell, column.node(row));
		else if (column.act)
			fill(cell, this.action(column, line));
		else if (column.href && column.href(row))
			fill(cell, el("a", { href: column.href(row), text: this.text(column, row) }));
		else
			say(cell, this.text(column, row));
		if (column.hint && !column.status)
			cell.title = column.hint(row) || "";
	}

	action(column, line) {
		const act = column.act(line.row);
		if (!act)
			return UNKNOWN;
		if (act.why)
			return el("button", { type: "button", class: "denied", "aria-disabled": "true", "aria-label": act.name, title: act.why, "aria-description": act.why, text: act.label });
		return el("button", { type: "button", text: act.label, "aria-label": act.name, on: { click: () => column.act(line.row).run() } });
	}

	keys(event) {
		const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
		const line = event.target.closest("tr");
		if (step === undefined || !line || event.target.matches("input, select, textarea"))
			return;
		const all = [...this.body.children];
		const at = Math.min(all.length - 1, Math.max(0, all.indexOf(line) + step));
		const column = [...line.children].findIndex((cell) => cell.contains(event.target));
		const next = all[at].children[column]?.querySelector("a, button") || all[at].querySelector("a, button");
		if (next) {
			event.preventDefault();
			next.focus();
		}
	}

	save() {
		save(`${this.csv}.csv`, "text/csv", csvText(this.columns, this.order(this.matching()), (column, row) => this.text(column, row)));
	}
}

function kindOf(column) {
	return `${column.num ? "num" : ""}${column.wrap ? "wrap" : ""}`;
}

// A text that a spreadsheet would take for a formula is given a quote; a number is none.
function csvCell(value) {
	const text = String(value ?? "");
	const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
	return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(columns, rows, textOf) {
	const lines = [columns.map((column) => csvCell(column.label)).join(",")];
	for (const row of rows)
		lines.push(columns.map((column) => {
			const value = column.value?.(row);
			const isGone = value === undefined || value === null || Number.isNaN(value);
			return csvCell(column.value ? (isGone ? "" : value) : textOf(column, row));
		}).join(","));
	return `${lines.join("\r\n")}\r\n`;
}
