// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Policy: the document in force, a candidate that is checked, compared and tried before it is put in force, and all that were before.
import { get, send } from "./api.js";
import { diff, excerpt } from "./diff.js";
import { box, copy, el, fill, guarded, say } from "./dom.js";
import { count, dateTime, percent, quoted } from "./format.js";
import { Resource } from "./resource.js";
import { open } from "./session.js";
import { Table } from "./table.js";

const JOB_EVERY_MS = 500;

export class Policy {
	constructor(app) {
		this.app = app;
		this.running = new Resource(app, "/api/v1/policy", 5000, () => this.tellRunning());
		this.older = []; // pages of versions behind those that are asked for again and again
		this.olderNote = el("p", { class: "note" });
		this.olderButton = el("button", { type: "button", text: "Older versions", hidden: true, on: { click: () => this.readOlder() } });
		this.versions = new Resource(app, "/api/v1/policy/versions", 10000, () => this.tellVersions());
		this.headline = el("p");
		this.lines = el("ol", { class: "code" });
		this.changedBar = el("p", { class: "bar warn", hidden: true });
		this.editor = el("textarea", { id: "candidate", class: "code", rows: "18", spellcheck: "false", autocomplete: "off", "aria-describedby": "editorhint", on: { input: () => this.edited(true) } });
		this.buttons = el("p", { class: "tools" });
		this.result = el("p", { class: "result", role: "status" });
		this.errors = el("ol", { class: "errors" });
		this.diffList = el("ol", { class: "diff" });
		this.diffNote = el("p", { class: "note" });
		this.whatif = el("div", { class: "whatif" });
		this.history = this.versionTable();
		this.running.elements = [this.lines];
		this.element = el("div", { class: "screen policy" },
			el("div", { class: "pairs" }, box("In force", {}, this.headline, this.running.note, el("div", { class: "scroller codebox", tabindex: "0", role: "group", "aria-label": "Document in force, with line numbers" }, this.lines)),
				box("Candidate", {}, this.changedBar, el("label", { for: "candidate", class: "quiet", text: "Candidate document" }), this.editor,
					el("p", { id: "editorhint", class: "note", text: "Nothing here takes effect before Apply. Apply needs a Check of exactly this text without errors, and a reason." }),
					this.buttons, this.result, this.errors)),
			box("What would change in the document", {}, this.diffNote, this.diffList), box("What would have been decided", {}, this.whatif), box("Versions", {}, this.versions.note, this.history.element, this.olderNote, this.olderButton));
		this.whatifNote = el("p", { class: "note" });
		fill(this.whatif, this.whatifNote);
		this.running.start();
		this.versions.start();
	}

	destroy() {
		this.running.stop();
		this.versions.stop();
		clearTimeout(this.jobTimer);
		this.isGone = true;
	}

	whatifCommand() {
		return `"Try on the last hour" makes recorded decisions again under the candidate. On a terminal: doic whatif ${quoted(this.app.live.folder)} --window -1h --policy candidate.yaml`;
	}

	versionTable() {
		return new Table({ caption: "Versions of the policy", key: (row) => String(row.version), sort: { key: "version", down: true }, columns: [
			{ key: "version", label: "Version", value: (row) => row.version, text: (row) => `v${row.version}` },
			{ key: "state", label: "State", status: (row) => (row.version === this.running.data?.version ? { kind: "ok", word: "in force" } : { kind: "off", word: "was in force" }) },
			{ key: "since", label: "Since", value: (row) => row.since, text: (row) => dateTime(row.since) }, { key: "by", label: "By", text: (row) => row.by }, { key: "reason", label: "Reason", text: (row) => row.reason },
			{ key: "sha", label: "SHA-256", text: (row) => (row.sha256 ? `${row.sha256.slice(0, 12)}…` : null) },
			{ key: "show", label: "Text", plain: true, act: (row) => ({ label: "Compare", name: `Compare version ${row.version} with the one in force`, run: () => this.compare(row) }) },
			{ key: "back", label: "Roll back", plain: true, act: (row) => (row.version === this.running.data?.version ? null : { label: "Roll back", name: `Roll back to version ${row.version}`, why: this.app.session.denial, run: () => this.askRollback(row) }) }],
		empty: () => this.versions.why("This server keeps no list of versions; the evidence does: table policy.", "There was only this version.") });
	}

	tellRunning() {
		const told = this.running.data;
		if (!told) {
			fill(this.headline, this.running.why("This server shows a finished folder: no policy is in force.", ""));
			return;
		}
		const isOther = this.etag && this.etag !== this.running.etag;
		if (this.versions.data && this.askedFor !== told.version && !this.versions.data.versions.some((each) => each.version === told.version)) {
			this.askedFor = told.version;
			this.versions.read();
		}
		if (this.text !== told.text || this.toldMaker !== this.maker(told)) {
			this.toldMaker = this.maker(told);
			fill(this.lines, told.text.split("\n").map((line) => el("li", {}, el("span", { text: line || " " }))));
			fill(this.headline, `v${told.version}, SHA-256 ${String(told.sha256).slice(0, 12)}…, since ${dateTime(told.since)}${this.maker(told)}.`);
		}
		this.text = told.text;
		if (!this.etag || (isOther && !this.isEdited())) {
			this.etag = this.running.etag;
			this.base = told.text;
			this.editor.value = told.text;
			this.checked = null;
		} else if (isOther)
			this.tellChanged(told);
		this.edited();
		this.history.set(this.known, this.app.filter);
	}

	// Who put it in force and why, which its history tells.
	maker(told) {
		const row = this.known.find((each) => each.version === told.version && (!each.sha256 || each.sha256 === told.sha256)) || told;
		return `${row.by ? `, by ${row.by}` : ""}${row.reason ? `, "${row.reason}"` : ""}`;
	}

	// Somebody else changed it while a text is being edited: it is said, and nothing is replaced.
	tellChanged(told) {
		this.changedBar.hidden = false;
		fill(this.changedBar, `The policy changed to v${told.version}${this.maker(told)} while you edit. Your text is untouched. `,
			el("button", { type: "button", text: "Base mine on it", on: { click: () => {
				this.etag = this.running.etag;
				this.base = told.text;
				this.changedBar.hidden = true;
				this.edited();
			} } }));
	}

	isEdited() {
		return this.base !== undefined && this.editor.value !== this.base;
	}

	edited(isTyped) {
		const isChecked = this.checked !== null && this.checked === this.editor.value;
		if (!isChecked && this.checked) {
			fill(this.errors);
			say(this.result, "");
		}
		const { denial, readDenial: reading } = this.app.session;
		const state = `${denial} ${reading} ${isChecked} ${this.isEdited()}`;
		if (state !== this.buttonsKey) {
			this.buttonsKey = state;
			const why = denial || (!this.isEdited() ? "nothing is changed" : isChecked ? "" : "needs a Check of this text first");
			fill(this.buttons, guarded("Check", !reading, reading, () => this.check()), guarded("Try on the last hour", !reading, reading, () => this.tryIt()), guarded("Apply", !why, why, () => this.askApply()),
				el("button", { type: "button", text: "Undo all", on: { click: () => {
					this.editor.value = this.base ?? "";
					this.edited();
				} } }), why ? el("span", { class: "note", text: `Apply: ${why}` }) : null);
		}
		this.isComparing = this.isComparing && !isTyped;
		if (!this.isComparing)
			this.tellDiff(this.text ?? "", this.editor.value, "the document in force", "the candidate");
	}

	tellDiff(left, right, leftName, rightName) {
		const key = `${left.length} ${right} ${leftName}`;
		if (key === this.diffKey)
			return;
		this.diffKey = key;
		const all = diff(left, right);
		const changed = all.filter((line) => line.kind !== " ").length;
		say(this.diffNote, changed === 0 ? `No difference between ${leftName} and ${rightName}.` : `${all.filter((line) => line.kind === "-").length} lines of ${leftName} go, ${all.filter((line) => line.kind === "+").length} of ${rightName} come.`);
		fill(this.diffList, changed === 0 ? [] : excerpt(all).map((line) => (line === null ? el("li", { class: "skipped", text: "…" })
			: el("li", { class: line.kind === "-" ? "gone" : line.kind === "+" ? "come" : "" }, el("span", { class: "no", text: String(line.left ?? line.right) }), el("span", { class: "quiet", text: line.kind === "-" ? "removed: " : line.kind === "+" ? "added: " : "" }),
				el("span", { "aria-hidden": "true", text: `${line.kind} ` }), line.text))));
	}

	async check() {
		const text = this.editor.value;
		say(this.result, "Checking.");
		fill(this.errors);
		try {
			const { body } = await send("POST", "/api/v1/policy/check", { text });
			const errors = body.errors || [];
			this.checked = errors.length === 0 ? text : null;
			say(this.result, errors.length === 0 ? "No errors. This text can be applied." : `${errors.length} ${errors.length === 1 ? "error" : "errors"}; the policy in force is untouched.`);
			this.tellErrors(errors);
		} catch (problem) {
			this.checked = problem.isAbsent ? text : null; // then Apply itself is the check
			say(this.result, problem.isAbsent ? "This server cannot check without applying. A wrong document is refused whole, and the old one stays in force." : problem.text || String(problem));
		}
		this.buttonsKey = "";
		this.edited();
	}

	tellErrors(errors) {
		fill(this.errors, errors.map((error) => el("li", {}, el("button", { type: "button", class: "link", text: `${error.line ?? "?"}:${error.column ?? "?"}`, "aria-label": `Go to line ${error.line}, column ${error.column}`,
			on: { click: () => this.goto(error.line, error.column) } }), ` ${error.detail || error.message || ""}`)));
	}

	goto(line, column) {
		const lines = this.editor.value.split("\n");
		const at = lines.slice(0, (line || 1) - 1).reduce((sum, each) => sum + each.length + 1, 0) + (column || 1) - 1;
		this.editor.focus();
		this.editor.setSelectionRange(at, at + 1);
		this.editor.scrollTop = ((line || 1) - 4) * parseFloat(getComputedStyle(this.editor).lineHeight);
	}

	async tryIt() {
		fill(this.whatif, el("p", { text: "Making recorded decisions again under the candidate." }));
		try {
			const { response, body } = await send("POST", "/api/v1/policy/whatif", { text: this.editor.value, window_seconds: 3600 });
			await this.follow(response.headers.get("Location") || `/api/v1/jobs/${body.id}`);
		} catch (problem) {
			fill(this.whatif, el("p", { class: "problem", text: problem.isAbsent ? `This server cannot try a policy. ${this.whatifCommand()}` : problem.text || String(problem) }));
		}
	}

	async follow(path) {
		if (!path.startsWith("/api/v1/jobs/"))
			throw new Error("the server names no job");
		const job = await get(path);
		if (this.isGone)
			return;
		if (job.state === "running" || job.state === "waiting") {
			fill(this.whatif, el("p", {}, el("progress", { max: "1", "aria-label": "Progress", value: job.progress_ratio ?? 0 }), ` ${percent(job.progress_ratio)}`));
			this.jobTimer = setTimeout(() => this.follow(path).catch((problem) => fill(this.whatif, el("p", { class: "problem", text: problem.text || String(problem) }))), JOB_EVERY_MS);
			return;
		}
		this.tellWhatif(job);
	}

	// "doic.whatif/1", of a job that is done.
	tellWhatif(job) {
		const r = job.object;
		if (!r || !(r.decisions > 0)) {
			fill(this.whatif, el("p", { class: "problem", text: job.verdict || r?.error || `The job is ${job.state}.` }));
			return;
		}
		const pair = (word, a, b) => el("tr", {}, el("th", { scope: "row", text: word }), el("td", { class: "num", text: count(a) }), el("td", { class: "num", text: count(b) }));
		fill(this.whatif, el("p", { text: `Of ${count(r.decisions)} decisions of the last hour, ${count(r.changed)} (${percent(r.changed / r.decisions, 2)}) would be others.` }),
			el("table", { class: "rows small" }, el("caption", { class: "quiet", text: "Outcome under both policies" }), el("thead", {}, el("tr", {}, ["", "In force", "Candidate"].map((text, i) => (i ? el("th", { scope: "col", class: "num", text }) : el("td"))))),
				el("tbody", {}, ["forwarded", "diverted", "refused"].map((fate) => pair(fate, r.total?.before?.[fate], r.total?.after?.[fate])), pair("emergency refused", r.emergency_refused?.before, r.emergency_refused?.after))),
			job.verdict ? el("p", { text: job.verdict }) : null,
			el("p", { class: "note", text: `Not modelled: ${(r.beyond_the_record || ["what clients would do with other answers"]).join("; ")}. Still in force: v${this.running.data?.version}.` }),
			job.command ? el("p", {}, "The same on a terminal: ", el("code", { text: job.command }), " ", el("button", { type: "button", class: "small", text: "Copy", on: { click: () => copy(job.command) } })) : null);
	}

	askApply() {
		const text = this.editor.value, etag = this.etag;
		this.ask("Apply the candidate", `It takes the place of v${this.running.data.version} at once, for new decisions.`, (reason) => send("PUT", "/api/v1/policy", { text, reason }, { etag }));
	}

	askRollback(row) {
		const etag = this.running.etag;
		this.ask(`Roll back to v${row.version}`, `The text of v${row.version} becomes a new version and takes the place of v${this.running.data.version} at once.`,
			(reason) => send("POST", "/api/v1/policy/rollback", { version: row.version, reason }, { etag }));
	}

	ask(title, what, run) {
		const reason = el("input", { id: "reason", required: true, maxlength: "90", autocomplete: "off" });
		const problem = el("p", { class: "problem", role: "alert", hidden: true });
		const dialog = el("dialog", { "aria-labelledby": "asktitle" });
		const form = el("form", { on: { submit: async (event) => {
			event.preventDefault();
			problem.hidden = true;
			try {
				const { body } = await run(reason.value);
				dialog.close();
				this.done(body, reason.value);
			} catch (error) {
				say(problem, error.status === 412 ? `${error.text} Close this, look at the difference, and apply again.` : error.text || String(error));
				problem.hidden = false;
				this.tellErrors(error.status === 422 ? located(error.errors) : []);
				this.running.read();
			}
		} } }, el("h2", { id: "asktitle", text: title }), el("p", { text: what }), el("p", {}, el("label", { for: "reason", text: "Reason (goes into the evidence)" }), " ", reason), problem,
		el("p", { class: "tools" }, el("button", { type: "submit", class: "primary", text: "Put in force" }), el("button", { type: "button", text: "Cancel", on: { click: () => dialog.close() } })));
		fill(dialog, form);
		open(dialog);
		reason.focus();
	}

	done(body, reason) {
		this.etag = "";
		this.checked = null;
		this.buttonsKey = "";
		this.changedBar.hidden = true;
		this.running.read();
		this.versions.read();
		say(this.result, `v${body.version ?? "?"} is in force: "${reason}". The order is a row of the evidence.`);
	}

	async compare(row) {
		try {
			const told = await get(`/api/v1/policy/versions/${row.version}`);
			this.isComparing = true;
			this.diffKey = "";
			this.tellDiff(told.text, this.text ?? "", `v${row.version}`, "the document in force");
			this.diffNote.scrollIntoView({ block: "center" });
		} catch (problem) {
			say(this.diffNote, problem.text || String(problem));
		}
	}

	// Newest first, those that were asked for further back behind them.
	get known() {
		return [...(this.versions.data?.versions || []), ...this.older];
	}

	async readOlder() {
		try {
			const told = await get(`/api/v1/policy/versions?cursor=${encodeURIComponent(this.next)}`);
			this.older.push(...told.versions);
			this.next = told.next || null;
			say(this.olderNote, "");
		} catch (problem) {
			say(this.olderNote, problem.text || String(problem));
		}
		this.tellVersions();
	}

	tellVersions() {
		if (this.older.length === 0)
			this.next = this.versions.data?.next || null;
		this.olderButton.hidden = !this.next;
		if (this.running.data)
			this.tellRunning();
		this.history.set(this.known, this.app.filter);
	}

	update() {
		say(this.whatifNote, this.whatifCommand());
		this.edited();
		this.history.set(this.known, this.app.filter);
	}
}

// Errors of a refusal with line and column, which older servers have in the text alone: "policy.yaml:41:11: ...".
function located(errors) {
	return errors.map((error) => {
		if (error.line)
			return error;
		const at = /(?:^|:)(\d+):(\d+):?\s*(.*)$/s.exec(error.detail || "");
		return at ? { line: Number(at[1]), column: Number(at[2]), detail: at[3] } : { line: error.line, column: error.column, detail: error.detail };
	});
}
