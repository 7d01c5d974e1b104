#!/usr/bin/env bash
# The files in client/browser/dist, which are checked in, are those that their sources give.
#   dist_test.sh module    skiff.wasm, byte by byte
#   dist_test.sh bits      the game in WebAssembly computes the same bits as the other builds
#   dist_test.sh scripts   the JavaScript and its types, byte by byte
#   dist_test.sh pages     the TypeScript of the documents fits the types
# A module and its bits are built again only if the sources have changed since the record of the
# module was written, or in a long run (PERIGEE_TEST_LENGTH).
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
browser=$root/client/browser
record=$browser/dist/skiff.wasm.json
remedy="run client/browser/build.sh dist, and commit client/browser/dist"
# shellcheck source=/dev/null
. "$browser/module/record.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }

build_or_skip() { # ARGUMENTS...
  local code=0
  "$browser/build.sh" "$@" >"$folder/said" 2>&1 || code=$?
  [ $code = 0 ] && return
  cat "$folder/said"
  [ $code != 77 ] || { echo "skipped: this machine cannot build it"; exit 77; }
  fail "$remedy"
}

# Whether the record does not suffice, with the reason.
must_build() {
  if [ "$(record_field "$record" sources)" != "$(sources_hash)" ]; then
    echo "the sources have changed since the module was built, so it is built again"
  elif [ "${PERIGEE_TEST_LENGTH:-}" = long ]; then
    echo "a long run builds it again"
  else
    echo "the module was built from these sources"
    return 1
  fi
}

expected_bits() { sed -n 's/.* expected_hash = 0x\([0-9a-f]*\);/\1/p' "$root/tests/unit/skiff/same_bits_scene.hpp"; }

case "${1:-}" in
  module)
    [ "$(sha256sum "$browser/dist/skiff.wasm" | cut -d' ' -f1)" = "$(record_field "$record" module)" ] ||
      fail "dist/skiff.wasm is not the module that its record describes: $remedy"
    must_build || exit 0
    build_or_skip dist "$folder/dist"
    if ! cmp "$browser/dist/skiff.wasm" "$folder/dist/skiff.wasm"; then
      ours=$(record_field "$folder/dist/skiff.wasm.json" packages) theirs=$(record_field "$record" packages)
      [ "$ours" = "$theirs" ] || { printf 'skipped: built by other packages:\n%s\n%s\n' "$theirs" "$ours"; exit 77; }
      fail "dist/skiff.wasm is stale: $remedy"
    fi
    ;;
  bits)
    bits=$(record_field "$record" same_bits)
    if must_build; then
      build_or_skip bits
      bits=$(tail -n 1 "$folder/said")
    fi
    [ "$bits" = "$(expected_bits)" ] || fail "WebAssembly has $bits, other builds have $(expected_bits)"
    ;;
  scripts)
    build_or_skip scripts "$folder/dist"
    diff -r -x '*.wasm' -x '*.wasm.json' "$browser/dist" "$folder/dist" ||
      fail "the JavaScript in client/browser/dist is stale: run client/browser/build.sh scripts, and commit it"
    ;;
  pages)
    build_or_skip scripts "$folder/dist" # which installs the compiler
    awk -v folder="$folder" '
      /^```ts$/ { file = folder "/example" ++count ".ts"; next }
      /^```$/ { file = "" }
      file { print > file }' "$root/docs/play_in_a_browser.md" "$root/docs/door.md" "$root/client/browser/README.md"
    cat >"$folder/tsconfig.json" <<'END'
{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom", "dom.iterable"], "types": [], "paths": { "@perigee/client": ["./dist/index.d.ts"] }
  },
  "include": ["example*.ts"]
}
END
    [ "$(find "$folder" -maxdepth 1 -name 'example*.ts' | wc -l)" -ge 5 ] || fail "the documents have lost their examples"
    "$root/build/browser/npm/node_modules/.bin/tsc" -p "$folder" || fail "an example in the documents is wrong"
    ;;
  *) echo "dist_test.sh takes module, bits, scripts or pages" >&2; exit 2 ;;
esac
