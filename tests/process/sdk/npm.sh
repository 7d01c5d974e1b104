#!/usr/bin/env bash
# The npm package is packed, installed in another folder without a network, and plays there as docs/sdk_npm.md
# says. In an empty folder:
#   npm.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 url=$3 credential=$4
for tool in node npm; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (packages nodejs, npm)"; exit 77; }
done
mkdir packed program
npm pack --silent --pack-destination packed "$root/client/browser" >/dev/null
cd program
echo '{"private": true}' >package.json
npm install --silent --offline --no-audit --no-fund ../packed/perigee-client-*.tgz
for file in README.md package.json dist/index.js dist/index.d.ts dist/skiff.wasm node/udp_path.js node/udp_path.d.ts; do
  [ -f "node_modules/@perigee/client/$file" ] || { echo "the package has no $file"; exit 1; }
done
[ "$(find node_modules -name package.json | wc -l)" = 1 ] || { echo 'it brings other packages'; exit 1; }
awk -v language=js -f "$root/tests/process/engine/code_block.awk" "$root/docs/sdk_npm.md" >walk.mjs
node walk.mjs "$url" "$credential" | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m and jumped 3 times, tick [1-9][0-9]*$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }
grep -qE '^([2-9]|[1-9][0-9]+) types of entities, [0-9]+ corrections, ping [0-9.]+ ms$' said
