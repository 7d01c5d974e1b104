# shellcheck shell=bash
# Demonstrates the latency techniques: the same play on a bad link with one of them off. This is not
# part of the verdict. cluster.sh sets run, logs, state and base.
# shellcheck disable=SC2154

acts_seconds=18 # of play, the first 3 do not count
acts_bots=4     # of each kind; all kinds play at the same time, under the same network conditions

start_act() { # NAME TECHNIQUES
  local program
  program=$(readlink -f "$(binary_of perigee-bots)")
  PERIGEE_STATE_DIR=$state setsid "$program" --session "127.0.0.1:$((base + 10))" --count $acts_bots \
    --seconds $acts_seconds --profile P3 --techniques "$2" --json >"$run/$1.json" 2>>"$logs/bots.log" 9>&- &
  printf '%s %s\n' $! "$program" >"$run/$1.pid"
  echo "$1" >>"$run/order"
}

bots_act() { # TITLE FILE
  jq -r --arg title "$1" '[$title, .input_to_display_ms_p50, .input_to_display_ms_p99, .shown_error_m_p50,
    .corrections_per_min] | @tsv' "$2" 2>/dev/null || printf '%s\t-\t-\t-\t-\n' "$1"
}
lab_act() { # TITLE PRESET
  jq -r --arg title "$1" --arg preset "$2" '.cells[] | select(.preset == $preset) | [$title, "-", "-",
    .shown_error_p50_m, .corrections_per_minute] | @tsv' "$run/act-aboard.json" 2>/dev/null ||
    printf '%s\t-\t-\t-\t-\n' "$1"
}

print_acts() {
  printf '\n%-46s %17s   %-14s %s\n' "demonstration, 300 +- 30 ms and 1 % loss" "input to eye (ms)" "error (m)" \
    "corrections"
  {
    bots_act "everything on" "$run/act-all.json"
    bots_act "prediction=off" "$run/act-unpredicted.json"
    lab_act "aboard a turning hull, in the lab" perigee
    lab_act "  relative-prediction=off" world-frame
  } | awk -F'\t' '
    function shown(value, format) { return value == "-" ? "-" : sprintf(format, value) }
    { printf "%-46s %17s   %-14s %s\n", $1, shown($2, "%.0f") ($2 == "-" ? "" : " / " shown($3, "%.0f")),
             shown($4, "%.2f"), shown($5, "%.1f /min") }'
  printf '%s\n' "(From sampling a key to the frame with its full effect, p50 / p99. Distance of the own avatar's" \
    "rendered position from its final one, p50. Without prediction there are no corrections.)"
}

run_acts() {
  local second=0 name share
  say "demonstration of techniques: $((2 * acts_bots)) bots on a link of 300 ms for $acts_seconds s"
  say "watch it at http://127.0.0.1:$((base + 180))/#/players: half of them do not predict, see key to eye"
  status_begin
  start_act act-all prediction=on
  start_act act-unpredicted prediction=off
  while live_pid act-all >/dev/null || live_pid act-unpredicted >/dev/null; do
    sleep 1
    second=$((second + 1))
    [ $((second % 6)) != 0 ] || status_line $second $((2 * acts_bots))
    for name in act-all act-unpredicted; do end_late_bots $name $second $((acts_seconds + bots_spare_s)); done
  done
  for name in act-all act-unpredicted; do rm -f "$run/$name.pid"; done
  say "and aboard a hull that turns at 25 degrees a second, on virtual time ($me lab --scenarios L4)"
  "$(binary_of perigee-lab)" --scenarios L4 --profiles P3 --presets perigee,world-frame --seconds 20 --json \
    >"$run/act-aboard.json" 2>>"$logs/lab.log" || say "the lab failed (log: $logs/lab.log)"
  print_acts
  share=$(jq -r '.cells[] | select(.preset == "world-frame") | .animated_share * 100 | round' "$run/act-aboard.json" 2>/dev/null)
  [ -z "$share" ] || printf '%s\n' "(Without relative prediction the storm breaker shows the server's word for $share % of the time.)"
}
