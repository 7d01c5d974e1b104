#!/usr/bin/env python3
"""Checks the dashboards of deploy/grafana against their subset of Grafana's format, the metrics page, the alerts and
the runbook. Prints a sentence for each breach; exit code 1 if there is any.

usage: check_dashboards.py [ROOT]
       check_dashboards.py --rules [ROOT]   prints all expressions as recording rules, for promtool check rules
"""
import collections
import json
import pathlib
import re
import sys

import dashboards
import subset

METRIC = re.compile(r"\bperigee_\w+|\bALERTS\b")
SELECTOR = re.compile(r"\b(perigee_\w+)\{([^}]*)\}")
ALL_ALERTS = "All alerts"
FIRING = dashboards.Alert("page", (('ALERTS{alertstate="firing"}', ">", 0.0),))
SEVERITY_COLORS = {"page": "red", "warn": "orange"}
DROPS_BY_CLASS = ("perigee-gateway", "Drops by class", "perigee_gateway_drops_total", "reason")


def check_forms(board):
    yield from subset.differences(board, subset.BOARD, board["uid"])
    for key in ("id", "title"):
        values = collections.Counter(panel[key] for panel in board["panels"])
        yield from (f'{board["uid"]}: {count} panels have the {key} {value}' for value, count in values.items() if count > 1)
    for panel in board["panels"]:
        name = dashboards.name_of(board, panel)
        if panel["type"] not in subset.PANELS:
            yield f'{name}: panels of type {panel["type"]} are not in the subset'
            continue
        differences = subset.differences(panel, subset.PANELS[panel["type"]], name)
        yield from differences
        if differences:
            continue
        if panel["gridPos"]["x"] + panel["gridPos"]["w"] > 24:
            yield f"{name}: it is beyond the right edge"
        if panel["type"] == "row":
            continue
        if not re.fullmatch(r".+ Normal: .+ Otherwise: .+", panel["description"]):
            yield f'{name}: the description does not have the form "MEANING Normal: … Otherwise: …"'
        references = [target["refId"] for target in panel["targets"]]
        if len(set(references)) != len(references) or not references:
            yield f"{name}: queries need different letters"


def check_overlap(board):
    taken = {}
    for panel in board["panels"]:
        place = panel["gridPos"]
        for cell in ((x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])):
            if cell in taken:
                yield f"{dashboards.name_of(board, panel)}: it covers the panel {taken[cell]}"
                break
            taken[cell] = panel["title"]


def family_of(metric, families):
    """The family's name; counted: a counter, or the buckets, sum or count of a histogram."""
    if metric in families:
        return metric, families[metric].kind == "counter"
    histogram = re.sub(r"_(bucket|sum|count)$", "", metric)
    return (histogram, True) if histogram in families and families[histogram].kind == "histogram" else (None, False)


def check_expression(name, expression, families):
    for variable in set(re.findall(r"\$\w+|\$\{\w+\}", expression)) - subset.VARIABLES:
        yield f"{name}: the variable {variable} is not in the subset"
    for found in METRIC.finditer(expression):
        if found[0] == "ALERTS":
            continue
        family, counted = family_of(found[0], families)
        if family is None:
            yield f"{name}: {found[0]} is not on docs/metrics.md"
        elif counted != bool(re.search(r"\b(rate|increase)\($", expression[:found.start()])):
            yield f"{name}: {found[0]} is {'a counter' if counted else 'no counter'}: rate() and increase() are for counters, and counters need them"
    for metric, matchers in SELECTOR.findall(expression):
        family, _ = family_of(metric, families)
        for label, operator, pattern in re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', matchers):
            yield from check_matcher(name, families.get(family), label, pattern if "~" in operator else re.escape(pattern))


def check_matcher(name, family, label, pattern):
    if family is None or label in ("instance", "job"):
        return
    if label not in family.labels:
        yield f"{name}: there is no label {label}"
        return
    for alternative in [pattern] if "(" in pattern else pattern.split("|"):
        if family.labels[label] and not any(re.fullmatch(alternative, value) for value in family.labels[label]):
            yield f"{name}: no {label} is {alternative}"


def plain(expression):
    """Without spaces and the choice of workers, to find an alert's expression in a panel's."""
    return re.sub(r'\{instance=~"\$worker"\}|\s', "", expression)


def shows(panel, alert):
    """Whether the panel has the figure of the alert."""
    return any(re.search(rf"(?<!\w){re.escape(plain(left))}(?!\w)", plain(target["expr"]))
               for left, _, _ in alert.conditions for target in panel["targets"])


def expected_step(comparison, number):
    """(value of the step, whether the alert is below it). Grafana's steps include their value; a count above 0 is at
    least 1."""
    if comparison == ">":
        return (number if number > 0 else 1), False
    if comparison == "<":
        return number, True
    return max(number, 1), number == 0


def check_alerts(board, panel, alerts, sections):
    name = dashboards.name_of(board, panel)
    linked = set()
    for link in panel.get("links", ()):
        about = link["title"].removesuffix(": what to do").removeprefix("Alert ")
        if about not in alerts:
            yield f'{name}: the link "{link["title"]}" names no alert'
            continue
        linked.add(about)
        page, _, anchor = link["url"].partition("#")
        explained = set(re.findall(r"`(\w+)`", sections.get(anchor, "")))
        missing = (alerts.keys() - {ALL_ALERTS} if about == ALL_ALERTS else {about}) - explained
        if page != f"/public/perigee/{dashboards.RUNBOOK}" or missing:
            yield f'{name}: {link["url"]} leads to no section of the runbook about {", ".join(sorted(missing)) or about}'
    shown = {each for each in alerts if shows(panel, alerts[each])}
    yield from (f"{name}: it shows the figure of {each}, and has no link to the runbook" for each in shown - linked)
    yield from (f"{name}: it links to {each}, and does not show the expression of that alert" for each in linked - shown)
    yield from check_thresholds(name, panel, [alerts[each] for each in sorted(shown)])


def check_thresholds(name, panel, alerts):
    if panel["type"] == "table":
        return
    steps = panel["fieldConfig"]["defaults"].get("thresholds", {"steps": []})["steps"]
    drawn = {step["value"]: step["color"] for step in steps}
    expected = {}
    for alert in sorted(alerts, key=lambda each: each.severity == "page"):  # the severest last
        for _, comparison, number in alert.conditions:
            value, below = expected_step(comparison, number)
            color = SEVERITY_COLORS[alert.severity]
            expected.update({None: color, value: "green"} if below else {None: "green", value: color})
    for value, color in expected.items():
        if drawn.get(value) != color:
            yield f'{name}: the threshold {"below the first step" if value is None else value} is not {color}, as in the alerts'
    for value, color in drawn.items():
        if color in SEVERITY_COLORS.values() and expected.get(value) != color:
            yield f"{name}: {color} at {value} is for alerts, and no alert is there"
    lines = panel["fieldConfig"]["defaults"].get("custom", {}).get("thresholdsStyle") is not None
    if panel["type"] == "timeseries" and lines != bool(steps):
        yield f"{name}: thresholds without lines, or lines without thresholds"


def check_links(board, panel, uids):
    for link in panel["fieldConfig"]["defaults"].get("links", ()):
        found = re.fullmatch(r"/d/([\w-]+)\?\$\{__url_time_range\}", link["url"])
        if not found or found[1] not in uids - {board["uid"]}:
            yield f'{dashboards.name_of(board, panel)}: {link["url"]} leads to no other dashboard at the same time range'


def check_drop_classes(boards, families):
    uid, title, family, label = DROPS_BY_CLASS
    classes = [re.search(rf'{label}=~"([^"]*)"', target["expr"])[1] for board in boards if board["uid"] == uid
               for panel, target in dashboards.targets(board) if panel["title"] == title]
    for reason in sorted(families[family].labels[label]):
        found = sum(bool(re.fullmatch(each, reason)) for each in classes)
        if found != 1:
            yield f"{uid}: {title}: {found} classes have the {label} {reason}"


def breaches(root):
    boards = dashboards.boards(root)
    alerts = {**dashboards.alerts(root), ALL_ALERTS: FIRING}
    families, sections = dashboards.families(root), dashboards.sections(root)
    uids = {board["uid"] for board in boards.values()}
    if len(uids) != len(boards):
        yield "two dashboards have the same uid"
    for board in boards.values():
        forms = list(check_forms(board))
        yield from forms
        if forms:
            continue  # the other checks rely on the form
        yield from check_overlap(board)
        for panel in board["panels"]:
            if panel["type"] == "row":
                continue
            yield from check_alerts(board, panel, alerts, sections)
            yield from check_links(board, panel, uids)
            for target in panel["targets"]:
                yield from check_expression(dashboards.name_of(board, panel, target), target["expr"], families)
        for variable in board["templating"]["list"]:
            if not re.fullmatch(r"label_values\((perigee_\w+), instance\)", variable["query"]):
                yield f'{board["uid"]}: the variable {variable["name"]} is not filled from a metric'
    yield from check_drop_classes(boards.values(), families)


def rules(root):
    """A file of rules in which each expression has the name of its panel."""
    recorded = [{"record": re.sub(r"\W", "_", f'{board["uid"]}:{panel["id"]}:{target["refId"]}'), "expr": dashboards.expression(target)}
                for board in dashboards.boards(root).values() for panel, target in dashboards.targets(board)]
    return json.dumps({"groups": [{"name": "dashboards", "rules": recorded}]}, indent=1)


def main():
    arguments = sys.argv[1:]
    print_rules = arguments[:1] == ["--rules"]
    root = pathlib.Path((arguments[1:] if print_rules else arguments or ["."])[0] if len(arguments) > print_rules else ".")
    if print_rules:
        print(rules(root))
        return 0
    found = list(breaches(root))
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
