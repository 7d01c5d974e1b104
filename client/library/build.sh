#!/usr/bin/env bash
# The client library for engines as one file to ship (docs/ship_a_client.md).
#   build.sh linux|windows skiff [--out FILE]
#       libperigee_client_skiff.so, perigee_client_skiff.dll: with the example game
#   build.sh linux|windows NAME [--include FOLDER]... [--out FILE] SOURCE...
#       libNAME.so, NAME.dll in the current folder, or FILE. SOURCE: the game's C++ sources, and one
#       with perigee_client_create(). Both also write libNAME.licences.txt or
#       NAME.licences.txt, or FILE's name with this ending: players get it with the library
#   build.sh linux|windows bits
#       prints the hash of the scene that has the same bits in every build; 1 if it has others
#   build.sh linux|windows lacks
#       prints what this machine lacks; nothing if it lacks nothing
# exit codes: 0 success, 1 failure, 2 wrong usage, 77 this machine lacks a tool or the network
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/client_library

cannot() { printf '%s\n' "$1" >&2; exit 77; }
fail() { printf '%s\n' "$1" >&2; exit 1; }
wrong_usage() { printf '%s (see the beginning of client/library/build.sh)\n' "$1" >&2; exit 2; }
# shellcheck source=/dev/null
. "$root/client/browser/module/sources.sh"

lacks() {
  local tool tools=(cmake ninja apt-get dpkg-source g++)
  [ "$platform" = linux ] || tools+=(x86_64-w64-mingw32-g++-posix)
  for tool in "${tools[@]}"; do command -v "$tool" >/dev/null || printf '%s ' "$tool"; done
}

file_name() { # NAME
  if [ "$platform" = windows ]; then printf '%s.dll' "$1"; else printf 'lib%s.so' "$1"; fi
}

joined() { local IFS=';'; printf '%s' "$*"; }

compile() { # NAME PROGRAM INCLUDES SOURCES, lists with ; between
  local missing log=$build/$platform.log toolchain=()
  missing=$(lacks)
  [ -z "$missing" ] || cannot "missing: $missing(./perigee doctor has the packages)"
  fetch_sources "$build/debian"
  [ "$platform" = linux ] || toolchain=(-DCMAKE_TOOLCHAIN_FILE=windows.cmake)
  if ! { cmake -S "$here" -B "$build/$platform" -G Ninja "${toolchain[@]}" --no-warn-unused-cli -DCMAKE_BUILD_TYPE=Release \
    -DDEBIAN_SOURCES="$build/debian" -DGAME="$1" -DGAME_PROGRAM="$2" -DGAME_INCLUDES="$3" -DGAME_SOURCES="$4" >"$log" 2>&1 &&
    ninja -C "$build/$platform" -j "${PERIGEE_JOBS:-$(nproc)}" "$1" >>"$log" 2>&1; }; then
    grep -m1 -A12 -E '^FAILED|error' "$log" >&2 || tail -n 12 "$log" >&2
    fail "$1 could not be built; all of the compiler's output is in $log"
  fi
}

licences() {
  local mingw=/usr/share/doc/mingw-w64-x86-64-dev/copyright
  one() { printf '\n==== %s\n\n' "$1"; cat "$2"; }
  printf 'Licences of the software inside of this client library.\n'
  one perigee "$root/LICENSE"
  one 'Bullet Physics' "$build/debian/bullet/LICENSE.txt"
  one libsodium "$build/debian/libsodium/LICENSE"
  [ "$platform" = linux ] || one 'mingw-w64, with winpthreads' "$mingw"
  printf '\n==== %s\n\n%s\n' "GCC's runtime libraries" \
    'They are inside under the GCC Runtime Library Exception, which asks for no notice.'
}

library() { # NAME ARGUMENTS...
  local name=$1 out='' includes=() sources=()
  [[ $name =~ ^[a-z][a-z0-9_]*$ ]] || wrong_usage "the name is lower case letters, digits and _, not '$name'"
  shift
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
  compile "$name" OFF "$(joined "${includes[@]}")" "$(joined "${sources[@]}")"
  out=${out:-$(file_name "$name")}
  cp "$build/$platform/$(file_name "$name")" "$out"
  local file=${out##*/}
  licences >"$(dirname "$out")/${file%.*}.licences.txt"
}

skiff=$root/sim/games/skiff
same_bits() {
  compile same_bits ON "$(joined "$skiff/include" "$skiff/src" "$root/tests")" \
    "$(joined "$skiff"/src/*.cpp "$root/tests/process/browser/module/same_bits.cpp")"
  if [ "$platform" = linux ]; then
    "$build/linux/same_bits"
  else
    wine=$(command -v wine64 || command -v wine || find /usr/lib/wine -name wine64 2>/dev/null) || cannot 'missing: wine64'
    # Wine's server stays for some seconds, and must not hold the lock.
    WINEPREFIX=$build/wine WINEDEBUG=-all "$wine" "$build/windows/same_bits.exe" 9>&- | tr -d '\r'
  fi
}

platform=${1:-}
case "$platform" in
  linux | windows) shift ;;
  *) wrong_usage "build.sh takes linux or windows first, not '${platform:-nothing}'" ;;
esac
mkdir -p "$build"
if [ "${1:-}" != lacks ]; then # one build at a time uses the folder
  exec 9>"$build/lock"
  flock 9
fi
case "${1:-}" in
  skiff)
    shift
    library perigee_client_skiff --include "$skiff/include" --include "$skiff/src" "$@" "$skiff"/src/*.cpp "$root/client/engine/skiff.cpp"
    ;;
  bits) same_bits ;;
  lacks) lacks ;;
  '') wrong_usage 'build.sh takes skiff, bits, lacks, or the name of a library' ;;
  *) library "$@" ;;
esac
