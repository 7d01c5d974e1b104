#!/usr/bin/env bash
# Builds the documentation's site and reads it in Chromium; skipped (77) without the generator, Chromium or npm's modules.
#   site_test.sh ROOT
set -euo pipefail
root=$1
cd "$root"
here=$root/tests/process/site
skip() { echo "skipped: $1"; exit 77; }
missing=$(node --input-type=module -e "console.log(await (await import('$root/tests/console/browser.mjs')).lacks())") || missing='node is not installed'
[ -z "$missing" ] || skip "$missing"
if ! cmp -s tools/site/requirements.txt build/docs_venv/requirements.txt && [ "${PERIGEE_TEST_LENGTH:-}" != long ]; then
  skip "no generator in build/docs_venv: run ./perigee docs once (a long run does)"
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT
./perigee docs 2>"$said" || {
  grep -q PyPI "$said" && skip "$(tail -1 "$said")"
  cat "$said"
  exit 1
}
node "$here/read_site.mjs" "$root/build/site"
