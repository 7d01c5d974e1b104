#!/usr/bin/env bash
# The browser client: builds games' modules and this package. See README.md.
#   build.sh game NAME [--include FOLDER]... [--out FILE] SOURCE...
#       the client library with a game as WebAssembly, into NAME.wasm in the current folder, or FILE.
#       SOURCE: the game's C++ sources, and one with perigee_client_create()
#   build.sh program NAME [--include FOLDER]... [--out FILE] SOURCE...
#       the same with a main() of its own, for a WASI runtime
#   build.sh dist [FOLDER]
#       everything in dist/, or FOLDER: skiff.wasm, its record, and the JavaScript
#   build.sh scripts [FOLDER]
#       only the JavaScript
#   build.sh bits
#       prints the hash of the scene that has the same bits in every build; 1 if it has others
#   build.sh lacks
#       prints what this machine lacks for all of that; nothing if it lacks nothing
# An installed one has game, program and lacks.
# It builds in build/browser of a checkout, and an installed one in ~/.cache/perigee/browser (XDG_CACHE_HOME). The
# variable PERIGEE_BROWSER_BUILD names another folder.
# exit codes: 0 success, 1 failure, 2 wrong usage, 77 this machine lacks a tool or the network
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
checkout=''
[ ! -f "$root/CMakeLists.txt" ] || checkout=yes
build=${PERIGEE_BROWSER_BUILD:-}
if [ -z "$build" ] && [ $checkout ]; then build=$root/build/browser; fi
[ -n "$build" ] || build=${XDG_CACHE_HOME:-${HOME:?is not set; PERIGEE_BROWSER_BUILD=FOLDER names a folder to build in}/.cache}/perigee/browser
build=$(realpath -m "$build")

cannot() { printf '%s\n' "$1" >&2; exit 77; }
fail() { printf '%s\n' "$1" >&2; exit 1; }
wrong_usage() { printf '%s (see the beginning of %s)\n' "$1" "${BASH_SOURCE[0]}" >&2; exit 2; }
# shellcheck source=/dev/null
. "$here/module/sources.sh"
# shellcheck source=/dev/null
. "$here/module/record.sh"

# Packages that build a module; `./perigee doctor` has their purposes.
module_packages=(clang-19 lld-19 llvm-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc)

module_lacks() {
  local package
  for package in "${module_packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
  # Programs, which need not be of a package.
  command -v cmake >/dev/null || printf 'cmake '
  command -v ninja >/dev/null || printf 'ninja-build '
  command -v node >/dev/null || printf 'nodejs '
  command -v dpkg-source >/dev/null || printf 'dpkg-dev '
}

lacks() {
  local missing
  missing=$(module_lacks)
  [ -z "$checkout" ] || command -v npm >/dev/null || missing+=npm
  [ -z "$missing" ] || printf '%s\n' "$missing"
}

# Prints the folder of CMake's for these sources. Installed ones have a folder for each content and place: a package
# may be replaced by an older one, which dates of files do not tell. A folder that was not used for a month is removed.
module_folder() {
  local content
  if [ $checkout ]; then
    printf '%s\n' "$build/module"
    return
  fi
  find "$build" -mindepth 1 -maxdepth 1 -name 'module-*' -mtime +30 -exec rm -rf {} +
  content=$(find "$root/base" "$root/transport" "$root/sim" "$root/client" "$root/cmake" -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
  mkdir -p "$build/module-${content:0:16}"
  touch "$build/module-${content:0:16}"
  printf '%s\n' "$build/module-${content:0:16}"
}

# Compiles NAME.wasm in the folder that `compiled` then names. Rooms and libraries are shared by all games.
compile() { # NAME PROGRAM INCLUDES SOURCES, lists with ; between
  local missing
  missing=$(module_lacks)
  [ -z "$missing" ] || cannot "missing for a game in the browser: $missing(remedy: apt-get install ${missing% })"
  fetch_sources "$build/debian"
  compiled=$(module_folder)
  local log=$build/$1.log
  if ! { cmake -S "$here/module" -B "$compiled" -G Ninja -DCMAKE_TOOLCHAIN_FILE=wasi.cmake --no-warn-unused-cli \
    -DCMAKE_BUILD_TYPE=Release -DDEBIAN_SOURCES="$build/debian" \
    -DGAME="$1" -DGAME_PROGRAM="$2" -DGAME_INCLUDES="$3" -DGAME_SOURCES="$4" >"$log" 2>&1 &&
    ninja -C "$compiled" "$1" >>"$log" 2>&1; }; then
    grep -m1 -A12 -E '^FAILED|error' "$log" >&2 || tail -n 12 "$log" >&2
    fail "$1.wasm could not be built; all of the compiler's output is in $log"
  fi
}

joined() { local IFS=';'; printf '%s' "$*"; }

game_command() { # PROGRAM NAME ARGUMENTS...
  local program=$1 name=${2:-} out=${2:-}.wasm includes=() sources=()
  [[ $name =~ ^[a-z][a-z0-9_]*$ ]] || wrong_usage "the name of a game is lower case letters, digits and _, not '$name'"
  shift 2
  while [ $# -gt 0 ]; do
    case "$1" in
      --include) includes+=("$(realpath "${2:?}")"); shift ;;
      --out) out=${2:?}; shift ;;
      -*) wrong_usage "no option $1" ;;
      *)
        [ -f "$1" ] || fail "the source $1 does not exist"
        sources+=("$(realpath "$1")")
        ;;
    esac
    shift
  done
  [ ${#sources[@]} -gt 0 ] || wrong_usage "name the game's sources"
  compile "$name" "$program" "$(joined "${includes[@]}")" "$(joined "${sources[@]}")"
  cp "$compiled/$name.wasm" "$out"
  chmod 644 "$out"
}

skiff=$root/sim/games/skiff
skiff_module() { # FILE
  game_command OFF skiff --include "$skiff/include" --include "$skiff/src" --out "$1" \
    "$skiff"/src/*.cpp "$root/client/engine/skiff.cpp"
}
# The hash of the scene that has the same bits everywhere.
same_bits() {
  game_command ON same_bits --include "$skiff/include" --include "$skiff/src" --include "$root/tests" \
    --out "$build/same_bits.wasm" "$skiff"/src/*.cpp "$root/tests/process/browser/module/same_bits.cpp"
  node --no-warnings "$here/module/run.mjs" "$build/same_bits.wasm"
}

scripts() { # FOLDER
  command -v npm >/dev/null || cannot "missing: npm"
  mkdir -p "$build/npm"
  if ! cmp -s "$here/package-lock.json" "$build/npm/package-lock.json" || [ ! -e "$build/npm/node_modules/.bin/tsc" ]; then
    cp "$here/package.json" "$here/package-lock.json" "$build/npm/"
    npm ci --silent --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000 --prefix "$build/npm" >&2 || {
      rm -rf "$build/npm"
      cannot "npm cannot fetch the TypeScript compiler; is there a network?"
    }
  fi
  "$build/npm/node_modules/.bin/tsc" -p "$here" --outDir "$1" || fail "the TypeScript has errors"
}

# Constants and places of fields for the TypeScript. Only a new dist/ changes them.
layout() { # FOLDER
  game_command ON layout --include "$root/client/include" --out "$build/layout.wasm" "$here/module/layout.cpp"
  node --no-warnings "$here/module/run.mjs" "$build/layout.wasm" >"$build/layout.ts"
  cmp -s "$build/layout.ts" "$here/src/layout.ts" && return
  [ "$1" = "$here/dist" ] || fail "client/browser/src/layout.ts is not that of perigee_client.h: run client/browser/build.sh dist"
  cp "$build/layout.ts" "$here/src/layout.ts"
}

dist() { # FOLDER
  mkdir -p "$1"
  layout "$1"
  skiff_module "$1/skiff.wasm"
  local bits
  bits=$(same_bits) || fail "the scene has other bits in WebAssembly: $bits, see tests/unit/skiff/same_bits_scene.hpp"
  write_record "$1/skiff.wasm" "$bits"
  scripts "$1"
}

mkdir -p "$build" || fail "cannot make $build; PERIGEE_BROWSER_BUILD=FOLDER names another folder"
case "$checkout:${1:-}" in
  :dist | :scripts | :bits) wrong_usage "$1 needs a checkout of perigee" ;;
esac
if [ "${1:-}" != lacks ]; then # one build at a time uses the folder
  exec 9>"$build/lock"
  flock 9
fi
case "${1:-}" in
  game) shift; game_command OFF "$@" ;;
  program) shift; game_command ON "$@" ;;
  dist) dist "$(realpath -m "${2:-$here/dist}")" ;;
  scripts) scripts "$(realpath -m "${2:-$here/dist}")" ;;
  bits) same_bits ;;
  lacks) lacks ;;
  *) wrong_usage "build.sh takes game, program, dist, scripts, bits or lacks, not '${1:-nothing}'" ;;
esac
