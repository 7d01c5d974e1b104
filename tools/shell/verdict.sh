# shellcheck shell=bash
# Measurements of a running cluster: a status line a second, and at the end a table with a verdict.
# Variables such as ping_p50_ms are set by read_figures, those of the bots by read_bots and read_thin.
# shellcheck disable=SC2154

window_s=10 # a status line covers the last ten seconds

scrape() { # FILE
  local urls=() port
  for port in "${admin_ports[@]}"; do urls+=("http://127.0.0.1:$port/metrics"); done
  { echo "# scraped_at $EPOCHREALTIME" && curl -s -m 2 "${urls[@]}"; } >"$1" || true
}

# Sets the variables that metrics.awk prints.
read_figures() { # BEFORE AFTER
  eval "$(awk -f "$root/tools/shell/scrapes.awk" -f "$root/tools/shell/metrics.awk" "$1" "$2")"
}

status_begin() {
  local i
  scrape "$run/start.txt"
  for ((i = 0; i < window_s; i++)); do cp "$run/start.txt" "$run/scrape.$i"; done
}

status_line() { # SECOND PLAYERS_EXPECTED
  local oldest=$run/scrape.$(($1 % window_s))
  scrape "$run/now.txt"
  read_figures "$oldest" "$run/now.txt"
  mv "$run/now.txt" "$oldest"
  printf '%4d s  players %s%s  ping %s/%s ms  jitter %s ms  corrections %s/min per player  tick p99 %s ms  overruns %s  inputs late %s  %s kB/s per player\n' \
    "$1" "${players/-/0}" "${2:+/$2}" "$ping_p50_ms" "$ping_p99_ms" "$jitter_p99_ms" \
    "$corrections_per_min" "$tick_p99_ms" "$overruns" "$inputs_late" "$client_kb_per_s" >&2
}

# Sets the variables from the bots' own result; "-" where it is missing.
read_bots() { # FILE
  local key value
  for key in joined disconnects silent stalls resumes longest_gap_ms stalled_ms corrections_static_per_min corrections_other_per_min \
    corrections_per_min rtt_ms_p50 rtt_ms_p99 jitter_ms_p50 jitter_ms_p99 lead_ms_p50 lead_ms_p99 \
    moving_share boardings doors jumps flights bytes_per_s measured_s; do
    value=$(jq -er ".$key" "$1" 2>/dev/null) || value=-
    printf -v "bots_$key" %s "$value"
  done
}

# The three most frequent causes of corrections, a minute and player.
bots_causes() { # FILE
  jq -er '(.measured_s / 60) as $minutes | .corrections_by_cause | to_entries | map(select(.value > 0)) | sort_by(-.value)[:3]
    | map("\(.key) \(.value / $minutes * 100 | round / 100)") | join(", ") | if . == "" then "none" else . end' "$1" 2>/dev/null || echo -
}

# The same of thin players: thin_joined and so on.
read_thin() { # FILE
  local key value
  for key in joined disconnects silent stalls rtt_ms_p50 rtt_ms_p99 bytes_per_s inputs_late ticks_guessed hard_resets; do
    value=$(jq -er ".thin.$key" "$1" 2>/dev/null) || value=-
    printf -v "thin_$key" %s "$value"
  done
}

at_most() { # VALUE LIMIT: "-" fails
  awk -v value="$1" -v limit="$2" 'BEGIN { print value != "-" && value + 0 <= limit + 0 ? "ok" : "FAIL" }'
}
number() { # VALUE DIGITS [FACTOR]
  awk -v value="$1" -v digits="$2" -v factor="${3:-1}" \
    'BEGIN { if (value == "-") print "-"; else printf "%." digits "f\n", value * factor }'
}

judged() { # NAME VALUE LIMIT ok|FAIL
  [ "$4" = ok ] || verdict=FAIL
  printf '%-46s %17s   %-14s %s\n' "$@"
}
row() { printf '%-46s %17s\n' "$@"; } # NAME VALUE

# Ticks of all workers that took longer than their period: less than one in a thousand.
overruns_judged() {
  awk -v overruns="$overruns" -v ticks="$ticks" 'BEGIN {
    if (ticks == "-" || overruns == "-" || ticks + 0 <= 0) print "- FAIL"
    else printf "%.3f %s\n", 100 * overruns / ticks, overruns * 1000 < ticks ? "ok" : "FAIL"
  }'
}

# The line of the log about a crash; otherwise the last line.
last_words() { # LOG
  grep -E "game's function|signal" "$1" | tail -1 | grep . || tail -1 "$1"
}

# Prints the table; the exit code says whether all limits hold.
judge() { # BOTS THEIR_EXIT_CODE
  local name dead='' share mark verdict=PASS
  for name in "${cluster[@]}"; do live_pid "$name" >/dev/null || dead+="${dead:+ }$name"; done
  scrape "$run/end.txt"
  read_figures "$run/start.txt" "$run/end.txt"
  read_bots "$run/bots.json"
  read -r share mark < <(overruns_judged)
  printf '\n%-46s %17s   %-14s\n' figure value limit
  judged "bots that joined" "$bots_joined" "all $1" "$([ "$bots_joined" = "$1" ] && echo ok || echo FAIL)"
  judged "disconnects" "$bots_disconnects" 0 "$(at_most "$bots_disconnects" 0)"
  judged "players without snapshots at the end" "$bots_silent" 0 "$(at_most "$bots_silent" 0)"
  judged "exit code of the bots" "$2" 0 "$(at_most "$2" 0)"
  judged "players without server updates for 2 s" "$bots_stalls" 0 "$(at_most "$bots_stalls" 0)"
  judged "processes that ended" "${dead:-0}" 0 "$([ -z "$dead" ] && echo ok || echo FAIL)"
  judged "ticks over their period (% of $ticks)" "$share" "below 0.1" "$mark"
  judged "corrections on static ground, /min per player" "$(number "$bots_corrections_static_per_min" 2)" \
    "at most 1" "$(at_most "$bots_corrections_static_per_min" 1)"
  row "longest time without a snapshot (ms)" "$(number "$bots_longest_gap_ms" 0)"
  row "longest stall of the bots themselves (ms)" "$(number "$bots_stalled_ms" 0)"
  row "corrections aboard or flying, /min per player" "$(number "$bots_corrections_other_per_min" 2)"
  row "corrections, all, /min per player" "$(number "$bots_corrections_per_min" 2)"
  row "their causes (docs/metrics.md)" "$(bots_causes "$run/bots.json")"
  row "ping p50 / p99 (ms)" "$(number "$bots_rtt_ms_p50" 1) / $(number "$bots_rtt_ms_p99" 1)"
  row "jitter p50 / p99 (ms)" "$(number "$bots_jitter_ms_p50" 1) / $(number "$bots_jitter_ms_p99" 1)"
  row "lead p50 / p99 (ms)" "$(number "$bots_lead_ms_p50" 1) / $(number "$bots_lead_ms_p99" 1)"
  row "tick p50 / p99 (ms)" "$tick_p50_ms / $tick_p99_ms"
  row "inputs too late" "$inputs_late"
  row "play measured (minutes, all players)" "$(number "$bots_measured_s" 1 0.0166667)"
  row "received (kB/s per player)" "$(number "$bots_bytes_per_s" 1 0.001)"
  row "moving (% of their time)" "$(number "$bots_moving_share" 0 100)"
  row "boardings / doors / jumps / flights" "$bots_boardings / $bots_doors / $bots_jumps / $bots_flights"
  [ "$thin" = 0 ] || judge_thin
  for name in $dead; do say "$name ended (log: $logs/$name.log): $(last_words "$logs/$name.log")"; done
  [ "$verdict" = PASS ]
}

judge_thin() {
  read_thin "$run/bots.json"
  judged "thin players that joined" "$thin_joined" "all $thin" "$([ "$thin_joined" = "$thin" ] && echo ok || echo FAIL)"
  judged "thin players: disconnects" "$thin_disconnects" 0 "$(at_most "$thin_disconnects" 0)"
  judged "thin players without snapshots at the end" "$thin_silent" 0 "$(at_most "$thin_silent" 0)"
  row "thin players without server updates for 2 s" "$thin_stalls"
  row "thin players: ping p50 / p99 (ms)" "$(number "$thin_rtt_ms_p50" 1) / $(number "$thin_rtt_ms_p99" 1)"
  row "thin players: received (kB/s per player)" "$(number "$thin_bytes_per_s" 1 0.001)"
  row "thin players: inputs late / ticks guessed" "$thin_inputs_late / $thin_ticks_guessed"
  row "thin players: hard resets" "$thin_hard_resets"
}

# Prints the last line and returns the exit code.
verdict() { # CODE
  [ "$1" = 0 ] && printf '\nPASS\n' || printf '\nFAIL\n'
  return "$1"
}
