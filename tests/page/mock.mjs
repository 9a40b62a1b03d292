// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A server with the shapes of the real one, for tests of the page: its assets under the same content policy, a story that is the same
// each time, and what can go wrong at a word. "node mock.mjs [mode] [role]" serves it to look at.
import http from "node:http";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { answer } from "./mock_api.mjs";
import { sentences } from "./mock_sentences.mjs";
import { Story } from "./story.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const ASSETS = path.join(here, "../../web/assets");
const DYGRAPHS = "/usr/share/javascript/dygraphs/dygraph.min.js";
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8" };
const CHANGES_MAX = 200;

function patch(before, now) {
	const out = {};
	for (const key of Object.keys(before))
		if (!(key in now))
			out[key] = null;
	for (const key of Object.keys(now)) {
		const a = before[key], b = now[key];
		if (a && b && typeof a === "object" && typeof b === "object" && !Array.isArray(b)) {
			const inner = patch(a, b);
			if (Object.keys(inner).length)
				out[key] = inner;
		} else if (JSON.stringify(a) !== JSON.stringify(b))
			out[key] = b;
	}
	return out;
}

export class Mock {
	constructor(options = {}) {
		this.options = { mode: "storm", role: "administrator", tickMs: 1000, peers: 8, ...options };
		const now = Math.floor(Date.now() / 1000) + (this.options.offset || 0);
		this.now = now;
		this.isEmpty = this.options.mode === "empty";
		this.started = now - (this.options.upS || (this.isEmpty ? 7 : 7800));
		this.story = new Story({ peers: this.options.peers, isEmpty: this.isEmpty, strange: this.options.strange, silent: this.options.silent, storms: this.options.storms, renewS: this.options.renewS, isOwn: this.options.isOwn,
			stormAt: this.options.mode === "storm" ? now - 252 : Infinity });
		this.streams = new Set();
		this.number = 0;
		this.pending = [];
		this.changes = [];
		this.problems = new Map(); // path -> status
		this.recordingError = "";
		this.unknown = new Set(); // seconds that were not recorded
		this.wanted = {};
		this.acts = [];
		this.jobs = new Map();
		this.policy = { version: 17, text: fs.readFileSync(path.join(here, "../../conf/policy.yaml"), "utf8"), by: "ops2", reason: "CHG-4398", since: new Date((now - 86400) * 1000).toISOString() };
		this.versions = [{ ...this.policy }, { ...this.policy, version: 16, by: "ops1", reason: "first one", text: this.policy.text.replace("ramp_ms: 30000", "ramp_ms: 10000"), since: new Date((now - 172800) * 1000).toISOString() }];
		if (!this.isEmpty)
			this.change("peer", "peer pcrf-3.example.net open", now - 400);
		if (this.options.mode === "storm") {
			this.change("report", "report 8812 from pcrf-2.example.net accepted: host pcrf-2.example.net, Gx, loss 30 %", now - 252);
			this.change("ocs_version", "state #41 held: host pcrf-2.example.net, Gx, loss 30 % for 30 s", now - 252);
		}
	}

	async start(port = 0) {
		this.server = http.createServer((request, response) => this.serve(request, response).catch((error) => {
			console.error(error);
			response.writeHead(500).end();
		}));
		await new Promise((done) => this.server.listen(port, "127.0.0.1", done));
		this.url = `http://127.0.0.1:${this.server.address().port}`;
		this.timer = setInterval(() => this.tick(), this.options.tickMs);
		return this;
	}

	async stop() {
		clearInterval(this.timer);
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}

	state() {
		const nodes = this.story.nodes(this.now);
		const second = this.story.second(this.now, nodes);
		const states = this.story.states(this.now);
		if (this.options.mode === "finished")
			return { second, nodes, folder: "/srv/evidence", identity: "dra-01.example.net", sentences: sentences(this) };
		const peers = this.peers();
		const checkpoint = this.isEmpty ? null : this.now - (this.now % 10);
		const recording = { rows: this.isEmpty ? 0 : 31002114, batches: 12000, gap_events: this.options.gaps || 0, failures: 0, lag_seconds: 0.4, journal_fill_ratio: 0.03, when_full: "block",
			disk_size_bytes: 100e9, disk_free_ratio: 0.41, key: "4f:9a" };
		if (checkpoint)
			Object.assign(recording, { checkpoint: new Date(checkpoint * 1000).toISOString(), checkpoint_rows: 31002114, checkpoint_age_seconds: this.now - checkpoint });
		if (this.recordingError)
			recording.error = this.recordingError;
		return { node: { identity: "dra-01.example.net", realm: "example.net", label: "LAB", evidence_folder: "/var/lib/doic/evidence", started: new Date(this.started * 1000).toISOString(), mode: "enforce", policy_version: this.policy.version, version: "0.9.0" },
			recording, totals: { requests: this.isEmpty ? 0 : 1000000, reports_new: Object.keys(states).length, reports_updated: 0 }, second, nodes, peers, states, reports: this.options.mode === "storm" ? this.reports() : {},
			sentences: this.says || sentences(this, states, peers) };
	}

	peers() {
		const out = {};
		const names = [...this.story.servers, ...(this.options.peers > 20 ? [] : this.story.clients)];
		for (const name of names)
			out[name] = { wanted: this.wanted[name] || "in", is: this.isEmpty ? "down" : "up", state: this.isEmpty ? "closed" : "open", configured: true, outstanding: this.isEmpty ? 0 : 12, since: new Date(this.started * 1000).toISOString() };
		return out;
	}

	reports() {
		return { "realm/16777238/example.net": { state: "ending", type: "realm", application_id: 16777238, application: "Gx", subject: "example.net", sequence: 77, ordered_reduction_ratio: 0.2, reduction_ratio: 0.1, sent: 40211, told_until: new Date((this.now + 20) * 1000).toISOString() } };
	}

	change(kind, text, second = this.now) {
		const change = { number: this.changes.length + 1, kind, text, time: new Date(second * 1000).toISOString() };
		this.changes.push(change);
		if (this.changes.length > CHANGES_MAX)
			this.changes.shift();
		return change;
	}

	// A report that begins in this tick.
	beginReport() {
		this.story.stormAt = this.now + 1;
		this.change("report", "report 8812 from pcrf-2.example.net accepted: host pcrf-2.example.net, Gx, 30 %", this.now + 1);
		this.change("ocs_version", "state #41 held: host pcrf-2.example.net, Gx, 30 % for 30 s", this.now + 1);
		this.pending = this.changes.slice(-2);
	}

	// The server's clock is set back; what it had told of later seconds it forgets.
	setBack(seconds) {
		this.now -= seconds;
		this.lastSecond = null;
	}

	tick() {
		this.now++;
		if (this.isFrozen) {
			if (this.isStopped)
				this.unknown.add(this.now);
			return;
		}
		const state = this.state();
		const seconds = [];
		for (let s = Math.max((this.lastSecond || this.now - 1) + 1, this.now - 29); s <= this.now; s++)
			seconds.push(this.unknown.has(s) ? { known: false, second: new Date(s * 1000).toISOString() } : this.story.second(s));
		this.lastSecond = this.now;
		const told = { tick: ++this.number, time: new Date(this.now * 1000).toISOString(), seconds, changed: this.last ? patch(this.last, state) : state };
		this.last = state;
		const event = this.pending.map((each) => `event: event\nid: 1-${this.number}\ndata: ${JSON.stringify(each)}\n\n`).join("");
		this.pending = [];
		const text = `${event}event: tick\nid: 1-${this.number}\ndata: ${JSON.stringify(told)}\n\n`;
		for (const stream of this.streams)
			stream.write(text);
		this.tickAt = Date.now();
	}

	async serve(request, response) {
		const url = new URL(request.url, this.url);
		if (this.isDown)
			return request.socket.destroy();
		if (url.pathname === "/" || url.pathname.startsWith("/assets/dev/"))
			return this.asset(url.pathname === "/" ? "index.html" : url.pathname.slice("/assets/dev/".length), response);
		if (url.pathname === "/api/v1/events" && !this.problems.has(url.pathname))
			return this.stream(request, response);
		let body = "";
		for await (const chunk of request)
			body += chunk;
		const [status, told, headers = {}] = answer(this, request, url, body);
		response.writeHead(status, { "Content-Type": status >= 400 ? "application/problem+json" : "application/json", "Cache-Control": "no-store", ...headers });
		response.end(told === null ? "" : JSON.stringify(told));
	}

	asset(name, response) {
		const file = name === "dygraph.min.js" ? DYGRAPHS : path.join(ASSETS, path.basename(name));
		if (!fs.existsSync(file))
			return response.writeHead(404).end();
		const text = fs.readFileSync(file, "utf8").replaceAll("@ASSETS@", "/assets/dev");
		response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] || "text/plain", "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache" });
		response.end(text);
	}

	stream(request, response) {
		response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
		const state = this.last || this.state();
		response.write(`retry: 500\n\nevent: snapshot\nid: 1-${this.number}\ndata: ${JSON.stringify({ tick: this.number, time: new Date(this.now * 1000).toISOString(), state })}\n\n`);
		this.streams.add(response);
		request.on("close", () => this.streams.delete(response));
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [mode = "storm", role = "administrator", peers = "8"] = process.argv.slice(2);
	const mock = await new Mock({ mode, role, peers: Number(peers) }).start(Number(process.env.PORT || 8899));
	console.log(mock.url);
}
