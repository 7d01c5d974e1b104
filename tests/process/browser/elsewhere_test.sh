#!/usr/bin/env bash
# A developer's game in a folder outside of the tree: its module loads, creates clients, has none of
# this machine's paths, and is the same when the folder has another name. A failed assertion of the
# game is an error with its text. It takes minutes on a machine that has built no module yet, so
# `./perigee test` leaves it to --long.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
browser=$root/client/browser
case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) echo "skipped: a long run builds it"; exit 77 ;; esac
missing=$("$browser/build.sh" lacks)
[ -z "$missing" ] || { echo "skipped: missing: $missing"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/mine"
cp "$root/examples/first_game"/game.?pp "$folder/mine/"
cat >"$folder/mine/browser.cpp" <<'END'
#include "game.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  static int clients = 0;
  PERIGEE_ASSERT(++clients < 3, "two clients are enough");
  return perigee::client::create_handle<GAME>(abi);
}
END
class=$(sed -n 's/^class \([A-Za-z]*\).*GameModule.*/\1/p' "$folder/mine/game.hpp")
namespace=$(sed -n 's/^namespace \([a-z_:]*\) {.*/\1/p' "$folder/mine/game.hpp" | head -n 1)
sed -i "s/GAME/$namespace::$class/" "$folder/mine/browser.cpp"
cp -r "$folder/mine" "$folder/renamed"
for copy in mine renamed; do
  (cd "$folder" && "$browser/build.sh" game "$copy" "$copy/game.cpp" "$copy/browser.cpp")
done
cmp "$folder/mine.wasm" "$folder/renamed.wasm"
if grep -aq -e "$folder" -e "$root" "$folder/mine.wasm"; then
  echo "the module has paths of this machine:"
  strings "$folder/mine.wasm" | grep -e "$folder" -e "$root"
  exit 1
fi
cat >"$folder/use.mjs" <<'END'
import assert from 'node:assert/strict';
const { Game } = await import(process.argv[2]);
const game = await Game.load(new URL('mine.wasm', import.meta.url));
const client = game.createClient();
assert.ok(client.typeName(0));
client.destroy();
game.createClient();
assert.throws(() => game.createClient(), /stopped because of a bug: browser.cpp:0: assertion '\+\+clients < 3' failed: two clients are enough/);
END
node "$folder/use.mjs" "$browser/dist/index.js"
