# A cluster's figures as name=value lines: awk -f scrapes.awk -f metrics.awk BEFORE AFTER

function ms(value) { return value == "-" ? value : sprintf("%.1f", value * 1000) }
function count(name) { return name in seen ? sprintf("%d", grown(name)) : "-" }
function level(name) { return name in seen ? sprintf("%d", sum[2, name]) : "-" }
function per_player(name, seconds, digits) {
  return name in seen && seconds > 0 && sum[2, "perigee_sim_players"] > 0 \
      ? sprintf("%." digits "f", grown(name) / seconds / sum[2, "perigee_sim_players"]) : "-"
}

END {
  seconds = scraped_at[2] - scraped_at[1]
  print "ping_p50_ms=" ms(quantile("perigee_client_rtt_seconds", 0.5))
  print "ping_p99_ms=" ms(quantile("perigee_client_rtt_seconds", 0.99))
  print "jitter_p99_ms=" ms(quantile("perigee_client_jitter_seconds", 0.99))
  print "corrections_per_min=" per_player("perigee_client_corrections_total", seconds / 60, 1)
  print "tick_p50_ms=" ms(quantile("perigee_sim_tick_seconds", 0.5))
  print "tick_p99_ms=" ms(quantile("perigee_sim_tick_seconds", 0.99))
  print "ticks=" count("perigee_sim_tick_seconds_count")
  print "overruns=" count("perigee_sim_overruns_total")
  late = count("perigee_sim_inputs_total{result=too_late}")
  moved = count("perigee_sim_inputs_total{result=too_late_moved}")
  print "inputs_late=" (moved == "-" ? late : late + moved)
  print "players=" level("perigee_sim_players")
  print "client_kb_per_s=" per_player("perigee_client_received_bytes_total", seconds * 1000, 1)
}
