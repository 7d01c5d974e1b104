#!/usr/bin/env bash
# ./perigee docs on machines that lack something: a sentence with the remedy, and exit code 1. Wrong options: 2.
#   docs_command_test.sh ROOT
set -euo pipefail
root=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for entry in "$root"/*; do
  case "${entry##*/}" in build | perigee) ;; *) ln -s "$entry" "$tree" ;; esac
done
cp "$root/perigee" "$tree"
cd "$tree"

refused() { # CODE SENTENCE COMMAND...
  local code=0
  "${@:3}" >said 2>&1 || code=$?
  if [ "$code" != "$1" ] || ! grep -qe "$2" said; then
    echo "'${*:3}' ended with $code instead of $1, or did not say '$2':"
    cat said
    exit 1
  fi
}
refused 2 "docs has no option '--unheard-of'" ./perigee docs --unheard-of
refused 2 "port 'x' is not 1 to 65535" ./perigee docs --serve --port x
refused 2 "port '65536' is not 1 to 65535" ./perigee docs --serve --port 65536
refused 1 'Remedy: a network that reaches PyPI' env PIP_INDEX_URL=http://127.0.0.1:9/ PIP_CACHE_DIR="$tree/cache" PIP_CONFIG_FILE=/dev/null ./perigee docs
mkdir programs
printf '#!/bin/sh\nexit 1\n' >programs/python3
chmod +x programs/python3
refused 1 'Remedy: apt-get install python3-venv' env PATH="$tree/programs:$PATH" ./perigee docs

# A fault of the pages is named before anything is built. The generator is there, as far as the command knows.
mkdir -p build/docs_venv
cp tools/site/requirements.txt build/docs_venv/
rm docs && cp -r "$root/docs" docs
echo '[gone](gone.md)' >>docs/index.md
refused 1 'docs/index.md:.*: link gone.md does not exist' ./perigee docs
echo "every lack is a sentence"
