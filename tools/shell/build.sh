# shellcheck shell=bash
# Building and testing.

build() { # PRESET [TARGET...]
  local preset=$1
  shift
  local said
  said=$(cmake --preset "$preset" 2>&1) || {
    printf '%s\n' "$said" >&2
    fail "configuring '$preset' failed; ./perigee doctor names missing packages"
  }
  ninja -C "build/$preset" "$@" >&2 || fail "the $preset build failed; the first error above is the one to mend"
}

build_command() {
  doctor_ensure build
  [ "$*" != fuzz ] || set -- fuzz fuzz_targets # nothing else links with a fuzzer's main
  build "${@:-release}"
}

# Runs the tests of one build. Their summary ends standard output.
run_tests() { # PRESET [CTEST OPTIONS...]
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j2 --output-on-failure --no-tests=error "$@" ||
    fail "tests of the $preset build failed; the list above names them"
}

# Process tests run in real time and build everything, so only `--long` has them.
sanitized_tests() { # PRESET LENGTH
  local targets=(sanitized_tests) labels='unit|system'
  [ "$2" = long ] && targets+=(sanitized_process_tests) labels+='|process'
  say "building the tests with $1"
  build "$1" "${targets[@]}"
  say "$labels tests with $1"
  run_tests "$1" -L "$labels"
}

test_command() {
  local length=gate
  case "${1:-}" in
    --quick) length=quick ;;
    --long) length=long ;;
    '') ;;
    *) wrong_usage "test takes --quick, --long or nothing, not '$1'" ;;
  esac
  export PERIGEE_TEST_LENGTH=$length # tests with a count to choose read it: quick, gate, long
  doctor_ensure 'build run work'
  say "building release"
  build release
  say "all tests of the release build"
  run_tests release
  [ $length = quick ] && return
  sanitized_tests asan $length
  [ $length = gate ] && return
  # gRPC and abseil come without TSan's instrumentation and would report themselves.
  TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppressions=$PWD/tests/process/tsan.supp" \
    sanitized_tests tsan $length
}
