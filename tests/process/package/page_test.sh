#!/usr/bin/env bash
# A game that `perigee new` of the installed tree has made is played in Chromium: its module is compiled from the installed
# sources, its page is served for the cluster that `./run keep` leaves, and a player runs a lap beside bots. Nothing is
# written into the installed tree. A module takes minutes, so `./perigee test` leaves it to --long.
#   page_test.sh ROOT BUILD_DIR          PERIGEE_SHOTS: a folder for a picture
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$1 build=$2
skip() { echo "skipped: $1"; exit 77; }
case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) skip "a long run builds it" ;; esac
"$root/services/console/page/build.sh" modules || skip "npm has no modules for the tests"
missing=$(node --input-type=module -e "console.log(await (await import('$root/tests/console/browser.mjs')).lacks())")
[ -z "$missing" ] || skip "$missing"

# In one place each time, so that ccache knows the sources again.
folder=$build/new_game_in_a_browser
rm -rf "$folder"
mkdir -p "$folder/cache"
children=()
cleanup() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  if [ -d "$folder/mygame/.perigee" ]; then (cd "$folder/mygame" && ./run down >/dev/null 2>&1) || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { tail "$folder/log"; exit 1; }
installed=$(cd "$folder/prefix" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
export PERIGEE_BROWSER_BUILD=$folder/cache
if [ -e "$root/build/browser/debian/versions" ]; then cp -r "$root/build/browser/debian" "$folder/cache/"; fi
missing=$("$folder/prefix/share/perigee/client/browser/build.sh" lacks)
[ -z "$missing" ] || skip "missing: $missing"

cd "$folder"
prefix/bin/perigee new mygame
cd mygame
base=$(python3 - <<'PY'
import random, socket
def free(base):
    for offset in [0, 10, 11, 12, 13, 20, 21, 30, 40, 41, 50, 100, 101, 102, 103, 110, 111, 180, 185, 190]:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as s:
                try: s.bind(('127.0.0.1', base + offset))
                except OSError: return False
    return True
print(next(b for b in iter(lambda: random.randrange(20000, 32000, 200), None) if free(b)))
PY
)
./run keep --bots 0 --port-base "$base" >../log 2>&1 || { tail -50 ../log; exit 1; }
PERIGEE_STATE_DIR=.perigee ../prefix/bin/perigee-bots --game build/libmygame.so --session "127.0.0.1:$((base + 10))" \
  --count 3 --seconds 900 --profile P1 --json >../bots 2>&1 &
children+=($!)
SECONDS=0
./run web >../page 2>&1 &
children+=($!)
until url=$(sed -n 's/^open \(http:.*\)$/\1/p' ../page) && [ -n "$url" ]; do
  kill -0 "${children[1]}" 2>/dev/null || { tail -20 ../page; exit 1; }
  [ $SECONDS -lt 900 ] || { echo 'no page after 900 s'; tail -20 ../page; exit 1; }
  sleep 0.5
done
echo "the page is served after $SECONDS s; the module has $(stat -c %s build/mygame.wasm) bytes"
if grep -aq -e "$root" -e "$folder" build/mygame.wasm; then echo 'the module has paths of this machine'; exit 1; fi
PAGE=$url node --test --test-timeout=300000 "$here/page.test.mjs"

also=$(cd ../prefix && find . -type f -print0 | sort -z | xargs -0 sha256sum)
[ "$also" = "$installed" ] || { echo 'the installed tree has changed:'; diff <(echo "$installed") <(echo "$also"); exit 1; }
