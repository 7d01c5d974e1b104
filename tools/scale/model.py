"""The capacity model of docs/scale.md: the resources that a game needs, computed from the behaviour of its players.

`reckon` runs the steps place, traffic, worker, services, stores, machines and limits. Each takes the game, the
coefficients (`k`) and the results of earlier steps.
"""
import math

from coefficients import Refused
from quantities import Limit, Machines, Needs, Place, Services, Stores, Traffic, Worker

PI = 3.14159265
TICKS_PER_S = 60
OWN_BLOCKS_PER_S = 30  # of the worker that owns the avatar; every second one has records
BLOCKS_PER_S = 15  # of every other worker, for one client
# At an entity in the near lane, in the third ring, in the fourth: once in 4, 20, 60 ticks.
LOOKS_PER_S = (15, 3, 1)
# At an entity near enough for the near lane that has no room there: in 7 of 15 slots.
LOOKS_BESIDE_LANE_PER_S = 7
LOOKS_AT_RESTING_PER_S = 1
CHECKPOINT_PERIOD_S = 15
GBIT_PER_BYTE = 8e-9
HOURS_PER_MONTH = 730
# Below this rate each input wakes the gateway. Above it, those share a wake-up that arrive in a wait.
SHARED_WAKE_UPS_FROM_PER_S = 4000
SHORTEST_WAIT_S, LONGEST_WAIT_S, INPUTS_PER_WAIT = 100e-6, 500e-6, 3


def rounded_up(x):
    """`x` rounded up; a fraction below 1e-9 is a floating-point error and is dropped."""
    whole = int(x)
    return whole + 1 if x - whole > 1e-9 else whole


def gap_km(position_km, cell, cell_km):
    """Distance on one axis from a position to the cell with that index; 0 inside of it."""
    return max(0, cell * cell_km - position_km, position_km - (cell + 1) * cell_km)


def workers_in_reach(workers, world_km, reach_km):
    """Mean number of workers with a region within `reach_km` of a player.

    Regions are equal rectangles, as nearly square as possible, in a square world. The last line of them may be a part
    of one: it counts as that part. Positions are evenly spread by Roberts' R2 sequence.
    """
    columns = int(math.sqrt(workers) + 0.5)
    lines = workers / columns
    width_km = world_km / columns
    depth_km = world_km / lines
    positions = 4000
    found = 0
    for i in range(1, positions + 1):
        x_km = (i * 0.7548776662466927 % 1) * world_km
        y_km = (i * 0.5698402909980532 % 1) * world_km
        column = max(0, int((x_km - reach_km) / width_km))
        while column < columns and column * width_km < x_km + reach_km:
            dx_km = gap_km(x_km, column, width_km)
            line = max(0, int((y_km - reach_km) / depth_km))
            while line < lines and line * depth_km < y_km + reach_km:
                dy_km = gap_km(y_km, line, depth_km)
                if dx_km * dx_km + dy_km * dy_km <= reach_km * reach_km:
                    found += min(1, lines - line)
                line += 1
            column += 1
    return max(1, found / positions)


def entities_by_ring(game, k):
    """Moving entities around one player: in the near lane, in the third ring, and to the end of its sight."""
    sight_km = game.sight_m / 1000
    near_km, middle_km = k["limit_near_m"] / 1000, k["limit_middle_m"] / 1000
    per_player = 1 + game.bodies_per_worker / game.players_per_worker
    near = game.company + game.players_per_km2 * PI * min(sight_km, near_km) ** 2 * per_player
    middle = far = 0
    if sight_km > near_km:
        middle = game.players_per_km2 * PI * (min(sight_km, middle_km) ** 2 - near_km ** 2) * per_player
    if sight_km > middle_km:
        far = game.players_per_km2 * PI * (sight_km ** 2 - middle_km ** 2) * per_player
    return near, middle, far


def looks_per_s(game, k):
    """At all moving entities around one player, a second: a look finds out whether the player needs a record."""
    near, middle, far = entities_by_ring(game, k)
    in_lane = min(near, k["limit_near"])
    near_per_s, middle_per_s, far_per_s = LOOKS_PER_S
    return (near_per_s * in_lane + LOOKS_BESIDE_LANE_PER_S * (near - in_lane) + middle_per_s * middle +
            far_per_s * far)


def resting_per_km2(game):
    return game.resting_per_worker * game.players_per_km2 / game.players_per_worker


def looks_at_resting_per_s(game, k):
    """Most resting entities are small, and seen from within the near lane's distance only."""
    return LOOKS_AT_RESTING_PER_S * resting_per_km2(game) * PI * (k["limit_near_m"] / 1000) ** 2


def records_of(game, k, looks):
    """Records to one player after so many looks at moving entities, and their bytes. Players and bodies around it are
    as many as on a worker, in proportion."""
    moving = game.players_per_worker + game.bodies_per_worker
    of_players = looks * game.players_per_worker / moving * k["sent_share_player"]
    of_bodies = looks * game.bodies_per_worker / moving * k["sent_share_body"]
    records = calculated = of_players + of_bodies
    if game.measured_records_per_s is not None:
        records = game.measured_records_per_s
    # The budget counts each record as a whole one, not as a difference.
    records = min(records, k["limit_client_bytes"] / k.divisor("record_whole_bytes"))
    bytes_of_calculated = of_players * k["record_player_bytes"] + of_bodies * k["record_body_bytes"]
    mean_bytes = bytes_of_calculated / calculated if calculated > 0 else k["record_player_bytes"]
    return records, records * mean_bytes


def reckon_place(game, k):
    workers = rounded_up(game.players / game.players_per_worker)
    area_km2 = game.players / game.players_per_km2
    senders = game.measured_senders
    if senders is None:
        senders = workers_in_reach(workers, math.sqrt(area_km2), k["interest_km"])
    looks = looks_per_s(game, k)
    records, record_bytes = records_of(game, k, looks)
    return Place(
        workers=workers,
        area_km2=area_km2,
        entities_per_worker=game.players_per_worker + game.bodies_per_worker + game.resting_per_worker,
        senders=senders,
        clients_per_worker=game.players_per_worker * senders,
        known_entities=sum(entities_by_ring(game, k)),
        looks_per_s=looks + looks_at_resting_per_s(game, k),
        records_per_s=records,
        record_bytes_per_s=record_bytes)


def link_bytes_per_s(game, k, place):
    """From one worker to all others: all of its entities to its standby, those within 128 m of a border to the worker
    beyond it, and messages to each worker."""
    edge_km = math.sqrt(place.area_km2 / place.workers)
    p, bodies = game.players_per_worker, game.bodies_per_worker
    total = (p * (k["replica_bytes"] + k["ghost_player_bytes"]) + bodies * k["ghost_body_bytes"] +
             min(1, 4 * k["band_km"] / edge_km) * (p * k["ghost_player_bytes"] + bodies * k["ghost_body_bytes"]) +
             (place.workers - 1) * k["mesh_messages_s"] * k["mesh_message_bytes"])
    return total if place.workers > 1 else 0


def down_of(game, k, place):
    """Packets and bytes to one player, a second."""
    further = place.senders - 1
    news_bytes = (place.record_bytes_per_s + k["event_bytes"] +
                  resting_per_km2(game) * k["event_resting_bytes"])
    # Every second block of the owner has records and events, too; the gateway merges most blocks of further workers.
    filled = news_bytes / BLOCKS_PER_S / k.divisor("packet_bytes") + k["packet_spare"]
    more_packets = BLOCKS_PER_S * max(0, filled - 1) + further * k["down_packets_worker"]
    return (OWN_BLOCKS_PER_S + more_packets,
            k["own_bytes"] + news_bytes + further * BLOCKS_PER_S * k["block_bytes"] + more_packets * k["seal_bytes"])


def reckon_traffic(game, k, place):
    header_bytes = k["header_bytes"]
    up_packets, up_bytes = k["up_packets"], k["up_bytes"]
    down_packets, down_bytes = down_of(game, k, place)
    further = place.senders - 1
    # Inputs go to the owner and to its standby; blocks come from each sender; the further ones receive the position.
    copies = 2 if place.workers > 1 else 1
    fabric = game.players * GBIT_PER_BYTE * (k["fabric_up_share"] * copies * up_bytes + down_bytes +
                                             further * k["observer_bytes"])
    link_bytes = link_bytes_per_s(game, k, place)
    return Traffic(
        up_packets_per_s=up_packets,
        up_bytes_per_s=up_bytes,
        down_packets_per_s=down_packets,
        down_bytes_per_s=down_bytes,
        packets_per_s=game.players * (up_packets + down_packets),
        up_gbit_per_s=game.players * (up_bytes + up_packets * header_bytes) * GBIT_PER_BYTE,
        down_gbit_per_s=game.players * (down_bytes + down_packets * header_bytes) * GBIT_PER_BYTE,
        fabric_gbit_per_s=fabric,
        link_bytes_per_s=link_bytes,
        links_gbit_per_s=place.workers * link_bytes * GBIT_PER_BYTE)


def reckon_worker(game, k, place):
    p, bodies = game.players_per_worker, game.bodies_per_worker
    # Each worker loops over all other workers in each tick, and sends each of them a message now and then.
    mesh_ms = (place.workers - 1) * (k["mesh_peer_us"] + k["mesh_messages_s"] / TICKS_PER_S * k["mesh_message_us"]) / 1e3
    standby_ms = (p * k["standby_player_us"] + bodies * k["standby_body_us"]) / 1000
    if place.workers == 1:
        standby_ms = 0
    tick_ms = (k["tick_base_us"] + p * k["tick_player_us"] +
               p * place.looks_per_s / TICKS_PER_S * k["tick_look_us"] +
               p * place.records_per_s / TICKS_PER_S * k["tick_record_us"] + bodies * k["tick_body_us"] +
               p * (place.senders - 1) * k["tick_observer_us"]) / 1000 + standby_ms + mesh_ms
    outside_us_per_s = k["process_base_us"] + p * k["process_player_us"]
    return Worker(
        tick_ms=tick_ms,
        standby_ms=standby_ms,
        mesh_ms=mesh_ms,
        core_share=tick_ms * TICKS_PER_S / 1000 + outside_us_per_s / 1e6)


def input_us(k, inputs_per_s):
    """Time of one input at a gateway that receives so many a second."""
    if inputs_per_s < SHARED_WAKE_UPS_FROM_PER_S:
        return k["gateway_input_us"] + k["gateway_wake_up_us"]
    shared_by = max(min(INPUTS_PER_WAIT, inputs_per_s * LONGEST_WAIT_S), inputs_per_s * SHORTEST_WAIT_S)
    return k["gateway_input_us"] + k["gateway_wake_up_us"] / shared_by


def gateway_us_per_s(k, place, traffic, clients):
    """Of a gateway with that many clients, for each of them."""
    up_packets = traffic.up_packets_per_s
    return (k["gateway_base_us"] / clients +
            up_packets * input_us(k, clients * up_packets) +
            traffic.down_packets_per_s * k.divisor("gateway_packet_us") +
            (2 * up_packets * k["gateway_forward_us"] if place.workers > 1 else 0))


def reckon_services(game, k, place, traffic):
    clients_max = k["limit_gateway_clients"]
    affordable = int(game.busy_share * 1e6 / gateway_us_per_s(k, place, traffic, 1000))
    per_gateway = int(min(clients_max, affordable))
    if per_gateway == 0:
        raise Refused(f"a gateway serves no player at all with --busy {game.busy_share:g} and these coefficients")
    gateways = rounded_up(game.players / per_gateway)
    members = place.workers + gateways + 1
    map_bytes = place.workers * (k["map_worker_bytes"] + k["map_region_bytes"]) + gateways * k["map_gateway_bytes"]
    changes_per_s = game.map_changes_per_min / 60
    directory_us_per_s = (
        members * k["directory_member_us"] + place.workers ** 2 * k["directory_pair_us"] +
        changes_per_s * members * (k["directory_push_us"] + k["map_change_bytes"] * k["directory_push_byte_us"]))
    return Services(
        players_per_gateway=per_gateway,
        gateways=gateways,
        gateway_us_per_s=gateway_us_per_s(k, place, traffic, game.players / gateways),
        map_bytes=map_bytes,
        map_bytes_per_s=changes_per_s * members * k["map_change_bytes"],
        directory_share=directory_us_per_s / 1e6)


def reckon_stores(game, k, place):
    log_ins_per_s = game.players / (game.session_min * 60)
    resumes_per_s = game.players / k.divisor("resume_period_s")
    session_us_per_s = (log_ins_per_s * (k["log_in_us"] + k["claim_us"] + k["release_us"]) +
                        resumes_per_s * k["resume_us"])
    entities = place.workers * place.entities_per_worker
    checkpoint_mb_per_s = entities * k["checkpoint_entity_bytes"] / CHECKPOINT_PERIOD_S / 1e6
    return Stores(
        session_commits_per_s=3 * log_ins_per_s + resumes_per_s,
        session_share=session_us_per_s / 1e6,
        log_in_of_all_min=game.players * 2 / k.divisor("session_commits_s") / 60,
        rows_per_s=game.players * game.outcomes_per_player_min / 60,
        checkpoint_mb_per_s=checkpoint_mb_per_s,
        disk_gb=4 * CHECKPOINT_PERIOD_S * checkpoint_mb_per_s / 1000)  # three to four checkpoints


def reckon_machines(game, k, place, traffic, services, stores):
    # A worker and a gateway have one thread each, and run late if they share its core.
    shared = rounded_up(max(1, services.directory_share + stores.session_share) / game.busy_share)
    cores = place.workers + services.gateways + shared
    copies = 2 if place.workers > 1 else 1
    worker_mb = k["worker_mb"] + place.entities_per_worker * copies * k["entity_kb"] / 1000
    gateways_mb = services.gateways * k["gateway_mb"]
    machines = max(rounded_up(cores / game.cores_per_machine), copies)
    # Traffic from one machine to another counts at both.
    gbit_per_s = (traffic.up_gbit_per_s + traffic.down_gbit_per_s + 2 * traffic.fabric_gbit_per_s +
                  2 * traffic.links_gbit_per_s)
    machines_money = machines * game.cores_per_machine * game.money_per_core_hour
    bytes_money = traffic.down_gbit_per_s / 8 * 3600 * game.money_per_gb
    return Machines(
        cores=cores,
        memory_gb=(place.workers * worker_mb + gateways_mb + game.players * k["gateway_client_kb"] / 1000) / 1000,
        machines=machines,
        gbit_per_s=gbit_per_s / machines,
        prometheus_series=(place.workers * k["worker_series"] + services.gateways * k["gateway_series"] +
                           k["directory_series"] + k["session_series"]),
        machines_money_per_hour=machines_money,
        bytes_money_per_hour=bytes_money,
        money_per_player_month=(machines_money + bytes_money) * HOURS_PER_MONTH / game.players)


def reckon_limits(game, k, place, traffic, worker, services, stores, machines):
    copies = 2 if place.workers > 1 else 1
    others_players = place.clients_per_worker - game.players_per_worker
    return [
        Limit("tick", "a worker's tick", worker.tick_ms / k.divisor("limit_tick_ms")),
        Limit("core", "a worker's core", worker.core_share),
        Limit("blocks", "blocks queued for one client", place.senders / k.divisor("limit_blocks")),
        Limit("observers", "remote players of a worker", others_players / k.divisor("limit_observers")),
        Limit("entities", "entities and replicas of a worker",
              copies * place.entities_per_worker / k.divisor("limit_entities")),
        Limit("known", "entities known to a client", place.known_entities / k.divisor("limit_known")),
        Limit("area", "area of the world", place.area_km2 / k.divisor("limit_area_km2")),
        Limit("workers", "worker slots", place.workers / k.divisor("limit_workers")),
        Limit("regions", "regions", place.workers / k.divisor("limit_regions")),
        Limit("gateways", "gateway slots", services.gateways / k.divisor("limit_gateways")),
        Limit("directory", "the directory's core", services.directory_share),
        Limit("session", "the session store's disk",
              stores.session_commits_per_s / k.divisor("session_commits_s")),
        Limit("rows", "the world store's rows", stores.rows_per_s / k.divisor("store_rows_s")),
        Limit("checkpoint", "the world store's checkpoints",
              stores.checkpoint_mb_per_s / k.divisor("store_checkpoint_mb_s")),
        Limit("network", "a machine's network", machines.gbit_per_s / game.gbit_per_s_per_machine),
    ]


def reckon(game, k):
    place = reckon_place(game, k)
    traffic = reckon_traffic(game, k, place)
    worker = reckon_worker(game, k, place)
    services = reckon_services(game, k, place, traffic)
    stores = reckon_stores(game, k, place)
    machines = reckon_machines(game, k, place, traffic, services, stores)
    limits = reckon_limits(game, k, place, traffic, worker, services, stores, machines)
    return Needs(game, place, traffic, worker, services, stores, machines, limits)
