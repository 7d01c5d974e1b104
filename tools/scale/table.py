"""The table of docs/scale.md, as Markdown: a column for each game, a row for each quantity."""
import math
import operator


def exact(x):
    return f"{x:,.0f}"


def three_digits(x):
    """Three significant digits: more would be false precision for a model."""
    if x == 0:
        return "0"
    if x >= 1000:
        scale = 10.0 ** (int(math.log(x) / math.log(10) + 1e-9) - 2)
        return exact(int(x / scale + 0.5) * scale)
    for least, form in ((100, ".0f"), (10, ".1f"), (1, ".2f")):
        if x >= least:
            return f"{x:{form}}"
    return "%.2g" % x


def first_limit(needs):
    return f"{needs.first_limit.text} ({100 * needs.first_limit.share:.0f} %)"


def exceeded(needs):
    return "; ".join(f"{limit.text} ×{three_digits(limit.share)}" for limit in needs.exceeded) or "none"


# Label, quantity, and how it is written.
ROWS = (
    ("area of the world (km²)", "place.area_km2", three_digits),
    ("workers that send to one player", "place.senders", three_digits),
    ("players to which one worker sends", "place.clients_per_worker", three_digits),
    ("looks at entities for one player (1/s)", "place.looks_per_s", three_digits),
    ("records to one player (1/s)", "place.records_per_s", three_digits),
    ("one player, up (packets/s)", "traffic.up_packets_per_s", three_digits),
    ("one player, down (packets/s)", "traffic.down_packets_per_s", three_digits),
    ("one player, up (bytes/s)", "traffic.up_bytes_per_s", three_digits),
    ("one player, down (bytes/s)", "traffic.down_bytes_per_s", three_digits),
    ("all players, up and down (packets/s)", "traffic.packets_per_s", three_digits),
    ("all players, up (Gbit/s)", "traffic.up_gbit_per_s", three_digits),
    ("all players, down (Gbit/s)", "traffic.down_gbit_per_s", three_digits),
    ("gateways ↔ workers (Gbit/s)", "traffic.fabric_gbit_per_s", three_digits),
    ("worker → worker (Gbit/s)", "traffic.links_gbit_per_s", three_digits),
    ("a worker's tick (ms, of 16.7)", "worker.tick_ms", three_digits),
    ("… of it for standby replication (ms)", "worker.standby_ms", three_digits),
    ("… of it for links to all other workers (ms)", "worker.mesh_ms", three_digits),
    ("a worker (share of a core)", "worker.core_share", three_digits),
    ("a gateway, for each player (µs/s)", "services.gateway_us_per_s", three_digits),
    ("players on one gateway", "services.players_per_gateway", three_digits),
    ("gateways", "services.gateways", exact),
    ("directory (share of a core)", "services.directory_share", three_digits),
    ("cluster map (bytes)", "services.map_bytes", three_digits),
    ("cluster map, to all members (bytes/s)", "services.map_bytes_per_s", three_digits),
    ("session service (share of a core)", "stores.session_share", three_digits),
    ("session store (commits/s)", "stores.session_commits_per_s", three_digits),
    ("log-in of all players at once (min)", "stores.log_in_of_all_min", three_digits),
    ("world store, outcomes (rows/s)", "stores.rows_per_s", three_digits),
    ("world store, checkpoints (MB/s)", "stores.checkpoint_mb_per_s", three_digits),
    ("world store, disk (GB)", "stores.disk_gb", three_digits),
    ("Prometheus (series)", "machines.prometheus_series", three_digits),
    ("memory (GB)", "machines.memory_gb", three_digits),
    ("cores", "machines.cores", exact),
    ("machines", "machines.machines", exact),
    ("a machine's network (Gbit/s)", "machines.gbit_per_s", three_digits),
    ("machines (money/h)", "machines.machines_money_per_hour", three_digits),
    ("bytes to players (money/h)", "machines.bytes_money_per_hour", three_digits),
    ("**money per player and month**", "machines.money_per_player_month", three_digits),
)


def line(label, cells):
    return " | ".join([f"| {label}", *cells]) + " |"


def lines(games):
    """The table of a list of `quantities.Needs`."""
    yield line("workers / players", [f"{exact(needs.place.workers)} / {exact(needs.game.players)}" for needs in games])
    yield "|---|" + "---|" * len(games)
    for label, quantity, written in ROWS:
        yield line(label, [written(operator.attrgetter(quantity)(needs)) for needs in games])
    yield line("**first limit**", [first_limit(needs) for needs in games])
    yield line("exceeded limits", [exceeded(needs) for needs in games])
