// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A server begins to ask for less while its relay runs: what the page shows, where it leads to, and what may be changed from it.
import fs from "node:fs";
import path from "node:path";
import { visit } from "./browser.mjs";
import { figure, has, same, test, that } from "./check.mjs";
import { api, doic, lab, login, metric, post, says, tell, tour } from "./lab.mjs";

const PERCENT = 30;
const REFUSED = ["0000010c4000000c00000bbc", "0000010c4000000c00001394"]; // Result-Code 3004 and 5012, as octets

async function on({ browser }, hash, token, run) {
	const page = await visit(browser, lab.url, { hash });
	try {
		await page.waitForFunction(() => document.querySelector("#live.is-live"), null, { timeout: 15000 });
		if (token)
			await login(page, token);
		await run(page);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
	}
}

test("a report is in the page's first sentence within 2 s of its being sent", async (context) => {
	await on(context, "#/now", "", async (page) => {
		await page.waitForTimeout(12000); // so that there is a before
		has(await page.locator(".story").innerText(), "Nobody has asked for less", "story before");
		tell(`report type=host,seq=7,pct=${PERCENT},validity=600`);
		const told = Date.now();
		await page.waitForFunction(() => document.querySelector(".story").textContent.includes("s1.example.net asks for 30 % less"), null, { polling: 20, timeout: 15000 });
		figure("page.report_shown_s", (Date.now() - told) / 1000, "s", "<= 2", "from the order to the server, whose next answers (400 a second) carry it, to the sentence in the page; real relay, Chromium, loopback");
		await says(page, "we obey and selected", 15000);
	});
});

test("three clicks lead from the first screen to the report's octets, and they are those the server sent", async (context) => {
	await on(context, "#/now", "", async (page) => {
		await page.locator(".story a", { hasText: "s1.example.net" }).first().click();
		await page.getByRole("button", { name: "Show the exact bytes" }).click();
		const hex = (await page.locator(".raw pre").innerText()).split("\n").map((line) => line.slice(6)).join("").replace(/\s/g, "");
		that(hex.length > 40, `octets: ${hex}`);
		that(fs.readFileSync(lab.dump).includes(Buffer.from(hex, "hex")), `the server's own record has no ${hex}`);
	});
});

test("from the first screen to one refused request, why it was refused, and a proof that holds without the server", async (context) => {
	await on(context, "#/now", "", async (page) => {
		await says(page, "refused");
		await page.waitForFunction(() => /refused [1-9]/.test(document.querySelector(".four").innerText), null, { timeout: 20000 });
		await page.locator(".four a").nth(1).click();
		await page.locator("ol.ladder li", { hasText: "ends here" }).first().waitFor();
		await page.locator("ol.ladder li a").first().click();
		await page.getByRole("heading", { name: /^Decision .+-\d+$/ }).waitFor();
		await says(page, "host: state #");
		const text = await page.locator("section[aria-labelledby=decisiontitle]").innerText();
		for (const part of ["refused", "of s1.example.net, which asks for 30 % less, share ", "report 1 from s1.example.net", "sequence 7", "doic prove"])
			has(text, part, "explanation");
		for (let i = 0; i < 10 && !await page.getByRole("link", { name: "Download the proof" }).count(); i++) {
			await page.waitForTimeout(1000);
			if (await page.getByRole("button", { name: "Ask again" }).count())
				await page.getByRole("button", { name: "Ask again" }).click();
		}
		const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the proof" }).click()]);
		const file = path.join(path.dirname(lab.folder), "proof.json");
		await download.saveAs(file);
		const checked = doic("check-proof", file, "--key", path.join(lab.folder, "public-key.txt"));
		same(checked.status, 0, `doic check-proof: ${checked.text}`);
		const id = decodeURIComponent(/decision=([^&]+)/.exec(page.url())[1]);
		const why = doic("ctl", "--socket", lab.http, "why", id);
		same(why.status, 0, `doic ctl why: ${why.text}`);
		const version = /state #(\d+)/.exec(text)[1];
		that(why.text.includes(version), `doic ctl why names no ${version}: ${why.text}`);
	});
});

test("a refused request known by its Session-Id is found, by an administrator", async (context) => {
	await on(context, "#/find", lab.admin, async (page) => {
		const session = refusedSession();
		await page.getByLabel("Text").fill(session);
		await page.getByRole("button", { name: "Find", exact: true }).click();
		await page.locator("ol.ladder li", { hasText: "ends here" }).first().waitFor();
		that(!page.url().includes(encodeURIComponent(session)), "the text is in the address");
		has(await page.locator("ol.ladder").innerText(), "c2.visited.example", "way");
		const began = Date.now();
		await page.locator("ol.ladder li", { hasText: "ends here" }).first().getByRole("link").first().click();
		await says(page, "host: state #");
		const told = await page.locator("section[aria-labelledby=decisiontitle]").innerText();
		const id = decodeURIComponent(/decision=([^&]+)/.exec(page.url())[1]);
		const why = doic("ctl", "--socket", lab.http, "why", id);
		same(why.status, 0, `doic ctl why: ${why.text}`);
		that(/refused/.test(why.text) && /refused/.test(told), `not both say refused: ${why.text}`);
		has(why.text, /state #(\d+)/.exec(told)[1], "the state doic ctl why names");
		figure("page.why_by_session_s", (Date.now() - began) / 1000, "s", "<= 30", "from the session that Find shows to the same reason and state from Find and from doic ctl why");
	});
});

// A Session-Id of the plain client's record whose answer was made by the relay, a while ago.
function refusedSession() {
	const lines = fs.readFileSync(lab.record, "utf8").trimEnd().split("\n").slice(0, -1000);
	const isRefusal = (line) => line.startsWith('{"dir":"rx"') && REFUSED.some((octets) => line.includes(octets));
	const found = lines.reverse().find(isRefusal);
	that(found, `no refusal in the client's record, whose lines are ${lines[0]}`);
	const octets = Buffer.from(JSON.parse(found).hex, "hex");
	same(octets.readUInt32BE(20), 263, "first AVP behind the header");
	return octets.subarray(28, 20 + (octets.readUInt32BE(24) & 0xffffff)).toString();
}

test("decisions under a state are listed from its link, without naming the agent's life", async (context) => {
	await on(context, "#/reports", "", async (page) => {
		await page.getByRole("link", { name: /^decisions under #/ }).click();
		await page.locator("ol.ladder li").first().waitFor();
		has(await page.locator("ol.ladder").innerText(), "c2.visited.example", "way");
	});
});

async function candidate(page, text) {
	await page.waitForFunction(() => document.getElementById("candidate").value.length > 50);
	await page.getByLabel("Candidate document").fill(text);
}

test("a wrong policy shows all its errors by line and column, and changes nothing", async (context) => {
	await on(context, "#/policy", lab.admin, async (page) => {
		const before = api("/api/v1/policy");
		await candidate(page, `${before.text}outstanding_max: many\ncolour: red\nreduction_max: 900\n`);
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForSelector(".errors li");
		const wanted = before.text.split("\n").length;
		const errors = await page.locator(".errors li").allInnerTexts();
		same(errors.length, 3, `errors: ${errors.join(" / ")}`);
		errors.forEach((error, i) => has(error, `${wanted + i}:`, "error"));
		same(await page.getByRole("button", { name: "Apply", exact: true }).getAttribute("aria-disabled"), "true", "Apply");
		const after = api("/api/v1/policy");
		same(`${after.version} ${after.text}`, `${before.version} ${before.text}`, "policy in force");
	});
});

// One line each, where it is wrong and what would be allowed.
const MISTAKES = [["mode: maybe", "1:7", "enforce, observe"], ["outstanding_max: many", "1:18", "0..1000000"], ["colour: red", "1:1", "unknown key"], ["recovery: {ramp_ms: 700000}", "1:21", "0..600000"],
	["recovery: {speed: 3}", "1:12", "unknown key"], ["rate: 5", "1:7", "keys"], ["trust: {peers: [{peer: s1, doic: perhaps}]}", "1:34", "true, false"], ["trust: {peers: [{peer: s2, friend: yes}]}", "1:28", "unknown key"],
	["shadow: [a, a]", "1:13", "already in the list"], ["recovery: {probe_interval_ms: 50, probe_interval_ms: 60}", "1:35", "duplicate key"]];

test("ten mistakes in the policy's file are each named by place and range under load; the old one runs and no request is lost", async () => {
	const before = fs.readFileSync(lab.policy, "utf8");
	const { version } = api("/api/v1/policy");
	const source = 'doic_policy_refusals_total{source="file"}';
	const counted = metric(source);
	try {
		for (const [text, place, words] of MISTAKES) {
			fs.writeFileSync(lab.policy, `${text}\n`);
			const told = post("/api/v1/policy/reload", { reason: "CHG-1" });
			same(told.status, 422, `${text}: ${told.text}`);
			has(told.text, `policy.yaml:${place}`, text);
			has(told.text, words, text);
		}
	} finally {
		fs.writeFileSync(lab.policy, before);
	}
	await new Promise((done) => setTimeout(done, 3000));
	same(api("/api/v1/policy").version, version, "version in force");
	same(metric(source) - counted, MISTAKES.length, "refusals counted");
	const { columns } = api("/api/v1/series?window=5&names=requests,lost");
	that(columns.requests.every((value) => value > 0), `no load: ${columns.requests}`);
	figure("page.requests_lost_while_refusing", columns.lost.reduce((sum, value) => sum + value, 0), "", "<= 0", "of a relay under load while ten policy documents with a mistake each are refused");
});

test("a right policy is tried, put in force with a reason, told in the history, and rolled back", async (context) => {
	await on(context, "#/policy", lab.admin, async (page) => {
		const before = api("/api/v1/policy");
		await candidate(page, `${before.text}outstanding_max: 900\n`);
		await page.getByRole("button", { name: "Try on the last hour" }).click();
		await says(page, "would be others", 60000);
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await says(page, "No errors");
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		await page.getByLabel("Reason").fill("CHG-4398");
		await page.getByRole("button", { name: "Put in force" }).click();
		await says(page, `v${before.version + 1} is in force: "CHG-4398"`);
		await page.locator("tr", { hasText: "CHG-4398" }).waitFor({ timeout: 15000 });
		has(await page.locator("tr", { hasText: "CHG-4398" }).innerText(), "ops", "who");
		has(api("/api/v1/policy").text, "outstanding_max: 900", "policy in force");
		await page.getByRole("button", { name: `Roll back to version ${before.version}`, exact: true }).click();
		await page.getByLabel("Reason").fill("back again");
		await page.getByRole("button", { name: "Put in force" }).click();
		await says(page, `v${before.version + 2} is in force`);
		const after = api("/api/v1/policy");
		same(`${after.version} ${after.text}`, `${before.version + 2} ${before.text}`, "policy in force");
		await page.locator("tr", { hasText: "back again" }).waitFor({ timeout: 15000 });
	});
});

test("verify and audit give the verdict and exit code of the command line, and a report to read", async (context) => {
	await on(context, "#/evidence", lab.eyes, async (page) => {
		await page.getByRole("button", { name: "Verify", exact: true }).click();
		await page.locator("tr", { hasText: /verify \d+.*done/ }).waitFor({ timeout: 60000 });
		await page.getByLabel("Audit from (UTC)").fill("-10m");
		await page.getByRole("button", { name: "Audit the window" }).click();
		const row = page.locator("tr", { hasText: /audit \d+.*done/ });
		await row.waitFor({ timeout: 60000 });
		const [job] = api("/api/v1/jobs").jobs.filter((each) => each.verb === "audit");
		const plain = (text) => text.replace(/\s+/g, " ");
		has(plain(await row.innerText()), plain(job.verdict), "verdict");
		has(await row.innerText(), job.command, "command");
		const onTerminal = doic("audit", lab.folder, "-q");
		same(onTerminal.status, job.exit, `exit code of doic audit: ${onTerminal.text}`);
		const response = await page.request.get(lab.url + await row.getByRole("link", { name: "open" }).getAttribute("href"));
		has((await response.text()).toLowerCase(), "<!doctype html>", "report");
	});
});

test("an observer is refused every change, and sees each control disabled with the role it needs", async (context) => {
	await on(context, "#/pools", lab.eyes, async (page) => {
		const take = page.getByRole("button", { name: "Take out: s2.example.net" });
		await take.waitFor();
		same(await take.getAttribute("aria-disabled"), "true", "aria-disabled");
		await page.goto(`${lab.url}/#/policy`);
		await says(page, "needs role administrator");
		same(await page.getByRole("button", { name: "Apply", exact: true }).getAttribute("aria-disabled"), "true", "Apply");
		const before = api("/api/v1/policy");
		const answers = await page.evaluate(async (text) => {
			const { csrf } = await (await fetch("/api/v1/session")).json();
			const policy = await fetch("/api/v1/policy");
			const send = async (method, where, body) => {
				const response = await fetch(where, { method, headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf, "If-Match": policy.headers.get("ETag") }, body: JSON.stringify(body) });
				return `${response.status} ${(await response.json()).detail}`;
			};
			return [await send("PUT", "/api/v1/policy", { text, reason: "x" }), await send("POST", "/api/v1/policy/rollback", { version: 1, reason: "x" }),
				await send("POST", "/api/v1/pools/neighbours/nodes/s2.example.net:out", { reason: "x" })];
		}, before.text);
		for (const answer of answers) {
			has(answer, "403", "answer");
			has(answer, "administrator", "answer");
		}
		same(api("/api/v1/policy").version, before.version, "version in force");
	});
});

test("a node is taken out of selection with a reason, gets no new session, and is put back", async (context) => {
	await on(context, "#/pools", lab.admin, async (page) => {
		const order = async (verb, reason) => {
			await page.getByRole("button", { name: `${verb}: s2.example.net` }).click();
			await page.getByLabel("Reason").fill(reason);
			await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
		};
		await order("Take out", "CHG-4411");
		await says(page, "s2.example.net is wanted out now");
		const row = page.locator("tr", { hasText: "s2.example.net" }).first();
		await page.waitForFunction(() => [...document.querySelectorAll("tr")].some((each) => /s2\.example\.net.*out.*up.*Put in/s.test(each.innerText)));
		has(await row.innerText(), "out", "wanted");
		await order("Put in", "done");
		await says(page, "s2.example.net is wanted in now");
		await page.goto(`${lab.url}/#/now`);
		await says(page, "CHG-4411");
	});
});

test("a daemon that stands still is told as behind within 4 s, in grey, and afterwards no second of it is drawn as 0", async (context) => {
	await on(context, "#/now", "", async (page) => {
		process.kill(lab.pid, "SIGSTOP");
		try {
			const began = Date.now();
			await page.waitForFunction(() => /behind \d+ s|no answer since/.test(document.getElementById("live").textContent), null, { timeout: 8000, polling: 50 });
			figure("page.behind_told_s", (Date.now() - began) / 1000, "s", "<= 4.5", "from SIGSTOP of the relay to the word behind; 3 s without a tick is behind");
			that(await page.evaluate(() => document.body.classList.contains("stale")), "values look current");
			await page.waitForTimeout(2000);
		} finally {
			process.kill(lab.pid, "SIGCONT");
		}
		await page.waitForFunction(() => document.querySelector("#live.is-live"), null, { timeout: 8000 });
		await page.waitForTimeout(4000);
		await page.getByRole("button", { name: "Requests per second as a table" }).click();
		const rows = await page.locator(".numbers:visible tbody tr").evaluateAll((all) => all.slice(0, 20).map((each) => [...each.children].slice(0, 2).map((cell) => cell.textContent).join(" ")));
		that(!rows.some((each) => / 0\/s$/.test(each)), `a zero: ${rows.join(" / ")}`);
	});
});

test("axe finds nothing on the six screens of the running relay in both themes", async ({ browser }) => {
	const [refused] = api("/api/v1/decisions?verdict=refused&limit=1").decisions;
	const hashes = { find: `#/find?verdict=refused&decision=${encodeURIComponent(refused.id)}`, pools: "#/pools?node=s1.example.net" };
	const [found, complaints] = await tour(browser, "live", { hashes, token: lab.admin, look: async (page, screen, width) => {
		const text = await page.locator("body").innerText();
		that(!/undefined|NaN|\[object/.test(text), `${screen} shows ${/.{30}(undefined|NaN|\[object).{20}/s.exec(text)?.[0]}`);
		const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
		that(inner <= outer, `${screen} is ${inner} wide in a window of ${width}`);
	} });
	if (found.length)
		console.log(found.join("\n"));
	same(complaints.join("; "), "", "complaints");
	figure("page.axe_violations_live", found.length, "", "<= 0", "axe-core, WCAG 2.2 AA and best practice, 6 screens of a running relay, both themes");
});
