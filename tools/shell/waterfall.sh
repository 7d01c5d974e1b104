# shellcheck shell=bash
# Latency from key press to display in a running cluster, stage by stage. run is cluster.sh's.
# shellcheck disable=SC2034,SC2154

waterfall_usage() {
  cat <<'END'
usage: ./perigee ctl waterfall [--seconds N]

How long a key press takes through client, gateway and worker and back to the eye, stage by stage,
beside the budget of the talk that perigee is measured by: medians and 99th percentiles of what all
players of the running cluster did meanwhile. Needs players: ./perigee bots gives some.

  --seconds N (5)   for so long

examples:
  ./perigee up --bots 0 --keep && ./perigee bots --profile P3 --seconds 60 & sleep 20
  ./perigee ctl waterfall --seconds 10
exit codes: 0 done, 1 no cluster, or nobody plays, 2 wrong usage
END
}

waterfall_command() {
  local seconds=5 admin_ports=()
  while [ $# -gt 0 ]; do
    case "$1" in
      -h | --help) waterfall_usage; return 0 ;;
      --seconds) [ $# -ge 2 ] || wrong_usage "--seconds needs a value"; seconds=$2; shift 2 ;;
      *) wrong_usage "ctl waterfall does not know '$1'" ;;
    esac
  done
  [[ $seconds =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--seconds: '$seconds' is not 1 to 9999"
  [ -f "$run/admin_ports" ] || fail "no cluster of this tree was started; ./perigee up --keep starts one"
  live_pid gateway >/dev/null || fail "no cluster of this tree is running; ./perigee up --keep starts one"
  read -r -a admin_ports <"$run/admin_ports"
  scrape "$run/waterfall.before"
  say "watching for $seconds s"
  sleep "$seconds"
  scrape "$run/waterfall.after"
  read_figures "$run/waterfall.before" "$run/waterfall.after"
  [ "${players/-/0}" != 0 ] || fail "nobody plays; ./perigee bots --profile P1 brings players"
  print_waterfall "$run/waterfall.before" "$run/waterfall.after"
}

print_waterfall() { # BEFORE AFTER
  awk -f tools/shell/scrapes.awk -f tools/shell/waterfall.awk "$1" "$2"
}
