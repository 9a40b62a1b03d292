// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Numbers and times as text. Unknown is an en dash, never 0.

export const UNKNOWN = "–";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

// "RUN-N": the life of the agent, which may have hyphens of its own, and the number.
export function splitId(id) {
	const at = id.lastIndexOf("-");
	return at < 0 ? ["", id] : [id.slice(0, at), id.slice(at + 1)];
}

export function isKnown(value) {
	return typeof value === "number" && Number.isFinite(value);
}

export function count(value) {
	return isKnown(value) ? whole.format(value) : UNKNOWN;
}

// Per second: small ones keep a digit.
export function rate(value) {
	if (!isKnown(value))
		return UNKNOWN;
	return (Math.abs(value) < 10 && !Number.isInteger(value) ? tenth : whole).format(value);
}

export function percent(ratio, digits = 0) {
	return isKnown(ratio) ? `${(ratio * 100).toFixed(digits)} %` : UNKNOWN;
}

export function times(factor) {
	return isKnown(factor) ? `${factor.toFixed(1)} times` : UNKNOWN;
}

// A delay in s, with the unit that reads best.
export function delay(seconds) {
	if (!isKnown(seconds))
		return UNKNOWN;
	if (seconds < 0.0005)
		return `${Math.round(seconds * 1e6)} µs`;
	return seconds < 0.1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(2)} s`;
}

export function duration(seconds) {
	if (!isKnown(seconds))
		return UNKNOWN;
	const s = Math.floor(seconds);
	if (s < 60)
		return `${s} s`;
	if (s < 3600)
		return `${Math.floor(s / 60)} m ${s % 60} s`;
	if (s < 86400)
		return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} m`;
	return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
}

export function octets(value) {
	if (!isKnown(value))
		return UNKNOWN;
	const units = ["octets", "kB", "MB", "GB", "TB"];
	let i = 0;
	for (; value >= 1000 && i < units.length - 1; i++)
		value /= 1000;
	return `${i === 0 ? value : value.toFixed(1)} ${units[i]}`;
}

function date(value) {
	const at = value instanceof Date ? value : new Date(typeof value === "number" ? value : String(value));
	return Number.isNaN(at.getTime()) ? null : at;
}

// "14:03:27Z"
export function clock(value) {
	const at = value === undefined || value === null ? null : date(value);
	return at ? `${at.toISOString().slice(11, 19)}Z` : UNKNOWN;
}

// "14:03:27.114"
export function clockMs(value) {
	const at = value === undefined || value === null ? null : date(value);
	return at ? at.toISOString().slice(11, 23) : UNKNOWN;
}

// "2026-11-29 14:03:27Z"
export function dateTime(value) {
	const at = value === undefined || value === null ? null : date(value);
	return at ? `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 19)}Z` : UNKNOWN;
}

export function localTime(value) {
	const at = date(value);
	return at ? `${at.toLocaleString()} on this computer` : "";
}

// What a state or report asks: "30 %" or "250/s".
export function asked(entry) {
	if (isKnown(entry.rate_per_second))
		return `${count(entry.rate_per_second)}/s`;
	if (isKnown(entry.ordered_rate_per_second))
		return `${count(entry.ordered_rate_per_second)}/s`;
	return percent(entry.reduction_ratio);
}

// The first label of a host name, where the rest says nothing new.
export function short(name) {
	const text = String(name ?? "");
	return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}

// A word of a shell's command line.
export function quoted(word) {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// "0000  00 00 02 6f ..." sixteen octets a line.
export function hexLines(hex) {
	const octets = hex.match(/../g) || [];
	const out = [];
	for (let i = 0; i < octets.length; i += 16)
		out.push(`${i.toString(16).padStart(4, "0")}  ${octets.slice(i, i + 16).join(" ")}`);
	return out.join("\n");
}

const bits = [[0x1, "loss"], [0x4, "rate"], [0x10, "peer reports"]];

// What an announcement says: OC-Feature-Vector in hexadecimal. One without a vector means loss, which everybody who speaks DOIC knows.
export function features(row) {
	if (row.present === 0)
		return "none";
	const vector = Number.parseInt(row.vector ?? "1", 16);
	const named = bits.filter(([bit]) => Math.floor(vector / bit) % 2 === 1).map(([, word]) => word);
	return named.join(", ") || `0x${vector.toString(16)}`;
}
