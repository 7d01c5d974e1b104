#!/usr/bin/env bash
# Two scrapes of a gateway and two workers, ten seconds apart: metrics.awk computes the figures
# between them.
set -euo pipefail
tools=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

scrape() { # FILE RTT_FAST RTT_ALL CORRECTIONS TICKS_FAST TICKS_ALL OVERRUNS SECOND
  cat >"$folder/$1" <<END
# scraped_at $8.25
# HELP perigee_client_rtt_seconds Round trip.
# TYPE perigee_client_rtt_seconds histogram
perigee_client_rtt_seconds_count $3
perigee_client_rtt_seconds_sum 1.5
perigee_client_rtt_seconds_bucket{le="0.01"} $2
perigee_client_rtt_seconds_bucket{le="0.05"} $3
perigee_client_rtt_seconds_bucket{le="+Inf"} $3
perigee_client_corrections_total{cause="contact"} $4
perigee_client_corrections_total{cause="other"} 1
perigee_client_received_bytes_total $4
perigee_sim_tick_seconds_count $6
perigee_sim_tick_seconds_bucket{le="0.004"} $5
perigee_sim_tick_seconds_bucket{le="0.0166"} $6
perigee_sim_tick_seconds_bucket{le="+Inf"} $6
perigee_sim_overruns_total $7
perigee_sim_inputs_total{result="applied"} $6
perigee_sim_inputs_total{result="too_late"} $7
perigee_sim_players 3
perigee_sim_tick_seconds_bucket{le="0.004"} $5
perigee_sim_tick_seconds_bucket{le="0.0166"} $6
perigee_sim_tick_seconds_bucket{le="+Inf"} $6
perigee_sim_tick_seconds_count $6
perigee_sim_overruns_total $7
perigee_sim_players 2
END
}
scrape before 1000 1000 100 500 500 0 1000
scrape after 1090 1100 150 1100 1100 2 1010

awk -f "$tools/scrapes.awk" -f "$tools/metrics.awk" "$folder/before" "$folder/after" >"$folder/said"
expect() {
  grep -qx -- "$1" "$folder/said" || { echo "expected $1, found:"; cat "$folder/said"; exit 1; }
}
expect ping_p50_ms=5.6           # 50 of 90 within the first 10 ms: 10 * 50/90
expect ping_p99_ms=46.0          # 9 of 10 within 10 .. 50 ms: 10 + 40 * 0.9
expect jitter_p99_ms=-           # no client measured it
expect corrections_per_min=60.0 # 50 in 10 s, of 5 players
expect tick_p99_ms=4.0           # 1200 ticks of two workers, all within 4 ms: 4 * 0.99
expect ticks=1200
expect overruns=4
expect inputs_late=2              # from one worker; the other one does not export this family yet
expect players=5
expect client_kb_per_s=0.0

awk -f "$tools/scrapes.awk" -f "$tools/metrics.awk" "$folder/after" "$folder/after" >"$folder/said"
expect ping_p50_ms=- # nothing happened in between
expect overruns=0
expect corrections_per_min=- # the time between the scrapes is zero
