# shellcheck shell=bash
# Benchmarks: every folder of tests/bench with a main.cpp is a suite.

bench_suites() {
  local main
  for main in tests/bench/*/main.cpp; do
    main=${main%/main.cpp}
    echo "${main##*/}"
  done
}

bench_one() { # SUITE [OPTIONS...]
  "build/release/tests/bench/$1/bench_$1" "${@:2}"
}

bench_commit() {
  git describe --always --dirty 2>/dev/null || echo unknown
}

bench_command() {
  local suite wanted=() options=() known targets=()
  known=$(bench_suites)
  while [ $# -gt 0 ]; do
    case "$1" in
      --json | --quick) options+=("$1") ;;
      --logs)
        [ $# -gt 1 ] || wrong_usage 'bench --logs takes a folder'
        options+=("$1" "$2")
        shift
        ;;
      -*) wrong_usage "bench takes suites, --json, --quick and --logs DIR, not '$1'" ;;
      *)
        grep -qxF -- "$1" <<<"$known" ||
          wrong_usage "no suite '$1'; suites: $(xargs <<<"$known")"
        wanted+=("$1")
        ;;
    esac
    shift
  done
  [ ${#wanted[@]} -gt 0 ] || read -ra wanted <<<"$(xargs <<<"$known")"
  if [[ " ${options[*]} " == *" --json "* ]] && [ ${#wanted[@]} != 1 ]; then
    wrong_usage "--json takes one suite, so that one object is printed; suites: $(xargs <<<"$known")"
  fi
  doctor_ensure 'build bench'
  for suite in "${wanted[@]}"; do targets+=("bench_$suite"); done
  build release "${targets[@]}"
  PERIGEE_COMMIT=$(bench_commit)
  export PERIGEE_COMMIT
  for suite in "${wanted[@]}"; do
    say "bench $suite"
    bench_one "$suite" "${options[@]}" ||
      fail "bench $suite failed as above"
  done
}
