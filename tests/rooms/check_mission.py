#!/usr/bin/env python3
"""docs/mission.md is complete, everything that it names exists, and its ids occur in tests, but not in comments of
product code. Prints every breach; exit code 1 if any.
  check_mission.py [ROOT]"""
import collections
import pathlib
import re
import sys

TABLE = "docs/mission.md"
IDS = """E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11
  B1 B2 B3 B4 B5 B6 B6b B7 B8 B9 S1 S2 S3 S4 S5 S5b S6 S7 S8 S9 S10 S11 S12 S13 S14
  K1 K2 K2b K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18 K19 K20 K21 K22 K23 K24 K25
  K26 K26b K27 K28 K29 K30 K31 K32 K33 K34 K35 K36 K37 K38 K39 K40 K41 K42 K43 K44 K45 K46 K47 K48
  D1 D2 D3 D4 D5 D6 D7 D8 D9 D10""".split()
# D2: each of them exists and is not empty.
TOP_LEVEL = "CMakeLists.txt services platform storage proto sim gateway deploy tests docs".split()
# A comment in product code states the rule itself: its reader does not have the table at hand.
PRODUCT = """base platform storage sim gateway client services transport fabric_seal embed lab tools deploy examples cmake
  proto""".split()
ID_IN_COMMENT = re.compile(rf"(//|#).*\b({'|'.join(IDS)})\b")
COMMENTED = {".cpp", ".hpp", ".h", ".proto", ".sh", ".py", ".yml", ".cmake"}


class Check:
    def __init__(self, root):
        self.root = root
        self.wrong = []
        self.texts = {}

    def say(self, sentence):
        self.wrong.append(f"{TABLE}: {sentence}")

    def text(self, file):
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_text()
        return self.texts[file]

    def top_level(self):
        for name in TOP_LEVEL:
            place = self.root / name
            if not (place.is_file() or place.is_dir() and any(place.iterdir())):
                self.say(f"D2: {name} is missing or empty")

    def product_comments(self):
        for room in PRODUCT:
            for source in sorted((self.root / room).rglob("*")):
                if source.suffix not in COMMENTED or not source.is_file():
                    continue
                where = source.relative_to(self.root).as_posix()
                for number, line in enumerate(source.read_text().splitlines(), 1):
                    if ID_IN_COMMENT.search(line):
                        self.say(f"an id in product code: {where}:{number}:{line}")

    def occurs(self, row, file):
        if not (self.root / file).is_file():
            return self.say(f"{row}: no test file {file}")
        # K16 in a test's name counts for K16, but not for K1.
        if not re.search(rf"(^|[^A-Z0-9]){row}([^0-9b]|$)|[a-z]{row}\b", self.text(file), re.MULTILINE):
            self.say(f"{row} does not occur in {file}")

    def test(self, row, file, name):
        suite, case = (re.escape(part) for part in name.split("."))
        definition = re.compile(rf"^TEST(_F|_P)?\({suite}, *{case}\)", re.MULTILINE)
        if (self.root / file).is_file() and not definition.search(self.text(file)):
            self.say(f"{row}: no test {name} in {file}")

    def built(self, row, files, shown):
        if not files:
            self.say(f"{row} lives nowhere")
        for file in files:
            if not (self.root / file).exists():
                self.say(f"{row}: no {file}")
        if not shown:
            self.say(f"{row} is not shown by any test")
        # Files, each with the names of tests after it.
        file = None
        for word in shown:
            if "/" in word:
                file = word
                self.occurs(row, file)
            elif file:
                self.test(row, file, word)

    def rows(self):
        rows = [[field.strip() for field in line.split("|")] for line in self.text(TABLE).splitlines()
                if re.match(r"\| [A-Z][0-9]", line)]
        counts = collections.Counter(fields[1] for fields in rows)
        for row in IDS:
            if counts[row] != 1:
                self.say(f"{row} has {counts[row]} rows")
        for _, row, requirement, state, files, shown, *_ in rows:
            if row not in IDS:
                self.say(f"{row} is no row of the mission")
                continue
            if not requirement:
                self.say(f"{row} says nothing")
            files, shown = (re.findall(r"`([^`]+)`", cell) for cell in (files, shown))
            if state in ("done", "partial"):
                self.built(row, files, shown)
            elif state != "later":
                self.say(f"{row}: state '{state}' is not done, partial or later")
            elif files or shown:
                self.say(f"{row} is for later, but names something")


def main(root):
    check = Check(root)
    if not (root / TABLE).is_file():
        check.say("is missing")
    else:
        check.top_level()
        check.product_comments()
        check.rows()
    print("\n".join(check.wrong), end="\n" if check.wrong else "")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])))
