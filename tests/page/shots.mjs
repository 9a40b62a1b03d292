// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Pictures of every screen in both themes, into shots/, to be looked at.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SCREENS, launch, visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "shots");
fs.mkdirSync(folder, { recursive: true });
const browser = await launch();
const hashes = { find: "#/find?client=hgw-01.visited.example&decision=9f3c-88120", pools: "#/pools?node=pcrf-2.example.net" };
for (const [name, options] of Object.entries({ storm: {}, empty: { mode: "empty" }, many: { peers: 500, storms: 3 } })) {
	if (process.argv[2] && process.argv[2] !== name)
		continue;
	const mock = await new Mock(options).start();
	for (const theme of ["light", "dark"]) {
		for (const screen of name === "many" ? ["now"] : SCREENS) {
			const page = await visit(browser, mock.url, { theme, hash: hashes[screen] && name === "storm" ? hashes[screen] : `#/${screen}` });
			await page.waitForTimeout(2600);
			await page.screenshot({ path: path.join(folder, `${name}-${screen}-${theme}.png`), fullPage: screen !== "now" });
			if (page.complaints.length)
				console.log(name, screen, theme, page.complaints.slice(0, 3));
			await page.context().close();
		}
	}
	await mock.stop();
}
await browser.close();
