#!/usr/bin/env bash
# The hash that decides whether a game's library fits a program: code counts, and comments and layout
# do not.
#   code_hash_test.sh ROOT
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' "$folder/one.cpp" "$folder/two.hpp" >"$folder/files"
printf 'hash @code_hash@\n' >"$folder/template"

hash_of() { # CODE OF ONE.CPP
  printf '%s\n' "$1" >"$folder/one.cpp"
  printf 'struct Two { int second; };\n' >"$folder/two.hpp"
  cmake -D FILES="$folder/files" -D ROOT="$folder" -D TEMPLATE="$folder/template" -D OUT="$folder/out" \
    -P "$root/sim/plugin/code_hash.cmake"
  cat "$folder/out"
}
first=$(hash_of 'int one() { return 1; }')
[[ $first =~ ^hash\ [0-9a-f]{16}$ ]] || { echo "not a hash: $first"; exit 1; }
[ "$(hash_of $'// a comment\nint one() {\n  return 1;  // another one\n}')" = "$first" ] ||
  { echo 'comments or layout count'; exit 1; }
[ "$(hash_of 'int one() { return 2; }')" != "$first" ] || { echo 'code does not count'; exit 1; }
[ "$(hash_of 'int one() { return 1; } // [x; "y" \n')" = "$first" ] || { echo 'odd characters matter'; exit 1; }
