"""Reads a file of coefficients and limits, such as tools/scale/coefficients.txt."""
import dataclasses
import re

NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e-?[0-9]+)?")


class Refused(Exception):
    """The operator's input is unusable; the message is one sentence that says why."""


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the file. For a limit, `source` is the place in the code."""
    name: str
    written: str  # the value, as the file has it
    unit: str
    meaning: str
    source: str

    @property
    def is_limit(self):
        return self.name.startswith("limit_")


class Coefficients:
    """Values by name. A name that the file lacks is refused when the model needs it."""

    def __init__(self, rows):
        self.rows = list(rows)
        self.values = {row.name: float(row.written) for row in self.rows}

    def __getitem__(self, name):
        if name not in self.values:
            raise Refused(f"the coefficients lack {name}; tools/scale/coefficients.txt has all of them")
        return self.values[name]

    def divisor(self, name):
        """The value of `name`, refused if it is 0."""
        if self[name] == 0:
            raise Refused(f"the coefficient {name} is 0, and the model divides by it")
        return self[name]


def read(path):
    rows = []
    names = set()
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if re.match(r"[ \t]*(#|$)", line):
                continue
            fields = [field.strip(" \t") for field in line.split("|")]
            if len(fields) != 5 or not NUMBER.fullmatch(fields[1]):
                raise Refused(f"{path}:{number}: not 'name | value | unit | meaning | source': {line}")
            row = Row(*fields)
            if row.name in names:
                raise Refused(f"{path}:{number}: {row.name} is there twice")
            names.add(row.name)
            rows.append(row)
    return Coefficients(rows)
