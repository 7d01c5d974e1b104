# shellcheck shell=bash
# Fuzzing: every file of tests/fuzz/targets is a libFuzzer program of the preset `fuzz`.

fuzz_targets() {
  local file
  for file in tests/fuzz/targets/*.cpp; do basename "$file" .cpp; done
}

fuzz_one() { # TARGET SECONDS; two run side by side, at low priority
  local target=$1 seconds=$2 home=build/fuzz/runs/$1
  "build/fuzz/tests/fuzz/fuzz_$target" --seeds "$home/corpus"
  mkdir -p "$home/crashes" "tests/fuzz/corpus/$target"
  fuzz_corpus_size "$target" >"$home/corpus_size_before"
  nice -n 10 "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -artifact_prefix="$home/crashes/" \
    "$home/corpus" "tests/fuzz/corpus/$target" >"$home/log" 2>&1 || echo "ended with exit code $?" >>"$home/log"
  rmdir --ignore-fail-on-non-empty "tests/fuzz/corpus/$target"
  say "$(fuzz_row "$target")"
}

fuzz_corpus_size() { find "build/fuzz/runs/$1/corpus" -type f | wc -l; } # TARGET

# Executions, branches covered (libFuzzer's `cov`), inputs kept, of these new in this run, and crashes of this run.
fuzz_row() { # TARGET
  local log=build/fuzz/runs/$1/log new
  new=$(($(fuzz_corpus_size "$1") - $(<"build/fuzz/runs/$1/corpus_size_before")))
  awk -v target="$1" -v new="$new" '
    /^#[0-9]+/ { for (i = 1; i < NF; ++i) { if ($i == "cov:") cov = $(i + 1); if ($i == "corp:") corp = $(i + 1) } runs = substr($1, 2) }
    /^stat::number_of_executed_units/ { runs = $2 }
    /Test unit written to/ { ++crashes }
    END { sub("/.*", "", corp); printf "%-18s %12d %9d %8d %8d %8d\n", target, runs, cov, corp, new, crashes }' "$log"
}

fuzz_command() {
  local wanted=() known seconds=60 target failed=0
  known=$(fuzz_targets)
  while [ $# -gt 0 ]; do
    case "$1" in
      --seconds | --minutes)
        [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || wrong_usage "$1 takes a whole number, at least 1"
        seconds=$2
        [ "$1" = --seconds ] || seconds=$((60 * $2))
        shift
        ;;
      -*) wrong_usage "fuzz takes targets, --seconds N and --minutes N, not '$1'" ;;
      *)
        grep -qxF -- "$1" <<<"$known" || wrong_usage "no target '$1'; targets: $(xargs <<<"$known")"
        wanted+=("$1")
        ;;
    esac
    shift
  done
  [ ${#wanted[@]} -gt 0 ] || read -ra wanted <<<"$(xargs <<<"$known")"
  doctor_ensure 'build work'
  build fuzz "${wanted[@]/#/fuzz_}"
  say "$seconds s each, two at a time, for ${#wanted[@]} targets"
  for target in "${wanted[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
    fuzz_one "$target" "$seconds" &
  done
  wait
  printf '%-18s %12s %9s %8s %8s %8s\n' target executions coverage corpus new crashes
  for target in "${wanted[@]}"; do
    fuzz_row "$target"
    ! grep -q '^ended with exit code' "build/fuzz/runs/$target/log" || failed=1
  done
  [ $failed = 0 ] || fail "crashes: their inputs and logs are in build/fuzz/runs/; see CONTRIBUTING.md for the next steps"
}
