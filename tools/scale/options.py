"""The command line of ./perigee scale."""
import dataclasses
import re

from coefficients import Refused
from quantities import Game

USAGE = """\
usage: ./perigee scale [OPTIONS]

Prints the resources that a game of a given size needs: bytes, packets, processors, stores, machines and
money, and the limits that it reaches. A model with measured coefficients; docs/scale.md says how well it fits.

  --players N (5000)            players at the same time
  --per-worker N (500)          players on each worker
  --per-km2 N (20)              players on a square kilometre, on average
  --company N (40)              further players and moving bodies within 300 m of a player
  --sight-m N (1000)            distance up to which entities are sent to a player: 300, 1000 or 3000
  --bodies N (200)              moving rigid bodies of each worker
  --resting N (5000)            resting entities of each worker
  --records N, --senders N      measured in a running cluster, instead of calculated from the options above:
                                records sent to one player in a second, and the number of workers that send them
  --outcomes N (2)              irreversible effects per player and minute: kills, pick-ups
  --session-minutes N (60)      time from log-in to log-out
  --map-changes N (6)           changes of the cluster map per minute
  --cores-per-machine N (16)    --gbit-per-machine N (10)
  --busy N (0.6)                share of a core that gateways and services may use
  --core-hour N (0.04)          price of a core for an hour
  --egress-gb N (0.05)          price of 10^9 bytes to players
  --sizes                       five sizes side by side: the table of docs/scale.md
  --coefficients FILE           instead of tools/scale/coefficients.txt
  --list coefficients|limits    coefficients or limits of the model, with their sources
  --checks                      measurements of running clusters, compared with the model
  --svg                         the chart of docs/scale.md instead of the table

examples:
  ./perigee scale --players 20000 --per-worker 250 --bodies 600
  ./perigee scale --sizes --core-hour 0.02 --egress-gb 0.01
  ./perigee scale --players 50000 --per-km2 195      # in today's world of 256 km²
  ./perigee scale --list limits
exit codes: 0 success, 2 wrong usage or an incomplete file of coefficients
"""

# Numbers of the game: option, field of Game.
ABOVE_0 = {
    "--players": "players",
    "--per-worker": "players_per_worker",
    "--per-km2": "players_per_km2",
    "--sight-m": "sight_m",
    "--senders": "measured_senders",
    "--session-minutes": "session_min",
    "--cores-per-machine": "cores_per_machine",
    "--gbit-per-machine": "gbit_per_s_per_machine",
    "--busy": "busy_share",
}
FROM_0 = {
    "--company": "company",
    "--bodies": "bodies_per_worker",
    "--resting": "resting_per_worker",
    "--records": "measured_records_per_s",
    "--outcomes": "outcomes_per_player_min",
    "--map-changes": "map_changes_per_min",
    "--core-hour": "money_per_core_hour",
    "--egress-gb": "money_per_gb",
}
NUMBERS = ABOVE_0 | FROM_0
FORMER_NAMES = {"--told-by": "--senders"}  # until the release after 0.1.0


class WrongUsage(Refused):
    def __init__(self, sentence):
        super().__init__(f"{sentence}; see ./perigee --help")


@dataclasses.dataclass
class Request:
    game: Game = Game()
    coefficients: str = "tools/scale/coefficients.txt"
    prints: str = "table"  # or picture, checks, list, usage
    games: str = "one"  # or sizes, checks
    list_kind: str | None = None


def number(option, text):
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise WrongUsage(f"{option}: '{text}' is not a number")
    if option in ABOVE_0 and float(text) == 0:
        raise WrongUsage(f"{option} is more than 0")
    return float(text)


def parse(words, game=Game()):
    """The request in these words, which change `game`. Of options that contradict each other the last is valid."""
    request, numbers = Request(), {}
    words = list(words)
    while words:
        option = words.pop(0)
        option = FORMER_NAMES.get(option, option)
        if option in ("-h", "--help"):
            return Request(prints="usage")
        if option == "--sizes":
            request.games = "sizes"
        elif option == "--svg":
            request.prints = "picture"
        elif option == "--checks":
            request.prints = request.games = "checks"
        elif not words:
            raise WrongUsage(f"scale does not know '{option}', or it needs a value")
        elif option == "--coefficients":
            request.coefficients = words.pop(0)
        elif option == "--list":
            request.prints, request.list_kind = "list", words.pop(0)
        elif option in NUMBERS:
            numbers[NUMBERS[option]] = number(option, words.pop(0))
        else:
            raise WrongUsage(f"scale does not know '{option}'")
    if request.list_kind not in (None, "coefficients", "limits"):
        raise WrongUsage(f"--list takes coefficients or limits, not '{request.list_kind}'")
    request.game = dataclasses.replace(game, **numbers)
    return request
