#!/usr/bin/env bash
# ./perigee scale gives the results computed by hand and refuses invalid sizes, and scale_doc.sh
# finds each error that is planted in a copy of the tree.
#   scale_test.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for place in "$root"/*; do
  case "${place##*/}" in docs | tools | perigee | build) ;; *) ln -s "$place" "$tree/${place##*/}" ;; esac
done
mkdir -p "$tree/docs/img"
cp -r "$root/tools" "$root/perigee" "$tree"
restore() {
  cp "$root/docs/scale.md" "$tree/docs/"
  cp "$root/docs/img/scale.svg" "$tree/docs/img/"
  cp "$root/tools/scale/coefficients.txt" "$tree/tools/scale/"
}
cd "$tree"

expect() { # CASE ROW VALUE ARGUMENTS...
  local what=$1 row=$2 value=$3
  shift 3
  ./perigee scale "$@" >said
  grep -qF "| $row | $value |" said || { echo "$what: expected '| $row | $value |', it said:"; cat said; exit 1; }
}
restore
expect 'a half-full worker is a worker' 'workers / players' '11 / 5,001' --players 5001
expect 'area' 'area of the world (km²)' '40.0' --players 800
expect 'one worker has no neighbours' 'worker → worker (Gbit/s)' 0 --players 500
expect 'a small world' 'workers that send to one player' 4.00 --players 2000 --per-km2 500
# 10 x 10 squares of 5 km, each with 3.2 km around it inside of the world, divided by the world: 4.346.
expect 'a wide world' 'workers that send to one player' 4.35 --players 50000 --per-km2 20
expect 'bytes that cost nothing' 'bytes to players (money/h)' 0 --egress-gb 0
sed -E 's/^(gateway_[a-z]+_us) \| [0-9.]+/\1 | 1/; s/^(limit_gateway_clients) \| [0-9]+/\1 | 100/' \
  tools/scale/coefficients.txt >small.txt
expect 'small gateways' gateways 65 --players 6401 --coefficients small.txt

refused() { # CASE SENTENCE ARGUMENTS...
  local what=$1 sentence=$2 code=0
  shift 2
  ./perigee scale "$@" >said 2>&1 || code=$?
  { [ $code = 2 ] && grep -qF -- "$sentence" said; } || { echo "$what: code $code, it said:"; cat said; exit 1; }
}
refused 'a word for a number' "'many' is not a number" --players many
refused 'nobody' 'more than 0' --players 0.0
refused 'an unknown option' "does not know '--colour'" --colour red
refused 'an option without its value' 'needs a value' --players
refused 'a file that is not there' 'no file' --coefficients nowhere.txt
refused 'an unknown list' 'coefficients or limits' --list prices
grep -v '^tick_body_us' tools/scale/coefficients.txt >fewer.txt
refused 'a coefficient that is missing' 'lack tick_body_us' --coefficients fewer.txt
echo 'tick_body_us | 3 ms' >>fewer.txt
refused 'a line that is none' 'not '"'name" --coefficients fewer.txt

expect_untruth() { # CASE SENTENCE
  if tools/shell/scale_doc.sh --check . >said 2>&1 || ! grep -qF "$2" said; then
    echo "not noticed: $1"; cat said
    exit 1
  fi
  restore
}
tools/shell/scale_doc.sh --check . || { echo "refused, but nothing is wrong"; exit 1; }
sed -i 's/^| gateways | /&9/' docs/scale.md
expect_untruth 'a table that was edited' 'scale.md is not what'
sed -i 's/^\(up_bytes | \)[0-9.]*/\19999/' tools/scale/coefficients.txt
expect_untruth 'a coefficient that changed' 'scale.md is not what'
sed -i 's/<title>/&Not /' docs/img/scale.svg
expect_untruth 'a picture that was edited' 'scale.svg is not what'
sed -i 's/workers_max = 1024/workers_max = 999/' tools/scale/coefficients.txt
expect_untruth 'a limit that is another one' "limit_workers: no 'workers_max = 999'"
sed -i '$d' docs/scale.md
sed -i '/^<!-- -->$/d' docs/scale.md
expect_untruth 'a table without an end' 'no <!-- --> ends'
echo "every untruth is found"
