#!/bin/sh
# check_forwarding.py finds each function that a wrapper of a game has lost.
set -eu
root=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

game=sim/world/include/perigee/world/game.hpp
watched=sim/world/include/perigee/world/watched_game.hpp
twice=sim/purity/include/perigee/purity/checked_twice.hpp
for file in "$game" "$watched" "$twice"; do
  mkdir -p "$work/$(dirname "$file")"
  cp "$root/$file" "$work/$file"
done
python3 -B "$here/check_forwarding.py" "$work"

for wrapper in "$watched" "$twice"; do
  for function in think hit_effect on_leave; do
    cp "$root/$wrapper" "$work/$wrapper"
    sed -i "s/ $function(/ other_$function(/" "$work/$wrapper"
    if python3 -B "$here/check_forwarding.py" "$work" >"$work/found"; then
      echo "$wrapper without $function is not found" >&2
      exit 1
    fi
    grep -q "does not forward GameModule::$function" "$work/found"
  done
  cp "$root/$wrapper" "$work/$wrapper"
done

# a new function that no wrapper forwards
sed -i 's/^  virtual void drive(.*/&\n  virtual void ponder(World\&) const {}/' "$work/$game"
if python3 -B "$here/check_forwarding.py" "$work" >"$work/found"; then
  echo "a new function is not found" >&2
  exit 1
fi
test "$(grep -c 'GameModule::ponder' "$work/found")" -eq 2
