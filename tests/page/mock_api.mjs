// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The mock's resources: shapes of web/openapi.yaml.

const RAW = "0000026f00000038000002700000001000000000000022ec000002720000000c0000000000000273" + "0000000c0000001e000002710000000c0000001e";
const CSRF = "word-of-the-session";

function problem(status, type, title, detail, more = {}) {
	return [status, { type: `/problems/${type}`, title, status, detail, instance: "", errors: [], try: more.try || "See /api/openapi.yaml.", ...more }];
}

function iso(second) {
	return new Date(second * 1000).toISOString();
}

function decisions(mock) {
	if (mock.isEmpty)
		return [];
	return Array.from({ length: 50 }, (_, i) => {
		const isRefused = mock.options.mode === "storm" && i % 3 === 0;
		return { id: `9f3c-${88120 - i}`, time: new Date(mock.now * 1000 - i * 7).toISOString(), command: 272, command_text: i % 2 ? "CCR-U" : "CCR-I", application: "Gx", application_id: 16777238, verdict: isRefused ? "refused" : "forwarded",
			why: isRefused ? "report" : "", selected_by: isRefused ? "host" : "none", version: isRefused ? 41 : undefined, result_code: isRefused ? 5012 : undefined, client: mock.story.clients[i % mock.story.clients.length],
			next_hop: isRefused ? undefined : mock.story.servers[i % 3], session: String(90071992 + (i % 5)), subscriber: String(4711 + i % 7), took_seconds: isRefused ? undefined : 0.004, answer_code: isRefused ? undefined : 2001, is_remembered: i % 9 === 0 && isRefused };
	});
}

function decision(mock, id) {
	const row = decisions(mock).find((each) => each.id === id);
	if (!row)
		return problem(404, "not-found", "There is no such thing here", `no decision ${id} is in this evidence`);
	return [200, { ...row, origin_host: row.client, origin_realm: "visited.example", dest_host: "pcrf-2.example.net", dest_realm: "example.net", class: 2, drmp: 8, policy_version: 17, candidates: mock.story.servers.map((peer) => ({ peer, score: 1 })), first_choice: "pcrf-2.example.net", random: "0x5f21c07a",
		looks: row.version ? { host: { version: 41, share_ratio: 0.3, nth: 361, type: "host", subject: "pcrf-2.example.net", algorithm: "loss", sequence: "8812", reduction_ratio: 0.3, validity_seconds: 30, report: { number: 8812, raw: RAW, peer: "pcrf-2.example.net", time: iso(mock.now - 200) } } } : {} }];
}

function segments(mock) {
	if (mock.isEmpty)
		return [];
	return [3, 2, 1, 0].map((i) => ({ name: `2026112${6 + (3 - i)}T14.db`, run: "9f3c", node: "dra-01.example.net", part: 4 - i, octets: 900e6 - i * 1e8, from: iso(mock.now - (i + 1) * 3600), until: iso(mock.now - i * 3600), first_decision: 1 + (3 - i) * 20000, last_decision: (4 - i) * 20000,
		is_capture: false, ...(i > 0 ? { sealed: iso(mock.now - i * 3600 + 4), closed_how: "full", sha256: "9f3c".repeat(16) } : {}) }));
}

function gaps(mock) {
	return mock.isEmpty ? [] : [{ id: "9f3c-1", time: iso(mock.now - 5398), since: iso(mock.now - 5398 - 1440), events: 412, reason: "journal full", segment: "20261128T14.db" },
		{ id: "9f3c-before-x.db", time: iso(mock.now - 9000), segment: "20261127T14.db", first_part: 2, last_part: 2, reason: "part 2 of this life is not here" }];
}

function job(mock, verb, body, command) {
	const id = String(mock.jobs.size + 17);
	mock.jobs.set(id, { id: Number(id), verb, state: "running", progress_ratio: 0.2, left_seconds: 3, started: iso(mock.now), command, polls: 0, body });
	return [202, { id: Number(id) }, { Location: `/api/v1/jobs/${id}` }];
}

// Each look at a job takes it further.
function moved(mock, each) {
	if (each.state === "running" && ++each.polls > 2) {
		Object.assign(each, { state: "done", progress_ratio: 1, left_seconds: undefined, exit: 0, verdict: each.verb === "verify" ? "intact: 31,002,114 rows, 4 segments" : "holds: selected 30.00 % where 30 % was asked" });
		if (each.verb === "verify") {
			const altered = mock.options.altered;
			each.object = { schema: "doic.verify/1", outcome: altered ? "altered" : "intact", segments: segments(mock).map((of) => ({ name: of.name, outcome: of.name === altered ? "altered" : "intact" })),
				findings: altered ? [{ outcome: "altered", what: "row 5 of table outcome is not what was signed", segment: altered }] : [] };
			if (altered)
				Object.assign(each, { exit: 1, verdict: `altered: row 5 of table outcome is not what was signed, in ${altered}` });
		}
		if (each.verb === "whatif")
			Object.assign(each, { verdict: "1.28 % of 44,000,000 decisions would be others", object: { schema: "doic.whatif/1", decisions: 44000000, changed: 563200, total: { before: { forwarded: 43785991, diverted: 0, refused: 214009 }, after: { forwarded: 43811600, diverted: 0, refused: 188400 } }, emergency_refused: { before: 0, after: 0 }, beyond_the_record: ["clients' reaction to fewer refusals"] } });
	} else if (each.state === "running")
		each.progress_ratio = Math.min(0.9, each.progress_ratio + 0.3);
	const { polls, body, ...told } = each;
	return told;
}

function errorsOf(text) {
	const errors = [];
	text.split("\n").forEach((line, i) => {
		const at = /^(\s*)weight: (\d+)/.exec(line);
		if (at && Number(at[2]) > 100)
			errors.push({ line: i + 1, column: at[1].length + 9, detail: `weight: ${at[2]} is above 100, allowed 1 to 100` });
		const unknown = /^(\s*)modee:/.exec(line);
		if (unknown)
			errors.push({ line: i + 1, column: unknown[1].length + 1, detail: "there is no key modee; did you mean mode?" });
	});
	return errors;
}

// As the real one: steps are means, from the start on.
function steps(mock, url) {
	const step = Number(url.searchParams.get("step"));
	const last = mock.now - (mock.now % step);
	const window = Number(url.searchParams.get("window") || mock.now - mock.started);
	const columns = Object.fromEntries(url.searchParams.get("names").split(",").map((name) => [name, []]));
	const first = last - Math.floor(window / step) * step;
	for (let s = first; s <= last; s += step) {
		const told = s >= mock.started ? mock.story.second(s) : {};
		for (const name of Object.keys(columns))
			columns[name].push(told[name] ?? null);
	}
	return [200, { step_seconds: step, columns, first: iso(first), last: iso(last), known_since: iso(mock.started) }];
}

function heeds(mock) {
	const told = { version: 41, type: "host", subject: "pcrf-2.example.net", application: "Gx", seconds: 252, unaddressed: 0, told: 900, usual: 25000, expected: 17640 };
	const [a, b, c, d] = mock.story.clients;
	return [200, { time: iso(mock.now), count: 4, requests_unlisted: 0, senders: [
		{ ...told, sender: a, heeding: "went_on", why: "it was told, and went on as before", offered: 25200, ignored: 7560 },
		{ ...told, sender: d, heeding: "partly", why: "it was told, and sent more than asked, fewer than before", offered: 20160, ignored: 2520 },
		{ ...told, sender: b, heeding: "obeyed", why: "it was told, and sent as few as asked", offered: 17000, ignored: 0 },
		{ ...told, sender: c, heeding: "held_here", why: "this node held back in its place", offered: 25000, told: 0 }] }];
}

function series(mock, url) {
	if (url.searchParams.has("step"))
		return steps(mock, url);
	const window = Number(url.searchParams.get("window") || 600);
	const columns = {};
	const names = ["requests", "refused", "diverted", "sent", "answers", "useful", "lost", "matched", "survivors", "matched_peer", "observed", "drawn", "selected", "share_ratio", "selected_ratio", "asked_ratio", "took_p50_seconds", "took_p90_seconds", "took_p99_seconds"];
	for (const name of names)
		columns[name] = [];
	for (let s = mock.now - window + 1; s <= mock.now; s++) {
		const isKnown = s >= mock.started && !mock.unknown.has(s);
		const told = isKnown ? mock.story.second(s) : {};
		for (const name of names)
			columns[name].push(told[name] ?? null);
	}
	return [200, { step_seconds: 1, columns, first: iso(mock.now - window + 1), last: iso(mock.now) }];
}

function nodeSeries(mock, url) {
	const window = Number(url.searchParams.get("window") || 600);
	const all = new Map();
	for (let s = mock.now - window + 1; s <= mock.now; s++) {
		const nodes = s >= mock.started && !mock.unknown.has(s) ? mock.story.nodes(s) : {};
		const names = new Set([...all.keys(), ...Object.keys(nodes)]);
		for (const name of names) {
			if (!all.has(name))
				all.set(name, { node: name, client: { requests: [], refused: [] }, server: { sent: [], answers: [], useful: [] } });
			const each = all.get(name);
			const i = s - (mock.now - window + 1);
			const isKnown = s >= mock.started && !mock.unknown.has(s);
			for (const side of ["client", "server"])
				for (const column of Object.keys(each[side])) {
					while (each[side][column].length < i)
						each[side][column].push(null);
					each[side][column].push(isKnown ? nodes[name]?.[side]?.[column] ?? 0 : null);
				}
		}
	}
	return [200, { step_seconds: 1, first: iso(mock.now - window + 1), last: iso(mock.now), nodes: [...all.values()] }];
}

function received(mock) {
	if (mock.options.mode !== "storm")
		return [];
	return [{ id: "9f3c-8812", number: 8812, time: iso(mock.story.stormAt), peer: "pcrf-2.example.net", type: "host", application: "Gx", application_id: 16777238, subject: "pcrf-2.example.net", sequence: "8812", reduction_ratio: 0.3, algorithm: "loss", disposition: "new", version: 41, raw: RAW },
	{ id: "9f3c-8811", number: 8811, time: iso(mock.story.stormAt - 60), peer: "hgw-01.visited.example", type: "realm", application: "Gx", application_id: 16777238, subject: "example.net", sequence: "5", reduction_ratio: 1, algorithm: "loss", disposition: "refused", reason: "untrusted_peer" }];
}

function write(mock, request, url, text) {
	const isLook = /^POST \/api\/v1\/(evidence\/(verify|audit)|policy\/(check|whatif))$|^DELETE \/api\/v1\/jobs\//.test(`${request.method} ${url.pathname}`);
	if (mock.options.role !== "administrator" && !isLook)
		return problem(403, "needs-role", "The role does not allow this", `this needs role administrator; ${mock.options.role} is not enough`);
	if (request.headers["x-csrf-token"] !== CSRF)
		return problem(403, "needs-csrf", "The session's own word is missing", "X-CSRF-Token is missing");
	const body = text ? JSON.parse(text) : {};
	mock.acts.push({ method: request.method, path: url.pathname, body });
	const want = /^\/api\/v1\/pools\/([^/]+)\/nodes\/([^/]+):(in|out)$/.exec(decodeURIComponent(url.pathname));
	if (want) {
		mock.wanted[want[2]] = want[3];
		return [200, { node: want[2], ...mock.peers()[want[2]] }];
	}
	switch (`${request.method} ${url.pathname}`) {
	case "POST /api/v1/evidence/verify":
		return job(mock, "verify", body, "doic verify /var/lib/doic/evidence");
	case "POST /api/v1/evidence/audit":
		return job(mock, "audit", body, `doic audit /var/lib/doic/evidence${body.since ? ` --since ${body.since}` : ""}`);
	case "POST /api/v1/policy/whatif":
		return job(mock, "whatif", body, "doic whatif /var/lib/doic/evidence --window -1h --policy candidate.yaml");
	case "POST /api/v1/policy/check":
		return [200, { errors: errorsOf(body.text) }];
	case "PUT /api/v1/policy":
		return apply(mock, request, body);
	case "POST /api/v1/policy/rollback":
		return apply(mock, request, { text: mock.versions.find((each) => each.version === body.version)?.text, reason: body.reason });
	case "POST /api/v1/sessions/find":
		return [200, body.text.includes("unknown") ? {} : body.kind === "session_id" ? { session: "90071992" } : { subscriber: "4711" }];
	default:
		if (request.method === "DELETE" && url.pathname.startsWith("/api/v1/jobs/")) {
			mock.jobs.get(url.pathname.slice(13)).state = "stopped";
			return [204, null];
		}
		return problem(404, "not-found", "There is no such thing here", "there is nothing at this path");
	}
}

function etag(mock) {
	return `"${mock.policy.version}-mock"`;
}

function apply(mock, request, body) {
	if (!request.headers["if-match"])
		return problem(428, "needs-if-match", "The change must say what it changes", "the header If-Match is missing");
	if (request.headers["if-match"] !== etag(mock))
		return problem(412, "changed", "It was changed by somebody else", `changed by ${mock.policy.by}`);
	const errors = errorsOf(body.text);
	if (errors.length)
		return problem(422, "refused", "It was read, and refused", `${errors[0].detail}; the old policy is still in force`, { errors: errors.map((each) => ({ pointer: "/text", ...each })) });
	change(mock, body.text, "ops1", body.reason);
	return [200, { ...mock.policy, sha256: "77c1".repeat(16) }, { ETag: etag(mock) }];
}

export function change(mock, text, by, reason) {
	mock.policy = { version: mock.policy.version + 1, text, by, reason, since: iso(mock.now) };
	mock.versions.unshift({ ...mock.policy });
}

function read(mock, url) {
	const name = url.pathname.slice("/api/v1/".length);
	const isFinished = mock.options.mode === "finished";
	if (isFinished && /^(pools|policy|ocs)/.test(name))
		return problem(501, "not-served", "This server has no such thing", "this server shows a finished folder; no agent runs", { try: "Ask the server of a running agent." });
	switch (name) {
	case "status":
		return [200, { ...mock.state(), time: iso(mock.now) }];
	case "series":
		return series(mock, url);
	case "series/nodes":
		return nodeSeries(mock, url);
	case "senders":
		return heeds(mock);
	case "changes":
		return [200, { changes: [...mock.changes].reverse() }];
	case "pools":
		return [200, { pools: [{ pool: "neighbours", nodes: Object.keys(mock.peers()).length }] }];
	case "pools/neighbours": {
		const nodes = mock.isEmpty ? {} : mock.story.nodes(mock.now);
		return [200, { pool: "neighbours", time: iso(mock.now), nodes: mock.options.mode === "empty" ? [] : Object.entries(mock.peers()).map(([node, each]) => ({ node, ...each, load: nodes[node]?.load, took_p99_seconds: nodes[node]?.server ? 0.21 : undefined,
			total: { requests: 0, refused: 0, diverted: 0, sent: 250000, answers: 249000, useful: 248000, lost: 10 } })) }];
	}
	case "decisions": {
		const wanted = url.searchParams;
		const rows = decisions(mock).filter((each) => (!wanted.get("verdict") || each.verdict === wanted.get("verdict")) && (!wanted.get("session") || each.session === wanted.get("session")) && (!wanted.get("client") || each.client === wanted.get("client")));
		return [200, { decisions: rows.slice(0, Number(wanted.get("limit") || 50)) }];
	}
	case "reports/received":
		return [200, { reports: received(mock) }];
	case "capabilities":
		return [200, { capabilities: mock.isEmpty ? [] : [{ peer: "pcrf-2.example.net", origin_host: "pcrf-2.example.net", application: "Gx", application_id: 16777238, direction: "answer", present: 1, vector: "0000000000000005", time: iso(mock.started + 3) }] }];
	case "evidence/segments":
		return [200, { segments: segments(mock) }];
	case "evidence/gaps":
		return [200, { gaps: gaps(mock) }];
	case "evidence/checkpoints": {
		const until = url.searchParams.get("until");
		const of = segments(mock).reverse().find((each) => Date.parse(each.until) <= Date.parse(until) + 60000 && each.sealed);
		return [200, { checkpoints: of ? [{ id: "9f3c-9", time: of.until, segment: of.name, note: `doic-checkpoint\norigin dra-01.example.net/9f3c\nsize 12000\nrows ${of.last_decision * 3}\nroot 9f3c0b77aa\n` }] : [] }];
	}
	case "evidence/checkpoints/latest":
		return mock.isEmpty ? problem(404, "not-found", "There is no such thing here", "no checkpoint was made yet") : [200, { size: 12000, rows: 31002114, time: iso(mock.now - 7), root: "nzwLd58".repeat(6), origin: "dra-01.example.net/9f3c", note: "dra-01.example.net/9f3c\n31002114\n" }];
	case "jobs":
		return [200, { jobs: [...mock.jobs.values()].filter((each) => each.verb !== "whatif").map((each) => moved(mock, each)) }];
	case "policy":
		return [200, { version: mock.policy.version, sha256: "77c1".repeat(16), since: mock.policy.since, text: mock.policy.text }, { ETag: etag(mock) }];
	case "policy/versions":
		return versions(mock, url);
	default:
		return readOne(mock, name);
	}
}

function versions(mock, url) {
	const from = Number(url.searchParams.get("cursor") || 0), size = mock.options.versionsPage || 1000;
	const page = mock.versions.slice(from, from + size).map(({ text, ...each }) => ({ ...each, sha256: "77c1".repeat(16) }));
	return [200, { versions: page, ...(from + size < mock.versions.length ? { next: String(from + size) } : {}) }];
}

function proof(mock, id) {
	const row = decisions(mock).find((each) => each.id === id);
	if (!row)
		return problem(404, "not-found", "There is no such thing here", `no decision ${id} is in this evidence`);
	if (mock.isEarly)
		return problem(409, "conflict", "It cannot be done now", "no checkpoint covers this decision yet");
	return [200, { row: { table: "decision" }, batch: { number: 41, segment: "20261129T14", leaf: 88120, leaves: 90000, root: "9f3c0b77".repeat(8) } }];
}

function readOne(mock, name) {
	const [kind, ...rest] = name.split("/");
	if (kind === "decisions" && rest[1] === "proof")
		return proof(mock, decodeURIComponent(rest[0]));
	if (kind === "decisions")
		return decision(mock, decodeURIComponent(rest[0]));
	if (kind === "jobs" && mock.jobs.has(rest[0]))
		return [200, moved(mock, mock.jobs.get(rest[0]))];
	if (name.startsWith("policy/versions/")) {
		const found = mock.versions.find((each) => String(each.version) === rest[1]);
		if (found)
			return [200, { ...found }];
	}
	return problem(404, "not-found", "There is no such thing here", "there is nothing at this path");
}

function session(mock, request, text) {
	if (request.method === "POST") {
		const token = JSON.parse(text).token;
		if (token !== "good")
			return problem(401, "bad-token", "The token or session is not valid", "no such token", { try: "Log in again, or ask the operator for a token." });
		mock.options.role = "administrator";
	}
	if (request.method === "DELETE") {
		mock.options.role = "observer";
		return [204, null];
	}
	const { role } = mock.options;
	return [200, { who: role === "none" ? "" : "ops1", role, by: role === "none" ? "nothing" : "session", ...(role === "none" ? {} : { csrf: CSRF, left_seconds: mock.options.leftSeconds ?? 1700 }) }];
}

export function answer(mock, request, url, text) {
	const failing = mock.problems.get(url.pathname);
	if (failing)
		return problem(failing, failing === 501 ? "not-served" : "internal", failing === 501 ? "This server has no such thing" : "Something failed here", "it was told to", { try: "Try again; see the daemon's log." });
	if (!url.pathname.startsWith("/api/v1/"))
		return problem(404, "not-found", "There is no such thing here", "there is nothing at this path");
	if (url.pathname === "/api/v1/session")
		return session(mock, request, text);
	if (mock.options.role === "none")
		return problem(401, "needs-token", "Nothing says who asks", "this needs role observer, and nothing says who asks");
	return request.method === "GET" ? read(mock, url) : write(mock, request, url, text);
}
