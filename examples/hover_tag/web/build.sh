#!/usr/bin/env bash
# The game's module for browsers. It needs a checkout of perigee: build.sh CHECKOUT LEVEL_FOLDER FILE
# LEVEL_FOLDER has the arena as C++, levels/ of a build of the game.
set -euo pipefail
game=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
exec "$1/client/browser/build.sh" game hover_tag --include "$game" --include "$2" --out "$3" \
  "$game"/{game,moving,tagging,match,results,records,npc,engine}.cpp "$2/arena_level.cpp"
