#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Metrics of a real relay, read by a real Prometheus: its figures are those of the audit and of clients and servers; the alert rules and
# the dashboard name nothing that does not exist and draw something everywhere; more subscribers make no more series.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 200
lab_need prometheus prometheus
lab_need promtool prometheus
lab_port PROM
http=$LAB_DIR/http.sock
scene_conf http.bind=127.0.0.1:0 http.socket="$http" evidence.batch_max_ms=50 evidence.checkpoint_s=1
get() { curl -sS --max-time 10 --unix-socket "$http" "http://localhost$1"; }
series() { get /metrics | grep -vc '^#'; }

# The files, by themselves.
cp conf/prometheus/doic-alerts.yaml tests/integration/alerts.test.yaml "$LAB_DIR"
quiet() { (cd "$LAB_DIR" && "$@") >"$LAB_DIR/promtool.out" 2>&1; }
ok "promtool: the alert rules are well-formed" quiet promtool check rules doic-alerts.yaml
ok "promtool: each fires when it should, and only then" quiet promtool test rules alerts.test.yaml
alerts=$(grep -o 'alert: [A-Za-z]*' conf/prometheus/doic-alerts.yaml | cut -d' ' -f2)
is "each alert has its tests" "$(sort <<<"$alerts")" "$(grep -o 'alertname: [A-Za-z]*' tests/integration/alerts.test.yaml | cut -d' ' -f2 | sort -u)"
is "each alert has a severity, a summary and a section of the runbook" "" "$(for alert in $alerts; do
	awk -v alert="$alert" '/alert: /{ on = $NF == alert } on' conf/prometheus/doic-alerts.yaml >"$LAB_DIR/alert"
	grep -qE 'severity: (warning|critical)' "$LAB_DIR/alert" && grep -q 'summary: ' "$LAB_DIR/alert" &&
		grep -qF "docs/runbook.md#${alert,,}" "$LAB_DIR/alert" && grep -qx "## $alert" docs/runbook.md || echo "$alert"
done)"
is "panels of the dashboard have numbers of their own" "" "$(jq -r '.panels[].id' conf/grafana/doic.json | sort | uniq -d)"

scene_server s1 --from-first --report "at=0s,for=40s,type=host,seq=7,pct=30,validity=30" --load 30000
scene_server s2 --doic
scene_relay
port=$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)
cat >"$LAB_DIR/prometheus.yml" <<TEXT
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [doic-alerts.yaml]
scrape_configs:
  - job_name: doic
    static_configs: [{ targets: ["127.0.0.1:$port"], labels: { instance: dra } }]
TEXT
lab_start prom timeout 180 prometheus --config.file="$LAB_DIR/prometheus.yml" --storage.tsdb.path="$LAB_DIR/prom" --web.listen-address="127.0.0.1:$PROM" --log.level=warn
ready() { curl -sf --max-time 2 -o /dev/null "http://127.0.0.1:$PROM/-/ready"; }
lab_wait prom 30 ready
# ask QUERY [TIME]: its vector.
ask() { curl -sS --max-time 10 "http://127.0.0.1:$PROM/api/v1/query" --data-urlencode "query=$1" ${2:+--data-urlencode "time=$2"}; }
value() { ask "$1" "$at" | jq -r '.data.result[0].value[1] // "none"'; }

# A hundred subscribers, then two thousand sessions.
scene_client c1 --rate 400 --count 800 --subscribers 100
scene_wait c1
cp "$SCENE/c1.json" "$SCENE/few.json"
sleep 1
few=$(series)
scene_client c1 --rate 400 --count 4400 --sessions 50 --updates 0
scene_client c2 --dest-host s1.example.net --rate 100 --count 1000
sleep 6
now=$(date +%s.%N) # of what is asked below, however long that takes
get /metrics >"$LAB_DIR/metrics"
curl -s --max-time 10 "http://127.0.0.1:$PROM/api/v1/rules" >"$LAB_DIR/rules"

# The dashboard, while it has something to show.
jq -r '.panels[] | select(.targets) | .title as $t | .targets[] | "\($t)\t\(.expr)"' conf/grafana/doic.json >"$LAB_DIR/panels"
ok "the dashboard has panels" test "$(wc -l <"$LAB_DIR/panels")" -ge 20
is "each shows something" "" "$(while IFS=$'\t' read -r title expr; do
	expr=${expr//'$__rate_interval'/4s} expr=${expr//'$job'/.*} expr=${expr//'$instance'/.*}
	ask "$expr" "$now" | jq -e '.status == "success" and (.data.result | length) > 0' >/dev/null || echo "$title: $expr"
done <"$LAB_DIR/panels")"
ok "asked and selected are told apart, and agree within 5 %" quiet jq -ne --argjson r "$(ask 'rate(doic_selected_total[4s]) / rate(doic_matched_total[4s])' "$now")" \
	'$r.data.result[0].value[1] | tonumber | . > 0.25 and . < 0.35'
is "the rules are loaded, and none fails" "$(wc -w <<<"$alerts") ok" \
	"$(jq -r '[.data.groups[].rules[]] | "\(length) \([.[].health] | unique | join(" "))"' "$LAB_DIR/rules")"
is "an alert waits: a report is in force" pending "$(jq -r '.data.groups[].rules[] | select(.name == "DoicReportActive").state' "$LAB_DIR/rules")"
ok "promtool: the metrics are well-formed" quiet promtool check metrics <"$LAB_DIR/metrics"
named() { grep -ohE '\bdoic_[a-z0-9_]+' "$@" | grep -v '^doic_token$' | sort -u; }
exist() { grep -oE '^doic_[a-z0-9_]+' "$LAB_DIR/metrics" | sort -u; }
is "the alerts name only metrics that exist" "" "$(comm -23 <(named conf/prometheus/doic-alerts.yaml) <(exist))"
is "the dashboard too" "" "$(comm -23 <(named conf/grafana/doic.json) <(exist))"
scene_wait c1
scene_wait c2
sleep 3
many=$(series)
is "two thousand sessions make no more series than a hundred subscribers" "$few" "$many"
ok "and there are some" test "$few" -gt 50

# Three that counted the same requests.
at=$(date +%s)
figure() { value "$1"; }
requests=$(figure 'sum(doic_requests_total)')
forwarded=$(figure 'doic_requests_total{outcome="forwarded"}')
diverted=$(figure 'doic_requests_total{outcome="diverted"}')
refused=$(figure 'doic_requests_total{outcome="refused"}')
matched=$(figure 'doic_matched_total')
selected=$(figure 'doic_selected_total')
useful=$(figure 'doic_useful_answers_total')
to_s1=$(figure 'doic_node_sent_requests_total{peer="s1.example.net"}')
to_s2=$(figure 'doic_node_sent_requests_total{peer="s2.example.net"}')
gaps=$(figure 'doic_evidence_gaps_total')
by_app=$(figure 'sum(doic_requests_by_app_total)')
by_class=$(figure 'sum(doic_refusals_by_class_total)')
by_result=$(figure 'sum(doic_answers_by_result_total{result="2xxx"})')
hosts=$(figure 'doic_reports_by_type_total{type="host",disposition="new"}')
scene_stop
"$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" >"$LAB_DIR/audit.json"
is "the audit holds" 0 $?
audit() { jq -r "$1" "$LAB_DIR/audit.json"; }
all() { echo $(($(result few "$1") + $(result c1 "$1") + $(result c2 "$1"))); }
is "requests: Prometheus, audit, clients" "$(all .requests) $(all .requests)" "$requests $(audit .population.candidates)"
is "refused: Prometheus, audit, trail" "$refused $refused" "$(audit .population.refused) $(sql "SELECT count(*) FROM decision WHERE verdict = 2")"
is "diverted: Prometheus, audit" "$diverted" "$(audit .population.diverted)"
is "forwarded and diverted: Prometheus, servers" "$((forwarded + diverted))" "$(($(result s1 .requests) + $(result s2 .requests)))"
is "each server's requests: Prometheus, servers" "$to_s1 $to_s2" "$(result s1 .requests) $(result s2 .requests)"
is "useful answers: Prometheus, clients" "$useful" "$(all '.by_result["2001"] // 0')"
is "matched and selected: Prometheus, audit" "$matched $selected" \
	"$(audit '[.claims[].steps[] | select(.step == "selected")] | "\([.[].matched] | add) \([.[].selected] | add)"')"
ok "and something was selected, refused, diverted" test "$selected" -gt 300 -a "$refused" -gt 100 -a "$diverted" -gt 100
is "by application: as many requests" "$requests" "$by_app"
is "refusals by class: as many as refused, every reason" "$(sql "SELECT count(*) FROM decision WHERE verdict = 2")" "$by_class"
is "answers by result: as many as useful" "$useful" "$by_result"
ok "reports by type" test "$hosts" -ge 1
is "gaps: Prometheus, audit" "$gaps" "$(audit '.gaps | length')"
scene_end
