# The table of docs/scale.md, as Markdown: a column for each size, a row for each quantity.

function grouped(x,    text, out) {
  text = sprintf("%.0f", x)
  while (length(text) > 3) { out = "," substr(text, length(text) - 2) out; text = substr(text, 1, length(text) - 3) }
  return text out
}
# Three significant digits: more would be false precision for a model.
function number(x) {
  if (x == 0) return "0"
  if (x >= 1000) { scale = 10 ^ (int(log(x) / log(10) + 1e-9) - 2); return grouped(int(x / scale + 0.5) * scale) }
  if (x >= 100) return sprintf("%.0f", x)
  if (x >= 10) return sprintf("%.1f", x)
  if (x >= 1) return sprintf("%.2f", x)
  return sprintf("%.2g", x)
}
function row(label, name, exact,    n, line) {
  line = "| " label " |"
  for (n = 1; n <= sizes; n++) line = line " " (exact ? grouped(v[name, n]) : number(v[name, n])) " |"
  print line
}
function words(label, name,    n, line) {
  line = "| " label " |"
  for (n = 1; n <= sizes; n++) line = line " " v[name, n] " |"
  print line
}

# Quantities above their limit, the largest excess first, each with its factor.
function beyond(n,    i, l, text, best, share, told) {
  split("", told)
  for (i = 1; i <= limits; i++) {
    best = 0
    for (l = 1; l <= limits; l++) {
      share = v["share_" limit_at[l], n]
      if (!(l in told) && share > 1 && (!best || share > v["share_" limit_at[best], n])) best = l
    }
    if (!best) break
    told[best]
    text = text (text == "" ? "" : "; ") limit_what[best] " ×" number(v["share_" limit_at[best], n])
  }
  return text == "" ? "nothing" : text
}

END {
  if (wrong) exit 2
  for (n = 1; n <= sizes; n++) {
    heading = heading " " grouped(v["workers", n]) " / " grouped(v["players", n]) " |"
    rule = rule "---|"
    v["first_text", n] = v["first", n] " (" sprintf("%.0f", 100 * v["worst", n]) " %)"
    v["beyond", n] = beyond(n)
  }
  print "| workers / players |" heading
  print "|---|" rule
  row("ground (km²)", "area_km2")
  row("workers that send to one player", "told_by")
  row("players that receive from one worker", "observers")
  row("a player, up (packets/s)", "up_packets")
  row("a player, down (packets/s)", "down_packets")
  row("a player, up (bytes/s)", "up_bytes")
  row("a player, down (bytes/s)", "down_bytes")
  row("all players (packets/s)", "packets_s")
  row("from players (Gbit/s)", "up_gbit")
  row("to players (Gbit/s)", "down_gbit")
  row("gateways ↔ workers (Gbit/s)", "fabric_gbit")
  row("worker → worker (Gbit/s)", "links_gbit")
  row("a worker's tick (ms of 16.7)", "tick_ms")
  row("… thereof for standbys (ms)", "buddy_ms")
  row("… thereof for all other workers (ms)", "mesh_ms")
  row("a worker's core (share)", "worker_busy")
  row("a gateway, per player (µs/s)", "gateway_us")
  row("players of one gateway", "per_gateway")
  row("gateways", "gateways", 1)
  row("directory (share of a core)", "directory_busy")
  row("the map (bytes)", "map_bytes")
  row("the map, to all (bytes/s)", "map_bytes_s")
  row("session service (share of a core)", "session_busy")
  row("session store (commits/s)", "session_commits")
  row("log-in of all players at once (min)", "everybody_min")
  row("world store (rows/s)", "rows_s")
  row("world store, checkpoints (MB/s)", "cut_mb_s")
  row("world store, on its disk (GB)", "store_gb")
  row("Prometheus (series)", "series")
  row("memory (GB)", "memory_gb")
  row("cores", "cores", 1)
  row("machines", "machines", 1)
  row("a machine's network (Gbit/s)", "machine_gbit")
  row("machines (money/h)", "money_machines")
  row("bytes to players (money/h)", "money_bytes")
  row("**money per player and month**", "money_player_month")
  words("**first limit**", "first_text")
  words("over today's limits", "beyond")
}
