#!/usr/bin/env bash
# docs/your_first_game.md and docs/plug_ins.md: their code is that of the example, a host and a guest play it over UDP and
# see each other, and wrong usage is refused in a sentence. (K2b)
#   first_game_test.sh FIRST_GAME ROOT
set -euo pipefail
game=$1 root=$2
folder=$(mktemp -d)
host=
finish() {
  [ -z "$host" ] || kill "$host" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

python3 - "$root" <<'PY'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
source = ''.join(f.read_text() for f in sorted((root / 'examples').rglob('*.?pp')))
for page, least in ('docs/your_first_game.md', 5), ('docs/plug_ins.md', 1):
    blocks = re.findall(r'```cpp\n(.*?)```', (root / page).read_text(), re.S)
    blocks = [block for block in blocks if 'mygame::' not in block]  # names that a reader replaces
    assert len(blocks) >= least, page + ' has lost its code'
    for block in blocks:
        assert block in source, page + ': not what the example says:\n' + block
PY

free_port() {
  python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
"$game" --host "127.0.0.1:$(free_port)" --invitation "$folder/invitation" --seconds 60 >"$folder/host" 2>&1 &
host=$!
for _ in {1..100}; do
  [ ! -s "$folder/invitation" ] || break
  sleep 0.1
done
saw_each_other() {
  grep -q 'I am' "$folder/guest" && grep -q 'another player is' "$folder/guest" && grep -q 'another player is' "$folder/host"
}
for _ in {1..5}; do # a busy machine takes longer to join
  "$game" --join "$folder/invitation" --seconds 8 >"$folder/guest" 2>&1 || { cat "$folder/guest"; exit 1; }
  ! saw_each_other || break
done
saw_each_other || { tail -n 5 "$folder/guest" "$folder/host"; exit 1; }
kill "$host"
wait "$host" || { echo "the host ended with $?"; cat "$folder/host"; exit 1; }
host=

refuses() { # EXIT_CODE WORDS ARGUMENTS...
  local code=0 said
  said=$("$game" "${@:3}" 2>&1) || code=$?
  if [ "$code" != "$1" ] || [[ $said != *"$2"* ]]; then
    echo "${*:3}: exit code $code, said: $said"
    exit 1
  fi
}
refuses 2 'either --host'
refuses 1 'create one with --host' --join "$folder/nothing"
refuses 1 'not an invitation' --join "$folder/guest"
refuses 1 'host:port' --host 127.0.0.1
