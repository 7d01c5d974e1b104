#!/usr/bin/env bash
# docs/mission.md is complete, everything that it names exists, and its ids occur in tests, but not
# in comments of product code. Prints every error; exit code 1 if any.
#   check_mission.sh [ROOT]
set -uo pipefail
cd "${1:-$(dirname "$0")/../..}" || exit 2
table=docs/mission.md
[ -f "$table" ] || { echo "$table is missing"; exit 1; }

ids='E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11
  B1 B2 B3 B4 B5 B6 B6b B7 B8 B9 S1 S2 S3 S4 S5 S5b S6 S7 S8 S9 S10 S11 S12 S13 S14
  K1 K2 K2b K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18 K19 K20 K21 K22 K23 K24 K25
  K26 K26b K27 K28 K29 K30 K31 K32 K33 K34 K35 K36 K37 K38 K39 K40 K41 K42 K43 K44 K45 K46 K47 K48
  D1 D2 D3 D4 D5 D6 D7'
wrong=0
say() { echo "$table: $*"; wrong=1; }

for id in $ids; do
  rows=$(grep -c "^| $id |" "$table")
  [ "$rows" = 1 ] || say "$id has $rows rows"
done
# D2: every entry of the top level exists and is not empty.
for place in CMakeLists.txt services platform storage proto sim gateway deploy tests docs; do
  [ -f "$place" ] || [ -n "$(ls -A "$place" 2>/dev/null)" ] || say "D2: $place is missing or empty"
done

check_test() { # ID FILE [SUITE.NAME]
  [ -f "$2" ] || { say "$1: no test file $2"; return; }
  # K16 in a test's name counts for K16, but not for K1.
  grep -qE "(^|[^A-Z0-9])$1([^0-9b]|$)|[a-z]$1\b" "$2" || say "$1 does not occur in $2"
  [ -n "${3:-}" ] || return
  grep -qE "^TEST(_F|_P)?\(${3%%.*}, *${3#*.}\)" "$2" || say "$1: no test $3 in $2"
}
known=" $(xargs <<<"$ids") "
# A comment in product code states the rule itself: its reader does not have the table at hand.
comment="(//|#).*\\b($(xargs <<<"$ids" | tr ' ' '|'))\\b"
for room in sim gateway client services netcode transport embed lab tools deploy examples cmake proto; do
  [ -d "$room" ] || continue
  while IFS= read -r line; do say "an id in product code: $line"; done < <(
    grep -rnE --include='*'.{cpp,hpp,h,proto,sh,awk,py,yml,cmake} -- "$comment" "$room/")
done
while IFS='|' read -r _ id requirement state files shown _; do
  id=${id// /} state=${state// /}
  case "$known" in *" $id "*) ;; *) say "$id is no row of the mission"; continue ;; esac
  [ -n "${requirement// /}" ] || say "$id says nothing"
  # shellcheck disable=SC2016  # Markdown's backticks
  files=$(grep -oE '`[^`]+`' <<<"$files" | tr -d '`')
  # shellcheck disable=SC2016
  shown=$(grep -oE '`[^`]+`' <<<"$shown" | tr -d '`')
  case "$state" in
    later) [ -z "$files$shown" ] || say "$id is for later, but names something" ;;
    done | partial)
      [ -n "$files" ] || say "$id lives nowhere"
      for file in $files; do [ -e "$file" ] || say "$id: no $file"; done
      [ -n "$shown" ] || say "$id is not shown by any test"
      # Files, each with an optional test name after it.
      file='' name=''
      for word in $shown END; do
        if [ "$word" != END ] && [[ $word != */* ]]; then name=$word; continue; fi
        [ -z "$file" ] || check_test "$id" "$file" "$name"
        file=$word name=''
      done
      ;;
    *) say "$id: state '$state' is not done, partial or later" ;;
  esac
done < <(grep -E '^\| [A-Z][0-9]' "$table")
exit $wrong
