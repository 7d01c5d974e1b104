#!/usr/bin/env python3
"""The tables of docs/feel.md, from docs/lab/cells.csv.

usage: tables.py           writes them: below each line <!-- table: NAME -->, up to the next <!-- -->
       tables.py --check   fails if they are otherwise
"""
import collections
import csv
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
PAGE = FOLDER.parent / "feel.md"
USUAL = [f"P{i}" for i in range(8)]
CHANGING = [f"P{i}" for i in range(8, 13)]
PUBLISHED = ["perigee", "talk", "talk-world-frame", "seed000_A", "seed000_B", "seed001", "seed002", "seed003"]
TECHNIQUES = ["perigee", "no-smoothing", "constant-weight", "fading-weight", "exponential", "shift", "threshold",
              "no-breaker", "no-prediction", "playout", "suggested", "no-rollback", "no-redundancy", "world-frame"]
SHOWN_INSTEAD_MIN = 0.05  # of the time; below that it is not told

Key = collections.namedtuple("Key", "scenario preset profile")


class Cells:
    """What was measured: by scenario, preset and profile a list of one row for each seed."""

    def __init__(self, path):
        self.rows = collections.defaultdict(list)
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                self.rows[Key(row["scenario"], row["preset"], row["profile"])].append(row)
        for rows in self.rows.values():
            rows.sort(key=lambda row: int(row["seed"]))

    def scenarios(self):
        return list(dict.fromkeys(key.scenario for key in self.rows))

    def of(self, *key):
        return self.rows.get(Key(*key), [])


def valid(rows):
    return bool(rows) and not any(row["below"] for row in rows)


def worst(rows, figure):
    return max(float(row[figure]) for row in rows)


def number(value, digits=2):
    return f"{value:.0f}" if value >= 9.95 else f"{value:.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def corrections(rows):
    """Per minute; in brackets the share of the time in which the server's word was shown instead."""
    if not rows:
        return "–"
    if not valid(rows):
        return "INVALID"
    text = number(worst(rows, "corrections_per_minute"))
    animated = worst(rows, "animated_share")
    return text + (f" ({animated * 100:.0f} %)" if animated > SHOWN_INSTEAD_MIN else "")


def ratio(ours, theirs):
    if not valid(ours) or not valid(theirs):
        return ""
    mine, other = worst(ours, "corrections_per_minute"), worst(theirs, "corrections_per_minute")
    return f" ×{mine / other:.2g}" if mine > 0 and other > 0 else ""


def ours_and_talk(cells):
    rows = []
    for scenario in cells.scenarios():
        pairs = [(cells.of(scenario, "perigee", p), cells.of(scenario, "talk", p)) for p in USUAL]
        rows.append([f"**{scenario}** `perigee`"] + [corrections(ours) + ratio(ours, talk) for ours, talk in pairs])
        rows.append(["`talk`"] + [corrections(talk) for _, talk in pairs])
    return table(["worst of 3"] + USUAL, rows)


def changing_links(cells):
    def figures(rows):
        if not rows:
            return "–"
        text = "{} · {} · {} · {:.2f} s".format(
            number(worst(rows, "corrections_per_minute")), number(worst(rows, "resets_per_minute")),
            number(worst(rows, "missed_per_minute"), 1), worst(rows, "unapplied_s_max"))
        return text if valid(rows) else f"INVALID ({text})"

    return table(["worst of 3"] + CHANGING,
                 [[f"**{s}** `perigee`" if preset == "perigee" else f"`{preset}`"]
                  + [figures(cells.of(s, preset, p)) for p in CHANGING]
                  for s in ["L1", "L2", "L10", "play"] for preset in ["perigee", "talk"]])


def hard_scenes(cells):
    def figures(rows):
        per_minute = worst(rows, "corrections_per_minute")
        more = []
        if per_minute > 0:
            more.append(f"{worst(rows, 'correction_p99_m'):.2f} m")
        predicted = min(float(row["predicted_share"]) for row in rows)
        if predicted < 0.985:
            more.append(f"{predicted * 100:.0f} %" + ("" if valid(rows) else ": INVALID"))
        return number(per_minute) + (f" ({', '.join(more)})" if more else "")

    profiles = ["P0", "P1", "P2", "P3", "P5"]
    return table([""] + profiles, [[s] + [figures(cells.of(s, "perigee", p)) for p in profiles]
                                   for s in ["L13", "L14", "L15", "L15w", "L16", "L16s", "L17"]])


def published(cells, profile):
    scenarios = ["L1", "L2", "L3", "L4", "L5", "L6", "L10", "L11", "L12", "crowd", "play"]
    return table([profile] + scenarios,
                 [[f"`{preset}`"] + [corrections(cells.of(s, preset, profile)[:1]) for s in scenarios]
                  for preset in PUBLISHED])


FIGURES = [("corr/min", "corrections_per_minute", 1, 2), ("reset/min", "resets_per_minute", 1, 2),
           ("largest m", "correction_max_m", 1, 2), ("off p50 m", "shown_error_p50_m", 1, 2),
           ("p99 m", "shown_error_p99_m", 1, 2), ("rough m/s", "roughness_p999_m_s", 1, 1),
           ("max", "roughness_max_m_s", 1, 0), ("anim. %", "animated_share", 100, 0),
           ("input ms", "input_delay_ms", 1, 0), ("miss/min", "missed_per_minute", 1, 1),
           ("again/s", "rolled_back_per_s", 1, 1)]


def all_figures(cells, presets, profiles, name_profiles):
    rows = []
    for profile in profiles:
        for preset in presets:
            cell = cells.of("play", preset, profile)[:1]
            label = f"**play {profile}** `{preset}`" if name_profiles and preset == presets[0] else f"`{preset}`"
            figures = [f"{worst(cell, field) * factor:.{digits}f}" for _, field, factor, digits in FIGURES]
            rows.append([label] + figures if valid(cell) else [label, "INVALID"] + [""] * (len(FIGURES) - 1))
    return table([""] + [title for title, *_ in FIGURES], rows)


def techniques_elsewhere(cells):
    columns = [(s, p) for s in ["L1", "L2", "L3"] for p in ["P2", "P3", "P5"]]
    presets = ["perigee", "shift", "threshold", "playout", "suggested", "no-rollback", "no-redundancy", "world-frame"]
    return table([""] + [f"{s} {p}" for s, p in columns],
                 [[f"`{preset}`"] + [corrections(cells.of(s, preset, p)[:1]) for s, p in columns]
                  for preset in presets])


TABLES = {
    "ours-and-talk": ours_and_talk,
    "changing-links": changing_links,
    "hard-scenes": hard_scenes,
    "published-P1": lambda cells: published(cells, "P1"),
    "published-P2": lambda cells: published(cells, "P2"),
    "published-P3": lambda cells: published(cells, "P3"),
    "published-play": lambda cells: all_figures(cells, PUBLISHED, ["P2"], False),
    "techniques-play": lambda cells: all_figures(cells, TECHNIQUES, ["P2", "P3", "P5"], True),
    "techniques-elsewhere": techniques_elsewhere,
}


def written(page, cells):
    def fill(match):
        return f"<!-- table: {match[1]} -->\n" + "\n".join(TABLES[match[1]](cells)) + "\n<!-- -->"

    names = re.findall(r"<!-- table: (\S+) -->", page)
    wrong = set(names) ^ set(TABLES)
    if wrong:
        sys.exit(f"{PAGE.name} and {pathlib.Path(__file__).name} differ in: {', '.join(sorted(wrong))}")
    return re.sub(r"<!-- table: (\S+) -->\n.*?<!-- -->", fill, page, flags=re.DOTALL)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    page = PAGE.read_text(encoding="utf-8")
    new = written(page, Cells(FOLDER / "cells.csv"))
    if sys.argv[1:] == []:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        sys.exit("docs/feel.md does not show docs/lab/cells.csv. Remedy: docs/lab/tables.py")


main()
