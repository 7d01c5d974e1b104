# shellcheck shell=bash
# Functions for the acts of deploy/smoke.sh: they ask a stack, let bots play in it, kill its
# processes, and measure the effect on players. Their caller has say, fail, until_true, compose, work.

: "${work:?its caller has a folder for logs}" "${players:?its caller says how many bots play}" "${services:?its caller says what runs}"
: "${docker:?its caller has chosen one}" "${project:?its caller names it}"

# --- asking the stack ------------------------------------------------------------------------

now() { date +%s.%N; }
minus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a - b }'; }
figure_of() { "$docker" inspect -f "$1" "$2"; } # TEMPLATE CONTAINER
containers() { compose ps -q "$@"; }
admin_port() { case $1 in directory*) echo 40102 ;; session) echo 40101 ;; gateway) echo 40100 ;; console) echo 40103 ;; sim) echo 40110 ;; esac; }
ask() { # CONTAINER SERVICE PATH
  local ip
  ip=$(figure_of '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$1")
  [ -n "$ip" ] && curl -fsS --noproxy '*' -m 2 "http://$ip:$(admin_port "$2")$3" 2>/dev/null
}
series() { # CONTAINER SERVICE SERIES
  ask "$1" "$2" /metrics | awk -v name="$3" '$1 == name { print $2; found = 1 } END { exit !found }'
}
series_is() { [ "$(series "$1" "$2" "$3")" = "$4" ]; }
series_at_least() { [ "$(series "$1" "$2" "$3" || echo -1)" -ge "$4" ]; }
all_healthy() {
  local id
  for id in $(containers "${services[@]}"); do
    [ "$(figure_of '{{.State.Health.Status}}' "$id")" = healthy ] || return 1
  done
}
expect_healthy() {
  until_true 90 all_healthy || fail "not all healthy after 90 s: $("$docker" ps --format '{{.Names}} {{.Status}}' | xargs)"
  say "all healthy"
}
targets_up() { # JOB=COUNT...
  local wanted
  curl -fsS --noproxy '*' -m 2 "http://127.0.0.1:$PERIGEE_PROMETHEUS_PORT/api/v1/query?query=up" >"$work/up.json" 2>/dev/null || return 1
  for wanted in "$@"; do
    jq -e --arg job "${wanted%=*}" --argjson count "${wanted#*=}" \
      '[.data.result[] | select(.metric.job == $job) | .value[1]] == [range($count) | "1"]' "$work/up.json" >/dev/null || return 1
  done
}
expect_targets() { # JOB=COUNT...
  until_true 40 targets_up "$@" || fail "Prometheus does not have the targets $*: $(jq -c '[.data.result[] | [.metric.job, .value[1]]]' "$work/up.json")"
  say "Prometheus has every target up: $*"
}
incarnation() { # of the world, from the directory's newest start
  "$docker" logs "$(containers directory)" 2>&1 | jq -rR 'fromjson? | .incarnation // empty' | tail -1
}

# --- players ---------------------------------------------------------------------------------

start_players() { # OPTIONS...; their container: $bots
  bots=$(compose run -d --no-deps -v "$work/gaps:/gaps" bots perigee-bots \
    --session "127.0.0.1:$PERIGEE_SESSION_PORT" --count "$players" --seconds 900 --json "$@" | tail -1)
  until_true 40 series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing "$players" ||
    fail "$players bots cannot join: $("$docker" logs --tail 3 "$bots" 2>&1)"
  say "$players bots play through the published port"
}
stop_players() {
  local code
  "$docker" kill -s INT "$bots" >/dev/null
  code=$(timeout 20 "$docker" wait "$bots") || fail "the bots do not stop"
  "$docker" logs "$bots" 2>/dev/null >"$work/bots.json"
  jq -c '{joined, playing, disconnects, resumes, avatars_changed, longest_gap_ms, stalled_ms, rtt_ms_p50, rtt_ms_p99, corrections_per_min}' "$work/bots.json"
  [ "$code" = 0 ] || fail "the bots ended with $code: $("$docker" logs --tail 3 "$bots" 2>&1)"
  jq -e --argjson n "$players" '.joined == $n and .playing == $n and .disconnects == 0' "$work/bots.json" >/dev/null ||
    fail "not all $players bots played to the end"
}

# No bot lost its avatar, its connection or a second.
expect_undisturbed() {
  jq -e '.avatars_changed == 0 and .resumes == 0' "$work/bots.json" >/dev/null ||
    fail "a player lost the avatar or the connection"
  : >"$work/deeds"
  table >"$work/table"
  column -t "$work/table"
  ! grep -q 'FAIL$' "$work/table" || fail "a player had a gap of more than a second"
}
expect_left() {
  until_true 20 series_at_least "$(containers session)" session 'perigee_session_sessions{state="left"}' "$players" ||
    fail "the session store does not know that $players bots left"
}

# --- operators, directories, workers ---------------------------------------------------------

ctl() { compose exec -T directory perigee-ctl "$@"; }
owners_are() { [ "$(ctl regions 2>/dev/null | awk 'NR > 1 { print $2 }' | sort -u | grep -c '^sim-')" = "$1" ]; } # COUNT
workers_are() { [ "$(ctl workers 2>/dev/null | grep -c ' alive ')" = "$1" ]; } # COUNT
worker_in() { echo "sim-$(figure_of '{{.Config.Hostname}}' "$1")"; } # CONTAINER
leads() { series_is "$1" directory perigee_directory_leads 1; } # CONTAINER
leader_of() { # CONTAINER...
  local id
  for id in "$@"; do
    if leads "$id"; then
      echo "$id"
      return
    fi
  done
  return 1
}
replica() { # SERVICE NUMBER; its container
  "$docker" ps -q --filter label=com.docker.compose.project="$project" \
    --filter label=com.docker.compose.service="$1" --filter label=com.docker.compose.container-number="$2"
}
# Stopped by compose, after it gave away all that it had. Its log and exit code were being written.
expect_drained() { # NUMBER
  local log=$work/sim-$1.log
  until_true 20 test -s "$work/sim-$1.code" || fail "sim $1 keeps running"
  [ "$(cat "$work/sim-$1.code")" = 0 ] || fail "sim $1 ended with $(cat "$work/sim-$1.code"): $(tail -3 "$log")"
  grep -q 'draining: entities migrate' "$log" || fail "sim $1 does not log that it drains: $(tail -3 "$log")"
  ! grep -q 'end with this worker' "$log" || fail "sim $1: $(grep 'end with this worker' "$log")"
  say "sim $1 migrated all its entities to others in $(drained_s "$log") s"
}
drained_s() { # LOG
  jq -rR 'fromjson? | select(.message | test("^(draining: entities migrate|stopped)")) | .time' "$1" |
    while read -r at; do date -d "$at" +%s.%N; done | awk 'NR == 1 { from = $1 } { to = $1 } END { printf "%.1f", to - from }'
}

# --- killing ---------------------------------------------------------------------------------

is_ready() { ask "$1" "$2" /ready >/dev/null; } # CONTAINER SERVICE
restarted() { # CONTAINER PID_BEFORE
  [ "$(figure_of '{{.State.Running}}' "$1")" = true ] && [ "$(figure_of '{{.State.Pid}}' "$1")" != "$2" ]
}
# Kills a service's process from outside: pid 1 of a namespace ignores the signal from within, and
# `docker kill` would count as a wish to stop. The bots' log tells the effect on players later.
kill_and_watch() { # SERVICE CONTAINER PLAYERS_MAY_NOTICE
  local service=$1 id=$2 pid restarts killed back ready
  pid=$(figure_of '{{.State.Pid}}' "$id")
  restarts=$(figure_of '{{.RestartCount}}' "$id")
  killed=$(now)
  kill -KILL "$pid" || fail "cannot kill pid $pid of $service"
  until_true 30 restarted "$id" "$pid" || fail "$service (killed) was not restarted"
  back=$(now)
  until_true 60 is_ready "$id" "$service" || fail "$service is not ready 60 s after its restart"
  ready=$(now)
  [ "$(figure_of '{{.RestartCount}}' "$id")" = $((restarts + 1)) ] || fail "$service was restarted more than once"
  sleep 8 # a bot that lost the world reports it when the world goes on
  until_true 30 series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing "$players" ||
    fail "$service killed: $(series "$(containers gateway)" gateway perigee_gateway_sessions_playing) of $players bots play 40 s later"
  echo "$service $killed $back $ready $(now) $3" >>"$work/deeds"
  say "$service killed (pid $pid), ready again after $(minus "$ready" "$killed") s; all $players play"
}
# A row per kill, and one for the rest of the time. Gaps are those over 250 ms in which the bots
# themselves were not stalled. Clients dial anew after 1 s of silence, so a change that no client may notice leaves
# no gap as long as that; a bot that never recovers has its gap in the last row.
table() {
  echo "killed restarted_s ready_s bots_with_a_gap worst_gap_ms last_gap_over_s verdict"
  awk -F'[ ,]' '
    FNR == NR { if (FNR > 1) { at[++gaps] = $1; bot[gaps] = $2; ms[gaps] = $3 - $4 } next }
    {
      worst = 0; last = 0; hit = 0; split("", seen)
      for (i = 1; i <= gaps; i++) if (at[i] > $2 && at[i] <= $5 && ms[i] > 250) {
        told[i]
        if (ms[i] > worst) worst = ms[i]
        if (at[i] > last) last = at[i]
        if (!(bot[i] in seen)) { seen[bot[i]]; hit++ }
      }
      good = $6 == "may_notice" ? last < $4 + 10 : worst <= 1000
      printf "%s %.1f %.1f %d %.0f %s %s\n", $1, $3 - $2, $4 - $2, hit, worst,
        last ? sprintf("%.1f", last - $2) : "-", good ? "PASS" : "FAIL"
    }
    END {
      worst = 0; hit = 0; split("", seen)
      for (i = 1; i <= gaps; i++) if (!(i in told) && ms[i] > 250) {
        if (ms[i] > worst) worst = ms[i]
        if (!(bot[i] in seen)) { seen[bot[i]]; hit++ }
      }
      printf "none - - %d %.0f - %s\n", hit, worst, worst <= 1000 ? "PASS" : "FAIL"
    }' "$work/gaps/gaps.csv" "$work/deeds"
}
worker_with_players() {
  local id
  for id in $(containers sim); do
    if series_at_least "$id" sim perigee_sim_players 1; then
      echo "$id"
      return
    fi
  done
  return 1
}
