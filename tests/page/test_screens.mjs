// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Every screen in both themes, live and paused: it is drawn, axe finds nothing, and the browser complains about nothing.
import AxeBuilder from "@axe-core/playwright";
import { figure, has, same, test, that } from "./check.mjs";
import { SCREENS, visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

const Axe = AxeBuilder.default || AxeBuilder;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// What axe has to say of the page as it is.
async function violations(page) {
	const { violations: found } = await new Axe({ page }).withTags(TAGS).analyze();
	return found.map((each) => `${each.id}: ${each.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" ; ")}`);
}

async function withServer(context, options, run) {
	if (context.base)
		return run(context.base);
	const mock = await new Mock(options).start();
	try {
		return await run(mock.url, mock);
	} finally {
		await mock.stop();
	}
}

test("every screen is drawn in both themes, with nothing for axe to find and no complaint of the browser", async (context) => {
	let count = 0;
	const found = [];
	await withServer(context, { gaps: 412 }, async (url) => {
		for (const theme of ["light", "dark"]) {
			const page = await visit(context.browser, url, { theme });
			for (const screen of SCREENS) {
				for (const paused of ["", "?paused=1"]) {
					await page.goto(`${url}/#/${screen}${paused}`);
					await page.waitForTimeout(1200);
					same(await page.locator("h1").count(), 1, `h1 of ${screen}`);
					that((await page.locator("#screen").innerText()).length > 100, `${screen} is nearly blank`);
					const now = await violations(page);
					count += now.length;
					found.push(...now.map((each) => `${screen} ${theme}${paused}: ${each}`));
				}
			}
			same(page.complaints.join("; "), "", `complaints in theme ${theme}`);
			await page.context().close();
		}
	});
	if (found.length)
		console.log(found.join("\n"));
	figure("page.axe_violations", count, "", "<= 0", "axe-core, WCAG 2.2 AA and best practice, 6 screens, both themes, live and paused");
}, { anywhere: true });

test("dialogs and opened tables leave nothing for axe to find", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url, { hash: "#/now" });
		await page.waitForTimeout(1500);
		for (const button of await page.locator("figcaption button").all())
			await button.click();
		same((await violations(page)).join("\n"), "", "tables of charts");
		await page.getByRole("button", { name: "Help" }).click();
		same((await violations(page)).join("\n"), "", "help");
		await page.keyboard.press("Escape");
		await page.goto(`${url}/#/pools?node=pcrf-2.example.net`);
		await page.waitForTimeout(1500);
		await page.getByRole("button", { name: "Take out: pcrf-2.example.net" }).click();
		same((await violations(page)).join("\n"), "", "order");
		await page.keyboard.press("Escape");
		await page.goto(`${url}/#/find?decision=9f3c-88120&client=hgw-01.visited.example`);
		await page.waitForTimeout(800);
		same((await violations(page)).join("\n"), "", "decision");
		same(page.complaints.join("; "), "", "complaints");
		await page.context().close();
	});
});

test("the first screen is seen at once at 1280 by 720", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url);
		await page.waitForTimeout(2000);
		const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
		that(inner <= outer, `the page is ${inner} high, the window ${outer}`);
		await page.context().close();
	});
}, { anywhere: true });

test("the first sentences say who asks, how much, that we obey, that it helps, and who causes it", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url);
		await page.waitForTimeout(2500);
		const text = await page.locator(".story").innerText();
		for (const part of ["pcrf-2.example.net asks for 30 % less", "held for 4 m", "we obey and selected 30.00 %", "it helps", "fell 3", "of the excess comes from hgw-01.visited.example", "times its usual", "does not slow down"])
			has(text, part, "story");
		const steps = await page.locator(".steps .step").allInnerTexts();
		same(steps.join(), "asked,held,selected,arrived,useful", "steps");
		await page.context().close();
	});
});

test("at 320 pixels nothing needs scrolling sideways, and nothing is lost", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url, { width: 320, height: 640 });
		for (const screen of SCREENS) {
			await page.goto(`${url}/#/${screen}`);
			await page.waitForTimeout(1200);
			const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
			that(inner <= outer, `${screen} is ${inner} wide in a window of ${outer}`);
		}
		await page.context().close();
	});
}, { anywhere: true });

test("text of 200 % makes no screen wider than the window", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url);
		for (const screen of SCREENS) {
			await page.goto(`${url}/#/${screen}`);
			await page.waitForTimeout(1000);
			await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
			await page.waitForTimeout(400);
			const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
			that(inner <= outer, `${screen} is ${inner} wide in a window of ${outer}`);
		}
		await page.context().close();
	});
});

test("forced colours and paper show the sentence", async (context) => {
	await withServer(context, {}, async (url) => {
		const page = await visit(context.browser, url, { forcedColors: "active" });
		await page.waitForTimeout(1500);
		has(await page.locator(".story").innerText(), "asks for 30 % less");
		await page.emulateMedia({ media: "print" });
		that(await page.locator(".sentence").first().isVisible(), "no sentence on paper");
		that(!await page.getByRole("button", { name: "Pause" }).isVisible(), "a button on paper");
		await page.context().close();
	});
});
