# shellcheck shell=bash disable=SC2154  # me is of ./perigee
# Building and testing.

configure() { # PRESET
  local said
  said=$(cmake --preset "$1" 2>&1) || {
    printf '%s\n' "$said" >&2
    fail "configuring '$1' failed; $me doctor lists missing packages"
  }
}

build() { # PRESET [TARGET...]
  local preset=$1
  shift
  configure "$preset"
  ninja -C "build/$preset" "$@" >&2 || fail "the $preset build failed; correct the first error above"
}

build_all() { # PRESET
  build "$1" all once_tests bench_programs
}

build_command() {
  case "${1:-}" in
    asan | fuzz) doctor_ensure 'build work' ;; # clang
    *) doctor_ensure build ;;
  esac
  case "$*" in
    fuzz) build fuzz fuzz_targets ;; # nothing else links with a fuzzer's main
    *' '*) build "$@" ;;
    *) build_all "${1:-release}" ;;
  esac
}

# For each failed test, its name and 30 lines from its first failed check, or its last 30 lines.
what_failed_said() { # LOG
  awk '
    function say_it(  i, from) {
      if (!name) return
      from = first ? first : (n > 30 ? n - 29 : 1)
      print "\n--- " name
      for (i = from; i <= n && i < from + 30; ++i) print substr(line[i], 1, 300)
      name = ""
    }
    /^ *(Start +[0-9]+:|[0-9]+\/[0-9]+ Test +#)|^[0-9]+% tests passed/ { say_it() }
    /^ *[0-9]+\/[0-9]+ Test +#.*\*\*\*/ && !/\*\*\*Skipped/ { name = $4; n = first = 0; next }
    name { line[++n] = $0; if (!first && /: Failure$|Sanitizer|assertion|^failed: /) first = n }
  ' "$1"
}

# Where tests put their databases: in memory if there are 4 GB of it. A disk that is shared with
# other machines may take ten seconds for one fsync, and processes under test then time out.
test_folder() {
  local free_kb=
  free_kb=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1) || true
  if [ "${free_kb:-0}" -ge 4000000 ] && [ -w /dev/shm ] && ! findmnt -no OPTIONS /dev/shm | grep -qw noexec; then
    printf /dev/shm
  else
    printf /tmp
  fi
}

# Runs one part of the tests and adds a line to the summary. Every test has its own time limit. On
# two cores, two tests that compute run at once, or six that wait for processes (PROCESSORS in
# cmake/PerigeeRoom.cmake).
run_tests() { # PRESET PART [CTEST OPTIONS...]
  local preset=$1 part=$2 began=$SECONDS log
  log=build/$preset/test_$2.log
  shift 2
  say "$preset: ${part//_/ }"
  local verdict=ok
  local -x TMPDIR=${TMPDIR-$(test_folder)}
  ctest --test-dir "build/$preset" -j6 --output-on-failure --no-tests=error "$@" | tee "$log" || verdict=FAILED
  # "97% tests passed, 3 tests failed out of 100", then the names of those, then a blank line.
  local failed total
  read -r failed total < <(sed -n 's/.*, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log") || true
  summary+=("$(printf '%-8s %-24s %6s %6s %5d min %02d s  %s' "$preset" "${part//_/ }" "${total:-?}" "${failed:-?}" \
    $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) "$verdict")")
  [ $verdict = ok ] && return
  failed_logs+=("$log")
  failures+=("$(sed -n '/^The following tests FAILED:/,/^$/s/^\t *[0-9]* - \([^ ]*\).*/'"$preset"': \1/p' "$log")")
}

# Process tests run in real time and need all programs built, so only `--long` runs them.
sanitized_targets() { # LENGTH
  printf 'sanitized_tests\n'
  [ "$1" != long ] || printf 'sanitized_process_tests\n'
}

sanitized_tests() { # PRESET LENGTH
  local targets
  mapfile -t targets < <(sanitized_targets "$2")
  say "building the tests with $1"
  build "$1" "${targets[@]}"
  # Stacks of allocations are recorded eight frames deep: the 30 of the default cost a tenth.
  local -x ASAN_OPTIONS=${ASAN_OPTIONS-malloc_context_size=8}
  local program_s=1800 # of tests without a limit of their own: whole programs of unit tests
  local without=(-LE '^long$')
  [ "$2" != long ] || { program_s=43200 && without=(); }
  run_tests "$1" unit_and_system -L 'unit|system' "${without[@]}" --timeout $program_s
  [ "$2" != long ] || run_tests "$1" process -L process
}

# Builds at the lowest priority while the release tests run: these wait for processes much of the
# time. Sets `builder`; the output is in build/PRESET/build.log. Linux gives each session an equal share, however
# nice its processes are (autogroup), and some programs under test have sessions of their own. The session of
# the builder has the least share.
build_beside() { # PRESET LENGTH
  local targets
  mapfile -t targets < <(sanitized_targets "$2")
  configure "$1"
  say "building the tests with $1 beside the release tests, see build/$1/build.log"
  # shellcheck disable=SC2016  # expanded there
  setsid bash -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 ninja -C "$@"' builder \
    "build/$1" "${targets[@]}" >"build/$1/build.log" 2>&1 &
  builder=$!
  # shellcheck disable=SC2064  # the process of now
  trap "kill $builder 2>/dev/null || true" EXIT
}

# The end of standard output: a line for each part, the output of failed tests, and their names.
report_tests() {
  printf '\n%-8s %-24s %6s %6s %14s\n' build part tests failed time
  printf '%s\n' "${summary[@]}"
  [ ${#failures[@]} = 0 ] && return
  local log
  for log in "${failed_logs[@]}"; do what_failed_said "$log"; done
  printf '\n%s\n' "${failures[@]}"
  fail "tests failed; their output is in build/BUILD/test_PART.log"
}

test_command() {
  local length=gate
  case "${1:-}" in
    --quick) length=quick ;;
    --long) length=long ;;
    '') ;;
    *) wrong_usage "test takes --quick, --long or nothing, not '$1'" ;;
  esac
  export PERIGEE_TEST_LENGTH=$length # tests with a choice of counts read it: quick, gate, long
  doctor_ensure 'build run work'
  local summary=() failures=() failed_logs=()
  say "building release"
  if [ $length = gate ]; then build release; else build_all release; fi
  local builder=
  [ $length = quick ] || build_beside asan $length
  local without=() # unit_once runs with sanitizers
  [ $length != gate ] || without=(-LE '^(unit_once|bench)$')
  run_tests release all "${without[@]}"
  if [ -n "$builder" ]; then # its errors are repeated by sanitized_tests
    tail -n 1 -f --pid="$builder" build/asan/build.log >&2
    wait "$builder" || true
    trap - EXIT
  fi
  # gRPC and abseil come without TSan's instrumentation and would report themselves.
  case $length in
    gate) sanitized_tests asan gate ;;
    long)
      sanitized_tests asan long
      TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppressions=$PWD/tests/process/tsan.supp" \
        sanitized_tests tsan long
      ;;
  esac
  report_tests
}
