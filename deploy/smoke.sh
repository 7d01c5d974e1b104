#!/usr/bin/env bash
# The stack of deploy/compose.yml, started, played in, and removed again, in four acts:
#   kills     killed piece by piece while bots play, then taken down and up: the same world; 3 minutes
#   scaling   two workers, four, and two again while bots play: no bot loses its avatar or connection; 2 minutes
#   upgrade   every process replaced by one of another image while bots play, as docs/operations.md says; 2 minutes
#   etcd      two directories on an etcd: the leader stopped, then killed, etcd stopped for a minute; 3 minutes
#   console   a player in a browser, through the console's page; the console killed meanwhile; 1 minute
# Usage:
#   deploy/smoke.sh [--multi-stage] [ACT ...]   all acts, unless some are named
# Images come from this machine's build; --multi-stage: compiled inside, as deploy/Dockerfile says.
# Exit code 0: PASS; 1: the last line says what is not well; 2: usage; 77: no engine or not root.
# Needs root (it kills containers' processes from outside), docker, docker-compose and, without an
# image registry, debootstrap. It installs them from Debian and starts dockerd when none runs.
set -euo pipefail
cd "$(dirname "$0")/.."
image_options=()
acts=()
for word in "$@"; do
  case $word in
    --multi-stage) image_options=("$word") ;;
    kills | scaling | upgrade | etcd | console) acts+=("$word") ;;
    *) echo "usage: deploy/smoke.sh [--multi-stage] [kills] [scaling] [upgrade] [etcd] [console]" >&2; exit 2 ;;
  esac
done
[ ${#acts[@]} -gt 0 ] || acts=(kills scaling upgrade console etcd) # etcd adds files for all acts after it

project=perigee-smoke
players=20
export PERIGEE_WORKERS=2 PERIGEE_UDP_PORT=${PERIGEE_UDP_PORT:-42500} \
  PERIGEE_SESSION_PORT=${PERIGEE_SESSION_PORT:-42510} PERIGEE_SESSION_HTTP_PORT=${PERIGEE_SESSION_HTTP_PORT:-42513} \
  PERIGEE_PROMETHEUS_PORT=${PERIGEE_PROMETHEUS_PORT:-42590} PERIGEE_CONSOLE_PORT=${PERIGEE_CONSOLE_PORT:-42580}
work=$(mktemp -d)
began=$SECONDS
files=(-f deploy/compose.yml)
services=(directory session gateway sim console prometheus)

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
compose() { timeout 120 $(compose_command) -p $project "${files[@]}" "$@" 2>>"$work/compose.log"; }
up() { compose up -d --no-build "$@" || fail "compose: $(tail -5 "$work/compose.log")"; }
forget_stack() {
  say "down"
  "$docker" ps -aq --filter label=com.docker.compose.project=$project --filter label=com.docker.compose.oneoff=True |
    xargs -r "$docker" rm -f >/dev/null || true
  compose --profile bots down -v -t 5 || true
  rm -f "$work/gaps/gaps.csv" "$work/deeds"
}
cleanup() {
  local code=$?
  trap - EXIT INT TERM
  if engine_answers; then
    [ $code = 0 ] || [ $code = 77 ] || compose logs --no-color --tail 5 || true
    forget_stack
  fi
  stop_engine
  rm -rf "$work"
  exit $code
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# shellcheck source=deploy/smoke_tools.sh
. deploy/smoke_tools.sh

# --- the acts --------------------------------------------------------------------------------

act_kills() {
  say "kills: up, two workers, then four"
  up
  expect_healthy
  expect_targets directory=1 session=1 gateway=1 sim=2
  up --scale sim=4
  expect_targets directory=1 session=1 gateway=1 sim=4
  local world
  world=$(incarnation)

  start_players --gap-log /gaps/gaps.csv
  until_true 30 series_at_least "$(containers gateway)" gateway 'perigee_gateway_resume_tokens_total{step="acknowledged"}' $players ||
    fail "not every bot received a resume token"
  sleep 5 # of undisturbed play
  kill_and_watch session "$(containers session)" unnoticed
  kill_and_watch directory "$(containers directory)" unnoticed
  kill_and_watch gateway "$(containers gateway)" may_notice
  kill_and_watch sim "$(worker_with_players)" unnoticed # its standby takes over
  expect_targets directory=1 session=1 gateway=1 sim=4
  stop_players
  table >"$work/table"
  expect_left

  say "down, keeping the volumes, and up again"
  compose down
  up
  expect_healthy
  [ "$(incarnation)" = "$world" ] || fail "another world: cluster id $(incarnation), before $world"
  expect_left
  say "the same world (cluster id $world), the same sessions"
  start_players
  sleep 5 # of play: the gateway counts a bot before that bot knows
  stop_players

  column -t "$work/table"
  ! grep -q 'FAIL$' "$work/table" || fail "see the table"
}

act_scaling() {
  local number id ids=()
  say "scaling: two workers"
  up
  expect_healthy
  start_players --gap-log /gaps/gaps.csv
  up --no-recreate --scale sim=4
  until_true 60 owners_are 4 || fail "the new workers got no region: $(ctl regions)"
  say "four workers own regions"
  sleep 20 # of play: all entities that have to migrate have migrated
  ctl workers
  for number in 3 4; do
    id=$(replica sim $number)
    [ -n "$id" ] || fail "replica $number of sim does not exist"
    ids+=("$id")
    "$docker" logs -f "$id" >"$work/sim-$number.log" 2>&1 &
    { "$docker" wait "$id" || true; } >"$work/sim-$number.code" 2>/dev/null &
  done
  up --no-recreate --scale sim=2
  for number in 3 4; do expect_drained $number; done
  [ "$(series "$(containers directory)" directory perigee_directory_deaths_total)" = 0 ] ||
    fail "the directory counted deaths"
  sleep 5
  ctl workers
  stop_players
  expect_undisturbed
}

# The same build under another image: compose sees a new one. Other tests say which builds may be mixed.
act_upgrade() {
  local number service id old new second
  say "upgrade: two workers"
  up
  expect_healthy
  start_players --gap-log /gaps/gaps.csv
  sleep 5 # of undisturbed play
  old=$("$docker" image inspect -f '{{.Id}}' perigee:local)
  printf 'FROM perigee:local\nLABEL upgraded=yes\n' | "$docker" build -q -t perigee:local - >/dev/null
  for service in directory session; do
    up --no-deps $service
    until_true 60 is_ready "$(containers $service)" $service || fail "$service is not ready 60 s after it was recreated"
    say "$service is of the new image"
  done
  up --no-deps --no-recreate --scale sim=4 sim
  until_true 60 workers_are 4 || fail "the new workers are not alive: $(ctl workers)"
  for number in 1 2; do
    second=$(now)
    ctl replace "$(worker_in "$(replica sim $number)")" "$(worker_in "$(replica sim $((number + 2)))")" ||
      fail "worker $number is not replaced"
    say "worker $number is replaced in $(minus "$(now)" "$second") s"
  done
  # shellcheck disable=SC2046  # two words
  "$docker" rm $("$docker" stop "$(replica sim 1)" "$(replica sim 2)") >/dev/null
  ctl workers
  second=$(now)
  up --no-deps gateway
  until_true 60 is_ready "$(containers gateway)" gateway || fail "the gateway is not ready 60 s after it was recreated"
  say "the gateway is of the new image, ready after $(minus "$(now)" "$second") s"
  until_true 60 series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing "$players" ||
    fail "not all $players bots play at the new gateway"
  new=$("$docker" image inspect -f '{{.Id}}' perigee:local)
  [ "$new" != "$old" ] || fail "both images are the same"
  for id in $(containers directory session gateway sim); do
    [ "$(figure_of '{{.Image}}' "$id")" = "$new" ] || fail "$id is of the old image"
  done
  stop_players
  jq -e --argjson n "$players" '.avatars_changed == 0 and .resumes == $n' "$work/bots.json" >/dev/null ||
    fail "a player lost the avatar, or reconnected more than once"
}

act_console() {
  local page=http://127.0.0.1:$PERIGEE_CONSOLE_PORT token
  say "console: up"
  up
  expect_healthy
  expect_targets directory=1 session=1 gateway=1 console=1 sim=2
  curl -fsS --noproxy '*' -m 5 "$page/" | grep -q '<title>perigee' || fail "no page at $page"
  # It listens on an address that is not loopback, so reading needs the token, too.
  [ "$(curl -sS --noproxy '*' -m 5 -o /dev/null -w '%{http_code}' "$page/api/hello")" = 401 ] || fail "whoever has no token may read"
  token=$(compose exec -T console cat /var/lib/perigee/secrets/console_token)
  [ "$(curl -fsS --noproxy '*' -m 5 -H "Authorization: Bearer $token" "$page/api/hello" | jq .mayAct)" = true ] ||
    fail "the token does not let act"
  say "the page is served, and its token lets act"
  start_players --gap-log /gaps/gaps.csv
  in_a_browser "$page" "$token"
  kill_and_watch console "$(containers console)" unnoticed
  in_a_browser "$page" "$token"
  stop_players
  expect_undisturbed
}
in_a_browser() { # PAGE TOKEN
  local code=0
  timeout 300 node tests/console/play.mjs "$1/" "$2" >"$work/browser" 2>&1 || code=$?
  [ $code = 0 ] || [ $code = 77 ] || fail "a browser cannot play: $(tail -5 "$work/browser")"
  say "$(tail -1 "$work/browser")"
}

act_etcd() {
  local directories leader follower pid second
  files+=(-f deploy/compose.etcd.yml)
  services+=(directory-2 etcd)
  say "etcd: two directories"
  up
  expect_healthy
  expect_targets directory=2 session=1 gateway=1 sim=2
  start_players --gap-log /gaps/gaps.csv
  directories=("$(containers directory)" "$(containers directory-2)")
  leader=$(leader_of "${directories[@]}") || fail "no directory leads"
  follower=${directories[0]}
  [ "$leader" != "$follower" ] || follower=${directories[1]}
  pid=$(figure_of '{{.State.Pid}}' "$leader")
  second=$(now)
  kill -STOP "$pid" || fail "cannot stop pid $pid of a directory"
  until_true 30 leads "$follower" || fail "the leader was stopped, and the other directory does not lead after 30 s"
  say "leader stopped: the other directory leads $(minus "$(now)" "$second") s later"
  kill -CONT "$pid"
  until_true 30 is_ready "$leader" directory || fail "the former leader does not stand by"
  pid=$(figure_of '{{.State.Pid}}' "$follower")
  second=$(now)
  kill -KILL "$pid" || fail "cannot kill pid $pid of a directory"
  until_true 30 restarted "$follower" "$pid" || fail "a directory (killed) was not restarted"
  until_true 30 leader_of "${directories[@]}" >/dev/null || fail "the leader was killed, and no directory leads after 30 s"
  say "leader killed: one leads $(minus "$(now)" "$second") s later"

  pid=$(figure_of '{{.State.Pid}}' "$(containers etcd)")
  kill -STOP "$pid" || fail "cannot stop pid $pid of etcd"
  sleep 60
  series_is "$(containers gateway)" gateway perigee_gateway_sessions_playing $players ||
    fail "etcd was stopped for a minute: $(series "$(containers gateway)" gateway perigee_gateway_sessions_playing) of $players bots play"
  if ctl balance off >/dev/null 2>&1; then fail "the map was changed without a store"; fi
  second=$(now)
  kill -CONT "$pid"
  until_true 60 ctl balance off 2>/dev/null || fail "the map cannot be changed 60 s after etcd continued"
  say "etcd was stopped for a minute: all $players play; changes are possible $(minus "$(now)" "$second") s after it continued"
  [ "$(ctl workers | grep -c ' alive ')" = 2 ] || fail "not both workers are alive: $(ctl workers)"
  stop_players
  expect_undisturbed
}

[ "$(id -u)" = 0 ] || skip "not root: processes in containers cannot be killed from outside"
ensure_tools
ensure_engine
say "images ${image_options[*]}"
deploy/images.sh "${image_options[@]}" >"$work/images.log" 2>&1 || fail "images: $(tail -5 "$work/images.log")"
sed -n '/ MB$/p; s/^images: //p' "$work/images.log"

mkdir -m 777 "$work/gaps" # the bots' user writes there
chmod 711 "$work"
for act in "${acts[@]}"; do
  "act_$act"
  forget_stack
done
say PASS
