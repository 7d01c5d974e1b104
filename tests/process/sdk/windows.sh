#!/usr/bin/env bash
# The client library for Windows is built, shows only the functions of its header, and plays in Wine. In an
# empty folder; a long run alone builds it, in a minute or two:
#   windows.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 url=$3 credential=$4
header=$root/client/include/perigee/client/perigee_client.h
case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) echo 'skipped: a long run builds it'; exit 77 ;; esac
missing=$("$root/client/library/build.sh" windows lacks)
[ -z "$missing" ] || { echo "skipped: missing: $missing(package g++-mingw-w64-x86-64-posix)"; exit 77; }
"$root/client/library/build.sh" windows skiff --out perigee_client_skiff.dll
for words in 'Apache License' 'Bullet Continuous Collision Detection' 'Frank Denis' winpthreads 'Lockless Inc'; do
  grep -q "$words" perigee_client_skiff.licences.txt || { echo "perigee_client_skiff.licences.txt has no '$words'"; exit 1; }
done

tables=$(x86_64-w64-mingw32-objdump -p perigee_client_skiff.dll)
declared=$(grep -oE 'perigee_client_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
exported=$(awk '/^\[Ordinal\/Name Pointer\] Table/ { on = 1; next } on && NF == 0 { exit } on { print $NF }' <<<"$tables" | sort)
diff <(echo "$declared") <(echo "$exported") || { echo 'the DLL shows other functions than its header'; exit 1; }
others=$(sed -n 's/.*DLL Name: //p' <<<"$tables" | grep -vixE 'advapi32.dll|kernel32.dll|msvcrt.dll|ws2_32.dll' || true)
[ -z "$others" ] || { echo "the DLL needs other libraries than those of Windows: $others"; exit 1; }

x86_64-w64-mingw32-gcc-posix -std=c99 -Wall -Wextra -Werror -I"$root/client/include" "$root/tests/process/sdk/windows_walk.c" \
  perigee_client_skiff.dll -lws2_32 -o walk.exe
wine=$(command -v wine64 || command -v wine || find /usr/lib/wine -name wine64 2>/dev/null || true)
[ -n "$wine" ] || { echo 'skipped after the build: Wine is not installed (package wine64)'; exit 77; }
export WINEPREFIX=$root/build/client_library/wine WINEDEBUG=-all
windows_bits=$("$root/client/library/build.sh" windows bits)
linux_bits=$("$root/client/library/build.sh" linux bits)
[[ -n $linux_bits && $windows_bits = "$linux_bits" ]] ||
  { echo "the scene's bits are '$windows_bits' on Windows and '$linux_bits' on Linux"; exit 1; }
read -r wire_version schema_hash < <("$wine" walk.exe | tr -d '\r')
PYTHONPATH=$root/sdk/python python3 -B - "$url" "$credential" "$wire_version" "$schema_hash" <<'PY'
import sys
import perigee
url, credential, wire_version, schema_hash = sys.argv[1:]
reply = perigee.log_in(url, "Ada", credential, int(wire_version), int(schema_hash))
open("token", "wb").write(reply.connect_token)
PY
"$wine" walk.exe token | tr -d '\r' | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m, [0-9]* corrections$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }
