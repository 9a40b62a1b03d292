// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// doic serve FOLDER: the same page over the folder that the story left.
import { has, same, test, that } from "./check.mjs";
import { visit } from "./browser.mjs";
import { TWO_VIEWS, lab, says, tour } from "./lab.mjs";

const wanted = { now: "No agent runs here: what is shown is the end of a finished evidence folder", reports: "nothing is held now", pools: "no agent runs, so there are no pools", find: "Give a Session-Id",
	evidence: "sealed", policy: "no policy is in force" };

test("doic serve shows the same page on the finished folder, and says what needs an agent", async ({ browser }) => {
	const [found, complaints] = await tour(browser, "finished", { views: TWO_VIEWS, look: async (page, screen) => {
		const text = await page.locator("body").innerText();
		has(text, wanted[screen], screen);
		has(text, "finished folder, not live", `head of ${screen}`);
		if (screen === "now") // its last ten minutes, not an empty picture
			has(await page.locator(".heatnames").textContent(), "c2.visited.example", "peers of its last ten minutes");
		that(!/undefined|NaN|\[object/.test(text), `${screen} shows ${/.{30}(undefined|NaN|\[object).{20}/s.exec(text)?.[0]}`);
	} });
	same(found.join("\n"), "", "axe");
	same(complaints.join("; "), "", "complaints");
});

test("a refused request is found in the finished folder, with why and proof", async ({ browser }) => {
	const page = await visit(browser, lab.url, { hash: "#/find?verdict=refused" });
	await page.locator(".ladder li a").first().click();
	await says(page, "Download the proof");
	has(await page.locator("#screen").innerText(), "host: state #", "why");
	same(page.complaints.join("; "), "", "complaints");
	await page.context().close();
});
