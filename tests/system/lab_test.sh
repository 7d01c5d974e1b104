#!/usr/bin/env bash
# perigee-lab on a short run: every preset gets a cell that means something, and what it is told
# wrongly it refuses with the names that there are.
#   lab_test.sh PERIGEE_LAB
set -euo pipefail
lab=$1
out=$("$lab" --scenarios L1 --presets all --profiles P1 --seconds 10 --players 2 --json)
presets=$("$lab" --print-list | sed '1,/^Presets/d' | grep -c '^  ')
[ "$(grep -c '"valid": true' <<<"$out")" = "$presets" ] || { echo "not a valid cell for each preset: $out"; exit 1; }
python3 -c 'import json, sys; assert json.load(sys.stdin)["lab_protocol"] == 1' <<<"$out"
for wrong in '--profiles P1,P9' '--scenarios L1,L99' '--presets perigee,best' '--seconds 0'; do
  # shellcheck disable=SC2086  # options with their values
  said=$("$lab" $wrong 2>&1) && { echo "took $wrong"; exit 1; } || code=$?
  [ "$code" = 2 ] || { echo "$wrong: exit code $code"; exit 1; }
  grep -qE 'P7|no-prediction|crowd|within 5' <<<"$said" || { echo "$wrong: $said"; exit 1; }
done
