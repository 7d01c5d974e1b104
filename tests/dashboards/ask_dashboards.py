#!/usr/bin/env python3
"""Asks a Prometheus every expression of the dashboards over a run of a cluster, as Grafana does. Each has to return at
least one number, and every label that its legend names. What happened in the run has to be visible.

usage: ask_dashboards.py PROMETHEUS_URL ROOT SINCE_UNIX_S PATIENCE_S

EVENTS below lists what happened. Asks again while something is missing. Exit code 1: something still is."""
import json
import math
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request

import dashboards

POINTS_MAX = 10_000  # of one answer of Prometheus: 11,000
# (dashboard, title of the panel, legend, the number that it has to exceed, event)
EVENTS = [
    ("perigee-overview", "Failovers in an hour", "failovers", 0, "a killed worker"),
    ("perigee-overview", "Firing alerts", "alerts", 0, "a killed worker"),
    ("perigee-overview", "Log-ins refused per second", "refused", 0, "a refused log-in"),
    ("perigee-overview", "Strangers", "datagrams dropped", 100, "floods"),
    ("perigee-gateway", "Drops by class", "not netcode", 100, "a flood of garbage"),
    ("perigee-gateway", "Drops by class", "without a session", 100, "a flood of packets without a session"),
    ("perigee-gateway", "Drops by class", "forged or replayed", 100, "a flood of forged requests"),
    ("perigee-gateway", "Datagrams on the public port", "received", 600, "players and floods"),
    ("perigee-gateway", "Handshakes by outcome", "begun", 0, "players"),
    ("perigee-gateway", "Log-ins refused by reason", "wrong_credential", 0, "a wrong credential"),
    ("perigee-gateway", "gRPC connections closed by reason", "preface", 0, "a connection that does not speak HTTP/2"),
    ("perigee-cluster", "Taken over by successors", "players", 0, "a successor of the killed worker"),
    ("perigee-latency", "Corrections per minute and player, by cause", "all", 0, "corrections on a bad link"),
]


class Prometheus:
    def __init__(self, url, since_s):
        self.url, self.since_s = url, since_s
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def over_the_run(self, target):
        """The series: labels and numbers."""
        step_s = dashboards.min_step_s(target)
        now_s = time.time()
        arguments = {"query": dashboards.expression(target, step_s), "start": max(self.since_s, now_s - POINTS_MAX * step_s),
                     "end": now_s, "step": step_s}
        with self.open(f"{self.url}/api/v1/query_range?{urllib.parse.urlencode(arguments)}", timeout=10) as reply:
            result = json.load(reply)["data"]["result"]
        for series in result:
            numbers = [float(value) for _, value in series["values"]]
            yield series["metric"], [number for number in numbers if math.isfinite(number)]


def missing_in(target, answer):
    """A sentence, or None."""
    if not any(numbers for _, numbers in answer):
        return "no number"
    for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
        if any(label not in labels for labels, _ in answer):
            return f"the legend names {label}, which a series does not have"
    return None


def highest(target, answer, legend):
    """The highest number of the series that the legend names; 0 without one."""
    def of(labels):
        return re.sub(r"{{(\w+)}}", lambda found: labels.get(found[1], ""), target["legendFormat"])
    return max((number for labels, numbers in answer for number in numbers if legend in of(labels)), default=0)


def ask(prometheus, root):
    """(number of queries, sentences about the missing answers)."""
    missing, asked = [], 0
    seen = dict.fromkeys(EVENTS, 0)
    for board in dashboards.boards(root).values():
        for panel, target in dashboards.targets(board):
            asked += 1
            answer = list(prometheus.over_the_run(target))
            sentence = missing_in(target, answer)
            if sentence:
                missing.append(f"{dashboards.name_of(board, panel, target)}: {sentence} for\n  {dashboards.expression(target)}")
            for event in seen:
                if event[:2] == (board["uid"], panel["title"]):
                    seen[event] = max(seen[event], highest(target, answer, event[2]))
    missing += [f"{uid}: {title}: {legend} is {number} at most, in spite of {event}"
                for (uid, title, legend, exceeds, event), number in seen.items() if number <= exceeds]
    return asked, missing


def main():
    url, root, since_s, patience_s = sys.argv[1], pathlib.Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    prometheus = Prometheus(url, since_s)
    deadline_s = time.monotonic() + patience_s
    while True:
        asked, missing = ask(prometheus, root)
        if not missing or time.monotonic() > deadline_s:
            break
        time.sleep(1)
    for sentence in missing:
        print(sentence)
    print(f"{asked} expressions asked")
    return 1 if missing or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
