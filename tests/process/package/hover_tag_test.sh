#!/usr/bin/env bash
# The example hover tag builds against the installed tree alone, passes its tests, and is played by its
# own bots on two workers. One is killed in the middle of a match: all bots stay, and the results are in the
# store once. Then everything is killed: after the start on the same folder, a player has its profile.
#   hover_tag_test.sh ROOT BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
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
export PORT_BASE MATCH_S=40 BREAK_S=20
cluster() { ./run keep >../log 2>&1 || { tail -50 ../log; exit 1; }; }

echo "a match of $MATCH_S s"
cluster
./run bots --count 16 --seconds 70 --profile P2 --json >../figures 2>../said &
bots=$!
sleep 15
read -r victim _ <.perigee/run/sim-1.pid
kill -9 "$victim"
code=0
wait "$bots" || code=$?
figure() { jq -r "$1" ../figures; }
echo "bots: exit code $code, $(figure .joined) joined, $(figure .disconnects) disconnected," \
  "$(figure .corrections_per_min) corrections per minute"
[ "$code" = 0 ] || { cat ../said ../figures; exit 1; }
./run results --json >../results 2>&1
python3 "$here/hover_tag_store.py" results 16 <../results || { cat ../results; exit 1; }

echo "everything is killed"
player=$(python3 "$here/hover_tag_store.py" winner <../results)
profile() { "$PERIGEE" ctl profile "$player" --store sqlite:.perigee/world.sqlite; }
profile >../before
for file in .perigee/run/*.pid; do
  read -r pid program <"$file"
  if [ "$(readlink "/proc/$pid/exe")" = "$program" ]; then kill -9 "$pid"; fi
done
cluster
# The avatars of before the death are still there, so a log-in waits for them, and may be refused.
for try in 1 2 3; do
  code=0
  ./run bots --count 16 --seconds 12 --json >../figures 2>../said || code=$?
  echo "log-ins, try $try: $(figure .joined) of 16 joined"
  [ "$code" != 0 ] || break
done
[ "$code" = 0 ] || { cat ../said ../figures; exit 1; }
profile >../after
python3 "$here/hover_tag_store.py" continued ../before ../after
