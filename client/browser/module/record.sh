# shellcheck shell=bash disable=SC2154  # root, build and module_packages are of build.sh
# The record beside a checked-in module names its sources and the packages that built it. A test that
# has other sources knows that the module is stale; one that has another compiler cannot compare.

# Everything that goes into skiff.wasm and its record.
record_of=(base transport sim/world sim/replay sim/games/skiff client/CMakeLists.txt client/include client/src
  client/engine client/browser/module cmake/PerigeeToolchain.cmake cmake/PerigeeRoom.cmake
  tests/unit/skiff/same_bits_scene.hpp tests/process/browser/module/same_bits.cpp)

sources_hash() {
  (cd "$root" && find "${record_of[@]}" -type f \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.txt' -o -name '*.cmake' \) -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
}

# Name and version of each package, in one line.
packages_of_machine() {
  dpkg-query -W -f '${Package} ${Version}, ' "${module_packages[@]}"
  paste -sd' ' "$build/debian/versions"
}

record_field() { # RECORD NAME
  sed -n "s/^  \"$2\": \"\(.*\)\",\?\$/\1/p" "$1"
}

write_record() { # MODULE HASH_OF_THE_SCENE
  cat >"$1.json" <<END
{
  "sources": "$(sources_hash)",
  "module": "$(sha256sum "$1" | cut -d' ' -f1)",
  "packages": "$(packages_of_machine)",
  "same_bits": "$2"
}
END
}
