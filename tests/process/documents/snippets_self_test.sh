#!/usr/bin/env bash
# Writes a page for each way in which a block can be wrong, and checks that snippets.py reports it; a good page passes. (D8)
#   snippets_self_test.sh ROOT BUILD_DIR
# shellcheck disable=SC2016  # backticks are what the pages hold
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/snippets" "$folder/pages"
cat >"$folder/rules.txt" <<'END'
# a comment
compiled    page.md  int two.*        =>  frame.cpp
part        page.md  struct Runner .*  =>  examples/first_game/*
taken       page.md  import.*         =>  README.md
settings    page.md  \[sim\]          =>  sim/worker/perigee-sim
python      page.md  pass             =>  =
javascript  page.md  let a.*          =>  =
cmake       page.md  perigee_game.*   =>  =
shown       page.md  whatever         =>  a reason
END
printf 'int three() {\n//: page.md  int two = 2;\nreturn two + 1; }\n' >"$folder/snippets/frame.cpp"
good() {
  local block
  for block in 'cpp|int two = 2;' 'cpp|struct Runner {' 'toml|[sim]|window_ticks = 15' 'python|pass' 'js|let a = 1;' \
    'cmake|perigee_game(mine game.cpp)' 'pascal|whatever' '|output of a program' 'json|{"a": 1}|{"a": 2}' 'json|[1,|2]' 'yaml|a: [1, 2]' 'sh|unheard-of' '|$ cat page.md|and its output'; do
    printf '```%s\n```\n' "${block//|/$'\n'}"
  done
}
tried() { python3 -B "$here/snippets.py" "$root" "$build" "$folder/rules.txt" "$folder/pages" >"$folder/said" 2>&1; }
expect() { # SENTENCE OLD NEW: the good page with NEW for OLD
  good | sed "s~$2~$3~" >"$folder/pages/page.md"
  if tried || ! grep -qe "$1" "$folder/said"; then
    echo "not found: $1; said was:"
    cat "$folder/said"
    exit 1
  fi
}

sed -i '/^taken/d' "$folder/rules.txt"
good >"$folder/pages/page.md"
tried || { echo "refused, but nothing is wrong:"; cat "$folder/said"; exit 1; }
expect 'page.md:1: no rule for this block of cpp; add one' 'int two = 2;' 'int four = 4;'
expect "frame.cpp has no line '//: page.md  int two = 3;'" 'int two = 2;' 'int two = 3;'
expect 'page.md:3:.*error: .*nowhere' 'int two = 2;' 'int two = 2;\nnowhere();'
expect 'is not what examples/first_game/\* says' 'struct Runner {' 'struct Runner {\nint gone;'
expect 'perigee-sim refuses it: .*window_tics' 'window_ticks' 'window_tics'
expect 'is no Python' '^pass' 'pass\nimport ='
expect 'ends with: NameError' '^pass' 'pass\nnowhere()'
expect 'is no JavaScript' 'let a = 1;' 'let a = ;'
expect 'neither CMake nor perigee has a function perigee_gam' 'perigee_game(mine game.cpp)' 'perigee_game(mine game.cpp)\nperigee_gam(x)'
expect 'looks like commands: .*/perigee up' 'output of a program' './perigee up'
expect 'looks like commands: .perigee-sim --index 2' 'output of a program' 'perigee-sim --index 2'
expect 'no rule for this block of ini' '```toml' '```ini'
expect 'is no json' '"a": 2' '"a": two'
if python3 -c 'import yaml' 2>/dev/null; then expect 'is no yaml' 'a: .1' 'a: ]1'; fi
expect 'no document has a block for this rule: shown page.md whatever' 'whatever' 'output'
if command -v promtool >/dev/null; then
  expect 'page.md:26: .* is no query of Prometheus: .*unclosed' 'output of a program' 'output\n```\n`rate(perigee_sim_ticks_total[1m]`\n```'
fi
printf '//: page.md  int gone;\n' >>"$folder/snippets/frame.cpp"
expect 'no page has a block that begins so: page.md  int gone;' x x
sed -i '$d' "$folder/snippets/frame.cpp"
echo 'taken  page.md  int two.*  =>  tests/gone.sh' | cat - "$folder/rules.txt" >"$folder/new" && mv "$folder/new" "$folder/rules.txt"
expect 'there is no test tests/gone.sh' x x
sed -i '1s~tests/gone.sh~LICENSE~' "$folder/rules.txt"
expect 'LICENSE does not take anything from page.md' x x
sed -i '1s~.*~wrong~' "$folder/rules.txt"
expect 'not a rule: wrong' x x
echo "every wrong block is found"
