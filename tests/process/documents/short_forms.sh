# shellcheck shell=bash
# Read by ./perigee behind its own parts while the commands of the documents are tried: the same
# arguments, without what takes minutes. Nothing is compiled or installed.

bench_commit() { echo 0123abc; }
doctor_ensure() { :; }
need_tool() { :; }
binary_of() { readlink -f "programs/$1"; }
build_processes() { # PROCESS...
  local process
  for process in "$@"; do [ -x "programs/$process" ] || fail "no program '$process'"; done
}

build() { # PRESET [TARGET...]
  cmake --list-presets | grep -F "\"$1\"" >/dev/null || fail "no preset '$1'"
  if [ "$1" != release ] || [ $# = 1 ]; then return 0; fi
  ninja -C build/release -t query "${@:2}" >/dev/null || fail "no such target"
}

[ -n "${ARGUMENTS_ONLY:-}" ] || return 0
up_command() { parse_up "$@"; }
run_tests() { :; }
sanitized_tests() { :; }
report_tests() { :; }
bench_one() { [ -f "tests/bench/$1/main.cpp" ]; }
fuzz_one() { :; }
fuzz_row() { :; }
check_one() { type "$2" >/dev/null; } # NAME COMMAND...
