#!/usr/bin/env bash
# The program of docs/sdk_unity.md plays in Mono; frames make no garbage; Unity's components
# fit their interfaces. In an empty folder:
#   unity.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 library=$2 url=$3 credential=$4
here=$root/tests/process/sdk
for tool in mono mcs; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (packages mono-runtime, mono-mcs)"; exit 77; }
done
compile() { mcs -langversion:7 -warnaserror "$@"; }
cp "$library" libperigee_client.so
export LD_LIBRARY_PATH=. LC_ALL=C.UTF-8
compile -target:library -out:Perigee.dll "$root"/sdk/unity/Runtime/*.cs

awk -v language=csharp -f "$root/tests/process/engine/code_block.awk" "$root/docs/sdk_unity.md" >Walk.cs
compile -r:Perigee.dll Walk.cs
mono Walk.exe "$url" "$credential" | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m, [23] shots, tick [1-9][0-9]*$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }

compile -r:Perigee.dll -out:UnityGarbage.exe "$here/UnityGarbage.cs"
mono UnityGarbage.exe "$url" "$credential"

"$root/tests/process/sdk/layout.sh" "$root/client/include/perigee/client/perigee_client.h" >layout
compile -out:UnityInside.exe "$here/UnityInside.cs" "$root"/sdk/unity/Runtime/*.cs
mono UnityInside.exe <layout

compile -target:library -out:UnityEngine.dll "$here/UnityEngineStubs.cs"
compile -target:library -out:Perigee.Unity.dll -r:Perigee.dll -r:UnityEngine.dll \
  "$root"/sdk/unity/Runtime/Unity/*.cs "$root"/sdk/unity/Samples~/Walk/*.cs
compile -r:Perigee.dll -r:Perigee.Unity.dll -r:UnityEngine.dll -out:UnityWithoutLibrary.exe "$here/UnityWithoutLibrary.cs"
mkdir without_library
cp Perigee.dll Perigee.Unity.dll UnityEngine.dll UnityWithoutLibrary.exe without_library/
(cd without_library && mono UnityWithoutLibrary.exe)

# Unity ignores files of a package without a .meta file.
(cd "$root/sdk/unity" && find Runtime Runtime/* -name '*.meta' -prune -o -print) | while read -r file; do
  [ -f "$root/sdk/unity/$file.meta" ] || { echo "sdk/unity/$file has no .meta file"; exit 1; }
done
