#!/usr/bin/env bash
# A consumer of the installed packages, in a folder outside of the tree: by CMake and by pkg-config the
# same sources give the same bits, and the installed perigee-sim loads the game that it built.
#   package_test.sh ROOT BUILD_DIR
set -euo pipefail
root=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix
cmake --install "$build" --prefix "$prefix" >"$folder/log" || { tail "$folder/log"; exit 1; }
# Moved: nothing in the packages has the place where it was installed, or that of the sources.
mv "$prefix" "$folder/moved"
prefix=$folder/moved
if grep -rIl -e "$root" -e "$folder/prefix" "$prefix"; then
  echo 'the files above name a folder of this machine'
  exit 1
fi
# Nor have texts of programs and libraries, such as those of failed assertions. Debug information may.
if grep -F "$root/" < <(find "$prefix" -type f \( -path '*/bin/*' -o -name '*.a' -o -name '*.so*' \) \
  -exec readelf -p .rodata -p .rodata.str1.1 -p .rodata.str1.8 {} + 2>/dev/null); then
  echo 'texts above, of programs or libraries, name a folder of this machine'
  exit 1
fi
cp -r "$here/consumer" "$folder/consumer"
game=$prefix/share/perigee/examples/first_game

cmake -S "$folder/consumer" -B "$folder/by_cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DGAME="$game" >"$folder/log" || { cat "$folder/log"; exit 1; }
cmake --build "$folder/by_cmake" -j2 >"$folder/log" || { cat "$folder/log"; exit 1; }
said=$("$folder/by_cmake/consumer")
[[ $said =~ ^[0-9a-f]{16}\ -?0x1 ]] || { echo "the consumer said: $said"; exit 1; }
"$prefix/bin/perigee-sim" --game "$folder/by_cmake/libconsumed_game.so" --check-config

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name perigee-game.pc)")
flags() { pkg-config "$@" perigee-embed perigee-client perigee-game; }
# shellcheck disable=SC2046  # flags are words
g++ -O2 $(flags --cflags) -I"$game" "$folder/consumer/main.cpp" "$game/game.cpp" -o "$folder/by_pkg_config" $(flags --libs)
also=$("$folder/by_pkg_config")
[ "$also" = "$said" ] || { echo "by pkg-config: $also, by CMake: $said"; exit 1; }
# A game alone, as a library.
# shellcheck disable=SC2046
g++ -O2 -shared -fPIC $(pkg-config --cflags perigee-game) "$game/game.cpp" "$game/plugin.cpp" -o "$folder/libgame.so" \
  -Wl,--exclude-libs,ALL $(pkg-config --libs perigee-game)
"$prefix/bin/perigee-sim" --game "$folder/libgame.so" --check-config

# An unknown component is refused with the names of the known ones.
sed 's/game client embed/games/' "$here/consumer/CMakeLists.txt" >"$folder/consumer/CMakeLists.txt"
if said=$(cmake -S "$folder/consumer" -B "$folder/refused" -DCMAKE_PREFIX_PATH="$prefix" 2>&1) ||
  [[ $said != *"no component 'games'"* ]]; then
  echo "an unknown component: $said"
  exit 1
fi
