# shellcheck shell=bash
# A cluster on this machine: start, wait, watch, judge, stop. Processes are identified by their pid
# files.
# shellcheck disable=SC2154  # acts_seconds is of acts.sh; installed, root and called_from are of ./perigee

state=.perigee
run=$state/run
logs=$state/logs

# --- processes -------------------------------------------------------------------------------

binary_of() { # PROCESS
  if [ -n "$installed" ]; then
    printf '%s\n' "$installed/bin/$1"
    return
  fi
  find build/release -name "$1" -type f -perm -u+x 2>/dev/null | head -1
}

build_processes() { # PROCESS...
  local process known present=()
  if [ -n "$installed" ]; then
    for process in "$@"; do
      [ -x "$(binary_of "$process")" ] || fail "$process is not installed in $installed/bin"
    done
    return
  fi
  [ -f build/release/build.ninja ] || build release perigee_base
  known=$(ninja -C build/release -t targets all 2>/dev/null | sed -n 's/^\(perigee-[a-z]*\): phony$/\1/p')
  for process in "$@"; do
    grep -qx "$process" <<<"$known" ||
      fail "$process is not part of this tree yet: a cluster needs it (no CMake target of that name)"
    present+=("$process")
  done
  build release "${present[@]}"
}

# The program that a pid runs, even if a build has replaced its file since.
program_of() { # PID
  local exe
  exe=$(readlink "/proc/$1/exe" 2>/dev/null) && printf '%s' "${exe% (deleted)}"
}

# The pid of a process that this script started and that still runs the same program.
live_pid() { # NAME
  local pid exe
  [ -f "$run/$1.pid" ] || return 1
  read -r pid exe <"$run/$1.pid"
  [ "$(program_of "$pid")" = "$exe" ] && printf '%s' "$pid"
}

start_process() { # NAME PROGRAM ARGUMENTS...
  local name=$1 program tries=0
  program=$(readlink -f "$2")
  shift 2
  # In its own session: Ctrl-C reaches this script alone, which then stops everything in order.
  setsid "$program" "$@" >>"$logs/$name.log" 2>&1 9>&- &
  printf '%s %s\n' $! "$program" >"$run/$name.pid"
  echo "$name" >>"$run/order"
  # Waits until the pid runs that program: between fork and exec the pid still runs this shell.
  until [ "$(program_of $!)" = "$program" ] || [ ! -e /proc/$! ] || [ $tries = 100 ]; do
    tries=$((tries + 1))
    sleep 0.01
  done
}

stop_process() { # NAME
  local pid tries=0
  pid=$(live_pid "$1") || { rm -f "$run/$1.pid"; return 0; }
  kill -TERM "$pid" 2>/dev/null
  while live_pid "$1" >/dev/null; do
    tries=$((tries + 1))
    if [ $tries = 200 ]; then
      say "$1 did not stop within 10 s and was killed"
      kill -KILL "$pid" 2>/dev/null
    fi
    sleep 0.05
  done
  rm -f "$run/$1.pid"
}

started_names() { # in reverse order of their start
  if [ -f "$run/order" ]; then tac "$run/order"; fi
}

down_command() {
  local name any=no pid
  # All workers at once, so that none waits for another to take over its entities.
  for name in $(started_names); do
    if [[ $name == sim-* ]] && pid=$(live_pid "$name"); then kill -TERM "$pid" 2>/dev/null || true; fi
  done
  for name in $(started_names); do
    any=yes
    ! live_pid "$name" >/dev/null || say "stopping $name"
    stop_process "$name"
  done
  rm -f "$run/order"
  [ $any = yes ] || say "no process of this tree is running"
}

# A world that another version of the game has written stays unreadable, however long one waits.
refuse_unreadable_world() { # NAME
  local line
  line=$(grep -h 'the world store does not work.*cannot be read' "$logs/$1.log" | tail -1) || return 0
  fail "$1 cannot continue the last world: ${line#*error=}. Remedy: $me up --new-world begins a new one"
}

wait_ready() { # NAME ADMIN_PORT
  local tries=0 answer
  until answer=$(curl -s -m 1 -w '%{http_code}' "http://127.0.0.1:$2/ready") && [[ $answer == *200 ]]; do
    live_pid "$1" >/dev/null || fail "$1 ended during its start: $(tail -1 "$logs/$1.log") (full log: $logs/$1.log)"
    tries=$((tries + 1))
    [[ $answer != *'world store does not work'* ]] || refuse_unreadable_world "$1"
    [ $tries -lt 400 ] || fail "$1 is not ready after 20 s: ${answer%???} (log: $logs/$1.log)"
    sleep 0.05
  done
}

# --- up --------------------------------------------------------------------------------------

cluster_ports() {
  local i
  for i in 0 10 11 12 13 30 50 100 101 102 103 180 190; do echo $((base + i)); done
  for ((i = 0; i < workers; i++)); do printf '%d\n' $((base + 20 + i)) $((base + 40 + i)) $((base + 110 + i)); done
}

# Otherwise another process would answer in place of ours.
refuse_busy_ports() {
  local busy other=$((base < 60000 ? base + 1000 : 42000))
  busy=$(awk 'FNR == NR { wanted[$1]; next }
      $4 == "0A" || $4 == "07" {
        sub(/.*:/, "", $2)
        port = 0
        for (i = 1; i <= 4; i++) port = port * 16 + index("0123456789ABCDEF", substr($2, i, 1)) - 1
        if (port in wanted) print port
      }' <(cluster_ports) /proc/net/tcp /proc/net/udp /proc/net/tcp6 /proc/net/udp6 | sort -nu | xargs)
  [ -z "$busy" ] || fail "ports in use: $busy. Remedy: other ports, $me up --port-base $other"
}

parse_up() {
  bots=20 thin=0 profile=P1 seconds=60 workers=2 keep=no base=40000 acts=yes new_world=no stage='' game=''
  while [ $# -gt 0 ]; do
    case "$1" in
      --keep) keep=yes; shift; continue ;;
      --no-acts) acts=no; shift; continue ;;
      --new-world) new_world=yes; shift; continue ;;
      --bots | --thin | --profile | --seconds | --workers | --port-base | --stage | --game) ;;
      *) wrong_usage "up has no option '$1'" ;;
    esac
    [ $# -ge 2 ] || wrong_usage "$1 needs a value"
    if [ "$1" = --profile ]; then
      profile=$2
    elif [ "$1" = --stage ]; then
      stage=$2
    elif [ "$1" = --game ]; then
      game=$(cd "$called_from" && realpath -m "$2")
      acts=no # it shows the example game
    else
      [[ $2 =~ ^[0-9]{1,5}$ ]] || wrong_usage "$1: '$2' is not a number"
      case "$1" in
        --bots) bots=$2 ;;
        --thin) thin=$2 ;;
        --seconds) seconds=$2 ;;
        --workers) workers=$2 ;;
        --port-base) base=$2 ;;
      esac
    fi
    shift 2
  done
  if [ "$workers" -lt 1 ] || [ "$workers" -gt 9 ]; then wrong_usage "--workers must be 1 to 9"; fi
  if [ "$base" -lt 1024 ] || [ "$base" -gt 65300 ]; then wrong_usage "--port-base must be 1024 to 65300"; fi
  [ "$seconds" -ge 5 ] || wrong_usage "--seconds must be at least 5: the first 3 s of each bot are not measured"
}

# A job for each kind of process: the alerts name them.
write_prometheus_config() {
  local i sims=()
  for ((i = 0; i < workers; i++)); do sims+=("$((base + 110 + i))"); done
  {
    printf 'rule_files: ["%s/deploy/prometheus/alerts.yml"]\n' "$root"
    printf 'global: {scrape_interval: 1s, evaluation_interval: 5s}\nscrape_configs:\n'
    scrape_job directory $((base + 102))
    scrape_job session $((base + 101))
    scrape_job gateway $((base + 100))
    scrape_job console $((base + 103))
    scrape_job sim "${sims[@]}"
  } >"$run/prometheus.yml"
}

scrape_job() { # NAME PORT...
  local name=$1 targets
  shift
  targets=$(printf '"127.0.0.1:%s", ' "$@")
  printf '  - {job_name: %s, static_configs: [{targets: [%s]}]}\n' "$name" "${targets%, }"
}

# The worker knows games and stages; its refusal says what is wrong.
check_game() {
  local said
  said=$("$(binary_of perigee-sim)" --game "$game" --stage "$stage" --check-config 2>&1 >/dev/null) || wrong_usage "$said"
}

# Continues the last world, unless a new one is wanted, the directory's state is gone, or it is of another
# game or stage.
world_options() {
  local of=${stage:-stations}
  [ -z "$game" ] || of=$game:$stage
  [ -f "$state/coordination.state" ] || new_world=yes
  [ "$(cat "$state/stage" 2>/dev/null || echo stations)" = "$of" ] || new_world=yes
  echo "$of" >"$state/stage"
  [ -z "$game" ] || of=$(sha256sum "$game" | cut -d ' ' -f 1)
  if [ "$new_world" = no ]; then
    say "the world of the last time goes on; $me up --new-world begins a new one"
    if [ -n "$game" ] && [ -f "$state/world_of" ] && [ "$(cat "$state/world_of")" != "$of" ]; then
      say "the game was built anew since that world began: entities that it had at its beginning stay as they were"
    fi
    return 0
  fi
  echo "$of" >"$state/world_of"
  rm -f "$state"/world.sqlite*
  echo --new-world
}

start_cluster() {
  local i common=(--port-base "$base" --state-dir "$state") world
  mapfile -t world < <(world_options)
  certs=$state/certs certs_make
  say "starting directory, session, gateway, console and $workers workers (ports from $base, logs in $logs)"
  start_process directory "$(binary_of perigee-directory)" "${common[@]}" \
    --directory-workers "$workers" --directory-regions "$workers" "${world[@]}"
  wait_ready directory $((base + 102))
  start_process gateway "$(binary_of perigee-gateway)" "${common[@]}"
  for ((i = 0; i < workers; i++)); do
    # Of a setting that is named twice, the later one holds.
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1${GLIBC_TUNABLES:+:$GLIBC_TUNABLES} start_process "sim-$i" "$(binary_of perigee-sim)" \
      --directory "127.0.0.1:$((base + 11))" "${common[@]}" --index $i \
      --sim-world-store "sqlite:$state/world.sqlite" --game "$game" --stage "$stage"
  done
  start_process session "$(binary_of perigee-session)" "${common[@]}"
  admin_ports=($((base + 102)) $((base + 100)) $((base + 101)))
  wait_ready gateway $((base + 100))
  for ((i = 0; i < workers; i++)); do
    wait_ready "sim-$i" $((base + 110 + i))
    admin_ports+=($((base + 110 + i)))
  done
  wait_ready session $((base + 101))
  start_console
  echo "$base" >"$run/port_base"
  echo "$game" >"$run/game"
  echo "${admin_ports[*]}" >"$run/admin_ports"
  if command -v prometheus >/dev/null; then
    write_prometheus_config
    start_process prometheus "$(command -v prometheus)" --config.file="$run/prometheus.yml" \
      --storage.tsdb.path="$state/prometheus" --web.listen-address="127.0.0.1:$((base + 190))"
  fi
}

# Its pages show Prometheus's figures if that is installed.
start_console() {
  local figures=()
  if command -v prometheus >/dev/null; then figures=(--console-prometheus "http://127.0.0.1:$((base + 190))"); fi
  start_process console "$(binary_of perigee-console)" "${common[@]}" "${figures[@]}"
  wait_ready console $((base + 103))
  admin_ports+=($((base + 103)))
}

# The token in the address lets the page act, not only look.
print_console_url() {
  say "open http://127.0.0.1:$((base + 180))/#token=$(cat "$state/secrets/console_token") to fly, look and operate"
}

print_urls() {
  print_console_url
  say "gateway udp 127.0.0.1:$base   session grpc 127.0.0.1:$((base + 10)) (control $((base + 12)), http $((base + 13)))   directory grpc 127.0.0.1:$((base + 11))"
  say "metrics http://127.0.0.1:{$(IFS=,; echo "${admin_ports[*]}")}/metrics"
  if [ -f "$run/prometheus.pid" ]; then say "Prometheus http://127.0.0.1:$((base + 190))"; fi
}

# The last line of the bots' log that is not a status line.
bots_complaint() { grep '^perigee-bots:' "$logs/bots.log" | tail -1 || tail -1 "$logs/bots.log"; }

# Log-ins take up to 15 s when the session service does not answer. The rest of the time is for a
# slow machine.
bots_spare_s=45
end_late_bots() { # NAME SECOND SECONDS_MAX
  local pid
  [ "$2" -ge "$3" ] || return 0
  pid=$(live_pid "$1") || return 0
  say "$1 should have ended $bots_spare_s s ago and was killed"
  kill -KILL "$pid" 2>/dev/null || true
}

run_bots() {
  local second=0
  say "$bots bots$([ "$thin" = 0 ] || echo " and $thin thin players") for $seconds s with profile $profile"
  status_begin
  PERIGEE_STATE_DIR=$state setsid "$(binary_of perigee-bots)" --session "127.0.0.1:$((base + 10))" \
    --count "$bots" --thin "$thin" --seconds "$seconds" --profile "$profile" --game "$game" --json \
    >"$run/bots.json" 2>>"$logs/bots.log" 9>&- &
  local bots_pid=$!
  printf '%s %s\n' $bots_pid "$(readlink -f "$(binary_of perigee-bots)")" >"$run/bots.pid"
  echo bots >>"$run/order"
  while kill -0 $bots_pid 2>/dev/null; do
    sleep 1
    second=$((second + 1))
    ! kill -0 $bots_pid 2>/dev/null || status_line $second $((bots + thin))
    end_late_bots bots $second $((seconds + (bots + thin) / 20 + bots_spare_s))
  done
  local code=0 bots_code=0
  wait $bots_pid || bots_code=$?
  [ $bots_code = 0 ] || say "the bots failed (log: $logs/bots.log): $(bots_complaint)"
  rm -f "$run/bots.pid"
  say "figures of the bots: $run/bots.json"
  judge "$bots" $bots_code || code=1
  printf '\n'
  print_waterfall "$run/start.txt" "$run/end.txt"
  [ "$acts" = no ] || run_acts
  verdict $code
}

announce_length() {
  local whole=$((seconds + 5))
  [ "$acts" = no ] || whole=$((whole + acts_seconds + 7))
  say "this takes about $whole s, and longer while a page is open$([ "$acts" = no ] || echo "; the last $((acts_seconds + 7)) s are a demonstration without a verdict (skip it: --no-acts)")"
}

pages_open() { curl -s -m 2 "http://127.0.0.1:$((base + 103))/metrics" | awk '$1 == "perigee_console_sockets" { n = $2 } END { exit n == 0 }'; }

# A page that is loaded again has no socket for a moment.
page_reload_s=5

# The cluster does not end while a player is in its page.
wait_for_pages() {
  local closed_s=0
  if [ "$keep" = yes ] || ! pages_open; then return; fi
  say "the bots have left; a page is open, so the cluster stays until it is closed, or Ctrl-C; more bots: $me bots --count 20"
  while [ $closed_s -lt $page_reload_s ] && live_pid console >/dev/null; do
    sleep 1
    if pages_open; then closed_s=0; else closed_s=$((closed_s + 1)); fi
  done
}

# One `up` at a time in this tree; the lock is released when this script ends (its children do not
# hold it).
lock_up() {
  mkdir -p "$run" "$logs"
  exec 9>"$state/up.lock"
  flock -n 9 || fail "another $me up of this tree is running; stop it with Ctrl-C there, or wait"
}

up_command() {
  local bots thin profile seconds workers keep base acts stage game code=0 second=0 name admin_ports=() cluster
  parse_up "$@"
  lock_up
  doctor_ensure 'build run'
  for name in $(started_names); do
    ! live_pid "$name" >/dev/null || fail "a cluster of this tree is running ($name); stop it with $me down"
  done
  rm -f "$run"/* "$logs"/*.log
  refuse_busy_ports
  local processes=(perigee-directory perigee-session perigee-gateway perigee-sim perigee-console)
  [ $((bots + thin)) = 0 ] || processes+=(perigee-bots)
  [ $((bots + thin)) = 0 ] || [ "$acts" = no ] || processes+=(perigee-lab)
  build_processes "${processes[@]}"
  check_game

  trap 'trap - INT TERM EXIT; say "draining"; down_command; exit 130' INT TERM
  trap 'code=$?; trap - EXIT; down_command; exit $code' EXIT
  start_cluster
  # shellcheck disable=SC2034  # judge checks that they are all still running
  mapfile -t cluster < <(started_names)
  print_urls
  if [ $((bots + thin)) -gt 0 ]; then
    announce_length
    run_bots || code=1
    wait_for_pages
  elif [ "$keep" = no ]; then
    say "no bots; stop the cluster with Ctrl-C"
    status_begin
    while sleep 1; do
      second=$((second + 1))
      status_line $second ''
    done
  fi
  if [ "$keep" = yes ]; then
    trap - EXIT INT TERM
    print_urls
    say "left running; stop it with $me down"
  fi
  return $code
}

# Adds bots to a running cluster; options go to perigee-bots unchanged.
bots_command() {
  [ -f "$run/port_base" ] || fail "no cluster of this tree was started; start one with $me up --keep"
  live_pid session >/dev/null || fail "no cluster of this tree is running; start one with $me up --keep"
  build_processes perigee-bots
  PERIGEE_STATE_DIR=$state PERIGEE_GAME=$(cat "$run/game" 2>/dev/null) \
    "$(binary_of perigee-bots)" --session "127.0.0.1:$(($(cat "$run/port_base") + 10))" "$@"
}

# Commands for a running cluster: options go to perigee-ctl unchanged.
ctl_command() {
  if [ "${1:-}" = waterfall ]; then
    shift
    waterfall_command "$@"
    return
  fi
  local base=40000
  [ ! -f "$run/port_base" ] || base=$(cat "$run/port_base")
  build_processes perigee-ctl
  "$(binary_of perigee-ctl)" --state-dir "$state" --session "127.0.0.1:$((base + 12))" \
    --directory "127.0.0.1:$((base + 11))" "$@"
}
