// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Without a mouse: the worst peer, its state, a value of a chart, an order that is begun and cancelled.
import { has, same, test, that } from "./check.mjs";
import { SCREENS, visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

async function tabTo(page, wanted, max = 120) {
	for (let i = 0; i < max; i++) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate(() => {
			const node = document.activeElement;
			const style = getComputedStyle(node);
			return { text: `${node.tagName} ${node.className} ${node.getAttribute("aria-label") || ""} ${node.textContent.slice(0, 60)}`, outline: style.outlineStyle };
		});
		that(at.outline !== "none", `focus is not seen on ${at.text}`);
		if (wanted.test(at.text))
			return at;
	}
	throw new Error(`no way to ${wanted}`);
}

async function on(context, hash, run, options = {}) {
	const mock = await new Mock(options).start();
	const page = await visit(context.browser, mock.url, { hash });
	try {
		await page.waitForTimeout(2200);
		await run(page, mock);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
		await mock.stop();
	}
}

test("the first Tab is the way past the head, and it leads there", async (context) => {
	await on(context, "#/now", async (page) => {
		await page.keyboard.press("Tab");
		same(await page.evaluate(() => document.activeElement.textContent), "Skip to content", "first");
		await page.keyboard.press("Enter");
		same(await page.evaluate(() => document.activeElement.id), "main", "where it leads");
	});
});

test("from the sentence to the state, its exact bytes in three steps", async (context) => {
	await on(context, "#/now", async (page) => {
		await tabTo(page, /^A .*pcrf-2\.example\.net/);
		await page.keyboard.press("Enter");
		await page.waitForTimeout(800);
		same(await page.evaluate(() => document.querySelector("h1").textContent), "Reports", "screen");
		await tabTo(page, /Show the exact bytes/);
		await page.keyboard.press("Enter");
		has(await page.locator(".raw pre").innerText(), "00 00 02 6f", "bytes");
	});
});

test("arrow keys move through a chart and speak its values", async (context) => {
	await on(context, "#/now", async (page) => {
		await tabTo(page, /^DIV plot Requests per second/);
		await page.keyboard.press("Home");
		await page.keyboard.press("End");
		await page.keyboard.press("Shift+ArrowLeft");
		const first = await page.locator("#spoken").innerText();
		has(first, "offered", "spoken");
		await page.keyboard.press("ArrowLeft");
		that(await page.locator("#spoken").innerText() !== first, "the cursor did not move");
		has(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "least", "sentence");
		await page.keyboard.press("Enter");
		await page.waitForTimeout(600);
		has(page.url(), "#/find?from=", "address of the decisions of that second");
	});
});

test("the heat map is walked by keys, speaks a peer's value, and leads to the worst peer", async (context) => {
	await on(context, "#/now", async (page) => {
		await tabTo(page, /^CANVAS heat/);
		await page.keyboard.press("ArrowUp");
		has(await page.locator("#spoken").innerText(), "hgw-01.visited.example", "worst peer");
		has(await page.locator("#spoken").innerText(), "% of", "value");
		await page.keyboard.press("ArrowDown");
		that(!(await page.locator("#spoken").innerText()).startsWith("hgw-01"), "the same peer");
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("Enter");
		await page.waitForTimeout(800);
		has(page.url(), "node=hgw-01.visited.example", "address");
	});
});

test("a node is asked out and the order is cancelled, rows are walked by arrows", async (context) => {
	await on(context, "#/pools", async (page, mock) => {
		await tabTo(page, /Take out: hgw-01/);
		await page.keyboard.press("ArrowDown");
		has(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Take out: hgw-03", "next row");
		await page.keyboard.press("End");
		await page.keyboard.press("Enter");
		has(await page.getByRole("dialog").innerText(), "No new session is sent to it", "consequences");
		same(await page.evaluate(() => document.activeElement.id), "reason", "where the focus is");
		await page.keyboard.press("Escape");
		same(await page.getByRole("dialog").count(), 0, "dialogs");
		has(await page.evaluate(() => document.activeElement.getAttribute("aria-label") || ""), "Take out", "where the focus comes back to");
		same(mock.acts.length, 0, "orders");
	});
});

test("focus stays where it is while ticks come", async (context) => {
	await on(context, "#/now", async (page) => {
		for (const wanted of [/^A .*pcrf-2/, /^A .*hgw-01/, /^BUTTON small.*Copy/]) {
			await tabTo(page, wanted);
			const before = await page.evaluate(() => document.activeElement.textContent);
			await page.waitForTimeout(2300);
			same(await page.evaluate(() => document.activeElement.textContent), before, "focus");
			await page.locator("#title").focus();
		}
	});
});

test("every target is at least 24 by 24 pixels, or stands in a line of text", async (context) => {
	await on(context, "#/now", async (page, mock) => {
		for (const screen of SCREENS) {
			await page.goto(`${mock.url}/#/${screen}`);
			await page.waitForTimeout(1000);
			const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, textarea, [role=img][tabindex]")].filter((node) => node.offsetParent !== null).map((node) => {
				const target = node.type === "checkbox" ? node.closest("label") : node;
				const box = target.getBoundingClientRect();
				return box.width < 24 || box.height < 24 ? `${node.tagName} ${node.textContent || node.id} ${box.width.toFixed(0)}x${box.height.toFixed(0)}` : "";
			}).filter(Boolean));
			same(small.join("; "), "", `small targets on ${screen}`);
		}
	});
});
