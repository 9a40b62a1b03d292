// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Empty, wrong and odd: each has its sentence. Names are text whatever they hold, and an observer is told what is missing.
import { has, same, test, that } from "./check.mjs";
import { SCREENS, visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

async function on(context, options, hash, run, more = {}) {
	const mock = await new Mock(options).start();
	more.before?.(mock);
	const page = await visit(context.browser, mock.url, { hash, ...more });
	try {
		await page.waitForTimeout(2200);
		await run(page, mock);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
		await mock.stop();
	}
}

test("with no peers and no evidence each screen has its sentence", async (context) => {
	const wanted = { now: ["Nobody has asked for less since start", "That is normal", "No Diameter peer is open; 11 are configured", "Collecting.", "no checkpoint yet", "Nobody sends requests now", "No decision yet", "No peer was seen"],
		reports: ["Nobody has asked for less", "This node reports no overload of its own", "No report was received yet", "Nobody has announced DOIC yet"],
		pools: ["No Diameter peer is open. 11 are configured", "No other node was seen"], find: ["Give a Session-Id, a pseudonym or a decision"],
		evidence: ["No segment yet", "No gap", "No job was started yet", "none yet"], policy: ["v17", "No difference"] };
	await on(context, { mode: "empty" }, "#/now", async (page, mock) => {
		for (const screen of SCREENS) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(900);
			const text = await page.locator("body").innerText();
			for (const part of wanted[screen])
				has(text, part, screen);
		}
	});
});

test("a finished folder has no agent, and the screens that need one say so", async (context) => {
	const wanted = { now: "No agent runs here: what is shown is the end of a finished evidence folder", pools: "no agent runs, so there are no pools", policy: "no policy is in force", evidence: "Nothing is being recorded here" };
	await on(context, { mode: "finished" }, "#/now", async (page, mock) => {
		for (const screen of Object.keys(wanted)) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(1000);
			has(await page.locator("#screen").innerText(), wanted[screen], screen);
		}
	});
});

test("a rate of nothing is 0, a time to answer of nothing is unknown", async (context) => {
	await on(context, { mode: "empty" }, "#/now", async (page) => {
		const text = await page.locator(".four").innerText();
		has(text, "requests 0/s");
		has(text, "answers p99 – no answers");
	});
});

test("a server that has only the core resources is told so on every screen, not left blank", async (context) => {
	const absent = ["series/nodes", "changes", "decisions", "reports/received", "capabilities", "evidence/segments", "evidence/gaps", "evidence/checkpoints/latest", "jobs", "policy/versions"];
	await on(context, {}, "#/now", async (page, mock) => {
		has(await page.locator("body").innerText(), "This server lists no decisions");
		for (const [screen, part] of [["reports", "doic audit does, from the evidence folder"], ["evidence", "doic verify does, on the folder"], ["policy", "This server keeps no list of versions"], ["find?verdict=refused", "This server cannot look into its evidence"]]) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(900);
			has(await page.locator("body").innerText(), part, screen);
		}
	}, { before: (mock) => absent.forEach((name) => mock.problems.set(`/api/v1/${name}`, 501)) });
});

test("when a resource fails its old rows stay, marked old, with title and what to do", async (context) => {
	await on(context, {}, "#/pools", async (page, mock) => {
		mock.problems.set("/api/v1/pools/neighbours", 500);
		await page.waitForSelector(".note.problem:visible", { timeout: 5000 });
		has(await page.locator(".note.problem:visible").innerText(), "Something failed here");
		has(await page.locator(".note.problem:visible").innerText(), "Try again");
		that(await page.locator(".old table.rows tbody tr").count() > 5, "rows are gone or look current");
	});
});

test("no telemetry from the node: the ladder stops at arrived, with no 0 in it", async (context) => {
	await on(context, { silent: "pcrf-2.example.net" }, "#/reports?version=41", async (page, mock) => {
		const steps = await page.locator(".steps li").allInnerTexts();
		has(steps[3], "missing", "arrived");
		has(steps[3], "nothing is claimed", "arrived");
		has(steps[4], "nothing claimed", "useful");
		that(!/\b0\b/.test(steps.slice(3).join(" ")), `a zero in ${steps.slice(3).join(" ")}`);
		await page.goto(`${mock.url}/#/now`);
		await page.waitForTimeout(1200);
		has(await page.locator(".story").innerText(), "nothing is claimed about the effect");
	});
});

test("a recorder that stands still is a hatched bar on all screens", async (context) => {
	await on(context, {}, "#/now", async (page, mock) => {
		mock.recordingError = "disk full since 14:01:07Z";
		for (const screen of SCREENS) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForSelector(".bar.bad", { timeout: 4000 });
			has(await page.locator(".bar.bad").innerText(), "Evidence is incomplete: disk full since 14:01:07Z. When full: block.");
		}
	});
});

test("a clock that is ahead is told, and times stay the server's", async (context) => {
	await on(context, { offset: -41 }, "#/now", async (page) => {
		that(/Your clock is 4[0-3] s ahead; times shown are the server's\./.test(await page.locator("#bars").innerText()), "no such notice");
	});
});

test("a session that ends soon is told and can be extended", async (context) => {
	await on(context, { leftSeconds: 100 }, "#/now", async (page, mock) => {
		has(await page.locator("#bars").innerText(), "Your session ends in 1 m 3");
		mock.options.leftSeconds = 1700;
		await page.getByRole("button", { name: "Extend" }).click();
		await page.waitForFunction(() => !document.getElementById("bars").textContent.includes("session"), null, { timeout: 3000 });
	});
});

test("nobody who asks sees a log in, a wrong token is refused, a right one opens the page", async (context) => {
	await on(context, { role: "none" }, "#/now", async (page) => {
		has(await page.locator("#screen").innerText(), "Nothing says who asks");
		await page.locator("#screen").getByRole("button", { name: "Log in" }).click();
		await page.getByLabel("Token").fill("bad");
		await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
		has(await page.getByRole("alert").innerText(), "not valid");
		await page.getByLabel("Token").fill("good");
		await page.keyboard.press("Enter");
		await page.waitForSelector(".story .sentence", { timeout: 4000 });
		has(await page.locator("#role").innerText(), "administrator");
	});
});

test("an observer sees every order disabled, with the role that is missing, and none is sent", async (context) => {
	await on(context, { role: "observer" }, "#/pools", async (page, mock) => {
		const take = page.getByRole("button", { name: "Take out: pcrf-1.example.net" });
		same(await take.getAttribute("aria-disabled"), "true", "aria-disabled");
		same(await take.getAttribute("title"), "needs role administrator", "title");
		await take.click({ force: true });
		same(await page.getByRole("dialog").count(), 0, "dialogs");
		for (const [screen, names] of [["policy", ["Apply"]]]) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(900);
			for (const name of names) {
				const button = page.getByRole("button", { name, exact: true });
				same(await button.getAttribute("aria-disabled"), "true", name);
				await button.click({ force: true });
			}
			has(await page.locator("#screen").innerText(), "needs role administrator", screen);
		}
		same(mock.acts.length, 0, "orders sent");
	});
});

test("an observer may verify, audit, check and try, which change nothing", async (context) => {
	await on(context, { role: "observer" }, "#/evidence", async (page, mock) => {
		await page.getByRole("button", { name: "Verify", exact: true }).click();
		await page.waitForFunction(() => document.querySelector("#screen").textContent.includes("intact: 31,002,114 rows"), null, { timeout: 8000 });
		await page.goto(`${mock.url}/#/policy`);
		await page.getByLabel("Candidate document").fill("modee: enforce\n");
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForSelector(".errors li");
	});
});

test("how long the disk lasts is told at the rate of the last day", async (context) => {
	await on(context, {}, "#/evidence", async (page) => { // 41 GB free, 3 GB in four hours
		has(await page.locator("#screen").innerText(), "41 %, full in about 2 days at the rate of the last day", "disk");
	});
});

test("one altered segment is named, and the others stay intact", async (context) => {
	await on(context, { altered: "20261127T14.db" }, "#/evidence", async (page) => {
		await page.getByRole("button", { name: "Verify", exact: true }).click();
		const told = (name) => page.locator("tr", { hasText: name }).first().innerText();
		await page.waitForFunction(() => /altered \d\d:/.test(document.querySelector("#screen table").innerText), null, { timeout: 9000 });
		has(await told("20261127T14.db"), "altered", "the altered one");
		has(await told("20261126T14.db"), "intact", "another one");
		that(!(await told("20261128T14.db")).includes("altered"), "a segment that is as it was signed is called altered");
	});
});

test("a version of another life leads to the decisions of that life", async (context) => {
	await on(context, {}, "#/reports?version=3&run=older-life", async (page) => {
		has(await page.locator("#screen").innerText(), "State #3 of the life older-life is not held any more", "heading");
		same(await page.getByRole("link", { name: "decisions under it" }).getAttribute("href"), "#/find?version=3&run=older-life", "link");
		await page.getByRole("link", { name: "decisions under it" }).click();
		same(await page.getByLabel("of the life").inputValue(), "older-life", "the life asked for");
	});
});

test("script in a peer's name stays text on every screen", async (context) => {
	const strange = "<img src=x onerror=alert(1)>.visited.example";
	await on(context, { strange, storms: 3 }, "#/now", async (page, mock) => {
		page.on("dialog", () => page.complaints.push("a script ran"));
		mock.change("report", `report 9 from ${strange} refused`);
		for (const screen of ["now", "reports", `pools?node=${encodeURIComponent(strange)}`, `find?client=${encodeURIComponent(strange)}`]) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(1200);
			same(await page.locator("#screen img").count(), 0, `elements out of a name on ${screen}`);
		}
		has(await page.locator("#screen").innerText(), strange, "find");
	});
});

test("a neighbour that is tried again and again and stays closed is one line", async (context) => {
	await on(context, {}, "#/now", async (page, mock) => {
		for (let i = 5; i > 0; i--)
			mock.change("peer", "peer pcrf-9.example.net closed", mock.now - i);
		await page.reload();
		await page.waitForFunction(() => document.body.innerText.includes("peer pcrf-9.example.net closed (5 times since"), null, { timeout: 5000 });
	});
});

test("where nobody sent anything before, nothing is called an excess", async (context) => {
	await on(context, {}, "#/now", async (page) => {
		const told = await page.evaluate(async () => {
			const [{ senders }, { Ring }] = await Promise.all([import("/assets/dev/story.js"), import("/assets/dev/ring.js")]);
			const ring = new Ring();
			const told = (from, names) => {
				for (let s = from; s < from + 60; s++) {
					ring.reach(s);
					ring.pushNodes(s, Object.fromEntries(names.map(([name, requests]) => [name, { client: { requests } }])));
				}
			};
			const state = { states: { 1: { state: "active", held_seconds: 60, share_ratio: 0.3 } } };
			told(1000, []);
			told(1060, [["a", 100]]);
			const first = senders(state, ring);
			told(1120, [["a", 100], ["b", 0]]);
			told(1180, [["a", 100], ["b", 900]]);
			return [first[0].excess, first[0].word, ...senders(state, ring).filter((each) => each.name === "b").map((each) => [each.excess, each.factor === Infinity])[0]];
		});
		same(told.slice(0, 2).join(), "0,steady", "without a before");
		same(told.slice(2).join(), "900,true", "a new sender");
	});
});

test("a filter that matches nothing says so, with the count without it", async (context) => {
	await on(context, {}, "#/pools", async (page) => {
		await page.getByLabel("Filter").fill("nosuchnode");
		await page.waitForTimeout(300);
		has(await page.locator("#screen").innerText(), 'Nothing matches "nosuchnode"; without the filter there are 11.');
		has(page.url(), "f=nosuchnode", "address");
		await page.getByRole("button", { name: "Clear" }).click();
		that(await page.locator("table.rows tbody tr").count() >= 11, "rows did not come back");
	});
});

test("states are told apart without colour", async (context) => {
	await on(context, {}, "#/pools", async (page, mock) => {
		mock.wanted["pcrf-3.example.net"] = "out";
		await page.waitForTimeout(2500);
		const row = page.locator("tr", { hasText: "pcrf-3.example.net" });
		same(await row.locator(".status").first().innerText(), "○ out", "shape and word");
		same(await row.locator(".status").nth(1).innerText(), "● up", "shape and word");
	});
});
