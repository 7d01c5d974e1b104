#!/usr/bin/env bash
# The npm package as it is checked in, in node.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null || { echo "skipped: node is not installed (package nodejs)"; exit 77; }
exec node --test "$here"/package/*.test.mjs
