#!/usr/bin/env bash
# Pages tell the truth about the tree: every relative link leads to a file, and so does every path
# in backticks. Prints file: path of every breach; exit code 1 if any.
#   check_docs.sh [ROOT]
set -uo pipefail
cd "${1:-$(dirname "$0")/../..}" || exit 2

breaches=0
breach() { # PAGE WHAT
  printf '%s: %s does not exist\n' "$1" "$2"
  breaches=$((breaches + 1))
}

# shellcheck disable=SC2016
path_in_backticks='`[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+\.(cpp|hpp|sh|md|proto|txt|cmake|yml|awk|svg)`'
shopt -s nullglob
for page in ./*.md proto/*.md docs/*.md docs/*/*.md; do
  here=$(dirname "$page")
  # Links and pictures; what is fenced as an example is not meant.
  while read -r target; do
    case "$target" in http://* | https://* | mailto:* | '#'*) continue ;; esac
    [ -e "$here/${target%%#*}" ] || breach "$page" "link $target"
  done < <(awk '/^```/ { fenced = !fenced } !fenced' "$page" |
    grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\((.*)\)$/\1/')
  # `room/folder/file.ext`, from the top of the tree.
  while read -r path; do
    [ -e "$path" ] || breach "$page" "path $path"
  done < <(grep -oE "$path_in_backticks" "$page" | tr -d '`' | grep -vE '^(\.perigee|build)/')
done
[ $breaches = 0 ] || exit 1
