# The paper model of docs/scale.md: computes the load of machines from the behaviour of players.
#   awk -f model.awk -f MODE.awk coefficients.txt sizes.txt
# The first file has rows `name | value | unit | what | measured by`, and for limits `limit_name |
# value | unit | what | where`. The second has one size per line, NAME=VALUE separated by spaces.
# k[] holds coefficients and limits; v[name, n] all results for size n.

function trimmed(text) { sub(/^[ \t]+/, "", text); sub(/[ \t]+$/, "", text); return text }
function least(a, b) { return a < b ? a : b }
function most(a, b) { return a > b ? a : b }
function up(x,    whole) { whole = int(x); return x - whole > 1e-9 ? whole + 1 : whole }
function refuse(what) { print "perigee: " what > "/dev/stderr"; wrong = 1; exit 2 }
function need(name) {
  if (!(name in k)) refuse("the coefficients lack " name "; tools/scale/coefficients.txt has all of them")
  return k[name]
}

# Average number of workers with regions within reach of a player: equal rectangles, as nearly
# square as possible, in a square world, sampled at evenly spread positions (Roberts' R2 sequence).
function workers_around(workers, world, reach,    columns, lines, wide, deep, places, i, x, y, c, l, dx, dy, found) {
  columns = int(sqrt(workers) + 0.5)
  lines = workers / columns
  wide = world / columns
  deep = world / lines
  places = 4000
  for (i = 1; i <= places; i++) {
    x = (i * 0.7548776662466927 % 1) * world
    y = (i * 0.5698402909980532 % 1) * world
    for (c = most(0, int((x - reach) / wide)); c < columns && c * wide < x + reach; c++) {
      dx = most(0, most(c * wide - x, x - (c + 1) * wide))
      for (l = most(0, int((y - reach) / deep)); l < lines && l * deep < y + reach; l++) {
        dy = most(0, most(l * deep - y, y - (l + 1) * deep))
        if (dx * dx + dy * dy <= reach * reach) found += least(1, lines - l)
      }
    }
  }
  return most(1, found / places)
}

# Records a second sent to one player: moving things within 300 m every fourth tick, limited by the
# capacity of the near lane; to 800 m every twentieth, beyond that every sixtieth.
function records(n, per_km2, sight,    pi, near, middle, far, others) {
  pi = 3.14159265
  others = 1 + v["bodies", n] / v["per_worker", n]
  near = v["company", n] + per_km2 * pi * least(sight, 0.3) ^ 2 * others
  middle = sight > 0.3 ? per_km2 * pi * (least(sight, 0.8) ^ 2 - 0.09) * others : 0
  far = sight > 0.8 ? per_km2 * pi * (sight ^ 2 - 0.64) * others : 0
  v["known", n] = near + middle + far
  return 15 * least(near, need("limit_near")) + 3 * middle + far + 3 * most(0, near - k["limit_near"])
}

function reckon_place(n) {
  v["things", n] = v["per_worker", n] + v["bodies", n] + v["resting", n]
  v["workers", n] = up(v["players", n] / v["per_worker", n])
  v["area_km2", n] = v["players", n] / v["per_km2", n]
  if (("told_by_given", n) in v) v["told_by", n] = v["told_by_given", n]
  else v["told_by", n] = workers_around(v["workers", n], sqrt(v["area_km2", n]), need("interest_km"))
  v["observers", n] = v["per_worker", n] * v["told_by", n]
  v["records_s", n] = records(n, v["per_km2", n], v["sight_m", n] / 1000)
  if (("records_given", n) in v) v["records_s", n] = v["records_given", n]
  v["record_bytes_s", n] = v["records_s", n] * need("record_bytes")
  v["stretched", n] = v["record_bytes_s", n] / need("limit_client_bytes")
  v["record_bytes_s", n] = least(v["record_bytes_s", n], k["limit_client_bytes"])
  v["records_s", n] = v["record_bytes_s", n] / k["record_bytes"]
}

# Traffic of one player at the gateway, and of all players. Half of the 30 packets a second also
# carry updates of other things.
function reckon_traffic(n,    others, header, full, edge) {
  others = v["told_by", n] - 1
  header = need("header_bytes")
  v["up_packets", n] = need("up_packets")
  v["up_bytes", n] = need("up_bytes")
  v["down_bytes", n] = need("own_bytes") + v["record_bytes_s", n]
  full = (v["record_bytes_s", n] + k["own_bytes"] / 2) / 15 / need("packet_bytes")
  v["down_packets", n] = 15 + 15 * most(1, full + need("packet_spare")) + others * need("down_packets_worker")
  v["packets_s", n] = v["players", n] * (v["up_packets", n] + v["down_packets", n])
  v["up_gbit", n] = v["players", n] * (v["up_bytes", n] + v["up_packets", n] * header) * 8e-9
  v["down_gbit", n] = v["players", n] * (v["down_bytes", n] + v["down_packets", n] * header) * 8e-9
  # Inputs go to the owner and to its standby; blocks come from every worker around; those workers
  # receive the player's position.
  v["fabric_gbit", n] = v["players", n] * 8e-9 * (need("fabric_up_share") * (v["workers", n] > 1 ? 2 : 1) * v["up_bytes", n] + \
      v["down_bytes", n] + others * need("observer_bytes"))
  # All of a worker's entities are replicated to its standby, and those within 128 m of a border to
  # the worker beyond it.
  edge = sqrt(v["area_km2", n] / v["workers", n])
  v["link_bytes", n] = v["per_worker", n] * (need("replica_bytes") + need("trace_bytes")) + v["bodies", n] * need("motion_bytes") + \
      least(1, 4 * need("band_km") / edge) * (v["per_worker", n] * k["trace_bytes"] + v["bodies", n] * k["motion_bytes"]) + \
      (v["workers", n] - 1) * need("mesh_words_s") * need("mesh_word_bytes")
  if (v["workers", n] == 1) v["link_bytes", n] = 0
  v["links_gbit", n] = v["workers", n] * v["link_bytes", n] * 8e-9
}

function reckon_worker(n,    p, has_buddy) {
  p = v["per_worker", n]
  has_buddy = v["workers", n] > 1
  # Each worker processes each other worker in each tick, and sends it a message now and then.
  v["mesh_ms", n] = (v["workers", n] - 1) * (need("mesh_peer_us") + need("mesh_words_s") / 60 * need("mesh_word_us")) / 1e3
  v["buddy_ms", n] = has_buddy * (p * need("buddy_player_us") + v["bodies", n] * need("buddy_body_us")) / 1000
  v["tick_ms", n] = (need("tick_base_us") + p * need("tick_player_us") + \
      p * v["records_s", n] / 60 * need("tick_record_us") + v["bodies", n] * need("tick_body_us") + \
      p * (v["told_by", n] - 1) * need("tick_observer_us")) / 1000 + v["buddy_ms", n] + v["mesh_ms", n]
  v["worker_busy", n] = v["tick_ms", n] * 60 / 1000 + (need("process_base_us") + p * need("process_player_us")) / 1e6
}

# At low rates each input costs a wake-up; from 30,000 a second on, the gateway gathers inputs.
function gateway_us(n, clients) {
  return need("gateway_base_us") / clients + \
      v["up_packets", n] * (clients * v["up_packets", n] < 30000 ? need("gateway_woken_us") : need("gateway_input_us")) + \
      v["down_packets", n] * need("gateway_packet_us") + \
      (v["workers", n] > 1 ? 2 * v["up_packets", n] * need("gateway_forward_us") : 0)
}
function reckon_services(n,    changes_s) {
  v["per_gateway", n] = least(need("limit_gateway_clients"), int(v["busy", n] * 1e6 / gateway_us(n, 1000)))
  v["gateways", n] = up(v["players", n] / v["per_gateway", n])
  v["gateway_us", n] = gateway_us(n, v["players", n] / v["gateways", n])
  v["members", n] = v["workers", n] + v["gateways", n] + 1
  v["map_bytes", n] = v["workers", n] * (need("map_worker_bytes") + need("map_region_bytes")) + v["gateways", n] * need("map_gateway_bytes")
  changes_s = v["map_changes_min", n] / 60
  v["map_bytes_s", n] = changes_s * v["members", n] * v["map_bytes", n]
  v["directory_busy", n] = (v["members", n] * need("directory_member_us") + v["workers", n] ^ 2 * need("directory_pair_us") + \
      changes_s * v["members", n] * (need("directory_push_us") + v["map_bytes", n] * need("directory_push_byte_us"))) / 1e6
}

function reckon_stores(n,    log_ins, resumes) {
  log_ins = v["players", n] / (v["session_min", n] * 60)
  resumes = v["players", n] / need("resume_period_s")
  v["log_ins_s", n] = log_ins
  v["session_commits", n] = 3 * log_ins + resumes
  v["session_busy", n] = (log_ins * (need("log_in_us") + need("claim_us") + need("release_us")) + resumes * need("resume_us")) / 1e6
  v["rows_s", n] = v["players", n] * v["outcomes_min", n] / 60
  v["cut_mb_s", n] = v["workers", n] * v["things", n] * need("cut_thing_bytes") / 15 / 1e6
  v["store_gb", n] = 4 * 15 * v["cut_mb_s", n] / 1000  # three to four checkpoints
  v["everybody_min", n] = v["players", n] * 2 / need("session_commits_s") / 60
}

function reckon_machines(n,    hours, gb) {
  # A worker and a gateway have one thread each, and run late if they share its core.
  v["cores", n] = v["workers", n] + v["gateways", n] + up(most(1, v["directory_busy", n] + v["session_busy", n]) / v["busy", n])
  v["memory_gb", n] = (v["workers", n] * (need("worker_mb") + v["things", n] * (v["workers", n] > 1 ? 2 : 1) * need("thing_kb") / 1000) + \
      v["gateways", n] * need("gateway_mb") + v["players", n] * need("gateway_client_kb") / 1000) / 1000
  v["machines", n] = most(up(v["cores", n] / v["cores_per_machine", n]), v["workers", n] > 1 ? 2 : 1)
  v["machine_gbit", n] = (v["up_gbit", n] + v["down_gbit", n] + 2 * v["fabric_gbit", n] + 2 * v["links_gbit", n]) / v["machines", n]
  v["series", n] = v["workers", n] * need("worker_series") + v["gateways", n] * need("gateway_series") + need("directory_series") + need("session_series")
  v["money_machines", n] = v["machines", n] * v["cores_per_machine", n] * v["core_hour", n]
  v["money_bytes", n] = v["down_gbit", n] / 8 * 3600 * v["egress_gb", n]
  v["money", n] = v["money_machines", n] + v["money_bytes", n]
  v["money_player_month", n] = v["money", n] * 730 / v["players", n]
}

# All limits: the demand divided by the capacity.
function limit(n, name, share, what) {
  if (!(name in limits_known)) { limits_known[name] = ++limits; limit_at[limits] = name; limit_what[limits] = what }
  v["share_" name, n] = share
  if (share > v["worst", n]) { v["worst", n] = share; v["first", n] = what }
}
function reckon_limits(n) {
  v["worst", n] = 0
  limit(n, "tick", v["tick_ms", n] / need("limit_tick_ms"), "a worker's tick")
  limit(n, "core", v["worker_busy", n], "a worker's core")
  limit(n, "told_by", v["told_by", n] / need("limit_blocks"), "blocks for one client")
  limit(n, "observers", (v["observers", n] - v["per_worker", n]) / need("limit_observers"), "others' players at a worker")
  limit(n, "entities", (v["workers", n] > 1 ? 2 : 1) * v["things", n] / need("limit_entities"), "entities of a worker, with standby")
  limit(n, "known", v["known", n] / need("limit_known"), "entities that a client knows")
  limit(n, "area", v["area_km2", n] / need("limit_area_km2"), "the world's ground")
  limit(n, "workers", v["workers", n] / need("limit_workers"), "worker slots")
  limit(n, "regions", v["workers", n] / need("limit_regions"), "regions")
  limit(n, "gateways", v["gateways", n] / need("limit_gateways"), "gateway slots")
  limit(n, "directory", v["directory_busy", n], "the directory's core")
  limit(n, "session", v["session_commits", n] / need("session_commits_s"), "the session store's disk")
  limit(n, "rows", v["rows_s", n] / need("store_rows_s"), "the world store's rows")
  limit(n, "cut", v["cut_mb_s", n] / need("store_cut_mb_s"), "the world store's checkpoints")
  limit(n, "wire", v["machine_gbit", n] / v["gbit_per_machine", n], "a machine's network")
}

FNR == NR {
  if ($0 ~ /^[ \t]*(#|$)/) next
  count = split($0, field, "|")
  name = trimmed(field[1])
  if (count != 5 || trimmed(field[2]) !~ /^[0-9.]+(e-?[0-9]+)?$/)
    refuse(FILENAME ":" FNR ": not 'name | value | unit | what | where': " $0)
  if (name in k) refuse(FILENAME ":" FNR ": " name " has two rows")
  k[name] = trimmed(field[2]) + 0
  named[++names] = name
  written[name] = trimmed(field[2])
  unit[name] = trimmed(field[3])
  what[name] = trimmed(field[4])
  where[name] = trimmed(field[5])
  next
}
{
  sizes++
  for (i = 1; i <= NF; i++) { split($i, pair, "="); v[pair[1], sizes] = pair[2] + 0 }
  reckon_place(sizes)
  reckon_traffic(sizes)
  reckon_worker(sizes)
  reckon_services(sizes)
  reckon_stores(sizes)
  reckon_machines(sizes)
  reckon_limits(sizes)
}
