#!/usr/bin/env bash
# The game's module for browsers: build.sh PERIGEE LEVEL_FOLDER FILE
# PERIGEE is the program perigee; LEVEL_FOLDER has the arena as C++, levels/ of a build of the game.
set -euo pipefail
game=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
file=$(realpath -m "$3")
exec "$1" module hover_tag --include "$game" --include "$2" --out "$file" \
  "$game"/{game,moving,tagging,match,results,records,npc,engine}.cpp "$2/arena_level.cpp"
