// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Elements out of plain values. Text is always text: nothing here reads markup.

// el("button", { class: "x", text: "Go", on: { click: f }, "aria-label": "..." }, child, "text", ...)
export function el(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false)
			continue;
		if (name === "text")
			node.textContent = value;
		else if (name === "on")
			for (const [event, run] of Object.entries(value))
				node.addEventListener(event, run);
		else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden")
			node[name] = value;
		else
			node.setAttribute(name, value === true ? "" : value);
	}
	add(node, children);
	return node;
}

function add(node, children) {
	for (const child of children.flat(Infinity)) {
		if (child !== null && child !== undefined && child !== false)
			node.append(child); // a string becomes a text node
	}
}

export function fill(node, ...children) {
	node.replaceChildren();
	add(node, children);
	return node;
}

// Writes only what differs, so that a tick touches few nodes.
export function say(node, text) {
	if (node.textContent !== text)
		node.textContent = text;
}

export function mark(node, name, on) {
	if (node.classList.contains(name) !== on)
		node.classList.toggle(name, on);
}

const shapes = { ok: "●", warn: "▲", bad: "■", off: "○", unknown: "◇", busy: "◆" };

// A state: word, shape and colour say the same.
export function status(kind, word, title) {
	return el("span", { class: `status ${kind}`, title },
		el("span", { class: "shape", "aria-hidden": "true", text: shapes[kind] || shapes.unknown }), " ", word);
}

// A button that is there, but needs a role its reader has not: it says so, and can be reached to be read.
export function guarded(label, allowed, why, run, attributes = {}) {
	if (allowed)
		return el("button", { type: "button", text: label, on: { click: run }, ...attributes });
	return el("button", { type: "button", class: "denied", "aria-disabled": "true", title: why, text: label,
		"aria-description": why, on: { click: (event) => event.preventDefault() } });
}

let regions = 0;

// A box with a heading. Boxes that scroll can be reached by keyboard.
export function box(title, attributes, ...children) {
	const id = `box${++regions}`;
	return el("section", { "aria-labelledby": id, ...attributes, class: `box ${attributes.class || ""}` },
		el("h2", { id, text: title }), ...children);
}

export function scroller(label, attributes, ...children) {
	return el("div", { ...attributes, class: `scroller ${attributes.class || ""}`, tabindex: "0", role: "group",
		"aria-label": label }, ...children);
}

export function field(label, control) {
	if (!control.id)
		control.id = `field${++regions}`;
	return el("span", { class: "field" }, el("label", { for: control.id, text: label }), control);
}

export function select(options, value, change) {
	const node = el("select", { on: { change: () => change(node.value) } },
		options.map(([key, text]) => el("option", { value: key, text, selected: key === value })));
	node.value = value;
	return node;
}

export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		speak("Copied.");
	} catch {
		speak("The browser does not let this page copy.");
	}
}

// What answers a key or a click of the reader. State that changes by itself goes through announce.js.
export function speak(text) {
	const node = document.getElementById("spoken");
	if (node)
		node.textContent = text;
}

export function save(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = el("a", { href: url, download: name });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}
