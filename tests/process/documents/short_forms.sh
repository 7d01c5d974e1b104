# shellcheck shell=bash
# Sourced by ./perigee after its own parts while the commands of the documents are tried: the same
# arguments, without the steps that take minutes. Nothing is compiled or installed.

bench_commit() { echo 0123abc; }
doctor_ensure() { :; }
need_tool() { :; }
binary_of() { readlink -f "programs/$1"; }
build_processes() { # PROCESS...
  local process
  for process in "$@"; do [ -x "programs/$process" ] || fail "no program '$process'"; done
}

build() { # PRESET [TARGET...]
  local target
  grep -F "\"name\": \"$1\"" CMakePresets.json >/dev/null || fail "no preset '$1'"
  [ "$1" = release ] || return 0
  [ -f target_names ] || ninja -C build/release -t targets all | sed 's/: .*//' >target_names
  for target in "${@:2}"; do
    grep -xF -- "$target" target_names >/dev/null || fail "no target '$target'"
  done
}

[ -n "${ARGUMENTS_ONLY:-}" ] || return 0
up_command() { parse_up "$@"; }
fmt_command() { :; }
build_beside() { :; }
run_tests() { :; }
sanitized_tests() { :; }
report_tests() { :; }
docs_build() { exit; } # and nothing is served
bench_one() { [ -f "tests/bench/$1/main.cpp" ]; }
fuzz_one() { :; }
fuzz_row() { :; }
check_one() { type "$2" >/dev/null; } # NAME COMMAND...
