#!/usr/bin/env bash
# The stack of deploy/compose.yml, started, scaled, played in, killed piece by piece, restarted and
# removed again; about 3 minutes once the images exist.
#   deploy/smoke.sh                 images from this machine's build
#   deploy/smoke.sh --multi-stage   images compiled inside, as deploy/Dockerfile says
# Exit code 0: PASS; 1: the last line says what is not well; 2: usage; 77: no engine or not root.
# Needs root (it kills containers' processes from outside), docker, docker-compose and, without an
# image registry, debootstrap. It installs them from Debian and starts dockerd when none runs.
set -euo pipefail
cd "$(dirname "$0")/.."
case "$*" in
  '' | --multi-stage) image_options=("$@") ;;
  *) echo "usage: deploy/smoke.sh [--multi-stage]" >&2; exit 2 ;;
esac

project=perigee-smoke
players=20
export PERIGEE_WORKERS=2 PERIGEE_UDP_PORT=${PERIGEE_UDP_PORT:-42500} \
  PERIGEE_SESSION_PORT=${PERIGEE_SESSION_PORT:-42510} PERIGEE_PROMETHEUS_PORT=${PERIGEE_PROMETHEUS_PORT:-42590}
work=$(mktemp -d)
began=$SECONDS

say() { printf '==> %4d s  %s\n' $((SECONDS - began)) "$*"; }
fail() {
  printf 'smoke: FAIL: %s\n' "$*" >&2
  exit 1
}
skip() {
  printf 'smoke: skipped: %s\n' "$*"
  exit 77
}
until_true() { # SECONDS COMMAND...
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.2
  done
}
# shellcheck source=deploy/engine.sh
. deploy/engine.sh

# shellcheck disable=SC2046  # "docker compose" is two words
compose() { timeout 120 $(compose_command) -p $project -f deploy/compose.yml "$@" 2>>"$work/compose.log"; }
up() { compose up -d --no-build "$@" || fail "compose: $(tail -5 "$work/compose.log")"; }
cleanup() {
  local code=$?
  trap - EXIT INT TERM
  if engine_answers; then
    [ $code = 0 ] || [ $code = 77 ] || compose logs --no-color --tail 5 || true
    say "down"
    "$docker" ps -aq --filter label=com.docker.compose.project=$project --filter label=com.docker.compose.oneoff=True |
      xargs -r "$docker" rm -f >/dev/null || true
    compose --profile bots down -v -t 5 || true
  fi
  stop_engine
  rm -rf "$work"
  exit $code
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# --- asking the stack ------------------------------------------------------------------------

now() { date +%s.%N; }
minus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a - b }'; }
figure_of() { "$docker" inspect -f "$1" "$2"; } # TEMPLATE CONTAINER
containers() { compose ps -q "$@"; }
admin_port() { case $1 in directory) echo 40102 ;; session) echo 40101 ;; gateway) echo 40100 ;; sim) echo 40110 ;; esac; }
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
  for id in $(containers directory session gateway sim prometheus); do
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
  until_true 40 targets_up "$@" || fail "Prometheus does not see $*: $(jq -c '[.data.result[] | [.metric.job, .value[1]]]' "$work/up.json")"
  say "Prometheus sees every target up: $*"
}
incarnation() { # of the world, from the directory's newest start
  "$docker" logs "$(containers directory)" 2>&1 | jq -rR 'fromjson? | .incarnation // empty' | tail -1
}

# --- players ---------------------------------------------------------------------------------

start_players() { # OPTIONS...; their container: $bots
  bots=$(compose run -d --no-deps -v "$work/gaps:/gaps" bots perigee-bots \
    --session "127.0.0.1:$PERIGEE_SESSION_PORT" --count $players --seconds 900 --json "$@" | tail -1)
  until_true 40 series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing $players ||
    fail "$players bots do not get in: $("$docker" logs --tail 3 "$bots" 2>&1)"
  say "$players bots play through the published port"
}
stop_players() {
  local code
  "$docker" kill -s INT "$bots" >/dev/null
  code=$(timeout 20 "$docker" wait "$bots") || fail "the bots do not stop"
  "$docker" logs "$bots" 2>/dev/null >"$work/bots.json"
  jq -c '{joined, playing, disconnects, resumes, avatars_changed, longest_gap_ms, stalled_ms, rtt_ms_p50, rtt_ms_p99, corrections_per_min}' "$work/bots.json"
  [ "$code" = 0 ] || fail "the bots ended with $code: $("$docker" logs --tail 3 "$bots" 2>&1)"
  jq -e --argjson n $players '.joined == $n and .playing == $n and .disconnects == 0' "$work/bots.json" >/dev/null ||
    fail "not all $players bots played to the end"
}

# --- killing ---------------------------------------------------------------------------------

is_ready() { ask "$1" "$2" /ready >/dev/null; } # CONTAINER SERVICE
restarted() { # CONTAINER PID_BEFORE
  [ "$(figure_of '{{.State.Running}}' "$1")" = true ] && [ "$(figure_of '{{.State.Pid}}' "$1")" != "$2" ]
}
# Kills a service's process from outside: pid 1 of a namespace ignores the signal from within, and
# `docker kill` would count as a wish to stop. What it did to players is told by their log later.
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
  sleep 8 # a player who lost the world reports it when it goes on
  until_true 30 series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing $players ||
    fail "$service killed: $(series "$(containers gateway)" gateway perigee_gateway_sessions_playing) of $players bots play 40 s later"
  echo "$service $killed $back $ready $(now) $3" >>"$work/deeds"
  say "$service killed (pid $pid), ready again after $(minus "$ready" "$killed") s; all $players play"
}
# A row per kill, and one for the rest of the time. Gaps are those over 250 ms in which the bots
# themselves were not stalled. Clients dial anew after 1 s of silence, so what nobody may notice leaves
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
      printf "nobody - - %d %.0f - %s\n", hit, worst, worst <= 1000 ? "PASS" : "FAIL"
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

# --- the acts --------------------------------------------------------------------------------

[ "$(id -u)" = 0 ] || skip "not root: processes in containers cannot be killed from outside"
ensure_tools
ensure_engine
say "images ${image_options[*]}"
deploy/images.sh "${image_options[@]}" >"$work/images.log" 2>&1 || fail "images: $(tail -5 "$work/images.log")"
sed -n '/ MB$/p; s/^images: //p' "$work/images.log"

say "up, two workers"
up
expect_healthy
expect_targets directory=1 session=1 gateway=1 sim=2
up --scale sim=4
expect_targets directory=1 session=1 gateway=1 sim=4
world=$(incarnation)

mkdir -m 777 "$work/gaps" # the bots' user writes there
chmod 711 "$work"
start_players --gap-log /gaps/gaps.csv
until_true 30 series_at_least "$(containers gateway)" gateway 'perigee_gateway_resume_tokens_total{step="acknowledged"}' $players ||
  fail "not every bot was handed a token to come back with"
sleep 5 # of undisturbed play
kill_and_watch session "$(containers session)" unnoticed
kill_and_watch directory "$(containers directory)" unnoticed
kill_and_watch gateway "$(containers gateway)" may_notice
kill_and_watch sim "$(worker_with_players)" may_notice
expect_targets directory=1 session=1 gateway=1 sim=4
stop_players
table >"$work/table"
until_true 20 series_at_least "$(containers session)" session 'perigee_session_sessions{state="left"}' $players ||
  fail "the session store does not know that $players bots left"

say "down, keeping the volumes, and up again"
"$docker" rm "$bots" >/dev/null
compose down
up
expect_healthy
[ "$(incarnation)" = "$world" ] || fail "another world: incarnation $(incarnation), before $world"
until_true 20 series_at_least "$(containers session)" session 'perigee_session_sessions{state="left"}' $players ||
  fail "the session store forgot who left"
say "the same world (incarnation $world), the same sessions"
start_players
stop_players

column -t "$work/table"
! grep -q 'FAIL$' "$work/table" || fail "see the table"
say PASS
