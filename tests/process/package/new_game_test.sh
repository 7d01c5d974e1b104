#!/usr/bin/env bash
# `perigee new` of the installed tree makes a repository that builds, passes its tests, and plays.
#   new_game_test.sh ROOT BUILD_DIR
set -euo pipefail
root=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { tail "$folder/log"; exit 1; }
perigee=$folder/prefix/bin/perigee
cd "$folder"

refuses() { # CODE WORDS ARGUMENTS...
  local code=0 said
  said=$("$perigee" "${@:3}" 2>&1) || code=$?
  if [ "$code" != "$1" ] || [[ $said != *"$2"* ]]; then
    echo "${*:3}: exit code $code, said: $said"
    exit 1
  fi
}
refuses 2 'no name for a game' new My-Game
refuses 2 'is taken' new class
refuses 2 "the game's name" new
mkdir taken
refuses 1 'exists already' new mygame taken
refuses 1 'works in a checkout' test

"$perigee" new mygame # as in the documentation
cd mygame
if grep -rIe 'first[_-]game' . | grep -v docs/your_first_game.md; then
  echo 'the lines above have the name of the template'
  exit 1
fi
[ "$(wc -l <README.md)" -lt 45 ] || { echo 'README.md is longer than a page'; exit 1; }
git status --porcelain | grep -q '^?? game.cpp' || { echo 'not a git repository'; exit 1; }
./run test >../log 2>&1 || { tail -50 ../log; exit 1; }
grep -q '100% tests passed, 0 tests failed out of 3' ../log || { tail -20 ../log; exit 1; }

"$root/tests/rooms/check_exports.sh" ../prefix/include/perigee/client/perigee_client.h build/libmygame_client.so

base=$(python3 - <<'PY'
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
./run play --bots 4 --seconds 8 --port-base "$base" >../log 2>&1 || { tail -50 ../log; exit 1; }
for words in '^PASS$' 'to fly, look and operate' '^play it in a browser: ./run keep, and then ./run web$'; do
  grep -q "$words" ../log || { cat ../log; exit 1; }
done

# In a browser: NewGame.IsPlayedInABrowser plays. Here: the sentences for a developer without the parts for it.
build/mygame_shapes >build/shapes.json
jq -e 'map(.name) == ["floor", "runner"] and (.[0].boxes | length) == 9 and .[1].boxes[0].radius > 0.1' build/shapes.json >../log ||
  { cat build/shapes.json; exit 1; }
export PERIGEE_BROWSER_BUILD=$folder/browser
mkdir ../lacking
printf '#!/bin/sh\nexit 1\n' >../lacking/dpkg-query # no package is installed
chmod +x ../lacking/dpkg-query
PATH=$folder/lacking:$PATH refuses 1 'remedy: apt-get install clang-19 ' module mygame game.cpp engine.cpp
refuses 2 'module takes' module mygame
refuses 1 'there is no page .perigee/index.html' page .perigee
refuses 1 'no file build/mygame.wasm; build it first' page web build/mygame.wasm
refuses 1 'no cluster is running here' page web
