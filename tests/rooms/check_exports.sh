#!/usr/bin/env bash
# The shared library for engines exports exactly the symbols that its header declares.
#   check_exports.sh HEADER LIBRARY
set -euo pipefail
declared=$(grep -oE 'perigee_client_[a-z_]+\(' "$1" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$2" | awk '{ print $3 }' | sort -u)
[ -n "$declared" ] || { echo "$1 declares nothing" >&2; exit 1; }
diff <(printf '%s\n' "$declared") <(printf '%s\n' "$exported") >&2 || {
  echo "$2 shows other symbols than $1 declares (<: missing, >: too many)" >&2
  exit 1
}
