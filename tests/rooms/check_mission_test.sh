#!/usr/bin/env bash
# Plants errors in a copy of docs/mission.md and checks that check_mission.py catches each.
#   check_mission_test.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
check=$(cd "$(dirname "$0")" && pwd)/check_mission.py
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for place in CMakeLists.txt services platform storage proto sim fabric_seal gateway deploy tests base client lab embed examples cmake tools; do
  ln -s "$root/$place" "$tree/$place"
done
mkdir -p "$tree/docs" "$tree/transport/src"

cp "$root"/docs/{mission,compatibility}.md "$root/docs/tree.txt" "$tree/docs/"
"$check" "$tree" >"$tree/said" || { echo "refused, but nothing is wrong:"; cat "$tree/said"; exit 1; }
# All at once; each must be reported in its own line.
# shellcheck disable=SC2016  # Markdown's backticks
sed -e '/^| E5 /d' \
    -e 's/^| K9 /| K10 /' \
    -e '$a | K99 | one more | later | – | – |' \
    -e 's/^\(| E10 |[^|]*|\)[^|]*|/\1 soon |/' \
    -e 's/^\(| S4 |[^|]*|\)[^|]*|/\1 later |/' \
    -e 's#^\(| E4 .*\)smoother\.cpp#\1smother.cpp#' \
    -e 's#^\(| E7 .*\)smoother_test#\1wire_test#' \
    -e 's/^\(| E8 .*AQuinticSmoother\.\)/\1Never/' \
  "$root/docs/mission.md" >"$tree/docs/mission.md"
cat >"$tree/transport/src/planted.cpp" <<'END'
const char* name = "the preset of (K12)";
int kept = 0;  // a duplicate is dropped (K14)
END
! "$check" "$tree" >"$tree/said" || { echo "nothing was caught"; exit 1; }
for words in 'E5 has 0 rows' 'K9 has 0 rows' 'K10 has 2 rows' 'K99 is no row' "E10: state 'soon'" \
  'S4 is for later, but' 'E4: no .*smother.cpp' 'E7 does not occur' 'E8: no test AQuinticSmoother.Never' \
  'an id in product code: transport/src/planted.cpp:2:'; do
  grep -q "$words" "$tree/said" || { echo "not caught: $words"; cat "$tree/said"; exit 1; }
done
! grep -q 'planted.cpp:1:' "$tree/said" || { echo "a string was refused"; cat "$tree/said"; exit 1; }
