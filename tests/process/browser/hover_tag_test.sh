#!/usr/bin/env bash
# Hover tag in Chromium: the game's module is built, a player runs in its page beside bots, and the page tells
# time, scores and torches. A module takes minutes on a machine that has built none yet, so `./perigee test` leaves
# it to --long. PERIGEE_SHOTS: a folder for a picture.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
skip() { echo "skipped: $1"; exit 77; }
case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) skip "a long run builds it" ;; esac
missing=$("$root/client/browser/build.sh" lacks)
[ -z "$missing" ] || skip "missing: $missing"
"$root/services/console/page/build.sh" modules || skip "npm has no modules for the tests"
missing=$(node --input-type=module -e "console.log(await (await import('$root/tests/console/browser.mjs')).lacks())")
[ -z "$missing" ] || skip "$missing"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOVER_TAG_MODULE=$folder/hover_tag.wasm
"$root/examples/hover_tag/web/build.sh" "$root/perigee" "$HOVER_TAG_LEVEL" "$HOVER_TAG_MODULE"
node --test --test-timeout=600000 "$here/hover_tag.test.mjs"
