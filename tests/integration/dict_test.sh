#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# dict_doic.fdx in a real daemon: types, flags, rules and values; the byte vectors; other dictionaries beside it.
#
#   tests/integration/dict_test.sh [--build build/release]
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

BUILD=build/release
[ "${1:-}" != --build ] || BUILD=$2

# dictionary NAME EXTENSIONS...: runs a daemon with them; what dict_check.fdx found goes to $LAB_DIR/NAME.txt.
dictionary() {
	local name=$1 port
	shift
	lab_port port
	lab_relay "$name" "$port" "$@" "dict_check.fdx=$LAB_DIR/$name.txt" --
	# Nothing more is wanted of it, and without an open peer freeDiameter 1.2.1 may abort when it is asked to stop on a busy
	# machine (extensions/doic/ofd_drain.c).
	kill -KILL "${LAB_PID[$name]}"
	lab_reap "$name" 50
	tail -n 1 "$LAB_DIR/$name.txt" | grep -qx end
}

has() {
	grep -qxF -- "$2" "$LAB_DIR/$1.txt" || { echo "        $1 lacks: $2" >&2; false; }
}

says() {
	lab_said "$1" "NOTI.*dict_doic: .*$2" || { echo "        the log of $1 lacks: $2" >&2; false; }
}

silent() {
	! lab_said "$1" "dict_doic:"
}

same() {
	diff <(grep -v '^vendor' "$LAB_DIR/$1.txt") <(grep -v '^vendor' "$LAB_DIR/$2.txt") >&2
}

expected_avps() {
	cat <<-'END'
		avp 301 DRMP Integer32 V-clear,M-free
		avp 621 OC-Supported-Features Grouped V-clear,M-free
		avp 622 OC-Feature-Vector Unsigned64 V-clear,M-free
		avp 623 OC-OLR Grouped V-clear,M-free
		avp 624 OC-Sequence-Number Unsigned64 V-clear,M-free
		avp 625 OC-Validity-Duration Unsigned32 V-clear,M-free
		avp 626 OC-Report-Type Integer32 V-clear,M-free
		avp 627 OC-Reduction-Percentage Unsigned32 V-clear,M-free
		avp 648 OC-Peer-Algo Unsigned64 V-clear,M-free
		avp 649 SourceID OctetString V-clear,M-free
		avp 650 Load Grouped V-clear,M-free
		avp 651 Load-Type Integer32 V-clear,M-free
		avp 652 Load-Value Unsigned64 V-clear,M-free
		avp 670 OC-Maximum-Rate Unsigned32 V-clear,M-free
		avp 1320 3GPP-OC-Specific-Reduction Grouped V-set,M-free
		avp 1321 3GPP-OC-Rating-Group Unsigned32 V-set,M-free
		avp 1322 3GPP-OC-Request-Type Integer32 V-set,M-free
	END
}

expected_rules() {
	cat <<-'END'
		rule 621 622 optional max 1
		rule 621 648 optional max 1
		rule 621 649 optional max 1
		rule 623 624 required max 1
		rule 623 625 optional max 1
		rule 623 626 required max 1
		rule 623 627 optional max 1
		rule 623 649 optional max 1
		rule 623 670 optional max 1
		rule 623 1320 optional max -1
		rule 650 649 optional max 1
		rule 650 651 optional max 1
		rule 650 652 optional max 1
		rule 1320 627 optional max 1
		rule 1320 1321 optional max -1
		rule 1320 1322 optional max -1
	END
}

expected_values() {
	local i
	for i in {0..15}; do
		echo "value 301 $i PRIORITY_$i"
	done
	printf 'value 626 %s\n' "0 HOST_REPORT" "1 REALM_REPORT" "2 PEER_REPORT"
	printf 'value 651 %s\n' "0 HOST" "1 PEER"
	printf 'value 1322 %s\n' "1 INITIAL_REQUEST" "2 UPDATE_REQUEST" "3 TERMINATION_REQUEST" "4 EVENT_REQUEST"
}

expected_codec() {
	local i
	for i in {1..8}; do
		printf "TV$i %s\n" encodes parses
	done
	printf 'OC-OLR with %s\n' "sequence and type: accepted" "type before sequence: accepted" "rate: accepted" \
		"no sequence: refused" "no type: refused" "two percentages: refused"
}

# lists NAME PATTERN FUNCTION: the lines of NAME that match are those FUNCTION prints.
lists() {
	diff <("$3" | sort) <(grep -E "$2" "$LAB_DIR/$1.txt" | sort) >&2
}

test_alone() {
	ok "dictionary loads and defines silently" dictionary alone dict_doic.fdx
	ok "17 AVPs with type, V as their vendor wants it and M free" lists alone '^avp' expected_avps
	ok "rules require sequence and type only" lists alone '^rule' expected_rules
	ok "enumerated values have names" lists alone '^value' expected_values
	ok "TV1..TV8 encode and parse, rules judge reports" lists alone '^(TV|OC-OLR)' expected_codec
	ok "a report with reductions for rating groups parses whole" has alone "specific reduction parses"
	ok "nothing to say when nothing clashes" silent alone
	ok "loading twice starts" dictionary twice dict_doic.fdx dict_doic.fdx
	ok "loading twice changes nothing" same alone twice
	ok "loading twice says nothing" silent twice
}

test_clash_first() {
	ok "a clashing dictionary first: the daemon starts" dictionary before dict_clash.fdx dict_doic.fdx
	ok "an identical definition is used" has before "avp 622 OC-Feature-Vector Unsigned64 V-clear,M-free"
	ok "another type stays" has before "avp 623 OC-OLR OctetString V-clear,M-free"
	ok "another type is said" says before "code=623.*type OctetString instead of Grouped"
	ok "another name stays" has before "avp 627 Overload-Reduction Unsigned32 V-clear,M-free"
	ok "another name is said" says before "code=627 is already defined as 'Overload-Reduction'"
	ok "a fixed M flag stays" has before "avp 625 OC-Validity-Duration Unsigned32 M-fixed"
	ok "a fixed M flag is said" says before "code=625.*fixed M flag"
	ok "a taken name leaves its code out" has before "avp 650 missing"
	ok "a taken name is said" says before "the name Load is already used for code=65000"
	ok "a value name taken is said" says before "value=REALM_REPORT of avp=OC-Report-Type"
	ok "the rest is defined" has before "avp 670 OC-Maximum-Rate Unsigned32 V-clear,M-free"
	ok "what is untouched still encodes" has before "TV4 encodes"
	ok "what is untouched still parses" has before "TV4 parses"
}

test_clash_last() {
	ok "a clashing dictionary last: the daemon starts" dictionary after dict_doic.fdx dict_clash.fdx
	ok "what was defined first stands whole" same alone after
	ok "the dictionary has nothing to say" silent after
}

test_3gpp() {
	local gpp=(dict_nasreq.fdx dict_dcca.fdx dict_dcca_3gpp.fdx)
	ok "after dict_dcca_3gpp: the daemon starts" dictionary gpp-first "${gpp[@]}" dict_doic.fdx
	ok "after dict_dcca_3gpp: all defined" same alone gpp-first
	ok "after dict_dcca_3gpp: nothing to say" silent gpp-first
	ok "vendor 10415 keeps its 623" has gpp-first "vendor 10415 avp 623 User-Authorization-Type"
	ok "before dict_dcca_3gpp: the daemon starts" dictionary gpp-last dict_doic.fdx "${gpp[@]}"
	ok "before dict_dcca_3gpp: all defined" same alone gpp-last
	ok "before dict_dcca_3gpp: nothing to say" silent gpp-last
	ok "after dict_dcca_3gpp: reductions parse too" has gpp-first "specific reduction parses"
	ok "vendor 10415 gets its 623" has gpp-last "vendor 10415 avp 623 User-Authorization-Type"
}

lab_begin "$BUILD" 100
test_alone
test_clash_first
test_clash_last
test_3gpp
scene_end
