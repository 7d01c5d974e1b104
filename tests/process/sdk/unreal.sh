#!/usr/bin/env bash
# The plugin for Unreal is put together as docs/sdk_unreal.md says. Its part without Unreal plays, and the
# other part compiles with stubs of Unreal's classes. In an empty folder:
#   unreal.sh ROOT LIBRARY URL CREDENTIAL LIBRARY_WITH_INPUT_FIELDS
set -euo pipefail
root=$1 library=$2 url=$3 credential=$4 fields=$5
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
./host "$plugin/Library/libperigee_client.so" --faults
./host "$fields" --fields
[ "$(./host libc.so.6 || true)" = 'the library: it has no perigee_client_abi' ]

# Every header of Unreal that the plugin names is a stub: in public/ if it is of a module that the plugin's games see, too.
module_of() { # HEADER
  case "$1" in
    CoreMinimal.h | HAL/* | Misc/* | Modules/*) echo Core ;;
    *.generated.h) echo CoreUObject ;;
    Subsystems/GameInstanceSubsystem.h | Tickable.h) echo Engine ;;
    HttpModule.h | Interfaces/IHttp*) echo HTTP ;;
    Dom/* | Serialization/Json*) echo Json ;;
    Interfaces/IPluginManager.h) echo Projects ;;
    IPAddress.h | Sockets.h | SocketSubsystem.h) echo Sockets ;;
    *) echo "unreal.sh knows no module of Unreal with $1" >&2; return 1 ;;
  esac
}
depends() { grep -qE "^ *$1DependencyModuleNames\..*\"$2\"" "$source/Perigee.Build.cs"; }
grep -rhoE '^#include "[A-Za-z0-9/]+(\.generated)?\.h"' "$source" | sed 's/.*"\(.*\)"/\1/' | sort -u >includes
while read -r file; do
  [ -z "$(find "$source" -name "${file##*/}")" ] || continue
  module=$(module_of "$file")
  if depends Public "$module"; then
    stub=public/$file with=stubs.h
  elif depends Private "$module"; then
    stub=private/$file with=private_stubs.h
  else
    echo "Perigee.Build.cs does not name the module $module, which has $file"
    exit 1
  fi
  mkdir -p "$(dirname "$stub")"
  echo "#include \"$with\"" >"$stub"
done <includes
# Unreal's tool generates this macro: it names the parent, and members of structs are public.
echo '#define PERIGEE_GENERATED_BODY using Super = UGameInstanceSubsystem; public:' >>public/PerigeeSession.generated.h
for file in PerigeeConnection PerigeeSession PerigeeModule; do
  compile -fsyntax-only -Wno-unused-variable -I"$here" -Ipublic -Iprivate -I"$source/Public" "$source/Private/$file.cpp"
done
awk -v language=cpp -f "$root/tests/process/engine/code_block.awk" "$root/docs/sdk_unreal.md" >page.inc
g++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I"$here" -I. -Ipublic -I"$source/Public" "$here/game.cpp"
cmp "$root/LICENSE" "$plugin/LICENSE"
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$plugin/Perigee.uplugin"
