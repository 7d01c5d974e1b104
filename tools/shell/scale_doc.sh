#!/usr/bin/env bash
# docs/scale.md contains the output of ./perigee scale, from each line `<!-- ./perigee scale ... -->`
# up to the next `<!-- -->`. docs/img/scale.svg is its chart.
#   scale_doc.sh [ROOT]           writes them
#   scale_doc.sh --check [ROOT]   fails if they are out of date, or if a limit is not in the code
#                                 where tools/scale/coefficients.txt says
set -euo pipefail
check=no
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
cd "${1:-$(dirname "$0")/../..}"
page=docs/scale.md picture=docs/img/scale.svg
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong=0
say() {
  printf 'scale_doc.sh: %s\n' "$*" >&2
  wrong=1
}

write_page() {
  local line inside=no
  while IFS= read -r line; do
    if [ "$line" = '<!-- -->' ]; then inside=no; fi
    if [ $inside = no ]; then printf '%s\n' "$line"; fi
    if [[ $line =~ ^'<!-- ./perigee scale'(.*)' -->'$ ]]; then
      # shellcheck disable=SC2086 # words of a command line
      ./perigee scale ${BASH_REMATCH[1]} || say "./perigee scale${BASH_REMATCH[1]} failed"
      inside=yes
    fi
  done <"$page"
  [ $inside = no ] || say "$page: no <!-- --> ends the last table"
}

# Checks the `text` in `file` at the start of each limit's last field: the file has that text.
check_limits() {
  local name where text file
  while IFS='|' read -r name _ _ _ where; do
    name=${name// /}
    # shellcheck disable=SC2016 # Markdown's backticks
    if [[ $where =~ ^' `'([^\`]+)'` in `'([^\`]+)'`' ]]; then
      text=${BASH_REMATCH[1]} file=${BASH_REMATCH[2]}
      { [ -f "$file" ] && tr -d "'" <"$file" | grep -F -- "$text" >/dev/null; } || say "$name: no '$text' in $file"
    else
      say "$name: the last field is not \`text\` in \`file\`"
    fi
  done < <(grep '^limit_' tools/scale/coefficients.txt)
}

write_page >"$folder/page"
./perigee scale --sizes --svg >"$folder/picture"
if [ $check = no ]; then
  cp "$folder/page" "$page"
  cp "$folder/picture" "$picture"
else
  diff "$page" "$folder/page" >&2 || say "$page is not what ./perigee scale prints. Remedy: tools/shell/scale_doc.sh"
  cmp -s "$picture" "$folder/picture" || say "$picture is not what ./perigee scale draws. Remedy: tools/shell/scale_doc.sh"
fi
check_limits
exit $wrong
