#!/usr/bin/env bash
# The console's pages, services/console/page, as the program embeds them.
#   build.sh dist [FOLDER]
#       checks the types, and builds services/console/dist, or FOLDER
#   build.sh modules [FOLDER]
#       only the npm modules that dist and the tests of the pages need, in node_modules; or those of FOLDER
#   build.sh lacks
#       prints what this machine lacks for that; nothing if it lacks nothing
# exit codes: 0 success, 1 failure, 2 wrong usage, 77 this machine lacks a tool or the network
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

cannot() { printf '%s\n' "$1" >&2; exit 77; }
fail() { printf '%s\n' "$1" >&2; exit 1; }

lacks() {
  local tool
  for tool in node npm; do command -v $tool >/dev/null || printf '%s ' $tool; done
}

modules() { # FOLDER
  local missing
  missing=$(lacks)
  [ -z "$missing" ] || cannot "missing: $missing"
  [ -e "$1/node_modules/.lock" ] && cmp -s "$1/package-lock.json" "$1/node_modules/.lock" && return
  npm ci --silent --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000 --prefix "$1" >&2 || {
    rm -rf "$1/node_modules"
    cannot "npm cannot fetch the modules of $1/package-lock.json; is there a network?"
  }
  cp "$1/package-lock.json" "$1/node_modules/.lock"
}

dist() { # FOLDER
  modules "$here"
  cd "$here"
  node_modules/.bin/tsc --noEmit || fail "the TypeScript has errors"
  node_modules/.bin/vite build --logLevel warn --outDir "$1" --emptyOutDir || fail "the pages could not be built"
}

mkdir -p "$root/build"
exec 9>"$root/build/console_page.lock" # one build at a time uses the folder
flock 9
case "${1:-}" in
  dist) dist "$(realpath -m "${2:-$here/../dist}")" ;;
  modules) modules "$(realpath -m "${2:-$here}")" ;;
  lacks) lacks ;;
  *) printf 'build.sh takes dist, modules or lacks (see the beginning of services/console/page/build.sh)\n' >&2; exit 2 ;;
esac
