// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Reports: states held because of what others or this node itself asked, reports this node makes, reports that came and what became of them.
import { Chart } from "./charts.js";
import { box, copy, el, fill, say, status } from "./dom.js";
import { asked, clock, count, dateTime, duration, features, hexLines, isKnown, percent } from "./format.js";
import { query } from "./api.js";
import { Resource } from "./resource.js";
import { History } from "./history.js";
import { ladder, lasting, selectedShare, wanted } from "./story.js";
import { Table } from "./table.js";

const kinds = { active: "warn", ending: "busy", ended: "off" };

function lineText(row) {
	return isKnown(row.left_seconds) ? duration(row.left_seconds) : row.state === "ending" ? "ramp" : null;
}

export class Reports {
	constructor(app) {
		this.app = app;
		this.history = new History(app, () => this.app.draw(true));
		this.states = this.stateTable();
		this.own = this.ownTable();
		this.arrivals = new Resource(app, "/api/v1/reports/received?limit=100", 5000, () => this.tellArrivals()).start();
		this.capabilities = new Resource(app, "/api/v1/capabilities", 10000, () => this.tellCapabilities()).start();
		this.received = this.receivedTable();
		this.ownNote = el("p", { class: "note" });
		this.announced = this.announcedTable();
		this.detail = el("div", { class: "detail" });
		this.chart = new Chart({ title: "Asked, held, selected, %", unit: "%, of 10 s", range: [0, 105], scale: 100, format: (value) => `${value.toFixed(value % 1 ? 1 : 0)} %`, series: [
			{ key: "asked_ratio", label: "asked", color: "ink2", step: true }, { key: "share_10s", label: "held", color: "line4", step: true, dash: "dash" },
			{ key: "selected_10s", label: "selected", color: "line2", points: true, dash: "dot" }] });
		this.ladder = el("ol", { class: "steps tall", "aria-label": "Receipts of the chosen state" });
		this.facts = el("dl", { class: "facts" });
		this.raw = el("div", { class: "raw" });
		this.heading = el("h2", { id: "chosen", tabindex: "-1" });
		this.chosen = el("section", { class: "box", "aria-labelledby": "chosen" }, this.heading, this.ladder, this.chart.element, this.facts, this.raw);
		this.element = el("div", { class: "screen" }, box("States held here: what others ask for, and own orders for clients that cannot react", {}, this.states.element), this.chosen,
			box("Reports this node makes", {}, this.own.element), box("Reports of others that came, and what became of them", {}, this.arrivals.note, this.received.element, this.ownNote),
			box("Who announced what", {}, this.capabilities.note, this.announced.element));
		this.arrivals.elements = [this.received.element];
		this.capabilities.elements = [this.announced.element];
	}

	destroy() {
		this.arrivals.stop();
		this.history.stop();
		this.capabilities.stop();
		this.chart.end();
	}

	changedWindow() {
		this.history.again();
	}

	recolor() {
		this.chart.recolor();
	}

	stateTable() {
		return new Table({ caption: "Overload control states", csv: "states", key: (row) => String(row.version), sort: { key: "share", down: true }, columns: [
			{ key: "version", label: "Version", value: (row) => row.version, text: (row) => `#${row.version}`, href: (row) => `#/reports?version=${row.version}` },
			{ key: "state", label: "State", status: (row) => ({ kind: kinds[row.state] || "unknown", word: row.is_observed ? `${row.state}, only observed` : row.state }) },
			{ key: "source", label: "Source", title: "who asks: a report that was received, or an order of this node's own", text: (row) => (row.is_own ? "own order" : "received") },
			{ key: "type", label: "Type", text: (row) => row.type },
			{ key: "app", label: "Application", text: (row) => (row.application ? `${row.application} ${row.application_id}` : row.application_id) },
			{ key: "subject", label: "Node or realm", text: (row) => row.subject },
			{ key: "origin", label: "For", title: "client or realm a rate was allotted to", text: (row) => row.origin || "all" },
			{ key: "algorithm", label: "Algorithm", text: (row) => row.algorithm },
			{ key: "value", label: "Asked", num: true, value: (row) => row.reduction_ratio ?? row.rate_per_second, text: asked },
			{ key: "share", label: "Share now", title: "what is taken away now; less than asked on the ramp", num: true, value: (row) => row.share_ratio, text: (row) => percent(row.share_ratio, 1) },
			{ key: "selected", label: "Selected", num: true, value: selectedShare, text: (row) => percent(selectedShare(row), 2) },
			{ key: "for", label: "For how long", title: "through all unbroken versions: a renewal is a new version, and nothing new", num: true, value: lasting, text: (row) => duration(lasting(row)) },
			{ key: "left", label: "Left", num: true, value: (row) => row.left_seconds, text: lineText },
			{ key: "sequence", label: "Sequence", num: true, value: (row) => row.sequence, text: (row) => String(row.sequence) }],
		empty: () => this.emptyStates() });
	}

	emptyStates() {
		const { live } = this.app;
		if (!live.hasState)
			return "Waiting for the first second.";
		if (live.isFinished)
			return "No agent runs here, so nothing is held now. What came, and what became of it, stands below.";
		const started = Date.parse(live.state.node?.started);
		const up = Number.isFinite(started) ? ` since start (${duration((live.time - started) / 1000)})` : "";
		const seen = (live.state.totals?.reports_new || 0) > 0;
		return seen ? `Nobody asks for less now. ${count(live.state.totals.reports_new)} conditions were reported${up}.` : `Nobody has asked for less${up}. That is normal.`;
	}

	ownTable() {
		return new Table({ caption: "Own reports", csv: "own-reports", key: (row) => row.key, columns: [
			{ key: "subject", label: "Node or realm", text: (row) => row.subject },
			{ key: "state", label: "State", status: (row) => ({ kind: kinds[row.state] || "unknown", word: row.state }) },
			{ key: "type", label: "Type", text: (row) => row.type },
			{ key: "app", label: "Application", text: (row) => row.application ?? "all" },
			{ key: "ordered", label: "Ordered", num: true, value: (row) => row.ordered_reduction_ratio ?? row.ordered_rate_per_second,
				text: (row) => (isKnown(row.ordered_rate_per_second) ? `${count(row.ordered_rate_per_second)}/s` : percent(row.ordered_reduction_ratio)) },
			{ key: "told", label: "Told now", num: true, value: (row) => row.reduction_ratio, text: (row) => percent(row.reduction_ratio) },
			{ key: "sent", label: "Sent", title: "answers that carried it", num: true, value: (row) => row.sent, text: (row) => count(row.sent) },
			{ key: "until", label: "Told until", text: (row) => (row.told_until ? clock(row.told_until) : null) },
			{ key: "sequence", label: "Sequence", num: true, value: (row) => row.sequence, text: (row) => String(row.sequence) }],
		empty: () => (this.app.live.isFinished ? "No agent runs here, so nothing is reported now." : "This node reports no overload of its own. To order a report: doic ctl report set.") });
	}

	receivedTable() {
		return new Table({ caption: "Received reports", csv: "received-reports", key: (row) => String(row.id ?? row.number), columns: [
			{ key: "number", label: "Report", value: (row) => row.number, text: (row) => String(row.number ?? "") },
			{ key: "time", label: "Time", text: (row) => dateTime(row.time) },
			{ key: "disposition", label: "Became", status: (row) => ({ kind: row.disposition === "refused" ? "bad" : row.disposition === "stale" ? "off" : "ok", word: row.disposition }) },
			{ key: "reason", label: "Rule that refused it", text: (row) => (row.reason || "").replaceAll("_", " ") || (row.disposition === "refused" ? null : "none") },
			{ key: "peer", label: "From peer", text: (row) => row.peer },
			{ key: "type", label: "Type", text: (row) => row.type },
			{ key: "subject", label: "Node or realm", text: (row) => row.subject },
			{ key: "value", label: "Asked", num: true, value: (row) => row.reduction_ratio ?? row.rate_per_second, text: asked },
			{ key: "sequence", label: "Sequence", num: true, value: (row) => row.sequence, text: (row) => String(row.sequence ?? "") },
			{ key: "version", label: "State", text: (row) => (row.version ? `#${row.version}` : null), href: (row) => (row.version ? `#/reports${query({ version: row.version, run: this.lifeOf(row) })}` : null) }],
		empty: () => this.arrivals.why("This server lists no received reports; doic audit does, from the evidence folder.", "No report was received yet.") });
	}

	announcedTable() {
		return new Table({ caption: "Announced capabilities", csv: "capabilities", key: (row) => `${row.peer} ${row.application_id} ${row.direction}`, columns: [
			{ key: "peer", label: "Peer", text: (row) => row.peer }, { key: "origin", label: "Announced by", text: (row) => row.origin_host },
			{ key: "app", label: "Application", text: (row) => row.application ?? row.application_id },
			{ key: "direction", label: "Seen in", text: (row) => row.direction },
			{ key: "features", label: "Features", text: (row) => features(row) },
			{ key: "since", label: "First seen", text: (row) => dateTime(row.time) }],
		empty: () => this.capabilities.why("This server does not list capabilities; doic audit does, from the evidence folder.", "Nobody has announced DOIC yet.") });
	}

	// Reports this node holds itself to are in the same list of the evidence, as from itself.
	tellReceived() {
		const { live, filter } = this.app;
		const all = this.arrivals.data?.reports || [];
		const others = all.filter((row) => row.peer?.toLowerCase() !== live.identity.toLowerCase());
		this.received.set(others, filter);
		say(this.ownNote, others.length < all.length ? `${all.length - others.length} of the last ${all.length} in the evidence are this node's own; they stand above.` : "");
	}

	tellArrivals() {
		this.tellReceived();
		this.rawKey = "";
		this.tellRaw();
	}

	tellCapabilities() {
		this.announced.set(this.capabilities.data?.capabilities || [], this.app.filter);
	}

	// The state that is looked at: by address, else the worst one.
	entry() {
		const { live, parameters } = this.app;
		const chosen = parameters.get("version");
		const all = Object.values(live.state.states || {});
		if (chosen && parameters.get("run"))
			return { version: Number(chosen), run: parameters.get("run"), isGone: true };
		if (chosen)
			return this.follow(all, Number(chosen));
		return all.sort((a, b) => (b.state === "active") - (a.state === "active") || (b.share_ratio || 0) - (a.share_ratio || 0))[0];
	}

	// The state that was version @version when it was chosen: a renewal must not take it away from who looks at it.
	follow(all, version) {
		const exact = all.find((each) => each.version === version);
		const began = Date.parse(this.app.live.state.node?.started);
		const told = (this.arrivals.data?.reports || []).find((each) => each.version === version && Date.parse(each.time) >= began); // versions count anew in each life
		const of = exact || (this.followed?.version === version ? this.followed.of : told);
		const isSame = (each) => each.type === of.type && each.application_id === of.application_id && each.subject === of.subject && (each.origin || "") === (of.origin || "");
		if (exact)
			this.followed = { version, of: exact };
		return exact || (of && all.find(isSame)) || { version, isGone: true };
	}

	// Of a report in the evidence: the life whose version it made, if that is not the one that runs.
	lifeOf(row) {
		return row.id ? this.app.live.otherLife(row.id, row.time) : "";
	}

	// The report that made the version that is looked at.
	reportOf(entry) {
		const all = (this.arrivals.data?.reports || []).filter((each) => each.version === entry.version && this.lifeOf(each) === (entry.run || ""));
		return all.find((each) => entry.isGone || each.sequence === entry.sequence) || all[0];
	}

	changed() {
		if (this.app.parameters.get("version"))
			this.heading.focus();
	}

	update() {
		const { live, filter } = this.app;
		const entry = this.entry();
		this.states.set(Object.values(live.state.states || {}).map((row) => Object.assign(row, { isChosen: row.version === entry?.version })), filter);
		this.own.set(Object.entries(live.state.reports || {}).map(([key, row]) => Object.assign(row, { key })), filter);
		this.tellReceived();
		this.announced.set(this.capabilities.data?.capabilities || [], filter);
		this.chosen.hidden = !entry;
		if (entry)
			this.tellEntry(entry);
	}

	tellEntry(entry) {
		const { live } = this.app;
		if (entry.isGone) {
			say(this.heading, `State #${entry.version}${entry.run ? ` of the life ${entry.run}` : ""} is not held any more`);
			fill(this.ladder);
			fill(this.facts, el("dt", { text: "Where to look" }), el("dd", {}, el("a", { href: `#/find${query({ version: entry.version, run: entry.run })}`, text: "decisions under it" })));
			this.chart.element.hidden = true;
			this.tellRaw();
			return;
		}
		say(this.heading, `State #${entry.version}: ${entry.is_own ? `this node itself asks for ${wanted(entry)} to ${entry.subject}` : `${entry.subject} asks for ${wanted(entry)}`}`);
		const steps = ladder(live.state, live.ring, entry);
		const key = JSON.stringify(steps);
		if (key !== this.stepsKey) {
			this.stepsKey = key;
			fill(this.ladder, steps.map((each) => el("li", { class: each.known ? "" : "missing" }, el("span", { class: "step", text: each.step }), " ",
				el("strong", { text: each.value }), " ", el("span", { class: "why", text: each.note }))));
		}
		this.tellFacts(entry);
		this.tellChart(entry);
		this.tellRaw();
	}

	tellChart(entry) {
		const { ring } = this.app.live;
		const keys = this.chart.series.map((series) => series.key);
		const until = ring.last - (entry.ended_seconds ?? 0);
		const held = [[until - lasting(entry), until]];
		this.chart.element.hidden = ring.last === 0;
		if (this.history.isOn)
			this.chart.set(this.history.rows(keys, 100), { ...this.history.marks(), held });
		else if (ring.last > 0)
			this.chart.set(ring.rows(keys, this.app.window, 100), { holes: ring.spans((s) => ring.isHole(s), this.app.window), gaps: ring.spans((s) => ring.isGap(s), this.app.window),
				held, flags: [], key: `${ring.version} ${entry.version} ${entry.sequence}` });
	}

	tellFacts(entry) {
		const key = `${entry.version} ${entry.sequence}`;
		if (key === this.factsKey)
			return;
		this.factsKey = key;
		const filter = `diameter.OC-Sequence-Number == ${entry.sequence}`;
		fill(this.facts, el("dt", { text: "In a capture" }), el("dd", {}, el("code", { text: filter }), " ",
			el("button", { type: "button", class: "small", text: "Copy tshark filter", on: { click: () => copy(filter) } })),
		el("dt", { text: "Decisions under it" }), el("dd", {}, el("a", { href: `#/find?version=${entry.version}`, text: `decisions under #${entry.version}` })));
	}

	// The report's octets, once they are asked for.
	tellRaw() {
		const entry = this.entry();
		if (!entry)
			return;
		const report = this.reportOf(entry);
		const key = `${entry.run} ${entry.version} ${report?.number} ${this.isRawShown}`;
		if (key === this.rawKey)
			return;
		this.rawKey = key;
		if (!report?.raw) {
			fill(this.raw, el("p", { class: "note", text: this.arrivals.why("The exact octets are in the evidence folder: doic audit shows them.", "The octets of this report are not among the last 100 received.") }));
			return;
		}
		const button = el("button", { type: "button", "aria-expanded": String(Boolean(this.isRawShown)), text: this.isRawShown ? "Hide the exact bytes" : "Show the exact bytes",
			on: { click: () => {
				this.isRawShown = !this.isRawShown;
				this.tellRaw();
				this.raw.querySelector("button").focus();
			} } });
		fill(this.raw, el("p", {}, status("ok", `report ${report.number}`), ` came ${dateTime(report.time)} from ${report.peer}. `, button),
			this.isRawShown ? el("pre", { tabindex: "0", "aria-label": "Octets of the report, hexadecimal", text: hexLines(report.raw) }) : null,
			this.isRawShown ? el("button", { type: "button", class: "small", text: "Copy the bytes", on: { click: () => copy(report.raw) } }) : null);
	}
}
