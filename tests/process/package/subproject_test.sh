#!/usr/bin/env bash
# perigee as a part of another project, by add_subdirectory: its targets are there, its tests are not.
#   subproject_test.sh ROOT
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX ASM)
add_subdirectory($root perigee EXCLUDE_FROM_ALL)
perigee_game(outer_game game.cpp)
foreach(target game client embed host worker bots testing)
  if(NOT TARGET perigee::\${target})
    message(FATAL_ERROR "perigee::\${target} is missing")
  endif()
endforeach()
if(TARGET unit_base OR TARGET first_game)
  message(FATAL_ERROR "tests and examples belong to perigee alone")
endif()
END
echo '#include "perigee/plugin/game_plugin.hpp"' >"$folder/game.cpp"
cmake -G Ninja -S "$folder" -B "$folder/build" >"$folder/log" 2>&1 || { tail -20 "$folder/log"; exit 1; }
ninja -C "$folder/build" -n outer_game >"$folder/log" || { tail -20 "$folder/log"; exit 1; }
# The game's command has the options that make floating point the same everywhere.
ninja -C "$folder/build" -t commands outer_game | grep 'outer_game.dir/game.cpp.o' | grep -q -e -ffp-contract=off
