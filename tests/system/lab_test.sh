#!/usr/bin/env bash
# perigee-lab on a short run: every preset gets a meaningful cell, and a wrong option value is
# refused with the list of valid names.
# lab_test.sh PERIGEE_LAB PUBLISHED_CELLS
set -euo pipefail
lab=$1
published=$2
out=$("$lab" --scenarios L1 --presets all --profiles P1 --seconds 10 --players 2 --json)
presets=$("$lab" --print-list | sed '1,/^Presets/d' | grep -c '^  ')
valid=$(python3 -c 'import json, sys; print(sum(cell["valid"] for cell in json.load(sys.stdin)["cells"]))' <<<"$out")
[ "$valid" = "$presets" ] || { echo "not a valid cell for each preset: $out"; exit 1; }
python3 -c 'import json, sys; assert json.load(sys.stdin)["lab_protocol"] == 2' <<<"$out"
for wrong in '--profiles P1,P99' '--scenarios L1,L99' '--presets perigee,best' '--seconds 3601'; do
  # shellcheck disable=SC2086  # options with their values
  said=$("$lab" $wrong 2>&1) && { echo "took $wrong"; exit 1; } || code=$?
  [ "$code" = 2 ] || { echo "$wrong: exit code $code"; exit 1; }
  grep -qE 'P7|no-prediction|crowd|within 0' <<<"$said" || { echo "$wrong: $said"; exit 1; }
done

# The plan: the seeds, and the number of cells of each kind.
said() { "$lab" --plan "$@" 2>&1 || true; }
cells() { PERIGEE_COMMIT=abc said "$@" | wc -l; }
[ "$(said --scenarios L1 --presets perigee --profiles P1 --seeds 2)" = "$(printf 'L1 P1 perigee seed %d, 4 players, 120 s\n' 1 2)" ] ||
  { echo "not the seeds 1 and 2: $(said --scenarios L1 --presets perigee --profiles P1 --seeds 2)"; exit 1; }
one=(--scenarios L1 --presets perigee --profiles P1)
first=$(PERIGEE_COMMIT=abc said "${one[@]}" --seeds commit)
[ "$first" = "$(PERIGEE_COMMIT=abc said "${one[@]}" --seeds commit:1)" ] || { echo "another seed the second time: $first"; exit 1; }
[ "$first" != "$(PERIGEE_COMMIT=abd said "${one[@]}" --seeds commit)" ] || { echo "two commits have one seed: $first"; exit 1; }
seed=$(sed -E 's/.* seed ([0-9]+),.*/\1/' <<<"$first")
[ "$seed" -gt 100 ] || { echo "a seed that others ask for by its number: $first"; exit 1; }
[ "$(PERIGEE_COMMIT=abc said "${one[@]}" --full)" = "$(printf "L1 P1 perigee seed %d, 16 players, 120 s\n" "$seed" $((seed + 1)) $((seed + 2)))" ] ||
  { echo "the whole table has other seeds"; exit 1; }
scenarios=$("$lab" --print-list | sed '/^Profiles/,$d' | grep -c '^  ')
[ "$(cells --full --presets perigee)" = $((scenarios * 8 * 3 + 4 * 6 * 3)) ] || { echo "ours: $(cells --full --presets perigee) cells"; exit 1; }
[ "$(cells --full)" -le 1500 ] || { echo "the whole table takes too long: $(cells --full) cells"; exit 1; }
[ "$(cells)" = $((2 * (scenarios + 5 * 2))) ] || { echo "the quick look: $(cells) cells"; exit 1; }
for wrong in 'x' '0' '101' 'commit:' 'commit:0' 'commit3' '3x' '-1'; do
  grep -q "a number from 1 to 100, commit or commit:NUMBER, not '$wrong'" <<<"$(said --seeds="$wrong")" ||
    { echo "seeds $wrong: $(said --seeds="$wrong")"; exit 1; }
done
for unknown in '--seeds commit' '--full'; do
  # shellcheck disable=SC2086  # options with their values
  grep -q 'no commit is known .*--seeds 3' <<<"$(unset PERIGEE_COMMIT && said $unknown)" || { echo "$unknown without a commit"; exit 1; }
done

# A file of cells is continued where it stopped, also after half a line, and refuses to be mixed
# with other runs.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cells=$folder/cells.csv
short=(--scenarios 'L1,L4' --profiles P1 --presets perigee --seconds 5 --players 2)
PERIGEE_COMMIT=a "$lab" "${short[@]}" --into "$cells" --html "$folder/page.html" >"$folder/first"
head -c -40 "$cells" >"$folder/cut" && mv "$folder/cut" "$cells"
PERIGEE_COMMIT=a "$lab" "${short[@]}" --into "$cells" >"$folder/second"
cmp "$folder/first" "$folder/second" || { echo "not the same after half a line"; exit 1; }
[ "$(wc -l <"$cells")" = 3 ] || { echo "not two cells: $(cat "$cells")"; exit 1; }
grep -q '<svg' "$folder/page.html" || { echo "no pictures"; exit 1; }
"$lab" "${short[@]}" --into "$cells" 2>"$folder/said" && { echo "mixed with another commit"; exit 1; }
grep -q 'another commit' "$folder/said" || { echo "no reason: $(cat "$folder/said")"; exit 1; }
PERIGEE_COMMIT=a "$lab" "${short[@]}" --into "$cells" --markdown | grep -q '^| ..L4.*| – | 0.00' || { echo "no table"; exit 1; }
"$lab" --from "$cells" >"$folder/third" 2>"$folder/of"
[ "$(wc -l <"$folder/of")" = 1 ] || { echo "not of this build: $(cat "$folder/of")"; exit 1; }
cmp "$folder/first" "$folder/third" || { echo "not the same from the file alone"; exit 1; }

# Figures of another build can be viewed and are named as such; only a mixture is refused.
sed '2,$s/^\([0-9]*\),[0-9a-f]*,/\1,0123456789abcdef,/' "$cells" >"$folder/other"
"$lab" --from "$folder/other" >"$folder/fourth" 2>"$folder/said"
cmp "$folder/first" "$folder/fourth" || { echo "not the same with another yardstick"; exit 1; }
grep -q 'with yardstick 0123456789abcdef.*must not be mixed in one table' "$folder/said" || { echo "not named: $(cat "$folder/said")"; exit 1; }
cut -d, -f1-20 "$folder/other" >"$folder/fewer"
"$lab" --from "$folder/fewer" >"$folder/fifth" 2>"$folder/said"
grep -q 'L1 on P1' "$folder/fifth" || { echo "fewer columns are not read"; exit 1; }
grep -q 'Not in the file.*missed_per_minute' "$folder/said" || { echo "no word of missing columns: $(cat "$folder/said")"; exit 1; }
{ cat "$folder/other" && tail -n 1 "$cells"; } >"$folder/mixed"
"$lab" --from "$folder/mixed" 2>"$folder/said" && { echo "looked at a mixture"; exit 1; }
grep -q 'another commit or yardstick' "$folder/said" || { echo "no reason: $(cat "$folder/said")"; exit 1; }
"$lab" --from "$published" >"$folder/sixth" 2>"$folder/said"
grep -q 'L1 on P0' "$folder/sixth" || { echo "the published table cannot be read: $(cat "$folder/said")"; exit 1; }

echo 'my shopping list' >"$folder/list"
for file in "$folder/list" "$folder" /no/such/folder/file; do
  said=$("$lab" "${short[@]}" --into "$file" 2>&1) && { echo "took $file"; exit 1; } || code=$?
  [ "$code" = 1 ] || { echo "$file: exit code $code: $said"; exit 1; }
  "$lab" --from "$file" 2>"$folder/said" && { echo "read $file"; exit 1; }
  grep -q "$file" "$folder/said" || { echo "no reason: $(cat "$folder/said")"; exit 1; }
done
[ "$(cat "$folder/list")" = 'my shopping list' ] || { echo "wrote over what is no file of cells"; exit 1; }
