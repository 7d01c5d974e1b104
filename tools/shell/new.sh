# shellcheck shell=bash disable=SC2154  # installed, root, here, called_from are of ./perigee
# A repository for a game of one's own, and the packages that it is built with.

# A copy of examples/first_game with other names.
new_command() { # NAME [FOLDER]
  local name=${1:-} folder
  if [ $# -lt 1 ] || [ $# -gt 2 ]; then wrong_usage "new takes the game's name, and optionally a folder"; fi
  [[ $name =~ ^[a-z][a-z0-9_]{0,30}$ ]] ||
    wrong_usage "new: '$name' is no name for a game: a small letter, then small letters, digits and _, 31 at most"
  case $name in # they are names of targets, namespaces or words of C++
    perigee* | std | test | tests | game | class | int | main | new | all | install | package | world | client | host)
      wrong_usage "new: '$name' is taken; choose another name" ;;
  esac
  folder=$(cd "$called_from" && realpath -m "${2:-$name}")
  [ ! -e "$folder" ] || fail "$folder exists already; choose another name or folder"
  [ -d "$root/examples/first_game" ] || fail "the template is not installed; install the package libperigee-dev"
  mkdir -p "$(dirname "$folder")" || fail "cannot make $folder; choose another folder"
  cp -r "$root/examples/first_game" "$folder"
  mv "$folder/gitignore" "$folder/.gitignore"
  # The page of perigee's documentation keeps its name.
  find "$folder" -type f -exec sed -i "s/your_first_game/YOUR_PAGE/g; s/first_game/$name/g; s/YOUR_PAGE/your_first_game/g" {} +
  printf '%s\n' "$here/perigee" >"$folder/.perigee_at" # this machine's, not committed
  if command -v git >/dev/null; then git init -q "$folder"; fi
  say "made $folder; build and play it: cd $folder && ./run   (its README.md says what else there is)"
}

# Prints the folder for CMAKE_PREFIX_PATH.
prefix_command() {
  if [ -n "$installed" ]; then
    printf '%s\n' "$installed"
    return
  fi
  build_processes perigee-sim # configures, too
  build release installed
  cmake --install build/release --prefix "$root/build/installed" >build/installed.log 2>&1 ||
    fail "the installation failed: $(tail -1 build/installed.log) (log: build/installed.log)"
  printf '%s\n' "$root/build/installed"
}
