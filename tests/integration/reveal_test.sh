#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# doic reveal: two lives of a real relay, whose Session-Ids and subscribers tshark reads from captures at the clients. With the key every one of
# them is found, as often as it was sent; without it, or with another, nothing is.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 280
lab_need tshark tshark
lab_need jq jq
doic=$LAB_BUILD/bin/doic
evidence=$SCENE/evidence

# reveal OPTIONS...: rows in $SCENE/rows, exit code in $CODE.
reveal() {
	timeout 60 "$doic" reveal "$evidence" --ndjson --progress none "$@" >"$SCENE/rows" 2>"$SCENE/reveal.err" </dev/null
	CODE=$?
}
end() { tail -1 "$SCENE/rows" | jq -r "$1"; }

# Requests of applications in a capture, one line each: Session-Id, and whom it is about, the IMSI first.
requests() { # FILE
	tshark -r "$1" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields -E separator=/t -E aggregator='|' \
		-e diameter.Session-Id -e diameter.Subscription-Id-Type -e diameter.Subscription-Id-Data \
		-e diameter.User-Name -e diameter.applicationId 2>/dev/null |
		awk -F'\t' '{
			who = ""; n = split($2, type, "|"); split($3, data, "|")
			for (i = 1; i <= n; i++) if (who == "" || type[i] == 1) who = data[i]
			if (who == "" && ($5 == 16777251 || $5 == 16777216)) who = $4
			print $1 "\t" who
		}'
}
# "IDENTITY COUNT" of column N of those lines, sorted; without empty ones.
counted() { cut -f"$1" "$SCENE/requests" | grep -v '^$' | sort | uniq -c | awk '{ print $2, $1 }' | sort; }
# The same of what was revealed.
revealed() { jq -r 'select(.identity != null) | "\(.identity) \([.traces[].decisions] | add // 0)"' "$SCENE/rows" | sort; }

scene_conf evidence.batch_max_ms=50
scene_server s1 --from-first --report "at=0s,for=60s,type=realm,seq=7,pct=30,validity=60"
scene_server s2
scene_relay
scene_client c1 --count 1500 --rate 1000 --template mix --subscribers 40 --dump "$SCENE/c1.pcap" --seed 1
scene_wait c1
lab_stop dra
scene_relay
scene_client c2 --count 500 --window 20 --sessions 10 --template gx --subscribers 40 --dump "$SCENE/c2.pcap" --seed 2
scene_wait c2
scene_stop

{
	requests "$SCENE/c1.pcap"
	requests "$SCENE/c2.pcap"
} >"$SCENE/requests"
counted 1 >"$SCENE/sessions"
counted 2 >"$SCENE/subscribers"
ok "captured: $(wc -l <"$SCENE/requests") requests" test "$(wc -l <"$SCENE/requests")" -ge 1500
ok "of $(wc -l <"$SCENE/sessions") sessions" test "$(wc -l <"$SCENE/sessions")" -ge 500
ok "of $(wc -l <"$SCENE/subscribers") subscribers" test "$(wc -l <"$SCENE/subscribers")" -ge 20
cut -d' ' -f1 "$SCENE/sessions" >"$SCENE/sessions.txt"
cut -d' ' -f1 "$SCENE/subscribers" >"$SCENE/subscribers.txt"

reveal --kind session --list "$SCENE/sessions.txt"
is "every session is found" "0 found" "$CODE $(end .outcome)"
is "the key is that of the folder" same "$(end .key.is)"
is "each as often as tshark counts it" "" "$(diff "$SCENE/sessions" <(revealed) | head -3)"
segments=$(end '.segments | length')
ok "in both lives ($segments segments)" test "$segments" -ge 2

reveal --kind subscriber --list "$SCENE/subscribers.txt"
is "every subscriber is found" "0 found" "$CODE $(end .outcome)"
is "each as often as tshark counts it" "" "$(diff "$SCENE/subscribers" <(revealed) | head -3)"
refused=$(for segment in "$evidence"/seg-*.db; do
	sqlite3 -readonly "$segment" 'select count(*) from decision join way on way.id = way where verdict = 2 and subscriber is not null'
done | paste -sd+ | bc)
ok "some were refused ($refused)" test "$refused" -gt 10
is "as often as the decisions say" "$refused" \
	"$(jq -s '[.[] | select(.traces) | .traces[].refused] | add' "$SCENE/rows")"
one=$(head -1 "$SCENE/subscribers.txt")
is "sessions of a subscriber are those tshark sees" "$(awk -F'\t' -v who="$one" '$2 == who { print $1 }' "$SCENE/requests" | sort -u | wc -l)" \
	"$(jq -s --arg who "$one" '.[] | select(.identity == $who) | .traces[0].session_count' "$SCENE/rows")"

reveal 001019999999999 "$one"
is "a stranger is a definite no" "1 not_found found" \
	"$CODE $(jq -rs '[.[] | select(.identity) | .outcome] | join(" ")' "$SCENE/rows")"

pseudonym=$(jq -rs --arg who "$one" '.[] | select(.identity == $who) | .traces[] | select(.kind == "subscriber") | .pseudonym' "$SCENE/rows")
reveal --pseudonym "$pseudonym" --list "$SCENE/subscribers.txt"
is "a pseudonym is led back to its subscriber" "0 $one" "$CODE $(jq -rs '.[0].identity' "$SCENE/rows")"
reveal --pseudonym "$pseudonym" --list "$SCENE/sessions.txt"
is "and to nobody else" "1 null" "$CODE $(jq -rs '.[0].identity' "$SCENE/rows")"

# Handed over without the key.
grep -rlF -e "$one" -e "$(head -1 "$SCENE/sessions.txt")" "$evidence"/seg-* >"$SCENE/clear"
is "no identity stands in the evidence" 0 "$(wc -l <"$SCENE/clear")"
is "nor the key" 0 "$(grep -rlF -f <(awk '{ print $2 }' "$evidence.key" | grep -E '.{40}') "$evidence" | wc -l)"
is "the key is nobody else's to read" 600 "$(stat -c %a "$evidence.key")"
cp -r "$evidence" "$SCENE/handed"
evidence=$SCENE/handed
reveal "$one"
is "without the key nothing can be told" "3 cannot_tell none" "$CODE $(end '"\(.outcome) \(.key.is)"')"
{
	echo doic.key/1
	echo "ed25519-seed $(head -c 32 /dev/urandom | base64)"
	echo "pseudonym-key $(head -c 32 /dev/urandom | base64)"
} >"$SCENE/other.key"
chmod 600 "$SCENE/other.key"
reveal --key "$SCENE/other.key" --list "$SCENE/subscribers.txt"
is "another key reveals nothing" "3 foreign 0" "$CODE $(end .key.is) $(jq -s '[.[].traces // [] | .[]] | length' "$SCENE/rows")"
reveal --key "$SCENE/other.key" --pseudonym "$pseudonym" --list "$SCENE/subscribers.txt"
is "nor leads it a pseudonym back" "3 null" "$CODE $(jq -rs '.[0].identity' "$SCENE/rows")"
# Its seed changed for the right one, so that the folder's public key fits, it still has other pseudonyms.
sed "s|^ed25519-seed.*|$(grep '^ed25519-seed' "$SCENE/evidence.key")|" "$SCENE/other.key" >"$SCENE/half.key"
chmod 600 "$SCENE/half.key"
reveal --key "$SCENE/half.key" --list "$SCENE/subscribers.txt"
is "another pseudonym key finds none of them" "1 same 0" \
	"$CODE $(end .key.is) $(jq -s '[.[].traces // [] | .[].decisions] | add' "$SCENE/rows")"
chmod 640 "$SCENE/other.key"
reveal --key "$SCENE/other.key" "$one"
is "a key that others may read is refused" "4 unusable" "$CODE $(end .outcome)"
reveal --key "$SCENE/nowhere.key" "$one"
is "a key that is not there" 4 "$CODE"
is "the key is in no output" 0 "$(grep -cF -f <(awk '{ print $2 }' "$SCENE/evidence.key" | grep -E '.{40}') "$SCENE/rows" "$SCENE/reveal.err" | grep -vc ':0$')"

# Kept clear, by choice.
if grep -q '^  identities:' conf/doic.yaml; then
	rm -rf "$SCENE/evidence" "$SCENE/evidence.key" "$LAB_DIR"/*.control
	mkdir -p "$SCENE/evidence/counters"
	evidence=$SCENE/evidence
	scene_conf evidence.batch_max_ms=50 evidence.identities=clear
	scene_server s1
	scene_server s2
	scene_relay
	scene_client c3 --count 200 --window 20 --template gx --subscribers 20 --dump "$SCENE/c3.pcap" --seed 3
	scene_wait c3
	scene_stop
	requests "$SCENE/c3.pcap" >"$SCENE/requests"
	counted 2 >"$SCENE/subscribers"
	cut -d' ' -f1 "$SCENE/subscribers" >"$SCENE/subscribers.txt"
	mv "$SCENE/evidence.key" "$SCENE/away.key"
	reveal --kind subscriber --list "$SCENE/subscribers.txt"
	is "clear: every subscriber is found without a key" "0 none" "$CODE $(end .key.is)"
	is "clear: each as often as tshark counts it" "" "$(diff "$SCENE/subscribers" <(revealed) | head -3)"
	reveal --kind subscriber --key "$SCENE/away.key" --list "$SCENE/subscribers.txt"
	is "clear: the key says the same" "" "$(diff "$SCENE/subscribers" <(revealed) | head -3)"
else
	echo "skip identities kept clear: this agent cannot"
	SKIPPED=$((SKIPPED + 3))
fi
scene_end
