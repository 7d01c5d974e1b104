#!/usr/bin/env bash
# Tests of the console's pages: run.sh all|fly|world|lens|pages in Chromium, run.sh firefox in Firefox. Skipped
# where there is no browser. run.sh dist: the sources give what is checked in at services/console/dist.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../services/console/page
skip() { echo "skipped: $1"; exit 77; }

command -v node >/dev/null || skip "node is not installed (package nodejs)"
if [ "${1:-}" = dist ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  code=0
  "$page/build.sh" dist "$folder/dist" >"$folder/said" 2>&1 || code=$?
  [ $code != 77 ] || skip "$(cat "$folder/said")"
  [ $code = 0 ] || { cat "$folder/said"; exit 1; }
  diff -r "$page/../dist" "$folder/dist" || {
    echo "services/console/dist is stale: run services/console/page/build.sh dist, and commit it"
    exit 1
  }
  exit 0
fi
[ -f "$here/${1:-}.test.mjs" ] || { echo "run.sh takes all, fly, world, lens, pages, firefox or dist" >&2; exit 2; }
must_have() { # BROWSER'S MODULE
  local missing
  missing=$(node --input-type=module -e "console.log(await (await import('$here/$1.mjs')).lacks())")
  [ -z "$missing" ] || skip "$missing"
}
modules() { "$page/build.sh" modules "$1" || skip "npm has no modules for the tests"; }
if [ "$1" = firefox ]; then
  must_have firefox
  modules "$here/firefox"
else
  modules "$page"
  must_have browser
fi
output=$(mktemp)
trap 'rm -f "$output"' EXIT
code=0
node --test --test-reporter=tap --test-timeout=900000 "$here/$1.test.mjs" | tee "$output" || code=$?
[ $code = 0 ] && exit
# Each test of a page that failed, and its error, on one line at the end.
awk '
  function say() { if (name) print "failed: " name ": " substr(error, 1, 400); name = error = "" }
  /^ *(not )?ok [0-9]+ - / { say() }
  /^ +not ok [0-9]+ - / { name = $0; sub(/^ *not ok [0-9]+ - /, "", name) }
  /^ *error: / { error = $0; sub(/^ *error: (\|-)?/, "", error); takes = error == ""; next }
  takes && /^ *(code|stack|name|\.\.\.)/ { takes = 0 }
  takes { sub(/^ */, ""); error = error " " $0 }
  END { say() }
' "$output"
exit $code
