#!/usr/bin/env python3
"""The distances and periods of interest are those of InterestRings in base/include/perigee/base/interest.hpp, wherever
a text or a tool repeats them. Code derives them from there.
    check_rings.py ROOT    exit code 1 and one line for each place that differs
"""
import pathlib
import re
import sys

HEADER = "base/include/perigee/base/interest.hpp"
TICKS_PER_S = 60
# File, and the text that it has: m is the radius of each ring in metres, t its period in ticks, s its updates per second.
PLACES = [
    ("docs/tuning.md", "| `replication.rings_m` | {m[0]}, {m[1]}, {m[2]}, {m[3]} m | 1 … {m[3]}, rising |"),
    ("docs/tuning.md", "updates are sent every {t[0]}, {t[1]}, {t[2]} and {t[3]} ticks"),
    ("docs/tuning.md", "Entities within {m[1]} m are in the near lane and are sent every {t[0]} ticks"),
    ("docs/tuning.md", "| `near_m` | {m[1]} m |"),
    ("docs/mission.md", "(rings at {m[0]}, {m[1]}, {m[2]}, {m[3]} m)"),
    ("docs/life_of_an_input.md", "Entities within {m[1]} m are looked at every {t[0]} ticks"),
    ("docs/life_of_a_snapshot.md", "within {m[0]}, {m[1]}, {m[2]} and {m[3]} m every {t[0]}, {t[1]}, {t[2]} and {t[3]} ticks"),
    ("docs/life_of_a_snapshot.md", "near lane ({m[1]} m, less in a crowd) every entity is looked at every {t[0]} ticks"),
    ("docs/life_of_a_snapshot.md", "| within {m[0]} m | {t[0]} ticks |"),
    ("docs/life_of_a_snapshot.md", "| {m[1]} m | {t[1]} ticks ({t[0]} in the near lane) |"),
    ("docs/scale.md", "looks {s[0]} times a second at moving entities within {m[1]} m"),
    ("docs/scale.md", "{s[2]} times up to {m[2]} m"),
    ("proto/WIRE.md", "| within {m[1]} m |"),
    ("proto/WIRE.md", "| within {m[2]} m |"),
    ("sim/worker/shell/process.cpp", "updates every {t[0]}, {t[1]}, {t[2]} and {t[3]} ticks"),
    ("sim/worker/shell/process.cpp", "e.g. {m[0]},{m[1]},{m[2]},{m[3]}\""),
    ("tools/scale/coefficients.txt", "limit_near_m | {m[1]} | m | moving entities within this distance are in the near lane: {s[0]} looks"),
    ("tools/scale/coefficients.txt", "limit_middle_m | {m[2]} | m | {s[2]} looks"),
    ("tools/scale/model.py", "LOOKS_PER_S = ({s[0]}, {s[2]}, {s[3]})"),
    ("tools/scale/options.py", "moving bodies within {m[1]} m of a player"),
    ("tools/scale/options.py", "entities are sent to a player: {m[1]}, 1000 or {m[3]}"),
]


def numbers(header, name):
    found = re.search(rf"\b{name}{{([0-9, ']+)}}", header)
    if not found:
        sys.exit(f"{HEADER}: no list {name}{{...}}")
    return [int(number.replace("'", "")) for number in found[1].split(",")]


def main(root):
    header = (root / HEADER).read_text(encoding="utf-8")
    radii, periods = numbers(header, "radius_m"), numbers(header, "period_ticks")
    values = {"m": radii, "t": periods, "s": [TICKS_PER_S // period for period in periods]}
    wrong = 0
    for file, template in PLACES:
        text = template.format(**values)
        if text not in (root / file).read_text(encoding="utf-8"):
            print(f"{file}: no '{text}', which follows from {HEADER}")
            wrong = 1
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_rings.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
