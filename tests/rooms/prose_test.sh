#!/usr/bin/env bash
# check_prose.py accepts plain sentences, and finds persons for things, clauses without a subject and former words.
set -euo pipefail
check=$(cd "$(dirname "$0")/../.." && pwd)/tools/prose/check_prose.py
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
git init -q .

plain() { # CASE FILE TEXT
  printf '%s\n' "$3" >"$2"
  git add "$2"
  python3 "$check" "$2" >said 2>&1 || { echo "refused, though it is plain: $1"; cat said; exit 1; }
}
breach() { # CASE FILE TEXT FINDING
  printf '%s\n' "$3" >"$2"
  git add "$2"
  if python3 "$check" "$2" >said 2>&1; then echo "not found: $1"; exit 1; fi
  grep -F -- "$4" said >/dev/null || { echo "$1: it said"; cat said; exit 1; }
}

plain 'a sentence with a subject' a.hpp '/// Suspect a peer after 1.5 times the longest gap.'
plain 'code is no prose' a.cpp 'int who = nobody; // A counter.'
plain 'a question' a.md 'What happens then?'
plain 'a code block' b.md '```
who whom whose nobody
```'
# shellcheck disable=SC2016 # Markdown's backticks
plain 'names in backticks' c.md 'The class `Buddies` holds the state of the standby.'
breach 'a machine as a person' a.hpp '/// Nobody hears of it.' 'a.hpp:1: Nobody hears of it.'
breach 'no subject, across two lines' b.hpp '/// Suspect it early.
/// Who is late is
/// refused.' 'b.hpp:1: Who is late is refused.'
breach 'a trailing comment' c.cpp 'int ticks = 3;  // whose end is near' 'c.cpp:1'
breach 'a row of a table' d.md '| ticks | what is late |' 'd.md:1: what is late'
breach 'a shell comment' e.sh '# What stays is not counted.' 'e.sh:1'
breach 'a former word' f.md 'Each worker has a buddy.' "'buddy' is: standby"

printf '# rooms\nf.md\n' >rooms
if python3 "$check" --rooms rooms >said 2>&1; then echo 'a list of rooms was not checked'; exit 1; fi
if python3 "$check" >said 2>&1; then echo 'no paths: accepted'; exit 1; fi
grep -F usage: said >/dev/null
