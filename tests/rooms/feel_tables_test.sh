#!/usr/bin/env bash
# docs/feel.md shows the figures of docs/lab/cells.csv, and docs/lab/tables.py notices when it does not.
set -euo pipefail
root=${1:?usage: feel_tables_test.sh PROJECT}
python3 "$root/docs/lab/tables.py" --check

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/lab"
cp "$root/docs/feel.md" "$work"
cp "$root/docs/lab/cells.csv" "$root/docs/lab/tables.py" "$work/lab"
sed -i '/<!-- table: ours-and-talk -->/,/<!-- -->/s/0\.00/0.01/' "$work/feel.md"
if python3 "$work/lab/tables.py" --check 2> "$work/said"; then
  echo "a changed figure went unnoticed" >&2
  exit 1
fi
case $(< "$work/said") in
  *"Remedy: docs/lab/tables.py"*) ;;
  *) echo "the remedy is not named: $(< "$work/said")" >&2; exit 1 ;;
esac
python3 "$work/lab/tables.py"
cmp "$root/docs/feel.md" "$work/feel.md"
