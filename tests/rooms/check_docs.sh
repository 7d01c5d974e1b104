#!/usr/bin/env bash
# Checks the pages against the tree: every relative link leads to a file, and so does every path in
# backticks; a version on a page of the wire equals the value in the code. Prints file: breach; exit
# code 1 if any.
#   check_docs.sh [ROOT]
set -uo pipefail
cd "${1:-$(dirname "$0")/../..}" || exit 2

breaches=0
breach() { # PAGE SENTENCE
  printf '%s: %s\n' "$1" "$2"
  breaches=$((breaches + 1))
}

# shellcheck disable=SC2016
path_in_backticks='`[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+\.(cpp|hpp|sh|md|proto|txt|cmake|yml|awk|py|svg)`'
shopt -s nullglob
for page in ./*.md proto/*.md docs/*.md docs/*/*.md deploy/*/*.md; do
  here=$(dirname "$page")
  # Links and pictures, except those in fenced examples.
  while read -r target; do
    case "$target" in http://* | https://* | mailto:* | '#'*) continue ;; esac
    [ -e "$here/${target%%#*}" ] || breach "$page" "link $target does not exist"
  done < <(awk '/^```/ { fenced = !fenced } !fenced' "$page" |
    grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\((.*)\)$/\1/')
  # `room/folder/file.ext`, from the top of the tree.
  while read -r path; do
    [ -e "$path" ] || breach "$page" "path $path does not exist"
  done < <(grep -oE "$path_in_backticks" "$page" | tr -d '`' | grep -vE '^(\.perigee|build)/')
done

# `wire_version` (`wire_client.hpp`) | 2 |, or `block_version` = 8
# shellcheck disable=SC2016
version_in_page='`[a-z]+_version`( \(`[a-z_.]+`\) \|| =) [0-9]+'
# shellcheck disable=SC2016
name_and_value='s/^`([a-z_]+)`.* ([0-9]+)$/\1 \2/'
for page in proto/*.md; do
  while read -r name told; do
    coded=$(grep -rhE --include='*.hpp' --include='*.cpp' --exclude-dir=build --exclude-dir=tests \
      "constexpr .*\b$name = [0-9]+;" . | sed -E "s/.*\b$name = ([0-9]+);.*/\1/" | sort -u | paste -sd,)
    [ "$coded" = "$told" ] || breach "$page" "$name is $told there, and ${coded:-nothing} in the code"
  done < <(grep -oE "$version_in_page" "$page" | sed -E "$name_and_value" | sort -u)
done
[ $breaches = 0 ] || exit 1
