#!/usr/bin/env bash
# The example hover tag builds against the installed tree alone, passes its tests, and is played by its
# own bots on two workers, one of which is killed: all bots stay.
#   hover_tag_test.sh ROOT BUILD_DIR
set -euo pipefail
build=$2
folder=$(mktemp -d)
cleanup() {
  if [ -d "$folder/hover_tag/.perigee" ]; then (cd "$folder/hover_tag" && ./run down >/dev/null 2>&1) || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { tail "$folder/log"; exit 1; }
cp -r "$folder/prefix/share/perigee/examples/hover_tag" "$folder/hover_tag"
cd "$folder/hover_tag"
export PERIGEE=$folder/prefix/bin/perigee
./run test >../log 2>&1 || { tail -50 ../log; exit 1; }
grep -q '100% tests passed, 0 tests failed' ../log || { tail -20 ../log; exit 1; }

code=0
said=$(./run bots --fierce 2>&1) || code=$?
if [ "$code" != 2 ] || [[ $said != *'these bots have a pilot of their game'* ]]; then
  echo "bots --fierce: exit code $code, said: $said"
  exit 1
fi

PORT_BASE=$(python3 - <<'PY'
import random, socket
def free(base):
    for offset in [0, 10, 11, 12, 13, 20, 21, 30, 40, 41, 50, 100, 101, 102, 103, 110, 111, 180, 190]:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as s:
                try: s.bind(('127.0.0.1', base + offset))
                except OSError: return False
    return True
print(next(b for b in iter(lambda: random.randrange(20000, 32000, 200), None) if free(b)))
PY
)
export PORT_BASE
./run keep >../log 2>&1 || { tail -50 ../log; exit 1; }
./run bots --count 16 --seconds 40 --profile P2 --json >../figures 2>../said &
bots=$!
sleep 20
read -r victim _ <.perigee/run/sim-1.pid
kill -9 "$victim"
code=0
wait "$bots" || code=$?
figure() { jq -r "$1" ../figures; }
echo "bots: exit code $code, $(figure .joined) joined, $(figure .disconnects) disconnected," \
  "$(figure .corrections_per_min) corrections per minute"
[ "$code" = 0 ] || { cat ../said ../figures; exit 1; }
