#!/usr/bin/env bash
# docs/metrics.md from the processes' lists of their metrics (--print-metrics, --print-metric-notes)
# and the text around them (docs/metrics.in.md), in which <!-- metrics: PREFIX... --> is the place of
# the families whose names begin so.
#   metrics_doc.sh BUILD_FOLDER [ROOT]           writes the page
#   metrics_doc.sh --check BUILD_FOLDER [ROOT]   fails if the page is out of date, or if a family
#                                                is neither on a dashboard nor excused
set -euo pipefail
check=no
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
[ $# -ge 1 ] || {
  echo 'usage: metrics_doc.sh [--check] BUILD_FOLDER [ROOT]' >&2
  exit 2
}
build=$(cd "$1" && pwd)
cd "${2:-$(dirname "$0")/../..}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  printf 'metrics_doc.sh: %s\n' "$*" >&2
  exit 1
}

for process in gateway/perigee-gateway sim/worker/perigee-sim services/session/perigee-session \
  services/directory/perigee-directory services/console/perigee-console sim/rooms/perigee-rooms; do
  [ -x "$build/$process" ] || fail "$build/$process is not built. Remedy: ./perigee build"
  for option in --print-metrics --print-metric-notes; do
    "$build/$process" $option >"$folder/rows" || fail "$process $option failed"
    # shellcheck disable=SC2016 # the backticks are Markdown's
    grep '^| `perigee_' "$folder/rows" >>"$folder/families$option"
  done
done

# shellcheck disable=SC2016
awk -v families="$folder/families--print-metrics" -v notes="$folder/families--print-metric-notes" '
  function family(line) { match(line, /`perigee_[a-z0-9_]+`/); return substr(line, RSTART + 1, RLENGTH - 2) }
  function complain(sentence) { print sentence > "/dev/stderr"; bad = 1 }
  function place(prefix, i) {
    for (i = 1; i <= count; ++i) if (index(names[i], prefix) == 1 && !(names[i] in placed)) {
      placed[names[i]] = 1
      print row[names[i]] " | " note[names[i]]
    }
  }
  BEGIN {
    while ((getline line < notes) > 0) {
      name = family(line)
      sub(/^\| `[a-z0-9_]+` \| /, "", line)
      note[name] = line
    }
    while ((getline line < families) > 0) {
      name = family(line)
      # Metrics that several processes export become one row.
      if (name in row) continue
      if (!(name in note)) complain(name " has no note")
      names[++count] = name
      sub(/ \|$/, "", line)
      # A list longer than a screen gets its own table on the page, with every value.
      if (length(line) > 600) {
        match(line, /: [a-z_]+, [^|]+/)
        listed[name] = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, 1, RSTART) " table below " substr(line, RSTART + RLENGTH)
      }
      row[name] = line
    }
  }
  /^<!-- metrics: .* -->$/ {
    print "| name | type, unit | labels | meaning | query, and what to do |"
    print "|---|---|---|---|---|"
    for (prefix = 3; prefix < NF; ++prefix) place($prefix)
    next
  }
  { print; text = text "\n" $0 }
  END {
    for (name in listed) {
      many = split(listed[name], values, ", ")
      for (i = 1; i <= many; ++i) if (text !~ ("[^a-z_]" values[i] "[^a-z_]")) {
        complain("docs/metrics.in.md: no table explains " values[i] " of " name)
      }
    }
    for (i = 1; i <= count; ++i) if (!(names[i] in placed)) {
      complain("docs/metrics.in.md: no place for " names[i] ": add its prefix to a line <!-- metrics: -->")
    }
    exit bad
  }' docs/metrics.in.md >"$folder/metrics.md"

if [ $check = no ]; then
  cp "$folder/metrics.md" docs/metrics.md
  exit
fi
diff -u docs/metrics.md "$folder/metrics.md" ||
  fail "docs/metrics.md is out of date. Remedy: tools/shell/metrics_doc.sh $1"

excused=tests/rooms/not_on_dashboards.txt
shopt -s nullglob
dashboards=(deploy/grafana/*.json)
if [ ${#dashboards[@]} = 0 ]; then
  echo 'no dashboards in deploy/grafana: their content is not checked'
  exit
fi
missing=0
grep -h '"expr":' "${dashboards[@]}" >"$folder/expressions" || true
while read -r name; do
  grep -qE "\b$name(_bucket|_sum|_count)?\b" "$folder/expressions" && continue
  grep -qE "^$name +[^ ]" "$excused" && continue
  printf '%s: on no dashboard (deploy/grafana), and not excepted with a reason in %s\n' "$name" "$excused" >&2
  missing=1
done < <(grep -oE 'perigee_[a-z0-9_]+' <(cut -d'|' -f2 "$folder/families--print-metrics" | sort -u))
while read -r name reason; do
  case "$name" in '' | '#'*) continue ;; esac
  case "$reason" in
    "an alert's matter"*)
      grep -qw "$name" deploy/prometheus/alerts.yml || {
        printf '%s: %s has no alert in deploy/prometheus/alerts.yml\n' "$excused" "$name" >&2
        missing=1
      }
      ;;
  esac
  grep -q "\`$name\`" "$folder/families--print-metrics" || {
    printf '%s: excepts %s, which no process exports\n' "$excused" "$name" >&2
    missing=1
  }
done <"$excused"
exit $missing
