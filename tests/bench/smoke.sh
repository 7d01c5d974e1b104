#!/usr/bin/env bash
# A suite's quick run prints one JSON object as described in docs/benchmarks.md, with these figures.
#   smoke.sh PROGRAM FIGURE...
set -euo pipefail
program=$1
shift
figures=$(printf '%s\n' "$@" | jq -R . | jq -s .)
said=$("$program" --json --quick)
jq -es --argjson wanted "$figures" '
  length == 1 and (.[0] |
    (.suite | type == "string") and (.commit | type == "string") and (.machine | type == "string")
    and ($wanted - (.figures | keys) == [])
    and ([.figures[] | (.value | type == "number") and (.unit | type == "string")
          and (.ratio == null or ((.ratio | type == "number") and (.vs | type == "string")))] | all))
' <<<"$said" >/dev/null || {
  printf 'not what was agreed, or without one of %s:\n%s\n' "$*" "$said"
  exit 1
}
