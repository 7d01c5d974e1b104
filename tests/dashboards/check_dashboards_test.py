#!/usr/bin/env python3
"""check_dashboards.py accepts the tree, and finds each breach that is planted in a copy of it.

usage: check_dashboards_test.py ROOT"""
import json
import pathlib
import shutil
import sys
import tempfile

import check_dashboards
import dashboards


def panel_of(board, title):
    return next(panel for panel in board["panels"] if panel["title"] == title)


def in_panel(title, change, file="overview.json"):
    """A breach in one panel."""
    def plant(root):
        path = root / dashboards.BOARDS / file
        board = json.loads(path.read_text(encoding="utf-8"))
        change(panel_of(board, title))
        path.write_text(json.dumps(board), encoding="utf-8")
    return plant


def in_query(title, former, present, file="overview.json"):
    def change(panel):
        texts = [target["expr"] for target in panel["targets"]]
        assert any(former in text for text in texts), f"{title} does not have {former}"
        for target in panel["targets"]:
            target["expr"] = target["expr"].replace(former, present)
    return in_panel(title, change, file)


def in_text(page, former, present):
    def plant(root):
        text = (root / page).read_text(encoding="utf-8")
        assert former in text, f"{page} does not have {former}"
        (root / page).write_text(text.replace(former, present), encoding="utf-8")
    return plant


def defaults(panel):
    return panel["fieldConfig"]["defaults"]


def set_threshold(panel, value):
    defaults(panel)["thresholds"]["steps"][1]["value"] = value


def set_base(panel, color):
    defaults(panel)["thresholds"]["steps"][0]["color"] = color


# (breach, part of the sentence about it)
BREACHES = [
    (in_panel("Players", lambda panel: panel.update(type="gauge")), "panels of type gauge are not in the subset"),
    (in_panel("Players", lambda panel: panel.update(repeat="worker")), ".repeat is not in the subset"),
    (in_panel("Players", lambda panel: panel.pop("description")), "has no description"),
    (in_panel("Players", lambda panel: panel.update(description="Clients.")), 'does not have the form "MEANING Normal'),
    (in_panel("Players", lambda panel: panel.update(id=3)), "2 panels have the id 3"),
    (in_panel("Players", lambda panel: panel.update(title="World time")), "2 panels have the title World time"),
    (in_panel("Players", lambda panel: panel["gridPos"].update(x=22)), "beyond the right edge"),
    (in_panel("Players", lambda panel: panel["gridPos"].update(w=4)), "it covers the panel"),
    (in_panel("Players", lambda panel: defaults(panel).pop("unit")), "has no unit"),
    (in_panel("Players", lambda panel: defaults(panel).update(unit="furlongs")), "is 'furlongs', which is not in the subset"),
    (in_panel("Players", lambda panel: panel["targets"][0].pop("instant")), "has no instant"),
    (in_panel("Players", lambda panel: panel["datasource"].update(uid="mine")), "is 'mine', which is not in the subset"),
    (in_panel("Ping and full loop", lambda panel: panel["targets"][1].update(refId="A")), "queries need different letters"),
    (in_panel("Ping and full loop", lambda panel: panel["fieldConfig"]["overrides"].append({})), "overrides is not empty"),
    (in_panel("Ping and full loop", lambda panel: panel["targets"].clear()), "queries need different letters"),
    (in_panel("Players", lambda panel: defaults(panel)["links"][0].update(url="/d/perigee-none?${__url_time_range}")),
     "leads to no other dashboard"),
    (in_query("Failovers and deaths", "$__rate_interval", "$__interval"), "the variable $__interval is not in the subset"),
    (in_query("Failovers and deaths", "perigee_directory_deaths_total", "perigee_directory_births_total"), "is not on docs/metrics.md"),
    (in_query("Failovers and deaths", "increase(perigee_directory_deaths_total[$__rate_interval])", "perigee_directory_deaths_total"),
     "perigee_directory_deaths_total is a counter"),
    (in_query("Clients and players", "sum(perigee_gateway_sessions)", "sum(rate(perigee_gateway_sessions[1m]))"), "perigee_gateway_sessions is no counter"),
    (in_query("Lost in the kernel", 'cause=~".*_kernel_buffer"', 'cause=~".*_kernel_buffers"', "gateway_floods.json"), "no cause is"),
    (in_query("Lost in the kernel", 'cause=~".*_kernel_buffer"', 'reason="empty"', "gateway_floods.json"), "there is no label reason"),
    (in_query("Drops by class", "wrong_state|", "", "gateway_floods.json"), "0 classes have the reason wrong_state"),
    (in_query("Drops by class", "telemetry_.*", "telemetry_.*|too_long", "gateway_floods.json"), "2 classes have the reason too_long"),
    (in_panel("Ticks over their period", lambda panel: set_threshold(panel, 0.01)), "the threshold 0.001 is not orange"),
    (in_panel("World time", lambda panel: set_base(panel, "green")), "the threshold below the first step is not orange"),
    (in_panel("Worst tick, p99 of 16.7 ms", lambda panel: defaults(panel)["thresholds"]["steps"][1].update(color="red")),
     "red at 0.008 is for alerts"),
    (in_panel("Ticks over their period", lambda panel: defaults(panel)["custom"].pop("thresholdsStyle")), "thresholds without lines"),
    (in_panel("Ticks over their period", lambda panel: panel.pop("links")), "has no link to the runbook"),
    (in_panel("Players interrupted", lambda panel: panel["links"][0].update(title="Alert NoGateway: what to do")),
     "does not show the expression of that alert"),
    (in_panel("Players interrupted", lambda panel: panel["links"][0].update(title="Alert Boredom: what to do")), "names no alert"),
    (in_panel("Players interrupted", lambda panel: panel["links"][0].update(url="/public/perigee/docs/operations.md#alarms")),
     "leads to no section of the runbook about PlayersInterrupted"),
    (in_text(dashboards.ALERTS, "> 0.001", "> 0.002"), "the threshold 0.002 is not orange"),
    (in_text(dashboards.ALERTS, "(perigee_directory_time_rate_ratio) < 1", "(perigee_directory_time_rate_ratio) < 0.9"),
     "the threshold 0.9 is not green"),
    (in_text(dashboards.ALERTS, "[5m])) / sum(perigee", "[10m])) / sum(perigee"), "does not show the expression of that alert"),
    (in_text(dashboards.ALERTS, "labels: {severity: page}", "labels: {severity: warn}"), "is not orange"),
    (in_text(dashboards.RUNBOOK, "| `TimeSlowed` |", "| `TimeStopped` |"), "leads to no section of the runbook about TimeSlowed"),
    (in_text(dashboards.RUNBOOK, "### Alerts", "### Alarms"), "leads to no section of the runbook about NoGateway"),
    (in_text(dashboards.METRICS_PAGE, "`perigee_process_cpu_seconds_total` | counter", "`perigee_process_cpu_seconds_total` | gauge"),
     "perigee_process_cpu_seconds_total is no counter"),
    (in_text(dashboards.BOARDS / "overview.json", '"uid": "perigee-overview"', '"uid": "perigee-latency"'), "two dashboards have the same uid"),
]


def main():
    root = pathlib.Path(sys.argv[1])
    missed = [f"the tree itself: {sentence}" for sentence in check_dashboards.breaches(root)]
    for number, (plant, sentence) in enumerate(BREACHES):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            shutil.copytree(root / dashboards.BOARDS, copy / dashboards.BOARDS)
            for page in (dashboards.ALERTS, dashboards.METRICS_PAGE, dashboards.RUNBOOK):
                (copy / page).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / page, copy / page)
            plant(copy)
            found = list(check_dashboards.breaches(copy))
        if not any(sentence in each for each in found):
            missed.append(f"breach {number}, expected '{sentence}', found {found}")
    for each in missed:
        print(each)
    print(f"{len(BREACHES)} breaches planted")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
