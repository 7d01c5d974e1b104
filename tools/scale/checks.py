"""Measurements of whole clusters, beside the model's figures for the same clusters."""
import dataclasses
import operator
import shlex

FILE = "tools/scale/checks.txt"


@dataclasses.dataclass(frozen=True)
class Check:
    """One line of the file."""
    measured_by: str
    figure: str
    unit: str
    measured: float
    quantity: str  # of `quantities.Needs`, e.g. worker.tick_ms
    factor: float  # the quantity times this has the unit
    options: list  # of ./perigee scale, for the measured cluster


def read():
    checks = []
    with open(FILE, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                measured_by, figure, unit, measured, quantity, factor, options = (
                    field.strip() for field in line.split("|"))
                checks.append(Check(measured_by, figure, unit, float(measured), quantity, float(factor),
                                    shlex.split(options)))
    return checks


def written(x):
    if x >= 1000:
        return f"{int(x):,}"
    for least, form in ((100, ".0f"), (10, ".1f"), (0.5, ".2f")):
        if x >= least:
            return f"{x:{form}}"
    return f"{x:.3f}"


def lines(checks, games):
    """`games` has the `quantities.Needs` of each check."""
    yield "| measurement | quantity | measured | model | difference |"
    yield "|---|---|---|---|---|"
    for check, needs in zip(checks, games):
        model = operator.attrgetter(check.quantity)(needs) * check.factor
        figure = f"{check.figure} ({check.unit})" if check.unit else check.figure
        difference = 100 * (model / check.measured - 1)
        yield (f"| {check.measured_by} | {figure} | {written(check.measured)} | {written(model)} "
               f"| {difference:+.0f} % |")
