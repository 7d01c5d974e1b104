#!/usr/bin/env bash
# Plants one breach of every room rule and checks that check_rooms.sh reports each, and nothing
# else.
set -euo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check_rooms.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

plant() { # FILE LINE
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
}
expect_clean() {
  "$check" "$tree" >"$tree/said" || { echo "refused, but nothing is wrong: $1"; cat "$tree/said"; exit 1; }
}
expect_breach() { # FILE LINE
  plant "$1" "$2"
  if "$check" "$tree" >"$tree/said" || ! grep -q "^$1:1:" "$tree/said"; then
    echo "not caught: $1: $2"
    exit 1
  fi
  rm "$tree/$1"
}

expect_clean "an empty tree"
plant gateway/src/main.cpp '#include <uv.h>'
plant base/src/a.cpp '#include "perigee/base/tick.hpp"  // strand(x), operand(y)'
expect_clean "a shell may use libuv"
plant base/include/perigee/base/tick.hpp '#pragma once'
plant base/src/tick.cpp '#include "perigee/base/tick.hpp"'
plant base/include/perigee/base/clocks/now.hpp '#pragma once'
plant base/src/clocks/now.cpp '#include "perigee/base/clocks/now.hpp"'
plant base/src/now.cpp '#include "perigee/base/tick.hpp"'
expect_clean "a source includes its own header first"

expect_breach client/src/a.cpp '#include "../../base/include/perigee/base/tick.hpp"'
expect_breach gateway/src/a.cpp '#include "base/src/secret.hpp"'
expect_breach base/src/b.cpp '#include <uv.h>'
expect_breach sim/world/src/b.cpp '#include <grpcpp/grpcpp.h>'
expect_breach transport/src/b.cpp '#include <thread>'
expect_breach sim/replay/src/b.cpp '#include <nlohmann/json.hpp>'
expect_breach services/directory/include/perigee/directory/core.hpp '#include <grpcpp/grpcpp.h>'
expect_breach sim/replication/src/c.cpp 'auto now = std::chrono::steady_clock::now();'
expect_breach client/include/perigee/client/c.hpp 'std::random_device chance;'
expect_breach sim/games/skiff/src/c.cpp 'int chance = rand() % 6;'
expect_breach base/src/tick.cpp '#include <vector>'
expect_breach base/src/clocks/now.cpp '#include <vector>'
echo "every rule bites"
