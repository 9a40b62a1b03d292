// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What happens by itself: a report comes, the stream stops and goes on, the reader pauses.
import { figure, has, same, test, that } from "./check.mjs";
import { visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

async function on(context, options, run, more) {
	const mock = await new Mock(options).start();
	const page = await visit(context.browser, mock.url, more);
	try {
		await page.waitForFunction(() => document.querySelector("#live.is-live") && document.querySelector(".number strong")?.textContent !== "–");
		await run(page, mock);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
		await mock.stop();
	}
}

test("a report is in the first sentence within 2 s of the tick that begins it", async (context) => {
	await on(context, { mode: "calm" }, async (page, mock) => {
		has(await page.locator(".story").innerText(), "Nobody has asked for less", "story before");
		mock.beginReport();
		const before = mock.tickAt || 0;
		await page.waitForFunction(() => document.querySelector(".story").textContent.includes("asks for 30 % less"), null, { polling: 20, timeout: 10000 });
		const shown = Date.now();
		that(mock.tickAt > before, "no tick came");
		figure("page.report_shown_s", (shown - mock.tickAt) / 1000, "s", "<= 2", "from the tick that begins the report to the sentence in the page, Chromium, loopback");
		has(await page.locator("body").innerText(), "report 8812 from pcrf-2.example.net accepted", "what changed");
	});
});

test("a stream that stands still is told as behind within 4 s, its values grey, and then as no answer", async (context) => {
	await on(context, {}, async (page, mock) => {
		mock.isFrozen = true;
		await page.waitForFunction(() => /behind \d+ s/.test(document.getElementById("live").textContent), null, { timeout: 5500 });
		that(await page.evaluate(() => document.body.classList.contains("stale")), "values look current");
		await page.waitForFunction(() => /no answer since \d\d:\d\d:\d\dZ, trying again/.test(document.getElementById("live").textContent), null, { timeout: 12000 });
		mock.isFrozen = false;
		await page.waitForFunction(() => document.querySelector("#live.is-live"), null, { timeout: 5000 });
		that(!await page.evaluate(() => document.body.classList.contains("stale")), "values stay grey");
	});
});

test("seconds that were not recorded are a hole, not zero", async (context) => {
	await on(context, {}, async (page, mock) => {
		mock.isFrozen = mock.isStopped = true;
		await new Promise((done) => setTimeout(done, 5000));
		mock.isFrozen = mock.isStopped = false;
		await page.waitForFunction(() => document.querySelector("#live.is-live"), null, { timeout: 5000 });
		await page.waitForTimeout(1500);
		await page.getByRole("button", { name: "Requests per second as a table" }).click();
		const rows = await page.locator(".numbers:visible tbody tr").evaluateAll((all) => all.slice(0, 15).map((row) => row.textContent));
		const holes = rows.filter((row) => row.includes("–"));
		that(holes.length >= 3, `${holes.length} seconds without a value among ${rows.join(" / ")}`);
		that(!rows.some((row) => /Z0\/s/.test(row)), "a zero was drawn");
		const sentence = await page.locator(".plot").nth(1).evaluate((node) => { node.focus(); return node.getAttribute("aria-label"); });
		has(sentence, "seconds are not known", "sentence");
	});
});

test("a server that goes away and comes back is found again, and the years between are filled", async (context) => {
	await on(context, {}, async (page, mock) => {
		mock.isDown = true;
		mock.server.closeAllConnections();
		await page.waitForFunction(() => /no answer since/.test(document.getElementById("live").textContent), null, { timeout: 8000 });
		await page.waitForTimeout(1000);
		mock.isDown = false;
		await page.waitForFunction(() => document.querySelector("#live.is-live"), null, { timeout: 9000 });
		await page.waitForTimeout(1500);
		await page.getByRole("button", { name: "Requests per second as a table" }).click();
		const rows = await page.locator(".numbers:visible tbody tr").evaluateAll((all) => all.slice(0, 15).map((row) => row.textContent));
		same(rows.filter((row) => row.includes("–")).length, 0, "holes");
	});
});

test("tabs of one browser share one stream, and the next one reads it when the first is closed", async (context) => {
	await on(context, { mode: "calm" }, async (page, mock) => {
		const isLive = (each) => each.waitForFunction(() => document.querySelector("#live.is-live") && document.querySelector(".number strong")?.textContent !== "–");
		const more = [];
		for (let i = 0; i < 7; i++) { // more than a browser has connections to one host
			more.push(await page.context().newPage());
			await more[i].goto(mock.url);
		}
		await Promise.all(more.map(isLive));
		same(mock.streams.size, 1, "streams");
		mock.beginReport();
		await Promise.all(more.map((each) => each.waitForFunction(() => document.querySelector(".story").textContent.includes("asks for 30 % less"), null, { timeout: 10000 })));
		await page.goto("about:blank");
		const time = () => more[6].locator("#clock").innerText();
		const before = await time();
		await more[6].waitForTimeout(4000);
		await isLive(more[6]);
		that(await time() !== before, "its time stands still");
		same(mock.streams.size, 1, "streams after the first tab left");
	});
});

test("pause stops drawing, counts what waits, and stays in the address", async (context) => {
	await on(context, {}, async (page) => {
		await page.getByRole("button", { name: "Pause" }).click();
		has(page.url(), "paused=1", "address");
		const before = await page.locator(".four").innerText();
		await page.waitForFunction(() => /paused by you, [2-9] waiting/.test(document.getElementById("live").textContent), null, { timeout: 6000 });
		same(await page.locator(".four").innerText(), before, "numbers while paused");
		await page.getByRole("button", { name: "Go on" }).click();
		await page.waitForFunction(() => document.querySelector("#live.is-live"));
	});
});

test("a hidden tab draws nothing and is up to date when it is seen again", async (context) => {
	await on(context, {}, async (page) => {
		const hide = (isHidden) => page.evaluate((value) => {
			Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
			document.dispatchEvent(new Event("visibilitychange"));
		}, isHidden);
		await hide(true);
		await page.waitForTimeout(100);
		const before = await page.locator(".story").innerText();
		await page.waitForTimeout(2500);
		same(await page.locator(".story").innerText(), before, "story while hidden");
		await hide(false);
		that(await page.locator(".story").innerText() !== before, "the story is old");
	});
});

test("one thing at a time is spoken, at most one in five seconds", async (context) => {
	await on(context, { mode: "calm" }, async (page, mock) => {
		await page.evaluate(() => {
			window.spoken = [];
			new MutationObserver(() => window.spoken.push([performance.now(), document.getElementById("polite").textContent])).observe(document.getElementById("polite"), { childList: true, characterData: true, subtree: true });
		});
		mock.beginReport();
		await page.waitForTimeout(2500);
		mock.recordingError = "disk full";
		await page.waitForTimeout(7000);
		const spoken = await page.evaluate(() => window.spoken);
		that(spoken.length >= 2, `only ${spoken.length} were spoken: ${JSON.stringify(spoken)}`);
		for (let i = 1; i < spoken.length; i++)
			that(spoken[i][0] - spoken[i - 1][0] >= 4900, "two within five seconds");
		has(spoken.map((each) => each[1]).join(" "), "asks for 30 % less", "spoken");
	});
});
