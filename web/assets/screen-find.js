// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Find: a session, a subscriber or one decision; the way of each request as a ladder, and why it was decided so.
import { get, query, send } from "./api.js";
import { box, copy, el, field, fill, select, status } from "./dom.js";
import { asked, clockMs, count, dateTime, delay, hexLines, isKnown, percent, quoted, splitId } from "./format.js";

const KINDS = { session_id: "Session-Id (needs the key)", subscriber_text: "IMSI, MSISDN or User-Name (needs the key)", session: "Session pseudonym", subscriber: "Subscriber pseudonym", decision: "Decision" };
const FILTERS = { client: "From peer", next_hop: "To peer", verdict: "Verdict", version: "State version", run: "of the life", from: "From (UTC)", until: "Until (UTC)" };
const verdictKinds = { forwarded: "ok", diverted: "busy", refused: "bad" };
const PAGE = 50;

export class Find {
	constructor(app) {
		this.app = app;
		this.kind = select(Object.entries(KINDS), app.parameters.get("kind") || "session_id", () => this.hint());
		this.input = el("input", { type: "text", size: "34", autocomplete: "off", spellcheck: "false" });
		this.filters = Object.fromEntries(Object.entries(FILTERS).map(([key]) => [key, key === "verdict"
			? select([["", "any"], ["forwarded", "forwarded"], ["diverted", "diverted"], ["refused", "refused"]], "", () => {}) : el("input", { type: "text", size: key === "version" ? "6" : key === "run" ? "16" : "22", autocomplete: "off", spellcheck: "false" })]));
		this.hintLine = el("p", { class: "note" });
		this.answer = el("p", { class: "note", role: "status" });
		this.list = el("ol", { class: "ladder" });
		this.more = el("p", { class: "tools", hidden: true }, el("button", { type: "button", text: "Older ones", on: { click: () => this.page() } }));
		this.detail = el("section", { class: "box", "aria-labelledby": "decisiontitle", hidden: true });
		const form = el("form", { class: "findform", role: "search", "aria-label": "Find decisions", on: { submit: (event) => this.submit(event) } },
			field("What", this.kind), field("Text", this.input), Object.entries(this.filters).map(([key, control]) => field(FILTERS[key], control)),
			el("button", { type: "submit", class: "primary", text: "Find" }));
		this.element = el("div", { class: "screen" }, box("What to find", {}, form, this.hintLine), this.detail, box("Decisions", {}, this.answer, this.list, this.more));
		this.hint();
	}

	begin() {
		this.changed();
	}

	// The address says what is wanted, so that it can be sent to somebody.
	changed() {
		const { parameters } = this.app;
		for (const key of Object.keys(FILTERS))
			this.filters[key].value = parameters.get(key) || "";
		const known = ["session", "subscriber", "decision"].find((key) => parameters.get(key));
		if (known) {
			this.kind.value = known;
			this.input.value = parameters.get(known);
		}
		this.hint();
		if (parameters.get("decision"))
			this.show(parameters.get("decision"));
		else
			this.detail.hidden = true;
		if (["session", "subscriber", ...Object.keys(FILTERS)].some((key) => parameters.get(key)))
			this.search();
		else if (!parameters.get("decision")) {
			this.answer.textContent = "Give a Session-Id, a pseudonym or a decision, or only peers, verdict and time.";
			fill(this.list);
			this.more.hidden = true;
		}
	}

	hint() {
		const texts = { session_id: "The server turns the text into its pseudonym with its key, and writes a row that you asked. Nothing of the text is kept in this page's address.",
			subscriber_text: "The server turns the text into a pseudonym with its key, and writes a row that you asked. Nothing of the text is kept in this page's address.",
			session: "The number that stands for it in the evidence.", subscriber: "The number that stands for them in the evidence.", decision: "Life of the agent and number, as RUN-N." };
		const needsKey = this.kind.value === "session_id" || this.kind.value === "subscriber_text";
		this.hintLine.textContent = `${texts[this.kind.value]}${needsKey && this.app.session.denial ? ` This ${this.app.session.denial}.` : ""}`;
	}

	async submit(event) {
		event.preventDefault();
		const text = this.input.value.trim();
		const wanted = Object.fromEntries(Object.keys(FILTERS).map((key) => [key, this.filters[key].value.trim()]).filter(([, value]) => value));
		const kind = this.kind.value;
		if (text && (kind === "session_id" || kind === "subscriber_text")) {
			const found = await this.reveal(kind, text);
			if (!found)
				return;
			Object.assign(wanted, found);
		} else if (text)
			wanted[kind] = text;
		location.hash = `#/find${query(wanted)}`;
		if (location.hash === this.lastHash)
			this.changed();
		this.lastHash = location.hash;
	}

	// Asks the server for the pseudonym of a text; needs its key and the role.
	async reveal(kind, text) {
		try {
			const { body } = await send("POST", "/api/v1/sessions/find", { kind, text });
			const value = body.session || body.subscriber;
			if (!value) {
				this.answer.textContent = "No decision of such an identity is indexed.";
				return null;
			}
			return body.session ? { session: body.session } : { subscriber: body.subscriber };
		} catch (problem) {
			this.answer.textContent = problem.isAbsent ? "This server has no key. On the machine that has it: doic reveal." : problem.text || String(problem);
			return null;
		}
	}

	search() {
		this.next = "";
		this.rows = [];
		fill(this.list);
		this.page();
	}

	async page() {
		const { parameters } = this.app;
		const wanted = Object.fromEntries(["session", "subscriber", ...Object.keys(FILTERS)].map((key) => [key, parameters.get(key)]));
		const asked = this.asked = {};
		this.answer.textContent = "Looking.";
		try {
			const told = await get(`/api/v1/decisions${query({ ...wanted, limit: PAGE, cursor: this.next })}`);
			if (asked !== this.asked)
				return;
			this.rows.push(...(told.decisions || []));
			this.next = told.next || "";
			this.more.hidden = !this.next;
			this.list.append(...(told.decisions || []).map((row) => this.rung(row)));
			this.answer.textContent = this.rows.length > 0 ? `${count(this.rows.length)} decisions${this.next ? ", and there are older ones" : ""}.`
				: this.next ? `None up to ${dateTime(told.reached)}; older ones were not looked at yet.` : "No decision matches. Times are UTC; names are whole.";
		} catch (problem) {
			if (asked !== this.asked)
				return;
			this.answer.textContent = problem.isAbsent ? "This server cannot look into its evidence; doic audit can, on the folder." : `${problem.text || problem}${this.rows.length ? " What is shown is old." : ""}`;
		}
	}

	// sender -> this node -> next hop, or where it ended.
	rung(row) {
		const node = this.app.live.state.node?.identity || "this node";
		const hops = [el("span", { class: "hop", text: row.client || "–" }), el("span", { class: "arrow", text: "to" }), el("span", { class: "hop us", text: node })];
		if (row.verdict === "refused")
			hops.push(el("span", { class: "arrow end", text: "ends here" }));
		else
			hops.push(el("span", { class: "arrow", text: row.verdict === "diverted" ? "diverted to" : "to" }), el("span", { class: "hop", text: row.next_hop || "–" }));
		return el("li", {}, el("span", { class: "hops" }, hops), el("a", { href: `#/find?decision=${encodeURIComponent(row.id)}`, text: clockMs(row.time) }), ` ${row.command_text ?? row.command} `,
			status(verdictKinds[row.verdict] || "unknown", row.verdict), ` ${this.because(row)} `, row.session ? el("a", { href: `#/find?session=${row.session}`, text: `session ${row.session}` }) : null);
	}

	because(row) {
		const parts = [];
		if (row.verdict === "refused")
			parts.push(`with ${row.result_code ?? "–"}: ${(row.why || "–").replaceAll("_", " ")}${row.selected_by && row.selected_by !== "none" ? `, ${row.selected_by} state` : ""}${row.version ? ` #${row.version}` : ""}`);
		if (row.is_remembered)
			parts.push("the same verdict as the attempt before");
		if (row.is_observed)
			parts.push("only observed, not enforced");
		if (isKnown(row.took_seconds))
			parts.push(`answered ${row.answer_code ?? ""} in ${delay(row.took_seconds)}`);
		else if (row.verdict !== "refused")
			parts.push("no answer recorded");
		return parts.join("; ");
	}

	async show(id) {
		this.detail.hidden = false;
		fill(this.detail, el("h2", { id: "decisiontitle", text: `Decision ${id}` }), el("p", { class: "note", text: "Asking the server." }));
		try {
			this.tell(await get(`/api/v1/decisions/${encodeURIComponent(id)}`), id);
		} catch (problem) {
			fill(this.detail, el("h2", { id: "decisiontitle", tabindex: "-1", text: `Decision ${id}` }), el("p", { class: "problem", text: problem.text || String(problem) }));
		}
	}

	tell(row, id) {
		this.told = [row, id];
		const life = this.app.live.otherLife(id, row.time);
		const looks = Object.entries(row.looks || {}).map(([scope, look]) => el("li", {}, `${scope}: `, el("a", { href: `#/reports${query({ version: look.version, run: life })}`, text: `state #${look.version}` }),
			look.subject ? ` of ${look.subject}, which asks for ${asked(look)}${look.algorithm === "rate" ? "" : " less"}` : "",
			`, share ${percent(look.share_ratio, 1)}${look.nth ? `, draw ${count(look.nth)} under it` : ", not drawn"}`, this.origin(look), this.unlike(look)));
		const [run, number] = splitId(id);
		this.proof = el("div");
		const command = `doic prove ${quoted(this.app.live.folder)} --decision ${number}${run ? ` --run ${quoted(run)}` : ""} -o proof.json`;
		const facts = [["Came", `${dateTime(row.time)} (${clockMs(row.time)}) from ${row.client ?? "–"}, Origin-Host ${row.origin_host ?? "–"}`], ["Was for", `${row.dest_host ?? "any host"} in ${row.dest_realm ?? "–"}, application ${row.application ?? row.application_id}`],
			["Class", `${row.class ?? "–"}, DRMP ${row.drmp ?? "none"}${row.is_drmp_stripped ? ", removed: its sender is not trusted with it" : ""}`], ["Policy", row.policy_version ? `version ${row.policy_version}` : "–"],
			["Candidates", (row.candidates || []).map((each) => each.peer ?? each).join(", ") || "–"], ["First choice", row.first_choice ?? "–"], ["Chance given to it", row.random ?? "–"]];
		fill(this.detail, el("h2", { id: "decisiontitle", tabindex: "-1", text: `Decision ${id}` }), el("ol", { class: "ladder" }, this.rung({ ...row, id })),
			el("h3", { text: "Held against" }), looks.length ? el("ul", {}, looks) : el("p", { class: "note", text: "No state matched it." }),
			el("dl", { class: "facts" }, facts.flatMap(([word, text]) => [el("dt", { text: word }), el("dd", { text: String(text) })])),
			el("h3", { text: "Proof" }), this.proof,
			el("p", {}, "The same on a terminal: ", el("code", { text: command }), " ", el("button", { type: "button", class: "small", text: "Copy", on: { click: () => copy(command) } })));
		document.getElementById("decisiontitle").focus();
		this.tellProof(id);
	}

	// Why one request was drawn at another share than the report asks for.
	unlike(look) {
		return isKnown(look.reduction_ratio) && Math.abs(look.reduction_ratio - look.share_ratio) > 0.005
			? el("p", { class: "note", text: "The share of one request may be more or less than what is asked: it makes up for requests that were spared or removed elsewhere, and for the way back after a report, so that all together come out at what is asked." }) : null;
	}

	// The report a state came from, with its octets.
	origin(look) {
		const report = look.report;
		if (!report)
			return null;
		return [`; report ${report.number} from ${report.peer ?? "–"} at ${dateTime(report.time)}${look.sequence ? `, sequence ${look.sequence}` : ""}`,
			report.raw ? el("details", {}, el("summary", { text: "its octets" }), el("pre", { tabindex: "0", "aria-label": "Octets of the report, hexadecimal", text: hexLines(report.raw) })) : null];
	}

	// The proof is made when it is asked for; while no checkpoint covers the row there is none.
	async tellProof(id) {
		const path = `/api/v1/decisions/${encodeURIComponent(id)}/proof`;
		fill(this.proof, el("p", { class: "note", text: "Asking for the proof." }));
		try {
			const told = await get(path);
			if (this.told?.[1] !== id)
				return;
			const batch = told.batch || {};
			fill(this.proof, el("p", {}, `Leaf ${count(batch.leaf)} of ${count(batch.leaves)} of batch ${count(batch.number)}, segment ${batch.segment ?? "–"}, root `,
				el("code", { text: batch.root ? `${batch.root.slice(0, 16)}…` : "–", title: batch.root }), ". ", el("a", { href: path, download: `proof-${id}.json`, text: "Download the proof" })),
			el("p", {}, "Checked without this server, with the public key alone: ", el("code", { text: `doic check-proof proof-${id}.json --key public-key.txt` })));
		} catch (problem) {
			if (this.told?.[1] === id)
				fill(this.proof, el("p", { class: "note", text: problem.status === 409 ? "Not under a checkpoint yet. One comes every few seconds." : problem.text || String(problem) }),
					problem.status === 409 ? el("button", { type: "button", text: "Ask again", on: { click: () => this.tellProof(id) } }) : null);
		}
	}

	// What is found stays as it was found; only the node's own name may come later than the rows.
	update() {
		const name = this.app.live.state.node?.identity;
		if (name === this.name)
			return;
		this.name = name;
		if (this.rows?.length)
			fill(this.list, this.rows.map((row) => this.rung(row)));
		if (this.told && !this.detail.hidden)
			this.tell(...this.told);
	}
}
