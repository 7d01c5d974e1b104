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
    return "; ".join(f"{limit.text} ×{three_digits(limit.share)}" for limit in needs.exceeded) or "nothing"


# Label, quantity, and how it is written.
ROWS = (
    ("ground (km²)", "place.area_km2", three_digits),
    ("workers that tell one player", "place.senders", three_digits),
    ("players told of by one worker", "place.clients_per_worker", three_digits),
    ("a player, up (packets/s)", "traffic.up_packets_per_s", three_digits),
    ("a player, down (packets/s)", "traffic.down_packets_per_s", three_digits),
    ("a player, up (bytes/s)", "traffic.up_bytes_per_s", three_digits),
    ("a player, down (bytes/s)", "traffic.down_bytes_per_s", three_digits),
    ("all players (packets/s)", "traffic.packets_per_s", three_digits),
    ("from players (Gbit/s)", "traffic.up_gbit_per_s", three_digits),
    ("to players (Gbit/s)", "traffic.down_gbit_per_s", three_digits),
    ("gateways ↔ workers (Gbit/s)", "traffic.fabric_gbit_per_s", three_digits),
    ("worker → worker (Gbit/s)", "traffic.links_gbit_per_s", three_digits),
    ("a worker's tick (ms of 16.7)", "worker.tick_ms", three_digits),
    ("… of it to and for its buddy (ms)", "worker.standby_ms", three_digits),
    ("… of it for workers however far away (ms)", "worker.mesh_ms", three_digits),
    ("a worker's core (share)", "worker.core_share", three_digits),
    ("a gateway, for each player (µs/s)", "services.gateway_us_per_s", three_digits),
    ("players of one gateway", "services.players_per_gateway", three_digits),
    ("gateways", "services.gateways", exact),
    ("directory (share of a core)", "services.directory_share", three_digits),
    ("the map (bytes)", "services.map_bytes", three_digits),
    ("the map, to all (bytes/s)", "services.map_bytes_per_s", three_digits),
    ("session service (share of a core)", "stores.session_share", three_digits),
    ("session store (commits/s)", "stores.session_commits_per_s", three_digits),
    ("all log in at once (min)", "stores.log_in_of_all_min", three_digits),
    ("world store (rows/s)", "stores.rows_per_s", three_digits),
    ("world store, cuts (MB/s)", "stores.checkpoint_mb_per_s", three_digits),
    ("world store, on its disk (GB)", "stores.disk_gb", three_digits),
    ("Prometheus (series)", "machines.prometheus_series", three_digits),
    ("memory (GB)", "machines.memory_gb", three_digits),
    ("cores", "machines.cores", exact),
    ("machines", "machines.machines", exact),
    ("a machine's network (Gbit/s)", "machines.gbit_per_s", three_digits),
    ("machines (money/h)", "machines.machines_money_per_hour", three_digits),
    ("bytes to players (money/h)", "machines.bytes_money_per_hour", three_digits),
    ("**money for a player and month**", "machines.money_per_player_month", three_digits),
)


def line(label, cells):
    return " | ".join([f"| {label}", *cells]) + " |"


def lines(games):
    """The table of a list of `quantities.Needs`."""
    yield line("workers / players", [f"{exact(needs.place.workers)} / {exact(needs.game.players)}" for needs in games])
    yield "|---|" + "---|" * len(games)
    for label, quantity, written in ROWS:
        yield line(label, [written(operator.attrgetter(quantity)(needs)) for needs in games])
    yield line("**what ends first**", [first_limit(needs) for needs in games])
    yield line("beyond what there is today", [exceeded(needs) for needs in games])
