#!/usr/bin/env bash
# Puts the plugin for Unreal together: its sources, perigee_client.h, and the client libraries.
#   assemble.sh FOLDER LIBRARY...    FOLDER: the project's folder Plugins. LIBRARY: a .so, a .dll, or both
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
fail() { printf '%s\n' "$1" >&2; exit 1; }
[ $# -ge 2 ] || { printf 'usage: assemble.sh FOLDER LIBRARY...\n' >&2; exit 2; }
plugin=$1/Perigee
shift
mkdir -p "$plugin/Library/include/perigee/client"
cp -r "$here/Perigee/." "$plugin/"
cp "$root/LICENSE" "$plugin/"
cp "$root/client/include/perigee/client/perigee_client.h" "$plugin/Library/include/perigee/client/"
for library in "$@"; do
  [ -f "$library" ] || fail "there is no library $library"
  case "$library" in
    *.dll) cp "$library" "$plugin/Library/perigee_client.dll" ;;
    *.so*) cp "$library" "$plugin/Library/libperigee_client.so" ;;
    *) fail "$library is neither a .so nor a .dll" ;;
  esac
done
