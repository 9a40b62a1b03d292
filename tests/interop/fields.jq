# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The lines of fields.c made of what tshark read: tshark -T json --no-duplicate-keys -J diameter | jq -r -f fields.jq

def list: if . == null then [] elif type == "array" then . else [.] end;

# AVPs of the base vendor with this code among those of a message or a group, in their order.
def avps($code): .["diameter.avp_tree"] | list | map(select(.["diameter.avp.code"] == $code
	and .["diameter.avp.flags_tree"]["diameter.flags.vendorspecific"] == "0"));

# The member of an AVP that tshark named after it: its value, or for a group, with "_tree" behind the name, its contents.
def named: to_entries | map(select(.key | test("^diameter\\.(avp|flags)") | not));
def value: named | map(select(.key | endswith("_tree") | not)) | .[0].value;
def group: named | map(select(.key | endswith("_tree"))) | .[0].value // {};

# OC-Maximum-Rate is younger than this tshark, which shows its octets, 00:00:01:f4.
def hex_digit: explode[0] | if . >= 97 then . - 87 else . - 48 end;
def unknown_u32: gsub(":"; "") | explode | map([.] | implode | hex_digit) | reduce .[] as $d (0; . * 16 + $d) | tostring;
def rate: .["diameter.avp.unknown"] as $octets | if $octets == null then value else $octets | unknown_u32 end;

def first_of($code): avps($code) | .[0] | if . == null then null else value end;
def shown($word; $value): " \($word)=\($value // "-")";
def name($word; $code): shown($word; first_of($code) | if . == null then null else ascii_downcase end);
def number($word; $code): shown($word; first_of($code));

def result: first_of("268") // (avps("297") | map(group | first_of("298")) | .[0]);
def cc_type: first_of("416") | if . != null and (tonumber | . >= 1 and . <= 4) then . else null end;
def drmp: first_of("301") | if . != null and (tonumber | . >= 0 and . <= 15) then . else null end;

def header: "len=\(.["diameter.length"]) flags=\(.["diameter.flags"]) cmd=\(.["diameter.cmd.code"])"
	+ " app=\(.["diameter.applicationId"]) e2e=\(.["diameter.endtoendid"])"
	+ name("origin"; "264") + name("realm"; "296") + name("dest"; "293") + name("dest-realm"; "283")
	+ shown("result"; result) + shown("type"; cc_type) + shown("drmp"; drmp);

def features: avps("621") | if length == 0 then " features=-"
	else " features=[\(.[0] | group | number("vector"; "622") + name("source"; "649") + number("algo"; "648")) ]"
		+ (if length > 1 then "+" else "" end) end;

def report: group | " report=[" + number("seq"; "624") + number("type"; "626") + number("pct"; "627") + number("validity"; "625")
	+ shown("rate"; avps("670") | .[0] | if . == null then null else rate end) + name("source"; "649") + " ]";

def load: group | " load=[" + number("type"; "651") + number("value"; "652") + name("source"; "649") + " ]";

def is_request: .["diameter.flags_tree"]["diameter.flags.request"] == "1";
def rating_groups: if .["diameter.applicationId"] == "4" then avps("456") | map(group | avps("432")[] | value) | .[:8] else [] end;
def application: number("apn"; "30") + (rating_groups | map(" group=\(.)") | add // "");

.[]._source.layers.diameter | list[]
	| header + features + (avps("623")[:6] | map(report) | add // "")
	+ if is_request then application
		else avps("650")[:4] | map(load) | add // "" end
