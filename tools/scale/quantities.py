"""The question of the capacity model, and the results of its steps. A name ends with its unit; counts and shares have
none."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Game:
    """The question: a game's players, their behaviour, and prices."""
    players: float = 5000
    players_per_worker: float = 500
    players_per_km2: float = 20
    company: float = 40  # players and moving bodies within 300 m of a player, beside `players_per_km2`
    sight_m: float = 1000
    bodies_per_worker: float = 200
    resting_per_worker: float = 5000
    outcomes_per_player_min: float = 2
    session_min: float = 60
    map_changes_per_min: float = 6
    cores_per_machine: float = 16
    gbit_per_s_per_machine: float = 10
    busy_share: float = 0.6  # of a core, for gateways and services
    money_per_core_hour: float = 0.04
    money_per_gb: float = 0.05
    # As a running cluster counts them; without them they follow from the numbers above.
    measured_records_per_s: float | None = None
    measured_senders: float | None = None


@dataclasses.dataclass(frozen=True)
class Place:
    workers: int
    area_km2: float
    entities_per_worker: float
    senders: float  # workers that send to one player
    clients_per_worker: float  # players to which one worker sends, its own included
    known_entities: float  # entities that one client knows
    looks_per_s: float  # at entities, for one player
    records_per_s: float  # to one player, after these looks
    record_bytes_per_s: float


@dataclasses.dataclass(frozen=True)
class Traffic:
    up_packets_per_s: float  # of one player, like the next three
    up_bytes_per_s: float
    down_packets_per_s: float
    down_bytes_per_s: float
    packets_per_s: float  # of all players, both directions
    up_gbit_per_s: float  # of all players, with IP and UDP headers
    down_gbit_per_s: float
    fabric_gbit_per_s: float  # between gateways and workers
    link_bytes_per_s: float  # from one worker to all others
    links_gbit_per_s: float


@dataclasses.dataclass(frozen=True)
class Worker:
    tick_ms: float
    standby_ms: float  # part of the tick: replicating to the standby, and being one
    mesh_ms: float  # part of the tick: all other workers, near or not
    core_share: float


@dataclasses.dataclass(frozen=True)
class Services:
    players_per_gateway: int
    gateways: int
    gateway_us_per_s: float  # for each player
    map_bytes: float
    map_bytes_per_s: float  # to all members
    directory_share: float  # of a core


@dataclasses.dataclass(frozen=True)
class Stores:
    session_commits_per_s: float
    session_share: float  # of a core, for the session service
    log_in_of_all_min: float
    rows_per_s: float
    checkpoint_mb_per_s: float
    disk_gb: float


@dataclasses.dataclass(frozen=True)
class Machines:
    cores: int
    memory_gb: float
    machines: int
    gbit_per_s: float  # of one machine
    prometheus_series: float
    machines_money_per_hour: float
    bytes_money_per_hour: float
    money_per_player_month: float


@dataclasses.dataclass(frozen=True)
class Limit:
    name: str
    text: str
    share: float  # demand divided by capacity


@dataclasses.dataclass(frozen=True)
class Needs:
    """The answer for one game."""
    game: Game
    place: Place
    traffic: Traffic
    worker: Worker
    services: Services
    stores: Stores
    machines: Machines
    limits: list[Limit]

    @property
    def first_limit(self):
        return max(self.limits, key=lambda limit: limit.share)

    @property
    def exceeded(self):
        """Limits below the demand, the largest excess first."""
        return sorted((limit for limit in self.limits if limit.share > 1), key=lambda limit: -limit.share)
