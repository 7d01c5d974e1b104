#!/usr/bin/env bash
# The plugin for Unreal is put together as docs/sdk_unreal.md says. Its part without Unreal plays, and the
# other part compiles with stubs of Unreal's classes. In an empty folder:
#   unreal.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 library=$2 url=$3 credential=$4
here=$root/tests/process/sdk/unreal
command -v g++ >/dev/null || { echo 'skipped: g++ is not installed'; exit 77; }
"$root/sdk/unreal/assemble.sh" Plugins "$library"
plugin=Plugins/Perigee
source=$plugin/Source/Perigee
compile() { g++ -std=c++20 -Wall -Wextra -Werror -I"$plugin/Library/include" -I"$source/Private" "$@"; }

compile -O1 "$here/host.cpp" "$source/Private/PerigeePlayer.cpp" -o host -ldl
read -r wire_version schema_hash < <(./host "$plugin/Library/libperigee_client.so")
PYTHONPATH=$root/sdk/python python3 -B - "$url" "$credential" "$wire_version" "$schema_hash" <<'PY'
import sys
import perigee
url, credential, wire_version, schema_hash = sys.argv[1:]
reply = perigee.log_in(url, "Ada", credential, int(wire_version), int(schema_hash))
open("token", "wb").write(reply.connect_token)
PY
./host "$plugin/Library/libperigee_client.so" token | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m, [23] shots, [1-9][0-9]* entities, [0-9]* corrections$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }
[ "$(./host libc.so.6 || true)" = 'the library: it has no perigee_client_abi' ]

# Every header of Unreal that the plugin names is the stub.
mkdir stubs
grep -rhoE '^#include "[A-Za-z0-9/]+(\.generated)?\.h"' "$source" | sed 's/.*"\(.*\)"/\1/' | sort -u | while read -r file; do
  [ -z "$(find "$source" -name "${file##*/}")" ] || continue
  mkdir -p "stubs/$(dirname "$file")"
  echo '#include "stubs.h"' >"stubs/$file"
done
# Unreal's tool generates this macro: it names the parent, and members of structs are public.
echo '#define PERIGEE_GENERATED_BODY using Super = UGameInstanceSubsystem; public:' >>stubs/PerigeeSession.generated.h
for file in PerigeeConnection PerigeeSession PerigeeModule; do
  compile -fsyntax-only -Wno-unused-variable -I"$here" -Istubs -I"$source/Public" "$source/Private/$file.cpp"
done
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$plugin/Perigee.uplugin"
