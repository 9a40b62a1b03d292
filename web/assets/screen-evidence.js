// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Evidence: how recording goes, which segments there are and where something is missing, and verify and audit as jobs.
import { get, send } from "./api.js";
import { box, copy, el, field, fill, guarded, mark, say, status } from "./dom.js";
import { clock, count, dateTime, duration, isKnown, octets, percent, quoted } from "./format.js";
import { Resource } from "./resource.js";
import { Table } from "./table.js";

const DAY_MS = 86400000;
const YEAR_S = 31557600;
const RATE_S = 600; // of less recording no rate is told
const ROOTS_ASKED = 30; // segments whose root is asked for
const NOT_KNOWN = "Whether a segment was taken elsewhere, or its checkpoint is kept outside, this server does not know: doic verify --checkpoint FILE tells.";
const jobKinds = { running: "busy", waiting: "busy", done: "ok", stopped: "off", failed: "bad" };

export class Evidence {
	constructor(app) {
		this.app = app;
		this.segments = new Resource(app, "/api/v1/evidence/segments", 5000, () => this.tellSegments());
		this.gaps = new Resource(app, "/api/v1/evidence/gaps", 5000, () => this.tellSegments());
		this.checkpoint = new Resource(app, "/api/v1/evidence/checkpoints/latest", 5000, () => this.tellCheckpoint());
		this.jobs = new Resource(app, "/api/v1/jobs", 1000, () => this.tellJobs());
		this.recording = el("dl", { class: "facts wide" });
		this.recordingNote = el("p", { class: "note" });
		this.checkpointLine = el("p");
		this.bar = el("div", { class: "timeline", role: "img", tabindex: "0", "aria-label": "Segments" });
		this.barNote = el("p", { class: "note" });
		this.roots = new Map(); // name -> last checkpoint in it; of a sealed one it stays
		this.table = this.segmentTable();
		this.gapTable = this.makeGapTable();
		this.jobTable = this.makeJobTable();
		this.jobResult = el("div", { class: "jobresult" });
		this.segments.elements = [this.table.element, this.bar];
		this.element = el("div", { class: "screen" }, box("Recording", {}, this.recording, this.recordingNote, this.checkpointLine),
			box("Segments", {}, this.segments.note, this.bar, this.barNote, this.table.element, el("p", { class: "note", text: NOT_KNOWN })), box("Gaps", {}, this.gaps.note, this.gapTable.element),
			box("Check it", {}, this.jobForm(), this.jobs.note, this.jobTable.element, this.jobResult));
		for (const each of [this.segments, this.gaps, this.checkpoint, this.jobs])
			each.start();
	}

	destroy() {
		this.isOver = true;
		for (const each of [this.segments, this.gaps, this.checkpoint, this.jobs])
			each.stop();
	}

	get folder() {
		return this.app.live.folder;
	}

	segmentTable() {
		return new Table({ caption: "Segments", csv: "segments", key: (row) => row.name, sort: { key: "from", down: true }, columns: [
			{ key: "name", label: "Segment", text: (row) => row.name },
			{ key: "state", label: "State", status: (row) => (row.sealed ? { kind: "ok", word: "sealed" } : row.closed_how ? { kind: "warn", word: `closed (${row.closed_how}), not sealed` } : { kind: "busy", word: "open tail" }) },
			{ key: "from", label: "From", value: (row) => row.from, text: (row) => dateTime(row.from) }, { key: "until", label: "Until", value: (row) => row.until, text: (row) => dateTime(row.until) },
			{ key: "decisions", label: "Decisions", num: true, value: (row) => (row.last_decision ? row.last_decision - row.first_decision + 1 : 0), text: (row) => count(row.last_decision ? row.last_decision - row.first_decision + 1 : 0) },
			{ key: "octets", label: "Size", num: true, value: (row) => row.octets, text: (row) => octets(row.octets) },
			{ key: "sealed", label: "Sealed", text: (row) => (row.sealed ? dateTime(row.sealed) : null) },
			{ key: "verified", label: "Verified", title: "by the last finished job verify here", status: (row) => this.verified(row), hint: (row) => this.verified(row).why },
			{ key: "rows", label: "Rows", title: "of the log, up to the segment's last checkpoint", num: true, value: (row) => this.roots.get(row.name)?.rows, text: (row) => count(this.roots.get(row.name)?.rows) },
			{ key: "root", label: "Root", title: "of the log's tree, in the segment's last checkpoint", text: (row) => (this.roots.get(row.name)?.root ? `${this.roots.get(row.name).root.slice(0, 12)}…` : null), hint: (row) => this.roots.get(row.name)?.root || "no checkpoint of it was asked for, or there is none" },
			{ key: "sha256", label: "SHA-256", text: (row) => (row.sha256 ? `${row.sha256.slice(0, 12)}…` : null), hint: (row) => row.sha256 || "" }],
		empty: () => this.segments.why("This server lists no segments; doic verify does, on the folder.", "No segment yet. Recording makes the first one when the first event comes.") });
	}

	makeGapTable() {
		return new Table({ caption: "Gaps", csv: "gaps", key: (row) => row.id, sort: { key: "time", down: true }, columns: [
			{ key: "time", label: "Told at", title: "when the recorder noted what is missing before it", value: (row) => row.time, text: (row) => dateTime(row.time) },
			{ key: "since", label: "Since", title: "when recording was last seen at work before", value: (row) => row.since, text: (row) => (row.since ? dateTime(row.since) : null) },
			{ key: "events", label: "Events lost", num: true, value: (row) => row.events, text: (row) => (isKnown(row.events) ? count(row.events) : null) }, { key: "reason", label: "Why", text: (row) => row.reason },
			{ key: "segment", label: "Segment", text: (row) => row.segment }],
		empty: () => this.gaps.why("This server lists no gaps; doic verify does, on the folder.", "No gap: nothing is known to be lost.") });
	}

	makeJobTable() {
		return new Table({ caption: "Jobs", key: (row) => row.id, sort: { key: "started", down: true }, columns: [
			{ key: "id", label: "Job", text: (row) => `${row.verb} ${row.id}` },
			{ key: "state", label: "State", status: (row) => ({ kind: row.state === "done" && row.exit > 0 ? "warn" : jobKinds[row.state] || "unknown", word: row.state }) },
			{ key: "progress", label: "Progress", told: (row) => `${row.progress_ratio} ${row.left_seconds}`, node: (row) => this.progress(row), text: (row) => percent(row.progress_ratio) },
			{ key: "verdict", label: "Verdict", wrap: true, text: (row) => row.verdict || (row.state === "running" || row.state === "waiting" ? "not yet" : null) },
			{ key: "exit", label: "Exit code", num: true, text: (row) => (isKnown(row.exit) ? String(row.exit) : null), title: "what the doic command would give" },
			{ key: "started", label: "Started", text: (row) => dateTime(row.started) }, { key: "command", label: "The same command", wrap: true, told: (row) => row.command, node: (row) => [el("code", { text: row.command }), ...(row.policy ? [" ", el("a", { href: row.policy, text: "its candidate" })] : [])], text: (row) => row.command },
			{ key: "report", label: "Report", text: (row) => (row.report ? "open" : null), href: (row) => (row.report && row.report.startsWith("/") ? row.report : null) },
			{ key: "stop", label: "Stop", plain: true, act: (row) => (row.state === "running" || row.state === "waiting" ? { label: "Stop", name: `Stop job ${row.id}`, why: this.app.session.readDenial, run: () => this.stopJob(row) } : null) }],
		empty: () => this.jobs.why("This server runs no jobs. The commands below do the same on the machine.", "No job was started yet.") });
	}

	progress(row) {
		const bar = el("progress", { max: "1", "aria-label": `Progress of job ${row.id}` });
		if (isKnown(row.progress_ratio))
			bar.value = row.progress_ratio;
		return [bar, ` ${percent(row.progress_ratio)}${isKnown(row.left_seconds) ? `, ${duration(row.left_seconds)} left` : ""}`];
	}

	jobForm() {
		this.from = el("input", { type: "text", size: "22", autocomplete: "off", placeholder: "2026-11-29T13:59:15Z" });
		this.until = el("input", { type: "text", size: "22", autocomplete: "off", placeholder: "now, -10m, 14:00" });
		this.buttons = el("span", { class: "tools" });
		this.commands = el("ul", { class: "commands" });
		this.problem = el("p", { class: "problem", role: "alert", hidden: true });
		for (const input of [this.from, this.until])
			input.addEventListener("input", () => this.tellCommands());
		return el("form", { class: "findform", on: { submit: (event) => event.preventDefault() } }, field("Audit from (UTC)", this.from), field("until", this.until), this.buttons, this.commands, this.problem);
	}

	command(verb) {
		const window = verb === "audit" ? `${this.from.value.trim() ? ` --since ${quoted(this.from.value.trim())}` : ""}${this.until.value.trim() ? ` --until ${quoted(this.until.value.trim())}` : ""}` : "";
		return `doic ${verb}${window} ${quoted(this.folder)}`;
	}

	tellCommands() {
		const denial = this.app.session.readDenial || (this.jobs.problem?.isAbsent ? "this server runs no jobs" : "");
		const key = `${denial} ${this.command("verify")} ${this.command("audit")}`;
		if (key === this.commandsKey)
			return;
		this.commandsKey = key;
		fill(this.buttons, guarded("Verify", !denial, denial, () => this.start("verify", {})), guarded("Audit the window", !denial, denial, () => this.start("audit", { since: this.from.value.trim() || undefined, until: this.until.value.trim() || undefined })),
			denial ? el("span", { class: "note", text: denial }) : null);
		fill(this.commands, ["verify", "audit"].map((verb) => el("li", {}, `${verb}: `, el("code", { text: this.command(verb) }), " ",
			el("button", { type: "button", class: "small", text: "Copy", "aria-label": `Copy the command of ${verb}`, on: { click: () => copy(this.command(verb)) } }))));
	}

	async start(verb, body) {
		this.problem.hidden = true;
		try {
			await send("POST", `/api/v1/evidence/${verb}`, body);
			this.jobs.read();
		} catch (problem) {
			say(this.problem, problem.text || String(problem));
			this.problem.hidden = false;
		}
	}

	async stopJob(row) {
		await send("DELETE", `/api/v1/jobs/${encodeURIComponent(row.id)}`).catch((problem) => {
			say(this.problem, problem.text || String(problem));
			this.problem.hidden = false;
		});
		this.jobs.read();
	}

	update() {
		const recording = this.app.live.state.recording;
		this.tellRecording(recording);
		this.tellCommands();
		this.table.set(this.segments.data?.segments || [], this.app.filter);
	}

	// How long the disk lasts at the rate of the last day's segments.
	diskText(recording) {
		if (!isKnown(recording.disk_free_ratio))
			return "–";
		const recent = (this.segments.data?.segments || []).filter((each) => Date.parse(each.until) > Date.now() - DAY_MS && Date.parse(each.until) > Date.parse(each.from));
		const seconds = recent.reduce((sum, each) => sum + (Date.parse(each.until) - Date.parse(each.from)) / 1000, 0);
		const rate = recent.reduce((sum, each) => sum + each.octets, 0) / seconds;
		const left = (recording.disk_free_ratio * recording.disk_size_bytes) / rate;
		const lasts = seconds >= RATE_S && left < 10 * YEAR_S ? `, full in about ${about(left)} at the rate of the last day, unless old segments are removed before` : "";
		return `${percent(recording.disk_free_ratio)}${lasts}`;
	}

	tellRecording(recording) {
		say(this.recordingNote, recording ? "" : this.app.live.hasState ? "Nothing is being recorded here: evidence.enabled is false, or this is a finished folder." : "Waiting for the first second.");
		if (!recording)
			return;
		const facts = [["State", recording.error ? ["bad", `stands still: ${recording.error}`] : ["ok", "recording"]], ["Lag", `${recording.lag_seconds.toFixed(1)} s`],
			["Journal", isKnown(recording.journal_fill_ratio) ? `${percent(recording.journal_fill_ratio, 1)} full` : "–"], ["When full", recording.when_full],
			["Rows", count(recording.rows)], ["Events lost", count(recording.gap_events)], ["Disk free", this.diskText(recording)],
			["Signed by", recording.key || "– (no key yet)"], ["Last checkpoint", recording.checkpoint ? `${clock(recording.checkpoint)}, ${count(recording.checkpoint_rows)} rows, ${duration(recording.checkpoint_age_seconds)} ago` : "– (none yet)"]];
		const key = JSON.stringify(facts);
		if (key === this.recordingKey)
			return;
		this.recordingKey = key;
		fill(this.recording, facts.map(([word, text]) => el("div", {}, el("dt", { text: word }), el("dd", {}, Array.isArray(text) ? status(text[0], text[1]) : text))));
	}

	tellCheckpoint() {
		const told = this.checkpoint.data;
		fill(this.checkpointLine, told ? [`Published checkpoint: ${count(told.rows)} rows in ${count(told.size)} batches at ${dateTime(told.time)}, root `, el("code", { text: told.root ? `${told.root.slice(0, 16)}…` : "–", title: told.root }), told.origin ? `, of the log ${told.origin}. ` : ". ",
			told.note ? el("button", { type: "button", class: "small", text: "Copy the signed note", on: { click: () => copy(told.note) } }) : null] : "");
	}

	// The newest finished verification, with what it found segment by segment once that was asked for.
	verification() {
		const job = (this.jobs.data?.jobs || []).find((each) => each.verb === "verify" && each.state === "done");
		if (job && this.verifiedJob?.id !== job.id) {
			this.verifiedJob = job;
			get(`/api/v1/jobs/${encodeURIComponent(job.id)}`).then((whole) => {
				if (!this.isOver && this.verifiedJob?.id === whole.id) {
					this.verifiedJob = whole;
					this.tellJobs();
				}
			}, () => {});
		}
		return job && this.verifiedJob;
	}

	// What the newest finished verification says of a segment: nothing of one that was not sealed when it began.
	verified(row) {
		const job = this.verification();
		if (!row.sealed || !job?.started || Date.parse(job.started) < Date.parse(row.sealed))
			return { kind: "unknown", word: "not here", why: row.sealed ? "no verification since it was sealed" : "it is still being written" };
		const when = clock(job.ended || job.started);
		const found = outcomeOf(job, row.name);
		if (found)
			return { kind: found.outcome === "intact" ? "ok" : "bad", word: `${found.outcome} ${when}`, why: found.what || job.verdict };
		if (job.exit === 1)
			return { kind: "bad", word: `not intact as a whole ${when}`, why: job.verdict };
		const isIntact = (job.exit === 0 || job.exit === 3) && /\bintact\b/i.test(job.verdict || "");
		return isIntact ? { kind: "ok", word: `intact ${when}`, why: job.verdict } : { kind: "unknown", word: "cannot tell", why: job.verdict };
	}

	// The last checkpoint of each segment, newest first, one at a time.
	async readRoots() {
		if (this.isReadingRoots)
			return;
		this.isReadingRoots = true;
		const wanted = (this.segments.data?.segments || []).filter((each) => each.sealed && each.until && !this.roots.has(each.name)).slice(0, ROOTS_ASKED);
		for (const each of wanted) {
			const until = new Date(Date.parse(each.until) + 1).toISOString();
			const told = await get(`/api/v1/evidence/checkpoints?limit=1&until=${encodeURIComponent(until)}`).catch(() => null);
			if (!told || this.isOver)
				break;
			this.roots.set(each.name, checkpointOf((told.checkpoints || []).find((row) => row.segment === each.name)));
		}
		this.isReadingRoots = false;
		if (!this.isOver)
			this.table.set(this.segments.data?.segments || [], this.app.filter);
	}

	tellSegments() {
		this.readRoots();
		this.table.set(this.segments.data?.segments || [], this.app.filter);
		this.gapTable.set(this.gaps.data?.gaps || [], this.app.filter);
		this.tellTimeline();
	}

	// Segments by time, gaps hatched. Both are in the tables below it, too.
	tellTimeline() {
		const segments = (this.segments.data?.segments || []).filter((each) => each.from && each.until);
		const gaps = this.gaps.data?.gaps || [];
		mark(this.bar, "nothing", segments.length === 0);
		this.bar.hidden = segments.length === 0;
		if (segments.length === 0)
			return;
		const from = Math.min(...segments.map((each) => Date.parse(each.from))), until = Math.max(...segments.map((each) => Date.parse(each.until)));
		const span = Math.max(1, until - from);
		const piece = (kind, a, b, text) => {
			const node = el("span", { class: `piece ${kind}`, title: text });
			node.style.setProperty("--from", `${(Date.parse(a) - from) / span * 100}%`);
			node.style.setProperty("--size", `${Math.max(0.4, (Date.parse(b) - Date.parse(a)) / span * 100)}%`);
			return node;
		};
		fill(this.bar, segments.map((each) => piece(each.sealed ? "sealed" : "tail", each.from, each.until, `${each.name} ${each.sealed ? "sealed" : "open tail"}`)),
			gaps.map((each) => piece("gap", each.since || each.time, each.time, `gap ${gapText(each)}`)));
		this.bar.setAttribute("aria-label", `${segments.length} segments from ${dateTime(from)} to ${dateTime(until)}, ${segments.filter((each) => each.sealed).length} sealed; ${gaps.length === 0 ? "no gap" : `${gaps.length} gaps: ${gaps.slice(0, 3).map(gapText).join("; ")}`}.`);
		say(this.barNote, `${dateTime(from)} to ${dateTime(until)}. Filled: sealed. Striped along: still being written. Hatched: gap, which is no quiet traffic.`);
	}

	tellJobs() {
		this.table.set(this.segments.data?.segments || [], this.app.filter);
		this.jobTable.set(this.jobs.data?.jobs || [], "");
		this.tellCommands();
	}
}

// "19 days", "2 h".
function about(seconds) {
	return seconds >= 2 * DAY_MS / 1000 ? `${Math.round(seconds / (DAY_MS / 1000))} days` : seconds >= 7200 ? `${Math.round(seconds / 3600)} h` : `${Math.max(1, Math.round(seconds / 60))} min`;
}

// What a verification found of one segment: its own outcome, and the first thing that is wrong with it.
function outcomeOf(job, name) {
	const segment = (job.object?.segments || []).find((each) => each.name === name);
	return segment && { outcome: segment.outcome, what: (job.object.findings || []).find((each) => each.segment === name)?.what };
}

// What is missing: events that were lost, or a part of which nobody knows what it held.
function gapText(row) {
	const when = row.since ? `${clock(row.since)} to ${clock(row.time)}` : `told at ${clock(row.time)}`;
	return `${when}, ${isKnown(row.events) ? `${count(row.events)} events lost` : row.reason}`;
}

// A signed note's rows and root.
function checkpointOf(row) {
	const value = (key) => new RegExp(`^${key} (.+)$`, "m").exec(row?.note || "")?.[1];
	return row ? { rows: Number(value("rows")), root: value("root") } : {};
}
