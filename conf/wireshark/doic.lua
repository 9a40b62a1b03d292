-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- Wireshark plugin: names OC-Maximum-Rate (RFC 8582), which dictionaries up to Wireshark 4.0 do not know, and makes overload reports and refusals
-- of the agent things to filter, colour and count:
--   diameter.OC-Maximum-Rate == 250    doic.rate == 250    doic.report == "host"    doic.reduction > 20
--   doic.refused    doic.refused.why contains "realm"    doic.drmp < 4    doic.load < 1000
-- The AVPs that Wireshark knows (diameter.OC-*, diameter.Load*, diameter.DRMP) keep their own fields.

local MAXIMUM_RATE = 670
local report_types = { [0] = "host", [1] = "realm", [2] = "peer" }

-- The AVP itself.
local rate_avp = Proto("doic_rate", "OC-Maximum-Rate")
local rate_value = ProtoField.uint32("diameter.OC-Maximum-Rate", "OC-Maximum-Rate", base.DEC, nil, nil, "requests per second")
rate_avp.fields = { rate_value }

function rate_avp.dissector(tvb, pinfo, tree)
	if tvb:len() ~= 4 then
		return 0
	end
	tree:add(rate_value, tvb(0, 4))
	return 4
end

DissectorTable.get("diameter.base"):add(MAXIMUM_RATE, rate_avp)

-- What a message says, in one place.
local doic = Proto("doic", "Diameter overload indication")
local f = {
	report = ProtoField.string("doic.report", "Report"),
	sequence = ProtoField.uint64("doic.sequence", "Sequence number"),
	reduction = ProtoField.uint32("doic.reduction", "Reduction asked for (%)"),
	rate = ProtoField.uint32("doic.rate", "Rate allotted (requests/s)"),
	validity = ProtoField.uint32("doic.validity", "Valid for (s)"),
	source = ProtoField.string("doic.source", "Told by"),
	load = ProtoField.uint64("doic.load", "Load (65535 idle, 0 full)"),
	drmp = ProtoField.uint32("doic.drmp", "Priority (0 highest)"),
	refused = ProtoField.bool("doic.refused", "Refused by an agent"),
	why = ProtoField.string("doic.refused.why", "Why"),
}
local e = {
	report = ProtoExpert.new("doic.expert.report", "An overload report", expert.group.RESPONSE_CODE, expert.severity.NOTE),
	refused = ProtoExpert.new("doic.expert.refused", "Refused by an agent", expert.group.RESPONSE_CODE, expert.severity.WARN),
	percent = ProtoExpert.new("doic.expert.percent", "A reduction above 100 %", expert.group.PROTOCOL, expert.severity.ERROR),
	kind = ProtoExpert.new("doic.expert.type", "A report of unknown type", expert.group.PROTOCOL, expert.severity.ERROR),
}
doic.fields = { f.report, f.sequence, f.reduction, f.rate, f.validity, f.source, f.load, f.drmp, f.refused, f.why }
doic.experts = { e.report, e.refused, e.percent, e.kind }

local get = {}
for key, name in pairs({
	olr = "diameter.OC-OLR", kind = "diameter.OC-Report-Type", sequence = "diameter.OC-Sequence-Number",
	reduction = "diameter.OC-Reduction-Percentage", validity = "diameter.OC-Validity-Duration", source = "diameter.SourceID",
	load = "diameter.Load-Value", drmp = "diameter.DRMP", result = "diameter.Result-Code", text = "diameter.Error-Message",
	rate = "diameter.OC-Maximum-Rate",
}) do
	get[key] = Field.new(name)
end

-- The first of a kind of AVP that lies inside @whole; nil.
local function inside(whole, infos)
	for _, info in ipairs(infos) do
		if info.source == whole.source and info.offset >= whole.offset and info.offset + info.len <= whole.offset + whole.len then
			return info
		end
	end
	return nil
end

local function add_report(tree, olr, all)
	local kind, sequence = inside(olr, all.kind), inside(olr, all.sequence)
	local name = kind and (report_types[tonumber(kind.value)] or "type " .. tostring(kind.value)) or "unknown"
	local item = tree:add(f.report, name)
	local words = name .. " report"
	if sequence then
		item:add(f.sequence, sequence.value)
	end
	local reduction, rate = inside(olr, all.reduction), inside(olr, all.rate)
	if reduction then
		item:add(f.reduction, tonumber(tostring(reduction.value)))
		words = words .. ", " .. tostring(reduction.value) .. " % less"
		if tonumber(tostring(reduction.value)) > 100 then
			item:add_proto_expert_info(e.percent)
		end
	end
	if rate then
		item:add(f.rate, tonumber(tostring(rate.value)))
		words = words .. ", at most " .. tostring(rate.value) .. "/s"
	end
	local validity, source = inside(olr, all.validity), inside(olr, all.source)
	if validity then
		item:add(f.validity, tonumber(tostring(validity.value)))
	end
	if source then
		item:add(f.source, tostring(source.value))
	end
	if kind and not report_types[tonumber(kind.value)] then
		item:add_proto_expert_info(e.kind)
	end
	item:append_text(" (" .. words .. ")")
	item:add_proto_expert_info(e.report, words)
	return words
end

-- Refusals of the agent carry one of its texts; a server's own 3004 or 5012 does not.
local function refusal(all)
	for _, result in ipairs(all.result) do
		local code = tonumber(result.value)
		for _, text in ipairs(code and (code == 3004 or code == 5012 or code == 3002) and all.text or {}) do
			local words = tostring(text.value)
			if words:find("^Throttled: ") or words:find("^Too many unanswered requests") then
				return words
			end
		end
	end
	return nil
end

function doic.dissector(tvb, pinfo, tree)
	local all = {}
	for key, field in pairs(get) do
		all[key] = { field() }
	end
	local why = refusal(all)
	if #all.olr == 0 and #all.load == 0 and #all.drmp == 0 and not why then
		return
	end
	local top = tree:add(doic, tvb(0, 0))
	for _, olr in ipairs(all.olr) do
		add_report(top, olr, all)
	end
	for _, load in ipairs(all.load) do
		top:add(f.load, load.value)
	end
	for _, drmp in ipairs(all.drmp) do
		top:add(f.drmp, tonumber(drmp.value))
	end
	if why then
		local item = top:add(f.refused, true)
		item:add(f.why, why)
		item:add_proto_expert_info(e.refused, why)
	end
end

register_postdissector(doic)
