// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Parts of the story that live.sh sets up: node live.mjs empty|running|finished [FIGURES.json] [COMMIT].
import { launch } from "./browser.mjs";
import { runAll, writeFigures } from "./check.mjs";

const part = process.argv[2];
await import(`./live_${part}.mjs`);
const browser = await launch();
const failed = await runAll({ browser, base: "" });
await browser.close();
if (process.argv[3])
	writeFigures(process.argv[3], process.argv[4] || "", true);
process.exit(failed ? 1 : 0);
