# shellcheck shell=bash
# House checks: formatting, room rules, shell scripts, spelling.

need_tool() { # TOOL PACKAGE
  command -v "$1" >/dev/null || fail "$1 is missing. Remedy: apt-get install $2 (or ./perigee doctor --install)"
}

fmt_command() {
  need_tool clang-format-19 clang-format-19
  git ls-files -z '*.cpp' '*.hpp' | xargs -0 -r clang-format-19 -i
}

check_one() { # NAME COMMAND...
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
}

check_format() { git ls-files -z '*.cpp' '*.hpp' | xargs -0 -r clang-format-19 --dry-run -Werror; }
check_scripts() { git ls-files -z perigee .ci/run '*.sh' | xargs -0 -r shellcheck; }
check_spelling() {
  git ls-files -z -- ':!*.svg' ':!*.json' | xargs -0 -r codespell --ignore-words tools/shell/spelling.txt
}

check_command() {
  [ $# = 0 ] || wrong_usage "check takes no options"
  need_tool clang-format-19 clang-format-19
  need_tool shellcheck shellcheck
  need_tool codespell codespell
  local failed=()
  check_one formatting check_format
  check_one rooms tests/rooms/check_rooms.sh
  check_one scripts check_scripts
  check_one spelling check_spelling
  [ ${#failed[@]} = 0 ] || fail "failed: ${failed[*]} (./perigee fmt mends formatting)"
  say "all checks passed"
}
