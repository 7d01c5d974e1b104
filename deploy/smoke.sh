#!/usr/bin/env bash
# The stack of deploy/compose.yml, started, played in, scaled, hurt and removed again; about 2 minutes
# once the images exist. Exit code 0: all well; 1: the last line says what is not; 77: no engine here.
#   deploy/smoke.sh
# Needs docker, docker-compose and, without an image registry, debootstrap. As root it installs them
# from Debian and starts dockerd when none runs; it stops only what it started.
set -euo pipefail
cd "$(dirname "$0")/.."
docker=docker
[ ! -x /usr/bin/docker ] || docker=/usr/bin/docker
project=perigee-smoke
seconds=20
export PERIGEE_UDP_PORT=${PERIGEE_UDP_PORT:-42500} PERIGEE_SESSION_PORT=${PERIGEE_SESSION_PORT:-42510} \
  PERIGEE_PROMETHEUS_PORT=${PERIGEE_PROMETHEUS_PORT:-42590} PERIGEE_BOTS=20 PERIGEE_SECONDS=$seconds
work=$(mktemp -d)
began=$SECONDS
engine_pid=''

say() { printf '==> %4d s  %s\n' $((SECONDS - began)) "$*"; }
fail() {
  printf 'smoke: %s\n' "$*" >&2
  exit 1
}
skip() {
  printf 'smoke: skipped: %s\n' "$*"
  exit 77
}
compose() { docker-compose -p $project -f deploy/compose.yml "$@" 2>>"$work/compose.log"; }
containers() { compose ps -q "$@"; }
figure_of() { "$docker" inspect -f "$1" "$2"; } # TEMPLATE CONTAINER

cleanup() {
  local code=$?
  trap - EXIT INT TERM
  if "$docker" info >/dev/null 2>&1; then
    [ $code = 0 ] || [ $code = 77 ] || compose logs --no-color --tail 5 || true
    say "down"
    compose --profile bots down -v -t 5 || true
  fi
  if [ -n "$engine_pid" ]; then
    kill -TERM "$engine_pid" 2>/dev/null || true
    wait "$engine_pid" || true
  fi
  rm -rf "$work"
  exit $code
}
trap cleanup EXIT
trap 'exit 130' INT TERM

until_true() { # SECONDS COMMAND...
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.5
  done
}

# --- the engine ------------------------------------------------------------------------------

ensure_tools() {
  local missing=()
  [ -x /usr/bin/docker ] || command -v docker >/dev/null || missing+=(docker.io)
  command -v docker-compose >/dev/null || missing+=(docker-compose)
  "$docker" image inspect debian:bookworm-slim >/dev/null 2>&1 || command -v debootstrap >/dev/null || missing+=(debootstrap)
  "$docker" info >/dev/null 2>&1 || command -v dockerd >/dev/null || missing+=(docker.io)
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || skip "missing ${missing[*]}. Remedy: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  if ! {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$work/apt.log" 2>&1 </dev/null; then
    skip "apt-get could not install ${missing[*]}"
  fi
  [ ! -x /usr/bin/docker ] || docker=/usr/bin/docker
}

engine_answers() { "$docker" info >/dev/null 2>&1; }
ensure_engine() {
  if engine_answers; then return 0; fi
  [ "$(id -u)" = 0 ] || skip "no docker engine answers, and only root could start one"
  say "starting dockerd"
  setsid dockerd >"$work/dockerd.log" 2>&1 &
  engine_pid=$!
  until_true 20 engine_answers || skip "dockerd does not start: $(tail -1 "$work/dockerd.log")"
}

# --- what is asked of the stack --------------------------------------------------------------

all_healthy() {
  local id
  for id in $(containers directory session gateway sim); do
    [ "$(figure_of '{{.State.Health.Status}}' "$id")" = healthy ] || return 1
  done
}

bots_play() { # WHEN
  say "20 bots for $seconds s on the published port ($1)"
  compose run --rm bots perigee-bots --session "127.0.0.1:$PERIGEE_SESSION_PORT" \
    --count $PERIGEE_BOTS --seconds $seconds >"$work/bots" || fail "bots $1: $(tail -30 "$work/bots")"
  grep -E '^(joined|disconnects|rtt|jitter|corrections)' "$work/bots"
}

targets_up() { # JOB=COUNT...
  local wanted
  curl -fsS -m 2 "http://127.0.0.1:$PERIGEE_PROMETHEUS_PORT/api/v1/query?query=sum(up)by(job)" \
    >"$work/up.json" 2>/dev/null || return 1
  for wanted in "$@"; do
    jq -e --arg job "${wanted%=*}" --arg count "${wanted#*=}" \
      '.data.result[] | select(.metric.job == $job and .value[1] == $count)' \
      "$work/up.json" >/dev/null || return 1
  done
}
expect_targets() { # JOB=COUNT...
  until_true 30 targets_up "$@" || fail "Prometheus does not see $*: $(cat "$work/up.json")"
  say "Prometheus sees $*"
}

restarted() { # CONTAINER PID_BEFORE
  [ "$(figure_of '{{.State.Running}}' "$1")" = true ] && [ "$(figure_of '{{.State.Pid}}' "$1")" != "$2" ]
}
kill_one_sim() {
  local victim pid
  victim=$("$docker" ps -q --filter label=com.docker.compose.project=$project \
    --filter label=com.docker.compose.service=sim --filter label=com.docker.compose.container-number=1)
  pid=$(figure_of '{{.State.Pid}}' "$victim")
  # From outside: a process with pid 1 of its namespace ignores the signal from within, and
  # `docker kill` would count as a wish to stop.
  kill -KILL "$pid" || fail "cannot kill pid $pid"
  until_true 20 restarted "$victim" "$pid" || fail "the killed worker was not restarted"
  say "worker killed (pid $pid) and restarted, restarts: $(figure_of '{{.RestartCount}}' "$victim")"
}

# --- the acts --------------------------------------------------------------------------------

ensure_tools
ensure_engine
say "images"
deploy/images.sh >"$work/images.log" 2>&1 || fail "images: $(tail -5 "$work/images.log")"
grep ' MB$' "$work/images.log"
say "up, one worker"
compose up -d --no-build || fail "compose: $(tail -5 "$work/compose.log")"
until_true 60 all_healthy || fail "not healthy after 60 s"
say "all healthy"
expect_targets directory=1 session=1 gateway=1 sim=1
bots_play "one worker"
say "two workers"
compose up -d --no-build --scale sim=2 || fail "compose: $(tail -5 "$work/compose.log")"
expect_targets sim=2
if [ "$(id -u)" = 0 ]; then kill_one_sim; else say "not root: no worker is killed"; fi
until_true 60 all_healthy || fail "not healthy 60 s after the kill"
expect_targets directory=1 session=1 gateway=1 sim=2
bots_play "after the kill"
say "PASS"
