// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// All tests of the page: node main.mjs [FIGURES.json] [COMMIT]. BASE_URL: those that hold for any server, against that one.
import { runAll, writeFigures } from "./check.mjs";
import { launch } from "./browser.mjs";
import "./test_screens.mjs";
import "./test_asked.mjs";
import "./test_live.mjs";
import "./test_states.mjs";
import "./test_keyboard.mjs";
import "./test_actions.mjs";
import "./test_many.mjs";
import "./test_embed.mjs";

const browser = await launch();
const failed = await runAll({ browser, base: process.env.BASE_URL || "" });
await browser.close();
if (process.argv[2])
	writeFigures(process.argv[2], process.argv[3] || "");
process.exit(failed ? 1 : 0);
