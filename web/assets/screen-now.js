// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The first screen: who asks for less, do we obey, does it help, who causes it; then the numbers behind it.
import { get } from "./api.js";
import { Chart } from "./charts.js";
import { box, copy, el, fill, mark, say, scroller, status } from "./dom.js";
import { clock, clockMs, count, delay, duration, isKnown, percent, rate } from "./format.js";
import { Heatmap } from "./heatmap.js";
import { Heeds, senderColumns } from "./heed.js";
import { History } from "./history.js";
import { activeStates, ladder, plain, senders, wayOf } from "./story.js";
import { Table } from "./table.js";

const DECISIONS_EVERY_MS = 2000;
const TOP = 30;
const TOP_TICKS = 5;
const FLAGS_MAX = 40;
const CHANGES_ASKED = ["ocs_version", "ocs_change", "order"]; // what is asked for begins, changes or ends

export class Now {
	constructor(app) {
		this.app = app;
		this.said = "";
		this.decisions = [];
		this.usual = new Map();
		this.heeds = new Heeds(app);
		this.history = new History(app, () => this.app.draw(true));
		this.charts = this.makeCharts();
		this.heat = new Heatmap({ height: 250, onOpen: (name) => {
			location.hash = `#/pools?node=${encodeURIComponent(name)}`;
		} });
		this.element = el("div", { class: "now" }, this.top(), this.middle(), this.bottom());
		this.timer = setInterval(() => this.readDecisions(), DECISIONS_EVERY_MS);
		this.readDecisions();
	}

	destroy() {
		clearInterval(this.timer);
		this.heeds.stop();
		this.history.stop();
		this.charts.forEach((chart) => chart.end());
	}

	changedWindow() {
		this.history.again();
	}

	recolor() {
		this.charts.forEach((chart) => chart.recolor());
		this.heat.recolor();
	}

	top() {
		this.story = el("div", { class: "story" });
		this.steps = el("ol", { class: "steps", "aria-label": "Asked, held, selected, arrived, useful" });
		this.numbers = ["requests", "refused", "useful", "p99", "evidence"].map(() => el("a", { class: "number" }));
		this.windowNote = el("p", { class: "note", hidden: true });
		return el("section", { class: "top", "aria-label": "What happens" }, this.story, this.steps,
			el("p", { class: "four" }, this.numbers), this.windowNote);
	}

	makeCharts() {
		const onOpen = (second, step = 1) => {
			location.hash = `#/find?from=${encodeURIComponent(new Date(second * 1000).toISOString())}&until=${encodeURIComponent(new Date((second + step) * 1000).toISOString())}`;
		};
		const perSecond = (value) => `${rate(value)}/s`;
		const share = (value) => `${value.toFixed(value % 1 ? 1 : 0)} %`;
		return [
			new Chart({ title: "Requests per second", unit: "1/s", format: perSecond, onOpen, series: [
				{ key: "requests", label: "offered", color: "ink2" }, { key: "sent", label: "forwarded", color: "line1", dash: "dash" },
				{ key: "diverted", label: "diverted", color: "line3", dash: "dashdot" }, { key: "refused", label: "refused", color: "line2", dash: "dot" }] }),
			new Chart({ title: "Asked, held, selected, %", unit: "%, of 10 s", format: share, range: [0, 105], scale: 100, onOpen, series: [
				{ key: "asked_ratio", label: "asked", color: "ink2", step: true }, { key: "share_10s", label: "held", color: "line4", step: true, dash: "dash" },
				{ key: "selected_10s", label: "selected", color: "line2", points: true, dash: "dot" }] }),
			new Chart({ title: "Useful answers/s", unit: "1/s", format: perSecond, onOpen, className: "half", series: [
				{ key: "answers", label: "answers", color: "ink2", dash: "dash" }, { key: "useful", label: "useful", color: "line3" }] }),
			new Chart({ title: "Time to answer", unit: "s", format: delay, onOpen, className: "half", axis: (y) => (y >= 1 ? `${y} s` : `${Math.round(y * 1000)} ms`), labelWidth: 52, series: [
				{ key: "took_p50_seconds", label: "p50", color: "line1" }, { key: "took_p99_seconds", label: "p99", color: "line4", dash: "dash" }] }),
		];
	}

	middle() {
		this.funnelBody = el("tbody");
		this.funnel = box("Population, last 10 s", { class: "funnelbox" }, el("table", { class: "funnel" },
			el("caption", { class: "quiet", text: "Requests of the last 10 s, each step with its share of the one above" }),
			el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Step" }), el("th", { scope: "col", class: "num", text: "Count" }),
				el("th", { scope: "col", class: "num", text: "Of above" }))), this.funnelBody));
		return el("div", { class: "row four-columns" }, this.funnel, this.charts[0].element, this.charts[1].element,
			el("div", { class: "pair" }, this.charts[2].element, this.charts[3].element));
	}

	bottom() {
		this.senders = new Table({ caption: "Who sends", key: (row) => row.name, limit: TOP, calm: 5, columns: [
			{ key: "name", label: "Sender", text: (row) => row.name, href: (row) => `#/pools?node=${encodeURIComponent(row.name)}`, hint: (row) => row.name },
			...senderColumns()],
		empty: () => (this.app.live.hasState ? "Nobody sends requests now." : "Waiting for the first second.") });
		this.changeList = el("ol", { class: "lines" });
		this.last = el("ol", { class: "lines" });
		this.changedNote = el("p", { class: "note" });
		this.lastNote = el("p", { class: "note" });
		return el("div", { class: "row bottom-columns" }, this.heat.element,
			box("Who causes it", { class: "fillbox" }, this.senders.element),
			el("div", { class: "pair" }, box("What changed", { class: "fillbox" }, scroller("What changed, newest first", {}, this.changeList, this.changedNote)),
				box("Last decisions (50)", { class: "fillbox" }, scroller("Last decisions, newest first", {}, this.last, this.lastNote))));
	}

	update() {
		const { live } = this.app;
		this.heeds.look();
		this.sending = senders(live.state, live.ring, this.usual, this.heeds);
		this.tellStory();
		this.tellNumbers();
		this.tellFunnel();
		this.drawCharts();
		this.heat.show(this.app.window);
		this.heat.take(live.ring);
		this.heat.draw();
		this.heat.describe();
		this.senders.set(this.steady(this.sending), this.app.filter);
		this.tellChanges();
		if (this.toldFilter !== this.app.filter)
			this.tellDecisions();
	}

	tellStory() {
		const { live } = this.app;
		const list = live.hasState ? live.state.sentences || [] : [{ kind: "busy", parts: [{ text: "Waiting for the first second." }] }];
		const collecting = live.hasState && live.ring.known() < 600 && this.isYoung() ? ` Collecting. ${live.ring.known()} s of 600 s.` : "";
		const key = JSON.stringify([list.map((each) => [each.kind, each.parts]), collecting]);
		if (key === this.said)
			return;
		this.said = key;
		const hasFocus = this.story.contains(document.activeElement);
		const at = hasFocus ? [...this.story.querySelectorAll("a, button")].indexOf(document.activeElement) : -1;
		fill(this.story, el("p", { class: "storytools" }, collecting, " ", el("button", { type: "button", class: "small", text: "Copy", on: { click: () => this.copyStory(list) } })),
			list.map((each) => el("p", { class: `sentence ${each.kind}` }, status(each.kind, ""), this.parts(each))));
		if (hasFocus)
			this.story.querySelectorAll("a, button")[at]?.focus();
		if (live.hasState)
			this.app.frame.state("story", this.brief());
	}

	// For the ear: who asks, not each new digit.
	brief() {
		return (this.app.live.state.sentences || []).map((each) => each.brief).filter(Boolean).join(" ");
	}

	isYoung() {
		const started = Date.parse(this.app.live.state.node?.started);
		return Number.isFinite(started) && this.app.live.time - started < 600000;
	}

	parts(sentence) {
		return sentence.parts.map((part) => (wayOf(part) ? el("a", { href: wayOf(part), text: part.text }) : part.text));
	}

	copyStory(list) {
		copy(`${clock(this.app.live.time)} ${list.map(plain).join(" ")} ${location.href}`);
	}

	tellSteps() {
		const { live } = this.app;
		const worst = activeStates(live.state)[0];
		const steps = worst ? ladder(live.state, live.ring, worst) : ["asked", "held", "selected", "arrived", "useful"].map((step) => ({ step,
			value: step === "arrived" ? this.perSecond("answers") : step === "useful" ? this.perSecond("useful") : live.isFinished ? "–" : "nothing",
			note: step === "arrived" || step === "useful" ? "of all nodes, in the newest second" : live.isFinished ? "no agent runs here" : "nobody asks for less", known: true }));
		const key = JSON.stringify(steps);
		if (key === this.stepsKey)
			return;
		this.stepsKey = key;
		fill(this.steps, steps.map((each) => el("li", { class: each.known ? "" : "missing", title: each.note },
			el("span", { class: "step", text: each.step }), " ", el("strong", { text: each.value }), " ", el("span", { class: "quiet", text: each.note }))));
	}

	perSecond(column) {
		const value = this.app.live.ring.at(column, this.app.live.ring.last);
		return isKnown(value) ? `${rate(value)}/s` : "–";
	}

	// Those on top stay there for a few seconds, unless another one becomes the worst: rows that come and go cannot be read.
	steady(sending) {
		if (!this.onTop || this.topAge++ >= TOP_TICKS || !this.onTop.has(sending[0]?.name)) {
			this.onTop = new Set(sending.slice(0, TOP).map((each) => each.name));
			this.topAge = 0;
		}
		return [...sending.filter((each) => this.onTop.has(each.name)), ...sending.filter((each) => !this.onTop.has(each.name))];
	}

	tellNumbers() {
		const { live } = this.app;
		const { ring } = live;
		const now = (name) => ring.at(name, ring.last);
		const refused = now("refused"), requests = now("requests");
		const from = encodeURIComponent(new Date((ring.last - 9) * 1000).toISOString());
		const p99 = now("took_p99_seconds");
		const checkpoint = live.state.recording?.checkpoint_age_seconds;
		const gap = live.state.recording?.error;
		this.tellSteps();
		const set = (i, href, word, value, more) => {
			if (this.numbers[i].getAttribute("href") !== href)
				this.numbers[i].setAttribute("href", href);
			const key = `${word}|${value}|${more}`;
			if (this.numbers[i].told === key)
				return;
			this.numbers[i].told = key;
			fill(this.numbers[i], el("span", { class: "word", text: word }), " ", el("strong", { text: value }), " ", el("span", { class: "more", text: more }));
		};
		set(0, `#/find?from=${from}`, "requests", isKnown(requests) ? `${rate(requests)}/s` : "–", "");
		set(1, `#/find?from=${from}&verdict=refused`, "refused", isKnown(refused) ? `${rate(refused)}/s` : "–", requests > 0 ? percent(refused / requests, 1) : "");
		set(2, "#/pools", "useful", this.perSecond("useful"), "");
		set(3, "#/pools", "answers p99", isKnown(p99) ? delay(p99) : "–", isKnown(p99) ? "" : "no answers");
		set(4, "#/evidence", "evidence", gap ? "incomplete" : isKnown(checkpoint) ? "OK" : "–", gap ? gap : isKnown(checkpoint) ? `checkpoint ${duration(checkpoint)} ago` : live.isFinished ? "of the folder" : "no checkpoint yet");
	}

	tellFunnel() {
		const { ring } = this.app.live;
		const sum = (name) => ring.sum(name, ring.last - 9, ring.last);
		const all = sum("requests"), matched = sum("matched"), survivors = sum("survivors");
		const rows = [["candidates", all, null], ["matched host/realm", matched, all], ["survivors", survivors, matched],
			["matched peer", sum("matched_peer"), survivors], ["diverted", sum("diverted"), all], ["refused", sum("refused"), all]];
		rows.forEach(([name, value, above], i) => this.funnelRow(i, name, value, isKnown(all) && all > 0 ? value / all : 0, above));
	}

	funnelRow(i, name, value, part, above) {
		let tr = this.funnelBody.children[i];
		if (!tr) {
			const bar = el("span", { class: `fbar f${i}`, "aria-hidden": "true" });
			tr = el("tr", {}, el("th", { scope: "row" }, el("span", { class: "fname", text: name }), bar), el("td", { class: "num" }), el("td", { class: "num" }));
			tr.bar = bar;
			this.funnelBody.append(tr);
		}
		tr.bar.style.setProperty("--part", String(Math.max(0, Math.min(1, part || 0))));
		say(tr.children[1], count(value));
		say(tr.children[2], above === null ? "" : isKnown(value) && above > 0 ? percent(value / above, 1) : "–");
	}

	marks() {
		const { live } = this.app;
		const { ring } = live;
		const first = ring.last - this.app.window;
		const holes = ring.spans((s) => ring.isHole(s), this.app.window), gaps = ring.spans((s) => ring.isGap(s), this.app.window),
			held = ring.spans((s) => ring.at("asked_ratio", s) > 0, this.app.window);
		return { holes, gaps, held, key: `${ring.version} ${live.changes[0]?.number} ${holes.length} ${gaps.length} ${held.length} ${ring.at("asked_ratio", ring.last)}`,
			flags: this.flags(first) };
	}

	// Seconds after @first in which what is asked for began, changed or ended.
	flags(first) {
		const seconds = this.app.live.changes.filter((each) => CHANGES_ASKED.includes(each.kind)).map((each) => Math.floor(Date.parse(each.time) / 1000));
		return [...new Set(seconds)].filter((s) => s > first).slice(0, FLAGS_MAX);
	}

	drawCharts() {
		const { ring } = this.app.live;
		say(this.windowNote, this.history.note());
		this.windowNote.hidden = !this.history.isOn;
		if (this.history.isOn)
			return this.drawHistory();
		if (ring.last === 0)
			return;
		const marks = this.marks();
		for (const chart of this.charts) {
			chart.kept = ring.advance(chart.kept, chart.series.map((series) => series.key), this.app.window, chart.scale || 1);
			chart.set(chart.kept.rows, marks);
		}
	}

	// Of longer steps only what came new is drawn.
	drawHistory() {
		const marks = this.history.marks();
		if (marks.key === this.charts[0].marks?.key)
			return;
		marks.flags = this.flags(0);
		for (const chart of this.charts) {
			chart.kept = null;
			chart.set(this.history.rows(chart.series.map((series) => series.key), chart.scale || 1), marks);
		}
	}

	tellChanges() {
		const key = `${this.app.live.changes[0]?.number} ${this.app.live.changes.length} ${this.app.filter}`;
		if (key === this.changesKey)
			return;
		this.changesKey = key;
		const wanted = this.app.filter.toLowerCase();
		const all = this.app.live.changes;
		const shown = all.filter((each) => each.text.toLowerCase().includes(wanted)).slice(0, 100);
		lines(this.changeList, together(shown), (each) => `${each.number} ${each.times}`, (each) => [el("time", { text: clock(each.time) }), " ", each.text, each.times > 1 ? ` (${each.times} times since ${clock(each.since)})` : ""]);
		say(this.changedNote, shown.length > 0 ? "" : all.length > 0 ? `Nothing matches "${this.app.filter}"; without the filter there are ${all.length}.` : "Nothing changed since this page looks on.");
	}

	async readDecisions() {
		this.asked = (this.asked ?? -1) + 1;
		if (this.app.isPaused || document.hidden || this.isReading || (this.isAbsent && this.asked % 10 !== 0))
			return;
		this.isReading = true;
		try {
			this.decisions = (await get("/api/v1/decisions?limit=50")).decisions || [];
			this.problem = "";
			this.isAbsent = false;
		} catch (problem) {
			this.isAbsent = problem.isAbsent;
			this.problem = problem.isAbsent ? "This server lists no decisions." : `${problem.text || problem} ${this.decisions.length ? "What is shown is old." : ""}`;
		}
		this.isReading = false;
		mark(this.last, "old", Boolean(this.problem));
		this.tellDecisions();
	}

	tellDecisions() {
		this.toldFilter = this.app.filter;
		const wanted = this.app.filter.toLowerCase();
		const shown = this.decisions.filter((each) => decisionText(each).toLowerCase().includes(wanted));
		lines(this.last, shown, (each) => each.id, (each) => [el("a", { href: `#/find?decision=${encodeURIComponent(each.id)}`, text: clockMs(each.time) }), ` ${decisionText(each)}`]);
		say(this.lastNote, this.problem || (shown.length ? "" : this.decisions.length ? `Nothing matches "${this.app.filter}"; without the filter there are ${this.decisions.length}.` : "No decision yet: nothing matched, or no request came."));
	}
}

export function decisionText(each) {
	const verdict = each.verdict === "refused" ? `refused ${each.result_code ?? ""}` : each.verdict;
	return `${each.command_text ?? each.command} ${verdict} ${each.client ?? ""}${each.next_hop ? ` to ${each.next_hop}` : ""}${each.why ? ` (${each.why})` : ""}`;
}

// A neighbour that is tried again and again, and stays closed, is one line; so is a report that is refused again and again.
function together(changes) {
	const last = new Map();
	const out = [];
	const plainText = (each) => each.text.replace(/^report \d+ /, "report ");
	for (const each of changes) {
		const name = each.kind === "peer" ? each.text.split(" ")[1] : each.kind === "report" ? plainText(each) : null;
		const before = last.get(name);
		if (name !== null && before && plainText(before) === plainText(each)) {
			before.times++;
			before.since = each.time;
			continue;
		}
		const line = { ...each, times: 1 };
		out.push(line);
		if (name !== null)
			last.set(name, line);
	}
	return out;
}

// A list whose entries stay as they are; new ones come on top.
function lines(list, entries, keyOf, make) {
	const old = new Map([...list.children].map((item) => [item.key, item]));
	const items = entries.map((each) => {
		const key = keyOf(each);
		let item = old.get(key);
		if (!item) {
			item = el("li", {}, make(each));
			item.title = item.textContent;
			item.key = key;
		}
		return item;
	});
	if (items.length !== list.children.length || items.some((item, i) => list.children[i] !== item)) {
		const focused = list.contains(document.activeElement) ? document.activeElement : null;
		list.replaceChildren(...items);
		focused?.focus({ preventScroll: true });
	}
}
