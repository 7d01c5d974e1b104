#!/usr/bin/env bash
# Writes a page for each way in which a document can be wrong, and checks that commands_test.sh
# reports it; a good page passes.
#   commands_self_test.sh ROOT BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cat >"$pages/rules.txt" <<'END'
run     \./perigee lab --print-list      =>  =
run     \./perigee lab .*                =>  \0 --plan
parses  \./perigee (up|bench|build) .*   =>  =
knows   \./perigee doctor( --[a-z-]+)*   =>  ./perigee doctor
skip    docker run .*                    =>  needs docker
END
# shellcheck disable=SC1003  # a line that goes on
good=('./perigee lab --print-list  # all of it' './perigee lab --scenarios L1 \' '  --seeds 2' './perigee up --bots 3 &'
  './perigee bench codec' './perigee doctor --install' 'docker run it && ./perigee build release perigee-lab')
tried() { "$here/commands_test.sh" "$1" "$2" "$pages/rules.txt" "$pages" >"$pages/said" 2>&1; }
page() { printf '%s\n' '```sh' "$@" '```' >"$pages/page.md"; }
expect_failure() { # SENTENCE LINES...
  page "${good[@]}" "${@:2}"
  if tried "$root" "$build" || ! grep -e "$1" "$pages/said" >/dev/null; then
    printf "not caught: '%s', said was:\n" "${*:2}"
    cat "$pages/said"
    exit 1
  fi
}
root=$1 build=$2

page "${good[@]}"
tried "$root" "$build" || { echo "refused, but nothing is wrong:"; cat "$pages/said"; exit 1; }
expect_failure "page.md:9: no rule for './perigee unheard-of'; add one" './perigee unheard-of'
expect_failure 'unheard-of' './perigee lab --unheard-of'
expect_failure "no scenario 'L999'" './perigee lab --scenarios L999'
expect_failure "up has no option '--unheard-of'" './perigee up --unheard-of 3'
expect_failure "no suite\|unheard-of" './perigee bench unheard-of'
expect_failure "no target 'unit_unheard_of'" './perigee build release unit_unheard_of'
expect_failure "no preset 'unheard-of'" './perigee build unheard-of x'
expect_failure 'does not name --unheard-of' './perigee doctor --unheard-of'
expect_failure 'no rule for' 'apt-get moo'
expect_failure 'not in a block sh' '```' '```' './perigee lab' '```' '```sh' './perigee lab --print-list'
good=("${good[@]:1}")
expect_failure 'no document prints a command for this rule: run .*print-list'
echo "every untruth is caught"
