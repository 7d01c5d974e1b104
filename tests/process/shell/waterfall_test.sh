#!/usr/bin/env bash
# The talk's latency budget adds up as in the talk (mission K20, K21, K22), next to medians of
# scrapes.
set -euo pipefail
tools=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

histogram() { # FAMILY BOUND COUNT: all samples are in the bucket that ends at BOUND
  printf 'perigee_%s_seconds_bucket{le="%s"} %s\n' "$1" "$2" "$3"
  printf 'perigee_%s_seconds_bucket{le="+Inf"} %s\n' "$1" "$3"
}
scrape() { # FILE SECOND COUNT
  {
    echo "# scraped_at $2"
    histogram client_sample_interval 0.02 "$3"
    histogram client_send_wait 0.002 "$3"
    histogram client_rtt 0.1 "$3"
    histogram sim_fabric_transit 0.004 "$3"
    histogram sim_input_wait 0.01 "$3"
    histogram gateway_tick_to_gateway 0.006 "$3"
    histogram gateway_block_hold 0.002 "$3"
    histogram client_full_loop 0.124 "$3"
    histogram client_input_to_display 0.04 "$3"
  } >"$folder/$1"
}
scrape before 1000 100
scrape after 1010 300
awk -f "$tools/scrapes.awk" -f "$tools/waterfall.awk" "$folder/before" "$folder/after" >"$folder/said"
fails() { echo "$1, found:"; cat "$folder/said"; exit 1; }
row() { # NAME COLUMNS: the row that begins with NAME ends with COLUMNS
  grep -E "^ *$1" "$folder/said" | tr -s ' ' | grep -qE -- "$2 ?\$" || fails "expected '$1 ... $2'"
}

# K20: press 18 at worst, + 25 up = 43, + 66 playout = 109, + 16.6 = 125.6, + 25 = 150
row 'key to sample .half' '18 18\.0'
row 'up, half a ping' '25 43\.0'
row 'worker, until its tick' '66 109\.0'
row 'tick, until the gateway' '16\.6 125\.6'
row 'down, half a ping' '25 150\.6'
# K21: + 16.6 = 167, + 16.6 = 184, + 16.6 = 201, + 30 = 231
row 'client, until rendered' '16\.6 167\.2'
row 'render' '16\.6 183\.8'
row 'graphics card .yours, not' '16\.6 200\.4'
row 'monitor' '30 230\.4'
# K22: the predicted path leaves just under 100 ms
row '= talk' '97\.8'

# Our values: half a sampling interval; half a ping each way; medians that add up to the loop.
row 'key to sample .half' '5\.0 19\.8 18 18\.0'
row 'up, half a ping' '25\.0 49\.5 25 43\.0'
row '= sample to client' '62\.0'
row '  measured directly' '62\.0 122\.8'
row 'applied until sent' '- -'

awk -f "$tools/scrapes.awk" -f "$tools/waterfall.awk" "$folder/after" "$folder/after" >"$folder/said"
row '= sample to client' '-'
