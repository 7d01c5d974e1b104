#!/usr/bin/env bash
# The program of docs/sdk_python.md plays, and errors are sentences. In an empty folder:
#   python.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 library=$2 url=$3 credential=$4
command -v python3 >/dev/null || { echo 'skipped: python3 is not installed'; exit 77; }
export PYTHONPATH=$root/sdk/python PYTHONDONTWRITEBYTECODE=1
awk -v language=python -f "$root/tests/process/engine/code_block.awk" "$root/docs/sdk_python.md" >walk.py

python3 walk.py "$library" "$url" "$credential" | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m and jumped 3 times, tick [1-9][0-9]*$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }
grep -qE '^([2-9]|[1-9][0-9]+) types of entities, [0-9]+ corrections, ping [0-9.]+ ms$' said

python3 "$root/tests/process/sdk/python_errors.py" "$library" "$url" "$credential"

"$root/tests/process/sdk/layout.sh" "$root/client/include/perigee/client/perigee_client.h" >layout
python3 "$root/tests/process/sdk/python_layout.py" <layout

# The package as pip installs it, without a network: by the first Python that has the tools for it.
for python in python3 /usr/bin/python3; do
  "$python" -c 'import setuptools, wheel, pip' 2>/dev/null || continue
  cp -rL "$root/sdk/python" sources
  "$python" -m pip install --quiet --no-index --no-build-isolation --root-user-action ignore --target installed ./sources
  PYTHONPATH=installed "$python" -c 'import perigee; assert perigee.__file__.startswith("'"$PWD"'/installed/")'
  cmp "$root/LICENSE" "$(find installed -path '*.dist-info/*' -name LICENSE)"
  exit 0
done
echo 'skipped after the play: no Python has pip, setuptools and wheel (packages python3-pip, python3-setuptools, python3-wheel)'
exit 77
