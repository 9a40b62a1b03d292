// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A relay that has just started, whose servers are not there yet and that nobody asks.
import { has, same, test, that } from "./check.mjs";
import { TWO_VIEWS, lab, tour } from "./lab.mjs";

const wanted = { now: "No Diameter peer is open; 2 are configured", reports: "Nobody has asked for less", pools: "down", find: "Give a Session-Id, a pseudonym or a decision", evidence: "No gap", policy: "v1" };

test("with no peers, no traffic and new evidence each screen has a useful sentence", async ({ browser }) => {
	const [found, complaints] = await tour(browser, "empty", { token: lab.admin, views: TWO_VIEWS, look: async (page, screen) => {
		const text = await page.locator("body").innerText();
		has(text, wanted[screen], screen);
		that(!/undefined|NaN|\[object/.test(text), `${screen} shows ${/.{30}(undefined|NaN|\[object).{20}/s.exec(text)?.[0]}`);
	} });
	same(found.join("\n"), "", "axe");
	same(complaints.join("; "), "", "complaints");
});
