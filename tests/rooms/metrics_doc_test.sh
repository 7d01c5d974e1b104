#!/usr/bin/env bash
# metrics_doc.sh with scripts in place of processes: checks its output, and that each gap is found.
# shellcheck disable=SC2016 # backticks are Markdown's
set -euo pipefail
script=$(cd "$(dirname "$0")/../.." && pwd)/tools/shell/metrics_doc.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/build/{gateway,sim/worker,services/session,services/directory,services/console,sim/rooms} \
  "$folder"/tree/{docs,deploy/grafana,tests/rooms}

exports() { # PROCESS ROWS [NOTES]
  {
    printf '#!/bin/sh\nif [ "$1" = --print-metrics ]; then cat <<"END"\n'
    printf '| name | type, unit | labels | meaning |\n|---|---|---|---|\n%s\nEND\n' "$2"
    printf 'else cat <<"END"\n%s\nEND\nfi\n' "${3-$notes}"
  } >"$folder/build/$1"
  chmod +x "$folder/build/$1"
}
{
  build_info='| `perigee_build_info` | gauge | version | Always 1. |'
  drops='| `perigee_gateway_drops_total` | counter | reason: old, new | Dropped. |'
  notes='| name | query, and what to do |
|---|---|
| `perigee_build_info` | look |
| `perigee_gateway_drops_total` | `rate(perigee_gateway_drops_total[1m])` |'
  text='# Metrics
<!-- metrics: perigee_build_ perigee_gateway_ -->
The end.'
}
for process in gateway/perigee-gateway sim/worker/perigee-sim services/session/perigee-session \
  services/directory/perigee-directory services/console/perigee-console sim/rooms/perigee-rooms; do
  exports $process "$build_info"
done
exports gateway/perigee-gateway "$build_info
$drops"
printf '%s\n' "$text" >"$folder/tree/docs/metrics.in.md"
echo 'perigee_build_info  asked once' >"$folder/tree/tests/rooms/not_on_dashboards.txt"
echo '{"expr": "rate(perigee_gateway_drops_total[1m])"}' >"$folder/tree/deploy/grafana/one.json"

run() { "$script" "$@" "$folder/build" "$folder/tree" >"$folder/said" 2>&1; }
refused() { # CASE SENTENCE
  if run --check; then
    echo "not noticed: $1" >&2
    exit 1
  fi
  grep -qF "$2" "$folder/said" || {
    echo "$1: expected '$2', it said:" >&2
    cat "$folder/said" >&2
    exit 1
  }
}

run
[ "$(grep -c perigee_build_info "$folder/tree/docs/metrics.md")" = 1 ]
grep -qxF '| `perigee_gateway_drops_total` | counter | reason: old, new | Dropped. | `rate(perigee_gateway_drops_total[1m])` |' \
  "$folder/tree/docs/metrics.md"
run --check

echo stale >>"$folder/tree/docs/metrics.md"
refused 'a page that was edited by hand' 'docs/metrics.md is out of date'
run
new='| `perigee_sim_new_total` | counter | | New. |'
exports sim/worker/perigee-sim "$new"
refused 'a family without a note' 'perigee_sim_new_total has no note'
exports sim/worker/perigee-sim "$new" '| `perigee_sim_new_total` | look |'
refused 'a family without a place' 'no place for perigee_sim_new_total'
exports sim/worker/perigee-sim "$build_info"
long=$(seq -s ', ' -f 'reason_%g' 100 | tr 0-9 a-j)
exports gateway/perigee-gateway "$build_info
${drops/old, new/$long}"
refused 'a long list without its table' 'no table explains reason_'
exports gateway/perigee-gateway "$build_info
$drops"
echo '{"description": "not perigee_gateway_drops_total"}' >"$folder/tree/deploy/grafana/one.json"
refused 'a family on no dashboard' 'perigee_gateway_drops_total: on no dashboard'
echo 'perigee_gateway_drops_total' >>"$folder/tree/tests/rooms/not_on_dashboards.txt"
refused 'an excuse without a reason' 'perigee_gateway_drops_total: on no dashboard'
mkdir "$folder/tree/deploy/prometheus"
echo 'expr: rate(perigee_gateway_drops_totals[1m])' >"$folder/tree/deploy/prometheus/alerts.yml"
excuses=$(<"$folder/tree/tests/rooms/not_on_dashboards.txt")
echo "perigee_gateway_drops_total an alert's matter" >>"$folder/tree/tests/rooms/not_on_dashboards.txt"
refused 'an excuse with an alert that does not exist' 'perigee_gateway_drops_total has no alert'
echo 'expr: rate(perigee_gateway_drops_total[1m])' >"$folder/tree/deploy/prometheus/alerts.yml"
run --check
echo "$excuses" >"$folder/tree/tests/rooms/not_on_dashboards.txt"
echo 'perigee_gateway_drops_total told elsewhere' >>"$folder/tree/tests/rooms/not_on_dashboards.txt"
run --check
echo 'perigee_former_total it was' >>"$folder/tree/tests/rooms/not_on_dashboards.txt"
refused 'an excuse for what is gone' 'excepts perigee_former_total, which no process exports'
