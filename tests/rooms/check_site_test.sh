#!/usr/bin/env bash
# Plants one page per kind of breach and checks that tools/site/check.py reports it; a good tree passes. Then the
# staged form of a page: links, headings and blank lines as the site's generator needs them. (D8)
# shellcheck disable=SC2016  # backticks are what the pages hold
set -euo pipefail
tools=$(cd "$(dirname "$0")/../../tools/site" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs/decisions" "$tree/docs/img" "$tree/room"
echo '<svg/>' >"$tree/docs/img/a.svg"
printf '# Decisions\n\n## World\n| page | choice |\n|---|---|\n| [0001](0001-a.md) | World: `a` |\n' >"$tree/docs/decisions/README.md"
echo '# 0001' >"$tree/docs/decisions/0001-a.md"
echo '# Front' >"$tree/README.md"
echo '# Room' >"$tree/room/README.md"

good_tree=('# a comment' 'Start' '  Home: docs/index.md' '  Front: README.md' 'Why' '  Decisions: docs/decisions/README.md'
  '  By area: docs/decisions/*' 'not a page: room/README.md  a part of something else')
good_page=('# Page' '[front](../README.md) [README.md](../README.md)' 'text' '- [down](#a-b) and ![p](img/a.svg)' '' '## A `b`' '[out](https://example.org/)'
  '```' '[no](link.md)' '```' '`[no](link.md)` <a id="here"></a>' '## Here' '[h](#here)')
lines() { printf '%s\n' "$@"; }
reset() {
  lines "${good_tree[@]}" >"$tree/docs/tree.txt"
  lines "${good_page[@]}" >"$tree/docs/index.md"
}
tried() { python3 -B "$tools/check.py" "$tree" >"$tree.said"; }
expect() { # SENTENCE
  if tried || ! grep -qF -- "$1" "$tree.said"; then
    echo "not found: $1; said was:"
    cat "$tree.said"
    exit 1
  fi
  reset
}

reset
tried || { echo "refused, but nothing is wrong:"; cat "$tree.said"; exit 1; }
for added in '[x](gone.md)|docs/index.md:14: link gone.md does not exist' '![x](img/gone.svg)|picture img/gone.svg does not exist' \
  '[x](../README.md#gone)|README.md has no heading for #gone' '[x](#gone)|docs/index.md has no heading for #gone' \
  '![x](https://example.org/a.png)|is on another host' '# Two|has 2 headings of level 1' '## A b|#a-b could mean line 6 as well'; do
  echo "${added%%|*}" >>"$tree/docs/index.md"
  expect "${added#*|}"
done
echo '# New' >"$tree/docs/new.md"
expect "docs/new.md: has no place in docs/tree.txt; add a line"
rm "$tree/docs/new.md"
echo '# 0002' >"$tree/docs/decisions/0002-b.md"
expect 'or its row to docs/decisions/README.md'
rm "$tree/docs/decisions/0002-b.md"
for added in '  Gone: docs/gone.md|docs/gone.md does not exist' '  Again: README.md|README.md is there twice' \
  'not a page: docs/gone.md  old|docs/gone.md does not exist' 'not a page: docs/index.md|neither' '   Odd: README.md|neither'; do
  echo "${added%%|*}" >>"$tree/docs/tree.txt"
  expect "${added#*|}"
done

python3 -B "$tools/stage.py" "$tree" "$tree/staged"
diff - "$tree/staged/pages/index.md" <<'END'
# Page {#page}

[front](readme.md) [Front](readme.md)
text

- [down](#a-b) and ![p](img/a.svg)

## A `b` {#a-b}

[out](https://example.org/)

```
[no](link.md)
```

`[no](link.md)` <a id="here"></a>

## Here {#here}

[h](#here)
END
python3 - "$tree/staged/mkdocs.yml" <<'END'
import json, sys
nav = json.load(open(sys.argv[1]))["nav"]
assert nav[1] == {"Why": [{"Decisions": "decisions/README.md"},
                          {"By area": [{"World": [{"0001 World: a": "decisions/0001-a.md"}]}]}]}, nav
END

# For machines: the list of pages, their texts, and a page as it is.
printf '# Page\n\nThis is a [page](../README.md) of one\nsentence. And of another.\n' >"$tree/docs/index.md"
printf '# Front\n\n- a list\n' >"$tree/README.md"
mkdir "$tree/site"
python3 -B "$tools/llms.py" "$tree" "$tree/site"
diff - "$tree/site/llms.txt" <<'END'
# perigee

> This is a page of one sentence. And of another.

All pages are Markdown. Commands begin in the top folder of a checkout. `llms-full.txt` has the pages of the first sections in one file.

## Start

- [Home](index.md): This is a page of one sentence.
- [Front](readme.md)

## Optional

- [Decisions](decisions/README.md)
- [0001 World: a](decisions/0001-a.md)
END
grep -qF 'This is a [page](readme.md) of one' "$tree/site/index.md"
[ "$(grep -c '^<!-- ' "$tree/site/llms-full.txt")" = 2 ]
rm -f "$tree.said"
echo "every kind of breach is found"
