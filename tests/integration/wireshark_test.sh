#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The Wireshark plugin on captures of a lab run: OC-Maximum-Rate has a name, a value and a filter, reports and refusals are things to filter and
# are told as expert information; without the plugin nothing changes. doic wireshark installs it for one user, and only there.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
lab_need tshark tshark
doic=$LAB_BUILD/bin/doic
export HOME=$LAB_DIR/home XDG_CONFIG_HOME='' XDG_DATA_HOME='' # an installation of its own
unset XDG_CONFIG_HOME XDG_DATA_HOME
mkdir -p "$HOME"

scene_conf evidence.batch_max_ms=100
scene_server s1 --dump "$SCENE/s1.pcap" --vector 21 --from-first --report "type=host,seq=7,pct=60,validity=60" \
	--report "type=peer,seq=3,rate=250,validity=10,source=s1.example.net" --report "type=realm,seq=2,pct=101,validity=5" --load 40000
scene_server s2 --doic
scene_relay
scene_client c1 --dump "$SCENE/c1.pcap" --doic --drmp 3 --rate 100 --count 200 --dest-host s1.example.net
scene_wait c1
# A client that cannot react itself, for which the agent does.
scene_client c2 --dump "$SCENE/c2.pcap" --rate 100 --count 200 --dest-host s1.example.net
scene_wait c2
scene_stop
capture=$SCENE/s1.pcap
plain() { tshark -r "$1" "${@:2}" 2>"$LAB_DIR/tshark.err"; }
with() { plain "$1" -X lua_script:conf/wireshark/doic.lua "${@:2}"; }
count() { "$@" | wc -l; }

reports=$(count plain "$capture" -Y 'diameter.OC-OLR')
rates=$(count plain "$capture" -Y 'diameter.avp.code == 670')
ok "there are reports, some with a rate" test "$reports" -gt 50 -a "$rates" -gt 20
is "without the plugin the rate is unknown, and there is no such filter" "0" "$(count plain "$capture" -Y 'diameter.OC-Maximum-Rate')"
with "$capture" -Y 'doic.report' >/dev/null
is "the plugin says nothing wrong" "" "$(grep -i 'lua\|error' "$LAB_DIR/tshark.err" | grep -v 'Running as')"
is "OC-Maximum-Rate has a name and a value" "250" "$(with "$capture" -Y diameter.OC-Maximum-Rate -T fields -e diameter.OC-Maximum-Rate | sort -u)"
ok "in the tree by its name" bash -c "tshark -r $capture -X lua_script:conf/wireshark/doic.lua -Y 'doic.rate == 250' -V 2>/dev/null | grep -q 'OC-Maximum-Rate: 250'"
is "filters find it" "$rates $rates 0" "$(count with "$capture" -Y 'diameter.OC-Maximum-Rate == 250') $(count with "$capture" -Y 'doic.rate == 250') $(count with "$capture" -Y 'doic.rate > 250')"
is "each report by its type" "$reports $reports $rates" "$(for type in host realm peer; do count with "$capture" -Y "doic.report == \"$type\""; done | xargs)"
is "with what belongs to it" "60,101 60,10,5 7,3,2" \
	"$(with "$capture" -Y doic.rate -T fields -e doic.reduction -e doic.validity -e doic.sequence | sort -u | tr '\t' ' ')"
is "a percentage above 100 is an error" "$reports" "$(count with "$capture" -Y 'doic.expert.percent')"
is "reports are expert information" "$reports" "$(count with "$capture" -Y 'doic.expert.report')"
is "loads" 40000 "$(with "$capture" -Y doic.load -T fields -e doic.load | tr ',' '\n' | sort -u)"
is "priorities" 3 "$(with "$SCENE/c1.pcap" -Y doic.drmp -T fields -e doic.drmp | tr ',' '\n' | sort -u)"
refused=$(sql "SELECT count(*) FROM decision WHERE verdict = 2")
ok "requests were refused" test "$refused" -gt 20
is "as many are found in what the client saw" "$refused" "$(count with "$SCENE/c2.pcap" -Y doic.refused)"
is "and why" "Throttled: the destination host reports overload" "$(with "$SCENE/c2.pcap" -Y doic.refused -T fields -e doic.refused.why | sort -u)"
is "everything else is decoded as before" "$(plain "$SCENE/c1.pcap" -T fields -e frame.number -e diameter.Session-Id -e diameter.Result-Code -e diameter.OC-Sequence-Number | md5sum)" \
	"$(with "$SCENE/c1.pcap" -T fields -e frame.number -e diameter.Session-Id -e diameter.Result-Code -e diameter.OC-Sequence-Number | md5sum)"

# Installed for this user.
before=$(plain "$capture" | md5sum) colours=$(plain "$SCENE/c2.pcap" --color -T fields -e frame.coloring_rule.name | sort | uniq -c | xargs)
is "a dry run" 0 "$("$doic" wireshark --install-user --dry-run >"$LAB_DIR/out"; echo $?)"
ok "says what it would write" grep -q "$HOME/.local/lib/wireshark/plugins/doic.lua" "$LAB_DIR/out"
is "and writes nothing" "" "$(find "$HOME" -name 'doic*')"
is "without saying what to do" 2 "$("$doic" wireshark >/dev/null 2>&1; echo $?)"
is "installed" 0 "$("$doic" wireshark --install-user >"$LAB_DIR/out"; echo $?)"
ok "the same plugin" cmp conf/wireshark/doic.lua "$HOME/.local/lib/wireshark/plugins/doic.lua"
is "tshark finds it by itself" "$rates" "$(count plain "$capture" -Y 'doic.rate == 250')"
is "the profile has its files" "colorfilters dfilter_buttons preferences" "$(find "$HOME/.config/wireshark/profiles/doic" -type f -printf '%f\n' | sort | xargs)"
is "and its columns" "host,peer,realm" "$(plain "$capture" -C doic -Y doic.rate | tee "$LAB_DIR/columns" | head -1 | grep -o 'host,peer,realm')"
colour() { plain "$1" -C doic --color -Y "$2" -T fields -e frame.coloring_rule.name | sort -u; }
is "a colour of its own for refusals" "DOIC refused by an agent" "$(colour "$SCENE/c2.pcap" doic.refused)"
is "and for reports" "DOIC report: host" "$(colour "$capture" doic.report)"
# All of the profile is what a window would use, whether it is seen there or not: each filter can be read and finds something.
buttons=$HOME/.config/wireshark/profiles/doic/dfilter_buttons rules=$HOME/.config/wireshark/profiles/doic/colorfilters
is "each button finds something" "" "$(cut -d'"' -f6 "$buttons" | while read -r filter; do
	[ "$(count plain "$capture" -C doic -Y "$filter")$(count plain "$SCENE/c2.pcap" -C doic -Y "$filter")" != 00 ] || echo "$filter"
done)"
is "each rule of the colours can be read" "" "$(grep '^@' "$rules" | cut -d@ -f3 | while read -r filter; do plain "$capture" -C doic -Y "$filter" >/dev/null || echo "$filter"; done)"
is "no two rules are one" "" "$(grep '^@' "$rules" | cut -d@ -f3 | sort | uniq -d)"
is "text and ground of each are apart (WCAG 4.5)" "" "$(grep '^@' "$rules" | tr '@[],' '\t' | awk -F'\t' '
	function part(value) { value /= 65535; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ^ 2.4 }
	{ n = 0; for (i = 4; i <= NF; i++) if ($i != "") v[++n] = $i
	  ground = 0.2126 * part(v[1]) + 0.7152 * part(v[2]) + 0.0722 * part(v[3]); text = 0.2126 * part(v[4]) + 0.7152 * part(v[5]) + 0.0722 * part(v[6])
	  if ((ground + 0.05) / (text + 0.05) < 4.5) print $2 }')"
columns=$(plain "$capture" -C doic -Y doic.rate -T fields -e _ws.col.Report -e _ws.col.Sequence 2>/dev/null | head -1)
is "a column of its own for type and sequence" "host,peer,realm 7,3,2" "$(tr '\t' ' ' <<<"$columns")"
is "who does not ask for the profile sees the same lines" "$before" "$(plain "$capture" | md5sum)"
is "in the same colours" "$colours" "$(plain "$SCENE/c2.pcap" --color -T fields -e frame.coloring_rule.name | sort | uniq -c | xargs)"
is "again: nothing is new" 0 "$("$doic" wireshark --install-user >"$LAB_DIR/out"; echo $?)"
echo "-- mine" >>"$HOME/.local/lib/wireshark/plugins/doic.lua"
is "what was changed by hand stays" 1 "$("$doic" wireshark --install-user >"$LAB_DIR/out" 2>&1; echo $?)"
is "unless told" 0 "$("$doic" wireshark --install-user --yes >"$LAB_DIR/out" 2>&1; echo $?)"
ok "then it is the plugin" cmp conf/wireshark/doic.lua "$HOME/.local/lib/wireshark/plugins/doic.lua"
scene_end
