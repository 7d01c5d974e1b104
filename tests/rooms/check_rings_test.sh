#!/usr/bin/env bash
# check_rings.py accepts the tree, and finds each place once all radii and periods have changed.
#   check_rings_test.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
check=$root/tests/rooms/check_rings.py
header=base/include/perigee/base/interest.hpp
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
python3 "$check" "$root"

for place in "$root"/*; do
  case "${place##*/}" in base | build) ;; *) ln -s "$place" "$tree/${place##*/}" ;; esac
done
mkdir -p "$tree/${header%/*}"
sed -e 's/radius_m{[^}]*}/radius_m{90, 310, 810, 2900}/' -e 's/period_ticks{[^}]*}/period_ticks{5, 10, 30, 90}/' \
  "$root/$header" >"$tree/$header"
if python3 "$check" "$tree" >"$tree/said"; then
  echo 'other radii and periods are not noticed' >&2
  exit 1
fi
places=$(grep -c '^    ("' "$check")
found=$(wc -l <"$tree/said")
[ "$found" = "$places" ] || {
  echo "$places places are compared, and $found of them differ:" >&2
  cat "$tree/said" >&2
  exit 1
}
