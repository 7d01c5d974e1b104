#!/usr/bin/env bash
# A Prometheus that scrapes a cluster evaluates every alert, and knows every metric family that
# alerts name.
#   alerts_answer.sh PROMETHEUS_URL ALERTS.yml
set -euo pipefail
get() { curl -fsS --noproxy '*' -m 5 "$@"; }
wrong=0
healthy() {
  get "$1/api/v1/rules" | jq -e '[.data.groups[].rules[] | .health] | length > 0 and all(. == "ok")' >/dev/null
}
for _ in {1..250}; do
  ! healthy "$1" || break
  sleep 0.2
done
healthy "$1" || { get "$1/api/v1/rules" | jq -c '.data.groups[].rules[] | [.name, .health, .lastError]'; wrong=1; }
while read -r family; do
  get -G "$1/api/v1/query" --data-urlencode "query=count($family)" | jq -e '.data.result != []' >/dev/null ||
    { echo "nobody exports $family"; wrong=1; }
done < <(grep -o 'perigee_[a-z_]*' "$2" | sort -u)
exit $wrong
