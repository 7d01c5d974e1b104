#!/usr/bin/env bash
# Sends every expression of a dashboard to a Prometheus, as Grafana does: each must be valid and
# answered with numbers, within 40 s for all of them. Prints those that are not; exit code 1 if any.
#   dashboard_answers.sh PROMETHEUS_URL DASHBOARD.json
set -euo pipefail
url=$1 dashboard=$2
deadline=$((SECONDS + 40))
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

as_grafana_sends_it() {
  local expression=$1 variable
  expression=${expression//"\$__rate_interval"/5s}
  while read -r variable; do
    expression=${expression//"\$$variable"/.*}
  done < <(jq -r '.templating.list[].name' "$dashboard")
  printf '%s' "$expression"
}
answers() { # with at least one number
  curl -sS --noproxy '*' -m 5 -G "$url/api/v1/query" --data-urlencode "query=$1" >"$answer" &&
    jq -e '.status == "success" and any(.data.result[]; .value[1] | . != "NaN" and (contains("Inf") | not))' "$answer" >/dev/null
}

asked=0 wrong=0
while IFS=$'\t' read -r title expression; do
  asked=$((asked + 1))
  query=$(as_grafana_sends_it "$expression")
  [[ $query != *'$'* ]] || { echo "$title: unknown variable in $query"; wrong=1; continue; }
  until answers "$query"; do
    if [ $SECONDS -ge $deadline ] || jq -e '.status == "error"' "$answer" >/dev/null 2>&1; then
      printf '%s: no number for\n  %s\n  %s\n' "$title" "$query" "$(cat "$answer")"
      wrong=1
      break
    fi
    sleep 0.5
  done
done < <(jq -r '.panels[] | .title as $title | .targets[] | [$title, .expr] | join("\t")' "$dashboard")
# The families that fill the lists of the dashboard's variables.
while read -r family; do
  answers "count($family)" || { echo "no $family to fill a variable from"; wrong=1; }
done < <(jq -r '.templating.list[].query' "$dashboard" | sed -n 's/^label_values(\([a-z_]*\),.*/\1/p')
echo "$asked expressions asked"
[ "$asked" -gt 0 ] && [ $wrong = 0 ]
