# shellcheck shell=bash
# The resources that a game of a given size needs, by the model of docs/scale.md.

<<<<<<< HEAD
scale_command() {
  need_tool python3 python3
  python3 -B tools/scale/scale.py "$@" # -B: no compiled files in the tree
=======
scale_usage() {
  cat <<'END'
usage: ./perigee scale [OPTIONS]

Estimates the resources for a game of the given size: bytes, packets, CPUs, stores, machines and
money, and the first limit. A model with measured coefficients; docs/scale.md compares it with
measurements.

  --players N (5000)            players at the same time
  --per-worker N (500)          players on one worker
  --per-km2 N (20)              players per square kilometre, on average
  --company N (40)              further players and bodies that move within 300 m of a player
  --sight-m N (1000)            distance up to which a player is replicated: 300, 1000 or 3000
  --bodies N (200)              moving rigid bodies per worker
  --resting N (5000)            resting entities per worker
  --records N, --told-by N      instead of the values derived from these: entity updates per second sent to a
                                player, and the workers that send them, as measured in a running cluster
  --outcomes N (2)              irreversible outcomes per player and minute: hits, kills, stones
  --session-minutes N (60)      from log-in to the end of the session
  --map-changes N (6)           changes of the cluster map per minute
  --cores-per-machine N (16)    --gbit-per-machine N (10)
  --busy N (0.6)                share of a core that gateways and services may use
  --core-hour N (0.04)          price of a core per hour
  --egress-gb N (0.05)          price of 10^9 bytes to players
  --sizes                       the five sizes of docs/scale.md side by side
  --coefficients FILE           instead of tools/scale/coefficients.txt
  --list coefficients|limits    the coefficients or limits of the model, and their sources
  --checks                      measurements of whole clusters, beside the values of the model
  --svg                         the chart of docs/scale.md instead of the table

examples:
  ./perigee scale --players 20000 --per-worker 250 --bodies 600
  ./perigee scale --sizes --core-hour 0.02 --egress-gb 0.01
  ./perigee scale --players 50000 --per-km2 195      # all of them in today's world of 256 km²
  ./perigee scale --list limits
exit codes: 0 success, 2 invalid usage, or an incomplete file of coefficients
END
}

scale_sizes() {
  printf 'players=%s per_worker=%s\n' 100 100 5000 500 50000 500 1000000 1000 1000000 500
}

scale_command() {
  local file=tools/scale/coefficients.txt mode=table of='' sizes=no name value option
  # The defaults; later values in a line take precedence.
  local common='players=5000 per_worker=500 per_km2=20 company=40 sight_m=1000 bodies=200 resting=5000'
  common+=' outcomes_min=2 session_min=60 map_changes_min=6 cores_per_machine=16 gbit_per_machine=10'
  common+=' busy=0.6 core_hour=0.04 egress_gb=0.05'
  while [ $# -gt 0 ]; do
    option=$1
    case "$option" in
      -h | --help) scale_usage; return 0 ;;
      --sizes) sizes=yes; shift; continue ;;
      --svg) mode=picture; shift; continue ;;
      --checks) mode=checks sizes=checks; shift; continue ;;
    esac
    [ $# -ge 2 ] || wrong_usage "scale has no option '$option', or it needs a value"
    value=$2
    shift 2
    case "$option" in
      --coefficients) file=$value; continue ;;
      --list) mode=list of=$value; continue ;;
      --players | --per-worker | --per-km2 | --company | --sight-m | --bodies | --resting) name=${option#--} ;;
      --cores-per-machine | --gbit-per-machine | --busy | --core-hour | --egress-gb) name=${option#--} ;;
      --outcomes | --map-changes) name=${option#--}-min ;;
      --session-minutes) name=session-min ;;
      --records | --told-by) name=${option#--}-given ;;
      *) wrong_usage "scale has no option '$option'" ;;
    esac
    [[ $value =~ ^[0-9]{1,9}(\.[0-9]{1,9})?$ ]] || wrong_usage "$option: '$value' is not a number"
    case "$name" in
      company | records-given | bodies | resting | outcomes-min | map-changes-min | core-hour | egress-gb) ;;
      *) [[ $value =~ [1-9] ]] || wrong_usage "$option must be more than 0" ;;
    esac
    common+=" ${name//-/_}=$value"
  done
  case "$of" in '' | coefficients | limits) ;; *) wrong_usage "--list takes coefficients or limits, not '$of'" ;; esac
  [ -f "$file" ] || wrong_usage "--coefficients: no file '$file'"
  case $sizes in
    yes) scale_sizes ;;
    checks) sed -n '/^#/!s/.*| //p' tools/scale/checks.txt ;;
    no) echo ;;
  esac | sed "s/^/$common /" |
    awk -v of="$of" -f tools/scale/model.awk -f "tools/scale/$mode.awk" "$file" -
>>>>>>> strings
}
