"""Reads the dashboards of deploy/grafana, the alerts, and the pages that explain both."""
import json
import pathlib
import re
import typing

BOARDS = pathlib.Path("deploy/grafana")
ALERTS = pathlib.Path("deploy/prometheus/alerts.yml")
METRICS_PAGE = pathlib.Path("docs/metrics.md")
RUNBOOK = pathlib.Path("docs/operations.md")

SCRAPE_S = 1  # timeInterval of deploy/grafana/provisioning/datasources/prometheus.yml


def boards(root):
    """The dashboards by their file's name."""
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / BOARDS).glob("*.json"))}


def targets(board):
    """(panel, target) of each query."""
    for panel in board["panels"]:
        for target in panel.get("targets", ()):
            yield panel, target


def name_of(board, panel, target=None):
    name = f'{board["uid"]}: panel {panel["id"]}, {panel["title"]}'
    return name if target is None else f'{name}, query {target["refId"]}'


def min_step_s(target):
    return int(target.get("interval", f"{SCRAPE_S}s").removesuffix("s"))


def expression(target, step_s=0):
    """As it is sent to Prometheus for points `step_s` apart, with all workers chosen."""
    least = min_step_s(target)
    window = max(max(step_s, least) + least, 4 * least)
    return target["expr"].replace("$__rate_interval", f"{window}s").replace("$worker", ".*")


class Alert(typing.NamedTuple):
    severity: str
    conditions: tuple  # (expression, comparison, number) of each part that `or` joins


def alerts(root):
    """The alerts by their name. A part without a comparison has no threshold, and is left out."""
    found = {}
    for rule in re.split(r"^\s*- alert: ", (root / ALERTS).read_text(encoding="utf-8"), flags=re.M)[1:]:
        body = re.search(r"expr: (.*?)^\s+(?:for|labels):", rule, re.M | re.S).group(1)
        body = " ".join(re.sub(r"(^|\s)#.*$", "", body, flags=re.M).removeprefix("|").split())
        conditions = []
        for part in re.split(r"\bor\b", body):
            compared = re.fullmatch(r"(.*?) (==|<|>) ([0-9.]+)", re.split(r"\band\b", part)[0].strip())
            if compared:
                conditions.append((compared[1], compared[2], float(compared[3])))
        severity = re.search(r"severity: (\w+)", rule).group(1)
        found[rule.split("\n", 1)[0].strip()] = Alert(severity, tuple(conditions))
    return found


class Family(typing.NamedTuple):
    kind: str  # counter, gauge or histogram
    labels: dict  # name: set of values, empty if the page does not list them


def families(root):
    """The metric families of docs/metrics.md by their name."""
    page = (root / METRICS_PAGE).read_text(encoding="utf-8")
    found = {}
    for name, kind, labels in re.findall(r"^\| `(perigee_\w+)` \| (\w+)[^|]*\|([^|]*)\|", page, re.M):
        label, _, values = labels.strip().partition(":")
        found[name] = Family(kind, {each.strip(): set() for each in label.split(",") if each.strip()})
        if values.strip() == "table below":
            table = re.search(rf"^### \w+ of `{name}`\n(.*?)^#", page, re.M | re.S).group(1)
            values = ",".join(re.findall(r"^\| ([a-z_0-9, ]+) \|", table, re.M)[1:])
        if values:
            found[name].labels[label.strip()].update(value.strip() for value in values.split(","))
    return found


def sections(root):
    """The text of each section of the runbook by its anchor, subsections included."""
    found, depths = {}, {}
    fenced = False
    for line in (root / RUNBOOK).read_text(encoding="utf-8").split("\n"):
        fenced ^= line.startswith("```")
        heading = None if fenced else re.match(r"(#+) (.*)", line)
        if heading:
            depths = {anchor: depth for anchor, depth in depths.items() if depth < len(heading[1])}
            anchor = re.sub(r"[^\w -]", "", heading[2].lower()).replace(" ", "-")
            depths[anchor] = len(heading[1])
            found[anchor] = ""
        for anchor in depths:
            found[anchor] += line + "\n"
    return found
