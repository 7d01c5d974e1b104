# shellcheck shell=bash disable=SC2154  # root, called_from, state, run and me are of ./perigee and cluster.sh
# A game in the browser: its module, and a page that plays in the running cluster.

# The game and the client library as WebAssembly; options of client/browser/build.sh game.
module_command() { # NAME [--include FOLDER]... [--out FILE] SOURCE...
  local build=$root/client/browser/build.sh
  [ $# -ge 2 ] || wrong_usage "module takes the game's name and its sources"
  [ -x "$build" ] || fail "the sources of the client library are not installed; install the package libperigee-dev"
  cd "$called_from" || exit 1
  "$build" game "$@" || case $? in
    2) exit 2 ;;
    *) exit 1 ;; # also if something is missing, which it has said
  esac
}

# For the player at this machine alone: the page gets the console's token.
page_command() { # FOLDER [FILE...]
  local folder=${1:-} base page file
  local files=()
  [ $# -ge 1 ] || wrong_usage "page takes the folder of a page, and optionally more files to serve with it"
  shift
  page=$(cd "$called_from" && realpath -m "$folder")
  [ -f "$page/index.html" ] || fail "there is no page $folder/index.html"
  for file in "$@"; do
    files+=("$(cd "$called_from" && realpath -m "$file")")
    [ -f "${files[-1]}" ] || fail "there is no file $file; build it first"
  done
  command -v node >/dev/null || fail "a page needs node, which is not installed; remedy: apt-get install nodejs"
  [ -f "$root/client/browser/serve.mjs" ] || fail "the package for browsers is not installed; install the package libperigee-dev"
  if [ ! -f "$run/port_base" ] || ! live_pid console >/dev/null; then
    fail "no cluster is running here for a page; start one that stays: ./run keep of the game, or $me up --game LIBRARY --keep"
  fi
  base=$(cat "$run/port_base")
  exec node "$root/client/browser/serve.mjs" $((base + 185)) $((base + 180)) "$state/secrets/console_token" "$page" "${files[@]}"
}
