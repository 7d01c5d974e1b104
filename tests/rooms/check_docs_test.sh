#!/usr/bin/env bash
# Plants one page per kind of breach and checks that check_docs.sh reports it; a good page passes.
# shellcheck disable=SC2016  # backticks are what the pages hold
set -euo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check_docs.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/room" "$tree/proto"
echo 'inline constexpr int wire_version = 2;' >"$tree/room/a.cpp"

page() { printf '%s\n' "$@" >"$tree/docs/page.md"; }
expect_breach() { # LINE
  page "$1"
  if "$check" "$tree" >"$tree/said" || ! grep -q '^docs/page.md: ' "$tree/said"; then
    echo "not caught: $1"
    exit 1
  fi
}

page '[a](../room/a.cpp#L3) [b](https://example.org/) `room/a.cpp`' '```' '[no](link.md)' '```'
"$check" "$tree" >"$tree/said" || { echo "refused, but nothing is wrong"; cat "$tree/said"; exit 1; }
expect_breach '[gone](gone.md)'
expect_breach '![picture](img/gone.svg)'
expect_breach 'see `room/gone.cpp`'
page 'nothing'
for wrong in '| `wire_version` (`a.cpp`) | 1 |' 'version `wire_version` = 3' '| `gone_version` (`a.cpp`) | 1 |'; do
  echo "$wrong" >"$tree/proto/WIRE.md"
  if "$check" "$tree" >"$tree/said" || ! grep -q '^proto/WIRE.md: .*_version is' "$tree/said"; then
    echo "not caught: $wrong"
    exit 1
  fi
done
echo '| `wire_version` (`a.cpp`) | 2 |, `wire_version` = 2' >"$tree/proto/WIRE.md"
"$check" "$tree" || { echo "refused, but the version is right"; exit 1; }
echo "every kind of breach is caught"
