# Latency from key press to display, stage by stage, beside the talk's budget,
# which was for a ping of 50 ms and 60 frames a second:
#   awk -f scrapes.awk -f waterfall.awk BEFORE AFTER
# Median and 99th percentile of each stage; the stages' quantiles do not add up, medians nearly do.
# The talk's own figures in milliseconds: each stage, and the total after it.

function ms(value, factor) { return value == "-" ? "-" : sprintf("%.1f", value * 1000 * factor) }
function stage(name, p50, p99, talk) {
  if (talk != "") passed += talk
  printf "%-46s %8s %8s   %8s %8s\n", name, p50, p99, talk, talk == "" ? "" : sprintf("%.1f", passed)
}
function from(name, family, factor, talk) {
  family = "perigee_" family "_seconds"
  stage(name, ms(quantile(family, 0.5), factor), ms(quantile(family, 0.99), factor), talk)
}
function add(value) { if (value == "-") whole = 0; else total += value * 1000 }
function median(family) { return quantile("perigee_" family "_seconds", 0.5) }

END {
  interval = "perigee_client_sample_interval_seconds"
  passed = 0
  printf "%-46s %8s %8s   %8s %8s\n", "stage (ms)", "p50", "p99", "talk", "passed"
  stage("key to sample (half an interval, a whole one)", ms(quantile(interval, 0.5), 0.5),
        ms(quantile(interval, 0.99), 1), 18)
  from("sample to send", "client_send_wait", 1)
  from("up, half a ping", "client_rtt", 0.5, 25)
  from("gateway and fabric to the worker", "sim_fabric_transit", 1)
  from("  thereof in the gateway", "gateway_receive_to_forward", 1)
  from("worker, until its tick (talk: playout buffer)", "sim_input_wait", 1, 66)
  from("tick, until the gateway has its block", "gateway_tick_to_gateway", 1, 16.6)
  from("gateway, until blocks share a packet", "gateway_block_hold", 1)
  from("down, half a ping", "client_rtt", 0.5, 25)
  whole = 1
  total = 0
  add(median("client_send_wait")); add(median("client_rtt")); add(median("sim_fabric_transit"))
  add(median("sim_input_wait")); add(median("gateway_tick_to_gateway"))
  add(median("gateway_block_hold"))
  printf "%-46s %8s\n", "= sample to client, sum of medians", whole ? sprintf("%.1f", total) : "-"
  from("  measured directly: the full loop", "client_full_loop", 1)
  from("applied until sent (not in the full loop)", "client_publish_wait", 1)
  from("client, until rendered with the others", "client_view_delay", 1, 16.6)
  stage("render (yours, not measured)", "", "", 16.6)
  stage("graphics card (yours, not measured)", "", "", 16.6)
  stage("monitor (yours, not measured; 10 to 100)", "", "", 30)
  print ""
  printf "%-46s %8s %8s   %8s\n", "predicted path (ms)", "p50", "p99", "talk"
  printf "%-46s %8s %8s   %8s\n", "key to sample", ms(quantile(interval, 0.5), 0.5),
         ms(quantile(interval, 0.99), 1), 18
  display = "perigee_client_input_to_display_seconds"
  printf "%-46s %8s %8s   %8s\n", "sample to the frame with its full effect", ms(quantile(display, 0.5), 1),
         ms(quantile(display, 0.99), 1), 33.2
  printf "%-46s %8s %8s   %8s\n", "graphics card and monitor (yours)", "", "", 46.6
  printf "%-46s %8s %8s   %8.1f\n", "= talk: just under 100 ms, whatever the ping", "", "", 18 + 33.2 + 46.6
}
