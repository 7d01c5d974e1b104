# shellcheck shell=bash
# A container engine for deploy/smoke.sh: finds docker and compose, installs and starts them as root
# where they are missing, and stops only what it started. Its caller has say, skip, until_true, work.

: "${work:?its caller has a folder for logs}"
docker=docker
engine_pid=''
# Debian's client before others: it fits Debian's engine and compose.
choose_docker() { [ ! -x /usr/bin/docker ] || docker=/usr/bin/docker; }
choose_docker

compose_command() {
  if command -v docker-compose >/dev/null; then echo docker-compose; else echo "$docker compose"; fi
}
compose_present() { command -v docker-compose >/dev/null || "$docker" compose version >/dev/null 2>&1; }
engine_answers() { "$docker" info >/dev/null 2>&1; }

ensure_tools() {
  local missing=()
  command -v "$docker" >/dev/null || missing+=(docker.io)
  compose_present || missing+=(docker-compose)
  command -v curl >/dev/null || missing+=(curl)
  command -v jq >/dev/null || missing+=(jq)
  "$docker" image inspect debian:bookworm-slim >/dev/null 2>&1 || command -v debootstrap >/dev/null || missing+=(debootstrap)
  engine_answers || command -v dockerd >/dev/null || missing+=(docker.io)
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || skip "missing ${missing[*]}. Remedy: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  if ! {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$work/apt.log" 2>&1 </dev/null; then
    skip "apt-get could not install ${missing[*]}: $(tail -1 "$work/apt.log")"
  fi
  choose_docker
}

ensure_engine() {
  if engine_answers; then return 0; fi
  [ "$(id -u)" = 0 ] || skip "no docker engine answers, and only root could start one"
  say "starting dockerd"
  setsid dockerd >"$work/dockerd.log" 2>&1 &
  engine_pid=$!
  until_true 20 engine_answers || skip "dockerd does not start: $(tail -1 "$work/dockerd.log")"
}

stop_engine() {
  [ -n "$engine_pid" ] || return 0
  kill -TERM "$engine_pid" 2>/dev/null || true
  wait "$engine_pid" || true
}
