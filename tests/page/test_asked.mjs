// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// While somebody asks for less: renewals are nothing new, this node's own orders are told from reports of others, who was told and goes on is
// named; and windows that are shorter and longer than ten minutes.
import { figure, has, same, test, that } from "./check.mjs";
import { visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

async function on(context, options, hash, run) {
	const mock = await new Mock(options).start();
	const page = await visit(context.browser, mock.url, { hash });
	try {
		await page.waitForTimeout(2500);
		await run(page, mock);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
		await mock.stop();
	}
}

test("a report that is renewed every 5 s is held since its first, and what was before it is the baseline", async (context) => {
	await on(context, { renewS: 5 }, "#/now", async (page) => {
		const text = await page.locator(".story").innerText();
		has(text, "held for 4 m", "story");
		has(text, "we obey and selected 30.00 %", "story");
		that(/sent there fell (2[5-9]|3[0-5]) %/.test(text), `no such fall in ${text}`);
		has(text, "of the excess comes from hgw-01.visited.example", "story");
		await page.waitForTimeout(6000);
		has(await page.locator(".story").innerText(), "held for 4 m", "story after a renewal");
	});
});

test("who asks, how much, whether we obey and whether it helps stand in the first sentence, in sight, within ten seconds of opening the page", async (context) => {
	const mock = await new Mock({}).start();
	const began = Date.now();
	const page = await visit(context.browser, mock.url);
	try {
		await page.waitForFunction(() => {
			const first = document.querySelector(".sentence");
			const box = first?.getBoundingClientRect();
			const answers = [/^\W*pcrf-2\.example\.net asks/, /asks for 30 % less/, /we obey and selected \d/, /it helps|less arrives there|it does not help|it serves what it gets|no change seen/];
			return box && box.top >= 0 && box.bottom <= innerHeight && answers.every((each) => each.test(first.innerText));
		}, null, { timeout: 10000, polling: 50 });
		figure("page.four_answers_s", (Date.now() - began) / 1000, "s", "<= 10", "from opening the page to the sentence with all four answers in sight at 1280 by 720, Chromium, loopback");
	} finally {
		await page.context().close();
		await mock.stop();
	}
});

test("the first seconds are too early to tell what arrived", async (context) => {
	await on(context, { mode: "calm" }, "#/now", async (page) => {
		const told = await page.evaluate(async () => {
			const [{ ladder }, { Ring }] = await Promise.all([import("/assets/dev/story.js"), import("/assets/dev/ring.js")]);
			const ring = new Ring();
			for (let second = 1000; second < 1200; second++) {
				ring.reach(second);
				ring.pushNodes(second, { s1: { server: { sent: 602, answers: 602, useful: 602 } } });
			}
			const say = (held) => {
				const entry = { state: "active", version: 1, type: "host", subject: "s1", application: "Gx", algorithm: "loss", reduction_ratio: 0.3, share_ratio: 0.3,
					matched: 100, selected: 30, held_seconds: 1, condition_seconds: held };
				return ladder({ states: { 1: entry }, nodes: {} }, ring, entry)[3].note;
			};
			return [say(2), say(60)];
		});
		same(told[0], "Too early to tell what arrived", "after 2 s");
		has(told[1], "sent to it and answered; 602/s before", "after a minute");
	});
});

test("a sentence is the server's: its texts as they are, whatever is in them, and links where it leads", async (context) => {
	await on(context, { mode: "calm" }, "#/now", async (page, mock) => {
		const odd = "<b onclick=alert(1)>s1</b>";
		mock.says = [{ kind: "warn", brief: "Somebody asks.", parts: [{ text: odd, version: 7 }, { text: " asks; see " }, { text: "mme & co", node: "mme & co" }, { text: ", " }, { text: "all", screen: "reports" }, { text: "." }] }];
		await page.waitForFunction(() => document.querySelector(".story").textContent.includes("asks; see"), null, { timeout: 5000 });
		has(await page.locator(".sentence").first().innerText(), `${odd} asks; see mme & co, all.`, "sentence");
		same(await page.locator(".sentence b").count(), 0, "elements out of a text");
		same((await page.locator(".sentence a").evaluateAll((all) => all.map((each) => each.getAttribute("href")))).join(" "), "#/reports?version=7 #/pools?node=mme%20%26%20co #/reports", "links");
	});
});

test("a renewal does not take away the state that is looked at", async (context) => {
	await on(context, { renewS: 5 }, "#/now", async (page) => {
		await page.locator(".story a").first().click();
		const before = await page.locator("#chosen").innerText();
		has(before, "pcrf-2.example.net asks for 30 % less", "heading");
		await page.waitForFunction((was) => document.getElementById("chosen").textContent !== was, before, { timeout: 9000 });
		has(await page.locator("#chosen").innerText(), "pcrf-2.example.net asks for 30 % less", "heading after a renewal");
	});
});

test("what this node asks for itself reads so on every screen", async (context) => {
	await on(context, { isOwn: true }, "#/now", async (page, mock) => {
		const text = await page.locator(".story").innerText();
		has(text, "This node itself asks for 30 % less to pcrf-2.example.net (its own order, loss, host, Gx)", "story");
		that(!text.includes("pcrf-2.example.net asks"), `somebody else asks: ${text}`);
		await page.goto(`${mock.url}/#/reports`);
		await page.waitForTimeout(1000);
		has(await page.locator("table", { hasText: "Overload control states" }).innerText(), "own order", "source");
		has(await page.locator("#chosen").innerText(), "this node itself asks for 30 % less", "heading");
		has(await page.locator(".steps").innerText(), "by this node's own order about pcrf-2.example.net", "ladder");
		await page.goto(`${mock.url}/#/pools`);
		await page.waitForTimeout(1000);
		has(await page.locator("tr", { hasText: "pcrf-2.example.net" }).first().innerText(), "30 %, own order", "pool");
	});
});

test("who was told and goes on is named with what it ignores; what cannot be told is no 0", async (context) => {
	await on(context, {}, "#/now", async (page, mock) => {
		has(await page.locator(".story").innerText(), "hgw-01.visited.example was told to send less to pcrf-2.example.net and goes on: 100/s where 70/s would obey", "story");
		const cell = async (name) => page.locator("tr", { hasText: name }).locator("td, th").last().innerText();
		same(await cell("hgw-01.visited.example"), "30", "of one that goes on");
		same(await cell("pgw-02.visited.example"), "0", "of one that obeys");
		same(await cell("hgw-03.visited.example"), "–", "of one that leaves it to this node");
		same(await cell("pgw-04.visited.example"), "10", "of one that does so in part");
		has(await page.locator("tr", { hasText: "pgw-04.visited.example" }).innerText(), "obeys partly", "word");
		await page.goto(`${mock.url}/#/pools`);
		await page.waitForTimeout(2500);
		const row = await page.locator("tr", { hasText: "storm" }).innerText();
		that(/storm.*\t30\b/s.test(row), `no storm of 30 in ${row}`);
	});
});

test("a finished folder of forty seconds fills the window", async (context) => {
	await on(context, { mode: "finished", upS: 40 }, "#/now", async (page) => {
		const width = await page.locator("canvas.heat").evaluate((canvas) => canvas.width);
		that(width <= 50, `${width} columns for 40 s`);
		await page.getByRole("button", { name: "Requests per second as a table" }).click();
		const rows = await page.locator(".numbers:visible tbody tr").count();
		that(rows >= 38 && rows <= 50, `${rows} rows for 40 s`);
	});
});

test("an hour, a day and all there is are drawn in longer steps, and said to be", async (context) => {
	await on(context, { upS: 3 * 86400 }, "#/now?window=3600", async (page) => {
		has(await page.locator(".top .note").innerText(), "means of 10 s", "note");
		await page.getByRole("button", { name: "Requests per second as a table" }).click();
		const rows = () => page.locator(".numbers:visible tbody tr").count();
		that(Math.abs(await rows() - 360) < 3, `${await rows()} rows for an hour`);
		for (const [window, step, wanted] of [["86400", "means of 1 m", 1440], ["all", "means of 10 m", 432]]) {
			await page.getByLabel("Window").selectOption(window);
			await page.waitForFunction((text) => document.querySelector(".top .note").textContent.includes(text), step, { timeout: 5000 });
			that(Math.abs(await rows() - wanted) < 3, `${await rows()} rows for ${window}`);
		}
		await page.getByLabel("Window").selectOption("600");
		await page.waitForTimeout(1500);
		same(await rows(), 600, "rows of ten minutes");
		await page.goto(page.url().replace("#/now", "#/reports?window=21600"));
		await page.waitForTimeout(1500);
		await page.getByRole("button", { name: "Asked, held, selected, % as a table" }).click();
		that(Math.abs(await rows() - 360) < 3, `${await rows()} rows for six hours`);
	});
});

test("versions of the policy that one page does not hold are asked for further back", async (context) => {
	await on(context, { versionsPage: 1 }, "#/policy", async (page) => {
		const rows = page.locator("table", { hasText: "Versions of the policy" }).locator("tbody tr");
		same(await rows.count(), 1, "rows of the first page");
		await page.getByRole("button", { name: "Older versions" }).click();
		await page.waitForFunction(() => document.body.innerText.includes("first one"), null, { timeout: 3000 });
		same(await rows.count(), 2, "rows of both");
		that(!await page.getByRole("button", { name: "Older versions" }).isVisible(), "there is nothing older");
	});
});

for (const [back, words] of [[900, "what is drawn begins anew there"], [120, "what it had already told of later seconds is forgotten"]])
	test(`a server's clock set back by ${back} s is told, and the page goes on at once`, async (context) => {
		await on(context, { mode: "calm" }, "#/now", async (page, mock) => {
			mock.setBack(back);
			await page.waitForFunction(() => document.getElementById("bars").textContent.includes("clock was set back by"), null, { timeout: 5000 });
			has(await page.locator("#bars").innerText(), words, "notice");
			await page.waitForTimeout(3000);
			has(await page.locator(".four").innerText(), "requests ", "numbers");
			that(!/requests –/.test(await page.locator(".four").innerText()), "the newest second is not known");
			await page.getByRole("button", { name: "Requests per second as a table" }).click();
			const first = await page.locator(".numbers:visible tbody tr th").first().innerText();
			that(Math.abs(Date.parse(`1970-01-01T${first}`) - Date.parse(`1970-01-01T${new Date(mock.now * 1000).toISOString().slice(11, 19)}Z`)) <= 3000, `the newest second is ${first}, the server's ${mock.now}`);
		});
	});
