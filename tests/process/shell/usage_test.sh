#!/usr/bin/env bash
# Wrong usage of ./perigee: exit code 2, and one line that points to the help; and the help itself.
set -euo pipefail
perigee=$1

expect_refusal() {
  local code=0 said
  said=$("$perigee" "$@" 2>&1) || code=$?
  if [ $code != 2 ] || [ "$(wc -l <<<"$said")" != 1 ] || [[ $said != *--help* ]]; then
    printf "'%s' ended with %s and said: %s\n" "$*" $code "$said"
    exit 1
  fi
}
expect_refusal unheard-of
expect_refusal test --quik
expect_refusal doctor please
expect_refusal check everything
expect_refusal bench unheard-of
expect_refusal bench --slow
expect_refusal bench gateway flood --json
expect_refusal up --bots many
expect_refusal up --workers 0
expect_refusal up --seconds 4
expect_refusal up --port-base 80
expect_refusal up --bots
expect_refusal up --colour
expect_refusal up --game
expect_refusal new
expect_refusal new 1st_game
expect_refusal new my-game
expect_refusal module mygame
expect_refusal page
expect_refusal scale --players many
expect_refusal scale --colour
expect_refusal ctl waterfall --seconds 0
expect_refusal ctl waterfall please
"$perigee" --help | grep -q 'exit codes'
for command in up new prefix module page down doctor build test bench replay fuzz check fmt; do
  said=$("$perigee" $command --help)
  if [[ $said != "  $command "* ]] || [[ $said == *"ctl workers"* ]]; then
    printf "'%s --help' said: %s\n" $command "$said"
    exit 1
  fi
done
