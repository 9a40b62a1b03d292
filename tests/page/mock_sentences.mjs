// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Sentences as the server makes them (web/oweb_story.c) of the mock's story: the shapes and the words, not the sums.
const say = (text) => ({ text });

function duration(s) {
	if (s < 60)
		return `${s} s`;
	return s < 3600 ? `${Math.floor(s / 60)} m ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} m`;
}

function asks(entry, silent) {
	const subject = { text: entry.subject, version: entry.version };
	const effect = silent === entry.subject ? "no traffic to it is seen here, so nothing is claimed about the effect" : entry.condition_seconds < 3 ? "too early to tell whether it helps"
		: "it helps: what is sent there fell 30 %, useful answers 2,614/s, 2,301/s before";
	const rest = ` (${entry.is_own ? "its own order, " : ""}loss, host, Gx), held for ${duration(entry.condition_seconds)}; ${entry.same_matched > 0 ? "we obey and selected 30.00 %" : "no request has matched it yet"}; ${effect}.`;
	return entry.is_own ? { kind: "warn", brief: "This node itself asks for 30 % less.", parts: [say("This node itself asks for 30 % less to "), subject, say(rest)] }
		: { kind: "warn", brief: `${entry.subject} asks for 30 % less.`, parts: [subject, say(` asks for 30 % less${rest}`)] };
}

function causes(mock) {
	const [node] = mock.story.clients;
	const heed = { kind: "bad", parts: [{ text: node, node }, say(" was told to send less to pcrf-2.example.net and goes on: 100/s where 70/s would obey.")] };
	const cause = mock.story.storms > 1 ? { kind: "warn", parts: [say(`The excess comes from many: ${mock.story.storms} of ${mock.story.clients.length} senders offer twice their usual or more; none of them makes up a fifth of it.`)] }
		: { kind: "bad", parts: [say("98 % of the excess comes from "), { text: node, node }, say(": 2,304/s offered, 6.2 times its usual; it does not slow down although 553/s are refused.")] };
	return [heed, cause];
}

export function sentences(mock, states, peers) {
	if (states === undefined)
		return [{ kind: "busy", brief: "No agent runs here: what is shown is the end of a finished evidence folder.",
			parts: [say("No agent runs here: what is shown is the end of a finished evidence folder. Reports, pools and policy need a running agent.")] }];
	const active = Object.values(states);
	if (active.length > 0)
		return [...active.map((entry) => asks(entry, mock.options.silent)), ...causes(mock)];
	const up = Object.values(peers).some((each) => each.is === "up");
	const closed = `No Diameter peer is open; ${Object.keys(peers).length} are configured`;
	const quiet = { kind: "ok", brief: "Nobody has asked for less.", parts: [say(`Nobody has asked for less since start (${duration(mock.now - mock.started)}). That is normal.`)] };
	return up ? [quiet] : [{ kind: "bad", brief: `${closed}.`, parts: [say(`${closed}. `), { text: "See Pools", screen: "pools" }, say(".")] }, quiet];
}
