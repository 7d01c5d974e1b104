# shellcheck shell=bash
# Latency from key press to display in a running cluster, stage by stage. cluster.sh sets run.
# shellcheck disable=SC2034,SC2154

waterfall_usage() {
  cat <<'END'
usage: ./perigee ctl waterfall [--seconds N]

Prints the latency of a key press through client, gateway and worker back to the display, stage by
stage, beside the budget of the talk that is perigee's reference: medians and 99th percentiles over
all players of the running cluster. Needs players: add some with ./perigee bots.

  --seconds N (5)   duration of the measurement

examples:
  ./perigee up --bots 0 --keep && ./perigee bots --profile P3 --seconds 60 & sleep 20
  ./perigee ctl waterfall --seconds 10
exit codes: 0 success, 1 no cluster or no players, 2 invalid usage
END
}

waterfall_command() {
  local seconds=5 admin_ports=()
  while [ $# -gt 0 ]; do
    case "$1" in
      -h | --help) waterfall_usage; return 0 ;;
      --seconds) [ $# -ge 2 ] || wrong_usage "--seconds needs a value"; seconds=$2; shift 2 ;;
      *) wrong_usage "ctl waterfall has no option '$1'" ;;
    esac
  done
  [[ $seconds =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--seconds: '$seconds' is not 1 to 9999"
  [ -f "$run/admin_ports" ] || fail "no cluster of this tree was started; start one with $me up --keep"
  live_pid gateway >/dev/null || fail "no cluster of this tree is running; start one with $me up --keep"
  read -r -a admin_ports <"$run/admin_ports"
  scrape "$run/waterfall.before"
  say "measuring for $seconds s"
  sleep "$seconds"
  scrape "$run/waterfall.after"
  read_figures "$run/waterfall.before" "$run/waterfall.after"
  [ "${players/-/0}" != 0 ] || fail "no players; add some with ./perigee bots --profile P1"
  print_waterfall "$run/waterfall.before" "$run/waterfall.after"
}

print_waterfall() { # BEFORE AFTER
  awk -f "$root/tools/shell/scrapes.awk" -f "$root/tools/shell/waterfall.awk" "$1" "$2"
}
