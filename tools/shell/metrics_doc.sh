#!/usr/bin/env bash
# docs/metrics.md from the processes' list of their metrics (--print-metrics) and the hand-written
# notes (docs/metrics.in.md): each family has one row in both.
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
  services/directory/perigee-directory; do
  [ -x "$build/$process" ] || fail "$build/$process is not built. Remedy: ./perigee build"
  "$build/$process" --print-metrics >"$folder/rows" || fail "$process --print-metrics failed"
  # shellcheck disable=SC2016 # the backticks are Markdown's
  grep '^| `perigee_' "$folder/rows" >>"$folder/families"
done
# Metrics that all processes export become one row.
sort -u -o "$folder/families" "$folder/families"

# shellcheck disable=SC2016
awk -v families="$folder/families" '
  function family(line) { match(line, /`perigee_[a-z0-9_]+`/); return substr(line, RSTART, RLENGTH) }
  BEGIN {
    while ((getline line < families) > 0) {
      name = family(line)
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
  /^\| name \| query/ { print "| name | type, unit | labels | meaning | query, and what to do |"; wide = 1; next }
  wide && /^\|---/ { print "|---|---|---|---|---|"; wide = 0; next }
  /^\| `perigee_/ {
    name = family($0)
    if (name in told) { print "docs/metrics.in.md: " name " has two rows" > "/dev/stderr"; bad = 1 }
    if (!(name in row)) { print "docs/metrics.in.md: no process exports " name > "/dev/stderr"; bad = 1; next }
    told[name] = 1
    note = $0
    sub(/^\| `[a-z0-9_]+` \| /, "", note)
    print row[name] " | " note
    next
  }
  { print; text = text "\n" $0 }
  END {
    for (name in listed) {
      count = split(listed[name], values, ", ")
      for (i = 1; i <= count; ++i) if (text !~ ("[^a-z_]" values[i] "[^a-z_]")) {
        print "docs/metrics.in.md: no table explains " values[i] " of " name > "/dev/stderr"
        bad = 1
      }
    }
    for (name in row) if (!(name in told)) {
      print "docs/metrics.in.md: " name " is exported and has no row: add one" > "/dev/stderr"
      bad = 1
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
while read -r name; do
  grep -qE "\b$name(_bucket|_sum|_count)?\b" "${dashboards[@]}" && continue
  grep -qE "^$name +[^ ]" "$excused" && continue
  printf '%s: on no dashboard (deploy/grafana), and not excepted with a reason in %s\n' "$name" "$excused" >&2
  missing=1
done < <(grep -oE 'perigee_[a-z0-9_]+' <(cut -d'|' -f2 "$folder/families"))
while read -r name _reason; do
  case "$name" in '' | '#'*) continue ;; esac
  grep -q "\`$name\`" "$folder/families" || {
    printf '%s: excepts %s, which no process exports\n' "$excused" "$name" >&2
    missing=1
  }
done <"$excused"
exit $missing
