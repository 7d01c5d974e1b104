#!/usr/bin/env bash
# The client library as one file: shows only the functions of its header, needs only the C library, and
# plays. In an empty folder; a long run alone builds it, in a minute or two:
#   single_file.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 url=$3 credential=$4
case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) echo 'skipped: a long run builds it'; exit 77 ;; esac
missing=$("$root/client/library/build.sh" linux lacks)
[ -z "$missing" ] || { echo "skipped: missing: $missing"; exit 77; }
"$root/client/library/build.sh" linux skiff --out libperigee_client_skiff.so
"$root/tests/rooms/check_exports.sh" "$root/client/include/perigee/client/perigee_client.h" libperigee_client_skiff.so
for words in 'Apache License' 'Bullet Continuous Collision Detection' 'Frank Denis' 'GCC Runtime Library Exception'; do
  grep -q "$words" libperigee_client_skiff.licences.txt || { echo "libperigee_client_skiff.licences.txt has no '$words'"; exit 1; }
done
needs=$(objdump -p libperigee_client_skiff.so | awk '$1 == "NEEDED" && $2 !~ /^(libc\.so|libm\.so|ld-linux)/ { print $2 }')
[ -z "$needs" ] || { echo "it needs other libraries: $needs"; exit 1; }
# The same with a game elsewhere.
cp -r "$root/examples/first_game" mygame
"$root/client/library/build.sh" linux mygame_client --include mygame mygame/game.cpp mygame/engine.cpp
"$root/tests/rooms/check_exports.sh" "$root/client/include/perigee/client/perigee_client.h" libmygame_client.so
if grep -a -e "$root" -e "$PWD" libperigee_client_skiff.so libmygame_client.so; then
  echo 'these have paths of this machine'
  exit 1
fi
"$root/client/library/build.sh" linux bits
exec "$root/tests/process/sdk/python.sh" "$root" "$PWD/libperigee_client_skiff.so" "$url" "$credential"
