#!/usr/bin/env bash
# Plants untruths in a copy of docs/mission.md and demands that check_mission.sh catches each.
#   check_mission_test.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
check=$(cd "$(dirname "$0")" && pwd)/check_mission.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for place in CMakeLists.txt services proto sim gateway deploy tests netcode client lab cmake; do
  ln -s "$root/$place" "$tree/$place"
done
mkdir "$tree/docs"

cp "$root/docs/mission.md" "$tree/docs/"
"$check" "$tree" >"$tree/said" || { echo "refused, but nothing is wrong:"; cat "$tree/said"; exit 1; }
expect_caught() { # SED-EXPRESSION
  sed "$1" "$root/docs/mission.md" >"$tree/docs/mission.md"
  ! cmp -s "$root/docs/mission.md" "$tree/docs/mission.md" || { echo "changes nothing: $1"; exit 1; }
  ! "$check" "$tree" >"$tree/said" || { echo "not caught: $1"; exit 1; }
}
expect_caught '/^| E5 /d'
expect_caught 's/^| K9 /| K10 /'
expect_caught '$a | K99 | one more | later | – | – |'
expect_caught 's/^\(| E5 .*\)| later |/\1| soon |/'
expect_caught 's/^\(| E5 .*| later |\) – /\1 `netcode` /'
expect_caught 's#^\(| E7 .*\)smoother\.cpp#\1smother.cpp#'
expect_caught 's#^\(| E7 .*\)smoother_test#\1wire_test#'
expect_caught 's/^\(| E7 .*AQuinticSmoother\.\)/\1Never/'
